"""Ops, and the events that executed them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture
from ..names.op_names import Op
from ..ranks import distinct
from ..timeline import Timeline

#: Of fewer ids than such a part of all a table of all is not quicker.
_FEW = 16


class OpEvents(NamedTuple):
    """Executions: rows of `events`, ascending, and for each the index of its op in `Ops.ops`."""

    rows: I64
    op: I32


class Ops(NamedTuple):
    """The distinct ops of a capture, and the events that executed them.

    host: by op events on host threads. device: kernels, copies and XLA ops on devices. One op that ran on both sides
    has one index. device_aggregates: the same as device, of rows of `aggregates`, which have no place in time.
    """

    ops: tuple[Op, ...]
    host: OpEvents
    device: OpEvents
    device_aggregates: OpEvents


class Pool:
    """Distinct ops, numbered as they come."""

    def __init__(self) -> None:
        self.index: dict[Op, int] = {}

    def add(self, op: Op | None) -> int:
        return -1 if op is None else self.index.setdefault(op, len(self.index))

    def by_string(self, capture: Capture, ids: NDArray[np.integer], parse: Callable[[str], Op | None]) -> I32:
        """The op of each string id, parsed once each; -1 where there is none."""
        count = len(capture.strings)
        if len(ids) < count // _FEW:
            used, which = distinct(ids, count)
            return np.array([self.add(parse(capture.strings[i])) for i in used.tolist()], np.int32)[which]
        is_used = np.zeros(count, bool)
        is_used[ids] = True
        table: I32 = np.full(count, -1, np.int32)
        for i in np.flatnonzero(is_used).tolist():
            table[i] = self.add(parse(capture.strings[i]))
        found: I32 = table[ids]
        return found


def mask(timeline: Timeline, events: OpEvents) -> NDArray[np.bool_]:
    """True at the rows of some op events, aligned to the events of the capture."""
    flags = np.zeros(len(timeline.capture.events), bool)
    flags[events.rows] = True
    return flags
