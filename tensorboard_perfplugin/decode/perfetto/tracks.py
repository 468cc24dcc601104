"""Descriptions of tracks → processes and their rows: threads, tracks of other names, counters.

A track belongs to the nearest thread or process that it lies below; what has neither is of no process. A track below
a thread that has the thread's name, or none, is the thread again. Of several descriptions of a track the last counts,
field by field. Processes are told apart by number and name: a profiler numbers what is none by itself.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...tables import I64

PROCESS, THREAD, COUNTER, HAS_PID, HAS_TID = 1, 2, 4, 8, 16
_UNITS = {1: "ns", 2: "count", 3: "bytes"}
_NO_PROCESS = -1


@dataclasses.dataclass
class Process:
    """id: its number, or where it has none its name. order: its place among others; labels: a text of it."""

    id: int | str
    name: str = ""
    order: int = 0
    labels: str = ""


@dataclasses.dataclass
class Row:
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
    """What is said of a track, by the names of its columns: of tracks there may be many."""

    __slots__ = ("place", "values")

    def __init__(self, place: dict[str, int], values: list[int]) -> None:
        self.place, self.values = place, values

    def __getitem__(self, name: str) -> int:
        return self.values[self.place[name]]


def _last(columns: dict[str, I64]) -> dict[int, Described]:
    """By uuid what is said last of each field."""
    place = {name: i for i, name in enumerate(columns)}
    has, multiplier = place["has"], place["multiplier"]
    found: dict[int, Described] = {}
    for said in zip(*(column.tolist() for column in columns.values()), strict=True):
        before = found.get(said[0])
        if before is None:
            found[said[0]] = Described(place, list(said))
            continue
        for i, value in enumerate(said):
            if value and not (i == multiplier and value == 1):
                before.values[i] = before.values[i] | value if i == has else value
    return found
