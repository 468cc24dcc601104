"""A timeline and its steps → the critical path: at each instant the piece of work that the end of the steps waits for.

It is walked from the end of the last step back: along the program's own thread; where that waits, on to what ended last
before the wait did; from a kernel to what ran before it on its stream or to its launch, whichever was later; from what
a thread of a pool runs to what caused it. What no flow, launch or order of a stream shows is inferred from that order
in time, and marked so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, U8, Intervals, intervals
from ...threshold import Threshold
from ...timeline.assignment import steps_of
from ...timeline.causes import flows_of, launches_of
from ...timeline.devices import units_at_work_of
from ...timeline.loops.loops import nest
from ...timeline.names.ops import python_name
from ...timeline.nesting import enclosing_of, nesting_of
from ...timeline.ops.executions import async_ops_of
from ...timeline.ops.ops import Ops
from ...timeline.split.device import device_pieces
from ...timeline.split.host import WITHIN, host_classes_of
from ...timeline.split.host_names import CLASSES, JOINS, HostClass, Threads
from ...timeline.split.sets import paint_rows
from ...timeline.steps.model import Steps
from ...timeline.timeline import CATEGORIES, INDEX, Timeline, derived_by_choice
from . import walk

NEAR = Threshold(
    "near",
    20_000_000,
    "ps",
    "what a pool's threads run follows on each other if no more time lies between two pieces, while the program's own "
    "thread is at work on something else",
    "1 to 10 µs between two ops of one program in captures of TensorFlow and JAX on CPUs",
)
EVENTS = Threshold(
    "events walked for figures",
    400_000,
    "events",
    "the steps of a capture with more are alike; what the path costs is of as many typical steps as hold so many",
)
#: Stretches that are written before the walk looks at how much room there is.
_ROOM = 1 << 16


class Kind(IntEnum):
    """What a stretch of the path is: work; a wait of which nothing shows what ended it; what lies between a launch, or
    the end of what ran before, and a kernel; the same between threads."""

    RUNS = 0
    WAITS = 1
    LAUNCHES = 2
    HOPS = 3


class Side(IntEnum):
    """What a track is: the program's own thread, another, one that prepares input, or a device's."""

    MAIN = 0
    POOL = 1
    INPUT = 2
    DEVICE = 3


class Path(msgspec.Struct, frozen=True, eq=False):
    """A partition of [begin of the first stretch, end of the last), ascending.

    row: the event, -1 where none shows what happened. category: `CATEGORIES`. kind, side: `Kind`, `Side`. inferred:
    whether the stretch before is of another thread, stream or device, and only the order in time shows that this one
    waited for it. follows: whether such an edge led the walk to a stretch, or to one after it on its thread or stream.
    """

    begin: I64
    end: I64
    row: I32
    category: U8
    kind: U8
    side: U8
    inferred: NDArray[np.bool_]
    follows: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def length_ps(self) -> I64:
        return self.end - self.begin

    def inferred_ps(self, windows: Intervals) -> int:
        """How much of the path, in some windows, an edge led to that is inferred."""
        change = np.diff(self.follows.astype(np.int8), prepend=0, append=0)
        begin, end = self.begin[change[:-1] > 0], self.end[change[1:] < 0]
        return int(intervals.coverage(windows, begin, end).sum())


class Pieces(NamedTuple):
    begin: I64
    end: I64
    row: I64 | I32
    category: U8
    waits: U8


#: Own classes of what waits for other threads, and for input.
_WAITS = (HostClass.WAITING, HostClass.FUNCTION)
_WAITS_FOR_INPUT = (HostClass.INPUT, HostClass.NEXT, HostClass.PIPELINE, HostClass.SHARD)
_KINDS_OF_WAIT = np.zeros(CLASSES, np.uint8)
_KINDS_OF_WAIT[list(_WAITS)], _KINDS_OF_WAIT[list(_WAITS_FOR_INPUT)] = 1, 2
#: Calls of Python in which a thread waits, as its tracers write them, and TensorFlow's call of a whole function.
_AWAITS = regex(
    r"(?:\$|<built-in (?:method|function) )(?:.*[ .])?"
    r"(?:block_until_ready|try_to_block|_value|acquire|wait\w*|select|poll|epoll|result|run_backward)(?: of .*)?|"
    rf"\${JOINS}|<built-in method (?:get of _queue|join of _thread)\..*"
    r"|FunctionRun"
)
_INPUT_THREAD = "tf_data"
#: What a device runs for a call that copies between it and its host.
_COPY = regex(r"(?i:mem ?cpy) ?(?:HtoD|DtoH|H2D|D2H)\b.*")
_WAITS_FOR_STREAM = regex(r"(?:cu|cuda|hip)StreamSynchronize\w*")


@derived_by_choice
def path_of(timeline: Timeline, choice: str) -> Path | None:
    """Of the steps of a choice; None without steps, and where only their sums are known. Raises ArgumentError."""
    laid = laid_out(timeline, steps_of(timeline, choice))
    return walked(laid) if laid else None


def op_rows(timeline: Timeline, ops: Ops, rows: I32 | I64) -> I64:
    """Of each of some events, or -1, that of the innermost op that it is or lies in, -1 without any."""
    is_op = np.zeros(len(timeline.capture.events), bool)
    is_op[ops.host.rows] = is_op[ops.device.rows] = True
    found = rows.astype(np.int64)
    inner = np.flatnonzero((found >= 0) & ~is_op[found])
    found[inner] = enclosing_of(timeline, is_op, found[inner])
    return found


class Laid(NamedTuple):
    """What a host's threads and devices did, in pieces that are disjoint on each track, by track. first: of each track
    its first piece, and their number. side: of each. times: (5, pieces), as the loops take them: begin, end, when what
    let each begin was done, as launches and flows show it, and the place of its track, and that of the stream it waits
    for, as calls show it; -1 where they do not. start, stop: where the path ends; home: the program's own track; floor:
    when the steps begin."""

    pieces: Pieces
    times: I64
    first: I64
    side: U8
    start: int
    home: int
    floor: int
    stop: int

    def columns(self) -> tuple[I64, I64]:
        """As the loops take them: running, tracks."""
        running = np.flatnonzero(self.pieces.waits == 0)
        first, first_running = self.first, np.searchsorted(running, self.first)
        tracks = (first[:-1], self.side, first[1:] - 1, first_running[:-1], first_running[1:] - 1)
        return running, np.stack(tracks).astype(np.int64)

    def within(self, begin: int, end: int) -> Laid:
        """The pieces that lie in a stretch, at least in part."""
        some = np.flatnonzero((self.pieces.end > begin) & (self.pieces.begin < end))
        first = np.searchsorted(some, self.first)
        part = self._replace(pieces=_taken(self.pieces, some), first=first, floor=begin, stop=end)
        return part.at(np.take(self.times, some, axis=1))

    def at(self, times: I64) -> Laid:
        """The same pieces at other times."""
        return self._replace(times=times, pieces=self.pieces._replace(begin=times[0], end=times[1]))


def laid_out(timeline: Timeline, steps: Steps, window: tuple[int, int] | None = None) -> Laid | None:
    """None without steps that last, and where only their sums are known. window: begin and end of some steps that
    follow each other, to look at these alone."""
    if not len(steps) or steps.rule == "recorded":
        return None
    return _Tracks(timeline, steps, bool(units_at_work_of(timeline)), window).laid_out()


def sample(timeline: Timeline, steps: Steps, typical: NDArray[np.bool_]) -> tuple[int, int] | None:
    """Begin and end of as many typical steps that follow each other as hold `EVENTS` or so; None where all steps do."""
    many = len(timeline.capture.events)
    if many <= EVENTS.value or not typical.any():
        return None
    run = longest_run(steps, typical)[: max(EVENTS.value * len(steps) // many, 1)]
    return int(steps.begin_ps[run[0]]), int(steps.until_ps[run[-1]])


def longest_run(steps: Steps, chosen: NDArray[np.bool_]) -> I64:
    """The most of some steps that follow each other."""
    places = np.flatnonzero(chosen)
    apart = (np.diff(places) != 1) | (steps.begin_ps[places[1:]] != steps.until_ps[places[:-1]])
    return max(np.split(places, np.flatnonzero(apart) + 1), key=len)


def walked(laid: Laid) -> Path:
    running, tracks = laid.columns()
    state = np.array([laid.start, laid.stop, laid.home, 0, 0], np.int64)
    parts, out = [], np.empty((5, _ROOM), np.int64)
    while state[1] > laid.floor:
        count = walk.walk(state, laid.floor, NEAR.value, laid.times, laid.pieces.waits, running, tracks, out)
        parts.append(_stretches(laid, *out[:, :count][:, ::-1]))
    stretches = _Stretches(*map(np.concatenate, zip(*reversed(parts), strict=True)))
    inferred, follows = _edges(laid, stretches)
    return Path(*stretches[:6], inferred, follows)


class _Stretches(NamedTuple):
    """The first columns of a path, and beside them: the track of each, that of what is shown to have let its piece
    begin, or -1, and whether the piece is one that waits."""

    begin: I64
    end: I64
    row: I32
    category: U8
    kind: U8
    side: U8
    track: I32
    shown: I32
    waits: NDArray[np.bool_]


def _stretches(laid: Laid, begin: I64, end: I64, piece: I64, kind: I64, track: I64) -> _Stretches:
    """As `walk` writes them; what is no piece is the program's own."""
    lost, pieces = piece < 0, laid.pieces
    row, category = pieces.row[piece].astype(np.int32), pieces.category[piece]
    side, on = laid.side[track], np.where(lost, laid.home, track).astype(np.int32)
    shown, waits = laid.times[3, piece].astype(np.int32), (pieces.waits[piece] > 0) & ~lost
    row[lost], category[lost], side[lost], shown[lost] = -1, INDEX["python"], Side.MAIN, -1
    category[kind == Kind.LAUNCHES] = INDEX["launch"]
    category[kind == Kind.HOPS] = INDEX["runtime"]
    return _Stretches(begin.copy(), end.copy(), row, category, kind.astype(np.uint8), side, on, shown, waits)


def _edges(laid: Laid, of: _Stretches) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """`Path.inferred` and `Path.follows`. A call that waits for a device says so itself."""
    crosses = np.diff(of.track, prepend=of.track[:1]) != 0
    before = np.roll(of.track, 1)
    inferred = crosses & (of.shown != before) & ~(of.waits & (laid.side[before] == Side.DEVICE))
    # What lies before each crossing, from the one before it on, the walk came to by that.
    edges = np.flatnonzero(crosses)
    follows = np.repeat(np.append(inferred[edges], False), np.diff(edges, prepend=0, append=len(crosses)))
    return inferred, follows


class _Tracks:
    def __init__(
        self, timeline: Timeline, steps: Steps, with_device: bool, window: tuple[int, int] | None = None
    ) -> None:
        self.timeline, self.steps = timeline, steps
        self.floor, self.stop = window or (int(steps.begin_ps.min()), int(steps.until_ps.max()))
        self.threads = Threads(timeline, steps, with_device)
        self.shown = _shown(with_device)
        self.awaited = _awaited_work(timeline)

    def laid_out(self) -> Laid | None:
        host = list(self._host())
        given = [one for one in (*host, *self._elsewhere(host), *self._devices()) if len(one[2].begin)]
        if not given:
            return None
        tracks, parts = np.array([track for track, _, _ in given]), [pieces for _, _, pieces in given]
        side = np.array([of for _, of, _ in given], np.uint8)
        first = np.cumsum([0, *(len(one.begin) for one in parts)])
        pieces, times = self._joined(parts, tracks)
        lead = side == Side.MAIN
        # What the program's thread runs into the next step does not end this one; what a device runs for it does.
        last = np.where(lead, np.minimum(pieces.end[first[1:] - 1], self.stop), pieces.end[first[1:] - 1])
        may = np.flatnonzero(lead | (side == Side.DEVICE)) if lead.any() else np.arange(len(side))
        start = int(may[np.lexsort((side[may], last[may]))[-1]])
        main = np.flatnonzero(lead)
        home = int(main[last[main].argmax()]) if len(main) else start
        stop = int(last[start]) if side[start] == Side.DEVICE else self.stop
        return Laid(pieces, times, first, side, start, home, self.floor, stop) if stop > self.floor else None

    def _joined(self, parts: Sequence[Pieces], tracks: I64) -> tuple[Pieces, I64]:
        """The pieces of all tracks, and their `Laid.times`."""
        events, columns = self.timeline.capture.events, list(zip(*parts, strict=True))
        times = np.full((5, sum(map(len, columns[0]))), -1, np.int64)
        for begin_or_end, column in zip(times, columns[:2], strict=False):
            np.concatenate(column, out=begin_or_end)
        row = np.concatenate(columns[2], dtype=np.int32, casting="same_kind")
        place = np.full(len(self.timeline.capture.tracks), -1, np.int64)
        real = np.flatnonzero(tracks >= 0)
        place[tracks[real]] = real
        for cause in (flows_of(self.timeline).producer, launches_of(self.timeline).rows):
            if any(cause.strides):
                walk.shown_causes(row, cause, events.start_ps, events.duration_ps, events.track, place, times)
        pieces = Pieces(times[0], times[1], row, *map(np.concatenate, columns[3:]))
        if self.awaited is not None:
            waits = np.flatnonzero(pieces.waits)
            work = self.awaited[row[waits]]
            times[4, waits[work >= 0]] = place[events.track[work[work >= 0]]]
        return pieces, times

    def _host(self) -> Iterator[tuple[int, Side, Pieces]]:
        """Of each thread of the host."""
        timeline, threads = self.timeline, self.threads
        events, parent, names = timeline.capture.events, nesting_of(timeline).parent, timeline.capture.strings
        classes = host_classes_of(timeline, (self.steps, threads.with_device))
        awaits, is_python = np.zeros(len(names), bool), np.zeros(len(names), bool)
        used = timeline.capture.names_used.tolist()
        awaits[[i for i in used if _AWAITS.fullmatch(names[i][:200])]] = True
        is_python[[i for i in used if names[i].startswith("$") or python_name(names[i])]] = True
        for track in threads.tracks.tolist():
            at, around = self._rows(track, parent)
            if not len(around):
                continue
            own, main = classes.event[at], track in threads.main
            if not main:
                own = np.where(own == HostClass.NONE, classes.name[events.name[at]], own)
            length_ps = classes.length_ps(timeline, at)
            begin, end, what, place = paint_rows(events.start_ps[at], length_ps, around, 0, own, WITHIN, self.shown)
            kind, row = _KINDS_OF_WAIT[own[place]], at.start + place if isinstance(at, slice) else at[place]
            waits = (kind == 1) | awaits[events.name[row]]
            if self.awaited is not None:
                waits |= self.awaited[row] >= 0
            for_input = (kind == 2) | (waits & (what == INDEX["input_wait"] + 1))
            side = Side.MAIN if main else Side.INPUT if threads.names[track].startswith(_INPUT_THREAD) else Side.POOL
            flag = np.where(for_input & main, 2, waits).astype(np.uint8)
            pieces = Pieces(begin, end, row.astype(np.int32), what - np.uint8(1), flag)
            yield track, side, self._kept(self._with_silence(pieces, is_python, track) if main else pieces)

    def _with_silence(self, pieces: Pieces, is_python: NDArray[np.bool_], track: int) -> Pieces:
        """Of the program's own thread, where few functions of Python are recorded: what shows none may run or wait.
        Pieces of a step's mark stand where the thread shows nothing at all. is_python: by name."""
        begin, end, row, category, waits = pieces
        events, steps = self.timeline.capture.events, self.steps
        empty = intervals.gaps(intervals.union(begin, end), self.floor, self.stop)
        place = np.searchsorted(steps.begin_ps, empty.begin, side="right") - 1
        marked = np.flatnonzero((steps.row[place] >= 0) & (place >= 0))
        marked = marked[events.track[steps.row[place[marked]]] == track]
        silent = (waits == 0) & (category == INDEX["python"]) & ~is_python[events.name[row]]
        lasts = (end - begin)[silent].sum() + (empty.end - empty.begin)[marked].sum()
        if lasts <= (end - begin)[is_python[events.name[row]]].sum():
            return pieces
        n = len(marked)
        filled = Pieces(
            np.concatenate([begin, empty.begin[marked]]),
            np.concatenate([end, empty.end[marked]]),
            np.concatenate([row, steps.row[place[marked]].astype(np.int32)]),
            np.concatenate([category, np.full(n, INDEX["python"], np.uint8)]),
            np.concatenate([np.where(silent, np.uint8(3), waits), np.full(n, 3, np.uint8)]),
        )
        return _taken(filled, np.argsort(filled.begin, kind="stable"))

    def _rows(self, track: int, parent: I32) -> tuple[slice | I64, I32]:
        """The events of a thread that lie in the steps, and what is around them; the place of each one's parent among
        them, or -1."""
        events = self.timeline.capture.events
        low, high = int(self.threads.begin[track]), int(self.threads.end[track])
        begin, end = np.searchsorted(events.start_ps[low:high], (self.floor, self.stop)) + low
        running: list[int] = []
        row = int(begin) - 1
        while row >= low:
            if events.start_ps[row] + events.duration_ps[row] > self.floor:
                running.append(row)
            row = int(parent[row])
        if int(begin) - low == len(running):
            return slice(low, int(end)), np.where(parent[low:end] >= 0, parent[low:end] - low, -1).astype(np.int32)
        around = np.array(running[::-1], np.int64)
        above = parent[begin:end].astype(np.int64)
        inner = np.where(above >= begin, above - begin + len(around), np.searchsorted(around, above))
        inner[above < 0] = -1
        places = np.concatenate([np.arange(len(around)) - 1, inner]).astype(np.int32)
        return np.concatenate([around, np.arange(begin, end)]), places

    def _elsewhere(self, host: Sequence[tuple[int, Side, Pieces]]) -> Iterator[tuple[int, Side, Pieces]]:
        """Ops that go on on a pool's threads and have no events of their own there, while none of its threads shows
        what it runs: of several the last begun."""
        rows, end = async_ops_of(self.timeline)
        if not len(rows):
            return
        begin = self.timeline.capture.events.start_ps[rows]
        order = np.lexsort((begin - end, begin))
        rows, begin, length = rows[order], begin[order], (end - begin)[order]
        parent = nest(np.zeros(len(rows), np.int32), begin, length).parent
        what = np.full(len(rows), HostClass.OP, np.uint8)
        begins, ends, category, place = paint_rows(begin, length, parent, 0, what, WITHIN, self.shown)
        threads = [pieces for _, side, pieces in host if side == Side.POOL]
        busy = intervals.union(
            *(np.concatenate([getattr(one, name)[one.waits == 0] for one in threads]) for name in ("begin", "end"))
        )
        which, begins, ends = _within(Intervals(begins, ends), intervals.gaps(busy, self.floor, self.stop))
        pieces = Pieces(begins, ends, rows[place[which]], category[which] - np.uint8(1), np.zeros(len(which), np.uint8))
        yield -1, Side.POOL, self._kept(pieces)

    def _devices(self) -> Iterator[tuple[int, Side, Pieces]]:
        events = self.timeline.capture.events
        for device in units_at_work_of(self.timeline):
            for begin, end, category, row in device_pieces(self.timeline, device.plane):
                low, high = np.searchsorted(begin, (self.floor, self.stop))
                at = slice(max(int(low) - 1, 0), int(high))
                pieces = Pieces(begin[at], end[at], row[at], category[at], np.zeros(len(begin[at]), np.uint8))
                yield int(events.track[row[0]]) if len(row) else -1, Side.DEVICE, self._kept(_disjoint(pieces))

    def _kept(self, pieces: Pieces) -> Pieces:
        """What lies in the steps, at least in part."""
        low, high = np.searchsorted(pieces.end, self.floor, "right"), np.searchsorted(pieces.begin, self.stop, "left")
        return _taken(pieces, slice(int(low), int(max(low, high))))


def _awaited_work(timeline: Timeline) -> I32 | None:
    """By event that is a call of the host what of a device it waits for, as far as the capture shows it, or -1: a copy
    that was over before the call that started it returned, as of memory that is not pinned; of a call that waits for
    one stream what its thread launched last. None without launches."""
    events, launch = timeline.capture.events, launches_of(timeline).rows
    if not any(launch.strides):
        return None
    found, last = (np.full(len(events), -1, np.int32) for _ in range(2))
    launched = np.flatnonzero(launch >= 0)
    last[launch[launched]] = launched
    calls, waits = np.flatnonzero(last >= 0), timeline.capture.events_named(_WAITS_FOR_STREAM)
    before = np.searchsorted(calls, waits) - 1
    waits, before = waits[before >= 0], before[before >= 0]
    own = events.track[calls[before]] == events.track[waits]
    found[waits[own]] = last[calls[before[own]]]
    copies = timeline.capture.events_named(_COPY)
    call, end = launch[copies], events.start_ps[copies] + events.duration_ps[copies]
    done = (call >= 0) & (end <= events.start_ps[call] + events.duration_ps[call])
    found[call[done]] = copies[done]
    return found


def _taken(pieces: Pieces, which: I64 | slice) -> Pieces:
    begin, end, row, category, waits = pieces
    return Pieces(begin[which], end[which], row[which], category[which], waits[which])


def _within(pieces: Intervals, when: Intervals) -> tuple[I64, I64, I64]:
    """The parts of disjoint pieces that lie in a set: of which piece each is, its begin and its end."""
    low, high = np.searchsorted(when.end, pieces.begin, "right"), np.searchsorted(when.begin, pieces.end, "left")
    count = (high - low).clip(0)
    which = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + low[which]
    begin, end = np.maximum(pieces.begin[which], when.begin[place]), np.minimum(pieces.end[which], when.end[place])
    some = end > begin
    return which[some], begin[some], end[some]


def _disjoint(pieces: Pieces) -> Pieces:
    """A stream's pieces, each until the next begins."""
    end = np.minimum(pieces.end, np.append(pieces.begin[1:], np.iinfo(np.int64).max))
    return _taken(pieces._replace(end=end), np.flatnonzero(end > pieces.begin))


def _shown(with_device: bool) -> U8:
    """Class → category + 1: whatever a thread runs is shown."""
    table = np.full(CLASSES, INDEX["runtime"] + 1, np.uint8)
    table[1 : len(CATEGORIES) + 1] = np.arange(1, len(CATEGORIES) + 1)
    if with_device:
        table[HostClass.OP] = INDEX["host_compute"] + 1
    table[list(_WAITS_FOR_INPUT)] = INDEX["input_wait"] + 1
    table[HostClass.FUNCTION] = INDEX["waiting"] + 1
    table[HostClass.UNKNOWN] = INDEX["python"] + 1
    table[[HostClass.TRACING, HostClass.COMPILING]] = INDEX["compilation"] + 1
    table[HostClass.NONE] = 0
    return table
