"""One name for each loop of the split: compiled where it was compiled, numpy elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import EMPTY, F64, I32, I64, U8, Intervals, intervals
from . import painted

try:
    from . import sweep

    COMPILED = sweep.COMPILED
except ImportError:  # neither compiled nor is Cython there to run it as Python
    COMPILED = False

#: Category → when it holds; a set, as `tables.intervals` defines it.
Sets = dict[int, Intervals]
#: Merging two sets at a time walks the first ones again and again.
_MERGED_BY_TWOS = 8
#: Short tracks' intervals are taken in so many at a time: one by one, 100,000 tracks took 3 s.
_TOGETHER = 1 << 12


class Pieces(NamedTuple):
    """Of one track when it shows a category, by begin: none of no length. row: the event that does; empty where none
    does."""

    begin: I64
    end: I64
    category: U8
    row: I64 | I32

    @classmethod
    def of_nothing(cls, category: int, when: Intervals) -> Pieces:
        """What no event shows."""
        return cls(*when, np.full(len(when.begin), category, np.uint8), np.empty(0, np.int64))


def paint(
    start: I64,
    duration: I64,
    parent: I32,
    first: int,
    event_class: U8,
    within: U8,
    shown: U8,
    compiled: bool = COMPILED,
) -> tuple[I64, I64, U8]:
    """Begin, end and class of the pieces of one track's time, by the class of the last begun of its running events.

    event_class: of each event. within: (class of what it lies in, class) → class that it has there. shown: class →
    what to give; 0 is left out. parent: as `Nesting.parent`, where the track's first row is `first`.
    """
    given = start, duration, parent, first, event_class, within, shown
    if not compiled:
        return painted.paint(*given)[:3]
    return _painted(*given, np.empty(0, np.int32))


def paint_rows(
    start: I64,
    duration: I64,
    parent: I32,
    first: int,
    event_class: U8,
    within: U8,
    shown: U8,
    compiled: bool = COMPILED,
) -> tuple[I64, I64, U8, I32]:
    """As `paint`, of each piece also the row that it is of, the last begun; a piece is of one row."""
    given = start, duration, parent, first, event_class, within, shown
    if not compiled:
        begins, ends, classes, row = painted.paint(*given, apart=True)
        return begins, ends, classes, (row + first).astype(np.int32)
    rows = np.empty(2 * len(start), np.int32)
    begins, ends, classes = _painted(*given, rows)
    return begins, ends, classes, rows[: len(begins)] + np.int32(first)


def _painted(
    start: I64, duration: I64, parent: I32, first: int, event_class: U8, within: U8, shown: U8, rows: I32
) -> tuple[I64, I64, U8]:
    n = len(start)
    begins, ends, classes = np.empty(2 * n, np.int64), np.empty(2 * n, np.int64), np.empty(2 * n, np.uint8)
    room = np.empty(n, np.int32), np.empty(n, np.uint8)
    count = sweep.paint(start, duration, parent, first, event_class, within, shown, *room, begins, ends, classes, rows)
    return begins[:count], ends[:count], classes[:count]


def share(
    begin: I64,
    end: I64,
    category: U8,
    first: I64,
    sharing: U8,
    windows: Intervals,
    categories: int,
    compiled: bool = COMPILED,
) -> F64:
    """Of each piece its part, in ps, of the instants of a set that count to its category.

    Pieces are by track, track i's from `first[i]` on, in each by begin; none is empty. An instant counts to the first
    category that any piece holds there, in equal parts to the pieces of it on tracks that are `sharing`.
    """
    if not compiled:
        return painted.share(begin, end, category, first, sharing, windows, categories)
    order = np.arange(len(begin), dtype=np.int32)
    for low, high in itertools.pairwise(first.tolist()):
        if (np.diff(end[low:high]) < 0).any():
            order[low:high] = low + np.argsort(end[low:high], kind="stable")
    shared = np.empty(len(begin))
    room, counts = np.zeros((5, len(first)), np.int64), np.zeros((2, categories), np.int64)
    given = begin, end, category, order, first, sharing, windows.begin, windows.end
    sweep.share(*given, room, counts, np.zeros(categories), shared)
    return shared


def merge(a: Intervals, b: Intervals, compiled: bool = COMPILED) -> Intervals:
    """The union of two sets."""
    if not len(a.begin) or not len(b.begin):
        return a if len(a.begin) else b
    if not compiled:
        return painted.merge(a, b)
    n = len(a.begin) + len(b.begin)
    begins, ends = np.empty(n, np.int64), np.empty(n, np.int64)
    count = sweep.merge(*a, *b, begins, ends)
    return Intervals(begins[:count], ends[:count])


def subtract(a: Intervals, b: Intervals, compiled: bool = COMPILED) -> Intervals:
    """What lies in set a and not in set b."""
    if not len(a.begin) or not len(b.begin):
        return a
    if not compiled:
        return intervals.subtraction(a, b)
    n = len(a.begin) + len(b.begin)
    begins, ends = np.empty(n, np.int64), np.empty(n, np.int64)
    count = sweep.subtract(*a, *b, begins, ends)
    return Intervals(begins[:count], ends[:count])


def union(sets: Iterable[Intervals]) -> Intervals:
    """The union of any number of sets."""
    given = [s for s in sets if len(s.begin)]
    if len(given) > _MERGED_BY_TWOS:
        return intervals.union(*(np.concatenate(column) for column in zip(*given, strict=True)))
    whole = EMPTY
    for one in given:
        whole = merge(whole, one)
    return whole


class Collected:
    """Sets by category in the making, track by track."""

    def __init__(self) -> None:
        self._parts: dict[int, list[Intervals]] = {}
        self._waiting: list[tuple[I64, I64, NDArray[np.integer]]] = []
        self._count = 0

    def add(self, begin: I64, end: I64, what: NDArray[np.integer]) -> None:
        """Intervals and the category of each, by begin; those of one category may overlap."""
        if len(begin) >= _TOGETHER:
            self._take(begin, end, what)
            return
        self._waiting.append((begin, end, what))
        self._count += len(begin)
        if self._count >= _TOGETHER:
            self._take_waiting()

    def _take_waiting(self) -> None:
        if self._waiting:
            begin, end, what = zip(*self._waiting, strict=True)
            self._take(np.concatenate(begin), np.concatenate(end), np.concatenate(what))
        self._waiting, self._count = [], 0

    def _take(self, begin: I64, end: I64, what: NDArray[np.integer]) -> None:
        for key in np.flatnonzero(np.bincount(what)).tolist():
            holds = np.flatnonzero(what == key)
            one = (begin, end) if len(holds) == len(what) else (begin[holds], end[holds])
            self.add_set(key, intervals.union(*one))

    def add_set(self, key: int, one: Intervals) -> None:
        self._parts.setdefault(key, []).append(one)

    def sets(self) -> Sets:
        self._take_waiting()
        return {key: union(parts) for key, parts in self._parts.items()}


def together(*given: Mapping[int, Intervals]) -> Sets:
    """By category the union of what each says."""
    keys = sorted({key for sets in given for key in sets})
    return {key: union(sets.get(key, EMPTY) for sets in given) for key in keys}
