"""What ran on threads, by process and thread → planes and tracks of hosts."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...tables import I64, PlaneKind, TrackKind
from ..common.places import Plane, Track, Value
from ..common.rows import distinct
from .few import Gathered
from .nesting import nested
from .sheet import Sheet, Stat


class Role(enum.IntEnum):
    """What a track of a thread holds."""

    CALLS = 0
    #: Ranges that are begun and ended anywhere; on the thread's own track where they nest in what it calls.
    RANGES = 1
    SYSTEM = 2
    OVERHEAD = 3
    MEMORY = 4


#: Role → what is added to the name of the thread, and the kind of the track. What the system and the profiler do is
#: drawn, and counts as no work of the program's.
_TRACKS = {
    Role.CALLS: ("", TrackKind.THREAD),
    Role.RANGES: (" (ranges)", TrackKind.OTHER),
    Role.SYSTEM: (" (OS runtime)", TrackKind.DERIVED),
    Role.OVERHEAD: (" (profiler overhead)", TrackKind.DERIVED),
    Role.MEMORY: (" (memory)", TrackKind.OTHER),
}


@dataclasses.dataclass
class Ran:
    """Some events: by each its process, its thread, its name (an id of a text), its begin and end, its stats."""

    role: Role
    process: I64
    thread: I64
    name: I64
    start_ns: I64
    end_ns: I64
    stats: Sequence[Stat] = ()


class Hosts(Gathered[Ran]):
    """Gathers what ran on threads, then adds planes and tracks to a sheet."""

    def lay(
        self,
        sheet: Sheet,
        process_name: Callable[[int], str],
        thread_name: Callable[[int, int], str],
        facts: Callable[[int], Mapping[str, Value]],
    ) -> None:
        """A plane a process, that of most events first. facts: attributes of a process's plane."""
        if not self.parts:
            return
        process, thread, role = self._few(sheet)
        pids, which = np.unique(process, return_inverse=True)
        by_size = np.argsort(-np.bincount(which.reshape(-1)), kind="stable")
        planes: dict[int, int] = {}
        for i in by_size.tolist():
            pid = int(pids[i])
            text = process_name(pid)
            called = f"{text} " if text else ""
            shown = f"/host:CPU ({called}process {pid})" if pid >= 0 else "/host:CPU (no process)"
            shown = shown if planes else "/host:CPU"
            stats: dict[str, Value] = {"process_id": pid} if pid >= 0 else {}
            stats |= {"process_name": text} if text else {}
            planes[pid] = sheet.plane(Plane(shown, PlaneKind.CPU, -1, "", stats={**stats, **facts(pid)}))
        unique, place = distinct(process, thread, role)
        ids = []
        for pid, tid, number in unique.tolist():
            more, kind = _TRACKS[Role(number)]
            name = thread_name(pid, tid) + more if tid > 0 or not more else more.strip(" ()")
            ids.append(sheet.track(Track(planes[pid], tid, name, kind, number)))
        self._put(sheet, np.array(ids, np.int64)[place])

    def _where(self) -> list[I64]:
        """Process, thread and role of all events."""
        process, thread = self._all("process", "thread")
        return [process, thread, self._roles(process, thread)]

    def _roles(self, process: I64, thread: I64) -> I64:
        """By event its role: ranges that nest in the calls of their thread are of these."""
        role = np.concatenate([np.full(len(part.name), part.role, np.int64) for part in self.parts])
        mixed = np.flatnonzero(role <= Role.RANGES)
        if not (role == Role.RANGES).any() or not len(mixed):
            return role
        start, end = self._all("start_ns", "end_ns")
        _, track = distinct(process[mixed], thread[mixed])
        fits = nested(track, start[mixed], end[mixed], int(track.max()) + 1)[track]
        role[mixed[fits]] = Role.CALLS
        return role
