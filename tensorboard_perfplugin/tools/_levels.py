"""A lane's slices at one length of bucket, for the whole capture → what a window needs of them, by binary search.

A level is built when a window first needs it, in one pass over all events; from then on such windows cost as much as
they show. A few are kept, in bounded memory.
"""

from __future__ import annotations

import threading
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ..tables.capture import I32, I64, Events

#: Columns of a merged slice: lane, first start, last end, count, busy, row.
COLUMNS = 6
_BYTES_A_SLICE = 4 + 4 + 8 + 8
#: All levels together, for each event of the capture: below six tenths of what the events themselves take.
_BYTES_AN_EVENT = 22


class Level(NamedTuple):
    """All slices. first: by lane its first, and the end. place: where each one's events begin in the order of lanes."""

    first: I64
    place: I32
    row: I32
    end_ps: I64
    busy_ps: I64

    @property
    def nbytes(self) -> int:
        return sum(column.nbytes for column in self)


class Levels:
    """The levels of one capture's lanes; `begin` and `order` as in `Lanes`. Threads may ask at once."""

    def __init__(self, compiled: ModuleType, events: Events, begin: I64, order: I32, names: int) -> None:
        self._compiled, self._events = compiled, events
        self._begin, self._order = begin, order
        self._names = names
        self._kept: dict[int, Level] = {}
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        return sum(level.nbytes for level in self._kept.values())

    def has(self, shift: int) -> bool:
        return shift in self._kept

    def count(self, low: I64, high: I64, shift: int) -> int:
        """How many slices the events in places low to high of each lane give."""
        e = self._events
        return int(self._compiled.count(e.start_ps, e.duration_ps, self._order, low, high, shift))

    def get(self, shift: int) -> Level | None:
        """The level of buckets of 2**shift ps; None where it would take too much memory."""
        with self._lock:
            level = self._kept.pop(shift, None)
            if level is None:
                level = self._built(shift)
            if level is not None:
                self._kept[shift] = level
            return level

    def _built(self, shift: int) -> Level | None:
        e, room = self._events, _BYTES_AN_EVENT * len(self._order)
        n = self.count(self._begin[:-1], self._begin[1:], shift)
        if n * _BYTES_A_SLICE > room:
            return None
        while self._kept and n * _BYTES_A_SLICE + self.nbytes > room:
            self._kept.pop(next(iter(self._kept)))
        level = Level(
            np.empty(len(self._begin), np.int64),
            np.empty(n + 1, np.int32),
            np.empty(n, np.int32),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
        )
        weight, seen = self.scratch(int(np.diff(self._begin).max(initial=0)))
        one = np.empty(COLUMNS, np.int64)
        columns = (e.start_ps, e.duration_ps, e.name, self._order, self._begin, shift)
        self._compiled.build(*columns, weight, seen, *level, one)
        return level

    def scratch(self, longest: int) -> tuple[I64, I64]:
        """Room for the sums by name of one bucket of so many events."""
        return np.full(self._names, -1, np.int64), np.empty((min(self._names, longest) + 1, 2), np.int64)

    def slices(self, lanes: I64, low: I64, high: I64, shift: int, room: int) -> I64 | None:
        """Rows of `COLUMNS` for each lane's places low to high, by lane and start; None where there are too many."""
        level = self.get(shift)
        if level is None:
            return self.merge(low, high, shift, room)
        whole, out = np.empty((len(lanes), 2), np.int64), np.empty((room, COLUMNS), np.int64)
        n = self._compiled.take(self._events.start_ps, self._order, lanes, low, high, *level, whole, out)
        if n < 0:
            return None
        before = self.merge(low, np.ascontiguousarray(whole[:, 0]), shift, room)
        after = self.merge(np.ascontiguousarray(whole[:, 1]), high, shift, room)
        if before is None or after is None or len(before) + n + len(after) > room:
            return None
        rows = np.concatenate((before, out[:n], after))
        return rows[np.argsort(rows[:, 0], kind="stable")]

    def merge(self, low: I64, high: I64, shift: int, room: int) -> I64 | None:
        """The same, from the events themselves."""
        e, out = self._events, np.empty((room, COLUMNS), np.int64)
        weight, seen = self.scratch(int((high - low).max(initial=0)))
        n = self._compiled.merge(e.start_ps, e.duration_ps, e.name, self._order, low, high, shift, weight, seen, out)
        return None if n < 0 else out[:n]
