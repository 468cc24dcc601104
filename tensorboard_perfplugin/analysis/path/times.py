"""A timeline → how long the critical path holds each of its events in typical steps; ops → the same of ops."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, at_once, distinct
from ...timeline.devices import device_spans_of
from ...timeline.loops.loops import coverage
from ...timeline.ops.ops import Ops
from ...timeline.split.split import chosen_split
from ...timeline.timeline import CATEGORIES, Timeline, derived
from ..ops.rows import Key, OpRow, PathTime
from ..steps.contents import Inside
from ..steps.means import are_typical
from .costs import MOST_OF_PARENT
from .path import Kind, Path, Side, laid_out, of_path, op_rows, path_of, sample
from .replay import NO_SLACK, replay_of

#: What devices do in steps.
_ON_DEVICE = [
    i for i, one in enumerate(CATEGORIES) if one.key.startswith(("compute_", "copy_")) or one.key == "collective"
]


class EventTimes(NamedTuple):
    """ps: by event, while it runs or waits itself: not while it is launched or handed over. steps_ps: of the steps.
    slack_ps: by event how much longer it could take before the steps do, or `NO_SLACK`."""

    ps: F64
    steps_ps: int
    slack_ps: I64


@derived
def event_times(timeline: Timeline) -> EventTimes | None:
    """None without steps, and where none is typical."""
    path, inside = _typical(timeline)
    if path is None or not inside.windows.total:
        return None
    return EventTimes(of_path(timeline, path, inside.windows, path.row), inside.windows.total, _slack_ps(timeline))


def _slack_ps(timeline: Timeline) -> I64:
    split = chosen_split(timeline, "auto")
    typical = split.steps.counted & are_typical(split.steps.wall_ps, split.steps.whole)
    laid = laid_out(timeline, split, sample(timeline, split.steps, typical))
    again = replay_of(laid, split.steps, typical) if laid else None
    slack_ps = np.full(len(timeline.capture.events), NO_SLACK)
    if again:
        runs = np.flatnonzero(again.laid.pieces.waits == 0)
        np.minimum.at(slack_ps, again.laid.pieces.row[runs], again.slack_ps()[runs])
    return slack_ps


def _typical(timeline: Timeline) -> tuple[Path | None, Inside]:
    """The path, and the typical steps that it leads through."""
    path, steps = path_of(timeline, "auto"), chosen_split(timeline, "auto").steps
    return path, Inside(steps, steps.counted & are_typical(steps.wall_ps, steps.whole))


def with_path(timeline: Timeline, rows: dict[Key, OpRow], ops: Ops) -> dict[Key, OpRow]:
    """The rows of ops with what the path holds of each."""
    (path, inside), times = _typical(timeline), event_times(timeline)
    if path is None or times is None:
        return rows
    events, planes, n = timeline.capture.events, timeline.capture.tracks.plane, len(ops.ops)
    on_path = of_path(timeline, path, inside.windows, op_rows(timeline, ops, path.row))
    known = np.flatnonzero(times.slack_ps != NO_SLACK)
    of_op, slack_ps = op_rows(timeline, ops, known), np.full(len(events), NO_SLACK)
    np.minimum.at(slack_ps, of_op[of_op >= 0], times.slack_ps[known[of_op >= 0]])
    found, ran = dict(rows), np.zeros(n)
    for side, (row, op) in (("host", ops.host), ("device", ops.device)):
        total = np.bincount(op, on_path[row], n)
        if side == "device" and _leads_through_devices(timeline, path, inside):
            self_ps = device_spans_of(timeline).self_ps * inside(events.start_ps[at_once(row)])
            ran = _longest(planes[events.track[at_once(row)]], op, self_ps, n)
        least = np.full(n, NO_SLACK)
        np.minimum.at(least, op, slack_ps[at_once(row)])
        for i in np.unique(op).tolist():
            key: Key = (side, ops.ops[i])
            if key in found:
                slack = int(least[i]) if least[i] != NO_SLACK else None
                found[key] = found[key]._replace(path=PathTime(int(total[i]), times.steps_ps, int(ran[i]), slack))
    return found


def _leads_through_devices(timeline: Timeline, path: Path, inside: Inside) -> bool:
    """Whether it holds half of what devices do in steps: where no wait for them was recorded it leads past them, and
    does not show what they cost."""
    split = chosen_split(timeline, "auto")
    typical = split.steps.counted & are_typical(split.steps.wall_ps, split.steps.whole)
    exposed_ps = split.exposed_ps[:, typical][:, :, _ON_DEVICE].sum() / max(len(split.units), 1)
    here = np.flatnonzero((path.side == Side.DEVICE) & (path.kind == Kind.RUNS))
    held_ps = coverage(inside.windows, path.begin[here], path.end[here]).sum()
    return bool(held_ps >= MOST_OF_PARENT.value * exposed_ps)


def _longest(where: NDArray[np.integer], op: I32, ps: NDArray[Any], n: int) -> F64:
    """Of each of n ops its time on the device on which it has most."""
    pairs, which = distinct(where.astype(np.int64) * n + op)
    longest = np.zeros(n)
    np.maximum.at(longest, pairs % n, np.bincount(which, ps, len(pairs)))
    return longest
