# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""The opcodes of a pickle of plain data → columns of a memory snapshot, without an object for each of its dictionaries.

Compiled with the types of `machine.pxd`; runs without. Nothing is imported, called or built: what names a Python object
ends the reading. A dictionary becomes a row of numbers when its last item is there, and a list of frames a number that
equal lists share; only what is none of these is kept as it is, up to a limit.

Values are numbers: the lowest four bits say what (`words`), the rest is the number itself or a place.
"""

from __future__ import annotations

import random
from array import array
from typing import Any

import numpy as np

from . import words

K_LAST = len(words.KEYS)
RUNS, DONE, CUT = words.RUNS, words.DONE, words.CUT
NAMED, DAMAGED, TOO_MUCH = words.REFUSED, words.DAMAGED, words.TOO_MUCH
#: Values that are kept as they are: of a snapshot settings and annotations.
MOST_CELLS = 4_000_000
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


def _long(n: int) -> Any:
    return array("q", [0]) * n


def _int(n: int) -> Any:
    return array("i", [0]) * n


def _larger(old: Any, made: Any) -> Any:
    """Twice the room: `made`, with what `old` holds."""
    np.asarray(made)[: len(np.asarray(old))] = np.asarray(old)
    return made


class Machine:
    """Reads one pickle. status, at, detail: why it stopped and where; `words` has the numbers.

    texts: bytes by id. frames: (file, name, line, node) as ids of texts. Arrays are given by `columns` and `calls`.
    """

    def __init__(self, view: Any) -> None:
        self.view, self.data = view, view
        self.size, self.at, self.status = len(view), 0, RUNS
        self.detail: Any = None
        # What a file of this size has room for: a dictionary with an item takes 8 bytes; an entry of PyTorch's, a text
        # and a frame that no other equals more than 60.
        self.room, self.few = self.size // 8 + (1 << 16), self.size // 64 + (1 << 16)
        self.top = self.marks = self.memo_size = self.objects = self.lost = self.cells = self.seen = 0
        self.stack, self.mark, self.memo = _long(1 << 10), _long(MOST_MARKS), _long(1 << 12)
        self.value, self.kind = _long(1 << 12), array("B", [0]) * (1 << 12)
        self.wide, self.narrow = _long(4 << 10), _int(7 << 10)
        self.blocks, self.segments, self.history = _long(6 << 8), _long(13 << 6), _long(2 << 4)
        self.entries = self.block_rows = self.segment_rows = self.histories = 0
        self.texts = [key.encode() for key in words.KEYS]
        self._strings = {text: i for i, text in enumerate(self.texts)}
        self._frames: dict[tuple[int, ...], int] = {}
        self.frames: list[tuple[int, ...]] = []
        self._pairs, self.pairs = {(0, 0): 0}, [(0, 0)]
        self.generic: dict[int, list[int]] = {}
        self.wide_values: list[Any] = []
        self.field = _long(K_LAST)
        self.arena, self.used = _int(1 << 12), 0
        self.begin, self.stacks = _long(1 << 8), 1
        self.slots, self.hashes = _int(1 << 9), array("Q", [0]) * (1 << 8)
        self.seed = random.getrandbits(63)

    def run(self, until: int) -> int:
        """Read on to about `until`; the status."""
        until = min(until, self.size)
        while self.status == RUNS and self.at < until:
            self._step()
        if self.status == RUNS and self.at >= self.size:
            self._stop(CUT, None)
        return self.status

    def _stop(self, status: int, detail: Any) -> bool:
        self.status, self.detail = status, detail
        return False

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
            module, name = [*bytes(self.view[at : at + _NAME_BYTES]).split(b"\n"), b"", b""][:2]
            return REFUSED[op], module.decode("utf-8", "replace"), "" if op == 0x50 else name.decode("utf-8", "replace")
        if op == 0x93 and self.top >= 2:
            said = [self.plain(self.stack[self.top - k]) for k in (2, 1)]
            if all(isinstance(each, str) for each in said):
                return REFUSED[op], said[0][:_NAME_BYTES], said[1][:_NAME_BYTES]
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

    def _string(self, text: bytes) -> int:
        known = self._strings.get(text)
        if known is None:
            known = len(self.texts)
            # Each takes 100 bytes here.
            if known > self.few:
                self._stop(TOO_MUCH, None)
                return 0
            self._strings[text] = known
            self.texts.append(text)
        return known

    def _push(self, value: int) -> bool:
        if self.top == len(self.stack):
            if self.top > self.room:
                return self._stop(TOO_MUCH, None)
            self.stack = _larger(self.stack, _long(2 * self.top))
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
                self.memo = _larger(self.memo, _long(2 * place))
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
            self.value = _larger(self.value, _long(2 * n))
            self.kind = _larger(self.kind, array("B", [0]) * (2 * n))
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

    def _frame(self, target: int) -> bool:
        key = (self._text_of(12), self._text_of(14), max(self._number(13), 0), self._text_of(28))
        known = self._frames.get(key)
        if known is None:
            known = len(self.frames)
            if known > self.few:
                return self._stop(TOO_MUCH, None)
            self._frames[key] = known
            self.frames.append(key)
        self.kind[target], self.value[target] = 4, known
        return True

    def _entry(self, target: int) -> bool:
        n = self.entries
        if 4 * n == len(self.wide):
            if n > self.few + self.few:
                return self._stop(TOO_MUCH, None)
            self.wide = _larger(self.wide, _long(8 * n))
            self.narrow = _larger(self.narrow, _int(14 * n))
        self.wide[4 * n] = self._number(7) if self._has(7) else self._number(2)
        self.wide[4 * n + 1] = self._number(3)
        self.wide[4 * n + 2] = self._number(5)
        self.wide[4 * n + 3] = self._number(4)
        self.narrow[7 * n] = self._text_of(1)
        self.narrow[7 * n + 1] = self._stack_of(6)
        self.narrow[7 * n + 2] = self._text_of(8)
        self.narrow[7 * n + 3] = self._text_of(9)
        self.narrow[7 * n + 4] = self._pair_of(10)
        self.narrow[7 * n + 5] = self._text_of(11)
        self.narrow[7 * n + 6] = -1
        self.kind[target], self.value[target] = 6, n
        self.entries += 1
        return True

    def _block(self, target: int) -> bool:
        n = self.block_rows
        if 6 * n == len(self.blocks):
            if n > self.few + self.few:
                return self._stop(TOO_MUCH, None)
            self.blocks = _larger(self.blocks, _long(12 * n))
        past = self._object_of(18, 14)
        self.blocks[6 * n] = self._number(15)
        self.blocks[6 * n + 1] = self._number(3)
        self.blocks[6 * n + 2] = self._number(16) if past < 0 or self._has(16) else self.history[2 * past + 1]
        self.blocks[6 * n + 3] = self._text_of(17)
        self.blocks[6 * n + 4] = self._stack_of(6) if past < 0 or self._has(6) else self.history[2 * past]
        self.blocks[6 * n + 5] = -1
        self.kind[target], self.value[target] = 8, n
        self.block_rows += 1
        return True

    def _segment(self, target: int) -> bool:
        n = self.segment_rows
        if 13 * n == len(self.segments):
            self.segments = _larger(self.segments, _long(26 * n))
        for column, key in ((0, 20), (1, 15), (2, 21), (3, 4), (5, 22), (6, 23), (7, 16), (9, 26)):
            self.segments[13 * n + column] = self._number(key)
        self.segments[13 * n + 4] = self._text_of(24)
        self.segments[13 * n + 8] = self._pair_of(25)
        self.segments[13 * n + 10] = self._stack_of(6)
        self.segments[13 * n + 11] = self.field[27] >> 4 if self.field[27] & 15 == 5 else -1
        self.segments[13 * n + 12] = -1
        self.kind[target], self.value[target] = 10, n
        self.segment_rows += 1
        return True

    def _past(self, target: int) -> bool:
        """An allocation in the history of a block, as PyTorch 1.13 and 2.0 have them."""
        n = self.histories
        if 2 * n == len(self.history):
            self.history = _larger(self.history, _long(4 * n))
        self.history[2 * n], self.history[2 * n + 1] = self._stack_of(6), self._number(19)
        self.kind[target], self.value[target] = 13, n
        self.histories += 1
        return True

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

    def _owned(self, target: int, like: int, i: int) -> bool:
        """A row that lies in a list; one that lies in another already stays there."""
        if like == 6 and self.narrow[7 * i + 6] < 0:
            self.narrow[7 * i + 6] = target
        elif like == 8 and self.blocks[6 * i + 5] < 0:
            self.blocks[6 * i + 5] = target
        elif like == 10 and self.segments[13 * i + 12] < 0:
            self.segments[13 * i + 12] = target
        else:
            self.lost += 1
        return True

    def _stacked(self, target: int, first: int) -> bool:
        """Frames of the stack from `first` on; a list of more than 1,000 comes in several parts."""
        begin = self.used
        if self.kind[target] == 5:
            for k in range(self.begin[self.value[target] - 1], self.begin[self.value[target]]):
                if self.used == len(self.arena):
                    self.arena = _larger(self.arena, _int(2 * self.used))
                self.arena[self.used] = self.arena[k]
                self.used += 1
        for k in range(first, self.top):
            if self.stack[k] & 15 != 5 or self.kind[self.stack[k] >> 4] != 4:
                self.lost += 1
                continue
            if self.used == len(self.arena):
                # A frame takes two bytes in a file at the least.
                if self.used > 4 * self.room:
                    self.used = begin
                    return self._stop(TOO_MUCH, None)
                self.arena = _larger(self.arena, _int(2 * self.used))
            self.arena[self.used] = self.value[self.stack[k] >> 4]
            self.used += 1
        self.kind[target], self.value[target] = 5, self._interned(begin)
        return True

    def _interned(self, begin: int) -> int:
        """The number of the stack that ends the arena; one that is there already is taken back."""
        made, size = self.seed, self.used - begin
        for k in range(begin, self.used):
            made = ((made ^ self.arena[k]) * 1099511628211) & 0x3FFFFFFFFFFFFFFF
        made ^= made >> 29
        mask = len(self.slots) - 1
        slot = made & mask
        while self.slots[slot] > 0:
            other = self.slots[slot]
            if self.hashes[other] == made and self.begin[other] - self.begin[other - 1] == size:
                same = True
                for k in range(size):
                    if self.arena[self.begin[other - 1] + k] != self.arena[begin + k]:
                        same = False
                        break
                if same:
                    self.used = begin
                    return int(other)
            slot = (slot + 1) & mask
        if self.stacks == len(self.begin):
            self.begin = _larger(self.begin, _long(2 * self.stacks))
            self.hashes = _larger(self.hashes, array("Q", [0]) * (2 * self.stacks))
        self.begin[self.stacks], self.hashes[self.stacks] = self.used, made
        self.slots[slot] = self.stacks
        self.stacks += 1
        if 2 * self.stacks > len(self.slots):
            self._rehash()
        return self.stacks - 1

    def _rehash(self) -> bool:
        self.slots = _int(2 * len(self.slots))
        mask = len(self.slots) - 1
        for k in range(1, self.stacks):
            slot = self.hashes[k] & mask
            while self.slots[slot] > 0:
                slot = (slot + 1) & mask
            self.slots[slot] = k
        return True

    def _keep(self, target: int, first: int) -> bool:
        """As they are: items of the stack from `first` on."""
        if self.kind[target] > 3:
            self.lost += self.top - first
            return True
        self.cells += self.top - first
        if self.cells > MOST_CELLS:
            return self._stop(TOO_MUCH, None)
        if self.kind[target] < 2:
            self.kind[target] += 2
        held = self.generic.setdefault(target, [])
        for k in range(first, self.top):
            held.append(self.stack[k])
        return True

    def _has(self, key: int) -> bool:
        return (self.seen >> key) & 1 == 1

    def _number(self, key: int) -> int:
        """A whole number or a truth value, else -1."""
        v = self.field[key] if self._has(key) else 0
        return v >> 4 if v & 15 == 2 or v & 15 == 1 else -1

    def _text_of(self, key: int) -> int:
        v = self.field[key] if self._has(key) else 0
        return v >> 4 if v & 15 == 4 else 0

    def _stack_of(self, key: int) -> int:
        """Number of a stack, 0 without one."""
        v = self._object_of(key, 5)
        return v if v > 0 else 0

    def _pair_of(self, key: int) -> int:
        v = self._object_of(key, 12)
        return v if v > 0 else 0

    def _object_of(self, key: int, kind: int) -> int:
        """What stands for an object of a kind, else -1."""
        v = self.field[key] if self._has(key) else 0
        return self.value[v >> 4] if v & 15 == 5 and self.kind[v >> 4] == kind else -1

    def unwind(self) -> None:
        """Of a file that ends early: what lies on the stack goes where it would have gone."""
        while self.marks > 0:
            first = self.mark[self.marks - 1]
            target = self.stack[first - 1] if 1 <= first <= self.top else 0
            if target & 15 != 5:
                self.marks -= 1
                continue
            is_dict = self.kind[target >> 4] in (1, 3)
            # Keys are texts: of two objects the upper is what the lower was to hold alone.
            while is_dict and self.top - first > 2 and self.stack[self.top - 1] & self.stack[self.top - 2] & 15 == 5:
                self._close(False, True)
            if is_dict and (self.top - first) % 2:
                self.top -= 1
            self._close(is_dict, False)

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

    def text_id(self, text: bytes) -> int:
        """-1 for one that the file does not hold."""
        found: int = self._strings.get(text, -1)
        return found

    def root(self) -> Any:
        """What the pickle holds, as `plain` has it; None where it holds nothing."""
        return self.plain(self.stack[0]) if self.top else None

    def columns(self) -> dict[str, Any]:
        """Rows of entries, blocks and segments, and frames by stack with where each begins."""
        return {
            "wide": np.asarray(self.wide)[: 4 * self.entries].reshape(-1, 4),
            "narrow": np.asarray(self.narrow)[: 7 * self.entries].reshape(-1, 7),
            "blocks": np.asarray(self.blocks)[: 6 * self.block_rows].reshape(-1, 6),
            "segments": np.asarray(self.segments)[: 13 * self.segment_rows].reshape(-1, 13),
            "frames": np.asarray(self.arena)[: self.used],
            "begin": np.asarray(self.begin)[: self.stacks],
        }
