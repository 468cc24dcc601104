"""Workers side by side → how far they are apart, which are slow, and which hosts hold one capture twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...tables import F64, I64
from ..steps import HostSteps, titles
from .straggler import Straggler
from .workers import Pod


def skew_ps(pod: Pod) -> float:
    """Slowest minus fastest, mean over the compared steps."""
    work = pod.compared
    return float((np.nanmax(work, axis=0) - np.nanmin(work, axis=0)).mean())


def lost_ps(pod: Pod) -> float:
    """How long a worker waits for the slowest, mean over workers and compared steps."""
    work = pod.compared
    return float(np.nanmean(np.nanmax(work, axis=0) - work))


def wait_ps(pod: Pod, late: Straggler) -> float:
    """How long each worker but the straggler waits for the slowest, mean over them and the compared steps."""
    work = pod.compared
    others = [i for i, worker in enumerate(pod.workers) if worker not in late.workers]
    return float(np.nanmean(np.nanmax(work, axis=0) - work[others]))


def lag_ps(pod: Pod) -> F64:
    """By worker how much longer it works than the fastest, mean over the compared steps; NaN where it has none."""
    work = pod.compared
    fastest = np.nanmin(work, axis=0) if work.size else np.zeros(work.shape[1])
    return mean_over_steps(work - fastest)


def mean_over_steps(values: F64) -> F64:
    """Of (workers, steps), over those steps that a worker has; NaN where it has none."""
    has = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: F64 = np.where(has, values, 0).sum(axis=1) / has.sum(axis=1)
    return mean


def times_slowest(pod: Pod) -> I64:
    """By worker the steps in which it is the slowest, alone."""
    return np.bincount(pod.slowest + 1, minlength=len(pod.workers) + 1)[1:]


def step_ps(pod: Pod) -> float:
    """Mean time of the steps that count."""
    return float(pod.means.wall_ps[pod.means.counted].mean())


def slower_than_most(pod: Pod, by_ps: float) -> list[str]:
    """Workers whose mean work exceeds the median by so much; none where they are no minority of two or more."""
    some = np.flatnonzero(~np.isnan(pod.compared).all(axis=1))
    mean = np.nanmean(pod.compared[some], axis=1)
    late = some[mean - np.median(mean) >= by_ps].tolist()
    return [pod.workers[i].label for i in late] if 1 < len(late) < len(some) / 2 else []


def longest_steps(pod: Pod, late: Straggler, most: int) -> I64:
    """Rows of the straggler's host's steps in which it works longest, ascending."""
    one = late.workers[0]
    rows, work = pod.rows(one), pod.work_ps[pod.workers.index(one), pod.counted]
    work = work[~np.isnan(work)]
    longest: I64 = np.sort(rows[np.argsort(-work, kind="stable")[:most]])
    return longest


def are_copies(pod: Pod) -> bool:
    """Whether no step is of two workers but those of captures that are one under several names."""
    again = {title for _, *others in same_captures(pod.parts) for title in others}
    first = [worker.title not in again for worker in pod.workers]
    return bool(again) and not ((~np.isnan(pod.compared[first])).sum(axis=0) > 1).any()


def same_captures(parts: Sequence[HostSteps]) -> list[list[str]]:
    """Titles of hosts that hold one capture; captures of different ranks are none."""
    seen: dict[tuple[int | None, int | None, bytes, bytes], list[str]] = {}
    for part, title in zip(parts, titles(parts), strict=True):
        steps = part.split.steps
        if len(steps):
            key = (part.start_ns, part.rank, steps.begin_ps.tobytes(), part.split.exposed_ps.tobytes())
            seen.setdefault(key, []).append(title)
    return [names for names in seen.values() if len(names) > 1]
