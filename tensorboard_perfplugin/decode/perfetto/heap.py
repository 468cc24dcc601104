"""Profiles of the heap (heapprofd) → allocations and deallocations, one a call stack and dump.

A dump says of each call stack what it allocated and freed since the profile began. What a stack holds more, or less,
than at the dump before is an allocation, or a deallocation, at the time of the dump, by the function that asked for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind
from ...wire import Budget, Message, signed
from .blocks import Block, slices, with_stats
from .packets import Other, Packets
from .tracks import Row, Tracks

PROFILE = 37
#: Fields of a profile, and 1000 + fields of interned data, that hold texts, frames and call stacks.
_STRINGS, _FRAMES, _STACKS, _DUMP = 1, 2, 3, 5
_INTERNED = {1005: _STRINGS, 1006: _FRAMES, 1007: _STACKS}
_FIELDS = 1 << 22
_UNKNOWN = "(unknown function)"
#: Larger than any memory.
_MOST = 1 << 50


class _Sample(NamedTuple):
    time: int
    pid: int
    heap: str
    function: str
    stack: int
    held: int


def heap_profile(packets: Packets, tracks: Tracks) -> Block | None:
    """None where there is no profile."""
    samples = [each for each in _samples(packets.others) if 0 <= each.time < 1 << 62]
    if not samples:
        return None
    rows: list[tuple[int, int, int, int, int, int, int]] = []
    texts = packets.texts
    before: dict[tuple[int, str, int], int] = {}
    total: dict[tuple[int, str], int] = {}
    for each in sorted(samples, key=lambda sample: (sample.time, sample.pid, sample.heap)):
        change = each.held - before.get((each.pid, each.heap, each.stack), 0)
        if not change:
            continue
        before[each.pid, each.heap, each.stack] = each.held
        held = total[each.pid, each.heap] = total.get((each.pid, each.heap), 0) + change
        kind = texts.setdefault("MemoryAllocation" if change > 0 else "MemoryDeallocation", len(texts))
        place = tracks.add(Row(tracks.process(each.pid), "heap profile", "heap profile"))
        name, function = (texts.setdefault(text, len(texts)) for text in (f"heap {each.heap}", each.function))
        rows.append((kind, place, each.time + packets.clocks.since_epoch(), abs(change), max(held, 0), name, function))
    kinds, places, times, sizes, held_bytes, heaps, functions = np.array(rows, np.int64).reshape(-1, 7).T
    zero = np.zeros(len(rows), np.int64)
    block = slices(kinds, zero, places, times, zero)
    block.phase[:] = ord("i")
    said: dict[str, tuple[StatKind, I64]] = {
        "allocator_name": (StatKind.TEXT, heaps),
        "tf_op": (StatKind.TEXT, functions),
        "allocation_bytes": (StatKind.INT, sizes),
        "requested_bytes": (StatKind.INT, sizes),
        "bytes_allocated": (StatKind.INT, held_bytes),
    }
    keys = [texts.setdefault(key, len(texts)) for key in said]
    return with_stats(block, keys, [kind for kind, _ in said.values()], [values for _, values in said.values()])


def _samples(others: list[Other]) -> Iterator[_Sample]:
    tables: dict[int, _Tables] = {}
    for other in others:
        if other.kind not in (PROFILE, *_INTERNED):
            continue
        data = Message(other.data, Budget(_FIELDS))
        known = tables.setdefault(other.sequence, _Tables())
        if other.kind in _INTERNED:
            known.add(_INTERNED[other.kind], data, 0, len(other.data))
            continue
        parts = [(number, begin, end) for number, begin, end in data.fields(0, len(other.data)) if end >= 0]
        for number, begin, end in parts:
            known.add(number, data, begin, end)
        for number, begin, end in parts:
            if number == _DUMP:
                yield from _dump(data, begin, end, known, other.time)


def _dump(data: Message, begin: int, end: int, known: _Tables, at: int) -> Iterator[_Sample]:
    pid, heap, time = 0, "malloc", at
    samples = []
    for number, low, high in data.fields(begin, end):
        if high < 0:
            pid = signed(low) if number == 1 else pid
            time = signed(low) if number == 9 else time
        elif number == 11:
            heap = data.text(low, high, 100)
        elif number == 2:
            said = {n: signed(value) for n, value, last in data.fields(low, high) if last < 0}
            samples.append((said.get(1, 0), said.get(2, 0) - said.get(3, 0)))
    for stack, held in samples:
        yield _Sample(time, pid & 0x7FFFFFFF, heap, known.function(stack), stack, min(max(held, 0), _MOST))


class _Tables:
    """Texts, the function of each frame, and the frame that each call stack is in."""

    def __init__(self) -> None:
        self.strings: dict[int, str] = {}
        self.frames: dict[int, int] = {}
        self.stacks: dict[int, int] = {}

    def add(self, table: int, data: Message, begin: int, end: int) -> None:
        if table not in (_STRINGS, _FRAMES, _STACKS):
            return
        iid = value = 0
        text = ""
        for number, low, high in data.fields(begin, end):
            if number == 1 and high < 0:
                iid = signed(low)
            elif number == 2 and high < 0:
                value = signed(low)
            elif number == 2 and table == _STRINGS:
                text = data.text(low, high, 500)
            elif number == 2:
                # Frames in one field: the last is the one that asked.
                value = next(iter(deque(data.numbers(low, high), maxlen=1)), value)
        if table == _STRINGS:
            self.strings[iid] = text
        else:
            (self.frames if table == _FRAMES else self.stacks)[iid] = value

    def function(self, stack: int) -> str:
        return self.strings.get(self.frames.get(self.stacks.get(stack, 0), 0), "") or _UNKNOWN
