"""Planes, tracks, events and stats as they are found, one by one → `Capture`; for files of few events."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from ... import tables
from ...tables import Capture, PlaneKind, Quality, StatKind, TrackKind

Value: TypeAlias = int | float | str
SomeTable = TypeVar("SomeTable", bound=tables.Table)


@dataclasses.dataclass
class Track:
    """A track, and its rows: (name, start_ps, duration_ps, stats) and (name, occurrences, duration_ps, stats)."""

    plane: int
    id: int
    name: str
    kind: TrackKind
    events: list[tuple[str, int, int, Mapping[str, Value]]] = dataclasses.field(default_factory=list)
    aggregates: list[tuple[str, int, int, Mapping[str, Value]]] = dataclasses.field(default_factory=list)

    def event(self, name: str, start_ps: int, duration_ps: int, stats: Mapping[str, Value] | None = None) -> None:
        self.events.append((name, start_ps, duration_ps, stats or {}))

    def aggregate(self, name: str, occurrences: int, duration_ps: int, stats: Mapping[str, Value]) -> None:
        self.aggregates.append((name, occurrences, duration_ps, stats))


class Builder:
    """What is added in the order to show it."""

    def __init__(self) -> None:
        self._strings: dict[str, int] = {"": 0}
        self._planes: list[tuple[str, PlaneKind, int, Mapping[str, Value]]] = []
        self._tracks: list[Track] = []
        self._stats: list[tuple[int, int, int]] = []

    def plane(self, name: str, kind: PlaneKind, ordinal: int = -1, stats: Mapping[str, Value] | None = None) -> int:
        self._planes.append((name, kind, ordinal, stats or {}))
        return len(self._planes) - 1

    def track(self, plane: int, id: int, name: str, kind: TrackKind) -> Track:
        """Tracks of a plane are added after each other, planes in their order."""
        self._tracks.append(Track(plane, id, name, kind))
        return self._tracks[-1]

    def capture(
        self,
        format: str,
        hostname: str,
        start_ns: int | None,
        warnings: tuple[str, ...],
        dropped: Mapping[str, int] | None = None,
    ) -> Capture:
        """dropped: how many events of the file are not in the tables, by reason."""
        left_out = {reason: count for reason, count in (dropped or {}).items() if count}
        planes = self._plane_table()
        events, aggregates = self._event_table(), self._aggregate_table()
        kept = len(events) + len(aggregates)
        return Capture(
            format,
            "compiled",
            hostname,
            start_ns,
            planes,
            self._track_table(),
            table_of(tables.Kinds, []),
            events,
            aggregates,
            table_of(tables.Stats, self._stats),
            tables.Strings(self._strings),
            (),
            (),
            Quality(kept + sum(left_out.values()), kept, left_out, warnings),
        )

    def _string(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))

    def _stat_rows(self, stats: Mapping[str, Value]) -> tuple[int, int]:
        begin = len(self._stats)
        self._stats += [(self._string(key), *self._stat(value)) for key, value in stats.items()]
        return begin, len(self._stats)

    def _stat(self, value: Value) -> tuple[int, int]:
        if isinstance(value, str):
            return StatKind.TEXT, self._string(value)
        if isinstance(value, int):
            return StatKind.INT, value
        return StatKind.DOUBLE, int(struct.unpack("<q", struct.pack("<d", value))[0])

    def _plane_table(self) -> tables.Planes:
        rows = [
            (self._string(name), kind, 0, ordinal, *self._stat_rows(stats))
            for name, kind, ordinal, stats in self._planes
        ]
        return table_of(tables.Planes, rows)

    def _track_table(self) -> tables.Tracks:
        rows, at = [], 0
        for t in self._tracks:
            rows.append((t.plane, t.id, self._string(t.name), t.kind, t.id, at, at + len(t.events)))
            at += len(t.events)
        return table_of(tables.Tracks, rows)

    def _event_table(self) -> tables.Events:
        rows = [
            (i, self._string(name), -1, start, duration, *self._stat_rows(stats))
            for i, t in enumerate(self._tracks)
            for name, start, duration, stats in sorted(t.events, key=lambda event: (event[1], -event[2]))
        ]
        return table_of(tables.Events, rows)

    def _aggregate_table(self) -> tables.Aggregates:
        rows = [
            (i, self._string(name), -1, occurrences, duration, *self._stat_rows(stats))
            for i, t in enumerate(self._tracks)
            for name, occurrences, duration, stats in t.aggregates
        ]
        return table_of(tables.Aggregates, rows)


def table_of(kind: type[SomeTable], rows: Sequence[tuple[int, ...]]) -> SomeTable:
    """A table of rows whose cells are in the order of its columns."""
    values = np.array(rows, np.int64).reshape(len(rows), len(kind.COLUMNS)).T.copy()
    return kind.from_columns({column.name: values[i] for i, column in enumerate(kind.COLUMNS)})
