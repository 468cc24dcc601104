"""Texts, planes, tracks and stats → the tables of a `Capture`; of files of few events also these, one by one."""

from __future__ import annotations

import contextlib
import functools
import os
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ... import tables, units
from ...errors import UnreadableError
from ...formats import Format
from ...messages import Message
from ...patterns import regex
from ...tables import I64, Capture, DecoderKind, PlaneKind, Quality, StatKind, TrackKind
from .launches import Launch, launches_in, launches_of

# What captures are laid out from: texts by id, planes, tracks.

Value: TypeAlias = int | float | str


class Pool:
    """Texts by id, each once."""

    def __init__(self, texts: Iterable[str] = ("",)) -> None:
        self.texts = list(texts)
        self.ids = {text: i for i, text in enumerate(self.texts)}

    def add(self, text: str) -> int:
        index = self.ids.get(text)
        if index is None:
            index = self.ids[text] = len(self.texts)
            self.texts.append(text)
        return index

    def add_all(self, texts: Iterable[str]) -> I64:
        return np.array([self.add(text) for text in texts], np.int64)


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


def encoded(value: Value, pool: Pool) -> tuple[StatKind, int]:
    """A stat's kind and value; a whole number beyond 64 bits is the nearest that is none."""
    if isinstance(value, str):
        return StatKind.TEXT, pool.add(value)
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return StatKind.INT, value
    number = float(min(max(value, -(10**300)), 10**300)) if isinstance(value, int) else value
    return StatKind.DOUBLE, int(struct.unpack("<q", struct.pack("<d", number))[0])


class StatRows:
    """The table of stats as it is filled; `add` goes on from `count`. room: how many there will be."""

    def __init__(self, pool: Pool, room: int = 0) -> None:
        self.key, self.kind = np.empty(room, np.int32), np.empty(room, np.uint8)
        self.value, self.count, self.pool = np.empty(room, np.int64), 0, pool

    def put(self, at: Any, key: Any, kind: Any, value: Any) -> None:
        self.key[at], self.kind[at], self.value[at] = key, kind, value

    def add(self, stats: Mapping[str, Value]) -> tuple[int, int]:
        """Where they begin and end."""
        begin = self.count
        for key, value in stats.items():
            self.put(self.count, self.pool.add(key), *encoded(value, self.pool))
            self.count += 1
        return begin, self.count

    def table(self) -> tables.Stats:
        assert self.count == len(self.key), self.count
        return tables.Stats(self.key, self.kind, self.value)


def inverse(order: Sequence[int] | I64) -> I64:
    """The place of each number in an order of all."""
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


class Shown:
    """Planes, and tracks of these, in the order in which they are shown. rank: by track as it was given its place."""

    def __init__(self, planes: Sequence[Plane], tracks: Sequence[Track]) -> None:
        order = sorted(range(len(planes)), key=lambda i: planes[i].order)
        plane = inverse(order).tolist()
        self.planes = [planes[i] for i in order]
        of_tracks = sorted(range(len(tracks)), key=lambda i: (plane[tracks[i].plane], tracks[i].order, tracks[i].id))
        self.tracks = [structs.replace(tracks[i], plane=plane[tracks[i].plane]) for i in of_tracks]
        self.rank = inverse(of_tracks)


def event_order(track: NDArray[np.integer[Any]], start: I64, length: I64) -> I64:
    """Events of each track by start, longer first. Most files have them so but for the tracks, which are few."""
    if len(track) and track.min() >= 0 and track.max() < 1 << 16:
        # Of 16 bits they are not compared but counted.
        order = np.argsort(track.astype(np.uint16), kind="stable")
        on, at, takes = track[order], start[order], length[order]
        later = (at[1:] > at[:-1]) | ((at[1:] == at[:-1]) & (takes[1:] <= takes[:-1]))
        if (later | (on[1:] > on[:-1])).all():
            return order
    return np.lexsort((-length, start, track))


def plane_table(planes: Sequence[Plane], stats: StatRows) -> tables.Planes:
    rows = []
    for plane in planes:
        begin, end = stats.add(plane.stats)
        name, vendor = stats.pool.add(plane.name), stats.pool.add(plane.vendor)
        rows.append((name, plane.kind, vendor, plane.ordinal, begin, end))
    return table_of(tables.Planes, rows)


def track_table(tracks: Sequence[Track], events: Sequence[int] | I64, pool: Pool) -> tables.Tracks:
    """events: how many each track has."""
    rows, end = [], 0
    for t, count in zip(tracks, np.asarray(events).tolist(), strict=True):
        rows.append((t.plane, t.id, pool.add(t.name), t.kind, t.order, end, end + count))
        end += count
    return table_of(tables.Tracks, rows)


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
        self._planes: list[Plane] = []
        self._tracks: list[TrackRows] = []
        self._launches: dict[Launch, int] = {}

    def plane(self, name: str, kind: PlaneKind, ordinal: int = -1, stats: Mapping[str, Value] | None = None) -> int:
        self._planes.append(Plane(name, kind, ordinal, stats=stats or {}))
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
        rows = [row for t in self._tracks for row in (*t.events, *t.aggregates)]
        room = sum(len(plane.stats) for plane in self._planes) + sum(len(stats) for _, _, _, stats, _ in rows)
        stat_rows = StatRows(self._strings, room)
        planes, kinds = plane_table(self._planes, stat_rows), tables.Kinds.empty()
        tracks = track_table(self._tracks, [len(t.events) for t in self._tracks], self._strings)
        events, launched = self._rows(tables.Events, [sorted(t.events, key=_by_time) for t in self._tracks], stat_rows)
        aggregates, summed = self._rows(tables.Aggregates, [t.aggregates for t in self._tracks], stat_rows)
        stats, strings = stat_rows.table(), tables.Strings(self._strings.texts)
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

    def _rows(
        self, kind: type[SomeTable], of_tracks: Sequence[Sequence[Row]], stats: StatRows
    ) -> tuple[SomeTable, tables.Launched]:
        """Rows by track as a table, and which of them were launched how."""
        rows = [(track, row) for track, of_track in enumerate(of_tracks) for row in of_track]
        cells = [
            (track, self._strings.add(name), -1, first, second, *stats.add(of_row))
            for track, (name, first, second, of_row, _) in rows
        ]
        launched = [
            (i, self._launches.setdefault(launch, len(self._launches)))
            for i, (_, (*_, launch)) in enumerate(rows)
            if launch is not None
        ]
        return table_of(kind, cells), table_of(tables.Launched, launched)


def _by_time(event: Row) -> tuple[int, int]:
    """Longer ones first."""
    return event[1], -event[2]


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


#: How much memory a user allows, as `4GB`: also to the processes that read many hosts.
MEMORY_VARIABLE = "PERFPLUGIN_MEMORY"


#: The peak of an overview in halves of the columns, the file included: of 50 million events 8.3 GB, of 3.8 of columns.
_ANSWERED = 5


def check_room(events: int, aggregates: int, stats: int) -> None:
    """Raises UnreadableError where an overview of the capture would take more than the memory.

    A file may hold an event in two bytes, which takes 44 here.
    """
    rows = ((tables.Events, events), (tables.Aggregates, aggregates), (tables.Stats, stats))
    columns = sum(count * np.dtype(column.dtype).itemsize for table, count in rows for column in table.COLUMNS)
    needed, memory = _ANSWERED * columns // 2, memory_bytes()
    if events + aggregates > MAX_EVENTS or needed > memory:
        raise UnreadableError(
            f"The capture has {units.count(events + aggregates, 'event')} and {units.count(stats, 'stat')}, which need "
            f"{units.memory(needed)} of memory; {_whose_memory()} {units.memory(memory)}. Take a shorter capture."
        )


def _whose_memory() -> str:
    return f"{MEMORY_VARIABLE} allows" if os.environ.get(MEMORY_VARIABLE) else "this machine has"


def memory_bytes() -> int:
    """Of the machine, of the container, or what a user allows, the least of them; half of the address space where none
    is known."""
    limits = [1 << 62, units.written_bytes(os.environ.get(MEMORY_VARIABLE, "")) or 1 << 62]
    if hasattr(os, "sysconf"):
        with contextlib.suppress(ValueError, OSError):
            limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in LIMIT_FILES:
        # "max" is no number.
        with contextlib.suppress(ValueError, OSError), open(path) as file:
            limits.append(int(file.read(100)))
    return min(limit for limit in limits if limit > 0)
