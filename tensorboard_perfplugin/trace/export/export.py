"""Timelines of several hosts → one document of Chrome's trace-event JSON, or of Perfetto's packets, a piece at a time;
what is written in any format.

The formats are those of `docs/export.md`. In JSON and packets, slices that overlap the window are kept whole, and all
of an event's stats are its args: nothing of the timeline is lost but programs (HLO) and events without a time."""

from __future__ import annotations

import heapq
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...analysis.memory.events import has_any, memory_events
from ...analysis.steps.alignment import offsets
from ...errors import NotFoundError
from ...tables import I64, U8, Capture, Option, Options, PlaneKind, StatKind, TrackKind, among
from ...timeline.assignment import steps_of
from ...timeline.causes import flows_of, launches_of
from ...timeline.nesting import enclosing, nesting_of
from ...timeline.steps.model import Cut
from ...timeline.timeline import Timeline
from ..counters import track_count
from ..derived import PATH, derived_of
from ..groups import NOT_ALIGNED, device_name, drawing_order, given_shifts, offset_ps
from ..lanes import FAR, Window
from ..window import asked_tracks, chosen_tracks, wanted_window
from .json import (
    EXACT,
    LONG_NAME,
    TIME_PIECES,
    Layout,
    Named,
    StatRows,
    Texts,
    Times,
    blob,
    counts,
    distinct,
    integers,
    is_number,
    named,
    number,
    quoted,
    repeated,
    stat_rows,
    values,
)
from .packets import Packets

# One host's tracks → threads of Chrome's trace-event format, in which slices of one thread nest.

#: Rows that are looked at together.
_CHUNK = 1 << 18
#: Begin of a line; the first of a document has none before it, and loses the comma.
BEGIN = ",\n{"


class Threads:
    """Process and thread of each event of some tracks.

    A track is a thread. Slices of one thread must lie in each other or follow one another, or readers drop them; one
    that overlaps another in part is moved, with what lies in it, to a thread of its depth beside the track's.

    pid, tid: the first numbers to give. order: all tracks of the host as they are drawn. chosen: which to write.
    """

    def __init__(self, timeline: Timeline, order: I64, chosen: I64, pid: int, tid: int) -> None:
        self._timeline, self._capture = timeline, timeline.capture
        self.pid, self.first_tid = pid, tid
        self.chosen = np.zeros(len(self._capture.tracks), bool)
        self.chosen[chosen] = True
        moved = self._moved()
        depth = nesting_of(timeline).depth[moved].astype(np.int64) if len(moved) else moved
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        drawn = order[self.chosen[order]]
        tracks = np.append(drawn, self._capture.events.track[moved])
        lanes = np.append(np.zeros(len(drawn), np.int64), depth)
        keys, place = np.unique(rank[tracks] << 32 | lanes, return_inverse=True)
        self.track, self.lane = order[keys >> 32], keys & (1 << 32) - 1
        self.tid = tid + np.arange(len(keys))
        self._main = np.full(len(order), -1, np.int64)
        self._main[drawn] = place[: len(drawn)]
        self._moved_rows, self._moved_to = moved, place[len(drawn) :]

    def _moved(self) -> I64:
        """The slices that overlap another in part, and what lies in them.

        Where slices nest, a slice's depth is one more than that of the one it lies in.
        """
        depth, parent, length = (
            nesting_of(self._timeline).depth,
            nesting_of(self._timeline).parent,
            self._capture.events.duration_ps,
        )
        off = np.zeros(len(depth), bool)
        for low in range(0, len(depth), _CHUNK):
            part = slice(low, low + _CHUNK)
            proper = np.where(parent[part] >= 0, depth[parent[part]] + 1, 0)
            off[part] = (depth[part] != proper) & (length[part] > 0)
        if off.any():
            off |= enclosing(self._timeline, off) >= 0
        rows = np.flatnonzero(off)
        kept: I64 = rows[self.chosen[self._capture.events.track[rows]]]
        return kept

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Rows of the chosen tracks, as ranges."""
        tracks = np.flatnonzero(self.chosen)
        begin, end = self._capture.tracks.events_begin[tracks], self._capture.tracks.events_end[tracks]
        some = end > begin
        begin, end = begin[some], end[some]
        apart = begin[1:] != end[:-1]
        yield from zip(
            begin[np.append(True, apart)[: len(begin)]].tolist(),
            end[np.append(apart, True)[: len(end)]].tolist(),
            strict=True,
        )

    def written(self, rows: I64) -> NDArray[np.bool_]:
        return self.chosen[self._capture.events.track[rows]]

    def thread_places(self, rows: I64) -> I64:
        """By event the place of its thread."""
        place: I64 = self._main[self._capture.events.track[rows]]
        if len(self._moved_rows):
            at = np.minimum(np.searchsorted(self._moved_rows, rows), len(self._moved_rows) - 1)
            place = np.where(self._moved_rows[at] == rows, self._moved_to[at], place)
        return place

    def pids(self) -> I64:
        """By thread the process: a plane is one."""
        pid: I64 = self.pid + self._capture.tracks.plane[self.track].astype(np.int64)
        return pid

    def heads(self, ph: str, name: str = "") -> NDArray[np.object_]:
        """By thread how its events of a phase begin, up to the name; with a name up to the time."""
        kinds = [TrackKind(k).name.lower() for k in self._capture.tracks.kind[self.track].tolist()]
        heads = np.empty(len(kinds), object)
        heads[:] = [
            f'{BEGIN}"ph":"{ph}","pid":{pid},"tid":{tid},'
            + (f'"cat":"{name}","name":"{name}","ts":' if name else f'"cat":"{kind}","name":')
            for pid, tid, kind in zip(self.pids().tolist(), self.tid.tolist(), kinds, strict=True)
        ]
        return heads


# One host → what Chrome's trace-event JSON says of it beside its events: names and order, steps, memory in use.

#: Lines that are written at once.
_LINES = 1 << 12


class Microseconds(int):
    """Picoseconds that are written as microseconds."""


def line(ph: str, pid: int, tid: int, name: str, **more: Any) -> str:
    return BEGIN + json_text({"ph": ph, "pid": pid, "tid": tid, "name": name, **more})[1:]


def json_text(value: Any) -> str:
    """Compact JSON in ASCII of anything that a capture holds; integers beyond EXACT become text."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(str(key))}:{json_text(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return blob(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Microseconds):
        return "".join(column[0] for column in Times().pieces(np.array([int(value)], np.int64)))
    if isinstance(value, int) and abs(value) >= EXACT:
        return f'"{value}"'
    return json.dumps(value)


def metadata(timeline: Timeline, threads: Threads) -> Iterator[str]:
    """Names, order and attributes of the processes and threads that are written."""
    capture = timeline.capture
    planes = capture.tracks.plane[threads.track]
    for at, plane in enumerate(dict.fromkeys(planes.tolist())):
        pid = threads.pid + plane
        name = capture.strings[int(capture.planes.name[plane])]
        args = {
            "name": f"{timeline.host} {name}",
            "host": timeline.host,
            "plane": name,
            "kind": PlaneKind(capture.planes.kind[plane]).name.lower(),
            "vendor": capture.strings[int(capture.planes.vendor[plane])],
            "ordinal": int(capture.planes.ordinal[plane]),
        }
        yield line("M", pid, 0, "process_name", args=args)
        yield line("M", pid, 0, "process_sort_index", args={"sort_index": pid - plane + at})
        if capture.plane_values(plane):
            yield line("M", pid, 0, "process_attributes", args=capture.plane_values(plane))
    main = {int(t): int(tid) for t, tid, lane in zip(threads.track, threads.tid, threads.lane, strict=True) if not lane}
    rows = zip(
        threads.pids().tolist(), threads.tid.tolist(), threads.track.tolist(), threads.lane.tolist(), strict=True
    )
    for pid, tid, track, lane in rows:
        yield from _thread(capture, pid, tid, track, lane, main[track])


def derived_metadata(derived: Timeline, threads: Threads) -> Iterator[str]:
    """The same of derived tracks, a process a device: not one of its own name, which readers would take for another."""
    capture = derived.capture
    for plane in np.unique(capture.tracks.plane[threads.track]).tolist():
        pid, device = threads.pid + plane, capture.strings[int(capture.planes.name[plane])]
        name = f"{derived.host} {device_name(capture, plane)} derived"
        args = {"name": name, "host": derived.host, "device": device, "derived": True}
        yield line("M", pid, 0, "process_name", args=args)
        yield line("M", pid, 0, "process_sort_index", args={"sort_index": pid})
    rows = zip(threads.pids().tolist(), threads.tid.tolist(), threads.track.tolist(), strict=True)
    for pid, tid, track in rows:
        name = capture.strings[int(capture.tracks.name[track])]
        yield line("M", pid, tid, "thread_name", args={"name": name, "derived": True})
        yield line("M", pid, tid, "thread_sort_index", args={"sort_index": tid})


def _thread(capture: Capture, pid: int, tid: int, track: int, lane: int, main: int) -> Iterator[str]:
    name = capture.strings[int(capture.tracks.name[track])]
    args = {
        "name": name,
        "track": track,
        "id": int(capture.tracks.id[track]),
        "order": int(capture.tracks.order[track]),
    }
    if lane:
        args |= {"name": overlapping_title(name, lane), "beside": main}
    yield line("M", pid, tid, "thread_name", args=args)
    yield line("M", pid, tid, "thread_sort_index", args={"sort_index": tid})


def overlapping_title(name: str, lane: int) -> str:
    """Of a thread beside a track's, to which what overlaps was moved; lane 0 is the track's own."""
    return f"{name} (overlapping, {lane})" if lane else name


def marks(timeline: Timeline, window: Window | None, offset_ps: int, pid: int, tid: int) -> Iterator[str]:
    """A process of what was found out about a host: its steps, and the memory in use of each memory system."""
    begun = False
    for text in (*_steps(timeline, window, offset_ps, pid, tid), *_memory(timeline, window, offset_ps, pid)):
        if not begun:
            name = f"{timeline.host} steps and memory"
            yield line("M", pid, 0, "process_name", args={"name": name, "host": timeline.host, "derived": True})
            yield line("M", pid, 0, "process_sort_index", args={"sort_index": pid})
            begun = True
        yield text


def _steps(timeline: Timeline, window: Window | None, offset_ps: int, pid: int, tid: int) -> Iterator[str]:
    steps = steps_of(timeline)
    inside = (
        np.ones(len(steps), bool) if window is None else window.holds(steps.begin_ps, steps.end_ps - steps.begin_ps)
    )
    ends: list[tuple[int, int]] = []
    threads = 0
    for i in np.flatnonzero(inside).tolist():
        begin, end = int(steps.begin_ps[i]), int(steps.end_ps[i])
        if ends and ends[0][0] <= begin:
            thread = heapq.heappop(ends)[1]
        else:
            thread, threads = tid + threads, threads + 1
            yield line("M", pid, thread, "thread_name", args={"name": "Steps"})
        heapq.heappush(ends, (max(end, begin + 1), thread))
        args = {
            "number": int(steps.number[i]),
            "wall_us": Microseconds(steps.wall_ps[i]),
            "rule": steps.rule,
            "cut": [flag.name.lower() for flag in Cut if steps.cut[i] & flag and flag.name],
        }
        times = {"ts": Microseconds(begin + offset_ps), "dur": Microseconds(end - begin)}
        yield line("X", pid, thread, steps.name[i], cat="step", **times, args=args)


def _memory(timeline: Timeline, window: Window | None, offset_ps: int, pid: int) -> Iterator[str]:
    if not has_any(timeline):
        return
    for system, events in memory_events(timeline).systems:
        inside = (
            np.ones(len(events), bool)
            if window is None
            else window.holds(events.time_ps, np.zeros_like(events.time_ps))
        )
        at = np.flatnonzero(inside & (events.heap >= 0))
        for low in range(0, len(at), _LINES):
            some: I64 = at[low : low + _LINES]
            columns = (events.time_ps[some] + offset_ps, events.heap[some], events.free[some])
            yield "".join(
                line("C", pid, 0, f"memory {system.id}", cat="memory", ts=Microseconds(time), args=_use(heap, free))
                for time, heap, free in zip(*(column.tolist() for column in columns), strict=True)
            )


def _use(heap: int, free: int) -> dict[str, int]:
    return {"in_use_bytes": heap} | ({"free_bytes": free} if free >= 0 else {})


# One host's events and arrows → lines of Chrome trace-event JSON, some thousands at a time.

#: Events, stats and characters that are written at once; an event alone may have more.
_EVENTS, _STATS, _CHARACTERS = 1 << 14, 1 << 16, 4 << 20
#: Rows that are looked at together.
_CHUNK_WRITER = 1 << 18
#: Pieces of an event apart from its stats: head, name, start, length, end.
_PIECES = 3 + 2 * TIME_PIECES
_ARGS, _DETAILS = ',"args":{', '},"details":{'


class Writer:
    """Writes what of a timeline is in the window, on the tracks of `threads`; `offset_ps` is added to all times."""

    def __init__(self, timeline: Timeline, threads: Threads, window: Window | None, offset_ps: int) -> None:
        self._timeline, self._capture = timeline, timeline.capture
        self._threads, self._window, self._offset_ps = threads, window, offset_ps
        self._all = texts = [*timeline.capture.strings, LONG_NAME]
        self._lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self._blob_lengths = np.array([len(b) for b in timeline.capture.blobs] or [0], np.int64)
        self._names, self._texts = Texts(texts, after=',"ts":'), Texts(texts)
        self._keys = tuple(Texts(texts, before, ":") for before in (",", _ARGS, _DETAILS))
        self._heads = {ph: threads.heads(ph) for ph in "XiC"}
        self._long, self._instant, self._plain = Times(',"dur":'), Times(',"s":"t"'), Times()

    def events(self) -> Iterator[str]:
        for rows in self.rows():
            yield from self._split(rows)

    def rows(self) -> Iterator[I64]:
        """The rows to write, in order, some at a time."""
        waiting: list[I64] = []
        for begin, end in self._threads.ranges():
            for low in range(begin, end, _CHUNK_WRITER):
                rows = np.arange(low, min(low + _CHUNK_WRITER, end))
                waiting.append(rows[self._inside(rows)])
                if sum(map(len, waiting)) >= _EVENTS:
                    yield np.concatenate(waiting)
                    waiting = []
        if waiting:
            yield np.concatenate(waiting)

    def _inside(self, rows: I64) -> NDArray[np.bool_]:
        events = self._capture.events
        if self._window is None:
            return np.ones(len(rows), bool)
        return self._window.holds(events.start_ps[rows], events.duration_ps[rows])

    def _split(self, rows: I64) -> Iterator[str]:
        """In parts that take little memory: an event's kind may have very many stats, its name may be very long."""
        for low in range(0, len(rows), _EVENTS):
            part = rows[low : low + _EVENTS]
            stats = np.cumsum(sum(counts(self._capture, part)) + 1)
            cuts = np.flatnonzero(np.diff(stats // _STATS)) + 1
            for some in np.split(part, cuts):
                yield from self._within(some)

    def _within(self, rows: I64) -> Iterator[str]:
        names = named(self._capture, rows)
        table = stat_rows(self._capture, rows, names)
        if len(rows) > 1 and self._characters(names, table) > _CHARACTERS:
            for half in np.array_split(rows, 2):
                yield from self._within(half)
        elif len(rows):
            yield self._lines(rows, names, table)

    def _characters(self, names: Named, table: StatRows) -> int:
        text, blobs = table.kind == StatKind.TEXT, table.kind == StatKind.BYTES
        return int(
            self._lengths[names.name].sum()
            + self._lengths[table.key].sum()
            + self._lengths[table.value[text]].sum()
            + 2 * self._blob_lengths[table.value[blobs]].sum()
        )

    def _lines(self, rows: I64, names: Named, table: StatRows) -> str:
        events, capture = self._capture.events, self._capture
        total = np.bincount(table.event, minlength=len(rows))
        counter, table, opening = self._opened(rows, table)
        start, duration = events.start_ps[rows] + self._offset_ps, events.duration_ps[rows]
        lay = Layout(_PIECES + 2 * total)
        self._put_heads(
            lay, self._threads.thread_places(rows), np.where(counter, "C", np.where(duration > 0, "X", "i"))
        )
        lay.put(1, self._names.pieces(names.name))
        self._put_times(lay, start, duration, counter)
        place = np.arange(len(table.key)) - (np.cumsum(total) - total)[table.event]
        at = lay.first[table.event] + _PIECES - 1 + 2 * place
        lay.put_at(at, self._key_pieces(table, opening))
        lay.put_at(at + 1, values(table.kind, table.value, self._texts, capture.blobs, counter[table.event]))
        lay.put(_PIECES - 1 + 2 * total, np.where(total > 0, "}}", "}"))
        return lay.text()

    def _put_heads(self, lay: Layout, thread: I64, phase: NDArray[np.str_]) -> None:
        for ph, heads in self._heads.items():
            at = np.flatnonzero(phase == ph)
            lay.put_at(lay.first[at], heads[thread[at]])

    def _put_times(self, lay: Layout, start: I64, duration: I64, counter: NDArray[np.bool_]) -> None:
        """Begin and, where there is one, length; of an instant its scope."""
        long = duration > 0
        for times, chosen in ((self._long, long), (self._instant, ~long & ~counter), (self._plain, ~long & counter)):
            at = np.flatnonzero(chosen)
            for i, pieces in enumerate(times.pieces(start[at])):
                lay.put_at(lay.first[at] + 2 + i, pieces)
        for i, pieces in enumerate(self._plain.pieces(duration)):
            lay.put(2 + TIME_PIECES + i, np.where(long, pieces, ""))

    def _opened(self, rows: I64, table: StatRows) -> tuple[NDArray[np.bool_], StatRows, I64]:
        """Which events are counters; the stats, of counters the numbers first; by stat what its key opens: 0 nothing,
        1 the args, 2 what of a counter is no number."""
        track = self._capture.events.track[rows]
        counter = self._capture.tracks.kind[track] == TrackKind.COUNTER
        opening = np.zeros(len(table.key), np.int64)
        opening[np.append(True, table.event[1:] != table.event[:-1])[: len(opening)]] = 1
        if not counter.any():
            return counter, table, opening
        numeric = is_number(table.kind, table.value)
        counter = counter & (np.bincount(table.event[numeric], minlength=len(rows)) > 0)
        other = counter[table.event] & ~numeric
        order = np.lexsort((other, table.event))
        table, other = table.take(order), other[order]
        begins = other & ~np.append(False, other[:-1] & (table.event[1:] == table.event[:-1]))
        opening[begins] = 2
        return counter, table, opening

    def _key_pieces(self, table: StatRows, opening: I64) -> NDArray[np.object_]:
        made = np.empty(len(table.key), object)
        for which, texts in enumerate(self._keys):
            at = np.flatnonzero(opening == which)
            made[at] = texts.pieces(table.key[at])
        for event in repeated(table).tolist():
            low, high = np.searchsorted(table.event, (event, event + 1)).tolist()
            keys = [self._all[i] for i in table.key[low:high].tolist()]
            for i, key in enumerate(distinct(keys), low):
                made[i] = f"{(',', _ARGS, _DETAILS)[opening[i]]}{quoted(key)}:"
        return made

    def arrows(self, numbers: Iterator[int]) -> Iterator[str]:
        """Launch → kernel and producer → consumer, where both ends are slices that are written."""
        for name, causes in (
            ("launch", launches_of(self._timeline).rows),
            ("producer", flows_of(self._timeline).producer),
        ):
            if not any(causes.strides):
                continue
            heads = [self._threads.heads(ph, name) for ph in "sf"]
            for low in range(0, len(causes), _CHUNK_WRITER):
                effects = low + np.flatnonzero(causes[low : low + _CHUNK_WRITER] >= 0)
                for at in range(0, len(effects), _EVENTS):
                    some = effects[at : at + _EVENTS]
                    text = self._arrow_lines(causes[some].astype(np.int64), some, heads, numbers)
                    if text:
                        yield text

    def _arrow_lines(self, causes: I64, effects: I64, heads: list[NDArray[np.object_]], numbers: Iterator[int]) -> str:
        """Arrows lead from slice to slice; an instant stands for the slice that it lies in.

        An arrow ends when its effect began, or its cause, whichever is later; where the effect is over by then there is
        none.
        """
        events = self._capture.events
        begin = events.start_ps[causes]
        end = np.maximum(begin, events.start_ps[effects])
        causes, effects = self._slices(causes), self._slices(effects)
        drawn = (causes >= 0) & (effects >= 0) & (causes != effects)
        drawn &= end < events.start_ps[effects] + events.duration_ps[effects]
        for rows in (causes, effects):
            drawn &= self._threads.written(rows) & self._inside(rows)
        causes, effects, begin, end = causes[drawn], effects[drawn], begin[drawn], end[drawn]
        lay, times = Layout(np.full(len(causes), 2 * (3 + TIME_PIECES))), Times(',"id":')
        ids = integers(np.array([next(numbers) for _ in range(len(causes))], np.int64))
        lay.put(0, heads[0][self._threads.thread_places(causes)], *times.pieces(begin + self._offset_ps), ids, "}")
        ends = times.pieces(end + self._offset_ps)
        lay.put(3 + TIME_PIECES, heads[1][self._threads.thread_places(effects)], *ends, ids, ',"bp":"e"}')
        return lay.text()

    def _slices(self, rows: I64) -> I64:
        """The rows that are slices; of an instant the slice around it, -1 where there is none."""
        return np.where(
            self._capture.events.duration_ps[rows] > 0, rows, nesting_of(self._timeline).parent[rows]
        ).astype(np.int64)


#: Format → how the name of its file ends.
ENDINGS = {
    "json": ".trace.json.gz",
    "pftrace": ".pftrace.gz",
    "speedscope": ".speedscope.json.gz",
    "pprof": ".pb.gz",
    "collapsed": ".collapsed.gz",
}
#: Formats of stacks, which have no place for counters; and those of sums, in which a derived track counts time again.
_OF_STACKS, _OF_SUMS = ("speedscope", "pprof", "collapsed"), ("pprof", "collapsed")
#: Numbers beyond the capture's tracks that are looked at: of counters and of derived tracks.
_BEYOND = 1 << 20
OPTIONS = (
    Option("start_ps", "integer", None, "Begin of the window. Default: the first event.", low=-FAR, high=FAR),
    Option("end_ps", "integer", None, "End of the window, not in it. Default: the last event's.", low=-FAR, high=FAR),
    Option(
        "origin_ns",
        "integer",
        None,
        "The instant, since the epoch, that all times count from. Default: the earliest start of the hosts.",
        low=-FAR,
        high=FAR,
    ),
    Option(
        "tracks", "text", "", "Only these tracks, by their rows, `0-9,12`; of one host `name:0-9.12`, percent-encoded."
    ),
    Option(
        "format",
        "text",
        "json",
        "json: Chrome's trace events; pftrace: Perfetto's packets; speedscope: a profile a track; pprof: stacks with "
        "their own time; collapsed: the same as lines of text.",
        tuple(ENDINGS),
    ),
    Option("shifts", "text", "", "What to add to hosts' clocks, `name:ps,name:ps`, percent-encoded."),
)


class Look(msgspec.Struct, frozen=True):
    """What has to be known of a host before the first line is written; `start_ns` is None where it is not recorded.

    first_ps, last_ps: by track when its first event begins and its last one ends; of one without events FAR and -FAR.
    kind: of each track.
    """

    host: str
    start_ns: int | None
    span: Window | None
    first_ps: I64
    last_ps: I64
    kind: U8


class Part(msgspec.Struct, frozen=True):
    """What of a host is written. window: in the host's own time, None for the whole; `offset_ps` is added to times."""

    host: str
    offset_ps: int
    window: Window | None
    tracks: str = ""
    format: str = "json"


class Plan(msgspec.Struct, frozen=True):
    """What is written. origin_ns: the instant of time 0, None where the hosts have no clock in common.

    span: from the first event of all hosts to the end of the last.
    """

    run: str
    parts: tuple[Part, ...]
    origin_ns: int | None
    window: Window | None = None
    warnings: tuple[str, ...] = ()
    format: str = "json"
    span: Window = Window(0, 1)


def look(timeline: Timeline) -> Look:
    capture = timeline.capture
    (first, end), events, tracks = capture.span_ps, capture.events, capture.tracks
    first_ps, last_ps = np.full(len(tracks), FAR, np.int64), np.full(len(tracks), -FAR, np.int64)
    some = np.flatnonzero(tracks.events_end > tracks.events_begin)
    if len(some):
        begin = tracks.events_begin[some]
        first_ps[some] = events.start_ps[begin]
        last_ps[some] = np.maximum.reduceat(events.start_ps + events.duration_ps, begin)
    span = Window(first, end + 1) if len(events) else None
    return Look(timeline.host, capture.start_ns, span, first_ps, last_ps, tracks.kind.astype(np.uint8))


def plan(run: str, looks: Sequence[Look], options: Options, warnings: Sequence[str] = ()) -> Plan:
    """Hosts on one axis, and the window in the time of each. Raises ArgumentError for an empty window."""
    moved, origin_ns, clock_notes = _axis(looks, options)
    spans = [(e.span.start_ps + o, e.span.end_ps + o) for e, o in zip(looks, moved, strict=True) if e.span]
    whole = Window(min((s for s, _ in spans), default=0), max((e for _, e in spans), default=1))
    window = wanted_window(options, 0, whole)
    tracks, form = str(options["tracks"]), str(options["format"])
    parts = [
        Part(each.host, offset, _earlier(window, offset), tracks, form)
        for each, offset in zip(looks, moved, strict=True)
    ]
    return Plan(run, tuple(parts), origin_ns, window, (*warnings, *clock_notes), form, whole)


def _earlier(window: Window | None, by_ps: int) -> Window | None:
    return window and Window(window.start_ps - by_ps, window.end_ps - by_ps)


def _axis(looks: Sequence[Look], options: Options) -> tuple[Sequence[int], int | None, list[str]]:
    """By host what is added to its times, the instant of time 0, and the notes about it."""
    starts, shifts = [each.start_ns for each in looks], given_shifts(options)
    shift = [shifts.get(each.host, 0) for each in looks]
    if options["origin_ns"] is not None:
        return [offset_ps(each.host, each.start_ns, options) for each in looks], int(options["origin_ns"]), []
    if len(looks) == 1:
        return shift, starts[0], []
    by_start = offsets(starts)
    if by_start is None:
        return shift, None, [f"each host's times count from its own start: {NOT_ALIGNED}"]
    origin = min(ns for ns in starts if ns is not None)
    return [each + by for each, by in zip(by_start, shift, strict=True)], origin, []


def selected(kind: U8, part: Part) -> I64:
    """Those to write of a capture's tracks, of which the kinds are given. Raises ArgumentError."""
    tracks = chosen_tracks(part.tracks, part.host, len(kind)) if part.tracks else np.arange(len(kind))
    left_out = [TrackKind.COUNTER] if part.format in _OF_STACKS else []
    if part.format in _OF_SUMS and not part.tracks:
        left_out.append(TrackKind.DERIVED)
    return tracks[~among(kind[tracks], left_out)]


def derived_tracks(timeline: Timeline, part: Part) -> I64:
    """The derived tracks to write, by their own numbers: those that are chosen, by default all but the critical path.

    None in a format of sums. Raises ArgumentError.
    """
    if part.format in _OF_SUMS:
        return np.empty(0, np.int64)
    if not part.tracks:
        return np.array([i for i, key in enumerate(derived_of(timeline).keys) if key != PATH], np.int64)
    numbers = asked_tracks(timeline, part.tracks)
    known = (numbers >= track_count(timeline)).any()
    return derived_of(timeline).tracks(numbers) if known else np.empty(0, np.int64)


def seen(look: Look, part: Part) -> bool | None:
    """Whether anything of the host is written; None where only its events can show that. Raises ArgumentError."""
    count = len(look.kind)
    if part.tracks and (chosen_tracks(part.tracks, part.host, count + _BEYOND) >= count).any():
        return None
    tracks, window = selected(look.kind, part), part.window or Window(-FAR, FAR)
    first, last = look.first_ps[tracks], look.last_ps[tracks]
    if ((first >= window.start_ps) & (first < window.end_ps)).any():
        return True
    return None if ((first < window.end_ps) & (last >= window.start_ps)).any() else False


def has_events(timeline: Timeline, part: Part) -> bool:
    """Whether anything of the host is written. Raises ArgumentError."""
    if _has_events(timeline.capture, selected(timeline.capture.tracks.kind, part), part):
        return True
    derived = derived_tracks(timeline, part)
    return bool(len(derived)) and _has_events(derived_of(timeline).timeline.capture, derived, part)


def _has_events(capture: Capture, tracks: I64, part: Part) -> bool:
    for track in tracks.tolist():
        rows = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
        start, duration = capture.events.start_ps[rows], capture.events.duration_ps[rows]
        if len(start) and (part.window is None or part.window.holds(start, duration).any()):
            return True
    return False


def nothing(plan: Plan, looks: Sequence[Look]) -> NotFoundError:
    """What to say where no host has any event to write."""
    pairs = itertools.islice(zip(plan.parts, looks, strict=True), 8)
    spans = "; ".join(f"{part.host}: {_span(each.span, part.offset_ps)}" for part, each in pairs)
    asked = "" if plan.window is None else f" between start_ps={plan.window.start_ps} and end_ps={plan.window.end_ps}"
    chosen = " on these tracks" if plan.parts and plan.parts[0].tracks else ""
    return NotFoundError(f"nothing to export: no event{asked}{chosen}; events that have a time lie, in ps, in {spans}")


def _span(span: Window | None, offset_ps: int) -> str:
    return f"{span.start_ps + offset_ps} to {span.end_ps + offset_ps}" if span else "none"


def document(plan: Plan, producer: str, timeline_of: Callable[[str], Timeline]) -> Iterator[str]:
    """The text, ASCII only. producer: what wrote it. A host's timeline is asked
    for when its turn comes, and let go before the next."""
    yield _head(plan, producer)
    # A host of which no track was chosen may have nothing to say: the first piece loses its comma.
    lines = filter(None, itertools.chain.from_iterable(_numbered(plan, timeline_of)))
    yield next(lines, "")[1:]
    yield from lines
    yield "\n]}\n"


def _head(plan: Plan, producer: str) -> str:
    """What comes before the events. `baseTimeNanoseconds` is a number, as other producers have it."""
    base = "" if plan.origin_ns is None else f'"baseTimeNanoseconds":{plan.origin_ns},'
    return f'{{"displayTimeUnit":"ns",{base}"otherData":{_other_data(plan, producer)},\n"traceEvents":['


def _other_data(plan: Plan, producer: str) -> str:
    other = {
        "producer": producer,
        "run": plan.run,
        "hosts": {part.host: {"offset_ps": part.offset_ps} for part in plan.parts},
        "window_ps": None if plan.window is None else [plan.window.start_ps, plan.window.end_ps],
        "warnings": plan.warnings,
    }
    return json_text(other)


def packets(plan: Plan, producer: str, timeline_of: Callable[[str], Timeline]) -> Iterator[bytes]:
    """As `document`, in Perfetto's binary format."""
    made = Packets(plan.origin_ns or 0)
    yield made.attributes({"otherData": _other_data(plan, producer)})
    yield from made.packed(filter(None, itertools.chain.from_iterable(_numbered(plan, timeline_of))))


def _numbered(plan: Plan, timeline_of: Callable[[str], Timeline]) -> Iterator[Iterator[str]]:
    """The hosts' lines; numbers of processes, threads and arrows are given once in a document, from 1 on."""
    arrows = itertools.count(1)
    pid = tid = 1
    for part in plan.parts:
        timeline = timeline_of(part.host)
        order = drawing_order(timeline)
        threads = Threads(timeline, order, selected(timeline.capture.tracks.kind, part), pid + 1, tid)
        yield _lines(timeline, part, threads, arrows)
        pid += 1 + len(timeline.capture.planes)
        tid += len(threads.tid) + len(steps_of(timeline))
        chosen = derived_tracks(timeline, part)
        if len(chosen):
            made = derived_of(timeline).timeline
            threads = Threads(made, drawing_order(made), chosen, pid, tid)
            yield _derived_lines(made, part, threads)
            pid += len(made.capture.planes)
            tid += len(threads.tid)
        # The next host's timeline may need the memory.
        del timeline, threads


def _lines(timeline: Timeline, part: Part, threads: Threads, arrows: Iterator[int]) -> Iterator[str]:
    writer = Writer(timeline, threads, part.window, part.offset_ps)
    yield "".join(metadata(timeline, threads))
    yield from writer.events()
    yield from writer.arrows(arrows)
    yield from marks(timeline, part.window, part.offset_ps, threads.pid - 1, threads.first_tid + len(threads.tid))


def _derived_lines(derived: Timeline, part: Part, threads: Threads) -> Iterator[str]:
    """Derived tracks are a process of their own beside their device's, which says so."""
    yield "".join(derived_metadata(derived, threads))
    yield from Writer(derived, threads, part.window, part.offset_ps).events()


def file_name(plan: Plan) -> str:
    """`run_host_window.trace.json.gz`, with the format's ending; of letters, digits, dots, dashes and underscores."""
    hosts = plan.parts[0].host if len(plan.parts) == 1 else f"{len(plan.parts)}_hosts"
    window = "whole" if plan.window is None else f"{_ms(plan.window.start_ps)}-{_ms(plan.window.end_ps)}ms"
    return "_".join((_plain(plan.run, 80), _plain(hosts, 60), window)) + ENDINGS[plan.format]


def _plain(text: str, length: int) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text).strip("._")[:length] or "trace"


def _ms(time_ps: int) -> str:
    return f"{time_ps / 10**9:.6f}".rstrip("0").rstrip(".")
