"""A timeline → how long the critical path holds each of its events in typical steps; ops → the same of ops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import F64, I32, I64, Intervals
from ...timeline.loops.loops import coverage
from ...timeline.nesting import enclosing_of
from ...timeline.ops.ops import Ops
from ...timeline.split.split import chosen_split
from ...timeline.timeline import Timeline, derived
from ..ops.rows import Key, OpTable, PathTime
from ..steps.contents import Inside
from ..steps.means import are_typical
from .path import Kind, Path, path_of


class EventTimes(NamedTuple):
    """ps: by event, while it runs or waits itself: not while it is launched or handed over. steps_ps: of the steps."""

    ps: F64
    steps_ps: int


@derived
def event_times(timeline: Timeline) -> EventTimes | None:
    """None without steps, and where none is typical."""
    path, windows = _typical(timeline)
    if path is None or not windows.total:
        return None
    return EventTimes(of_path(timeline, path, windows, path.row), windows.total)


def _typical(timeline: Timeline) -> tuple[Path | None, Intervals]:
    """The path, and the windows of the typical steps that it leads through."""
    path, steps = path_of(timeline, "auto"), chosen_split(timeline, "auto").steps
    return path, Inside(steps, steps.counted & are_typical(steps.wall_ps, steps.whole)).windows


def of_path(timeline: Timeline, path: Path, windows: Intervals, of_row: I64 | I32) -> F64:
    """`EventTimes.ps` of some windows. of_row: by stretch the event that it counts to, -1 without any."""
    some = np.flatnonzero((of_row >= 0) & (path.kind <= Kind.WAITS))
    inside = coverage(windows, path.begin[some], path.end[some])
    return np.bincount(of_row[some], inside, len(timeline.capture.events)).astype(np.float64)


def ops_on_path(timeline: Timeline, ops: Ops, path: Path) -> I64:
    """By stretch of a path the event of the innermost op that it is or lies in, -1 without any."""
    is_op = np.zeros(len(timeline.capture.events), bool)
    is_op[ops.host.rows] = is_op[ops.device.rows] = True
    found = path.row.astype(np.int64)
    inner = np.flatnonzero((found >= 0) & ~is_op[found])
    found[inner] = enclosing_of(timeline, is_op, found[inner])
    return found


def with_path(timeline: Timeline, table: OpTable, ops: Ops) -> OpTable:
    """The table with what the path holds of each op."""
    path, windows = _typical(timeline)
    if path is None or not windows.total:
        return table
    on_path = of_path(timeline, path, windows, ops_on_path(timeline, ops, path))
    rows = dict(table.rows)
    for side, (of_event, op) in (("host", ops.host), ("device", ops.device)):
        total = np.bincount(op, on_path[of_event], len(ops.ops))
        for i in np.unique(op).tolist():
            key: Key = (side, ops.ops[i])
            if key in rows:
                rows[key] = rows[key]._replace(path=PathTime(int(total[i]), windows.total))
    return table.with_rows(rows)
