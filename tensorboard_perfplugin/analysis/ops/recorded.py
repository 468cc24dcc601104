"""Ops that somebody else summed up, in a capture without a timeline → their sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...tables import RECORDED_SELF_PS, RECORDED_SIDE, RECORDED_TYPE
from ...timeline import Op, Timeline


class RecordedOp(NamedTuple):
    """All executions of an op. side: `host`, `device`, or `input`: of an input pipeline, whose ops TensorFlow counts
    by themselves.
    """

    side: str
    op: Op
    occurrences: int
    total_ps: int
    self_ps: int


def recorded_ops(timeline: Timeline) -> Iterator[RecordedOp]:
    """In the file's order; nothing where the capture has a timeline."""
    capture = timeline.capture
    if capture.strings.find(RECORDED_SIDE) < 0:
        return
    table = capture.aggregates
    for row in range(len(table)):
        facts = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        side, kind, self_ps = (facts.get(key) for key in (RECORDED_SIDE, RECORDED_TYPE, RECORDED_SELF_PS))
        if isinstance(side, str) and isinstance(kind, str) and isinstance(self_ps, int):
            op = Op(capture.strings[int(table.name[row])], kind)
            yield RecordedOp(side, op, int(table.occurrences[row]), int(table.duration_ps[row]), self_ps)
