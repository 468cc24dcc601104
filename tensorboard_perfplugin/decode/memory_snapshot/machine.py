# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""The opcodes of a pickle of plain data → columns of a memory snapshot, without an object for each of its dictionaries.

Compiled with the types of `machine.pxd`; runs without. Nothing is imported, called or built: what names a Python object
ends the reading. A dictionary becomes a row of numbers when its last item is there, and a list of frames a number that
equal lists share; only what is none of these is kept as it is, up to a limit.

Values are numbers: the lowest four bits say what (`words`), the rest is the number itself or a place.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from . import words
from .rows import Rows, larger, longs

K_LAST = len(words.KEYS)
RUNS, DONE, CUT = words.RUNS, words.DONE, words.CUT
NAMED, DAMAGED, TOO_MUCH = words.REFUSED, words.DAMAGED, words.TOO_MUCH
#: Values that are kept as they are: of a snapshot settings and annotations.
MOST_CELLS = 1_500_000
#: Keys that only rows have.
ROW_KEYS = frozenset(words.KEYS.index(key) * 16 + words.TEXT for key in ("action", "filename", "state", "real_size"))
#: Lists within lists.
MOST_MARKS = 10_000
#: Digits of a whole number in the file, in bytes.
_DIGITS = 256
#: What names a Python object, or needs one.
REFUSED = {
    0x63: "GLOBAL",
    0x93: "STACK_GLOBAL",
    0x52: "REDUCE",
    0x62: "BUILD",
    0x69: "INST",
    0x6F: "OBJ",
    0x81: "NEWOBJ",
    0x92: "NEWOBJ_EX",
    0x82: "EXT1",
    0x83: "EXT2",
    0x84: "EXT4",
    0x50: "PERSID",
    0x51: "BINPERSID",
    0x97: "NEXT_BUFFER",
    0x98: "READONLY_BUFFER",
}
_NAME_BYTES = 200


class Machine(Rows):
    """Reads one pickle. status, at, detail: why it stopped and where; `words` has the numbers.

    texts: bytes by id. frames: (file, name, line, node) as ids of texts. Arrays are given by `columns` and `calls`.
    """

    def __init__(self, view: Any) -> None:
        Rows.__init__(self, len(view))
        self.view, self.data = view, view
        self.size, self.at = len(view), 0
        self.marks = self.memo_size = self.cells = 0
        self.mark, self.memo = longs(MOST_MARKS), longs(1 << 12)
        self._pairs, self.pairs = {(0, 0): 0}, [(0, 0)]
        self.generic: dict[int, list[int]] = {}
        self.wide_values: list[Any] = []

    def run(self, until: int) -> int:
        """Read on to about `until`; the status."""
        until = min(until, self.size)
        while self.status == RUNS and self.at < until:
            op = self.data[self.at]
            if (op == 0x6A or op == 0x68) and self.size - self.at > 4 and self.top < len(self.stack):
                # Most of a file are frames that are known by a number.
                place = self._unsigned(self.at + 1, 4) if op == 0x6A else self.data[self.at + 1]
                if place < self.memo_size:
                    self.stack[self.top] = self.memo[place]
                    self.top += 1
                    self.at += 5 if op == 0x6A else 2
                    continue
            self._step()
        if self.status == RUNS and self.at >= self.size:
            self._stop(CUT, None)
        return self.status

    def _step(self) -> bool:
        op = self.data[self.at]
        at = self.at + 1
        left = self.size - at
        if op == 0x68:  # BINGET
            if left < 1:
                return self._stop(CUT, None)
            self.at = at + 1
            return self._get(self.data[at])
        if op == 0x6A:  # LONG_BINGET
            if left < 4:
                return self._stop(CUT, None)
            self.at = at + 4
            return self._get(self._unsigned(at, 4))
        if op == 0x94:  # MEMOIZE
            self.at = at
            return self._put(self.memo_size)
        return self._constant(op, at, left)

    def _constant(self, op: int, at: int, left: int) -> bool:
        """Numbers and texts."""
        n = 0
        if op == 0x8A:  # LONG1
            return self._integer(at + 1, self.data[at] if left > 0 else 0, left - 1)
        if op == 0x4A or op == 0x4B or op == 0x4D:  # BININT, BININT1, BININT2
            n = 4 if op == 0x4A else 1 if op == 0x4B else 2
            if left < n:
                return self._stop(CUT, None)
            self.at = at + n
            return self._push((self._signed(at, 4) if op == 0x4A else self._unsigned(at, n)) * 16 + 2)
        if op == 0x8C or op == 0x55 or op == 0x43:  # SHORT_BINUNICODE, SHORT_BINSTRING, SHORT_BINBYTES
            return self._text(at + 1, self.data[at] if left > 0 else 0, left - 1)
        if op == 0x58 or op == 0x54 or op == 0x42:  # BINUNICODE, BINSTRING, BINBYTES
            return self._text(at + 4, self._unsigned(at, 4) if left >= 4 else 0, left - 4)
        if op == 0x4E or op == 0x88 or op == 0x89:  # NONE, NEWTRUE, NEWFALSE
            self.at = at
            return self._push(0 if op == 0x4E else 17 if op == 0x88 else 1)
        return self._container(op, at, left)

    def _container(self, op: int, at: int, left: int) -> bool:
        """What makes and fills dictionaries, lists and tuples."""
        n = 0
        if op == 0x28:  # MARK
            if self.marks == MOST_MARKS:
                return self._stop(TOO_MUCH, None)
            self.at = at
            self.mark[self.marks] = self.top
            self.marks += 1
            return True
        if op == 0x7D or op == 0x5D or op == 0x29:  # EMPTY_DICT, EMPTY_LIST, EMPTY_TUPLE
            self.at = at
            return self._push(self._new(1 if op == 0x7D else 0) * 16 + 5)
        if op == 0x75 or op == 0x73 or op == 0x65 or op == 0x61:  # SETITEMS, SETITEM, APPENDS, APPEND
            self.at = at
            return self._close(op == 0x75 or op == 0x73, op == 0x73 or op == 0x61)
        if op == 0x85 or op == 0x86 or op == 0x87 or op == 0x74:  # TUPLE1, TUPLE2, TUPLE3, TUPLE
            n = self._popped_mark() if op == 0x74 else self.top - (op - 0x84)
            if n < 0:
                return self._stop(DAMAGED, None)
            self.at = at
            at = self._new(0)
            self._extend(at, n)
            self.top = n
            return self._push(at * 16 + 5)
        if op == 0x71 or op == 0x72:  # BINPUT, LONG_BINPUT
            n = 1 if op == 0x71 else 4
            if left < n:
                return self._stop(CUT, None)
            self.at = at + n
            return self._put(self._unsigned(at, n))
        return self._other(op, at, left)

    def _other(self, op: int, at: int, left: int) -> bool:
        """What is rare."""
        if op == 0x2E:  # STOP
            return self._stop(DONE, None)
        if op == 0x80 or op == 0x95:  # PROTO, FRAME
            self.at = at + (1 if op == 0x80 else 8)
            return True
        if op == 0x47 and left >= 8:  # BINFLOAT
            self.at = at + 8
            return self._python(float(np.frombuffer(bytes(self.view[at : at + 8]), ">f8")[0]))
        if op == 0x8B and left >= 4:  # LONG4
            return self._integer(at + 4, self._unsigned(at, 4), left - 4)
        if (op == 0x8D or op == 0x8E or op == 0x96) and left >= 8:  # BINUNICODE8, BINBYTES8, BYTEARRAY8
            return self._text(at + 8, self._unsigned(at, 8), left - 8)
        if op in REFUSED:
            return self._stop(NAMED, self.named(op, at))
        if left < 8 and op in (0x47, 0x8B, 0x8D, 0x8E, 0x96):
            return self._stop(CUT, None)
        return self._stop(DAMAGED, None)

    def named(self, op: int, at: int) -> tuple[str, str, str]:
        """The opcode, and module and name of what it names, as far as they stand there."""
        if op in (0x63, 0x69, 0x50):
            module, _, rest = bytes(self.view[at : at + _NAME_BYTES]).decode("utf-8", "replace").partition("\n")
            return REFUSED[op], module, "" if op == 0x50 else rest.partition("\n")[0]
        if op == 0x93 and self.top >= 2:
            texts = [self.plain(self.stack[self.top - k]) for k in (2, 1)]
            if all(isinstance(each, str) for each in texts):
                return REFUSED[op], texts[0][:_NAME_BYTES], texts[1][:_NAME_BYTES]
        return REFUSED[op], "", ""

    def _unsigned(self, at: int, n: int) -> int:
        made, scale = 0, 1
        for k in range(n):
            made += self.data[at + k] * scale
            scale *= 256
        return made if made < 0x4000000000000000 else 0x4000000000000000

    def _signed(self, at: int, n: int) -> int:
        """Of up to 7 bytes, lowest first."""
        value = self._unsigned(at, n)
        if n > 0 and self.data[at + n - 1] & 128:
            sign = 1
            for _ in range(n):
                sign *= 256
            return value - sign
        return value

    def _integer(self, at: int, size: int, left: int) -> bool:
        if size > _DIGITS:
            return self._stop(DAMAGED, None)
        if left < size:
            return self._stop(CUT, None)
        self.at = at + size
        if size <= 7:
            return self._push(self._signed(at, size) * 16 + 2)
        return self._python(int.from_bytes(bytes(self.view[at : at + size]), "little", signed=True))

    def _python(self, value: Any) -> bool:
        """A number that does not fit beside its kind."""
        if isinstance(value, int) and -(1 << 59) <= value < 1 << 59:
            return self._push(value * 16 + 2)
        self.cells += 1
        if self.cells > MOST_CELLS:
            return self._stop(TOO_MUCH, None)
        self.wide_values.append(value)
        return self._push((len(self.wide_values) - 1) * 16 + 3)

    def _text(self, at: int, size: int, left: int) -> bool:
        if left < size:
            return self._stop(CUT, None)
        self.at = at + size
        return self._push(self._string(bytes(self.view[at : at + size])) * 16 + 4)

    def _push(self, value: int) -> bool:
        if self.top == len(self.stack):
            if self.top > self.room:
                return self._stop(TOO_MUCH, None)
            self.stack = larger(self.stack, longs(2 * self.top))
        self.stack[self.top] = value
        self.top += 1
        return True

    def _put(self, place: int) -> bool:
        """What is on top is known by a number, the next that is free."""
        if self.top == 0 or place > self.memo_size:
            return self._stop(DAMAGED, None)
        if place == self.memo_size:
            if place == len(self.memo):
                if place > 2 * self.room:
                    return self._stop(TOO_MUCH, None)
                self.memo = larger(self.memo, longs(2 * place))
            self.memo_size += 1
        self.memo[place] = self.stack[self.top - 1]
        return True

    def _get(self, place: int) -> bool:
        if place >= self.memo_size:
            return self._stop(DAMAGED, None)
        return self._push(self.memo[place])

    def _new(self, kind: int) -> int:
        n = self.objects
        if n == len(self.value):
            if n > self.room:
                self._stop(TOO_MUCH, None)
                return 0
            self.value = larger(self.value, longs(2 * n))
            self.kind = larger(self.kind, array("B", [0]) * (2 * n))
        self.kind[n], self.value[n] = kind, 0
        self.objects += 1
        return n

    def _popped_mark(self) -> int:
        """Where the items since the last mark begin, -1 without a mark."""
        if self.marks == 0:
            return -1
        self.marks -= 1
        first = self.mark[self.marks]
        return first if first <= self.top else -1

    def _close(self, is_dict: bool, one: bool) -> bool:
        """Items on the stack go into what lies below them."""
        first = self.top - (2 if is_dict else 1) if one else self._popped_mark()
        if first < 1 or self.stack[first - 1] & 15 != 5 or (is_dict and (self.top - first) % 2):
            return self._stop(DAMAGED, None)
        target = self.stack[first - 1] >> 4
        if is_dict:
            self._fill(target, first)
        else:
            self._extend(target, first)
        self.top = first
        return True

    def _fill(self, target: int, first: int) -> bool:
        """Pairs of the stack from `first` on into a dictionary, which becomes what its keys say."""
        mask = 0
        for k in range(first, self.top, 2):
            key = self.stack[k] >> 4
            if self.stack[k] & 15 == 4 and 0 < key < K_LAST:
                self.field[key] = self.stack[k + 1]
                mask |= 1 << key
        self.seen = mask
        if self.kind[target] != 1:
            return self._keep(target, first)
        if self._has(12) and self._has(14) and not self._has(1):  # filename, name
            return self._frame(target)
        if self._has(1):  # action
            return self._entry(target)
        if self._has(17) and self._has(3):  # state, size
            return self._block(target)
        if self._has(21) and self._has(27):  # total_size, blocks
            return self._segment(target)
        if self._has(19):  # real_size
            return self._past(target)
        return self._keep(target, first)

    def _extend(self, target: int, first: int) -> bool:
        """Items of the stack from `first` on into a list, which becomes what the first of them says."""
        if first >= self.top:
            return True
        what, v = self.kind[target], self.stack[first]
        like = self.kind[v >> 4] if v & 15 == 5 else -1
        if what == 0 and self.top - first == 2 and v & 15 == 2 and self.stack[first + 1] & 15 == 2:
            key = (v >> 4, self.stack[first + 1] >> 4)
            place = self._pairs.get(key)
            if place is None:
                place = self._pairs[key] = len(self.pairs)
                self.pairs.append(key)
                self.cells += 4
            self.kind[target], self.value[target] = 12, place
            return self.cells <= MOST_CELLS or self._stop(TOO_MUCH, None)
        if like == 4 and (what == 0 or what == 5):
            return self._stacked(target, first)
        if (like == 6 or like == 8 or like == 10) and (what == 0 or what == like + 1):
            self.kind[target] = like + 1
            for k in range(first, self.top):
                v = self.stack[k]
                i = v >> 4
                if v & 15 == 5 and self.kind[i] == like:
                    self._owned(target, like, self.value[i])
                else:
                    self.lost += 1
            return True
        if like == 13 and what == 0:
            self.kind[target], self.value[target] = 14, self.value[v >> 4]
            return True
        return self._keep(target, first)

    def _keep(self, target: int, first: int) -> bool:
        """As they are: items of the stack from `first` on."""
        if self.kind[target] > 3:
            self.lost += self.top - first
            return True
        if self.cells + self.top - first > MOST_CELLS:
            self.lost += self.top - first
            return True
        self.cells += self.top - first
        if self.kind[target] < 2:
            self.kind[target] += 2
        held = self.generic.setdefault(target, [])
        for k in range(first, self.top):
            held.append(self.stack[k])
        return True

    def unwind(self) -> None:
        """Of a file that ends early: what lies on the stack goes where it would have gone."""
        while self.marks > 0:
            first = self.mark[self.marks - 1]
            target = self.stack[first - 1] if 1 <= first <= self.top else 0
            if target & 15 != 5:
                self.marks -= 1
                continue
            is_dict = self.kind[target >> 4] in (1, 3)
            if is_dict and self._is_row(first):
                # A part of a row is none.
                self.marks -= 1
                self.top = first - 1
                continue
            # Keys are texts: of two objects the upper is what the lower was to hold alone.
            while is_dict and self.top - first > 2 and self.stack[self.top - 1] & self.stack[self.top - 2] & 15 == 5:
                self._close(False, True)
            if is_dict and (self.top - first) % 2:
                self.top -= 1
            self._close(is_dict, False)

    def _is_row(self, first: int) -> bool:
        """Whether pairs of the stack are of what becomes a row: an action, a frame, a block."""
        return any(self.stack[k] in ROW_KEYS for k in range(first, self.top, 2))

    def plain(self, value: int) -> Any:
        """A value as Python has it, containers as themselves: (kind, place)."""
        what, rest = value & 15, value >> 4
        if what == words.TEXT:
            return self.texts[rest].decode("utf-8", "replace")
        if what == words.PYTHON:
            return self.wide_values[rest]
        if what == words.OBJECT:
            return self.kind[rest], self.value[rest], rest
        return None if what == words.NONE else bool(rest) if what == words.BOOL else rest

    def root(self) -> Any:
        """What the pickle holds, as `plain` has it; None where it holds nothing."""
        return self.plain(self.stack[0]) if self.top else None
