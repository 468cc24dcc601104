"""Descriptions of tracks → processes and their rows: threads, tracks of other names, counters.

A track belongs to the nearest thread or process that it lies below; what has neither is of no process. A track below
a thread that has the thread's name, or none, is the thread again. Of several descriptions of a track the last counts,
field by field. Processes are distinguished by number and name: a profiler numbers what is none by itself."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...formats import Format
from ...messages import Message
from ...tables import I32, I64, U8, StatKind, distinct, interned, occurring, range_members
from ..json.plain import HAS_LENGTH, HAS_START, Events
from ..json.reader import Document
from ..trace_events.pairs import NEAR, STATE, pair
from .closing import LEFT, LOST, before_begins, by_time, by_track, in_order, merged

PROCESS, THREAD, COUNTER, HAS_PID, HAS_TID = 1, 2, 4, 8, 16
_UNITS = {1: "ns", 2: "count", 3: "bytes"}
_NO_PROCESS = -1


class Process(msgspec.Struct):
    """id: its number, or where it has none its name. order: its place among others; labels: a text of it."""

    id: int | str
    name: str = ""
    order: int = 0
    labels: str = ""


class Row(msgspec.Struct):
    """process: its place among processes, -1 of none. id: of a thread its number, else its name. is_thread: whether
    its slices are a thread's; unit, multiplier, is_difference: of a counter. is_derived: whether it says what
    threads did that have rows of their own.
    """

    process: int
    id: int | str
    name: str
    is_thread: bool = False
    is_counter: bool = False
    order: int = 0
    unit: str = ""
    multiplier: int = 1
    is_difference: bool = False
    is_derived: bool = False


class Tracks:
    """processes, rows: those of a file. of: uuid → place of its row."""

    def __init__(self, columns: dict[str, I64], texts: dict[str, int]) -> None:
        self.texts = list(texts)
        self.processes: list[Process] = []
        self.rows: list[Row] = []
        self.of: dict[int, int] = {}
        self._by_pid: dict[int, int] = {}
        self._by_name: dict[tuple[int, str], int] = {}
        self._by_place: dict[Any, int] = {}
        self._described = _last(columns)
        self._process_of: dict[int, int] = {}
        self._known: dict[int, tuple[int, int | None]] = {}
        # Processes first: a thread names its own by number alone.
        for uuid, d in self._described.items():
            if d["has"] & PROCESS:
                self._process_of[uuid] = self._process(d)
        for uuid in self._described:
            self.of[uuid] = self._row(uuid)

    def row(self, uuid: int) -> int:
        """The place of a track's row, which the file may not describe."""
        if uuid not in self.of:
            name = "(no track)" if uuid == 0 else f"track {uuid & 0xFFFFFFFFFFFFFFFF}"
            self.of[uuid] = self._place(Row(_NO_PROCESS, name, name, is_thread=True))
        return self.of[uuid]

    def thread(self, pid: int, tid: int, name: str = "") -> int:
        """The place of a thread's row, by its numbers."""
        place = self._place(Row(self.process(pid), tid, name, is_thread=True))
        if name and not self.rows[place].name:
            self.rows[place].name = name
        return place

    def process(self, pid: int, name: str = "") -> int:
        """A process by its number."""
        if pid not in self._by_pid:
            self._by_pid[pid] = len(self.processes)
            self.processes.append(Process(pid, name))
        process = self.processes[self._by_pid[pid]]
        process.name = process.name or name
        return self._by_pid[pid]

    def named(self, name: str, order: int = 0) -> int:
        """A process that has no number."""
        if (0, name) not in self._by_name:
            self._by_name[0, name] = len(self.processes)
            self.processes.append(Process(name, name, order))
        return self._by_name[0, name]

    def add(self, row: Row) -> int:
        """The place of a row that no description of a track is of."""
        return self._place(row)

    def _text(self, number: int) -> str:
        return self.texts[number] if 0 < number < len(self.texts) else ""

    def _process(self, d: Described) -> int:
        name = self._text(d["process"]) or self._text(d["name"])
        pid = d["pid"]
        if not d["has"] & HAS_PID:
            place = self.named(name)
        elif pid not in self._by_pid or self.processes[self._by_pid[pid]].name in ("", name) or not name:
            place = self.process(pid, name)
        else:
            place = self._by_name.get((pid, name), -1)
            if place < 0:
                place = self._by_name[pid, name] = len(self.processes)
                self.processes.append(Process(name, name))
        process = self.processes[place]
        process.order = d["order"] or process.order
        process.labels = self._text(d["labels"]) or process.labels
        return place

    def _row(self, uuid: int) -> int:
        d = self._described[uuid]
        process, thread = self._above(uuid)
        name = self._text(d["thread"]) or self._text(d["name"])
        if d["has"] & COUNTER:
            unit = self._text(-d["unit"]) if d["unit"] < 0 else _UNITS.get(d["unit"], "")
            return self._place(
                Row(process, name or "counter", name or "counter", False, True, d["order"], unit)
                if d["multiplier"] == 1 and not d["is_difference"]
                else Row(process, name, name, False, True, d["order"], unit, d["multiplier"], bool(d["is_difference"]))
            )
        if thread is not None and (thread == uuid or not name or name == self._name(thread)):
            t = self._described[thread]
            id: int | str = t["tid"] if t["has"] & HAS_TID else self._name(thread)
            return self._place(Row(process, id, self._name(thread), True, order=t["order"]))
        if d["has"] & PROCESS:
            return self._place(Row(process, "(process)", "(process)", True))
        name = name or f"track {uuid & 0xFFFFFFFFFFFFFFFF}"
        return self._place(Row(process, name, name, order=d["order"]))

    def _name(self, uuid: int) -> str:
        d = self._described[uuid]
        return self._text(d["thread"]) or self._text(d["name"])

    def _above(self, uuid: int) -> tuple[int, int | None]:
        """The process that a track is of, -1 where it is of none, and the track of its thread."""
        path: list[int] = []
        at = uuid
        while at in self._described and at not in self._known:
            # Tracks that lie in each other, in a ring, end there.
            self._known[at] = _NO_PROCESS, None
            path.append(at)
            at = self._described[at]["parent"] if not self._described[at]["has"] & PROCESS else 0
        above = self._known.get(at, (_NO_PROCESS, None))
        for each in reversed(path):
            above = self._known[each] = self._below(each, above)
        return self._known[uuid]

    def _below(self, uuid: int, above: tuple[int, int | None]) -> tuple[int, int | None]:
        """As `_above`, of a track whose parent's answer is known."""
        d = self._described[uuid]
        if d["has"] & PROCESS:
            return self._process_of[uuid], uuid if d["has"] & THREAD else None
        if not d["has"] & THREAD:
            return above
        process = above[0]
        return (self.process(d["pid"]) if process == _NO_PROCESS and d["has"] & HAS_PID else process), uuid

    def _place(self, row: Row) -> int:
        """Equal ones are one."""
        key = row.process, row.id, row.is_thread, row.is_counter
        place = self._by_place.get(key)
        if place is None:
            place = self._by_place[key] = len(self.rows)
            self.rows.append(row)
        elif row.order and not self.rows[place].order:
            self.rows[place].order = row.order
        return place


class Described:
    """The description of a track, by the names of its columns: of tracks there may be many."""

    __slots__ = ("place", "values")

    def __init__(self, place: dict[str, int], values: list[int]) -> None:
        self.place, self.values = place, values

    def __getitem__(self, name: str) -> int:
        return self.values[self.place[name]]


def _last(columns: dict[str, I64]) -> dict[int, Described]:
    """By uuid the last value of each field."""
    place = {name: i for i, name in enumerate(columns)}
    has, multiplier = place["has"], place["multiplier"]
    found: dict[int, Described] = {}
    for values in zip(*(column.tolist() for column in columns.values()), strict=True):
        before = found.get(values[0])
        if before is None:
            found[values[0]] = Described(place, list(values))
            continue
        for i, value in enumerate(values):
            if value and not (i == multiplier and value == 1):
                before.values[i] = before.values[i] | value if i == has else value
    return found


# Events of several kinds of packets, as columns → one document: their processes and threads get numbers and names.

_NS_PER_US, _PS_PER_NS = 1000, 1000


class Block(msgspec.Struct):
    """By event: its phase, texts of name and category, place of its row, begin and length in ns, flags, and how many
    args it has, which stand one after another. rare: as of `Events`, ids by their own values. flows: rows of (event,
    flow, whether it ends).
    """

    phase: NDArray[np.uint8]
    name: I64
    category: I64
    row: I64
    time: I64
    length: I64
    flags: NDArray[np.uint8]
    stats: I64
    keys: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: I64
    id: I64
    rare: dict[str, tuple[I64, I64]] = msgspec.field(default_factory=dict)
    flows: I64 = msgspec.field(default_factory=lambda: np.empty((0, 3), np.int64))

    def __len__(self) -> int:
        return len(self.phase)

    def taken(self, events: I64) -> Block:
        """Some of the events, in order."""
        place = np.full(len(self) + 1, -1, np.int64)
        place[events] = np.arange(len(events))
        gone = np.flatnonzero(place[:-1] < 0)
        if not self.stats[gone].any():
            # As ends of slices have none.
            at: Any = slice(None)
        else:
            ends = np.cumsum(self.stats)
            begins = ends - self.stats
            at = _between(begins[gone], ends[gone], len(self.keys))
            at = range_members(begins[events], ends[events]) if at is None else at
        rare = {name: (place[rows], values) for name, (rows, values) in self.rare.items()}
        flows = self.flows.copy()
        flows[:, 0] = place[flows[:, 0]]
        columns = ("phase", "name", "category", "row", "time", "length", "flags", "stats", "id")
        return structs.replace(
            self,
            **{name: getattr(self, name)[events] for name in columns},
            keys=self.keys[at],
            kinds=self.kinds[at],
            values=self.values[at],
            rare={name: (rows[rows >= 0], values[rows >= 0]) for name, (rows, values) in rare.items()},
            flows=flows[flows[:, 0] >= 0],
        )


def _between(begins: I64, ends: I64, size: int) -> slice | None:
    """All but ranges in order, where that is one range; None where it is several."""
    first = np.concatenate(([0], ends))
    last = np.concatenate((begins, [size]))
    left = np.flatnonzero(last > first)
    return slice(int(first[left[0]]), int(last[left[0]])) if len(left) == 1 else None


def slices(name: I64, category: I64, row: I64, time: I64, length: I64) -> Block:
    """A block of slices without args."""
    n = len(name)
    return Block(
        np.full(n, ord("X"), np.uint8),
        name,
        category,
        row,
        time,
        length,
        np.full(n, HAS_START | HAS_LENGTH, np.uint8),
        np.zeros(n, np.int64),
        np.empty(0, np.int32),
        np.empty(0, np.uint8),
        np.empty(0, np.int64),
        np.full(n, -1, np.int64),
    )


def with_stats(block: Block, keys: list[int], kinds: list[int], values: list[I64]) -> Block:
    """The block with some args for each of its events, which has none: a key, a StatKind and values by event."""
    n, k = len(block), len(keys)
    return structs.replace(
        block,
        stats=np.full(n, k, np.int64),
        keys=np.tile(np.array(keys, np.int32), n),
        kinds=np.tile(np.array(kinds, np.uint8), n),
        values=np.stack(values, axis=1).reshape(-1) if n else np.empty(0, np.int64),
    )


def document_of(
    blocks: list[Block],
    tracks: Tracks,
    texts: dict[str, int],
    members: dict[str, Any],
    dropped: Counter[str],
    warnings: list[Message],
) -> Document:
    """One document of all blocks."""
    names = _Names(tracks, texts)
    blocks = [block for block in blocks if len(block)]
    used = np.unique(np.concatenate([occurring(b.row, len(tracks.rows)) for b in blocks] or [np.empty(0, np.int64)]))
    named = names.block(used.tolist())
    pid, tid = names.numbers(used)
    # The names are of no row.
    owners = [named.pid, *(pid[block.row] for block in blocks)]
    threads = [named.tid, *(tid[block.row] for block in blocks)]
    blocks = [named.block, *blocks]
    ids = names.ids
    first = np.cumsum([0, *(len(block) for block in blocks)])
    begin = np.concatenate([block.time for block in blocks])
    length = np.concatenate([block.length for block in blocks])
    columns = {
        "phase": _all(blocks, "phase", "u1"),
        "name": _all(blocks, "name", "i4"),
        "category": _all(blocks, "category", "i4"),
        "pid": np.concatenate(owners).astype("i4"),
        "tid": np.concatenate(threads).astype("i4"),
        "id": np.concatenate([_ids(block.id, ids) for block in blocks]).astype("i4"),
        "us": begin // _NS_PER_US,
        "ps": (begin % _NS_PER_US * _PS_PER_NS).astype("i4"),
        "length_us": length // _NS_PER_US,
        "length_ps": (length % _NS_PER_US * _PS_PER_NS).astype("i4"),
        "flags": _all(blocks, "flags", "u1"),
        "stats": _all(blocks, "stats", "i4"),
    }
    del begin, length
    rare = {
        name: (
            np.concatenate([first[i] + block.rare[name][0] for i, block in enumerate(blocks) if name in block.rare]),
            np.concatenate([_ids(block.rare[name][1], ids) for block in blocks if name in block.rare]),
        )
        for name in {name for block in blocks for name in block.rare}
    }
    flows = np.concatenate([block.flows + np.array([first[i], 0, 0]) for i, block in enumerate(blocks)])
    keys, kinds, values = (
        _all(blocks, name, kind) for name, kind in (("keys", "i4"), ("kinds", "u1"), ("values", "i8"))
    )
    events = Events(columns, keys, kinds, values, tuple(texts), tuple(ids), rare)
    lasting = (flows[:, 0], flows[:, 1], flows[:, 2]) if len(flows) else None
    return Document(members, events, dropped, warnings, True, lasting, Format.PERFETTO, names.derived)


def _all(blocks: list[Block], name: str, kind: str) -> Any:
    return np.concatenate([getattr(block, name) for block in blocks]).astype(kind, copy=False)


def _ids(values: I64, ids: dict[int | str, int]) -> I64:
    """Numbers of ids; -1 stays."""
    known = values != -1
    if not known.any():
        return values
    unique, which = distinct(values[known])
    numbers = interned(unique.tolist(), ids)
    made = np.full(len(values), -1, np.int64)
    made[known] = numbers[which]
    return made


class _Named(msgspec.Struct):
    block: Block
    pid: I64
    tid: I64


class _Names:
    """Numbers of processes and threads, and the events that name them."""

    def __init__(self, tracks: Tracks, texts: dict[str, int]) -> None:
        self.tracks, self.texts = tracks, texts
        self.ids: dict[int | str, int] = {}

    @property
    def derived(self) -> frozenset[int]:
        return frozenset(self.ids[row.id] for row in self.tracks.rows if row.is_derived and row.id in self.ids)

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def id(self, value: int | str) -> int:
        return self.ids.setdefault(value, len(self.ids))

    def numbers(self, used: list[int] | I64) -> tuple[I64, I64]:
        """By row its process and its thread, -1 of none."""
        pid, tid = (np.full(len(self.tracks.rows), -1, np.int64) for _ in range(2))
        for place in np.asarray(used).tolist():
            row = self.tracks.rows[place]
            pid[place] = self.id(self.tracks.processes[row.process].id) if row.process >= 0 else -1
            tid[place] = -1 if row.is_counter else self.id(row.id)
        return pid, tid

    def block(self, used: list[int]) -> _Named:
        """`M` events as traces of JSON have them."""
        entries: list[tuple[int, int, str, str, int | str]] = []
        rows = self.tracks.rows
        for process in sorted({rows[place].process for place in used} - {-1}):
            p = self.tracks.processes[process]
            pid = self.id(p.id)
            entries += [
                (pid, -1, f"process_{what}", key, value)
                for what, key, value in (("name", "name", p.name), ("labels", "labels", p.labels))
                if value
            ]
            if p.order:
                entries.append((pid, -1, "process_sort_index", "sort_index", p.order))
        for place in used:
            row = rows[place]
            if row.is_counter:
                continue
            pid = self.id(self.tracks.processes[row.process].id) if row.process >= 0 else -1
            tid = self.id(row.id)
            if row.name:
                entries.append((pid, tid, "thread_name", "name", row.name))
            if row.order:
                entries.append((pid, tid, "thread_sort_index", "sort_index", row.order))
        return self._events(entries)

    def _events(self, entries: list[tuple[int, int, str, str, int | str]]) -> _Named:
        n = len(entries)
        zero = np.zeros(n, np.int64)
        name = np.array([self.text(each[2]) for each in entries], np.int64)
        block = slices(name, zero, zero, zero, zero)
        block.phase[:] = ord("M")
        block.flags[:] = 0
        block.stats = np.ones(n, np.int64)
        block.keys = np.array([self.text(each[3]) for each in entries], np.int32)
        is_text = [isinstance(each[4], str) for each in entries]
        block.kinds = np.where(is_text, StatKind.TEXT, StatKind.INT).astype(np.uint8) if n else block.kinds
        values = [self.text(each[4]) if isinstance(each[4], str) else each[4] for each in entries]
        block.values = np.array(values, np.int64)
        return _Named(block, *(np.array([each[i] for each in entries], np.int64) for i in (0, 1)))


# Begins and ends of slices, by track → the end of each begin.
#
# In the order of time an end closes what was begun last. PyTorch writes all begins of a kind and then all their ends,
# in the same order: where ends of a sequence stand behind begins of later times, the nth end of a run of ends closes
# the nth begin of the run before it; slices that follow one another at once would otherwise look like nested ones.


class Bounds(NamedTuple):
    """Begins and ends in the order of the file. source: the event that each is, -1 of an end that is none. track: from
    0 on. opens: 1 a begin, 0 an end.
    """

    source: I32
    track: I32
    time: I64
    opens: U8


def bounds_of(
    is_either: NDArray[np.bool_], opens: NDArray[np.bool_], track: Any, time: I64, before: Any, end_of: Any, end_at: I64
) -> Bounds:
    """Those of the events that are either and of ends that are no events. opens, track, time: by event. before: how
    many events come before each such end; end_of, end_at: its track and time.
    """
    n = int(np.count_nonzero(is_either)) + len(before)
    made = Bounds(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.uint8))
    given = (
        *(is_either.view(np.uint8), opens.view(np.uint8), track.astype(np.int32), time),
        *(before.astype(np.int32, copy=False), end_of.astype(np.int32, copy=False), end_at),
    )
    merged(*(_memory(each) for each in (*given, *made)))
    return made


def pairs_of(bounds: Bounds, tracks: int) -> tuple[I64, Any, int]:
    """Begins, the end of each (-1 without one), and how many ends closed nothing, all as places of bounds. tracks: how
    many there are.
    """
    _, track, time, is_open = bounds
    n = len(track)
    if not n:
        return np.empty(0, np.int64), np.empty(0, np.int64), 0
    order, end = np.empty(n, np.int32), np.full(n, LEFT, np.int32)
    rows, on, at, begins, ends = (_memory(each) for each in (order, track, time, is_open, end))
    by_track(on, _memory(np.zeros(tracks + 1, np.int32)), rows)
    if before_begins(rows, on, at, begins):
        in_order(rows, on, at, begins, ends)
    by_time(rows, on, at, begins, ends, _memory(np.empty(n, np.int32)))
    begin = np.flatnonzero((is_open == 1) & (end != LEFT))
    lost = int((end == LOST).sum())
    rest = np.flatnonzero(end == LEFT)
    if not len(rest):
        return begin, end[begin], lost
    others, their_ends, more = _by_time(rest, track, time, is_open)
    return np.concatenate((begin, others)), np.concatenate((end[begin], their_ends)), lost + more


def _memory(array: Any) -> Any:
    """Without a compiler its cells are twice as quick as an array's."""
    return memoryview(np.ascontiguousarray(array))  # type: ignore[arg-type]


def _by_time(rows: I64, track: I32, time: I64, opens: U8) -> tuple[I64, I64, int]:
    order = rows[np.lexsort((time[rows], track[rows]))]
    n = len(order)
    if not n:
        return np.empty(0, np.int64), np.empty(0, np.int64), 0
    stack, hint, near = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(NEAR, np.int64)
    out, state = np.empty((n, 3), np.int64), np.zeros(STATE, np.int64)
    given = (
        *(opens[order].astype(np.int32), opens[order].astype(np.uint8)),
        *(track[order].astype(np.int64), time[order].astype(np.int64)),
        *(stack, hint, near, out, state),
    )
    pair(*(memoryview(np.ascontiguousarray(each)) for each in given))  # type: ignore[arg-type]
    made, lost = int(state[1]), int(state[2])
    end = out[:made, 1]
    return order[out[:made, 0]], np.where(end >= 0, order[end], -1), lost
