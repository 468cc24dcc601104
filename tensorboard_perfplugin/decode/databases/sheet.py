"""Events, many at a time, with their tracks and stats → `Capture`."""

from __future__ import annotations

import enum
import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ... import tables
from ...formats import Format
from ...messages import Message, message
from ...tables import (
    I64,
    Capture,
    DecoderKind,
    PlaneKind,
    Quality,
    StatKind,
    Strings,
    TrackKind,
    distinct,
    distinct_rows,
    numbered_rows,
)
from ..common.build import Plane, Pool, Shown, StatRows, Track, Value, check_room, event_order, plane_table, track_table
from ..common.launches import launches_in
from .database import Texts

Mask = NDArray[np.bool_]
_PS = 1000
#: Times and lengths, in picoseconds, must fit 64 bits with room: 50 days to each side of the middle one.
_FAR_NS = 50 * 86_400 * 10**9
_MOST = 1 << 62


class Stat(msgspec.Struct):
    """A stat of some events: key, kind and value by event. known: which of them have it; all where it is None."""

    key: str
    values: I64
    known: Mask | None = None
    kind: StatKind = StatKind.INT


class Part(msgspec.Struct):
    """Some events: by each its track, its name (an id of a text), when it began and ended, and its stats."""

    track: I64
    name: I64
    start_ns: I64
    end_ns: I64
    stats: Sequence[Stat] = ()


class Sheet:
    """What is found, in the order in which it is to be shown: hosts, then devices."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.planes: list[Plane] = []
        self.tracks: list[Track] = []
        self.parts: list[Part] = []
        self.dropped: Counter[str] = Counter()
        self.notes: list[Message] = []

    def plane(self, plane: Plane) -> int:
        self.planes.append(plane)
        return len(self.planes) - 1

    def track(self, track: Track) -> int:
        self.tracks.append(track)
        return len(self.tracks) - 1

    def add(self, track: I64, name: I64, start_ns: I64, end_ns: I64, stats: Sequence[Stat] = ()) -> None:
        if len(track):
            self.parts.append(Part(track, name, start_ns, end_ns, stats))

    def count(self) -> int:
        return sum(len(part.track) for part in self.parts)

    def capture(self, format: Format, hostname: str, epoch_ns: int | None, warnings: Sequence[Message]) -> Capture:
        """epoch_ns: what is added to times to have them since the epoch; None where it is not known.

        The sheet is used up. Raises UnreadableError where this machine cannot hold the events.
        """
        start, end = (self._all(key) for key in ("start_ns", "end_ns"))
        kept = self._possible(start, end)
        base = int(start[kept].min()) if kept.any() else 0
        self.dropped += Counter()
        shown, some = Shown(self.planes, self.tracks), np.flatnonzero(kept)
        rank = shown.rank[self._all("track")]
        order = some[event_order(rank[some], start[some], end[some] - start[some])]
        place = np.full(len(start), -1, np.int64)
        place[order] = np.arange(len(order))
        counts, room = self._counts(place, len(order))
        check_room(len(order), 0, room)
        track, name = rank[order].astype(np.int32), self._all("name")[order]
        strings = _Strings(self.texts, self._used(name))
        ends = np.cumsum(counts)
        stats = self._stats(place, ends - counts, room, strings)
        planes = plane_table(shown.planes, stats)
        tracks = track_table(shown.tracks, np.bincount(track, minlength=len(shown.tracks)), strings)
        begin_ps, length_ps = (start[order] - base) * _PS, (end[order] - start[order]) * _PS
        nameless = np.full(len(order), -1, np.int32)
        names = strings.of(name).astype(np.int32)
        events = tables.Events(track, names, nameless, begin_ps, length_ps, ends - counts, ends)
        quality = Quality(
            len(order) + self.dropped.total(), len(order), dict(self.dropped), self._warnings(warnings, len(order))
        )
        rows, texts = stats.table(), Strings(strings.texts)
        kinds, sums = tables.Kinds.empty(), tables.Aggregates.empty()
        start_ns = None if epoch_ns is None or not 0 <= epoch_ns + base < _MOST else epoch_ns + base
        return Capture(
            format,
            DecoderKind.COMPILED,
            hostname,
            start_ns,
            planes,
            tracks,
            kinds,
            events,
            sums,
            rows,
            texts,
            (),
            (),
            quality,
            functools.partial(launches_in, texts, rows, kinds, events, sums),
        )

    def _all(self, key: str) -> I64:
        return np.concatenate([np.empty(0, np.int64), *(getattr(part, key) for part in self.parts)])

    def _possible(self, start: I64, end: I64) -> Mask:
        """Which events have times that can be; ends before begins become instants."""
        # The lowest number has no absolute value.
        sound = (start > -_MOST) & (start < _MOST) & (end > -_MOST) & (end < _MOST)
        middle = int(np.median(start[sound])) if sound.any() else 0
        sound &= (np.abs(start - middle) < _FAR_NS) & (end - middle < _FAR_NS)
        self.dropped["impossible_time"] += int(np.count_nonzero(~sound))
        negative = sound & (end < start)
        if negative.any():
            self.notes.append(message("negative_durations", n=int(np.count_nonzero(negative))))
        np.maximum(end, start, out=end)
        return sound

    def _counts(self, place: I64, events: int) -> tuple[I64, int]:
        """How many stats each event has, and how many there are with those of planes."""
        counts = np.zeros(events, np.int64)
        for at, _ in self._places(place):
            counts[at] += 1
        return counts, int(counts.sum()) + sum(len(plane.stats) for plane in self.planes)

    def _places(self, place: I64) -> list[tuple[I64, tuple[Stat, I64]]]:
        """Of each stat the places of the events that have it, itself, and which of its values they are."""
        found, first = [], 0
        for part in self.parts:
            for stat in part.stats:
                which = np.arange(len(part.track)) if stat.known is None else np.flatnonzero(stat.known)
                at = place[first + which]
                found.append((at[at >= 0], (stat, which[at >= 0])))
            first += len(part.track)
        return found

    def _used(self, names: I64) -> Mask:
        used = np.zeros(len(self.texts.bytes) + 1, bool)
        used[names] = True
        for part in self.parts:
            for stat in part.stats:
                if stat.kind == StatKind.TEXT:
                    used[stat.values if stat.known is None else stat.values[stat.known]] = True
        return used[:-1]

    def _stats(self, place: I64, free: I64, room: int, strings: _Strings) -> StatRows:
        rows, free = StatRows(strings, room), free.copy()
        for at, (stat, which) in self._places(place):
            values = stat.values[which]
            if stat.kind == StatKind.TEXT:
                values = strings.of(values)
            rows.put(free[at], strings.add(stat.key), stat.kind, values)
            free[at] += 1
        self.parts = []
        rows.count = room - sum(len(plane.stats) for plane in self.planes)
        return rows

    def _warnings(self, warnings: Sequence[Message], events: int) -> tuple[Message, ...]:
        nothing = [] if events or self.dropped else [message("no_events")]
        return tuple(dict.fromkeys((*warnings, *nothing, *self.notes)))


class _Strings(Pool):
    """The texts of a capture: those that are used, and what is added. An id below 0 is that of the empty text."""

    def __init__(self, texts: Texts, used: Mask) -> None:
        super().__init__()
        self._new = np.zeros(len(texts.bytes) + 1, np.int64)
        for i in np.flatnonzero(used).tolist():
            self._new[i] = self.add(texts[i])

    def of(self, ids: I64) -> I64:
        return self._new[np.where(ids < 0, len(self._new) - 1, ids)]


# What ran, by process and by thread → events of a sheet; of processes and threads too many to be shown none.

#: Each is a step of Python's, and a row that a page draws.
MAX_PROCESSES, MAX_TRACKS = 10_000, 100_000

#: A dataclass of columns by event, with `name` and `stats`.
AnyPart = TypeVar("AnyPart", bound=Any)


class Gathered(Generic[AnyPart]):
    """Gathers what ran, to be added to a sheet."""

    def __init__(self) -> None:
        self.parts: list[AnyPart] = []

    def add(self, part: AnyPart) -> None:
        if len(part.name):
            self.parts.append(part)

    def _all(self, *keys: str) -> list[I64]:
        """Columns of all events."""
        return [np.concatenate([getattr(part, key) for part in self.parts]) for key in keys]

    def _where(self) -> list[I64]:
        """What tells tracks apart, by event: first what tells planes apart."""
        raise NotImplementedError

    def _few(self, sheet: Sheet) -> list[I64]:
        """`_where`, once what is beyond the planes and tracks that are shown is left out."""
        where = self._where()
        if kept := limit_tracks(sheet, self.parts, numbered_rows(where[0]), numbered_rows(*where)):
            self.parts = kept
            where = self._where()
        return where

    def _put(self, sheet: Sheet, tracks: I64) -> None:
        """Add all events. tracks: of each the sheet's."""
        first = 0
        for part in self.parts:
            of_part = tracks[first : first + len(part.name)]
            sheet.add(of_part, part.name, part.start_ns, part.end_ns, part.stats)
            first += len(part.name)


def limit_tracks(sheet: Sheet, parts: Sequence[AnyPart], process: I64, track: I64) -> list[AnyPart] | None:
    """Those of the fewest events are left out, and counted; None where none is. process, track: by event, from 0."""
    keep = np.ones(len(process), bool)
    for which, most in ((process, MAX_PROCESSES), (track, MAX_TRACKS)):
        events = np.bincount(which)
        if len(events) > most:
            shown = np.zeros(len(events), bool)
            shown[np.argsort(-events, kind="stable")[:most]] = True
            keep &= shown[which]
    if keep.all():
        return None
    sheet.dropped["beyond_tracks"] += int(np.count_nonzero(~keep))
    ends = np.cumsum([len(part.name) for part in parts])
    kept = [_some(part, keep[end - len(part.name) : end]) for part, end in zip(parts, ends.tolist(), strict=True)]
    return [part for part in kept if len(part.name)]


def _some(part: AnyPart, keep: Mask) -> AnyPart:
    columns = {name: values[keep] for name, values in structs.asdict(part).items() if isinstance(values, np.ndarray)}
    made: AnyPart = structs.replace(part, **columns, stats=[_some_values(stat, keep) for stat in part.stats])
    return made


def _some_values(stat: Stat, keep: Mask) -> Stat:
    known = None if stat.known is None else stat.known[keep]
    return structs.replace(stat, values=stat.values[keep], known=known)


# Events of threads → whether those of each thread nest, so that one track can hold them.


def nested(track: I64, start: I64, end: I64, count: int) -> np.ndarray:
    """By track whether of two of its events that overlap one always holds the other. count: of tracks.

    Begins and ends are gone through in time: where all nest, an event ends at the depth at which it began.
    """
    real = np.flatnonzero(end > start)
    track, start, end = track[real], start[real], end[real]
    n = len(real)
    times, is_begin = np.concatenate((start, end)), np.repeat((1, 0), n)
    # At one time what ends does so before what begins; longer ones begin first, and end last.
    tie, place = np.concatenate((-end, -start)), np.arange(n)
    order = np.lexsort((np.concatenate((place, -place)), tie, is_begin, times, np.concatenate((track, track))))
    depth = np.cumsum(np.where(is_begin[order] == 1, 1, -1))
    at = np.empty(2 * n, np.int64)
    at[order] = depth
    crossing = at[:n] != at[n:] + 1
    found = np.ones(count, bool)
    found[track[crossing]] = False
    return found


# What ran on GPUs, by device, process, context and stream → planes and tracks of devices.


class Row(enum.IntEnum):
    """What a track of a device holds."""

    STREAM = 0
    #: How long the host waited for the stream.
    WAITS = 1
    COUNTERS = 2


class OnDevice(msgspec.Struct):
    """Some events: by each its device, process, context and stream (-1 where it has none), name, times, stats."""

    row: Row
    device: I64
    process: I64
    context: I64
    stream: I64
    name: I64
    start_ns: I64
    end_ns: I64
    stats: Sequence[Stat] = ()


class Devices(Gathered[OnDevice]):
    """Gathers what ran on devices, then adds planes and tracks to a sheet."""

    def lay(
        self,
        sheet: Sheet,
        facts: Callable[[int], Mapping[str, Value]],
        stream_name: Callable[[int, int, int], str] = lambda process, context, stream: "",
    ) -> None:
        """A plane a device, in their order. facts: attributes of a device's plane. stream_name: empty for none."""
        if not self.parts:
            return
        unique, place = distinct_rows(*self._few(sheet))
        planes: dict[int, int] = {}
        ids = []
        several = _Several(unique)
        for device, kind, process, context, stream in unique.tolist():
            if device not in planes:
                stats = {"device_vendor": "Nvidia", **facts(device)}
                vendor = str(stats["device_vendor"])
                plane = Plane(f"/device:GPU:{device}", PlaneKind.GPU, max(device, -1), vendor, stats=stats)
                planes[device] = sheet.plane(plane)
            name = stream_name(process, context, stream) or f"Stream #{stream}"
            name += several.distinguished(device, process, context, stream)
            ids.append(sheet.track(_track(planes[device], Row(kind), stream, name)))
        self._put(sheet, np.array(ids, np.int64)[place])

    def _where(self) -> list[I64]:
        """Device, row, process, context and stream of all events."""
        device, *others = self._all("device", "process", "context", "stream")
        # What does not say where it ran did so on the first device.
        known = device[device >= 0]
        device = np.where(device >= 0, device, known.min() if len(known) else 0)
        return [device, np.concatenate([np.full(len(part.name), part.row, np.int64) for part in self.parts]), *others]


def _track(plane: int, row: Row, stream: int, name: str) -> Track:
    if row == Row.COUNTERS:
        return Track(plane, -1, "counters", TrackKind.COUNTER, 1 << 40)
    waits = row == Row.WAITS
    name = f"{name} (waits)" if stream >= 0 else "Waits"
    name = name if waits else name.removesuffix(" (waits)")
    return Track(plane, stream, name, TrackKind.DERIVED if waits else TrackKind.STREAM, int(row))


class _Several:
    """What tells streams of one number apart: the process, where a device has several, and the context."""

    def __init__(self, unique: I64) -> None:
        streams = unique[unique[:, 1] == Row.STREAM]
        self._processes = Counter(np.unique(streams[:, [0, 2]], axis=0)[:, 0].tolist())
        self._contexts: dict[tuple[int, int, int], set[int]] = {}
        for device, _, process, context, stream in streams.tolist():
            self._contexts.setdefault((device, process, stream), set()).add(context)

    def distinguished(self, device: int, process: int, context: int, stream: int) -> str:
        parts = [f"process {process}"] if self._processes[device] > 1 else []
        parts += [f"context {context}"] if len(self._contexts.get((device, process, stream), ())) > 1 else []
        return f" ({', '.join(parts)})" if parts else ""


# What ran on threads, by process and thread → planes and tracks of hosts.


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


class Ran(msgspec.Struct):
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
        pids, which = distinct(process)
        by_size = np.argsort(-np.bincount(which), kind="stable")
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
        unique, place = distinct_rows(process, thread, role)
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
        _, track = distinct_rows(process[mixed], thread[mixed])
        fits = nested(track, start[mixed], end[mixed], int(track.max()) + 1)[track]
        role[mixed[fits]] = Role.CALLS
        return role
