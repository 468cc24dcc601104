"""Timelines → the steps of every host and device side by side, and which of them the others wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...advice.finding import Finding, worst_first
from ...advice.rule import findings_of
from ...advice.rules.hosts import (
    LAST_COMER,
    NEGOTIATIONS,
    OF_COLLECTIVES,
    TURNS,
    UNRELATED,
    Exchange,
    clock_difference,
    pod_findings,
)
from ...advice.text.catalogue import Sentence
from ...analysis.collectives.calls import Calls, calls
from ...analysis.collectives.efficiency import (
    Linked,
    linked,
    with_expected,
)
from ...analysis.collectives.matching import MAX_ROWS as COLLECTIVES_MAX
from ...analysis.collectives.matching import (
    MatchedCalls,
    collective_sums,
    match_calls,
    overlapped_ps,
    waited_for,
    waiting_ps,
)
from ...analysis.collectives.negotiations import (
    NO_NEGOTIATIONS,
    Negotiations,
    all_negotiations,
    negotiation_sums,
    negotiations,
)
from ...analysis.hosts.workers import (
    Cluster,
    Pod,
    PodFacts,
    Straggler,
    Turns,
    Worker,
    are_copies,
    clusters,
    lag_ps,
    lost_ps,
    mean_over_steps,
    of_worker,
    pod,
    skew_ps,
    step_ps,
    straggler,
    times_slowest,
    turns,
)
from ...analysis.idle import WHOLE, Idle, idle_causes
from ...analysis.steps.means import STEPS_FROM, HostSteps, apart, host_steps, of_one_program
from ...messages import Message
from ...tables import F64, I64, Cells, Options, Scalar, tabulate
from ...timeline.split.split import Split
from ...timeline.timeline import CATEGORIES, Timeline, cached
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from ..shared.provenance import step_provenance
from ..step_times import time_facts
from .columns import (
    CLUSTERS,
    COLLECTIVES,
    FIRST_STEP,
    IDLE,
    MAX_IDLE,
    MAX_ROWS,
    ROWS,
    STEP_LIMIT,
    STEPS,
    SUMMARY,
    WORKERS,
    ClusterRow,
    IdleRow,
)

_COMPUTES = np.array([i for i, category in enumerate(CATEGORIES) if category.group == "compute"])
_TITLES = [Sentence(f"category.{c.key}") for c in CATEGORIES]


class PodHost(HostSteps, frozen=True):
    """One host's steps, its calls of collectives, a Horovod timeline's negotiations, why its GPUs are idle, whether
    its devices compute at once, and what links these have.
    """

    calls: Calls = msgspec.field(default_factory=Calls)
    idle: tuple[Idle, ...] = ()
    negotiations: Negotiations = NO_NEGOTIATIONS
    turns: Turns | None = None
    links: tuple[Linked, ...] = ()


class _Collectives(NamedTuple):
    """All hosts' calls; overlapped_ps, waiting_ps: of shape (workers, steps of the run that are split)."""

    all: MatchedCalls
    overlapped_ps: F64
    waiting_ps: F64


def per_host(timeline: Timeline, options: Options) -> PodHost:
    steps = host_steps(timeline, options)
    return PodHost(
        **structs.asdict(steps),
        calls=cached(timeline, calls),
        idle=cached(timeline, idle_causes),
        negotiations=cached(timeline, negotiations),
        turns=turns(timeline, steps.split),
        links=linked(timeline, steps.split),
    )


def combine(hosts: Sequence[HostSteps], options: Options) -> Result:
    partials = [part for part, is_mine in zip(hosts, of_one_program(hosts), strict=True) if is_mine]
    run = pod(partials)
    late, alike = straggler(run), clusters(run)
    first, end = _window(run, options)
    exchanged = _collectives(run)
    negotiated = all_negotiations([part.negotiations for part in partials if isinstance(part, PodHost)])
    of_calls = with_expected(collective_sums(exchanged.all), exchanged.all, _links(run))
    sums = [*of_calls, *negotiation_sums(negotiated, COLLECTIVES_MAX)]
    tables = {
        "workers": _workers(run, exchanged, alike),
        "clusters": _clusters(run, alike),
        "steps": _steps(run, first, end, exchanged),
        "collectives": tabulate(COLLECTIVES.columns, sums[:COLLECTIVES_MAX]),
        "idle": _idle(run),
    }
    known = _about_run(run) | _about_skew(run, late) | _about_clocks(run)
    known |= {"shown_count": end - first, "shown_first": first if end > first else None}
    summary = {c.name: known.get(c.name) for c in SUMMARY}
    unknown = {name: _why_unknown(name, run, partials) for name, value in summary.items() if value is None}
    last = tuple(LAST_COMER.findings(run, waited_for(exchanged.all), late)) if run.compared.size else ()
    findings = (*last, *_findings(PodFacts(run, partials, late, end - first, alike)))
    findings = (*findings[:1], *UNRELATED.findings(apart(hosts)), *findings[1:])
    return Result(summary, tables, unknown, worst_first(_with_collectives(findings, run, exchanged.all)))


def _with_collectives(findings: tuple[Finding, ...], found: Pod, all_: MatchedCalls) -> tuple[Finding, ...]:
    """After the answer to which worker the others wait for, unless that is that they wait for none."""
    parts = [part for part in found.parts if isinstance(part, PodHost)]
    of_turns = [finding for part in parts for finding in TURNS.findings(part, part.turns)]
    more = sorted(of_turns, key=_share, reverse=True)[:1]
    more += findings_of(OF_COLLECTIVES, Exchange(found, all_, _links(found)))
    lead = sum(finding.severity == "warning" for finding in findings[:1])
    return (*findings[:lead], *sorted(more, key=_share, reverse=True), *findings[lead:])


def _links(found: Pod) -> dict[int, Linked]:
    """What carries each worker's data."""
    links = [part.links if isinstance(part, PodHost) else () for part in (*found.parts, *found.others)]
    return {i: links[w.host][w.unit] for i, w in enumerate(found.everyone) if w.unit < len(links[w.host])}


def _share(finding: Finding) -> float:
    return finding.share or 0.0


def _findings(facts: PodFacts) -> tuple[Finding, ...]:
    """Those of a Horovod timeline come first where no steps are compared."""
    hosts = [part for part in facts.parts if isinstance(part, PodHost) and len(part.negotiations.what)]
    of_steps = tuple(pod_findings(facts))
    of_ranks = tuple(NEGOTIATIONS.findings([part.negotiations for part in hosts], [part.host for part in hosts]))
    return (*of_steps, *of_ranks) if len(facts.pod.means) else (*of_ranks, *of_steps)


def _collectives(found: Pod) -> _Collectives:
    hosts = (*found.parts, *found.others)
    parts = [part.calls if isinstance(part, PodHost) else Calls() for part in hosts]
    all_ = match_calls(found, parts)
    return _Collectives(all_, overlapped_ps(found), waiting_ps(found, parts, all_))


def _idle(found: Pod) -> dict[str, Cells]:
    parts = (*found.parts, *found.others)
    workers = [[worker for worker in found.everyone if worker.host == i] for i in range(len(parts))]
    idle = [part.idle if isinstance(part, PodHost) else () for part in parts]
    rows = [IdleRow(host[one.unit], one) for host, gaps in zip(workers, idle, strict=True) for one in gaps]
    # GPUs come before streams.
    return tabulate(IDLE.columns, sorted(rows, key=lambda row: row.idle.stream not in ("", WHOLE))[:MAX_IDLE])


def _about_run(found: Pod) -> dict[str, Scalar]:
    means = found.means
    return {
        "hosts_with_steps": len(found.parts),
        "device_worker_count": sum(bool(w.device) for w in found.workers),
        "worker_count": len(found.workers),
        "step_count": len(means) or None,
        "common_step_count": int(means.run.common.sum()),
        "aligned": _sentence(means.run.aligned) if means.run.aligned else None,
        **step_provenance(found.parts),
        **time_facts(means),
    }


def _about_skew(found: Pod, late: Straggler | None) -> dict[str, Scalar]:
    if not found.compared.size or are_copies(found):
        return {}
    skew, mean = skew_ps(found), step_ps(found)
    facts: dict[str, Scalar] = {
        "skew_ms": skew / PS_PER_MS,
        "skew_share": skew / mean if mean else None,
        "lost_ms": lost_ps(found) / PS_PER_MS,
        "compared_by": Sentence(f"compared_by.{found.basis}"),
    }
    if late is not None:
        facts |= {"straggler": late.name, "straggler_share": late.last / late.steps}
    return facts


def _about_clocks(found: Pod) -> dict[str, Scalar]:
    """Of the host whose clock is farthest from the first one's."""
    clocks = found.means.run.clocks
    i, difference = clocks.farthest, clock_difference(clocks, found.means.run.titles)
    if i is None or difference is None:
        return {}
    offset, error = clocks.offset_ps[i], clocks.error_ps[i]
    return {
        "clock_offset_ms": None if offset is None else offset / PS_PER_MS,
        "clock_error_ms": None if error is None else error / PS_PER_MS,
        "clocks": _sentence(difference),
    }


def _sentence(message: Message) -> Sentence:
    return Sentence(message.code, message.params)


def _why_unknown(name: str, found: Pod, parts: Sequence[HostSteps]) -> str:
    if not len(found.means):
        none = next((p.split.steps.reason for p in parts if p.split.steps.reason), None)
        return Sentence.of(none) if none else "no step was found"
    if name in ("step_time_ms", "step_time_typical_ms"):
        return "no step is whole: the capture lacks a begin or an end, or where the next step begins"
    if name.startswith("clock"):
        if len(found.parts) == 1:
            return "the steps are of one host"
        reason = found.means.run.clocks.reason
        return _sentence(reason) if reason else "it was estimated from one instant"
    if name == "shown_first":
        return "no step is shown"
    if len(found.workers) == 1:
        return "the run has one worker: there is nothing to compare"
    if not found.compared.size:
        return "no two workers share a step"
    if are_copies(found):
        return "no step is of two workers whose captures differ"
    return "the steps take no time" if name == "skew_share" else "no worker stands out from step to step"


def _clusters(found: Pod, alike: tuple[Cluster, ...]) -> dict[str, Cells]:
    if not alike:
        return tabulate(CLUSTERS.columns, ())
    mean_ps = np.array([found.split_ps(worker).sum() for worker in found.workers])
    work_ps, late_ps = mean_over_steps(found.work_ps[:, found.counted]), lag_ps(found)
    labels = [worker.label for worker in found.workers]
    rows = [ClusterRow(i, one, mean_ps, work_ps, late_ps, labels) for i, one in enumerate(alike, 1)]
    return tabulate(CLUSTERS.columns, rows)


def _workers(found: Pod, exchanged: _Collectives, alike: tuple[Cluster, ...]) -> dict[str, Cells]:
    workers = found.workers[:MAX_ROWS]
    split = np.array([found.split_ps(w) for w in workers]).reshape(len(workers), len(CATEGORIES))
    work, n = mean_over_steps(found.work_ps[:, found.counted]), len(workers)
    clock = [found.means.run.clocks.offset_ps[w.host] for w in workers]
    return {
        "worker": [w.label for w in workers],
        "host": [w.host_name for w in workers],
        "device": [w.device for w in workers],
        "steps": [_steps_of(found.parts[w.host].split, w) for w in workers],
        "mean_ms": _cells(split.sum(axis=1)),
        "max_ms": _cells(np.array([_longest(found, w) for w in workers])),
        "work_ms": _cells(work[:n]),
        "lag_ms": _cells(lag_ps(found)[:n]),
        "times_slowest": times_slowest(found)[:n],
        "clock_offset_ms": [None if ps is None else ps / PS_PER_MS for ps in clock],
        "bottleneck": _bottlenecks(split),
        **{f"{c.key}_ms": split[:, i] / PS_PER_MS for i, c in enumerate(CATEGORIES)},
        "overlapped_collective_ms": _cells(mean_over_steps(exchanged.overlapped_ps[:, found.counted])[:n]),
        "peer_wait_ms": _cells(mean_over_steps(exchanged.waiting_ps[:, found.counted])[:n]),
        "rank": [w.rank for w in workers],
        "cluster": [place or None for place in of_worker(alike, len(found.workers))[:n].tolist()],
    }


def _steps_of(split: Split, worker: Worker) -> int:
    """How many steps a worker has; those beyond what is split are of all of a host's."""
    return int(split.ran[worker.unit].sum()) + split.left_out


def _longest(found: Pod, worker: Worker) -> float:
    """The largest wall time of a worker's steps that count."""
    return float(found.parts[worker.host].split.steps.wall_ps[found.rows(worker)].max(initial=0))


def _bottlenecks(ps: F64 | I64) -> list[Sentence]:
    """Of each row of times by category what takes most; computing is one part, named by its largest precision."""
    parts = ps.astype(np.float64)
    largest = _COMPUTES[parts[:, _COMPUTES].argmax(axis=1)]
    rows, whole = np.arange(len(parts)), parts[:, _COMPUTES].sum(axis=1)
    parts[rows, largest] = whole
    return [_TITLES[i] for i in parts.argmax(axis=1).tolist()]


def _cells(values_ps: F64) -> list[Scalar]:
    return [None if np.isnan(v) else v / PS_PER_MS for v in values_ps.tolist()]


def _window(found: Pod, options: Options) -> tuple[int, int]:
    """Places in the run of the steps to show, the first and one past the last."""
    n, number = len(found.work_ps.T), found.means.run.number
    most = ROWS if options["step_count"] is None else MAX_ROWS
    fit = max(most // max(len(found.workers), 1), 1)
    count = min(fit, int(options["step_count"] or fit))
    first = 0
    if options["step"] is not None:
        at = np.flatnonzero(number[:n] >= min(int(options["step"]), np.iinfo(np.int64).max))
        first = int(at[0]) if len(at) else n
    return first, min(first + count, n)


def _steps(found: Pod, first: int, end: int, exchanged: _Collectives) -> dict[str, Cells]:
    """By step, then worker."""
    run, workers = found.means.run, found.workers[:MAX_ROWS]
    shape = (end - first, len(workers))
    rows = run.row[[w.host for w in workers], first:end].T.reshape(-1) if workers else np.empty(0, np.int64)
    step, worker = (index.reshape(-1)[rows >= 0] for index in np.indices(shape))
    rows = rows[rows >= 0]
    ran = [found.parts[w.host].split.ran[w.unit] for w in workers]
    here = np.array([ran[i][row] for i, row in zip(worker.tolist(), rows.tolist(), strict=True)], bool)
    step, worker, rows = step[here], worker[here], rows[here]
    begin, wall, exposed = _of_steps(found, worker, rows)
    offset = np.array([found.means.run.offset_ps[w.host] for w in workers], np.int64)[worker]
    cut = found.means.why_cut(first, end)
    work = found.work_ps[worker, first + step]
    return {
        "step": run.number[first + step],
        "name": [run.name[first + i] for i in step.tolist()],
        "worker": [workers[i].label for i in worker.tolist()],
        "host": [workers[i].host_name for i in worker.tolist()],
        "device": [workers[i].device for i in worker.tolist()],
        "start_ms": (begin + offset) / PS_PER_MS,
        "host_start_ms": begin / PS_PER_MS,
        "duration_ms": wall / PS_PER_MS,
        "cut": [cut[i] for i in step.tolist()],
        "work_ms": work / PS_PER_MS,
        "bottleneck": _bottlenecks(exposed),
        **{f"{c.key}_ms": exposed[:, i] / PS_PER_MS for i, c in enumerate(CATEGORIES)},
        "overlapped_collective_ms": _cells(exchanged.overlapped_ps[worker, first + step]),
        "peer_wait_ms": _cells(exchanged.waiting_ps[worker, first + step]),
        "rank": [workers[i].rank for i in worker.tolist()],
    }


def _of_steps(found: Pod, worker: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[I64, F64, F64]:
    """Begin on the host's own clock, wall time and split of some steps; rows are those of their hosts."""
    begin, wall = np.zeros(len(rows), np.int64), np.zeros(len(rows))
    exposed = np.zeros((len(rows), len(CATEGORIES)))
    order = np.argsort(worker, kind="stable")
    bounds = np.searchsorted(worker[order], np.arange(len(found.workers) + 1))
    for i in np.unique(worker).tolist():
        here = order[bounds[i] : bounds[i + 1]]
        host, unit = found.workers[i].host, found.workers[i].unit
        split = found.parts[host].split
        begin[here] = split.steps.begin_ps[rows[here]]
        wall[here] = split.steps.wall_ps[rows[here]]
        exposed[here] = split.exposed_ps[unit, rows[here]]
    return begin, wall, exposed


_SEGMENTS = tuple(f"{c.key}_ms" for c in CATEGORIES)

POD_VIEWER = Tool(
    name="pod_viewer",
    title="Pod viewer",
    question="Which worker or device do the others wait for?",
    help="The steps of every host and device side by side, how far they differ, and the straggler.",
    summary=SUMMARY,
    tables=(WORKERS, CLUSTERS, STEPS, COLLECTIVES, IDLE),
    views=(
        View("page"),
        View("facts"),
        View("stack", table="workers", label="worker", values=_SEGMENTS),
        View("stack", table="steps", label="worker", values=_SEGMENTS),
        View("table", table="clusters"),
        View("table", table="workers"),
        View("table", table="collectives"),
        View("table", table="idle"),
    ),
    per_host=per_host,
    combine=combine,
    options=(STEPS_FROM, FIRST_STEP, STEP_LIMIT),
    aliases=("pod", "podviewer"),
)
