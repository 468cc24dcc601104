"""The bytes of a Perfetto trace → its events as columns, its tracks, its clocks, and packets of other kinds.

Packets are read up to the first place where none begins; one that is damaged inside is left out and counted. Packets
that are packed together (deflate) are unpacked, but not again within these.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...messages import Message, message
from ...tables import I64
from ..common.gzip import most_unpacked
from ..common.memory import check_room
from ..json.columns import Growing
from .clocks import Clocks
from .layout import BEYOND, DAMAGED, FULL, LOST, PACKED, SHORT, UNKNOWN
from .loop import Parser
from .nested import nested

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


@dataclasses.dataclass(frozen=True)
class Other:
    """A packet as it is. kind: its field, or of interned data 1000 + that."""

    kind: int
    data: bytes
    sequence: int
    time: int
    clock: int


@dataclasses.dataclass
class Packets:
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
