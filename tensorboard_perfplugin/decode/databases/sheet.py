"""Events, many at a time, with their tracks and stats → `Capture`."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ... import tables
from ...formats import Format
from ...messages import Message, message
from ...tables import I32, I64, Capture, DecoderKind, Quality, StatKind, Strings
from ..common.build import table_of
from ..common.launches import launches_in
from ..common.memory import check_room
from ..common.places import Plane, Pool, Track, Value
from .database import Texts

Mask = NDArray[np.bool_]
_PS = 1000
#: Times and lengths, in picoseconds, must fit 64 bits with room: 50 days to each side of the middle one.
_FAR_NS = 50 * 86_400 * 10**9
_MOST = 1 << 62


@dataclasses.dataclass
class Stat:
    """A stat of some events: key, kind and value by event. known: which of them have it; all where it is None."""

    key: str
    values: I64
    known: Mask | None = None
    kind: StatKind = StatKind.INT


@dataclasses.dataclass
class Part:
    """Some events: by each its track, its name (an id of a text), when it began and ended, and its stats."""

    track: I64
    name: I64
    start_ns: I64
    end_ns: I64
    stats: Sequence[Stat] = ()


class Sheet:
    """What is found, in the order in which it is to be shown: hosts, then devices."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.planes: list[Plane] = []
        self.tracks: list[Track] = []
        self.parts: list[Part] = []
        self.dropped: Counter[str] = Counter()
        self.notes: list[Message] = []

    def plane(self, plane: Plane) -> int:
        self.planes.append(plane)
        return len(self.planes) - 1

    def track(self, track: Track) -> int:
        self.tracks.append(track)
        return len(self.tracks) - 1

    def add(self, track: I64, name: I64, start_ns: I64, end_ns: I64, stats: Sequence[Stat] = ()) -> None:
        if len(track):
            self.parts.append(Part(track, name, start_ns, end_ns, stats))

    def count(self) -> int:
        return sum(len(part.track) for part in self.parts)

    def capture(self, format: Format, hostname: str, epoch_ns: int | None, warnings: Sequence[Message]) -> Capture:
        """epoch_ns: what is added to times to have them since the epoch; None where it is not known.

        The sheet is used up. Raises UnreadableError where this machine cannot hold the events.
        """
        start, end = (self._all(key) for key in ("start_ns", "end_ns"))
        kept = self._possible(start, end)
        base = int(start[kept].min()) if kept.any() else 0
        order, rank = self._order(start, end, kept)
        place = np.full(len(start), -1, np.int64)
        place[order] = np.arange(len(order))
        counts, room = self._counts(place, len(order))
        check_room(len(order), 0, room)
        track, name = rank[self._all("track")[order]].astype(np.int32), self._all("name")[order]
        strings = _Strings(self.texts, self._used(name))
        ends = np.cumsum(counts)
        stats = self._stats(place, ends - counts, room, strings)
        planes, tracks = self._planes(stats, strings), self._tracks(rank, track, strings)
        begin_ps, length_ps = (start[order] - base) * _PS, (end[order] - start[order]) * _PS
        nameless = np.full(len(order), -1, np.int32)
        names = strings.of(name).astype(np.int32)
        events = tables.Events(track, names, nameless, begin_ps, length_ps, ends - counts, ends)
        quality = Quality(
            len(order) + self.dropped.total(), len(order), dict(self.dropped), self._told(warnings, len(order))
        )
        rows, texts = stats.table(), Strings(strings.texts)
        kinds, sums = tables.Kinds.empty(), tables.Aggregates.empty()
        start_ns = None if epoch_ns is None or not 0 <= epoch_ns + base < _MOST else epoch_ns + base
        return Capture(
            format,
            DecoderKind.COMPILED,
            hostname,
            start_ns,
            planes,
            tracks,
            kinds,
            events,
            sums,
            rows,
            texts,
            (),
            (),
            quality,
            functools.partial(launches_in, texts, rows, kinds, events, sums),
        )

    def _all(self, key: str) -> I64:
        return np.concatenate([np.empty(0, np.int64), *(getattr(part, key) for part in self.parts)])

    def _possible(self, start: I64, end: I64) -> Mask:
        """Which events have times that can be; ends before begins become instants."""
        # The lowest number has no absolute value.
        sound = (start > -_MOST) & (start < _MOST) & (end > -_MOST) & (end < _MOST)
        middle = int(np.median(start[sound])) if sound.any() else 0
        sound &= (np.abs(start - middle) < _FAR_NS) & (end - middle < _FAR_NS)
        self.dropped["impossible_time"] += int(np.count_nonzero(~sound))
        negative = sound & (end < start)
        if negative.any():
            self.notes.append(message("negative_durations", n=int(np.count_nonzero(negative))))
        np.maximum(end, start, out=end)
        return sound

    def _order(self, start: I64, end: I64, kept: Mask) -> tuple[I64, I64]:
        """The events of each track by start, longer first; and the place of each track among all."""
        keys = [(t.plane, t.order, t.id, i) for i, t in enumerate(self.tracks)]
        rank = np.empty(len(keys), np.int64)
        rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        some = np.flatnonzero(kept)
        length = end[some] - start[some]
        order = some[np.lexsort((-length, start[some], rank[self._all("track")[some]]))]
        self.dropped += Counter()
        return order, rank

    def _counts(self, place: I64, events: int) -> tuple[I64, int]:
        """How many stats each event has, and how many there are with those of planes."""
        counts = np.zeros(events, np.int64)
        for at, _ in self._places(place):
            counts[at] += 1
        return counts, int(counts.sum()) + sum(len(plane.stats) for plane in self.planes)

    def _places(self, place: I64) -> list[tuple[I64, tuple[Stat, I64]]]:
        """Of each stat the places of the events that have it, itself, and which of its values they are."""
        found, first = [], 0
        for part in self.parts:
            for stat in part.stats:
                which = np.arange(len(part.track)) if stat.known is None else np.flatnonzero(stat.known)
                at = place[first + which]
                found.append((at[at >= 0], (stat, which[at >= 0])))
            first += len(part.track)
        return found

    def _used(self, names: I64) -> Mask:
        used = np.zeros(len(self.texts.bytes) + 1, bool)
        used[names] = True
        for part in self.parts:
            for stat in part.stats:
                if stat.kind == StatKind.TEXT:
                    used[stat.values if stat.known is None else stat.values[stat.known]] = True
        return used[:-1]

    def _stats(self, place: I64, free: I64, room: int, strings: _Strings) -> _StatRows:
        rows, free = _StatRows(room, strings), free.copy()
        for at, (stat, which) in self._places(place):
            values = stat.values[which]
            if stat.kind == StatKind.TEXT:
                values = strings.of(values)
            rows.put(free[at], strings.add(stat.key), stat.kind, values)
            free[at] += 1
        self.parts = []
        rows.count = room - sum(len(plane.stats) for plane in self.planes)
        return rows

    def _planes(self, stats: _StatRows, strings: _Strings) -> tables.Planes:
        rows = []
        for plane in self.planes:
            begin, end = stats.add(plane.stats)
            rows.append((strings.add(plane.name), plane.kind, strings.add(plane.vendor), plane.ordinal, begin, end))
        return table_of(tables.Planes, rows)

    def _tracks(self, rank: I64, track: I32, strings: _Strings) -> tables.Tracks:
        counts = np.bincount(track, minlength=len(self.tracks))
        ends = np.cumsum(counts)
        rows = []
        for place, i in enumerate(np.argsort(rank).tolist()):
            t, end = self.tracks[i], int(ends[place])
            rows.append((t.plane, t.id, strings.add(t.name), t.kind, t.order, end - int(counts[place]), end))
        return table_of(tables.Tracks, rows)

    def _told(self, warnings: Sequence[Message], events: int) -> tuple[Message, ...]:
        nothing = [] if events or self.dropped else [message("no_events")]
        return tuple(dict.fromkeys((*warnings, *nothing, *self.notes)))


class _Strings(Pool):
    """The texts of a capture: those that are used, and what is added. An id below 0 is that of the empty text."""

    def __init__(self, texts: Texts, used: Mask) -> None:
        super().__init__()
        self._new = np.zeros(len(texts.bytes) + 1, np.int64)
        for i in np.flatnonzero(used).tolist():
            self._new[i] = self.add(texts[i])

    def of(self, ids: I64) -> I64:
        return self._new[np.where(ids < 0, len(self._new) - 1, ids)]


class _StatRows:
    """All stats: those of events, then of planes as they are added."""

    def __init__(self, room: int, strings: _Strings) -> None:
        self.key, self.kind = np.empty(room, np.int32), np.empty(room, np.uint8)
        self.value, self.count, self.strings = np.empty(room, np.int64), 0, strings

    def put(self, at: I64 | int, key: int, kind: StatKind, value: I64 | int) -> None:
        self.key[at], self.kind[at], self.value[at] = key, kind, value

    def add(self, stats: Mapping[str, Value]) -> tuple[int, int]:
        begin = self.count
        for key, value in stats.items():
            if isinstance(value, str):
                self.put(self.count, self.strings.add(key), StatKind.TEXT, self.strings.add(value))
            elif isinstance(value, int):
                self.put(self.count, self.strings.add(key), StatKind.INT, value)
            else:
                self.put(self.count, self.strings.add(key), StatKind.DOUBLE, int(np.float64(value).view(np.int64)))
            self.count += 1
        return begin, self.count

    def table(self) -> tables.Stats:
        return tables.Stats(self.key, self.kind, self.value)
