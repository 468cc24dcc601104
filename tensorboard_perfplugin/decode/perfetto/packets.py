"""The bytes of a Perfetto trace → its events as columns, its tracks, its clocks, and packets of other kinds.

Packets are read up to the first place where none begins; one that is damaged inside is left out and counted. Packets
that are packed together (deflate) are unpacked, but not again within these."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...messages import Message, message
from ...tables import I64
from ...wire import FIXED64, LENGTH, VARINT, DamagedError, Field, signed, walk
from ..common.build import check_room
from ..common.source import most_unpacked
from ..json.plain import Growing
from .layout import BEYOND, DAMAGED, FULL, LOST, PACKED, SHORT, UNKNOWN
from .loop import Parser

# Clock snapshots → times of any clock as times of the trace's own, and the instant since the epoch of that.
#
# A snapshot gives the times of several clocks at one instant. Clocks 64 to 127 are a sequence's own. Between two
# snapshots a clock goes as it went at the one before; a clock that never stands beside the trace's own is taken
# through
# a third, and where there is none as it is.

REALTIME, BOOTTIME = 1, 6
_OWN = range(64, 128)
#: Of a long trace one is taken a second or so.
MOST_SNAPSHOTS = 100_000
_FAR = 1 << 62


class Clocks:
    """primary: the trace's own clock. snapshots: of each the row of its sequence, and the ns of each clock."""

    def __init__(self) -> None:
        self.primary = BOOTTIME
        self.snapshots: list[tuple[int, dict[int, int]]] = []
        self.ticks: dict[tuple[int, int], int] = {}

    def add(self, data: bytes, row: int) -> tuple[int, int, int] | None:
        """One more; the clock that counts on from it: its number, its time in ns, ns a tick."""
        times: dict[int, int] = {}
        counting = None
        try:
            for field in walk(data, 0, len(data)):
                if field.number == 2 and field.wire == VARINT and 0 < field.value < 64:
                    self.primary = field.value
                elif field.number == 1 and field.wire == LENGTH:
                    clock, time, counts, tick = _clock(data, field.begin, field.end)
                    if not 0 <= time * tick < _FAR:
                        continue
                    times[clock] = time * tick
                    if tick != 1 and not counts and len(self.ticks) < MOST_SNAPSHOTS:
                        self.ticks[(row if clock in _OWN else -1), clock] = tick
                    if counts:
                        counting = clock, time * tick, tick
        except DamagedError:
            return counting
        if len(self.snapshots) < MOST_SNAPSHOTS:
            self.snapshots.append((row, times))
        return counting

    def pairs(self, clock: int, row: int, to: int) -> tuple[I64, I64]:
        """Times of a clock, ascending, and of another at the same instants."""
        found = [
            (times[clock], times[to])
            for of, times in self.snapshots
            if clock in times and to in times and (clock not in _OWN or of == row)
        ]
        at = np.array(sorted(set(found)), np.int64).reshape(-1, 2)
        return at[:, 0], at[:, 1]

    def in_trace(self, time: I64, clock: int, row: int) -> I64 | None:
        """Times of a clock in the trace's own; None where no snapshot says how. row: of the sequence."""
        scope = row if clock in _OWN else -1
        time = time * self.ticks.get((scope, clock), 1)
        if clock in (-1, self.primary):
            return time
        first, second = self.pairs(clock, row, self.primary)
        if len(first):
            return _moved(time, first, second)
        through = {other for of, times in self.snapshots if clock in times for other in times} - {clock, *_OWN}
        for other in sorted(through):
            own, theirs = self.pairs(clock, row, other)
            first, second = self.pairs(other, row, self.primary)
            # Another sequence's clock of the same number may be all that stands beside the third.
            if len(own) and len(first):
                return _moved(_moved(time, own, theirs), first, second)
        return None

    def since_epoch(self) -> int:
        """What is added to times of the trace to make them ns since the epoch; 0 where that is unknown."""
        if self.primary == REALTIME:
            return 0
        first, second = self.pairs(self.primary, -1, REALTIME)
        return int(second[0] - first[0]) if len(first) else 0


def _clock(data: bytes, begin: int, end: int) -> tuple[int, int, bool, int]:
    clock = time = 0
    counts, tick = False, 1
    for field in walk(data, begin, end):
        if field.wire != VARINT:
            continue
        if field.number == 1:
            clock = field.value & 0x7FFFFFFF
        elif field.number == 2:
            time = signed(field.value)
        elif field.number == 3:
            counts = bool(field.value)
        elif field.number == 4:
            tick = min(max(signed(field.value), 1), 10**9)
    return clock, time, counts, tick


def _moved(time: I64, first: I64, second: I64) -> I64:
    at = np.maximum(np.searchsorted(first, time, "right") - 1, 0)
    moved: I64 = time + (second - first)[at]
    return moved


# Annotations that hold others (dictionaries, lists) → JSON, as the same args of a trace of JSON are kept.

#: What lies deeper is left out.
MOST_DEPTH = 32
_KEYS, _VALUES = 2, 3
_LEFT_OUT = "…"


class Interned(Protocol):
    def text_of(self, row: int, table: int, iid: int) -> str: ...


class _Reader:
    """is_same: whether no text was looked up, so that the same bytes always say the same."""

    def __init__(self, data: bytes, words: Interned, row: int) -> None:
        self.data, self.words, self.row = data, words, row
        self.is_same = True

    def interned(self, table: int, iid: int) -> str:
        self.is_same = False
        return self.words.text_of(self.row, table, iid)

    def text(self, field: Field) -> str:
        return str(self.data[field.begin : field.end], "utf-8", "replace")

    def annotation(self, begin: int, end: int, depth: int) -> tuple[str, Any]:
        """Its name and its value; the name of the outermost is not looked up."""
        name, value = "", None
        entries: dict[str, Any] = {}
        listed: list[Any] = []
        for field in walk(self.data, begin, end):
            number, wire = field.number, field.wire
            if number in (11, 12) and wire == LENGTH:
                if depth >= MOST_DEPTH:
                    value = _LEFT_OUT
                    continue
                key, inner = self.annotation(field.begin, field.end, depth + 1)
                if number == 11:
                    entries[key] = inner
                else:
                    listed.append(inner)
            elif number == 8 and wire == LENGTH:
                value = self.old(field.begin, field.end, depth + 1)
            elif number == 10 and wire == LENGTH:
                name = self.text(field)
            elif number == 1 and wire == VARINT and depth:
                name = self.interned(_KEYS, signed(field.value))
            elif number == 17 and wire == VARINT:
                value = self.interned(_VALUES, signed(field.value))
            elif (made := self.plain(field, _ANNOTATION)) is not None:
                value = made
        # What holds nothing is a list without elements: PyTorch writes null as a text.
        return name, entries or listed or ([] if value is None else value)

    def old(self, begin: int, end: int, depth: int) -> Any:
        """A value in the form of 2020 (`NestedValue`)."""
        kind, value = 0, None
        keys: list[str] = []
        values: list[Any] = []
        for field in walk(self.data, begin, end):
            if field.number == 1 and field.wire == VARINT:
                kind = field.value
            elif field.number == 2 and field.wire == LENGTH:
                keys.append(self.text(field))
            elif field.number in (3, 4) and field.wire == LENGTH:
                values.append(self.old(field.begin, field.end, depth + 1) if depth < MOST_DEPTH else _LEFT_OUT)
            elif (made := self.plain(field, _OLD)) is not None:
                value = made
        return dict(zip(keys, values, strict=False)) if kind == 1 else values if kind == 2 else value

    def plain(self, field: Field, kinds: dict[int, str]) -> Any:
        """A number or a text; None where the field is none."""
        kind = kinds.get(field.number, "")
        if kind in ("text", "json") and field.wire == LENGTH:
            return self.text(field)
        if kind == "double" and field.wire == FIXED64:
            return struct.unpack("<d", struct.pack("<Q", field.value))[0]
        if field.wire != VARINT or kind in ("", "text", "json", "double"):
            return None
        return bool(field.value) if kind == "bool" else signed(field.value) if kind == "int" else field.value


_ANNOTATION = {2: "bool", 3: "uint", 4: "int", 5: "double", 6: "text", 7: "uint", 9: "json"}
_OLD = {5: "int", 6: "double", 7: "bool", 8: "text"}


def nested(data: bytes, words: Interned, row: int) -> tuple[str, bool]:
    """The JSON of an annotation's value, and whether its bytes suffice. words, row: of interned texts."""
    reader = _Reader(data, words, row)
    try:
        value = reader.annotation(0, len(data), 0)[1]
    except DamagedError:
        return "", reader.is_same
    return value if isinstance(value, str) else msgspec.json.encode(value).decode(), reader.is_same


try:
    from . import storing
except ImportError:  # neither compiled nor is Cython there to run it as Python
    _COMPILED = False
else:
    _COMPILED = storing.COMPILED

#: So much is parsed at a time; a longer packet at once.
PIECE_BYTES = 1 << 20
_DEFLATE = 50
#: What takes a parser's rows of events, of stats and of ends; None: numpy, where nothing is compiled.
_STORES: tuple[Any, ...] = (
    (storing.store_events, storing.store_stats, storing.store_ends) if _COMPILED else (None, None, None)
)
#: So many events and args take 60 MB.
_UNCHECKED = 1 << 20
_EVENT_TYPES = ("u1", "i4", "i4", "i8", "i4", "i8", "i4", "i4", "i4", "u1", "i8", "u1", "i8")
EVENT_NAMES = (
    *("kind", "type", "sequence", "time", "clock", "track", "name", "category", "stats"),
    *("value_kind", "value", "flags", "length"),
)
TRACK_NAMES = (
    *("uuid", "parent", "name", "has", "pid", "tid", "process", "thread", "unit", "multiplier", "is_difference"),
    *("order", "labels"),
)
END_NAMES = ("before", "track", "time", "clock", "sequence")
_END_TYPES = ("i4", "i4", "i8", "i4", "i4")


class Other(msgspec.Struct, frozen=True):
    """A packet as it is. kind: its field, or of interned data 1000 + that."""

    kind: int
    data: bytes
    sequence: int
    time: int
    clock: int


class Packets(msgspec.Struct):
    """events, tracks: columns by name (`layout.py`). more: rows of (event, what, value). ends: of
    slices that say no more. uuids: of the tracks of events. Of uuids and texts the place is the number.
    """

    events: dict[str, NDArray[Any]]
    ends: dict[str, NDArray[Any]]
    keys: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: I64
    more: I64
    tracks: dict[str, I64]
    others: list[Other]
    clocks: Clocks
    uuids: list[int]
    texts: dict[str, int]
    dropped: Counter[str]
    warnings: list[Message]


class _Collected:
    def __init__(self) -> None:
        self.columns = [Growing(kind) for kind in _EVENT_TYPES]
        self.stats = [Growing(kind) for kind in ("i4", "u1", "i8")]
        self.more = [Growing("i8") for _ in range(3)]
        self.tracks = [Growing("i8") for _ in TRACK_NAMES]
        self.ends = [Growing(kind) for kind in _END_TYPES]
        self.others: list[Other] = []
        self.checked = 0

    def expect(self, times: float) -> None:
        """There will be so many times as much. Half more is taken: parts differ, and what stays free costs none."""
        for column in (*self.columns, *self.stats, *self.ends):
            column.expected = int(column.used * times * 1.5)

    def take(self, parser: Any, piece: bytes) -> int:
        """The parser's rows; how many there are."""
        rows, stats, more, others, tracks, ends = parser.counts()
        first = self.columns[0].used
        for table, count, columns, store in (
            (parser.rows, rows, self.columns, _STORES[0]),
            (parser.stats, stats, self.stats, _STORES[1]),
            (parser.more, more, self.more, None),
            (parser.tracks, tracks, self.tracks, None),
            (parser.ends, ends, self.ends, _STORES[2]),
        ):
            _keep(table, count, columns, store)
        for column, count in ((self.more[0], more), (self.ends[0], ends)):
            if count:
                column.data[column.used - count : column.used] += first
        for kind, begin, end, sequence, time, clock in np.asarray(parser.others)[:others].tolist():
            self.others.append(Other(kind, piece[begin:end], sequence, time, clock))
        self._check()
        return int(rows + stats + more + others + tracks + ends)

    def _check(self) -> None:
        """Looks what the machine has once in a while: it asks the system."""
        events, stats = self.columns[0].used + self.ends[0].used, self.stats[0].used
        if events + stats >= self.checked:
            check_room(events, 0, stats)
            self.checked = events + stats + _UNCHECKED


def _keep(table: Any, count: int, columns: list[Growing], store: Any) -> None:
    if store is None:
        for column, values in zip(columns, np.asarray(table)[:count].T, strict=True):
            column.put(values)
    elif count:
        at = [column.room(count) for column in columns]
        store(table, count, at[0], *(column.data for column in columns))


class _Reading:
    def __init__(self) -> None:
        self.texts: dict[str, int] = {"": 0}
        self.clocks = Clocks()
        self.parser = Parser(self.texts, nested, self.clocks.add)
        self.collected = _Collected()
        self.dropped = Counter[str]()
        self.warnings: list[Message] = []
        self.unpacked = 0

    def read(self, data: memoryview, limit: int, is_packed: bool = False) -> None:
        """All packets. limit: how many bytes packed ones may unpack to, together."""
        at, size = 0, PIECE_BYTES
        while at < len(data):
            piece = bytes(data[at : at + size])
            status, used = self._piece(piece, limit, is_packed)
            at += used
            if at and not is_packed:
                self.collected.expect(len(data) / at)
            if status == DAMAGED:
                self.warnings.append(message("wire_damaged", at=at))
                return
            if status == SHORT and at + len(piece) - used >= len(data):
                self.dropped["cut_at_end"] += 1
                self.warnings.append(message("packets_cut", at=at, size=len(data)))
                return
            # A packet that is longer than a piece.
            size = 2 * size if status == SHORT and not used else PIECE_BYTES

    def _piece(self, piece: bytes, limit: int, is_packed: bool) -> tuple[int, int]:
        at = 0
        while True:
            status, at = self.parser.parse(piece, at, len(piece))
            packed = (self.parser.packed_kind, self.parser.packed_begin, self.parser.packed_end)
            taken = self.collected.take(self.parser, piece)
            if status == PACKED:
                self._packed(packed[0], piece[packed[1] : packed[2]], limit, is_packed)
            elif status == FULL and not taken:
                self.parser.enlarge()
            elif status != FULL:
                return status, at

    def _packed(self, kind: int, data: bytes, limit: int, is_packed: bool) -> None:
        if kind != _DEFLATE or is_packed:
            self.dropped["packed_packets"] += 1
            return
        member = zlib.decompressobj()
        try:
            plain = member.decompress(data, max(limit - self.unpacked, 1))
        except zlib.error:
            self.dropped["damaged"] += 1
            return
        self.unpacked += len(plain)
        if member.unconsumed_tail or self.unpacked >= limit:
            self.dropped["packed_packets"] += 1
            return
        self.read(memoryview(plain), limit, is_packed=True)

    def done(self) -> Packets:
        left = np.asarray(self.parser.dropped)
        counts = {"damaged": DAMAGED, "no_interned_data": LOST, "beyond_sequences": BEYOND}
        self.dropped.update({code: int(left[place]) for code, place in counts.items() if left[place]})
        if left[UNKNOWN]:
            self.warnings.append(message("interned_unknown", n=int(left[UNKNOWN])))
        c = self.collected
        stats: list[Any] = [column.taken() for column in c.stats]
        keys, kinds, values = stats
        more: Any = np.stack([column.taken() for column in c.more], axis=1)
        events = dict(zip(EVENT_NAMES, (column.taken() for column in c.columns), strict=True))
        columns: list[Any] = [column.taken() for column in c.tracks]
        tracks: dict[str, I64] = dict(zip(TRACK_NAMES, columns, strict=True))
        return Packets(
            events=events,
            ends=dict(zip(END_NAMES, (column.taken() for column in c.ends), strict=True)),
            keys=keys,
            kinds=kinds,
            values=values,
            more=more,
            tracks=tracks,
            others=c.others,
            clocks=self.clocks,
            uuids=list(self.parser.uuids),
            texts=self.texts,
            dropped=self.dropped,
            warnings=self.warnings,
        )


def packets_of(data: memoryview) -> Packets:
    """All that can be read. Raises UnreadableError where it is too much for this machine."""
    reading = _Reading()
    reading.read(data, most_unpacked(len(data)))
    return reading.done()
