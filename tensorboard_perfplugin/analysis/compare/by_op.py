"""A timeline and its steps → how long, of each step's time, each op is what counts: parts that add up to the step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Intervals, intervals
from ...timeline import ByTrack, Op, Split, Timeline, exposed_by_track, nearest, nesting_of, ops_of
from ..steps import are_typical

F64 = NDArray[np.float64]
#: Ops that are kept by name in each category, the largest; what the others take is the category's own.
MAX_OPS = 512
MAX_LABEL = 300


class Part(NamedTuple):
    """Of a mean step: ps, how long an op is what counts for it; times, how often the op begins."""

    ps: float
    times: float

    def plus(self, other: Part) -> Part:
        return Part(self.ps + other.ps, self.times + other.times)


#: Category, by its place, and op → its part.
Parts = dict[tuple[int, Op], Part]


def parts_by_op(timeline: Timeline, split: Split) -> Parts:
    """Means over the typical steps, and over the units that run them.

    Where several tracks show what counts, each has an equal part of the instant. What lies in no event has no row: the
    rows of a category add up to no more than the category.
    """
    steps = split.steps
    counted = steps.counted & are_typical(steps.wall_ps, steps.whole)
    if not counted.any():
        return {}
    # A step is all units', or one's, which does something else in the steps of others.
    ran = split.ran & counted[: split.ran.shape[1]]
    many = max(int(ran.sum()), 1)
    windows = [intervals.union(steps.begin_ps[at], steps.until_ps[at]) for at in map(np.flatnonzero, ran)]
    label = _Labels(timeline, steps.row)
    found: Parts = {}
    for shown in exposed_by_track(timeline, steps):
        for op, part in _largest(_of_category(timeline, shown, windows[shown.unit], label)):
            key = (shown.category, op)
            mean = Part(part.ps / many, part.times / many)
            found[key] = found[key].plus(mean) if key in found else mean
    return found


def _largest(parts: dict[Op, Part]) -> list[tuple[Op, Part]]:
    return sorted(parts.items(), key=lambda item: (-item[1].ps, item[0]))[:MAX_OPS]


def _of_category(timeline: Timeline, shown: ByTrack, windows: Intervals, label: _Labels) -> dict[Op, Part]:
    """The sums over some steps."""
    here = [(track, intervals.intersection(held, windows)) for track, held in shown.tracks]
    here = [(track, held) for track, held in here if len(held.begin)]
    if not here:
        return {}
    shared = _Shared([held for _, held in here])
    found: dict[Op, Part] = {}
    for track, held in here:
        for op, part in _of_track(timeline, track, held, shared, label):
            found[op] = found[op].plus(part) if op in found else part
    return found


def _of_track(
    timeline: Timeline, track: int, held: Intervals, shared: _Shared, label: _Labels
) -> list[tuple[Op, Part]]:
    events, tracks = timeline.capture.events, timeline.capture.tracks
    at = slice(int(tracks.events_begin[track]), int(tracks.events_end[track]))
    begin, which = events.start_ps[at], label.of(at)
    end = begin + events.duration_ps[at]
    taken = shared.within(held, begin, end)
    named = which >= 0
    parent = nearest(nesting_of(timeline).parent, label.named)[at].astype(np.int64) - at.start
    own = np.where(named, taken, 0.0)
    inner = np.flatnonzero(named & (parent >= 0))
    np.subtract.at(own, parent[inner], taken[inner])
    counts = np.flatnonzero(named & (taken > 0))
    ps = np.bincount(which[counts], weights=np.maximum(own[counts], 0.0))
    times = np.bincount(which[counts])
    return [(label.op(i), Part(float(ps[i]), float(times[i]))) for i in np.flatnonzero(times).tolist()]


class _Labels:
    """By event: the op that it ran, else its own name; -1 for the marks of the steps themselves."""

    def __init__(self, timeline: Timeline, marks: I32) -> None:
        capture, self._ops = timeline.capture, ops_of(timeline)
        self._strings = capture.strings
        self._label = capture.events.name.astype(np.int64) + len(self._ops.ops)
        for side in (self._ops.host, self._ops.device):
            self._label[side.rows] = side.op
        self._label[marks[marks >= 0]] = -1
        self.named: NDArray[np.bool_] = self._label >= 0

    def of(self, at: slice) -> I64:
        return self._label[at]

    def op(self, label: int) -> Op:
        if label < len(self._ops.ops):
            return self._ops.ops[label]
        return Op(self._strings[label - len(self._ops.ops)][:MAX_LABEL], "")


class _Shared:
    """Several tracks' sets → time that is divided equally among the tracks that hold at an instant."""

    def __init__(self, sets: list[Intervals]) -> None:
        self._alone = len(sets) == 1
        if self._alone:
            return
        begin, end = (np.concatenate(column) for column in zip(*sets, strict=True))
        at = np.concatenate((begin, end))
        order = np.argsort(at, kind="stable")
        holding = np.cumsum(np.repeat((1, -1), len(begin))[order])[:-1]
        self._at = at[order]
        self._until = np.concatenate(([0.0], np.cumsum(np.diff(self._at) / np.maximum(holding, 1) * (holding > 0))))

    def _before(self, at: I64) -> F64:
        """One track's part of the time until some instants."""
        return np.asarray(at if self._alone else np.interp(at, self._at, self._until), np.float64)

    def within(self, held: Intervals, begin: I64, end: I64) -> F64:
        """One track's part of its set between some instants."""
        high = self._before(held.end)
        sums = np.concatenate(([0.0], np.cumsum(high - self._before(held.begin))))
        found: F64 = np.maximum(self._until_at(held, high, sums, end) - self._until_at(held, high, sums, begin), 0.0)
        return found

    def _until_at(self, held: Intervals, high: F64, sums: F64, at: I64) -> F64:
        row = np.searchsorted(held.begin, at, side="right")
        less = np.where(at < held.end[row - 1], high[row - 1] - self._before(at), 0.0)
        return np.where(row > 0, sums[row] - less, 0.0)
