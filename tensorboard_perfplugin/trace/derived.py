"""Derived lines of devices, and the critical path of a host, as tracks of the trace: beside those of the capture, and
numbered beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..analysis.path.path import Kind, Path, Side, path_of
from ..tables import (
    I64,
    U8,
    Aggregates,
    Capture,
    Events,
    Kinds,
    Mask,
    Planes,
    Quality,
    Stats,
    Strings,
    TrackKind,
    Tracks,
)
from ..timeline.lines.lines import KEYS, TITLES, lines_of
from ..timeline.lines.scopes import Line
from ..timeline.timeline import CATEGORIES, Timeline, cached, held_bytes
from .counters import track_count
from .lanes import NONE, Categories, shown_ids

# A timeline → its derived lines as a timeline of their own, whose rows and tracks are numbered beyond the capture's.
#
# What asks for slices, hits, sums or an export of them puts the same question to that timeline. Made when first asked
# for: 0.3 s of two million kernels.


class Derived:
    """timeline: of the derived tracks alone, on the planes of the capture. keys: by track which line it is.

    first_track, first_row: what is added to its tracks and rows in answers.
    """

    def __init__(self, base: Timeline) -> None:
        self.base = base
        self.first_track, self.first_row = track_count(base), len(base.capture.events)
        lines, path = lines_of(base), path_of(base, "auto")
        self._path = path_line(base, path) if path else None
        if self._path:
            lines.append(self._path.line)
        self.keys = [line.key for line in lines]
        self._under = [(line.first, line.until, line.kernels, line.cut) for line in lines]
        self.timeline = Timeline(_capture(base.capture, lines), base.host)
        category = np.full(len(self.timeline.capture.events), NONE, np.uint8)
        if self._path:
            # The path is the last track.
            category[len(category) - len(self._path.category) :] = self._path.category
        self.timeline.remember(Categories, lambda: Categories(self.timeline, category))

    @property
    def nbytes(self) -> int:
        """Memory beside the base's."""
        arrays = {id(column): column for columns in self._under for column in columns}
        events = held_bytes(self.timeline.capture.events) + self.timeline.derived_bytes
        return sum(column.nbytes for column in arrays.values()) + events

    @property
    def count(self) -> int:
        """How many tracks."""
        return len(self.keys)

    def tracks(self, chosen: I64) -> I64:
        """Of numbers in answers those of derived tracks, as its own."""
        own = chosen - self.first_track
        return own[(own >= 0) & (own < self.count)]

    def under(self, row: int) -> I64:
        """The rows of the capture under one of its events, by begin."""
        track, place = self._place(row)
        first, until, kernels, _ = self._under[track]
        return kernels[int(first[place]) : int(until[place])].astype(np.int64)

    def is_cut(self, row: int) -> bool:
        """Whether one of its events ends before its last kernel does."""
        track, place = self._place(row)
        return bool(self._under[track][3][place])

    def on_path(self, row: int) -> OnPath | None:
        """What the critical path is in one of its events; None of those of other tracks."""
        track, place = self._place(row)
        if self._path is None or self.keys[track] != PATH:
            return None
        path = self._path
        category, kind = CATEGORIES[path.category[place]], Kind(int(path.kind[place]))
        return OnPath(category.key, kind, bool(path.inferred[place]))

    def _place(self, row: int) -> tuple[int, int]:
        track = int(self.timeline.capture.events.track[row])
        return track, row - int(self.timeline.capture.tracks.events_begin[track])


PATH = "critical_path"


class OnPath(NamedTuple):
    """category: its key. inferred: whether only the order in time shows what the path goes on to before it."""

    category: str
    kind: Kind
    inferred: bool


class PathLine(NamedTuple):
    """The critical path as a line, and of each event on it what it is there."""

    line: Line
    category: U8
    kind: U8
    inferred: Mask


def path_line(base: Timeline, path: Path) -> PathLine:
    """Neighbours of one event, category and kind make an event; it is called as that, else as its category."""
    capture = base.capture
    new = np.ones(len(path), bool)
    new[1:] = (np.diff(path.row) != 0) | (path.category[1:] != path.category[:-1]) | (path.kind[1:] != path.kind[:-1])
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(path)) - 1
    row, category = path.row[first], path.category[first]
    known = row >= 0
    # Names of events, then those of categories.
    strings, shown = len(capture.strings), shown_ids(capture, np.maximum(row, 0))
    used, name = np.unique(np.where(known, shown, strings + category.astype(np.int64)), return_inverse=True)
    names = [capture.strings[i] if i < strings else CATEGORIES[i - strings].title for i in used.tolist()]
    until = np.cumsum(known).astype(np.int32)
    main = np.flatnonzero((path.side == Side.MAIN) & (path.row >= 0))
    at = int(path.row[main[0]]) if len(main) else int(path.row.max())
    line = Line(
        plane=int(capture.tracks.plane[capture.events.track[at]]),
        key=PATH,
        names=names,
        name=name.reshape(-1).astype(np.int32),
        begin_ps=path.begin[first],
        end_ps=path.end[last],
        depth=np.zeros(len(first), np.int32),
        first=until - known.astype(np.int32),
        until=until,
        cut=np.zeros(len(first), bool),
        kernels=row[known],
    )
    return PathLine(line, category, path.kind[first], np.maximum.reduceat(path.inferred, first))


def derived_of(timeline: Timeline) -> Derived:
    """The timeline's derived tracks, kept as long as it is."""
    return cached(timeline, Derived)


def tracks_max(timeline: Timeline) -> int:
    """More derived tracks there are not, whatever is known of them so far."""
    return len(KEYS) * len(timeline.capture.planes)


def _capture(base: Capture, lines: Sequence[Line]) -> Capture:
    """The lines as tracks. Of what the base says of its planes only what a drawing needs."""
    texts: dict[str, int] = {"": 0}

    def ids(some: Sequence[str]) -> list[int]:
        return [texts.setdefault(text, len(texts)) for text in some]

    n = len(base.planes)
    planes = Planes(
        np.array(ids(base.strings.texts(base.planes.name)), np.int32),
        base.planes.kind,
        np.zeros(n, np.int32),
        base.planes.ordinal,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )
    sizes = [len(line.name) for line in lines]
    until = np.cumsum([0, *sizes])
    tracks = Tracks(
        np.array([line.plane for line in lines], np.int32),
        np.array([KEYS.index(line.key) for line in lines], np.int64),
        np.array(ids([TITLES[line.key] for line in lines]), np.int32),
        np.full(len(lines), TrackKind.DERIVED, np.uint8),
        np.arange(len(lines)),
        until[:-1],
        until[1:],
    )
    total = int(until[-1])
    nothing = np.broadcast_to(np.int64(0), total)
    names = [np.array(ids(line.names), np.int32)[line.name] if len(line.name) else line.depth for line in lines]
    events = Events(
        np.repeat(np.arange(len(lines), dtype=np.int32), sizes),
        np.concatenate([np.empty(0, np.int32), *names]),
        np.broadcast_to(np.int32(-1), total),
        np.concatenate([np.empty(0, np.int64), *(line.begin_ps for line in lines)]),
        np.concatenate([np.empty(0, np.int64), *(line.end_ps - line.begin_ps for line in lines)]),
        nothing,
        nothing,
    )
    return Capture(
        format=base.format,
        decoder=base.decoder,
        hostname=base.hostname,
        start_ns=base.start_ns,
        planes=planes,
        tracks=tracks,
        kinds=Kinds.empty(),
        events=events,
        aggregates=Aggregates.empty(),
        stats=Stats.empty(),
        strings=Strings(texts),
        blobs=(),
        errors=(),
        quality=Quality(total, total),
    )
