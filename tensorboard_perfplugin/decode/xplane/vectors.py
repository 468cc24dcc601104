"""Serialized events of one line → columns, by numpy over all of them at once. Needs no compiler.

All events are read a field at a time: the first field of each, then the second, and so on; then their stats likewise.
Only what is sound and known is read. `UnusualError` is raised for anything else, and the protobuf runtime, which takes
ten times as long, says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import StatKind
from ...wire import FIXED64, LENGTH, VARINT
from .parts import I64

#: Events, or stats, that are read at once: their arrays stay in a processor's cache.
CHUNK = 1 << 16
#: Bytes that may be read past the end of the last message.
PADDING = 16

_ALL_HIGH, _ALL_LOW = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
#: Adjacent groups of bits are joined, twice as many each time: masks of what stays and of what moves, and how far.
_JOINS = [
    tuple(map(np.uint64, row))
    for row in (
        (0x007F007F007F007F, 0x7F007F007F007F00, 1),
        (0x00003FFF00003FFF, 0x3FFF00003FFF0000, 2),
        (0x000000000FFFFFFF, 0x0FFFFFFF00000000, 4),
    )
]
_ONE = np.uint64(1)

#: Beside `StatKind`: a reference, and a text of no bytes.
REF, EMPTY = 6, 7
_KEY, _OFFSET, _DURATION, _STATS, _OCCURRENCES = range(1, 6)
EVENT_WIRES = {_KEY: VARINT, _OFFSET: VARINT, _DURATION: VARINT, _STATS: LENGTH, _OCCURRENCES: VARINT}
#: Field number of a stat → how it is written, and what it holds.
_VALUES = {
    2: (FIXED64, StatKind.DOUBLE),
    3: (VARINT, StatKind.UINT),
    4: (VARINT, StatKind.INT),
    5: (LENGTH, StatKind.TEXT),
    6: (LENGTH, StatKind.BYTES),
    7: (VARINT, REF),
}
STAT_WIRES = {_KEY: VARINT, **{number: wire for number, (wire, _) in _VALUES.items()}}


class UnusualError(Exception):
    """A field that is not known, or damage."""


class Read(NamedTuple):
    """One field of some messages: of which, and its values; of bytes where they begin, and how many they are."""

    number: int
    rows: I64
    value: I64
    length: I64


class Events(NamedTuple):
    """A row an event; `first` is an offset in ps, or of an aggregate its number. stats: how many each has."""

    key: I64
    first: I64
    duration: I64
    aggregate: NDArray[np.bool_]
    stats: I64


class Stats(NamedTuple):
    """A row a stat, with metadata ids; texts and bytes are places in `raws`."""

    key: I64
    kind: NDArray[np.uint8]
    value: I64


class Reader:
    """Reads from the bytes of all messages, one after another, followed by `PADDING` others."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.bytes = np.frombuffer(data, np.uint8)
        # Eight bytes from any place on, which need not be aligned.
        places = max(len(data) - 7, 0)
        self.words: NDArray[np.uint64] = np.ndarray((places,), "<u8", data, strides=(1,))
        self.raws: dict[tuple[int, bytes], int] = {}

    def varints(self, at: I64) -> tuple[I64, I64 | int]:
        """Of each place the number there and how many bytes it takes. Raises UnusualError where those are over ten."""
        word = self.words[at]
        stop = ~word & _ALL_HIGH
        last = stop & (~stop + _ONE)
        size = (np.frexp(last.astype(np.float64))[1] >> 3).astype(np.int64)
        value = word & (last ^ (last - _ONE)) & _ALL_LOW
        for stays, moves, by in _JOINS:
            value = (value & stays) | ((value & moves) >> by)
        if not size.all():
            long = np.flatnonzero(size == 0)
            ninth, tenth = (self.bytes[at[long] + i].astype(np.uint64) for i in (8, 9))
            if ((ninth & tenth) >= 128).any():
                raise UnusualError
            two = ninth >= 128
            value[long] |= (ninth & np.uint64(127)) << np.uint64(56)
            value[long[two]] |= tenth[two] << np.uint64(63)
            size[long] = 9 + two
        return value.view(np.int64), size

    def fields(self, begin: I64, end: I64, wires: Mapping[int, int]) -> Iterator[Read]:
        """The first field of each message, then the second, and so on; of one kind together. Raises UnusualError."""
        at, rows = begin.copy(), np.flatnonzero(begin < end)
        while len(rows):
            tags = self.bytes[at[rows]]
            known = 0
            for number, wire in wires.items():
                chosen = rows[tags == (number << 3 | wire)]
                if not len(chosen):
                    continue
                known += len(chosen)
                place = at[chosen] + 1
                value, size = self.varints(place) if wire != FIXED64 else (self.words[place].view(np.int64), 8)
                length = value
                at[chosen] = place + size
                if wire == LENGTH:
                    value = place + size
                    if ((length < 0) | (length > end[chosen] - value)).any():
                        raise UnusualError
                    at[chosen] += length
                yield Read(number, chosen, value, length)
            if known < len(rows) or (at[rows] > end[rows]).any():
                raise UnusualError
            rows = rows[at[rows] < end[rows]]

    def events(self, sizes: I64) -> tuple[Events, Stats]:
        """Of messages that follow each other, with their sizes in bytes. Raises UnusualError."""
        ends = np.cumsum(sizes)
        parts = [self._events(ends[i : i + CHUNK] - sizes[i : i + CHUNK], ends[i : i + CHUNK]) for i in _chunks(ends)]
        if not parts:
            parts = [self._events(ends, ends)]
        events, stats = zip(*parts, strict=True)
        return Events(*map(np.concatenate, zip(*events, strict=True))), Stats(
            *map(np.concatenate, zip(*stats, strict=True))
        )

    def _events(self, begin: I64, end: I64) -> tuple[Events, Stats]:
        key, first, duration = (np.zeros(len(begin), np.int64) for _ in range(3))
        aggregate = np.zeros(len(begin), bool)
        rows, begins, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for read in self.fields(begin, end, EVENT_WIRES):
            if read.number == _KEY:
                key[read.rows] = read.value
            elif read.number == _DURATION:
                duration[read.rows] = read.value
            elif read.number == _STATS:
                rows.append(read.rows)
                begins.append(read.value)
                ends.append(read.value + read.length)
            else:
                first[read.rows] = read.value
                aggregate[read.rows] = read.number == _OCCURRENCES
        row = np.concatenate(rows)
        order = np.argsort(row, kind="stable")
        begins_of, ends_of = np.concatenate(begins)[order], np.concatenate(ends)[order]
        stats = [self._stats(begins_of[i : i + CHUNK], ends_of[i : i + CHUNK]) for i in _chunks(row)]
        stats = stats or [self._stats(begins_of, ends_of)]
        count = np.bincount(row, minlength=len(key))
        return Events(key, first, duration, aggregate, count), Stats(*map(np.concatenate, zip(*stats, strict=True)))

    def _stats(self, begin: I64, end: I64) -> Stats:
        key, value = (np.zeros(len(begin), np.int64) for _ in range(2))
        kind = np.full(len(begin), StatKind.NONE, np.uint8)
        for read in self.fields(begin, end, STAT_WIRES):
            if read.number == _KEY:
                key[read.rows] = read.value
                continue
            wire, of = _VALUES[read.number]
            kind[read.rows] = of
            value[read.rows] = read.value if wire != LENGTH else self._texts(int(of), read)
            if of == StatKind.TEXT:
                empty = read.rows[read.length == 0]
                kind[empty], value[empty] = EMPTY, 0
        return Stats(key, kind, value)

    def _texts(self, kind: int, read: Read) -> I64:
        data, raws = self.data, self.raws
        spans = zip(read.value.tolist(), (read.value + read.length).tolist(), strict=True)
        return np.array([raws.setdefault((kind, data[a:b]), len(raws)) for a, b in spans], np.int64)


def _chunks(rows: NDArray[Any]) -> range:
    return range(0, len(rows), CHUNK)
