"""One host's capture, and what follows from it: each derived fact is a function of the timeline that is remembered."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..tables import I64, U8, Capture, StatKind, at_once
from .kept import Kept, held_bytes, made_in
from .loops.loops import Numbered, first_of_key, first_of_key_at, mark, numbered

T = TypeVar("T")
C = TypeVar("C", bound=Hashable)

#: The kinds of stats that are whole numbers.
INTEGER = (StatKind.INT, StatKind.UINT)
#: More than there are functions that derive something.
_DERIVED = 500


class Timeline:
    """One host's capture, its stats by event, and what functions derived from it so far (see `derived`).

    instead: of a part of another timeline, by derived function what takes the other's facts, not its own: causes, say,
    that began before the part. shared_bytes: what of the capture's arrays is the other's. whole_rows: by row of events
    the row of the same event there.
    """

    def __init__(
        self,
        capture: Capture,
        host: str,
        instead: Mapping[Hashable, Callable[..., Any]] | None = None,
        shared_bytes: int = 0,
        whole_rows: I64 | None = None,
    ) -> None:
        self.capture = capture
        self.host = host
        self.whole_rows = whole_rows
        self._instead = instead
        self._shared_bytes = shared_bytes
        self._stats: dict[str, tuple[I64, U8]] = {}
        self._kind_stats: dict[int, tuple[I64, U8] | None] = {}
        self._derived: Kept[Any] = Kept(_DERIVED)

    @property
    def nbytes(self) -> int:
        """Memory of the capture and of what has been derived from it so far, for caches that are bounded in bytes."""
        return held_bytes(list(vars(self).values())) - self._shared_bytes

    @property
    def derived_bytes(self) -> int:
        """Memory of what functions derived so far."""
        return held_bytes(self._derived.values)

    @property
    def made(self) -> int:
        """How much was derived so far, in parts of it, too: as long as it stays the same `nbytes` does."""
        return made_in(self._derived) + len(self._stats)

    def forget(self) -> None:
        """What was derived is let go, and made again by who asks for it."""
        self._derived.values.clear()
        self._stats.clear()
        self._kind_stats.clear()

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for the key before, else what is made now, once, also when several threads ask.

        What holds memory beyond dataclasses of arrays says how much by an `nbytes` of its own.
        """
        value: T = self._derived.get(key, make)
        return value

    def instead(self, function: Hashable, make: Callable[..., T]) -> Callable[..., T]:
        """What makes the facts of a function here: `make`, or what takes the place of it."""
        return make if self._instead is None else self._instead.get(function, make)

    def stat(self, key: str) -> tuple[I64, U8]:
        """Value (64 bits) and StatKind of the stat `key` of each event; kind 0 where it has none.

        Of several the first counts; where the event has none, its kind's does.
        """
        found = self._stats.get(key)
        if found is None:
            found = self._stats[key] = self.stat_of(key, None)
        return found

    def stat_of(self, key: str, rows: I64 | None) -> tuple[I64, U8]:
        """As `stat`, of some events only (None: of all), and not kept."""
        events, stats, wanted = self.capture.events, self.capture.stats, self.capture.strings.find(key)
        n = len(events) if rows is None else len(rows)
        if not self.has_stat(key):
            return np.broadcast_to(np.int64(0), n), np.broadcast_to(np.uint8(0), n)
        at = slice(None) if rows is None else at_once(rows)
        begin, end = events.stats_begin, events.stats_end
        if isinstance(at, slice):
            values, kinds = first_of_key(begin[at], end[at], stats.key, stats.kind, stats.value, wanted)
        else:
            values, kinds = first_of_key_at(at, begin, end, stats.key, stats.kind, stats.value, wanted)
        of_kinds = self._stat_of_kinds(wanted)
        if of_kinds is not None:
            kind = events.kind[at]
            inherits = np.flatnonzero((kinds == 0) & (kind >= 0))
            values[inherits], kinds[inherits] = (column[kind[inherits]] for column in of_kinds)
        return values, kinds

    def numbered(self, key: str, parts: Sequence[tuple[int, int]], beside: str = "") -> Numbered:
        """Of the events in some parts of all, (first, last + 1), those whose stat `key` is a whole number other than 0.

        With it their stat `beside`, as of `stat_of`.
        """
        wanted, other = (self.capture.strings.find(each) if each else -1 for each in (key, beside))
        events, stats = self.capture.events, self.capture.stats
        if any(i >= 0 and self._stat_of_kinds(i) is not None for i in (wanted, other)):
            found = [self._numbered(key, np.arange(*part), beside) for part in parts]
            return Numbered(*map(np.concatenate, zip(Numbered.room(0), *found, strict=True)))
        if not self.has_stat(key):
            parts = ()
        columns = (stats.key, stats.kind, stats.value)
        return numbered(parts, events.stats_begin, events.stats_end, columns, wanted, other)

    def _numbered(self, key: str, rows: I64, beside: str) -> Numbered:
        value, kind = self.stat_of(key, rows)
        has = np.flatnonzero(is_integer(kind) & (value != 0))
        return Numbered(rows[has].astype(np.int32), value[has], *self.stat_of(beside, rows[has]))

    def has_stat(self, key: str) -> bool:
        """Whether anything in the capture has the stat `key`."""
        wanted = self.capture.strings.find(key)
        return wanted >= 0 and bool(self._stat_keys[wanted])

    def aggregate_stat(self, key: str, rows: I64) -> tuple[tuple[I64, U8], tuple[I64, U8]]:
        """As `stat`, of some rows of `aggregates`: of each its own, and its kind's."""
        of_rows = (np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8))
        kinds = (np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8))
        if not len(rows) or not self.has_stat(key):
            return of_rows, kinds
        table, stats, wanted = self.capture.aggregates, self.capture.stats, self.capture.strings.find(key)
        begin, end = table.stats_begin[rows], table.stats_end[rows]
        of_rows = first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
        of_kinds = self._stat_of_kinds(wanted)
        if of_kinds is not None:
            kind = table.kind[rows]
            value, kind_of_value = (column[kind] for column in of_kinds)
            kinds = np.where(kind >= 0, value, 0), np.where(kind >= 0, kind_of_value, 0).astype(np.uint8)
        return of_rows, kinds

    def _stat_of_kinds(self, wanted: int) -> tuple[I64, U8] | None:
        """Value and StatKind by kind, None where no kind has it; kept, since it is asked for again track by track."""
        if wanted not in self._kind_stats:
            stats, kinds = self.capture.stats, self.capture.kinds
            begin, end = kinds.stats_begin, kinds.stats_end
            first = first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
            found = first if first[1].any() else None
            self._kind_stats[wanted] = found
            return found
        return self._kind_stats.get(wanted)

    @functools.cached_property
    def _stat_keys(self) -> NDArray[np.bool_]:
        """By string id: whether it is the key of any stat."""
        used = np.zeros(len(self.capture.strings), bool)
        mark(self.capture.stats.key, used)
        return used


def is_integer(kind: U8) -> NDArray[np.bool_]:
    """Which stats, by their StatKind, are whole numbers."""
    if not any(kind.strides):
        return np.full(len(kind), bool(len(kind)) and int(kind[0]) in INTEGER)
    # Their kinds follow each other; looking each up in a table takes four times as long.
    found: NDArray[np.bool_] = kind - np.uint8(INTEGER[0]) < len(INTEGER)
    return found


def derived(make: Callable[[Timeline], T]) -> Callable[[Timeline], T]:
    """Decorates a function of a timeline alone: what it returns is made once and kept as long as the timeline is."""

    @functools.wraps(make)
    def of(timeline: Timeline) -> T:
        return timeline.remember(of, lambda: timeline.instead(of, make)(timeline))

    return of


def derived_by_choice(make: Callable[[Timeline, C], T]) -> Callable[[Timeline, C], T]:
    """As `derived`, for functions of a timeline and of one thing that is chosen; a few choices are kept of each."""

    @functools.wraps(make)
    def of(timeline: Timeline, choice: C) -> T:
        kept: Kept[T] = timeline.remember(of, Kept)
        return kept.get(choice, lambda: timeline.instead(of, make)(timeline, choice))

    return of


def remembered(timeline: Timeline, make: Callable[[Timeline], T]) -> T:
    """What a function, or a class, makes of the timeline, made once: `derived` for what is not to be decorated."""
    return timeline.remember(make, lambda: make(timeline))
