"""Work of a run's workers → which of them the others wait for, and by what it is slower."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...tables import F64
from ...threshold import CHOSEN, Threshold
from ...timeline import CATEGORIES, INDEX
from .workers import WAITS, Pod, Worker, slowest

LATE = Threshold(
    "straggler's lag",
    0.02,
    "share",
    "a straggler's work is longer than the others' by this part of a step; less is noise",
    CHOSEN,
)
LAST = Threshold(
    "slowest steps of a straggler", 0.5, "share", "a straggler is the slowest in so many of the steps", CHOSEN
)
LAST_OF_TWO = Threshold(
    "slowest steps of one of two",
    0.75,
    "share",
    "of two workers each is the slowest in half of the steps by chance",
    CHOSEN,
)
_COMPUTE = tuple(i for i, c in enumerate(CATEGORIES) if c.group == "compute")


@dataclasses.dataclass(frozen=True)
class Straggler:
    """The one that the others wait for; times in ps, means over the steps that it is compared in.

    name: of the worker, or of the host if all its devices are late. workers: they. work_ps: what counts as work.
    others_ps: the median of the others'. last, steps: in how many steps it is the slowest, of how many. category:
    index of the one in which it spends most more than the others, category_ps: how much more.
    """

    name: str
    workers: tuple[Worker, ...]
    work_ps: float
    others_ps: float
    last: int
    steps: int
    category: int
    category_ps: float

    @property
    def late_ps(self) -> float:
        return self.work_ps - self.others_ps


@dataclasses.dataclass(frozen=True)
class _Late:
    """Which row of a table of work is late, and by how much."""

    row: int
    work_ps: float
    others_ps: float
    last: int
    steps: int


def straggler(pod: Pod) -> Straggler | None:
    """The straggling host, and of it the device where only one is late; of a single host its devices."""
    work = pod.compared
    if not work.size:
        return None
    of_host: list[list[int]] = [[] for _ in pod.parts]
    for i, worker in enumerate(pod.workers):
        of_host[worker.host].append(i)
    late, among = None, of_host[0]
    step_ps = float(pod.means.wall_ps[pod.means.counted].mean())
    if len(of_host) > 1:
        late = _late(np.stack([_last_of(work[rows]) for rows in of_host]), step_ps)
        if late is None:
            return None
        among = of_host[late.row]
    one = _late(work[among], step_ps) if len(among) > 1 else None
    if one is not None:
        late = _late_of_all(work, among[one.row])
        among = [among[one.row]]
    return None if late is None else _named(pod, among, late)


def _last_of(work: F64) -> F64:
    """Work of a host's slowest device; NaN where it lacks the step."""
    latest: F64 = np.where(np.isnan(work).all(axis=0), np.nan, np.nanmax(np.nan_to_num(work, nan=-1.0), axis=0))
    return latest


def _late(work: F64, step_ps: float) -> _Late | None:
    """The row of (rows, steps) that stands out as late, of steps that take so long."""
    steps = np.flatnonzero((~np.isnan(work)).sum(axis=0) > 1)
    if not len(steps):
        return None
    work = work[:, steps]
    last = np.bincount(slowest(work) + 1, minlength=len(work) + 1)[1:]
    if not last.any():
        return None
    one = _compared(work, int(np.argmax(last)), int(last.max()))
    enough = (LAST_OF_TWO if len(work) == 2 else LAST).value
    late = one.last >= enough * one.steps and one.work_ps - one.others_ps >= LATE.value * step_ps
    return one if late else None


def _late_of_all(work: F64, row: int) -> _Late:
    """How late one worker is compared with all others."""
    return _compared(work, row, int((slowest(work) == row).sum()))


def _compared(work: F64, row: int, last: int) -> _Late:
    has = ~np.isnan(work[row])
    others = np.delete(work[:, has], row, axis=0)
    compared = ~np.isnan(others).all(axis=0)
    middle = np.nanmedian(others[:, compared], axis=0) if compared.any() else np.zeros(0)
    work_ps = work[row, has][compared]
    return _Late(row, float(work_ps.mean()), float(middle.mean()), last, int(compared.sum()))


def _named(pod: Pod, among: Sequence[int], late: _Late) -> Straggler:
    workers = tuple(pod.workers[i] for i in among)
    name = workers[0].label if len(workers) == 1 else workers[0].title
    category, more = _category(pod, workers)
    return Straggler(name, workers, late.work_ps, late.others_ps, late.last, late.steps, category, more)


def _category(pod: Pod, workers: Sequence[Worker]) -> tuple[int, float]:
    """The category in which the workers spend most more than the median of the others; compute counts as one."""
    theirs = np.mean([_joined(pod.split_ps(w)) for w in workers], axis=0)
    rest = [_joined(pod.split_ps(w)) for w in pod.workers if w not in workers]
    more = theirs - np.median(rest, axis=0)
    more[np.array([INDEX[key] for key in WAITS[pod.basis]], np.int64)] = -np.inf
    best = int(np.argmax(more))
    return best, float(more[best])


def _joined(split_ps: F64) -> F64:
    """Compute of all precisions in the first compute category."""
    joined = split_ps.copy()
    joined[list(_COMPUTE)] = 0
    joined[_COMPUTE[0]] = split_ps[list(_COMPUTE)].sum()
    return joined
