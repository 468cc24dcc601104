"""All hosts' calls of collectives → those that are one collective, the worker that came last to it, and their sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, alike, interned, intervals
from ...threshold import Threshold
from ...timeline.timeline import INDEX
from ..hosts.workers import Pod
from .calls import ALL_END_AT_ONCE, Calls, What, bus_factor

# What calls of one kind and process group, or negotiations of one tensor, add up to.


class Arrival(msgspec.Struct, frozen=True):
    """When workers, or ranks, came to the same collectives. count: of these. wait_ps: of all before the last one came,
    None where ranks are not named. last: the one that comes last to most, None for none; share: of those that it takes
    part in; late_ps: how much later than the others' median, mean.
    """

    count: int
    skew_ps: float
    max_skew_ps: int
    wait_ps: float | None
    last: str | None = None
    share: float | None = None
    late_ps: float | None = None


class CollectiveSums(msgspec.Struct, frozen=True):
    """total_ps, mean_ps: time of the calls. expected_ps: what their bytes take at the speed of their devices' links,
    None where these are not known. overlapped_share: part in which devices compute. unavailable: why what is
    None is None, as codes.
    """

    kind: str
    tensor: str | None = None
    group: str | None = None
    ranks: str | None = None
    group_size: int | None = None
    workers: int | None = None
    count: int = 0
    bytes: int | None = None
    mean_ps: float | None = None
    total_ps: float | None = None
    expected_ps: float | None = None
    algorithm_gb_s: float | None = None
    bus_gb_s: float | None = None
    overlapped_share: float | None = None
    arrival: Arrival | None = None
    unavailable: tuple[str, ...] = ()


# Hosts' calls of collectives → those that are one collective, the worker that came last to it, and their sums.

#: Rows at most; of programs whose groups are named anew each time.
MAX_ROWS = 5_000
_COLLECTIVE = INDEX["collective"]
LAST = Threshold(
    "late worker",
    0.5,
    "share",
    "a worker is named as the late one if it came last to so many of a row's collectives, a rank to so many tensors",
)
LATE = Threshold(
    "late worker's lag", 0.02, "share", "a late worker comes later than the others by more than this part of their time"
)


class MatchedCalls(NamedTuple):
    """All hosts' calls in one list, by host. worker: place in `Pod.everyone`. begin_ps, span_ps: from when a call took
    part, to its end, which `duration_ps` of its event may be less than. between_ps: as of `Calls`. step: place in the
    run of the step that it begins in, -1 outside of all. one: number of the collective that a call is
    part of, -1 where that is unknown. shortest_ps: least span of all parts of it, its own where there are no others.
    """

    whats: tuple[What, ...]
    what: I64
    worker: I64
    begin_ps: I64
    duration_ps: I64
    span_ps: I64
    bytes: I64
    float32: NDArray[np.bool_]
    overlapped_ps: I64
    between_ps: I64
    party: I64
    step: I64
    one: I64
    shortest_ps: I64
    labels: tuple[str, ...]
    first: tuple[int, ...]

    @property
    def waiting_ps(self) -> I64:
        """How long each call waited for the last to come; 0 where that is unknown."""
        return self.span_ps - self.shortest_ps


def match_calls(pod: Pod, calls: Sequence[Calls]) -> MatchedCalls:
    """calls: of each of the pod's hosts, those without steps last."""
    whats: dict[What, int] = {}
    first = np.cumsum([0, *(len(part.split.units) for part in (*pod.parts, *pod.others))]).tolist()
    columns: list[list[I64]] = [[np.empty(0, np.int64)] for _ in range(10)]
    float32 = np.concatenate([np.empty(0, np.bool_), *(one.float32 for one in calls)])
    for host, one in enumerate(calls):
        place = interned(one.whats, whats)
        step = _steps_of(pod, host, one)
        which = place[one.what] if len(one) else one.what, one.unit + first[host]
        times = one.begin_ps - one.lead_ps, one.duration_ps, one.duration_ps + one.lead_ps
        for column, values in zip(
            columns, (*which, *times, one.bytes, one.overlapped_ps, one.between_ps, one.party, step), strict=True
        ):
            column.append(values)
    what, worker, begin, duration, span, size, overlapped, between, party, step = map(np.concatenate, columns)
    labels = tuple(worker.label for worker in pod.everyone)
    alone = np.full(len(step), -1), span
    matched = MatchedCalls(
        tuple(whats),
        what,
        worker,
        begin,
        duration,
        span,
        size,
        float32,
        overlapped,
        between,
        party,
        step,
        *alone,
        labels,
        tuple(first),
    )
    one_of = _matched(matched, step, np.array([worker.host for worker in pod.everyone], np.int64))
    if not (one_of >= 0).any():
        return matched
    least = np.full(int(one_of.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, one_of[one_of >= 0], matched.span_ps[one_of >= 0])
    return matched._replace(one=one_of, shortest_ps=np.where(one_of >= 0, least[one_of], matched.span_ps))


def _steps_of(pod: Pod, host: int, calls: Calls) -> I64:
    """Place in the run of the step that each call begins in, -1 outside of all."""
    if host >= len(pod.parts):
        return np.full(len(calls), -1)
    rows = pod.means.run.row[host]
    steps = pod.parts[host].split.steps
    place = np.full(len(steps) + 1, -1, np.int64)
    place[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    at = np.searchsorted(steps.begin_ps, calls.begin_ps, side="right") - 1
    inside = (at >= 0) & (calls.begin_ps < steps.until_ps[at]) if len(steps) else np.zeros(len(at), bool)
    return np.where(inside, place[at], -1)


def _matched(matched: MatchedCalls, step: I64, host: I64) -> I64:
    """Number of the collective that each call is part of: the n-th call of all workers of one group, of the whole
    capture where all have as many, else of a step in which they do; of those that carry as much, where these are as
    many, since a library may begin two at once. host: of each worker.
    """
    one = np.full(len(matched.what), -1, np.int64)
    count, worker = 0, matched.worker
    for calls in alike(matched.what):
        what = matched.whats[matched.what[calls[0]]]
        if what.kind not in ALL_END_AT_ONCE:
            continue
        for rows in _of_groups(matched, what, calls):
            workers = len(np.unique(worker[rows]))
            if workers < 2 or 0 < what.group.size < workers:
                continue
            for part in (rows,) if _equal(worker[rows], workers) else _by_step(rows, step):
                if not _equal(worker[part], workers):
                    continue
                sizes = _parted(part, matched.bytes)
                for some in sizes if all(_equal(worker[some], workers) for some in sizes) else (part,):
                    # By worker, in each by time.
                    each = len(some) // workers
                    of = np.tile(np.arange(each), workers)
                    if matched.party[some[0]] < 0 or _overlap(matched, some, of, host):
                        one[some] = count + of
                        count += each
    return one


def _of_groups(calls: MatchedCalls, what: What, rows: I64) -> list[I64]:
    """The calls of a row, by replica group where its devices are in several; none where that is unknown."""
    if not 0 < what.group.size < len(np.unique(calls.worker[rows])):
        return [rows]
    return _parted(rows, calls.party) if (calls.party[rows] >= 0).all() else []


def _overlap(calls: MatchedCalls, rows: I64, of: I64, host: I64) -> bool:
    """Whether calls that ids say belong together ran at one time, as far as they are on one clock. of: by row."""
    if len(np.unique(host[calls.worker[rows]])) > 1:
        return True
    begin, end = np.full(of.max() + 1, np.iinfo(np.int64).min), np.full(of.max() + 1, np.iinfo(np.int64).max)
    np.maximum.at(begin, of, calls.begin_ps[rows])
    np.minimum.at(end, of, calls.begin_ps[rows] + calls.span_ps[rows])
    return bool((begin <= end).all())


def _equal(worker: I64, workers: int) -> bool:
    """Whether so many workers have equally many."""
    each = np.unique(worker, return_counts=True)[1]
    return len(each) == workers and bool((each == each[0]).all())


def _by_step(rows: I64, step: I64) -> list[I64]:
    return _parted(rows[step[rows] >= 0], step)


def _parted(rows: I64, by: I64) -> list[I64]:
    """The rows of each value."""
    return [rows[places] for places in alike(by[rows])]


def collective_sums(matched: MatchedCalls) -> list[CollectiveSums]:
    """By kind and process group, what takes longest first."""
    total = np.bincount(matched.what, matched.duration_ps, len(matched.whats))
    order = np.argsort(-total, kind="stable")[:MAX_ROWS].tolist()
    calls = {int(matched.what[rows[0]]): rows for rows in alike(matched.what)}
    return [_sums(matched, i, calls[i]) for i in order if i in calls]


def _sums(calls: MatchedCalls, i: int, rows: I64) -> CollectiveSums:
    kind, group = calls.whats[i]
    total = float(calls.duration_ps[rows].sum())
    known = rows[calls.bytes[rows] >= 0]
    transfer = float(calls.shortest_ps[known].sum())
    speed = float(calls.bytes[known].astype(np.float64).sum()) / transfer * 1e3 if len(known) and transfer else None
    factor = bus_factor(kind, group.size)
    return CollectiveSums(
        kind,
        group=group.name or None,
        ranks=group.ranks or None,
        group_size=group.size or None,
        workers=len(np.unique(calls.worker[rows])),
        count=len(rows),
        bytes=int(min(calls.bytes[known].astype(np.float64).sum(), 2.0**62)) if len(known) else None,
        mean_ps=total / len(rows),
        total_ps=total,
        algorithm_gb_s=speed,
        bus_gb_s=speed * factor if speed is not None and factor is not None else None,
        overlapped_share=float(calls.overlapped_ps[rows].sum()) / total if total else None,
        arrival=_arrival(calls, rows),
        unavailable=tuple(_unavailable(calls, i, rows, len(known))),
    )


def _arrival(calls: MatchedCalls, rows: I64) -> Arrival | None:
    """Skew of arrival, and the last to arrive: all end at once, so the shortest call came last."""
    matched = rows[calls.one[rows] >= 0]
    if not len(matched):
        return None
    ones, which = np.unique(calls.one[matched], return_inverse=True)
    workers, column = np.unique(calls.worker[matched], return_inverse=True)
    took = np.full((len(ones), len(workers)), np.nan)
    took[which.reshape(-1), column.reshape(-1)] = calls.span_ps[matched]
    least = np.nanmin(took, axis=1)
    skew = np.nanmax(took, axis=1) - least
    last = np.where((took == least[:, None]).sum(axis=1) == 1, np.nanargmin(took, axis=1), -1)
    often = np.bincount(last + 1, minlength=len(workers) + 1)[1:]
    by_ps = np.bincount(last + 1, skew, minlength=len(workers) + 1)[1:]
    late = int(np.lexsort((by_ps, often))[-1])
    there = took[~np.isnan(took[:, late])]
    share = float(often[late] / len(there))
    by = float((np.nanmedian(np.delete(there, late, axis=1), axis=1) - there[:, late]).mean())
    sums = (len(ones), float(skew.mean()), int(skew.max()), float(calls.waiting_ps[matched].sum()))
    if share < LAST.value or by <= LATE.value * np.nanmean(took):
        return Arrival(*sums)
    return Arrival(*sums, calls.labels[int(workers[late])], share, by)


def _unavailable(calls: MatchedCalls, i: int, rows: I64, known: int) -> list[str]:
    """Why what is None is None."""
    kind, group = calls.whats[i]
    codes = ["unknown_kind"] if kind == "other" else []
    codes += [] if group.size else ["no_group"]
    codes += [] if known else ["barrier" if kind == "barrier" else "no_bytes"]
    if (calls.one[rows] >= 0).any():
        return codes
    workers = len(np.unique(calls.worker[rows]))
    if workers < 2:
        return [*codes, "one_worker"]
    if kind not in ALL_END_AT_ONCE:
        return codes if kind == "other" else [*codes, "not_at_once"]
    if not 0 < group.size < workers:
        return [*codes, "unequal"]
    if not (calls.party[rows] >= 0).all():
        return [*codes, "several_groups"]
    return [*codes, "apart" if len(np.unique(calls.party[rows])) == workers else "unequal"]


def overlapped_ps(pod: Pod) -> F64:
    """(workers, steps of the run that are split): time of collectives while the device computes; NaN for no step."""
    return _by_worker(pod, lambda host, unit: _overlapped(pod, host, unit))


def _overlapped(pod: Pod, host: int, unit: int) -> I64:
    split = pod.parts[host].split
    overlapped: I64 = split.union_ps[unit, :, _COLLECTIVE] - split.exposed_ps[unit, :, _COLLECTIVE]
    return overlapped


def waiting_ps(pod: Pod, calls: Sequence[Calls], matched: MatchedCalls) -> F64:
    """(workers, steps of the run that are split): part of the exposed collectives before the last worker came; NaN
    where the arrival at none of the worker's collectives can be compared.
    """
    return _by_worker(pod, lambda host, unit: _waiting(pod, calls[host], matched, host, unit))


def _waiting(pod: Pod, calls: Calls, all_: MatchedCalls, host: int, unit: int) -> I64 | None:
    matched = np.flatnonzero((all_.worker == all_.first[host] + unit) & (all_.one >= 0))
    if not len(matched):
        return None
    begin = all_.begin_ps[matched]
    waits = intervals.intersection(intervals.union(begin, begin + all_.waiting_ps[matched]), calls.exposed[unit])
    split = pod.parts[host].split
    exposed = split.exposed_ps[unit, :, INDEX["collective"]]
    covered = intervals.coverage(waits, split.steps.begin_ps[: len(exposed)], split.steps.until_ps[: len(exposed)])
    return np.minimum(covered, exposed)


def _by_worker(pod: Pod, of: Callable[[int, int], I64 | None]) -> F64:
    steps = pod.work_ps.shape[1]
    values = np.full((len(pod.workers), steps), np.nan)
    for i, worker in enumerate(pod.workers):
        row = pod.means.run.row[worker.host, :steps]
        here, by_step = row >= 0, of(worker.host, worker.unit)
        if by_step is not None:
            values[i, here] = by_step[row[here]]
    return values


# All hosts' calls of collectives → for which worker the others wait most, counted from the last to arrive at each.


class WaitedFor(NamedTuple):
    """worker: place in `Pod.everyone`. last: of so many collectives it came last to. wait_ps: of all others for it."""

    worker: int
    last: int
    collectives: int
    wait_ps: int


def waited_for(calls: MatchedCalls) -> WaitedFor | None:
    """None where no collective is known to be of two workers."""
    known = np.flatnonzero(calls.one >= 0)
    one, waiting = calls.one[known], calls.waiting_ps[known]
    order = np.lexsort((waiting, one))
    known, one, waiting = known[order], one[order], waiting[order]
    begins = np.flatnonzero(np.diff(one, prepend=-1))
    sizes = np.diff(np.append(begins, len(one)))
    begins = begins[sizes > 1]
    if not len(begins):
        return None
    # The one that waits least came last.
    total = np.zeros(int(one.max()) + 1, np.int64)
    np.add.at(total, one, waiting)
    last, waits = calls.worker[known[begins]], total[one[begins]]
    by_worker = np.bincount(last, weights=waits)
    most = int(by_worker.argmax())
    return WaitedFor(most, int((last == most).sum()), len(begins), int(by_worker[most]))
