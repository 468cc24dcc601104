"""A timeline → how long the critical path holds each of its events in typical steps; ops → the same of ops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, Intervals, among, at_once, distinct, intervals, occurring
from ...timeline.assignment import steps_of
from ...timeline.devices import device_spans_of, units_at_work_of
from ...timeline.loops.loops import coverage
from ...timeline.ops.ops import Ops
from ...timeline.steps.model import Steps
from ...timeline.timeline import CATEGORIES, Timeline, derived, derived_by_choice
from ..ops.rows import Key, OpRow, PathTime
from ..steps.contents import Inside
from ..steps.means import are_typical
from .costs import MOST_OF_PARENT
from .path import Kind, Laid, Path, Side, laid_out, op_rows, sample, walked
from .replay import NO_SLACK, EventTimes, places, replay_of

#: What devices do in steps.
_ON_DEVICE = [
    i for i, one in enumerate(CATEGORIES) if one.key.startswith(("compute_", "copy_")) or one.key == "collective"
]


class Typical(NamedTuple):
    """What ran in steps, laid out, and the path through it. steps: which are typical. windows: of those of them that
    the path leads through. only: begin and end of these where it leaves out others, else None."""

    laid: Laid
    path: Path
    steps: NDArray[np.bool_]
    windows: Intervals
    only: tuple[int, int] | None


@derived_by_choice
def typical_of(timeline: Timeline, steps: Steps) -> Typical | None:
    """Through as many typical steps as `sample` says; None without steps, and where only their sums are known."""
    typical = steps.counted & are_typical(steps.wall_ps, steps.whole)
    windows, only = Inside(steps, typical).windows, sample(timeline, steps, typical)
    laid = laid_out(timeline, steps, only)
    if laid is None:
        return None
    return Typical(laid, walked(laid), typical, intervals.clip(windows, *only) if only else windows, only)


@derived
def event_times(timeline: Timeline) -> EventTimes | None:
    """None without steps, and where none is typical."""
    steps = steps_of(timeline)
    found = typical_of(timeline, steps)
    if found is None or not found.windows.total:
        return None
    path, again = found.path, replay_of(found.laid, steps, found.steps)
    held = np.flatnonzero((path.row >= 0) & (path.kind <= Kind.WAITS))
    runs = np.flatnonzero(again.laid.pieces.waits == 0) if again else np.empty(0, np.int64)
    replayed = again.laid.pieces.row[runs] if again else np.empty(0, np.int32)
    rows, which = distinct(np.concatenate([path.row[held], replayed]).astype(np.int64))
    ps = np.bincount(which[: len(held)], coverage(found.windows, path.begin[held], path.end[held]), len(rows))
    slack_ps = np.full(len(rows), NO_SLACK)
    if again:
        np.minimum.at(slack_ps, which[len(held) :], again.slack_ps()[runs])
    return EventTimes(rows, ps.astype(np.float64, copy=False), found.windows.total, slack_ps, found.only)


def with_path(timeline: Timeline, rows: dict[Key, OpRow], ops: Ops) -> dict[Key, OpRow]:
    """The rows of ops with what the path holds of each."""
    times, typical = event_times(timeline), typical_of(timeline, steps_of(timeline))
    if times is None or typical is None:
        return rows
    of_op, n, found = op_rows(timeline, ops, times.rows), len(ops.ops), dict(rows)
    through = _leads_through_devices(timeline, typical)
    for side, (row, op) in (("host", ops.host), ("device", ops.device)):
        place, here = places(row, of_op)
        total, slack_ps = np.bincount(op[place], times.ps[here], n), np.full(n, NO_SLACK)
        np.minimum.at(slack_ps, op[place], times.slack_ps[here])
        ran_ps = _longest(timeline, row, op, typical.windows, n) if side == "device" and through else np.zeros(n)
        ran = times.ran(timeline.capture.events, row)
        for i in occurring(op if ran is None else op[ran], n).tolist():
            key: Key = (side, ops.ops[i])
            if key in found:
                slack = int(slack_ps[i]) if slack_ps[i] != NO_SLACK else None
                found[key] = found[key]._replace(path=PathTime(int(total[i]), times.steps_ps, int(ran_ps[i]), slack))
    return found


def _leads_through_devices(timeline: Timeline, typical: Typical) -> bool:
    """Whether it holds half of what devices do in steps: where no wait for them was recorded it leads past them, and
    does not show what they cost."""
    laid, path, _, windows, _ = typical
    events, planes = timeline.capture.events, timeline.capture.tracks.plane
    on_device = np.repeat(laid.side == Side.DEVICE, np.diff(laid.first))
    ran = np.flatnonzero(on_device & among(laid.pieces.category, _ON_DEVICE))
    plane, ran_ps = planes[events.track[laid.pieces.row[ran]]], 0
    for unit in np.unique(plane).tolist():
        here = ran[plane == unit]
        work = intervals.union(laid.pieces.begin[here], laid.pieces.end[here])
        ran_ps += int(coverage(work, windows.begin, windows.end).sum())
    runs = np.flatnonzero((path.side == Side.DEVICE) & (path.kind == Kind.RUNS))
    held_ps = coverage(windows, path.begin[runs], path.end[runs]).sum()
    return bool(held_ps >= MOST_OF_PARENT.value * ran_ps / max(len(units_at_work_of(timeline)), 1))


def _longest(timeline: Timeline, rows: I64, op: I32, windows: Intervals, n: int) -> F64:
    """Of each of n ops its self time in some windows on the device on which it has most."""
    events, planes = timeline.capture.events, timeline.capture.tracks.plane
    start = events.start_ps[at_once(rows)]
    window = np.searchsorted(windows.begin, start, "right") - 1
    some = np.flatnonzero((window >= 0) & (start < windows.end[window]))
    where = planes[events.track[rows[some]]]
    pairs, which = distinct(where.astype(np.int64) * n + op[some])
    longest = np.zeros(n)
    np.maximum.at(longest, pairs % n, np.bincount(which, device_spans_of(timeline).self_ps[some], len(pairs)))
    return longest
