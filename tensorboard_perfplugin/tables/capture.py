"""`Capture`: what one profiler file says, as columns. Decoders build it; everything after only reads it."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from ..formats import Capabilities, Format
from ..messages import Message
from .allocator import Allocator
from .arrays import I32 as I32
from .arrays import I64 as I64
from .arrays import U8 as U8
from .arrays import AnyArray, among
from .columns import Table, column
from .launches import KernelLaunches

#: Arrays of so many rows fit the processor's cache; making millions of rows anew takes longer than filling them.
_CHUNK = 1 << 15
#: Name of a track of steps that somebody else measured and divided: each event's `<part>_ps` stats are its parts.
RECORDED_STEPS = "Steps, as recorded"
#: Stat of a host event that launched an op on a device of which the capture holds nothing: that device's number.
LAUNCHES_FOR = "launches_for_device"
#: Stats of an aggregate that is all executions of an op: its type, its self time, and where: host, device, input.
RECORDED_TYPE, RECORDED_SELF_PS, RECORDED_SIDE = "op_type", "self_ps", "side"
#: Stats of an aggregate that is memory in use, allocated by one call stack: how much, what it holds (`buffer`,
#: `executable`), and on which device, as the program calls it; both empty where the file does not say.
HEAP_BYTES, HEAP_KIND, HEAP_DEVICE = "heap_bytes", "heap_kind", "heap_device"
#: One such stat a frame, outermost first: function, file and line with tabs between; empty, or 0, where unknown.
HEAP_FRAME = "heap_frame"
#: Stat of an aggregate that is memory in use when an allocator held most, as somebody else found: always 1, beside
#: `allocator_name`, `allocation_bytes` and `requested_bytes` of one occurrence, `region_type` …
RECORDED_PEAK = "at_recorded_peak"
#: Stats of an aggregate that is all calls of a Python function, whose length is what it took with all that it called:
#: what and where it is, the calls that none of its own calls led to, and, as `RECORDED_SELF_PS`, its own time.
FUNCTION_NAME, FUNCTION_FILE, FUNCTION_LINE, PRIMITIVE_CALLS = "function", "file", "line", "primitive_calls"
#: Of one that is the calls from another function: the rows of both in `aggregates`.
CALLER_ROW, CALLED_ROW = "caller_row", "called_row"


class PlaneKind(enum.IntEnum):
    """What a plane stands for."""

    OTHER = 0
    CPU = 1
    GPU = 2
    TPU = 3
    PYTHON = 4

    @property
    def is_device(self) -> bool:
        return self in (PlaneKind.GPU, PlaneKind.TPU)


class TrackKind(enum.IntEnum):
    """What a track stands for."""

    OTHER = 0
    THREAD = 1
    STREAM = 2
    #: Made from other tracks by the collector or by a reader (steps, modules, ops, name scopes): never counted twice.
    DERIVED = 3
    COUNTER = 4


class StatKind(enum.IntEnum):
    """How the 64 bits of `stats.value` are to be read."""

    NONE = 0
    INT = 1
    UINT = 2
    #: IEEE double, same bits.
    DOUBLE = 3
    #: String id. Interned and inline text are the same thing here.
    TEXT = 4
    #: Row of `Capture.blobs`.
    BYTES = 5


class DecoderKind(str, enum.Enum):
    """What read a file: the best there is for its format, or what stands in where nothing is compiled."""

    COMPILED = "compiled"
    #: XPlane by the protobuf runtime.
    PROTOBUF = "protobuf"
    #: Trace events by msgspec, event by event; packets and pickles by the same loops in Python.
    PLAIN = "plain"

    def __str__(self) -> str:
        return str(self._value_)


@dataclasses.dataclass(frozen=True, eq=False)
class Planes(Table):
    """A row is a device or a host."""

    name: I32 = column("int32", "id", "Name as in the file, a string id.")
    kind: U8 = column("uint8", "", "PlaneKind: other, cpu, gpu, tpu, python.")
    vendor: I32 = column("int32", "id", "Vendor of the device, a string id; empty where the capture does not say.")
    ordinal: I64 = column("int64", "", "Number of the device among its kind; -1 where it has none.")
    stats_begin: I64 = column("int64", "", "First row in `stats` of the plane's attributes.")
    stats_end: I64 = column("int64", "", "One past the last row in `stats` of the plane's attributes.")


@dataclasses.dataclass(frozen=True, eq=False)
class Tracks(Table):
    """A row is a thread, a stream or a derived line. Lines of one plane with one id are one track."""

    plane: I32 = column("int32", "", "Row of its plane.")
    id: I64 = column("int64", "id", "Thread id, stream id or derived id, as in the file.")
    name: I32 = column("int32", "id", "Name to show, a string id.")
    kind: U8 = column("uint8", "", "TrackKind: other, thread, stream, derived, counter.")
    order: I64 = column("int64", "", "Sort key among the tracks of a plane, as the file gives it.")
    events_begin: I64 = column("int64", "", "First row in `events`.")
    events_end: I64 = column("int64", "", "One past the last row in `events`.")


@dataclasses.dataclass(frozen=True, eq=False)
class Kinds(Table):
    """A row is a kind of event: what all its executions have in common (XPlane: event metadata)."""

    plane: I32 = column("int32", "", "Row of its plane.")
    name: I32 = column("int32", "id", "Full name, a string id.")
    label: I32 = column("int32", "id", "Short name to show, a string id; empty where there is none.")
    stats_begin: I64 = column("int64", "", "First row in `stats` that holds for every event of this kind.")
    stats_end: I64 = column("int64", "", "One past the last such row.")


@dataclasses.dataclass(frozen=True, eq=False)
class Events(Table):
    """A row is something that ran, or happened. Rows of a track are adjacent, by start, longer first."""

    track: I32 = column("int32", "", "Row of its track.")
    name: I32 = column("int32", "id", "Full name, a string id.")
    kind: I32 = column("int32", "", "Row of its kind; -1 where the file gives none.")
    start_ps: I64 = column("int64", "ps", "Begin, from the capture's start.")
    duration_ps: I64 = column("int64", "ps", "Length; 0 is an instant.")
    stats_begin: I64 = column("int64", "", "First row in `stats` of this event.")
    stats_end: I64 = column("int64", "", "One past the last row in `stats` of this event.")


@dataclasses.dataclass(frozen=True, eq=False)
class Aggregates(Table):
    """A row is many executions of which only number and total time are known: it has no place on a timeline."""

    track: I32 = column("int32", "", "Row of its track.")
    name: I32 = column("int32", "id", "Full name, a string id.")
    kind: I32 = column("int32", "", "Row of its kind; -1 where the file gives none.")
    occurrences: I64 = column("int64", "count", "How many executions.")
    duration_ps: I64 = column("int64", "ps", "Their total length.")
    stats_begin: I64 = column("int64", "", "First row in `stats`.")
    stats_end: I64 = column("int64", "", "One past the last row in `stats`.")


@dataclasses.dataclass(frozen=True, eq=False)
class Stats(Table):
    """A row is one key = value, of an event, a kind or a plane."""

    key: I32 = column("int32", "id", "Name of the stat, a string id.")
    kind: U8 = column("uint8", "", "StatKind: how `value` is to be read.")
    value: I64 = column("int64", "", "64 bits: an integer, a double's bits, a string id or a row of blobs.")


class Strings(Sequence[str]):
    """Distinct texts by id. Id 0 is the empty string."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)
        if not self._texts or self._texts[0] != "":
            raise ValueError("string 0 must be empty")

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._texts[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {text: i for i, text in enumerate(self._texts)}

    def find(self, text: str) -> int:
        """The id of a text, or -1."""
        return self._ids.get(text, -1)

    def texts(self, ids: AnyArray) -> list[str]:
        """The texts of an array of ids."""
        texts = self._texts
        return [texts[i] for i in ids.tolist()]


@dataclasses.dataclass(frozen=True)
class Quality:
    """What became of everything that the file held. `events_in_file = events_kept + Σ dropped`.

    dropped: number of events by the code of why. warnings: each once. `advice.text` has the words of both.
    """

    events_in_file: int = 0
    events_kept: int = 0
    dropped: dict[str, int] = dataclasses.field(default_factory=dict)
    warnings: tuple[Message, ...] = ()

    def __add__(self, other: Quality) -> Quality:
        dropped = dict(self.dropped)
        for code, count in other.dropped.items():
            dropped[code] = dropped.get(code, 0) + count
        return Quality(
            self.events_in_file + other.events_in_file,
            self.events_kept + other.events_kept,
            dropped,
            tuple(dict.fromkeys(self.warnings + other.warnings)),
        )

    def check(self) -> None:
        assert self.events_in_file == self.events_kept + sum(self.dropped.values()), self


@dataclasses.dataclass(frozen=True, eq=False)
class Capture:
    """One host's profile.

    Times are integers in picoseconds from `start_ns`; that is in nanoseconds since the epoch, or None where the
    file gives only relative times.
    """

    format: Format
    decoder: DecoderKind
    hostname: str
    start_ns: int | None
    planes: Planes
    tracks: Tracks
    kinds: Kinds
    events: Events
    aggregates: Aggregates
    stats: Stats
    strings: Strings
    blobs: tuple[bytes, ...]
    errors: tuple[str, ...]
    quality: Quality
    #: What the decoder knows of launches, looked for when it is first asked for: it takes 0.1 s of a million kernels.
    find_launches: Callable[[], KernelLaunches] = KernelLaunches.none
    #: What a caching allocator has reserved when the file was written; None of files that do not show it.
    allocator: Allocator | None = None

    @cached_property
    def kernel_launches(self) -> KernelLaunches:
        """How kernels were launched: grid, block, registers, shared memory (bytes), occupancy (percent).

        `kernel_launches.events.launch_of(rows)` gives of some events the row of `kernel_launches.launches`, -1 where
        the file gives none; `.aggregates.launch_of(rows)` of some aggregates.
        """
        return self.find_launches()

    @property
    def capabilities(self) -> Capabilities:
        """What a capture of this format can show."""
        return self.format.capabilities

    @property
    def nbytes(self) -> int:
        """Memory held by the arrays and blobs, for caches that are bounded in bytes."""
        tables: tuple[Table, ...] = (self.planes, self.tracks, self.kinds, self.events, self.aggregates, self.stats)
        if "kernel_launches" in vars(self):
            tables += self.kernel_launches.tables
        arrays = sum(a.nbytes for t in tables for a in t.columns().values())
        allocator = self.allocator.nbytes if self.allocator else 0
        return arrays + allocator + sum(map(len, self.blobs)) + 100 * len(self.strings)

    def tracks_of(self, plane: int) -> I64:
        """The tracks of a plane, ascending."""
        first, tracks = self._tracks_by_plane
        return tracks[first[plane] : first[plane + 1]]

    @cached_property
    def _tracks_by_plane(self) -> tuple[I64, I64]:
        """By plane its first place among the tracks sorted by plane, and these."""
        count = np.bincount(self.tracks.plane, minlength=len(self.planes))
        return np.concatenate(([0], np.cumsum(count))), np.argsort(self.tracks.plane, kind="stable")

    @cached_property
    def span_ps(self) -> tuple[int, int]:
        """Begin of the first and end of the last event that has a time; (0, 0) without events."""
        if not len(self.events):
            return 0, 0
        start, duration, n = self.events.start_ps, self.events.duration_ps, len(self.events)
        ends = (int((start[at : at + _CHUNK] + duration[at : at + _CHUNK]).max()) for at in range(0, n, _CHUNK))
        return int(start.min()), max(ends)

    @cached_property
    def names_used(self) -> I64:
        """The ids of the strings that are names of events, ascending."""
        used = np.zeros(len(self.strings), bool)
        used[self.events.name] = True
        return np.flatnonzero(used)

    @cached_property
    def _texts_used(self) -> list[tuple[int, str]]:
        return [(i, self.strings[i]) for i in self.names_used.tolist()]

    def events_named(self, pattern: re.Pattern[str]) -> I64:
        """The rows of the events whose whole name matches, ascending."""
        names = [i for i, text in self._texts_used if pattern.fullmatch(text)]
        return np.flatnonzero(among(self.events.name, names)) if names else np.empty(0, np.int64)

    def event_name(self, row: int) -> str:
        return self.strings[int(self.events.name[row])]

    def values(self, begin: int, end: int) -> list[tuple[str, int | float | str | bytes | None]]:
        """The stats in rows begin to end, as (key, value) pairs in file order."""
        return [
            (self.strings[key], self._value(kind, value))
            for key, kind, value in zip(
                self.stats.key[begin:end].tolist(),
                self.stats.kind[begin:end].tolist(),
                self.stats.value[begin:end].tolist(),
                strict=True,
            )
        ]

    def plane_values(self, plane: int) -> dict[str, int | float | str | bytes | None]:
        """The attributes of a plane; the last of equal keys wins."""
        return dict(self.values(int(self.planes.stats_begin[plane]), int(self.planes.stats_end[plane])))

    def event_values(self, row: int) -> list[tuple[str, int | float | str | bytes | None]]:
        """The stats of an event: its own, then those of its kind."""
        own = self.values(int(self.events.stats_begin[row]), int(self.events.stats_end[row]))
        kind = int(self.events.kind[row])
        if kind < 0:
            return own
        return own + self.values(int(self.kinds.stats_begin[kind]), int(self.kinds.stats_end[kind]))

    def _value(self, kind: int, value: int) -> int | float | str | bytes | None:
        if kind == StatKind.TEXT:
            return self.strings[value]
        if kind == StatKind.DOUBLE:
            return float(np.int64(value).view(np.float64))
        if kind == StatKind.UINT:
            return value & (1 << 64) - 1
        if kind == StatKind.BYTES:
            return self.blobs[value]
        return value if kind == StatKind.INT else None

    def check(self) -> None:
        """Raise AssertionError unless the capture's own arithmetic holds."""
        tables = (self.planes, self.tracks, self.kinds, self.events, self.aggregates, self.stats)
        for table in tables:
            table.check()
        self.quality.check()
        self.kernel_launches.check(len(self.events), len(self.aggregates))
        if self.allocator:
            self.allocator.check(len(self.kinds))
        assert self.quality.events_kept == len(self.events) + len(self.aggregates), "events kept"
        self._check_ids()
        self._check_order()

    def _check_ids(self) -> None:
        def within(ids: AnyArray, low: int, count: int, what: str) -> None:
            assert not len(ids) or (ids.min() >= low and ids.max() < count), what

        n = len(self.strings)
        assert len(set(self.strings)) == n, "strings are not distinct"
        for table in (self.planes, self.tracks, self.kinds, self.events, self.aggregates):
            within(table.name, 0, n, "name")
        within(self.stats.key, 0, n, "stat key")
        within(self.stats.value[self.stats.kind == StatKind.TEXT], 0, n, "text stat")
        within(self.stats.value[self.stats.kind == StatKind.BYTES], 0, len(self.blobs), "bytes stat")
        within(self.tracks.plane, 0, len(self.planes), "track.plane")
        within(self.kinds.plane, 0, len(self.planes), "kind.plane")
        for table in (self.events, self.aggregates):
            within(table.track, 0, len(self.tracks), "event.track")
            within(table.kind, -1, len(self.kinds), "event.kind")
        for owner in (self.planes, self.kinds, self.events, self.aggregates):
            within(owner.stats_begin, 0, len(self.stats) + 1, "stats_begin")
            within(owner.stats_end, 0, len(self.stats) + 1, "stats_end")
            assert (owner.stats_begin <= owner.stats_end).all(), "stats range"

    def _check_order(self) -> None:
        e, t = self.events, self.tracks
        assert (e.duration_ps >= 0).all(), "negative duration"
        assert (e.start_ps >= 0).all(), "start before the capture's"
        same = e.track[1:] == e.track[:-1]
        assert (e.track[1:] >= e.track[:-1]).all(), "events of a track are not adjacent"
        later = e.start_ps[1:] > e.start_ps[:-1]
        tie = (e.start_ps[1:] == e.start_ps[:-1]) & (e.duration_ps[1:] <= e.duration_ps[:-1])
        assert (~same | later | tie).all(), "events of a track are not by start, longer first"
        sizes = np.bincount(e.track, minlength=len(t)) if len(e) else np.zeros(len(t), np.int64)
        assert (t.events_end - t.events_begin == sizes).all(), "track ranges"
        for i in np.flatnonzero(sizes):
            assert (e.track[t.events_begin[i] : t.events_end[i]] == i).all(), "track ranges"
