# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Rows that a memory snapshot's dictionaries become: actions, blocks, segments, frames and stacks of them.

Compiled with the types of `rows.pxd`; runs without. `field` holds the values of the dictionary that was filled last, by
the number of their keys, `seen` a bit for each that it had.
"""

from __future__ import annotations

import random
from array import array
from typing import Any

import numpy as np

from . import words

RUNS, TOO_MUCH = words.RUNS, words.TOO_MUCH


def longs(n: int) -> Any:
    return array("q", [0]) * n


def ints(n: int) -> Any:
    return array("i", [0]) * n


def larger(old: Any, made: Any) -> Any:
    """More room: `made`, with what `old` holds."""
    np.asarray(made)[: len(np.asarray(old))] = np.asarray(old)
    return made


class Rows:
    """status, detail: why reading stopped, `words` has the numbers. texts: bytes by id. frames: (file, name, line,
    node) as ids of texts.
    """

    def __init__(self, size: int) -> None:
        self.status = RUNS
        self.detail: Any = None
        # What a file of this size has room for: of an action's 80 bytes two are dictionaries or lists; a text and a
        # frame that no other equals take more than 60.
        self.room, self.few = size // 16 + (1 << 16), size // 64 + (1 << 16)
        self.objects = self.lost = self.seen = 0
        self.stack, self.top = longs(1 << 10), 0
        self.value, self.kind = longs(1 << 12), array("B", [0]) * (1 << 12)
        self.wide, self.narrow = longs(4 << 10), ints(7 << 10)
        self.blocks, self.segments, self.history = longs(6 << 8), longs(13 << 6), longs(2 << 4)
        self.entries = self.block_rows = self.segment_rows = self.histories = 0
        self.texts = [key.encode() for key in words.KEYS]
        self._strings = {text: i for i, text in enumerate(self.texts)}
        self._frames: dict[tuple[int, ...], int] = {}
        self.frames: list[tuple[int, ...]] = []
        self.field = longs(len(words.KEYS))
        self.arena, self.used = ints(1 << 12), 0
        self.begin, self.stacks = longs(1 << 8), 1
        self.slots, self.hashes = ints(1 << 9), array("Q", [0]) * (1 << 8)
        self.seed = random.getrandbits(62)

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
            self.wide = larger(self.wide, longs(8 * n))
            self.narrow = larger(self.narrow, ints(14 * n))
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
            self.blocks = larger(self.blocks, longs(12 * n))
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
            self.segments = larger(self.segments, longs(26 * n))
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
            self.history = larger(self.history, longs(4 * n))
        self.history[2 * n], self.history[2 * n + 1] = self._stack_of(6), self._number(19)
        self.kind[target], self.value[target] = 13, n
        self.histories += 1
        return True

    def _stacked(self, target: int, first: int) -> bool:
        """Frames of the stack from `first` on; a list of more than 1,000 comes in several parts."""
        begin = self.used
        if self.kind[target] == 5:
            for k in range(self.begin[self.value[target] - 1], self.begin[self.value[target]]):
                if self.used == len(self.arena):
                    self.arena = larger(self.arena, ints(2 * self.used))
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
                self.arena = larger(self.arena, ints(2 * self.used))
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
            self.begin = larger(self.begin, longs(2 * self.stacks))
            self.hashes = larger(self.hashes, array("Q", [0]) * (2 * self.stacks))
        self.begin[self.stacks], self.hashes[self.stacks] = self.used, made
        self.slots[slot] = self.stacks
        self.stacks += 1
        if 2 * self.stacks > len(self.slots):
            self._rehash()
        return self.stacks - 1

    def _rehash(self) -> bool:
        self.slots = ints(2 * len(self.slots))
        mask = len(self.slots) - 1
        for k in range(1, self.stacks):
            slot = self.hashes[k] & mask
            while self.slots[slot] > 0:
                slot = (slot + 1) & mask
            self.slots[slot] = k
        return True

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

    def _stop(self, status: int, detail: Any) -> bool:
        self.status, self.detail = status, detail
        return False

    def text_id(self, text: bytes) -> int:
        """-1 for one that the file does not hold."""
        found: int = self._strings.get(text, -1)
        return found

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
