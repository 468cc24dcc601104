"""A timeline's events → the category that each belongs to by itself, as the split of a step calls it.

By name alone, whatever lies around it: every distinct name is looked at once, and only when somebody asks.
"""

from __future__ import annotations

import numpy as np

from ..tables import I32, I64, U8, PlaneKind, TrackKind
from ..timeline.names.ops import host_op_of
from ..timeline.split.device import category_of_instruction, category_of_kernel, instruction_of_kind, slice_transfers_of
from ..timeline.split.host_names import HostClass, class_of_name, class_of_op
from ..timeline.timeline import CATEGORIES, INDEX, Timeline, remembered

#: No category.
NONE = len(CATEGORIES)
KEYS = (*(category.key for category in CATEGORIES), "")
#: Not looked at yet.
_NEW = 255
_OTHER, _HOST, _GPU, _TPU = range(4)
#: Distinct names that are looked at in one question, about 10 µs each; what is beyond has none.
_MOST = 20_000
#: What is no category itself.
_STANDS_FOR = {
    HostClass.PIPELINE: "input_wait",
    HostClass.NEXT: "input_wait",
    HostClass.SHARD: "input_wait",
    HostClass.EAGER_OP: "runtime",
    HostClass.EAGER_KERNEL: "runtime",
    HostClass.EXECUTE: "runtime",
    HostClass.FUNCTION: "runtime",
    HostClass.TRACING: "compilation",
}


class Categories:
    """The categories of one timeline's events, kept by name."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline, self._capture = timeline, (c := timeline.capture)
        self._side = _sides(timeline)
        on_device = bool(np.isin(self._side, (_GPU, _TPU)).any())
        self._op = INDEX["host_compute" if on_device else "op_compute"]
        self._tables = {
            _HOST: np.full(len(c.strings), _NEW, np.uint8),
            _GPU: np.full(len(c.strings), _NEW, np.uint8),
            _TPU: np.full(len(c.kinds) + 1, _NEW, np.uint8),
        }

    @property
    def nbytes(self) -> int:
        """Memory beside the capture's."""
        return self._side.nbytes + sum(table.nbytes for table in self._tables.values())

    def of(self, rows: I64 | slice) -> U8:
        """By event its place in `KEYS`."""
        events = self._capture.events
        side = self._side[events.track[rows]]
        found = np.full(len(side), NONE, np.uint8)
        for which, table in self._tables.items():
            mine = side == which
            whole = bool(mine.all())
            if not whole and not mine.any():
                continue
            ids = (events.kind if which == _TPU else events.name)[rows]
            category = self._looked_up(which, table, ids if whole else ids[mine])
            if whole:
                return category
            found[mine] = category
        return found

    def _looked_up(self, side: int, table: U8, ids: I32) -> U8:
        """The categories of some names, the first so many of them, however many were looked at before."""
        used = np.zeros(len(table), bool)
        used[ids] = True
        some = np.flatnonzero(used)
        for i in some[:_MOST][table[some[:_MOST]] == _NEW].tolist():
            table[i] = self._one(side, i)
        if len(some) <= _MOST:
            return table[ids]
        within = np.full(len(table), NONE, np.uint8)
        within[some[:_MOST]] = table[some[:_MOST]]
        return within[ids]

    def _one(self, side: int, i: int) -> int:
        if side == _TPU:
            if i == len(self._capture.kinds):
                return NONE
            if i in slice_transfers_of(self._timeline):
                return INDEX["collective"]
            return INDEX[category_of_instruction(*instruction_of_kind(self._capture, i))]
        name = self._capture.strings[i]
        if side == _GPU:
            # Beyond the categories is a copy of which the name does not show where it goes.
            return min(category_of_kernel(name), NONE)
        return self._of_host(name)

    def _of_host(self, name: str) -> int:
        kind = class_of_name(name)
        op = (
            host_op_of(self._capture.capabilities.framework_names)(name)
            if kind in (HostClass.UNKNOWN, HostClass.RUNTIME, HostClass.PYTHON)
            else None
        )
        if op is not None:
            kind = class_of_op(op)
        if kind == HostClass.OP:
            return self._op
        if kind in _STANDS_FOR:
            return INDEX[_STANDS_FOR[kind]]
        return kind - 1 if 0 < kind <= len(CATEGORIES) else NONE


def _sides(timeline: Timeline) -> U8:
    """By track what its events are judged by; a derived line repeats what others say, and a counter is no work."""
    c = timeline.capture
    kind, plane = c.tracks.kind, c.planes.kind[c.tracks.plane]
    side = np.full(len(c.tracks), _HOST, np.uint8)
    side[plane == PlaneKind.GPU] = _GPU
    side[plane == PlaneKind.TPU] = _TPU
    side[np.isin(kind, (TrackKind.COUNTER, TrackKind.DERIVED))] = _OTHER
    return side


def categories_of(timeline: Timeline) -> Categories:
    """The timeline's categories, kept as long as it is."""
    return remembered(timeline, Categories)
