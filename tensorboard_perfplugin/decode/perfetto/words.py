# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
"""Fields of the wire format, sequences of packets and their interned texts. Compiled with the types of `words.pxd`.

Columns of a sequence's state: whether its interned data is whole; its clock by default (-1: none); its track by
default; the clock that counts on (-1: none), its last time in ns, and ns a tick; whether it has a track by default; a
number of its own since it was cleared. From 8 on for each table of texts: where it begins in `slots`, how many places
it has, how many texts. Tables: names of events, categories, names and values of annotations, places in source code,
stages of GPUs, kernels, names of their args. A text lies in the place of its number as long as numbers are about as
large as there are texts; others are in a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .layout import (
    END_COLUMNS,
    ENDS,
    MORE,
    MORE_COLUMNS,
    MOST_OTHERS,
    OTHER_COLUMNS,
    OTHERS,
    ROW_COLUMNS,
    ROWS,
    SEQUENCES,
    STAT_COLUMNS,
    STATS,
    TRACK_COLUMNS,
    TRACKS,
    UNKNOWN,
)

_STATE = 32
_COMPILED = not __file__.endswith(".py")


class Words:
    """texts: what was found so far → its number; grows. nested: the text of an annotation that holds others, and
    whether its bytes alone say it; gets these bytes, this, and the sequence. snapshot: called with the bytes of each
    clock snapshot and its sequence; gives the clock that counts on, its time in ns and ns a tick, or None.
    """

    def __init__(self, texts: dict[str, int], nested: Callable[..., Any], snapshot: Callable[..., Any]) -> None:
        self.texts, self.nested, self.snapshot, self.text = texts, nested, snapshot, b""
        self.listed = list(texts)
        self.known: dict[bytes, int] = {b"": 0}
        self.whole: dict[bytes, int] = {}
        self.far: dict[tuple[int, int], int] = {}
        self.sequences: dict[int, int] = {}
        self.uuids: dict[int, int] = {0: 0}
        self.last_uuid = self.last_track = 0
        self.state = table(16, _STATE)
        self.slots = _memory(np.full(1 << 12, -1, np.int32))
        # Short texts of the piece at hand, and from 1024 on annotations that hold others, found again without an
        # object: `_known` and `_alike` take ten bits for a place.
        self.near, self.is_compiled = table(2048, 3), _COMPILED
        self.slots_used = self.makes = 0
        self.last_id = self.last_row = -1
        self.half, self.full = 1 << 63, (1 << 64) - 1
        self.dropped = _memory(np.zeros(8, np.int64))
        self.rows, self.stats = table(ROWS, ROW_COLUMNS), table(STATS, STAT_COLUMNS)
        self.more, self.others = table(MORE, MORE_COLUMNS), table(OTHERS, OTHER_COLUMNS)
        self.tracks, self.ends = table(TRACKS, TRACK_COLUMNS), table(ENDS, END_COLUMNS)
        self.i = self.n = self.m = self.k = self.t = self.z = 0
        self.value = self.wire = self.field = self.begin = self.end = 0
        self.packed_begin = self.packed_end = self.packed_kind = 0
        self.grid, self.block, self.source = (self.number(word) for word in ("grid", "block", "source"))
        # Of an annotation without a value: a list without elements.
        self.empty = self.number("[]")
        self.event_id, self.submission = self.number("event_id"), self.number("submission_id")

    def number(self, text: str) -> int:
        made = self.texts.setdefault(text, len(self.texts))
        if made == len(self.listed):
            self.listed.append(text)
        return made

    def counts(self) -> tuple[int, int, int, int, int, int]:
        return self.i, self.n, self.m, self.k, self.t, self.z

    def enlarge(self) -> None:
        """For a packet that alone needs more room."""
        for name in ("rows", "stats", "more", "others", "tracks"):
            old = np.asarray(getattr(self, name))
            setattr(self, name, table(4 * len(old), old.shape[1]))

    def _varint(self, data: Any, at: int, end: int) -> int:
        """The position after a varint, which is in `value`, of 64 bits without a sign."""
        if at < end and data[at] < 128:
            self.value = data[at]
            return at + 1
        return self._long(data, at, end)

    def _long(self, data: Any, at: int, end: int) -> int:
        made = shift = 0
        while at < end and shift < 70:
            letter = data[at]
            made |= (letter & (127 if shift < 63 else 1)) << shift
            at += 1
            if letter < 128:
                self.value = made
                return at
            shift += 7
        return -1

    def _signed(self) -> int:
        """The value with a sign."""
        value = self.value
        return value if value < self.half else value - self.half - self.half

    def _added(self, first: int, times: int, tick: int) -> int:
        """A sum of 64 bits with a sign."""
        self.value = (first + times * tick) & self.full
        return self._signed()

    def _piece(self, data: Any, begin: int, end: int) -> bytes:
        made: bytes = data[begin:end]
        return made

    def _field(self, data: Any, at: int, end: int) -> int:
        """The position after a field, which is in `value` (or `begin` and `end`) and `wire`; its number is returned
        by `number_of`."""
        if at >= end:
            return -1
        # Most tags, numbers and lengths are one byte: calls would take longer than reading these.
        value = data[at]
        at += 1
        if value > 127:
            at = self._long(data, at - 1, end)
            if at < 0:
                return -1
            value = self.value
        self.field = value >> 3
        self.wire = value & 7
        if self.wire == 0 or self.wire == 2:
            if at < end and data[at] < 128:
                self.value = data[at]
                at += 1
            else:
                at = self._long(data, at, end)
            if at < 0 or self.wire == 0:
                return at
            if self.value > end - at:
                return -1
            self.begin = at
            self.end = at + self.value
            return self.end
        return self._skipped(data, at, end, self.wire)

    def _skipped(self, data: Any, at: int, end: int, wire: int) -> int:
        """The position after a value of another kind; of 64 bits it is in `value`."""
        if wire == 0:
            return self._varint(data, at, end)
        size = 8 if wire == 1 else 4 if wire == 5 else 0
        if size == 0 or at + size > end:
            return -1
        made = 0
        for k in range(size):
            letter = data[at + k]
            made |= letter << (8 * k)
        self.value = made
        return at + size

    def _more(self, i: int, what: int, value: int) -> int:
        m = self.m
        if m == self.more.shape[0]:
            return -1
        self.more[m, 0] = i
        self.more[m, 1] = what
        self.more[m, 2] = value
        self.m = m + 1
        return 0

    def _stat(self, key: int, kind: int, value: int) -> int:
        n = self.n
        if n == self.stats.shape[0]:
            return -1
        self.stats[n, 0] = key
        self.stats[n, 1] = kind
        self.stats[n, 2] = value
        self.n = n + 1
        return 0

    def _other(self, kind: int, begin: int, end: int, row: int, stamp: int, clock: int) -> int:
        k = self.k
        if k == self.others.shape[0]:
            self._more_others()
        if k < self.others.shape[0]:
            self.others[k, 0] = kind
            self.others[k, 1] = begin
            self.others[k, 2] = end
            self.others[k, 3] = row
            self.others[k, 4] = stamp
            self.others[k, 5] = clock
            self.k = k + 1
        return 0

    def _more_others(self) -> int:
        old = np.asarray(self.others)
        if len(old) < MOST_OTHERS:
            made = np.zeros((2 * len(old), old.shape[1]), np.int64)
            made[: len(old)] = old
            self.others = _memory(made)
        return 0

    def _sequence(self, id: int) -> int:
        """The row of a sequence; -1 where there are too many."""
        if id == self.last_id:
            return self.last_row
        row = self.sequences.get(id, -1)
        if row < 0:
            row = len(self.sequences)
            if row >= SEQUENCES:
                return -1
            self.sequences[id] = row
            if row == self.state.shape[0]:
                self._more_sequences()
            for k in range(self.state.shape[1]):
                self.state[row, k] = 0
            self.state[row, 1] = -1
            self.state[row, 3] = -1
            self.state[row, 7] = self._next_make()
        self.last_id = id
        self.last_row = row
        return row

    def _uuid(self, uuid: int) -> int:
        """The number of a track."""
        if uuid != self.last_uuid:
            self.last_uuid = uuid
            self.last_track = self.uuids.setdefault(uuid, len(self.uuids))
        return self.last_track

    def _more_sequences(self) -> int:
        old = np.asarray(self.state)
        made = np.zeros((2 * len(old), old.shape[1]), np.int64)
        made[: len(old)] = old
        self.state = _memory(made)
        return 0

    def _next_make(self) -> int:
        self.makes += 1
        return self.makes

    def _cleared(self, row: int, is_whole: int) -> int:
        """Forget what a sequence interned; is_whole: whether it begins anew."""
        self.state[row, 0] = is_whole
        self.state[row, 7] = self._next_make()
        if is_whole:
            self.state[row, 1] = -1
            self.state[row, 2] = 0
            self.state[row, 6] = 0
        for table in range(8):
            at = self.state[row, 8 + 3 * table]
            for k in range(self.state[row, 9 + 3 * table]):
                self.slots[at + k] = -1
            self.state[row, 10 + 3 * table] = 0
            if self.state[row, 9 + 3 * table] > 4096:
                # Else clearing a large table often would take long.
                self.state[row, 9 + 3 * table] = 0
        return 0

    def _put(self, row: int, table: int, iid: int, found: int) -> int:
        at = 8 + 3 * table
        size = self.state[row, at + 1]
        used = self.state[row, at + 2]
        self.state[row, at + 2] = used + 1
        if not 0 < iid < size and 0 < iid < 2 * used + 256:
            self._grow(row, at, 2 * iid + 64)
            size = self.state[row, at + 1]
        if 0 < iid < size:
            self.slots[self.state[row, at] + iid] = found
        else:
            self.far[self.state[row, 7] * 8 + table, iid] = found
        return 0

    def _grow(self, row: int, at: int, size: int) -> int:
        old = self.state[row, at]
        before = self.state[row, at + 1]
        if self.slots_used + size > len(self.slots):
            made = np.full(2 * (self.slots_used + size), -1, np.int32)
            made[: self.slots_used] = np.asarray(self.slots)[: self.slots_used]
            self.slots = _memory(made)
        begin = self.slots_used
        self.slots_used += size
        slots = np.asarray(self.slots)
        slots[begin : begin + size] = -1
        slots[begin : begin + before] = slots[old : old + before]
        self.state[row, at] = begin
        self.state[row, at + 1] = size
        return 0

    def _of(self, row: int, table: int, iid: int) -> int:
        """The text of an interned number; 0 where there is none."""
        at = 8 + 3 * table
        if 0 < iid < self.state[row, at + 1]:
            found = self.slots[self.state[row, at] + iid]
            if found >= 0:
                return int(found)
        return self._far(row, table, iid)

    def _far(self, row: int, table: int, iid: int) -> int:
        found = self.far.get((self.state[row, 7] * 8 + table, iid), -1)
        if found < 0:
            self.dropped[UNKNOWN] += 1
            return 0
        return int(found)

    def _known(self, data: Any, begin: int, end: int) -> int:
        """The number of a text by its bytes."""
        size = end - begin
        place = -1
        if self.is_compiled and 0 < size <= 64:
            place = (data[begin] * 31 + data[begin + (size >> 1)] * 131 + data[end - 1] * 521 + size * 7) & 1023
            if self._is_near(data, begin, size, place):
                return int(self.near[place, 2])
        token = self._piece(data, begin, end)
        found = self.known.get(token)
        if found is None:
            found = self.known[token] = self.number(token.decode("utf-8", "replace"))
        if place >= 0:
            self._put_near(begin, size, place, found)
        return int(found)

    def _alike(self, data: Any, begin: int, size: int) -> int:
        """The place in `near` of an annotation that holds others: by its length and some of its bytes."""
        step = (size >> 3) + 1
        made = size
        k = 0
        while k < size:
            made = (made * 31 + data[begin + k]) & 0xFFFFFF
            k += step
        made = made * 31 + data[begin + size - 1]
        return 1024 + int((made ^ (made >> 10)) & 1023)

    def _is_near(self, data: Any, begin: int, size: int, place: int) -> bool:
        """Whether the same bytes have that place."""
        if self.near[place, 2] < 0 or self.near[place, 1] != size:
            return False
        first = self.near[place, 0]
        k = 0
        while k < size and data[first + k] == data[begin + k]:
            k += 1
        return bool(k == size)

    def _put_near(self, begin: int, size: int, place: int, found: int) -> int:
        self.near[place, 0] = begin
        self.near[place, 1] = size
        self.near[place, 2] = found
        return 0

    def _forget_near(self) -> int:
        """What was found in a piece does not lie in the next."""
        for k in range(self.near.shape[0]):
            self.near[k, 2] = -1
        return 0

    def text_of(self, row: int, table: int, iid: int) -> str:
        """An interned text by its number."""
        made: str = self.listed[self._of(row, table, iid)]
        return made


def table(rows: int, columns: int) -> Any:
    return _memory(np.zeros((rows, columns), np.int64))


def _memory(array: Any) -> Any:
    """Without a compiler its cells are twice as quick as an array's."""
    return memoryview(array)
