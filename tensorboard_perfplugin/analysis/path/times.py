"""A timeline → how long the critical path holds each of its events in typical steps; ops → the same of ops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import F64, I64
from ...timeline.loops.loops import coverage
from ...timeline.nesting import enclosing_of
from ...timeline.ops.ops import Ops
from ...timeline.split.split import chosen_split
from ...timeline.timeline import Timeline, derived
from ..ops.rows import Key, OpTable, PathTime
from ..steps.contents import Inside
from ..steps.means import are_typical
from .path import Kind, path_of


class EventTimes(NamedTuple):
    """ps: by event, while it runs or waits itself: not while it is launched or handed over. steps_ps: of the steps."""

    ps: F64
    steps_ps: int


@derived
def event_times(timeline: Timeline) -> EventTimes | None:
    """None without steps, and where none is typical."""
    path, steps = path_of(timeline, "auto"), chosen_split(timeline, "auto").steps
    if path is None:
        return None
    windows = Inside(steps, steps.counted & are_typical(steps.wall_ps, steps.whole)).windows
    some = np.flatnonzero((path.row >= 0) & (path.kind <= Kind.WAITS))
    inside = coverage(windows, path.begin[some], path.end[some])
    ps = np.bincount(path.row[some], inside, len(timeline.capture.events)).astype(np.float64)
    return EventTimes(ps, windows.total) if windows.total else None


def with_path(timeline: Timeline, table: OpTable, ops: Ops) -> OpTable:
    """The table with what the path holds of each op: of a host's event, the innermost op that it is or lies in."""
    times = event_times(timeline)
    if times is None:
        return table
    of_event = np.full(len(timeline.capture.events), -1, np.int64)
    of_event[ops.host.rows] = ops.host.op
    on_path = times.ps.copy()
    on_path[ops.device.rows] = 0.0
    held = np.flatnonzero((on_path > 0) & (of_event < 0))
    around = enclosing_of(timeline, of_event >= 0, held)
    of_event[held[around >= 0]] = of_event[around[around >= 0]]
    rows = dict(table.rows)
    for side, op, ps in (
        ("host", of_event[(on_path > 0) & (of_event >= 0)], on_path[(on_path > 0) & (of_event >= 0)]),
        ("device", ops.device.op, times.ps[ops.device.rows]),
    ):
        known: I64 = np.unique(ops.host.op if side == "host" else ops.device.op)
        total = np.bincount(op, ps, len(ops.ops))
        for i in known.tolist():
            key: Key = (side, ops.ops[i])
            if key in rows:
                rows[key] = rows[key]._replace(path=PathTime(int(total[i]), times.steps_ps))
    return table.with_rows(rows)
