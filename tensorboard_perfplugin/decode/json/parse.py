# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
# mypy: disable-error-code="import-untyped"
"""Compiled: the text of trace events → rows of numbers, without an object for each. Types in `parse.pxd`.

Only what is written as nearly all writers do is taken here; of anything else, valid or not, the caller learns where
it is. Texts, lists and objects are known again by their bytes; those seen first are decoded by msgspec. Rows are what
`lots.py` gives, which stands in where this is not compiled. Positions are -1 for what is not as usual, -2 where
the text ends first, -3 where there is no room for it.
"""

from __future__ import annotations

import random
from typing import Any

import cython

if not cython.compiled:
    raise ImportError("decode.json.parse runs only compiled")

import msgspec
import numpy as np
from cython.cimports.libc.string import memcmp
from cython.cimports.tensorboard_perfplugin.decode.json.tokens import (
    GUESSES,
    RECENT,
    ROWS,
    STATS,
    bits,
    field_of,
    finished,
    first_of,
    hash_of,
    is_global,
    is_local,
    letters_before,
    literal,
    mixed,
    nested,
    number_end,
    picoseconds,
    short_field,
    space,
    stops_in,
    time_end,
    whole_end,
    wide_in,
    word_at,
)

from .plain import ARRAY_ENDED, COLUMNS, FULL, ODD, STAT_COLUMNS, TEXT_ENDED, number, stat_of, text_of

#: Of 18 digits a number fits 64 bits, of 15 a double holds it.
_POWERS = 10.0 ** np.arange(23)


class Parser:
    """texts, ids: what was found so far → its number; both grow."""

    def __init__(self, texts: dict[str, int], ids: dict[Any, int]) -> None:
        self.texts, self.ids = texts, ids
        self.seed, self.secret = random.getrandbits(63), random.getrandbits(63) | 1
        self.powers = _POWERS
        self.size = self.used = 0
        self.slots = np.zeros(1 << 12, np.int32)
        self.hashes = np.zeros(1 << 11, np.uint64)
        self.places = np.zeros((1 << 11, 3), np.int64)
        self.bytes = np.zeros(1 << 16, np.uint8)
        self.stamps = np.zeros(1 << 12, np.int64)
        self.clock = 0
        # Entries + 1 by what came before them: most events are written as others of their category were.
        self.guesses = np.zeros(GUESSES, np.int32)
        self.last_value = np.zeros(COLUMNS * RECENT, np.int64)
        self.last_id = np.full(COLUMNS * RECENT, -1, np.int64)
        self.turn = self.stopped = self.events = self.members = 0
        self.rows = [np.zeros((COLUMNS, ROWS), np.int64) for _ in range(2)]
        self.stats = [np.empty((STAT_COLUMNS, STATS), np.int64) for _ in range(2)]

    def parse(self, text: Any, begin: int, end: int) -> tuple[int, int, Any, Any]:
        """Events from `begin` on: why it stopped, where to go on, rows and rows of args. Columns as in `plain`.

        `begin` lies inside an array, between its elements. Rows stay until the call after the next. Other threads run
        meanwhile, but for new texts and ids and for odd numbers.
        """
        self.turn = 1 - self.turn
        rows, stats = self.rows[self.turn], self.stats[self.turn]
        if begin >= end:
            return TEXT_ENDED, begin, rows.T[:0], stats.T[:0]
        status = self._all(text, begin, end, rows, stats)
        return status, self.stopped, rows.T[: self.events], stats.T[: self.members]

    def _all(self, text: Any, begin: int, end: int, rows: Any, stats: Any) -> int:
        """Why it stopped; where in `stopped`, how many rows there are in `events` and `members`."""
        data, row, stat = cython.address(text[0]), cython.address(rows[0, 0]), cython.address(stats[0, 0])
        with cython.nogil:
            status = self._several(data, begin, end, row, stat)
        return TEXT_ENDED if status == 0 else ARRAY_ENDED if status == 1 else FULL if status == 2 else ODD

    def _several(self, data: Any, at: int, end: int, row: Any, stat: Any) -> int:
        i = n = 0
        status = 2
        while True:
            while at < end and (data[at] == 44 or data[at] <= 32):
                at += 1
            if at >= end:
                status = 0
                break
            if data[at] == 93:
                at += 1
                status = 1
                break
            if i == ROWS:
                break
            after = self._event(data, at, end, row + i, stat + n, STATS - n)
            if after < 0:
                if after != -3 or i == 0:
                    status = 0 if after == -2 else 3
                break
            n += row[11 * ROWS + i]
            i += 1
            at = after
        self.stopped = at
        self.events = i
        self.members = n
        return status

    def _event(self, data: Any, begin: int, end: int, row: Any, stat: Any, room: int) -> int:
        """Write one event to a row, a column every `ROWS`, and its args from a row on; the position after it."""
        if data[begin] != 123:
            return -1
        for k in range(12):
            row[k * ROWS] = 0
        row[3 * ROWS] = row[4 * ROWS] = row[5 * ROWS] = row[12 * ROWS] = row[13 * ROWS] = row[14 * ROWS] = -1
        seen = 0
        args = args_end = -1
        at = space(data, begin + 1, end)
        while at < end and data[at] != 125:
            if data[at] != 34:
                return -1
            field = size = 0
            if at + 9 <= end:
                field = short_field(data, at, cython.address(size))
            if field != 0:
                at += size
            else:
                key = at
                at = self._string(data, at, end)
                if at < 0:
                    return at
                field = field_of(data, key + 1, at - key - 2)
            if field < 0 or field & seen:
                return -1
            seen |= field
            at = space(data, at, end)
            if at < end and data[at] != 58:
                return -1
            at = space(data, at + 1, end)
            if at >= end:
                return -2
            if field == 256 and seen & 136 == 136:
                at = self._args(data, at, end, row, stat, room)
            elif field == 256:
                args = at
                at = args_end = nested(data, at, end)
            else:
                at = self._field(data, at, end, field, row)
            if at < 0:
                return at
            at = space(data, at, end)
            if at < end and data[at] == 44:
                at = space(data, at + 1, end)
                if at < end and data[at] == 125:
                    return -1
            elif at < end and data[at] != 125:
                return -1
        if at >= end:
            return -2
        if seen & 576 == 512 or seen & 65540 == 65540:
            return -1
        if args >= 0 and self._args(data, args, end, row, stat, room) != args_end:
            return -1
        return at + 1

    def _args(self, data: Any, begin: int, end: int, row: Any, stat: Any, room: int) -> int:
        """As `_members`, once the category is known."""
        self.category = row[2 * ROWS]
        at = self._members(data, begin, end, stat, room)
        row[11 * ROWS] = self.made
        return at

    def _field(self, data: Any, at: int, end: int, field: int, row: Any) -> int:
        """A member of an event other than its args."""
        begin = at
        if field >= 1024:
            return self._rare(data, at, end, field, row)
        if field == 0 or field == 512:
            return self._skipped(data, at, end)
        if field == 2 or field == 64:
            return self._time(data, at, end, row, 6 if field == 2 else 8)
        if field == 16 or field == 32 or field == 4:
            column = 3 if field == 16 else 4 if field == 32 else 5
            at = self._key(data, at, end, column)
            row[column * ROWS] = self.made
            return at
        if data[at] != 34:
            return -1
        at = self._string(data, at, end)
        if at < 0:
            return at
        if field == 1:
            if at != begin + 3 or data[begin + 1] >= 128:
                return -1
            row[0] = data[begin + 1]
            return at
        found = self._known(data, begin, at)
        if found < 0:
            return -1
        row[ROWS if field == 128 else 2 * ROWS] = found
        return at

    def _rare(self, data: Any, at: int, end: int, field: int, row: Any) -> int:
        """A member that says where an arrow, a stack or an id belongs."""
        begin = at
        if field == 1024:
            at = self._skipped(data, at, end)
            if at == begin + 3 and data[begin] == 34 and data[begin + 1] == 101:
                row[10 * ROWS] |= 8
        elif field == 4096 or field == 8192:
            at = literal(data, at, end)
            if at >= 0 and data[begin] == 116:
                row[10 * ROWS] |= 16 if field == 4096 else 32
        elif field == 65536:
            at = self._scoped(data, at, end, row)
        elif field == 32768 and (data[at] != 34 or at + 1 >= end or data[at + 1] == 34):
            at = -1
        else:
            column = 12 if field == 16384 else 13 if field == 32768 else 14
            at = self._key(data, at, end, column)
            row[column * ROWS] = self.made
        return at

    def _scoped(self, data: Any, at: int, end: int, row: Any) -> int:
        """An `id2`, `{"local": 7}` or `{"global": 7}`."""
        if data[at] != 123:
            return -1
        begin = at = space(data, at + 1, end)
        if at < end and data[at] != 34:
            return -1
        at = self._string(data, at, end)
        if at < 0:
            return at
        if is_local(data, begin, at):
            flag = 64
        elif is_global(data, begin, at):
            flag = 128
        else:
            return -1
        at = space(data, at, end)
        if at < end and data[at] != 58:
            return -1
        at = space(data, at + 1, end)
        if at >= end:
            return -2
        at = self._key(data, at, end, 5)
        if at < 0:
            return at
        at = space(data, at, end)
        if at < end and data[at] != 125:
            return -1
        row[5 * ROWS] = self.made
        row[10 * ROWS] |= flag
        return at + 1 if at < end else -2

    def _members(self, data: Any, at: int, end: int, stat: Any, room: int) -> int:
        """Args: a row each, a column every `STATS`; how many in `made`."""
        self.made = 0
        if data[at] != 123:
            return -1
        n = key = 0
        self.clock += 1
        at = space(data, at + 1, end)
        while at < end and data[at] != 125:
            if n == room:
                return -3
            if data[at] != 34:
                return -1
            guess = 2 * (64 * self.category + key) & (GUESSES - 1)
            entry = self._guessed(data, at, end, guess)
            if entry >= 0:
                at += self.places[entry, 1]
                key = self.places[entry, 2]
            else:
                begin = at
                at = self._string(data, at, end)
                if at < 0:
                    return at
                key = self._known(data, begin, at)
                if key < 0 or self.escaped:
                    return -1
                self.guesses[guess] = self.entry + 1
            if self.stamps[key] == self.clock:
                return -1
            self.stamps[key] = self.clock
            at = space(data, at, end)
            if at < end and data[at] != 58:
                return -1
            at = space(data, at + 1, end)
            if at >= end:
                return -2
            stat[n] = key
            at = self._value(data, at, end, stat + n)
            if at < 0:
                return at
            n += 1
            at = space(data, at, end)
            if at < end and data[at] == 44:
                at = space(data, at + 1, end)
                if at < end and data[at] == 125:
                    return -1
            elif at < end and data[at] != 125:
                return -1
        if at >= end:
            return -2
        self.made = n
        return at + 1

    def _guessed(self, data: Any, at: int, end: int, guess: int) -> int:
        """The entry of what was last at such a place, where it is here again; else -1. Its end is in its letters."""
        entry = self.guesses[guess] - 1
        if entry < 0:
            return -1
        size = self.places[entry, 1]
        if at + size > end or memcmp(data + at, cython.address(self.bytes[self.places[entry, 0]]), size) != 0:
            return -1
        return entry

    def _value(self, data: Any, begin: int, end: int, stat: Any) -> int:
        letter = data[begin]
        if letter == 34 or letter == 91 or letter == 123:
            guess = (2 * (64 * self.category + stat[0]) + 1) & (GUESSES - 1)
            entry = self._guessed(data, begin, end, guess)
            stat[STATS] = 4
            if entry >= 0:
                stat[2 * STATS] = self.places[entry, 2]
                return begin + self.places[entry, 1]
            at = self._string(data, begin, end) if letter == 34 else nested(data, begin, end)
            if at < 0:
                return at
            if letter != 34:
                self.hash = hash_of(data, begin, at, self.seed, self.secret)
            found = self._known(data, begin, at)
            if found < 0:
                return -1
            self.guesses[guess] = self.entry + 1
            stat[2 * STATS] = found
            return at
        if letter == 45 or 48 <= letter <= 57:
            at = whole_end(data, begin, end, stat + 2 * STATS)
            stat[STATS] = 1
            if at == 0:
                at = self._number(data, begin, end)
                stat[STATS] = self.kind
                stat[2 * STATS] = self.made
            return at
        at = literal(data, begin, end)
        if at >= 0:
            stat[STATS] = 4 if letter == 110 else 1
            stat[2 * STATS] = letter == 116
        return at

    def _number(self, data: Any, begin: int, end: int) -> int:
        """Its StatKind in `kind`, its bits in `made`."""
        at = number_end(data, begin, end)
        if at < 0:
            return at
        k = begin + (data[begin] == 45)
        whole = 0
        point = at
        places = 0
        while k < at and (48 <= data[k] <= 57 or data[k] == 46):
            if data[k] == 46:
                point = k
            else:
                whole = whole * 10 + (data[k] - 48)
            k += 1
        size = at - begin
        places = at - point - 1
        if k == at and point == at and size <= 18 and (whole != 0 or data[begin] != 45):
            self.kind = 1
            self.made = -whole if data[begin] == 45 else whole
            return at
        if k == at and point < at and size <= 16 and places <= 22 and (whole != 0 or data[begin] != 45):
            self.kind = 3
            self.made = bits(whole / self.powers[places] * (-1.0 if data[begin] == 45 else 1.0))
            return at
        with cython.gil:
            return at if self._decoded(data[begin:at]) else -1

    def _decoded(self, token: bytes) -> bool:
        """As `_number`, of what takes more digits; whether it is one."""
        try:
            value = msgspec.json.decode(token)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return False
        self.kind, self.made = stat_of(value, self.texts)
        return True

    def _time(self, data: Any, begin: int, end: int, row: Any, column: int) -> int:
        """Microseconds with decimals, as a number or as a text."""
        flag = 1 if column == 6 else 2
        at = time_end(data, begin, end, row + column * ROWS, row + (column + 1) * ROWS)
        if at != 0:
            row[10 * ROWS] |= flag
            return at
        if data[begin] == 34:
            at = self._string(data, begin, end)
            if at >= 0 and (self.escaped or self.wide):
                return -1
        elif data[begin] == 45 or 48 <= data[begin] <= 57:
            at = number_end(data, begin, end)
        else:
            return -1
        if at < 0:
            return at
        if not picoseconds(data, begin, at, row + column * ROWS, row + (column + 1) * ROWS):
            with cython.gil:
                if not self._odd_time(data[begin:at], row, column):
                    flag = 4
        row[10 * ROWS] |= flag
        return at

    def _odd_time(self, token: bytes, row: Any, column: int) -> bool:
        """As `_time`, of what is written otherwise; whether it is a time."""
        made = np.zeros((1, COLUMNS), np.int64)
        if not number(token, made, 0, column):
            return False
        row[column * ROWS], row[(column + 1) * ROWS] = made[0, column], made[0, column + 1]
        return True

    def _key(self, data: Any, begin: int, end: int, which: int) -> int:
        """A pid, tid or id, its number in `made`; most are among the last ones."""
        if data[begin] == 34:
            at = self._string(data, begin, end)
            if at < 0:
                return at
            if self.escaped or self.wide:
                return -1
            with cython.gil:
                self.made = self.ids.setdefault(data[begin + 1 : at - 1].decode(), len(self.ids))
            return at
        if data[begin] != 45 and not 48 <= data[begin] <= 57:
            return -1
        at = whole_end(data, begin, end, cython.address(self.made))
        if at == 0:
            at = self._number(data, begin, end)
            if at < 0:
                return at
            if self.kind != 1:
                return -1
        place = RECENT * which + ((self.made ^ self.made >> 6) & (RECENT - 1))
        if self.last_id[place] < 0 or self.last_value[place] != self.made:
            with cython.gil:
                self.last_id[place] = self.ids.setdefault(self.made, len(self.ids))
            self.last_value[place] = self.made
        self.made = self.last_id[place]
        return at

    def _skipped(self, data: Any, begin: int, end: int) -> int:
        """The position after a value that is not read. Of texts only those that need no second look."""
        letter = data[begin]
        if letter == 34:
            at = self._string(data, begin, end)
            return -1 if at >= 0 and (self.escaped or self.wide) else at
        if letter == 45 or 48 <= letter <= 57:
            return self._number(data, begin, end)
        return literal(data, begin, end)

    def _string(self, data: Any, begin: int, end: int) -> int:
        """The position after a text; its hash in `hash`, whether it has a backslash or more than ASCII."""
        made = self.seed
        wide = 0
        at = begin + 1
        while at + 8 <= end:
            word = word_at(data + at)
            stops = stops_in(word)
            if stops != 0:
                k = letters_before(stops)
                if data[at + k] != 34:
                    break
                word = first_of(word, k)
                at += k
                self.hash = finished(made, word, at - begin - 1, self.secret)
                self.escaped = 0
                self.wide = wide_in(wide | word)
                return at + 1
            wide |= word
            made = mixed(made, word, self.secret)
            at += 8
        return self._slow_string(data, begin, end)

    def _slow_string(self, data: Any, begin: int, end: int) -> int:
        """The same of any text, letter by letter."""
        escaped = wide = 0
        at = begin + 1
        while at < end:
            letter = data[at]
            if letter == 34:
                self.hash = hash_of(data, begin + 1, at, self.seed, self.secret)
                self.escaped = escaped
                self.wide = wide
                return at + 1
            if letter == 92:
                escaped = 1
                at += 1
                if at >= end:
                    return -2
                letter = data[at]
            if letter < 32:
                return -1
            wide |= letter >> 7
            at += 1
        return -2

    def _known(self, data: Any, begin: int, end: int) -> int:
        """The number of a text, or of what is no text as one, by its bytes, whose hash is `hash`; -1: no valid JSON.

        `entry`: which it is.
        """
        size = end - begin
        mask = self.slots.shape[0] - 1
        slot = self.hash & mask
        while self.slots[slot] != 0:
            entry = self.slots[slot] - 1
            if (
                self.hashes[entry] == self.hash
                and self.places[entry, 1] == size
                and memcmp(data + begin, cython.address(self.bytes[self.places[entry, 0]]), size) == 0
            ):
                self.entry = entry
                return self.places[entry, 2]
            slot = (slot + 1) & mask
        with cython.gil:
            return self._added(data[begin:end], slot)

    def _added(self, token: bytes, slot: int) -> int:
        try:
            text = text_of(msgspec.json.decode(token))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return -1
        found = self.texts.setdefault(text, len(self.texts))
        if self.used + len(token) > len(self.bytes):
            self.bytes = _grown(self.bytes, self.used + len(token))
        if self.size == len(self.hashes):
            self.hashes, self.places = _grown(self.hashes, self.size + 1), _grown(self.places, self.size + 1)
        if len(self.texts) > len(self.stamps):
            self.stamps = _grown(self.stamps, len(self.texts))
        np.asarray(self.bytes)[self.used : self.used + len(token)] = np.frombuffer(token, np.uint8)
        self.hashes[self.size] = self.hash
        np.asarray(self.places)[self.size] = self.used, len(token), found
        self.used += len(token)
        self.entry = self.size
        self.size += 1
        self.slots[slot] = self.size
        if 2 * self.size > len(self.slots):
            self._rehash()
        return int(found)

    def _rehash(self) -> None:
        """Twice the slots."""
        self.slots = np.zeros(2 * len(self.slots), np.int32)
        mask = self.slots.shape[0] - 1
        for entry in range(self.size):
            slot = self.hashes[entry] & mask
            while self.slots[slot] != 0:
                slot = (slot + 1) & mask
            self.slots[slot] = entry + 1


def _grown(array: Any, least: int) -> Any:
    old = np.asarray(array)
    made = np.zeros((max(2 * len(old), least), *old.shape[1:]), old.dtype)
    made[: len(old)] = old
    return made
