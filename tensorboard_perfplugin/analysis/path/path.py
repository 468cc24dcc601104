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
from ...tables import I64, U8, Intervals, intervals
from ...threshold import Threshold
from ...timeline.causes import flows_of, launches_of
from ...timeline.devices import units_at_work_of
from ...timeline.loops.loops import nest
from ...timeline.nesting import nesting_of
from ...timeline.ops.executions import async_ops_of
from ...timeline.split.device import device_pieces
from ...timeline.split.host import WITHIN, class_by_name, event_classes
from ...timeline.split.host_names import CLASSES, JOINS, HostClass, Threads
from ...timeline.split.sets import paint_rows
from ...timeline.split.split import Split, chosen_split
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
    whether only the order in time shows that the path goes from here to what it waited for. waits: when the program's
    own thread waited.
    """

    begin: I64
    end: I64
    row: I64
    category: U8
    kind: U8
    side: U8
    inferred: NDArray[np.bool_]
    waits: Intervals

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def length_ps(self) -> I64:
        return self.end - self.begin


class _Pieces(NamedTuple):
    begin: I64
    end: I64
    row: I64
    category: U8
    waits: U8


#: Own classes of what waits for other threads, and for input.
_WAITS = (HostClass.WAITING, HostClass.FUNCTION)
_WAITS_FOR_INPUT = (HostClass.INPUT, HostClass.NEXT, HostClass.PIPELINE, HostClass.SHARD)
#: Calls of Python in which a thread waits, as its tracers write them.
_AWAITS = regex(
    r"(?:\$|<built-in (?:method|function) )(?:.*[ .])?"
    r"(?:block_until_ready|try_to_block|_value|acquire|wait\w*|select|poll|epoll|result|run_backward)(?: of .*)?|"
    rf"\${JOINS}|<built-in method (?:get of _queue|join of _thread)\..*"
)
_INPUT_THREAD = "tf_data"


@derived_by_choice
def path_of(timeline: Timeline, choice: str) -> Path | None:
    """As `critical_path`, of the steps of a choice. Raises ArgumentError."""
    return critical_path(timeline, chosen_split(timeline, choice))


def critical_path(timeline: Timeline, split: Split) -> Path | None:
    """None without steps, and where only their sums are known."""
    steps = split.steps
    if not len(steps) or steps.rule == "recorded":
        return None
    return _Walker(timeline, steps, any(unit.plane >= 0 for unit in split.units)).path()


class _Walker:
    def __init__(self, timeline: Timeline, steps: Steps, with_device: bool) -> None:
        self.timeline, self.steps = timeline, steps
        self.floor, self.stop = int(steps.begin_ps.min()), int(steps.until_ps.max())
        self.threads = Threads(timeline, steps, with_device)
        self.shown = _shown(with_device)

    def path(self) -> Path | None:
        host = list(self._host())
        given = [one for one in (*host, *self._elsewhere(host), *self._devices()) if len(one[2].begin)]
        if not given:
            return None
        tracks, parts = np.array([track for track, _, _ in given]), [pieces for _, _, pieces in given]
        side = np.array([of for _, of, _ in given], np.uint8)
        first = np.cumsum([0, *(len(one.begin) for one in parts)])
        pieces = _joined(parts)
        last = pieces.end[first[1:] - 1]
        lead = side == Side.MAIN
        may = np.flatnonzero(lead | (side == Side.DEVICE)) if lead.any() else np.arange(len(side))
        start = int(may[last[may].argmax()])
        main = np.flatnonzero(lead)
        home = int(main[last[main].argmax()]) if len(main) else start
        stop = int(last[start]) if side[start] == Side.DEVICE else max(int(last[start]), self.stop)
        return self._made(pieces, first, side, self._walked(pieces, first, side, tracks, start, home, stop))

    def _walked(
        self, pieces: _Pieces, first: I64, side: U8, tracks: I64, start: int, home: int, stop: int
    ) -> NDArray[np.int64]:
        running = np.flatnonzero(pieces.waits == 0)
        first_running = np.searchsorted(running, first)
        given = np.stack([pieces.begin, pieces.end, *self._causes(pieces, side, tracks)])
        of_tracks = np.stack([first[:-1], side, first[1:] - 1, first_running[:-1], first_running[1:] - 1]).astype(
            np.int64
        )
        state = np.array([start, stop, home, 0, 0], np.int64)
        parts = []
        while state[1] > self.floor:
            out = np.empty((4, _ROOM), np.int64)
            count = walk.walk(state, self.floor, NEAR.value, given, pieces.waits, running, of_tracks, out)
            parts.append(out[:, :count].copy())
        return np.concatenate(parts, axis=1)[:, ::-1]

    def _made(self, pieces: _Pieces, first: I64, side: U8, found: NDArray[np.int64]) -> Path:
        begin, end, piece, kind = found
        known = piece >= 0
        place = piece.clip(0)
        of_side = np.repeat(side, np.diff(first))[place]
        category = np.where(known, pieces.category[place], INDEX["python"]).astype(np.uint8)
        category[kind == Kind.LAUNCHES] = INDEX["launch"]
        category[kind == Kind.HOPS] = INDEX["runtime"]
        own = np.repeat(side == Side.MAIN, np.diff(first)) & (pieces.waits > 0)
        waits = intervals.union(pieces.begin[own], pieces.end[own])
        changes = np.append(piece[1:] != piece[:-1], False)
        return Path(
            begin=begin.copy(),
            end=end.copy(),
            row=np.where(known, pieces.row[place], -1),
            category=category,
            kind=kind.astype(np.uint8),
            side=np.where(known, of_side, Side.MAIN).astype(np.uint8),
            inferred=changes & (kind == Kind.HOPS),
            waits=waits,
        )

    def _causes(self, pieces: _Pieces, side: U8, tracks: I64) -> tuple[I64, I64]:
        """When what let each piece begin was done, and the place of its track; -1 where nothing shows it."""
        events = self.timeline.capture.events
        cause = np.maximum(launches_of(self.timeline).rows, flows_of(self.timeline).producer)[pieces.row].astype(
            np.int64
        )
        at = np.where(cause >= 0, np.minimum(events.start_ps[cause] + events.duration_ps[cause], pieces.begin), -1)
        known = (cause >= 0) & (events.start_ps[cause] <= pieces.begin) & (events.start_ps[pieces.row] == pieces.begin)
        place = np.full(len(self.timeline.capture.tracks), -1, np.int64)
        real = np.flatnonzero(tracks >= 0)
        place[tracks[real]] = real
        known &= place[events.track[cause]] >= 0
        return np.where(known, at, -1), np.where(known, place[events.track[cause]], -1)

    def _host(self) -> Iterator[tuple[int, Side, _Pieces]]:
        """Of each thread of the host."""
        timeline, threads = self.timeline, self.threads
        events, parent, names = timeline.capture.events, nesting_of(timeline).parent, timeline.capture.strings
        event_class = event_classes(threads)
        awaits = np.zeros(len(names), bool)
        awaits[[i for i in timeline.capture.names_used.tolist() if _AWAITS.fullmatch(names[i][:200])]] = True
        by_name = class_by_name(threads)
        for track in threads.tracks.tolist():
            low, high = int(threads.begin[track]), int(threads.end[track])
            if low == high:
                continue
            at, main = slice(low, high), track in threads.main
            own = event_class[at]
            if not main:
                own = np.where(own == HostClass.NONE, by_name[events.name[at]], own)
            begin, end, what, row = paint_rows(
                events.start_ps[at], events.duration_ps[at], parent[at], low, own, WITHIN, self.shown
            )
            of = own[row - low]
            waits = np.isin(of, _WAITS) | awaits[events.name[row]]
            for_input = np.isin(of, _WAITS_FOR_INPUT) | (waits & (what - 1 == INDEX["input_wait"]))
            side = Side.MAIN if main else Side.INPUT if threads.names[track].startswith(_INPUT_THREAD) else Side.POOL
            flag = np.where(for_input & main, 2, waits).astype(np.uint8)
            yield track, side, self._kept(_Pieces(begin, end, row.astype(np.int64), what - np.uint8(1), flag))

    def _elsewhere(self, host: Sequence[tuple[int, Side, _Pieces]]) -> Iterator[tuple[int, Side, _Pieces]]:
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
        pieces = _Pieces(
            begins, ends, rows[place[which]], category[which] - np.uint8(1), np.zeros(len(which), np.uint8)
        )
        yield -1, Side.POOL, self._kept(pieces)

    def _devices(self) -> Iterator[tuple[int, Side, _Pieces]]:
        events = self.timeline.capture.events
        for device in units_at_work_of(self.timeline):
            for begin, end, category, row in device_pieces(self.timeline, device.plane):
                waits = np.zeros(len(begin), np.uint8)
                pieces = _Pieces(begin, end, row.astype(np.int64), category, waits)
                yield int(events.track[row[0]]) if len(row) else -1, Side.DEVICE, self._kept(_disjoint(pieces))

    def _kept(self, pieces: _Pieces) -> _Pieces:
        """What lies in the steps, or on a device after them."""
        here = np.flatnonzero((pieces.end > self.floor) & (pieces.begin < self.stop))
        if len(here) == len(pieces.begin):
            return pieces
        return _taken(pieces, here)


def _joined(parts: Sequence[_Pieces]) -> _Pieces:
    begin, end, row, category, waits = zip(*parts, strict=True)
    return _Pieces(*map(np.concatenate, (begin, end, row, category, waits)))


def _taken(pieces: _Pieces, which: I64) -> _Pieces:
    begin, end, row, category, waits = pieces
    return _Pieces(begin[which], end[which], row[which], category[which], waits[which])


def _within(pieces: Intervals, when: Intervals) -> tuple[I64, I64, I64]:
    """The parts of disjoint pieces that lie in a set: of which piece each is, its begin and its end."""
    low, high = np.searchsorted(when.end, pieces.begin, "right"), np.searchsorted(when.begin, pieces.end, "left")
    count = (high - low).clip(0)
    which = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + low[which]
    begin, end = np.maximum(pieces.begin[which], when.begin[place]), np.minimum(pieces.end[which], when.end[place])
    some = end > begin
    return which[some], begin[some], end[some]


def _disjoint(pieces: _Pieces) -> _Pieces:
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
