"""What a Perfetto trace holds of the machine: the kernel's scheduling, its marks, profiles of the heap."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind, distinct, distinct_rows
from ...wire import Budget, Message, signed
from .packets import Other, Packets
from .tracks import Block, Bounds, Row, Tracks, pairs_of, slices, with_stats

# What programs write into the kernel's trace (Android's atrace: `B|4711|name`, `E`, `C|4711|name|3`) → slices.

#: Marks of a file that are read; each takes a line of text.
MOST_MARKS = 5_000_000


class Marks:
    """rows: time, thread, process, whether it begins, name. counted: time, process, name, value."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, int, str]] = []
        self.counted: list[tuple[int, int, str, int]] = []

    def add(self, time: int, thread: int, text: str) -> None:
        parts = text.strip("\0\n ").split("|", 3)
        kind = parts[0][-1:]
        pid = int(parts[1]) if len(parts) > 1 and parts[1].isascii() and parts[1].isdecimal() else 0
        if len(self.rows) + len(self.counted) >= MOST_MARKS or pid >= 1 << 31:
            return
        if kind == "B" and len(parts) > 2:
            self.rows.append((time, thread, pid, 1, "|".join(parts[2:])))
        elif kind == "E":
            self.rows.append((time, thread, pid, 0, ""))
        elif kind == "C" and len(parts) == 4:
            value = parts[3].strip()
            if value.removeprefix("-").isascii() and value.removeprefix("-").isdecimal() and len(value) < 19:
                self.counted.append((time, pid, parts[2], int(value)))

    def blocks(self, tracks: Tracks, texts: dict[str, int], shift: int, dropped: Counter[str]) -> list[Block]:
        made = [self._slices(tracks, texts, shift, dropped)] if self.rows else []
        return [*made, self._counters(tracks, texts, shift)] if self.counted else made

    def _slices(self, tracks: Tracks, texts: dict[str, int], shift: int, dropped: Counter[str]) -> Block:
        columns = [np.array([row[i] for row in self.rows], np.int64) for i in range(4)]
        time, thread, pid, opens = columns
        threads, of = distinct(thread)
        rows = np.arange(len(time), dtype=np.int32)
        bounds = Bounds(rows, of.astype(np.int32), time, opens.astype(np.uint8))
        begin, end, lost = pairs_of(bounds, len(threads))
        dropped["end_without_begin"] += lost
        until = np.where(end >= 0, time[end], time.max())
        pairs, which = distinct_rows(pid[begin], thread[begin])
        places = np.array([tracks.thread(*pair) for pair in pairs.tolist()], np.int64)
        names = np.array([texts.setdefault(self.rows[i][4], len(texts)) for i in begin.tolist()], np.int64)
        zero = np.zeros(len(begin), np.int64)
        row = places[which] if len(begin) else zero
        return slices(names, zero, row, time[begin] + shift, until - time[begin])

    def _counters(self, tracks: Tracks, texts: dict[str, int], shift: int) -> Block:
        places: dict[tuple[int, str], int] = {}
        for _, pid, name, _ in self.counted:
            if (pid, name) not in places:
                places[pid, name] = tracks.add(Row(tracks.process(pid), name, name, is_counter=True))
        rows = np.array([places[pid, name] for _, pid, name, _ in self.counted], np.int64)
        names = np.array([texts.setdefault(name, len(texts)) for _, _, name, _ in self.counted], np.int64)
        time, values = (np.array([each[i] for each in self.counted], np.int64) for i in (0, 3))
        zero = np.zeros(len(rows), np.int64)
        block = slices(names, zero, rows, time + shift, zero)
        block.phase[:] = ord("C")
        return with_stats(block, [texts.setdefault("value", len(texts))], [StatKind.INT], [values])


# The kernel's events (ftrace) → what ran on each CPU, the states of each thread, and what programs marked there.
#
# A thread runs from the switch to it up to the switch from it; then it waits in the state that this says, or is
# preempted, until it is woken, and is runnable until it runs. What was before the first switch of a CPU is unknown.

_BUNDLE, _TREE = 1, 2
_CPU, _EVENT, _COMPACT = 1, 2, 4
_PRINT, _SWITCH, _WAKEUP, _WAKING, _NEW = 3, 4, 17, 20, 114
#: Of one packet so many fields are looked at.
_FIELDS = 1 << 22
#: States of a thread, by the lowest bit of what the kernel says; 0 is preempted.
_RUNNING, _RUNNABLE, _PREEMPTED, _SLEEPING, _WAITING, _STOPPED = range(6)
_NAMES = ("Running", "Runnable", "Runnable (preempted)", "Sleeping", "Uninterruptible sleep", "Stopped")
_CPUS, _SCHEDULING = "CPUs", "Scheduling"
_MOST_THREADS = 20_000


class _Switches(NamedTuple):
    """time, cpu, thread before (-1: the one that the switch before was to), its state, thread after."""

    time: I64
    cpu: I64
    before: I64
    state: I64
    after: I64


def scheduling(packets: Packets, tracks: Tracks) -> list[Block]:
    """Blocks of marks, of CPUs and of threads."""
    reading = _Reading(packets.texts)
    for other in packets.others:
        if other.kind == _BUNDLE:
            reading.bundle(Message(other.data, Budget(_FIELDS)))
        elif other.kind == _TREE:
            reading.tree(Message(other.data, Budget(_FIELDS)))
    marks = reading.marks.blocks(tracks, packets.texts, packets.clocks.since_epoch(), packets.dropped)
    if not reading.parts:
        return marks
    switches = _Switches(*(np.concatenate(columns) for columns in zip(*reading.parts, strict=True)))
    switches = _with_before(_Switches(*(column[np.lexsort((switches.time, switches.cpu))] for column in switches)))
    shift = packets.clocks.since_epoch()
    woken = np.array(reading.woken, np.int64).reshape(-1, 2)
    names = _Names(reading, tracks, packets.texts)
    return [*marks, _of_cpus(switches, names, shift), _of_threads(switches, woken, names, shift)]


class _Reading:
    def __init__(self, texts: dict[str, int]) -> None:
        self.texts = texts
        self.parts: list[_Switches] = []
        self.woken: list[tuple[int, int]] = []
        self.names: dict[int, str] = {}
        self.process: dict[int, int] = {}
        self.called: dict[int, str] = {}
        self.marks = Marks()

    def bundle(self, data: Message) -> None:
        cpu = next((value for number, value, end in data.fields(0, len(data.data)) if number == _CPU and end < 0), 0)
        cpu &= 0xFFFF
        rows: list[tuple[int, int, int, int, int]] = []
        for number, begin, end in data.fields(0, len(data.data)):
            if number == _EVENT and end >= 0:
                self._event(data, begin, end, cpu, rows)
            elif number == _COMPACT and end >= 0:
                self._compact(data, begin, end, cpu)
        if rows:
            self.parts.append(_Switches(*np.array(rows, np.int64).T))

    def _event(self, data: Message, begin: int, end: int, cpu: int, rows: list[tuple[int, int, int, int, int]]) -> None:
        time = thread = 0
        for number, low, high in data.fields(begin, end):
            if high < 0:
                time = signed(low) if number == 1 else time
                thread = signed(low) if number == 2 else thread
            elif number == _PRINT:
                text = next((span for span in data.spans(low, high, 2)), (0, 0))
                self.marks.add(time, thread, data.text(*text, 500))
            elif number == _SWITCH and high >= 0:
                fields = {n: (a, b) for n, a, b in data.fields(low, high)}
                before, state, after = (signed(fields[n][0]) if n in fields else 0 for n in (2, 4, 6))
                rows.append((time, cpu, before, state, after))
                for name, of in ((1, before), (5, after)):
                    if name in fields and of not in self.names:
                        self.names[of] = data.text(*fields[name], 100)
            elif number in (_WAKEUP, _WAKING, _NEW) and high >= 0:
                self.woken += [(time, signed(a)) for n, a, b in data.fields(low, high) if n == 2 and b < 0]

    def _compact(self, data: Message, begin: int, end: int, cpu: int) -> None:
        columns: dict[int, I64] = {}
        names: list[str] = []
        for number, low, high in data.fields(begin, end):
            if number == 5 and high >= 0:
                names.append(data.text(low, high, 100))
            elif high >= 0 and number in (1, 2, 3, 6, 7, 8):
                columns[number] = varints(data.data[low:high])
        none = np.empty(0, np.int64)
        times, states, after = (columns.get(number, none) for number in (1, 2, 3))
        n = min(len(times), len(states), len(after))
        if n:
            same = np.full(n, cpu, np.int64), np.full(n, -1, np.int64)
            self.parts.append(_Switches(np.cumsum(times[:n]), same[0], same[1], states[:n], after[:n]))
            of = columns.get(6, none)[:n]
            for thread, name in np.unique(np.stack((after[: len(of)], of), axis=1), axis=0).tolist():
                if 0 <= name < len(names):
                    self.names.setdefault(thread, names[name])
        woken = columns.get(8, none)
        times = np.cumsum(columns.get(7, none))[: len(woken)]
        self.woken += list(zip(times.tolist(), woken.tolist(), strict=False))

    def tree(self, data: Message) -> None:
        """Names of processes and threads."""
        for number, begin, end in data.fields(0, len(data.data)):
            if end < 0 or number not in (1, 2):
                continue
            fields = {n: (a, b) for n, a, b in reversed(list(data.fields(begin, end)))}
            thread = signed(fields.get(1, (0, -1))[0])
            text = fields.get(3 if number == 1 else 2)
            name = data.text(*text, 100) if text and text[1] >= 0 else ""
            if name:
                (self.called if number == 1 else self.names)[thread] = name
            owner = fields.get(3, (0, -1)) if number == 2 else (thread, -1)
            if owner[1] < 0:
                self.process[thread] = signed(owner[0])


def varints(data: bytes) -> I64:
    """Packed numbers."""
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(raw < 128)
    if not len(ends):
        return np.empty(0, np.int64)
    raw = raw[: ends[-1] + 1]
    begins = np.concatenate(([0], ends[:-1] + 1))
    place = np.minimum(np.arange(len(raw)) - np.repeat(begins, ends + 1 - begins), 9)
    parts = (raw & 127).astype(np.uint64) << (7 * place).astype(np.uint64)
    return np.add.reduceat(parts, begins).view(np.int64)


def _with_before(s: _Switches) -> _Switches:
    """Where a switch does not say which thread it is from, the switch before it on its CPU does."""
    last = np.concatenate(([-1], s.after[:-1]))
    first = np.concatenate(([True], s.cpu[1:] != s.cpu[:-1]))
    return s._replace(before=np.where(s.before < 0, np.where(first, -1, last), s.before))


class _Names:
    def __init__(self, reading: _Reading, tracks: Tracks, texts: dict[str, int]) -> None:
        self.reading, self.tracks, self.texts = reading, tracks, texts
        self.rows = {row.id: row for row in tracks.rows if row.is_thread and isinstance(row.id, int)}

    def number(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def of(self, thread: int) -> str:
        row = self.rows.get(thread)
        return (row.name if row else "") or self.reading.names.get(thread, "") or f"thread {thread}"

    def process(self, thread: int) -> int:
        row = self.rows.get(thread)
        if row is not None:
            return row.process
        owner = self.reading.process.get(thread)
        return self.tracks.named(_SCHEDULING, 1 << 21) if owner is None else self._owner(owner)

    def _owner(self, pid: int) -> int:
        return self.tracks.process(pid, self.reading.called.get(pid, ""))


def _of_cpus(s: _Switches, names: _Names, shift: int) -> Block:
    until = np.concatenate((s.time[1:], s.time[-1:]))
    last = np.concatenate((s.cpu[1:] != s.cpu[:-1], [True]))
    kept = np.flatnonzero((s.after > 0) & ~last)
    process = names.tracks.named(_CPUS, 1 << 21)
    cpus, which = distinct(s.cpu[kept])
    places = [
        names.tracks.add(Row(process, f"CPU {cpu}", f"CPU {cpu}", order=cpu + 1, is_derived=True))
        for cpu in cpus.tolist()
    ]
    threads, named = distinct(s.after[kept])
    texts = np.array([names.number(names.of(thread)) for thread in threads.tolist()], np.int64)
    if not len(kept):
        return slices(*(np.empty(0, np.int64) for _ in range(5)))
    block = slices(
        texts[named],
        np.zeros(len(kept), np.int64),
        np.array(places, np.int64)[which],
        s.time[kept] + shift,
        np.maximum(until[kept] - s.time[kept], 0),
    )
    return with_stats(block, [names.number("tid")], [StatKind.INT], [s.after[kept]])


def _of_threads(s: _Switches, woken: I64, names: _Names, shift: int) -> Block:
    """States: each lasts until the next one of its thread."""
    known = np.flatnonzero(s.before > 0)
    state = np.full(len(known), _STOPPED, np.int64)
    for bits, meaning in ((0, _PREEMPTED), (1, _SLEEPING), (2, _WAITING)):
        state[(s.state[known] & 15) == bits] = meaning
    runs = np.flatnonzero(s.after > 0)
    thread = np.concatenate((s.before[known], s.after[runs], woken[:, 1]))
    time = np.concatenate((s.time[known], s.time[runs], woken[:, 0]))
    state = np.concatenate((state, np.full(len(runs), _RUNNING), np.full(len(woken), _RUNNABLE)))
    order = np.lexsort((state != _RUNNABLE, time, thread))
    thread, time, state = thread[order], time[order], state[order]
    # What runs, or may, cannot be woken.
    woke = state == _RUNNABLE
    place = np.arange(len(state))
    before = np.maximum.accumulate(np.where(woke, -1, place)) if len(place) else place
    waits = (before >= 0) & (thread[before] == thread) & (state[before] >= _SLEEPING)
    again = np.concatenate(([False], woke[1:] & woke[:-1] & (thread[1:] == thread[:-1])))
    kept = np.flatnonzero(~woke | (waits & ~again))
    thread, time, state = thread[kept], time[kept], state[kept]
    lasts = np.flatnonzero(thread[:-1] == thread[1:]) if len(thread) else thread
    length = time[lasts + 1] - time[lasts] if len(lasts) else lasts
    lasts, length = lasts[length > 0], length[length > 0]
    rows, which = distinct(thread[lasts])
    common = np.argsort(-np.bincount(which, minlength=len(rows)), kind="stable")[:_MOST_THREADS]
    chosen = np.isin(which, common)
    places = np.zeros(len(rows), np.int64)
    for i in sorted(common.tolist()):
        tid = int(rows[i])
        shown = f"{names.of(tid)} (state)"
        places[i] = names.tracks.add(Row(names.process(tid), f"{tid} {shown}", shown, order=tid, is_derived=True))
    texts = np.array([names.number(name) for name in _NAMES], np.int64)
    lasts, length, which = lasts[chosen], length[chosen], which[chosen]
    zero = np.zeros(len(lasts), np.int64)
    return slices(texts[state[lasts]], zero, places[which], time[lasts] + shift, length)


# Profiles of the heap (heapprofd) → allocations and deallocations, one a call stack and dump.
#
# A dump says of each call stack what it allocated and freed since the profile began. What a stack holds more, or
# less,
# than at the dump before is an allocation, or a deallocation, at the time of the dump, by the function that asked for
# it.

PROFILE = 37
#: Fields of a profile, and 1000 + fields of interned data, that hold texts, frames and call stacks.
_STRINGS, _FRAMES, _STACKS, _DUMP = 1, 2, 3, 5
_INTERNED = {1005: _STRINGS, 1006: _FRAMES, 1007: _STACKS}
_FIELDS_HEAP = 1 << 22
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
    fields: dict[str, tuple[StatKind, I64]] = {
        "allocator_name": (StatKind.TEXT, heaps),
        "tf_op": (StatKind.TEXT, functions),
        "allocation_bytes": (StatKind.INT, sizes),
        "requested_bytes": (StatKind.INT, sizes),
        "bytes_allocated": (StatKind.INT, held_bytes),
    }
    keys = [texts.setdefault(key, len(texts)) for key in fields]
    return with_stats(block, keys, [kind for kind, _ in fields.values()], [values for _, values in fields.values()])


def _samples(others: list[Other]) -> Iterator[_Sample]:
    tables: dict[int, _Tables] = {}
    for other in others:
        if other.kind not in (PROFILE, *_INTERNED):
            continue
        data = Message(other.data, Budget(_FIELDS_HEAP))
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
            fields = {n: signed(value) for n, value, last in data.fields(low, high) if last < 0}
            samples.append((fields.get(1, 0), fields.get(2, 0) - fields.get(3, 0)))
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
