"""Workers of a run and their straggler → sentences: who holds the others up, why, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...analysis.hosts import COMPARED_BY, Pod, Straggler
from ...analysis.steps import HostSteps, titles
from ...tables import Evidence
from ...timeline import CATEGORIES
from ...units import duration, percent
from ..finding import Finding

#: Steps in which slowest and fastest differ by less of a step are even.
UNEVEN = 0.05
_EXAMPLES = 5
#: Own work of so many times the others' is called that.
_MANIFOLD = 5
#: Captures that several hosts hold, of which each has its sentence.
_SAME = 3
#: By group of what takes a straggler longer: what to do, and the page to look at.
_ADVICE = {
    "compute": (
        (
            "Compare its kernels with another worker's: a device that is hot, shared or of another kind runs them "
            "slower, and a larger part of the batch gives it more of them."
        ),
        "op_stats",
    ),
    "input": ("Look for what its host reads or prepares more slowly: disk, network, other programs.", "input_pipeline"),
    "copy": ("Look at what it copies: more data, or a slower path between host and device.", "op_stats"),
    "python": ("Look for what its program does between steps and the others' do not: logging, saving.", "trace_viewer"),
    "host": ("Look for what else its host runs, and for work that only this worker does.", "op_stats"),
    "idle": ("Look at what its host's threads do while its device idles.", "trace_viewer"),
}


def pod_findings(pod: Pod, all_parts: Sequence[HostSteps], late: Straggler | None, shown: int) -> Iterator[Finding]:
    """The first is the page's answer."""
    yield _answer(pod, all_parts, late)
    if late is not None:
        yield _why(late)
    yield from _about_hosts(pod, all_parts)
    n = len(pod.means)
    if shown < n:
        title = f"The table of steps holds {shown:,} of the run's {n:,} steps; all other figures are of all"
        yield Finding(title, detail="Options `step` and `steps` show others.")


def _answer(pod: Pod, parts: Sequence[HostSteps], late: Straggler | None) -> Finding:
    if not len(pod.means):
        reason = next((p.split.steps.reason for p in parts if p.split.steps.reason), "the run has no hosts")
        return Finding("No step was found by which workers could be compared", "warning", detail=f"{reason}.")
    mean = float(pod.means.wall_ps[pod.means.counted].mean())
    if len(pod.workers) == 1:
        only = pod.workers[0].label
        title = f"There is nothing to compare: the run has one worker, {only}, whose steps take {duration(mean)}"
        others = (pod.parts[0].world or 1) - 1 if len(parts) == 1 else 0
        missing = f"other {others:,} ranks" if others > 1 else "other rank"
        return Finding(
            title, action=f"Put the captures of its program's {missing} into the same folder." if others > 0 else ""
        )
    if not pod.compared.size:
        return Finding(f"None of the {len(pod.workers):,} workers shares a step with another: nothing can be compared")
    return _even(pod, mean) if late is None else held_up(pod, late)


def _even(pod: Pod, mean: float) -> Finding:
    skew = skew_ps(pod)
    share = skew / mean if mean else 0.0
    apart = f"{duration(skew)} ({percent(share)} of a step)"
    if share < UNEVEN:
        title = f"No worker holds the others up: slowest and fastest of {len(pod.workers):,} are {apart} apart"
        return Finding(title, share=share, detail=_by(pod))
    late = _late_ones(pod, UNEVEN / 2 * mean)
    if late:
        names = ", ".join(late[:3]) + (f" and {len(late) - 3:,} more" if len(late) > 3 else "")
        title = f"{len(late):,} of {len(pod.workers):,} workers are slower than the others: {names}; slowest and "
        title += f"fastest are {apart} apart"
        return Finding(title, "warning", min(share, 1), _by(pod), "Look for what these have in common.", "trace_viewer")
    often = np.bincount(pod.slowest + 1, minlength=len(pod.workers) + 1)[1:]
    title = (
        f"A different worker is slowest from step to step: it needs {apart} more than the fastest; "
        f"{pod.workers[int(np.argmax(often))].label} is it most often, in {often.max():,} of {len(pod.slowest):,} steps"
    )
    action = "Give each worker as much work in every step: lengths of sequences, sizes of images, uneven shards."
    return Finding(title, "warning", min(share, 1), _by(pod), action, "trace_viewer")


def _late_ones(pod: Pod, by_ps: float) -> list[str]:
    """Workers whose mean own work exceeds the median by so much; none where they are no minority."""
    some = np.flatnonzero(~np.isnan(pod.compared).all(axis=1))
    mean = np.nanmean(pod.compared[some], axis=1)
    late = some[mean - np.median(mean) >= by_ps].tolist()
    return [pod.workers[i].label for i in late] if 1 < len(late) < len(some) / 2 else []


def held_up(pod: Pod, late: Straggler) -> Finding:
    """Who holds the others up; its share is what that is of a step."""
    mean = float(pod.means.wall_ps[pod.means.counted].mean())
    others = "the other's" if len(pod.workers) == len(late.workers) + 1 else "the others' median"
    who = late.name if len(late.workers) == 1 else f"{late.name}, with all its {len(late.workers)} devices,"
    title = (
        f"{who} is the straggler: own work of {duration(late.work_ps)} a step, {_more(late)} {others}, slowest in "
        f"{late.last:,} of {late.steps:,} steps; "
    )
    if pod.basis == "collectives":
        title += f"the others wait {duration(_wait_ps(pod, late))} a step for it"
    else:
        title += f"slowest and fastest are {duration(skew_ps(pod))} a step apart"
    share = min(late.late_ps / mean, 1) if mean else None
    action, _ = _ADVICE[CATEGORIES[late.category].group]
    return Finding(title, "warning", share, _by(pod), action, "trace_viewer", _worst(pod, late))


def _more(late: Straggler) -> str:
    if late.work_ps >= _MANIFOLD * late.others_ps > 0:
        return f"{late.work_ps / late.others_ps:,.0f} times"
    return f"{percent(late.late_ps / late.others_ps) if late.others_ps else duration(late.late_ps)} more than"


def _why(late: Straggler) -> Finding:
    category = CATEGORIES[late.category]
    action, tool = _ADVICE[category.group]
    title = "Compute" if category.group == "compute" else category.title
    if late.category_ps <= 0:
        return Finding(f"No part of {late.name}'s steps takes longer than the others': they are of another mix", "note")
    part = f", {percent(min(late.category_ps / late.late_ps, 1))} of what it is late by" if late.late_ps > 0 else ""
    return Finding(
        f"{title} makes {late.name} late: {duration(late.category_ps)} a step more than the others' median{part}",
        "note",
        action=action,
        tool=tool,
    )


def _worst(pod: Pod, late: Straggler) -> tuple[Evidence, ...]:
    """The steps in which its own work takes longest, by its own host's clock."""
    one = late.workers[0]
    steps, rows = pod.parts[one.host].split.steps, pod.rows(one)
    work = pod.work_ps[pod.workers.index(one), pod.counted]
    work = work[~np.isnan(work)]
    worst = np.sort(rows[np.argsort(-work, kind="stable")[:_EXAMPLES]])
    return tuple(
        Evidence(one.host_name, int(steps.begin_ps[r]), int(steps.until_ps[r]), int(steps.lane[r])) for r in worst
    )


def _about_hosts(pod: Pod, parts: Sequence[HostSteps]) -> Iterator[Finding]:
    run = pod.means.run
    if run.left_out and run.hosts:
        names = ", ".join(run.left_out_titles[:16])
        reason = next(p.split.steps.reason for p in parts if p.host == run.left_out[0])
        title = f"Without steps, and not compared: {names}"
        yield Finding(title, "note", detail=f"{run.left_out_titles[0]}: {reason}")
    yield from _copies(parts)
    says = run.clocks.says(run.titles)
    if says:
        yield Finding(says[0].upper() + says[1:], detail=_UNCORRECTED + (_BEGINS if "begins" in says else ""))
    elif len(run.hosts) > 1:
        yield Finding(f"How the hosts' clocks differ cannot be told: {run.clocks.reason}")


_UNCORRECTED = "No time shown is corrected for it; durations, by which workers are compared, do not depend on it."
_BEGINS = " A host that begins its steps later than the others looks the same."


def _copies(parts: Sequence[HostSteps]) -> Iterator[Finding]:
    """One capture under several names; captures that tell different ranks are none."""
    seen: dict[tuple[int | None, int | None, bytes, bytes], list[str]] = {}
    for part, title in zip(parts, titles(parts), strict=True):
        steps = part.split.steps
        if len(steps):
            key = (part.start_ns, part.rank, steps.begin_ps.tobytes(), part.split.exposed_ps.tobytes())
            seen.setdefault(key, []).append(title)
    same = [names for names in seen.values() if len(names) > 1]
    for names in same[:_SAME]:
        others = f" and {len(names) - 2:,} more" if len(names) > 2 else ""
        yield Finding(f"{names[0]} and {names[1]}{others} hold the same capture: they cannot differ", "warning")
    if len(same) > _SAME:
        yield Finding(f"The same holds for {sum(map(len, same[_SAME:])):,} more hosts", "warning")


def _by(pod: Pod) -> str:
    return f"Compared by {COMPARED_BY[pod.basis]}."


def skew_ps(pod: Pod) -> float:
    """Slowest less fastest own work, mean over the compared steps."""
    work = pod.compared
    return float((np.nanmax(work, axis=0) - np.nanmin(work, axis=0)).mean())


def _wait_ps(pod: Pod, late: Straggler) -> float:
    """Slowest own work less each other worker's, mean over them and the compared steps."""
    work = pod.compared
    others = [i for i, worker in enumerate(pod.workers) if worker not in late.workers]
    return float(np.nanmean(np.nanmax(work, axis=0) - work[others]))


def lost_ps(pod: Pod) -> float:
    """Slowest own work less each worker's, mean over workers and compared steps."""
    work = pod.compared
    return float(np.nanmean(np.nanmax(work, axis=0) - work))
