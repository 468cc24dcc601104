"""The kernel's events (ftrace) → what ran on each CPU, the states of each thread, and what programs marked there.

A thread runs from the switch to it up to the switch from it; then it waits in the state that this says, or is
preempted, until it is woken, and is runnable until it runs. What was before the first switch of a CPU is unknown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind
from ...wire import Budget, Message, signed
from .blocks import Block, slices, with_stats
from .marks import Marks
from .packets import Packets
from .tracks import Row, Tracks

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
                said = {n: (a, b) for n, a, b in data.fields(low, high)}
                before, state, after = (signed(said[n][0]) if n in said else 0 for n in (2, 4, 6))
                rows.append((time, cpu, before, state, after))
                for name, of in ((1, before), (5, after)):
                    if name in said and of not in self.names:
                        self.names[of] = data.text(*said[name], 100)
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
            said = {n: (a, b) for n, a, b in reversed(list(data.fields(begin, end)))}
            thread = signed(said.get(1, (0, -1))[0])
            text = said.get(3 if number == 1 else 2)
            name = data.text(*text, 100) if text and text[1] >= 0 else ""
            if name:
                (self.called if number == 1 else self.names)[thread] = name
            owner = said.get(3, (0, -1)) if number == 2 else (thread, -1)
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
    cpus, which = np.unique(s.cpu[kept], return_inverse=True)
    places = [
        names.tracks.add(Row(process, f"CPU {cpu}", f"CPU {cpu}", order=cpu + 1, is_derived=True))
        for cpu in cpus.tolist()
    ]
    threads, named = np.unique(s.after[kept], return_inverse=True)
    texts = np.array([names.number(names.of(thread)) for thread in threads.tolist()], np.int64)
    if not len(kept):
        return slices(*(np.empty(0, np.int64) for _ in range(5)))
    block = slices(
        texts[named.reshape(-1)],
        np.zeros(len(kept), np.int64),
        np.array(places, np.int64)[which.reshape(-1)],
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
    rows, which = np.unique(thread[lasts], return_inverse=True)
    which = which.reshape(-1)
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
