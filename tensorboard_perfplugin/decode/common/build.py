"""Planes, tracks, events and stats as they are found, one by one → `Capture`; for files of few events."""

from __future__ import annotations

import contextlib
import functools
import os
import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import msgspec
import numpy as np

from ... import tables, units
from ...errors import UnreadableError
from ...formats import Format
from ...messages import Message
from ...patterns import regex
from ...tables import Capture, DecoderKind, PlaneKind, Quality, StatKind, TrackKind
from .launches import Launch, launches_in, launches_of

# What captures are laid out from: texts by id, planes, tracks.

Value: TypeAlias = int | float | str


class Pool:
    """Texts by id, each once."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {"": 0}

    def add(self, text: str) -> int:
        return self._ids.setdefault(text, len(self._ids))

    @property
    def texts(self) -> list[str]:
        return list(self._ids)


class Plane(msgspec.Struct):
    """order: where planes are found in another order than they are shown in."""

    name: str
    kind: PlaneKind
    ordinal: int = -1
    vendor: str = ""
    order: tuple[int, str] = (0, "")
    stats: Mapping[str, Value] = msgspec.field(default_factory=dict)


class Track(msgspec.Struct):
    plane: int
    id: int
    name: str
    kind: TrackKind
    order: int = 0


Row: TypeAlias = tuple[str, int, int, Mapping[str, Value], Launch | None]
SomeTable = TypeVar("SomeTable", bound=tables.Table)


class TrackRows(Track):
    """A track, and its rows: (name, start_ps, duration_ps, stats, launch), (name, occurrences, duration_ps, …)."""

    events: list[Row] = msgspec.field(default_factory=list)
    aggregates: list[Row] = msgspec.field(default_factory=list)

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


# Names and ids as collectors write them → what a plane and a track stand for.

INT64_MAX = (1 << 63) - 1

PLANES = (
    (regex(r"/device:GPU:\d+"), PlaneKind.GPU),
    (regex(r"/device:TPU:\d+"), PlaneKind.TPU),
    (regex(r"/host:python-tracer"), PlaneKind.PYTHON),
    (regex(r"/host:(CPU|TPU-runtime|CUPTI|ROCTRACER|NVTX-CUPTI)|Host CPUs|Syscalls"), PlaneKind.CPU),
)
ORDINAL = regex(r"/device:[^:]+(?::[^:]+)*?:(\d{1,18})|#Chip(\d{1,18})")

ROW = regex(r" row \d+$")

#: First of the ids that mark lines derived from others, and how many there are. Hashed thread ids are 64 bits long, so
#: the whole number is compared.
DERIVED_ID, DERIVED_IDS = -559038737, 390
#: CUPTI's overhead that belongs to no stream has one of those ids, and is measured.
OVERHEAD_ID = DERIVED_ID + 6

#: On a TPU these lines are what the chip measured …
MEASURED = {"XLA Ops", "Async XLA Ops", "Sparse Core Ops"}
#: … and these repeat it, coarser or named otherwise.
REPEATED = {
    "Steps",
    "XLA Modules",
    "Framework Ops",
    "TensorFlow Ops",
    "Framework Name Scope",
    "TensorFlow Name Scope",
    "Source code",
    "Source Code",
    "Launch Stats",
    "Sparse Core Steps",
    "Sparse Core Modules",
    "Host Offload Ops",
}


def plane_kind(name: str) -> PlaneKind:
    """Custom devices and chips without cores are `other`: what they hold, other planes may hold again."""
    return next((kind for pattern, kind in PLANES if pattern.match(name)), PlaneKind.OTHER)


def plane_ordinal(name: str) -> int:
    match = ORDINAL.match(name)
    return int(match[1] or match[2]) if match else -1


def track_kind(plane: PlaneKind, id: int, name: str) -> TrackKind:
    """What a line of a plane of that kind stands for."""
    if name == "_counters_" or id == INT64_MAX:
        return TrackKind.COUNTER
    if id == OVERHEAD_ID or name == "CUPTI overhead":
        return TrackKind.OTHER
    if DERIVED_ID <= id < DERIVED_ID + DERIVED_IDS:
        return TrackKind.DERIVED
    if plane in (PlaneKind.CPU, PlaneKind.PYTHON):
        return TrackKind.THREAD
    if plane.is_device:
        return _device_track(plane, ROW.sub("", name))
    return TrackKind.OTHER


def _device_track(plane: PlaneKind, name: str) -> TrackKind:
    if plane == PlaneKind.GPU:
        return TrackKind.DERIVED if name in MEASURED or name in REPEATED else TrackKind.STREAM
    if name in REPEATED:
        return TrackKind.DERIVED
    return TrackKind.STREAM if name in MEASURED else TrackKind.OTHER


# How many rows a capture has → an error, where this machine cannot hold them.

#: Rows are numbered with 32 bits.
MAX_EVENTS = (1 << 31) - 1
#: Where a container's limit stands: cgroups of version 2 and 1.
LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_room(events: int, aggregates: int, stats: int) -> None:
    """Raises UnreadableError where the columns would take more than half of the memory: tools need half as much again.

    A file may hold an event in two bytes, which takes 44 here.
    """
    rows = ((tables.Events, events), (tables.Aggregates, aggregates), (tables.Stats, stats))
    needed = sum(count * np.dtype(column.dtype).itemsize for table, count in rows for column in table.COLUMNS)
    memory = memory_bytes()
    if events + aggregates > MAX_EVENTS or needed > memory // 2:
        raise UnreadableError(
            f"The capture has {units.count(events + aggregates, 'event')} and {units.count(stats, 'stat')}, which need "
            f"{units.memory(needed)} of memory; this machine has {units.memory(memory)}. Take a shorter capture."
        )


def memory_bytes() -> int:
    """Of the machine, or of the container where that is less; half of the address space where neither is known."""
    limits = [1 << 62]
    if hasattr(os, "sysconf"):
        with contextlib.suppress(ValueError, OSError):
            limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in LIMIT_FILES:
        # "max" is no number.
        with contextlib.suppress(ValueError, OSError), open(path) as file:
            limits.append(int(file.read(100)))
    return min(limit for limit in limits if limit > 0)
