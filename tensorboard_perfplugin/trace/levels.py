"""A lane's slices at one length of bucket, for the whole capture → what a window needs of them, by binary search.

A level is one pass over all events, made ahead where somebody has time for it; windows that it serves cost as much as
they show. Until then a window is merged from its own events. A few levels are kept, in bounded memory.
"""

from __future__ import annotations

import threading
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ..tables import I32, I64, Events

#: Columns of a merged slice: lane, first start, last end, count, busy, row.
COLUMNS = 6
_BYTES_A_SLICE = 4 + 4 + 8 + 8


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
    """The levels of one capture's lanes; `begin` and `order` as in `Lanes`. Threads may ask at once.

    room_bytes: how much all of them may take.
    """

    def __init__(
        self, compiled: ModuleType, events: Events, begin: I64, order: I32, names: int, room_bytes: int
    ) -> None:
        self._compiled, self._events = compiled, events
        self._begin, self._order = begin, order
        self._names, self._room = names, room_bytes
        self._kept: dict[int, Level] = {}
        self._missed: set[int] = set()
        self._counts: dict[int, int] = {}
        self._lock, self._building = threading.Lock(), threading.Lock()
        self._free: list[tuple[I64, I64]] = []

    @property
    def nbytes(self) -> int:
        return sum(level.nbytes for level in list(self._kept.values()))

    def has(self, shift: int) -> bool:
        return shift in self._kept

    def get(self, shift: int) -> Level | None:
        """The level of buckets of 2**shift ps, if it is there."""
        with self._lock:
            level = self._kept.pop(shift, None)
            if level is not None:
                self._kept[shift] = level
            return level

    def build(self, shift: int, drop: bool = True, wait: bool = True) -> Level | None:
        """The level, made now if it is not there; None where it would take too much memory.

        drop: those not used for longest may go for it. wait: else None, too, while another one is made.
        """
        if not self._building.acquire(blocking=wait):
            return None
        try:
            level = self.get(shift)
            if level is not None:
                return level
            if shift not in self._counts:
                self._counts[shift] = self._count(shift)
            n = self._counts[shift]
            room = self._room - n * _BYTES_A_SLICE
            if room < (0 if drop else self.nbytes):
                return None
            level = self._built(shift, n)
            with self._lock:
                while self._kept and self.nbytes > room:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[shift] = level
            return level
        finally:
            self._building.release()

    def _count(self, shift: int) -> int:
        """How many slices all events give."""
        e = self._events
        return int(
            self._compiled.count(e.start_ps, e.duration_ps, self._order, self._begin[:-1], self._begin[1:], shift)
        )

    def _built(self, shift: int, n: int) -> Level:
        e = self._events
        level = Level(
            np.empty(len(self._begin), np.int64),
            np.empty(n + 1, np.int32),
            np.empty(n, np.int32),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
        )
        weight, seen = self._scratch(int(np.diff(self._begin).max(initial=0)))
        one = np.empty(COLUMNS, np.int64)
        columns = (e.start_ps, e.duration_ps, e.name, self._order, self._begin, shift)
        self._compiled.build(*columns, weight, seen, *level, one)
        self._free.append((weight, seen))
        return level

    def _scratch(self, longest: int) -> tuple[I64, I64]:
        """Room for the sums by name of one bucket of so many events: what no other thread uses."""
        rows = min(self._names, longest) + 1
        try:
            weight, seen = self._free.pop()
        except IndexError:
            weight, seen = np.full(self._names, -1, np.int64), np.empty((rows, 2), np.int64)
        return weight, seen if len(seen) >= rows else np.empty((rows, 2), np.int64)

    def slices(self, lanes: I64, low: I64, high: I64, shift: int, room: int) -> I64 | None:
        """Rows of `COLUMNS` for each lane's places low to high, by lane and start; None where there are too many."""
        level = self.get(shift)
        if level is None and shift in self._missed:
            level = self.build(shift, wait=False)
        if level is None:
            self._missed.add(shift)
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
        weight, seen = self._scratch(int((high - low).max(initial=0)))
        n = self._compiled.merge(e.start_ps, e.duration_ps, e.name, self._order, low, high, shift, weight, seen, out)
        self._free.append((weight, seen))
        return None if n < 0 else out[:n]
