"""Planes, tracks, events and stats as they are found, one by one → `Capture`; for files of few events."""

from __future__ import annotations

import dataclasses
import functools
import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from ... import tables
from ...formats import Format
from ...messages import Message
from ...tables import Capture, DecoderKind, PlaneKind, Quality, StatKind, TrackKind
from .launches import Launch, launches_in, launches_of
from .places import Pool, Track, Value

Row: TypeAlias = tuple[str, int, int, Mapping[str, Value], Launch | None]
SomeTable = TypeVar("SomeTable", bound=tables.Table)


@dataclasses.dataclass
class TrackRows(Track):
    """A track, and its rows: (name, start_ps, duration_ps, stats, launch), (name, occurrences, duration_ps, …)."""

    events: list[Row] = dataclasses.field(default_factory=list)
    aggregates: list[Row] = dataclasses.field(default_factory=list)

    def event(
        self,
        name: str,
        start_ps: int,
        duration_ps: int,
        stats: Mapping[str, Value] | None = None,
        launch: Launch | None = None,
    ) -> None:
        """launch: how a kernel was launched."""
        self.events.append((name, start_ps, duration_ps, stats or {}, launch))

    def aggregate(
        self, name: str, occurrences: int, duration_ps: int, stats: Mapping[str, Value], launch: Launch | None = None
    ) -> None:
        self.aggregates.append((name, occurrences, duration_ps, stats, launch))


class Builder:
    """What is added in the order to show it."""

    def __init__(self) -> None:
        self._strings = Pool()
        self._planes: list[tuple[str, PlaneKind, int, Mapping[str, Value]]] = []
        self._tracks: list[TrackRows] = []
        self._stats: list[tuple[int, int, int]] = []
        self._launches: dict[Launch, int] = {}

    def plane(self, name: str, kind: PlaneKind, ordinal: int = -1, stats: Mapping[str, Value] | None = None) -> int:
        self._planes.append((name, kind, ordinal, stats or {}))
        return len(self._planes) - 1

    def track(self, plane: int, id: int, name: str, kind: TrackKind) -> TrackRows:
        """Tracks of a plane are added after each other, planes in their order."""
        self._tracks.append(TrackRows(plane, id, name, kind, id))
        return self._tracks[-1]

    def capture(
        self,
        format: Format,
        hostname: str,
        start_ns: int | None,
        warnings: tuple[Message, ...],
        dropped: Mapping[str, int] | None = None,
    ) -> Capture:
        """dropped: how many events of the file are not in the tables, by code."""
        left_out = {reason: count for reason, count in (dropped or {}).items() if count}
        planes, tracks, kinds = self._plane_table(), self._track_table(), tables.Kinds.empty()
        (events, launched), (aggregates, summed) = self._event_table(), self._aggregate_table()
        stats, strings = table_of(tables.Stats, self._stats), tables.Strings(self._strings.texts)
        kept = len(events) + len(aggregates)
        return Capture(
            format,
            DecoderKind.COMPILED,
            hostname,
            start_ns,
            planes,
            tracks,
            kinds,
            events,
            aggregates,
            stats,
            strings,
            (),
            (),
            Quality(kept + sum(left_out.values()), kept, left_out, warnings),
            functools.partial(tables.KernelLaunches, launches_of(list(self._launches)), launched, summed)
            if self._launches
            else functools.partial(launches_in, strings, stats, kinds, events, aggregates),
        )

    def _stat_rows(self, stats: Mapping[str, Value]) -> tuple[int, int]:
        begin = len(self._stats)
        self._stats += [(self._strings.add(key), *self._stat(value)) for key, value in stats.items()]
        return begin, len(self._stats)

    def _stat(self, value: Value) -> tuple[int, int]:
        if isinstance(value, str):
            return StatKind.TEXT, self._strings.add(value)
        if isinstance(value, int):
            return StatKind.INT, value
        return StatKind.DOUBLE, int(struct.unpack("<q", struct.pack("<d", value))[0])

    def _plane_table(self) -> tables.Planes:
        rows = [
            (self._strings.add(name), kind, 0, ordinal, *self._stat_rows(stats))
            for name, kind, ordinal, stats in self._planes
        ]
        return table_of(tables.Planes, rows)

    def _track_table(self) -> tables.Tracks:
        rows, at = [], 0
        for t in self._tracks:
            rows.append((t.plane, t.id, self._strings.add(t.name), t.kind, t.order, at, at + len(t.events)))
            at += len(t.events)
        return table_of(tables.Tracks, rows)

    def _event_table(self) -> tuple[tables.Events, tables.Launched]:
        sorted_rows = [
            (i, row)
            for i, t in enumerate(self._tracks)
            for row in sorted(t.events, key=lambda event: (event[1], -event[2]))
        ]
        return self._rows(tables.Events, sorted_rows)

    def _aggregate_table(self) -> tuple[tables.Aggregates, tables.Launched]:
        return self._rows(tables.Aggregates, [(i, row) for i, t in enumerate(self._tracks) for row in t.aggregates])

    def _rows(self, kind: type[SomeTable], rows: list[tuple[int, Row]]) -> tuple[SomeTable, tables.Launched]:
        """Rows by track as a table, and which of them were launched how."""
        cells = [
            (track, self._strings.add(name), -1, first, second, *self._stat_rows(stats))
            for track, (name, first, second, stats, _) in rows
        ]
        launched = [
            (i, self._launches.setdefault(launch, len(self._launches)))
            for i, (_, (*_, launch)) in enumerate(rows)
            if launch is not None
        ]
        return table_of(kind, cells), table_of(tables.Launched, launched)


def table_of(kind: type[SomeTable], rows: Sequence[tuple[int, ...]]) -> SomeTable:
    """A table of rows whose cells are in the order of its columns."""
    values = np.array(rows, np.int64).reshape(len(rows), len(kind.COLUMNS)).T.copy()
    return kind.from_columns({column.name: values[i] for i, column in enumerate(kind.COLUMNS)})
