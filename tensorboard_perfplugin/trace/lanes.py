"""A timeline's events by lane → the slices that a window of it shows.

A lane is one depth of one track: its events follow one another and never overlap, so that two binary searches find a
window, and what is shorter than a pixel can be merged with its neighbours."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..tables import I32, I64, U8, Capture, Events, PlaneKind, TrackKind, range_members
from ..timeline.names.ops import host_op_of
from ..timeline.nesting import nesting_of
from ..timeline.split.device import category_of_instruction, category_of_kernel, instruction_of_kind, slice_transfers_of
from ..timeline.split.host_names import HostClass, class_of_name, class_of_op
from ..timeline.timeline import CATEGORIES, INDEX, Timeline, cached

# A lane's slices at one length of bucket, for the whole capture → what a window needs of them, by binary search.
#
# A level is one pass over all events, made ahead where somebody has time for it; windows that it serves cost as much
# as
# they show. Until then a window is merged from its own events. A few levels are kept, in bounded memory.

#: Columns of a merged slice: lane, first start, last end, count, busy, row.
COLUMNS = 6
_BYTES_A_SLICE = 4 + 4 + 8 + 8


class Level(NamedTuple):
    """All slices. first: by lane its first, and the end. place: where each one's events begin in the order of lanes."""

    first: I64
    place: I32
    row: I32
    end_ps: I64
    busy_ps: I64

    @property
    def nbytes(self) -> int:
        return sum(column.nbytes for column in self)


class Levels:
    """The levels of one capture's lanes; `begin` and `order` as in `Lanes`. Threads may ask at once.

    room_bytes: how much all of them may take.
    """

    def __init__(
        self, compiled: ModuleType, events: Events, begin: I64, order: I32, names: int, room_bytes: int
    ) -> None:
        self._compiled, self._events = compiled, events
        self._begin, self._order = begin, order
        self._names, self._room = names, room_bytes
        self._kept: dict[int, Level] = {}
        self._missed: set[int] = set()
        self._counts: dict[int, int] = {}
        self._lock, self._building = threading.Lock(), threading.Lock()
        self._free: list[tuple[I64, I64]] = []

    @property
    def nbytes(self) -> int:
        return sum(level.nbytes for level in list(self._kept.values()))

    def has(self, shift: int) -> bool:
        return shift in self._kept

    def get(self, shift: int) -> Level | None:
        """The level of buckets of 2**shift ps, if it is there."""
        with self._lock:
            level = self._kept.pop(shift, None)
            if level is not None:
                self._kept[shift] = level
            return level

    def build(self, shift: int, drop: bool = True, wait: bool = True) -> Level | None:
        """The level, made now if it is not there; None where it would take too much memory.

        drop: those not used for longest may go for it. wait: else None, too, while another one is made.
        """
        if not self._building.acquire(blocking=wait):
            return None
        try:
            level = self.get(shift)
            if level is not None:
                return level
            if shift not in self._counts:
                self._counts[shift] = self._count(shift)
            n = self._counts[shift]
            room = self._room - n * _BYTES_A_SLICE
            if room < (0 if drop else self.nbytes):
                return None
            level = self._built(shift, n)
            with self._lock:
                while self._kept and self.nbytes > room:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[shift] = level
            return level
        finally:
            self._building.release()

    def _count(self, shift: int) -> int:
        """How many slices all events give."""
        e = self._events
        return int(
            self._compiled.count(e.start_ps, e.duration_ps, self._order, self._begin[:-1], self._begin[1:], shift)
        )

    def _built(self, shift: int, n: int) -> Level:
        e = self._events
        level = Level(
            np.empty(len(self._begin), np.int64),
            np.empty(n + 1, np.int32),
            np.empty(n, np.int32),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
        )
        weight, seen = self._scratch(int(np.diff(self._begin).max(initial=0)))
        one = np.empty(COLUMNS, np.int64)
        columns = (e.start_ps, e.duration_ps, e.name, self._order, self._begin, shift)
        self._compiled.build(*columns, weight, seen, *level, one)
        self._free.append((weight, seen))
        return level

    def _scratch(self, longest: int) -> tuple[I64, I64]:
        """Room for the sums by name of one bucket of so many events: what no other thread uses."""
        rows = min(self._names, longest) + 1
        try:
            weight, seen = self._free.pop()
        except IndexError:
            weight, seen = np.full(self._names, -1, np.int64), np.empty((rows, 2), np.int64)
        return weight, seen if len(seen) >= rows else np.empty((rows, 2), np.int64)

    def slices(self, lanes: I64, low: I64, high: I64, shift: int, room: int) -> I64 | None:
        """Rows of `COLUMNS` for each lane's places low to high, by lane and start; None where there are too many."""
        level = self.get(shift)
        if level is None and shift in self._missed:
            level = self.build(shift, wait=False)
        if level is None:
            self._missed.add(shift)
            return self.merge(low, high, shift, room)
        whole, out = np.empty((len(lanes), 2), np.int64), np.empty((room, COLUMNS), np.int64)
        n = self._compiled.take(self._events.start_ps, self._order, lanes, low, high, *level, whole, out)
        if n < 0:
            return None
        before = self.merge(low, np.ascontiguousarray(whole[:, 0]), shift, room)
        after = self.merge(np.ascontiguousarray(whole[:, 1]), high, shift, room)
        if before is None or after is None or len(before) + n + len(after) > room:
            return None
        rows = np.concatenate((before, out[:n], after))
        return rows[np.argsort(rows[:, 0], kind="stable")]

    def merge(self, low: I64, high: I64, shift: int, room: int) -> I64 | None:
        """The same, from the events themselves."""
        e, out = self._events, np.empty((room, COLUMNS), np.int64)
        weight, seen = self._scratch(int((high - low).max(initial=0)))
        n = self._compiled.merge(e.start_ps, e.duration_ps, e.name, self._order, low, high, shift, weight, seen, out)
        self._free.append((weight, seen))
        return None if n < 0 else out[:n]


try:
    from . import pixels
except ImportError:  # Neither compiled nor is Cython there to run it uncompiled.
    _compiled: ModuleType | None = None
else:
    _compiled = pixels if pixels.COMPILED else None

#: Slices of one window, and what they take as compressed columns: with their names less than 300 KB.
SLICES_MAX, BYTES_MAX = 30_000, 270_000
#: What a slice takes beside its times.
REST_BYTES = 2
#: 2**62 ps is the longest bucket.
SHIFT_MAX = 62
#: Lanes of one window. Of one lane at most 5 slices remain when a bucket is longer than the window.
LANES_MAX = SLICES_MAX // 5
#: Nesting, order of lanes and levels together, of what the capture's own columns take.
INDEX_SHARE = 0.6
#: Pixels of small and of large screens.
PIXELS = (800, 4000)
#: Events of a window that are merged anew each time, in about a millisecond; of more, what a level keeps is taken.
DIRECT_MAX = 100_000


class Window(msgspec.Struct, frozen=True):
    """Part of a capture's time, from its start; `start_ps` is in it, `end_ps` is not."""

    start_ps: int
    end_ps: int

    def shift(self, width: int) -> int:
        """Such that 2**shift ps is the longest power of two that is not longer than one of `width` pixels, or 2**62."""
        return min(max((self.end_ps - self.start_ps) // width, 1).bit_length() - 1, SHIFT_MAX)

    def holds(self, start_ps: I64, duration_ps: I64) -> NDArray[np.bool_]:
        """Whether events overlap the window; an instant does when it is in it."""
        return (start_ps < self.end_ps) & ((start_ps >= self.start_ps) | (start_ps + duration_ps > self.start_ps))


class Slices(msgspec.Struct, frozen=True):
    """What a window shows. Arrays of equal length, by lane and start; 2**shift ps is the length of a bucket.

    A row with count 1 is one event; with more it is that many events, each shorter than a bucket, all of one bucket.
    lane: place among the lanes asked for. busy_ps: Σ durations. row: the event, or the first event of the bucket's
    name that is busy for longest.
    """

    shift: int
    lane: I64
    start_ps: I64
    end_ps: I64
    count: I64
    busy_ps: I64
    row: I64


class Lanes:
    """Event rows by lane: `begin[lane]` to `begin[lane + 1]` are its places in `order`; lanes go by track."""

    def __init__(self, timeline: Timeline) -> None:
        self.events = events = timeline.capture.events
        tracks = timeline.capture.tracks
        depth = nesting_of(timeline).depth
        self.count = np.zeros(len(tracks), np.int64)
        some = np.flatnonzero(tracks.events_end > tracks.events_begin)
        if len(some):
            self.count[some] = np.maximum.reduceat(depth, tracks.events_begin[some]) + 1
        self.first = np.concatenate(([0], np.cumsum(self.count)))
        self.begin, self.order = _sorted(events, depth, self.first)
        self._names = names = len(timeline.capture.strings)
        own = sum(
            a.nbytes for a in (self.begin, self.order, depth, nesting_of(timeline).parent, nesting_of(timeline).self_ps)
        )
        room = max(0, int(INDEX_SHARE * timeline.capture.nbytes) - own)
        self.levels = Levels(_compiled, events, self.begin, self.order, names, room) if _compiled else None

    @property
    def nbytes(self) -> int:
        """Memory beside the timeline's."""
        levels = self.levels.nbytes if self.levels else 0
        return self.begin.nbytes + self.order.nbytes + self.count.nbytes + self.first.nbytes + levels

    def prepare(self, span: Window) -> None:
        """Build the levels that windows of the capture's span and of its parts need, from the coarsest, as many as fit.

        A window of a part that holds `DIRECT_MAX` events or fewer needs none.
        """
        if self.levels is None or len(self.order) <= DIRECT_MAX:
            return
        least = (span.end_ps - span.start_ps) * DIRECT_MAX // len(self.order)
        finest = Window(0, max(least, 1)).shift(PIXELS[1])
        for shift in range(span.shift(PIXELS[0]), finest - 1, -1):
            if self.levels.build(shift, drop=False) is None:
                return

    def cut(self, lanes: I64, window: Window) -> tuple[I64, I64]:
        """For each lane the first place and one past the last place of the events that overlap a window."""
        e, order = self.events, self.order
        low, high = np.zeros(len(lanes), np.int64), np.zeros(len(lanes), np.int64)
        if _compiled is not None:
            between = window.start_ps, window.end_ps
            _compiled.cut(e.start_ps, e.duration_ps, order, self.begin, lanes, *between, low, high)
            return low, high
        begin, end = self.begin[lanes], self.begin[lanes + 1]
        low = self._not_before(begin, end, window.start_ps)
        high = self._not_before(low, end, window.end_ps)
        some = np.flatnonzero(low > begin)
        before = order[low[some] - 1]
        low[some] -= e.start_ps[before] + e.duration_ps[before] > window.start_ps
        return low, high

    def _not_before(self, low: I64, high: I64, wanted_ps: int) -> I64:
        """For each lane the first place in low to high whose event does not begin before the time, else high."""
        low, high = low.copy(), high.copy()
        while len(open_ := np.flatnonzero(low < high)):
            middle = (low[open_] + high[open_]) >> 1
            is_before = self.events.start_ps[self.order[middle]] < wanted_ps
            low[open_] = np.where(is_before, middle + 1, low[open_])
            high[open_] = np.where(is_before, high[open_], middle)
        return low

    def slices(self, lanes: I64, low: I64, high: I64, shift: int) -> Slices:
        """The slices in each lane's places low to high; with longer buckets than asked where they are too many."""
        while (out := self._slices(lanes, low, high, shift)) is None or _too_large(out, shift):
            shift += 1
        return Slices(shift, *(np.ascontiguousarray(column) for column in out.T))

    def _slices(self, lanes: I64, low: I64, high: I64, shift: int) -> I64 | None:
        if _compiled is None or self.levels is None:
            return self._merge(low, high, shift)
        if int((high - low).sum()) <= DIRECT_MAX:
            return self.levels.merge(low, high, shift, SLICES_MAX)
        return self.levels.slices(lanes, low, high, shift, SLICES_MAX)

    def _merge(self, low: I64, high: I64, shift: int) -> I64 | None:
        lane = np.repeat(np.arange(len(low)), high - low)
        row = self.order[range_members(low, high)]
        start, duration = self.events.start_ps[row], self.events.duration_ps[row]
        alone = duration >> shift > 0
        bucket = start >> shift
        new = np.ones(len(row), bool)
        new[1:] = alone[1:] | alone[:-1] | (lane[1:] != lane[:-1]) | (bucket[1:] != bucket[:-1])
        first = np.flatnonzero(new)
        if len(first) > SLICES_MAX:
            return None
        if not len(first):
            return np.empty((0, 6), np.int64)
        last = np.maximum.reduceat(start + duration, first)
        busy = np.add.reduceat(duration, first)
        count = np.diff(np.append(first, len(row)))
        busiest = self._busiest(np.cumsum(new) - 1, row, duration)
        return np.column_stack((lane[first], start[first], last, count, busy, row[busiest]))

    def _busiest(self, group: I64, row: I32, duration: I64) -> I64:
        """For each group the place of the first event of the name with the largest sum; of equal ones the first."""
        key = group * self._names + self.events.name[row]
        pairs, place, which = np.unique(key, return_index=True, return_inverse=True)
        total = np.zeros(len(pairs), np.int64)
        np.add.at(total, which.ravel(), duration)
        of = pairs // self._names
        best = np.lexsort((place, -total, of))
        first: I64 = place[best[np.flatnonzero(np.diff(of[best], prepend=-1))]]
        return first


def _too_large(out: I64, shift: int) -> bool:
    return shift < SHIFT_MAX and encoded_bytes(out[:, 1], out[:, 2], out[:, 4]) > BYTES_MAX


def encoded_bytes(start_ps: I64, end_ps: I64, busy_ps: I64) -> float:
    """About what slices take as compressed columns: the bits of the times that differ, and the rest."""
    duration = end_ps - start_ps
    step = int(np.gcd.reduce(np.concatenate((start_ps[:64] - start_ps[:1], duration[:64])))) or 1
    times = (np.abs(np.diff(start_ps)), duration, duration - busy_ps)
    return sum(float(np.log2(t // step + 1.0).sum()) for t in times) / 8 + REST_BYTES * len(start_ps)


def _sorted(events: Events, depth: I32, first_lane: I64) -> tuple[I64, I32]:
    """Where each lane begins, and the event rows by lane, in a lane by start."""
    if _compiled is None:
        lane = first_lane[events.track] + depth
        begin = np.concatenate(([0], np.cumsum(np.bincount(lane, minlength=int(first_lane[-1])))))
        return begin, np.argsort(lane, kind="stable").astype(np.int32)
    begin, order = np.zeros(int(first_lane[-1]) + 1, np.int64), np.empty(len(depth), np.int32)
    _compiled.tally(events.track, depth, first_lane, begin)
    _compiled.place(events.track, depth, first_lane, begin[:-1].copy(), order)
    return begin, order


def lanes_of(timeline: Timeline) -> Lanes:
    """The timeline's lanes, built once and kept as long as it is."""
    return cached(timeline, Lanes)


# Bounds of what the trace answers.

#: Tracks listed in one answer; lanes of a window without named tracks.
TRACKS_MAX, FIRST_LANES = 5000, 128
#: Characters of one name, and of all names of one answer.
NAME_MAX, NAMES_MAX = 200, 250_000
FAR = 1 << 62


# A timeline's events → the category that each belongs to by itself, as the split of a step calls it.
#
# By name alone, whatever lies around it: every distinct name is looked at once, and only when somebody asks.

#: No category.
NONE = len(CATEGORIES)
KEYS = (*(category.key for category in CATEGORIES), "")
#: Not looked at yet.
_NEW = 255
_OTHER, _HOST, _GPU, _TPU = range(4)
#: Distinct names that are looked at in one question, about 10 µs each; what is beyond has none.
_MOST = 20_000
#: What is no category itself.
_STANDS_FOR = {
    HostClass.PIPELINE: "input_wait",
    HostClass.NEXT: "input_wait",
    HostClass.SHARD: "input_wait",
    HostClass.EAGER_OP: "runtime",
    HostClass.EAGER_KERNEL: "runtime",
    HostClass.EXECUTE: "runtime",
    HostClass.FUNCTION: "runtime",
    HostClass.TRACING: "compilation",
}


class Categories:
    """The categories of one timeline's events, kept by name. known: by event, where they are known without names."""

    def __init__(self, timeline: Timeline, known: U8 | None = None) -> None:
        self._known = known
        self._timeline, self._capture = timeline, (c := timeline.capture)
        self._side = _sides(timeline)
        on_device = bool(np.isin(self._side, (_GPU, _TPU)).any())
        self._op = INDEX["host_compute" if on_device else "op_compute"]
        self._tables = {
            _HOST: np.full(len(c.strings), _NEW, np.uint8),
            _GPU: np.full(len(c.strings), _NEW, np.uint8),
            _TPU: np.full(len(c.kinds) + 1, _NEW, np.uint8),
        }

    @property
    def nbytes(self) -> int:
        """Memory beside the capture's."""
        return self._side.nbytes + sum(table.nbytes for table in self._tables.values())

    def places(self, rows: I64 | slice) -> U8:
        """By event its place in `KEYS`."""
        if self._known is not None:
            return self._known[rows]
        events = self._capture.events
        side = self._side[events.track[rows]]
        found = np.full(len(side), NONE, np.uint8)
        for which, table in self._tables.items():
            mine = side == which
            whole = bool(mine.all())
            if not whole and not mine.any():
                continue
            ids = (events.kind if which == _TPU else events.name)[rows]
            category = self._looked_up(which, table, ids if whole else ids[mine])
            if whole:
                return category
            found[mine] = category
        return found

    def _looked_up(self, side: int, table: U8, ids: I32) -> U8:
        """The categories of some names, the first so many of them, however many were looked at before."""
        used = np.zeros(len(table), bool)
        used[ids] = True
        some = np.flatnonzero(used)
        for i in some[:_MOST][table[some[:_MOST]] == _NEW].tolist():
            table[i] = self._one(side, i)
        if len(some) <= _MOST:
            return table[ids]
        within = np.full(len(table), NONE, np.uint8)
        within[some[:_MOST]] = table[some[:_MOST]]
        return within[ids]

    def _one(self, side: int, i: int) -> int:
        if side == _TPU:
            if i == len(self._capture.kinds):
                return NONE
            if i in slice_transfers_of(self._timeline):
                return INDEX["collective"]
            return INDEX[category_of_instruction(*instruction_of_kind(self._capture, i))]
        name = self._capture.strings[i]
        if side == _GPU:
            # Beyond the categories is a copy of which the name does not show where it goes.
            return min(category_of_kernel(name), NONE)
        return self._of_host(name)

    def _of_host(self, name: str) -> int:
        kind = class_of_name(name)
        op = (
            host_op_of(self._capture.capabilities.framework_names)(name)
            if kind in (HostClass.UNKNOWN, HostClass.RUNTIME, HostClass.PYTHON)
            else None
        )
        if op is not None:
            kind = class_of_op(op)
        if kind == HostClass.OP:
            return self._op
        if kind in _STANDS_FOR:
            return INDEX[_STANDS_FOR[kind]]
        return kind - 1 if 0 < kind <= len(CATEGORIES) else NONE


def _sides(timeline: Timeline) -> U8:
    """By track what its events are judged by; a derived line repeats what others say, and a counter is no work."""
    c = timeline.capture
    kind, plane = c.tracks.kind, c.planes.kind[c.tracks.plane]
    side = np.full(len(c.tracks), _HOST, np.uint8)
    side[plane == PlaneKind.GPU] = _GPU
    side[plane == PlaneKind.TPU] = _TPU
    side[np.isin(kind, (TrackKind.COUNTER, TrackKind.DERIVED))] = _OTHER
    return side


def categories_of(timeline: Timeline) -> Categories:
    """The timeline's categories, kept as long as it is."""
    return cached(timeline, Categories)


# Sums of picoseconds by group that neither round nor wrap, and other small things that the trace's tables share.

#: Up to here doubles hold every integer.
_EXACT = float(1 << 53)


def sums(place: NDArray[Any], value: I64, count: int) -> I64:
    """By place the sum of the values, none negative; one beyond `FAR` is `FAR`."""
    rough = np.bincount(place, weights=value, minlength=count)
    if float(rough.max(initial=0)) < _EXACT:
        return rough.astype(np.int64)
    whole = np.zeros(count, np.int64)
    np.add.at(whole, place, value)
    return np.where(rough >= FAR, FAR, whole)


def added(one: int, other: int) -> int:
    """The same of two numbers."""
    return min(one + other, FAR)


def shortened(texts: Iterable[str]) -> list[str]:
    """Texts cut in the middle: each to 200 characters, fewer where there are thousands."""
    texts = list(texts)
    limit = min(NAME_MAX, max(16, NAMES_MAX // max(1, len(texts))))
    return [t if len(t) <= limit else f"{t[: limit // 2]}…{t[len(t) - (limit - 1) // 2 :]}" for t in texts]


def shown_ids(capture: Capture, rows: I64 | slice) -> I64:
    """String ids of the names to show of events: the kind's label where it has one, else the name."""
    name, kind = capture.events.name[rows], capture.events.kind[rows]
    if len(capture.kinds) and capture.kinds.label.any():
        label = np.where(kind >= 0, capture.kinds.label[kind], 0)
        name = np.where(label > 0, label, name)
    return name.astype(np.int64)


def shown_name(capture: Capture, row: int) -> str:
    """The name to show of one event."""
    return capture.strings[int(shown_ids(capture, slice(row, row + 1))[0])]
