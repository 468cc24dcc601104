"""A timeline's events by lane → the slices that a window of it shows.

A lane is one depth of one track: its events follow one another and never overlap, so that two binary searches find a
window, and what is shorter than a pixel can be merged with its neighbours.
"""

from __future__ import annotations

import dataclasses
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from ..tables import I32, I64, Events
from ..timeline.nesting import nesting_of
from ..timeline.timeline import Timeline, remembered
from .levels import Levels

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


@dataclasses.dataclass(frozen=True)
class Window:
    """Part of a capture's time, from its start; `start_ps` is in it, `end_ps` is not."""

    start_ps: int
    end_ps: int

    def shift(self, width: int) -> int:
        """Such that 2**shift ps is the longest power of two that is not longer than one of `width` pixels, or 2**62."""
        return min(max((self.end_ps - self.start_ps) // width, 1).bit_length() - 1, SHIFT_MAX)

    def holds(self, start_ps: I64, duration_ps: I64) -> NDArray[np.bool_]:
        """Whether events overlap the window; an instant does when it is in it."""
        return (start_ps < self.end_ps) & ((start_ps >= self.start_ps) | (start_ps + duration_ps > self.start_ps))


@dataclasses.dataclass(frozen=True)
class Slices:
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
        sizes = high - low
        lane = np.repeat(np.arange(len(low)), sizes)
        row = self.order[np.arange(len(lane)) + np.repeat(low - np.cumsum(sizes) + sizes, sizes)]
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
    return remembered(timeline, Lanes)
