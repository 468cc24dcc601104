"""Segments of threads → what the program waited for in each call of a pipeline, and how much of the waiting that was.

While the program's thread works on the pipeline, that is what it waits for. While it waits in a stage that hands over,
an instant is divided among what works for that stage on other threads, each by the part of its threads that it is: of
a map that may run four functions at once, one of them is a quarter. Where nothing works that the capture shows, it is
the deepest stage that waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...tables import F64, I64, Intervals, among, intervals
from ...threshold import CHOSEN, Threshold
from .segments import Segments

SLOW = Threshold(
    "slow call",
    50_000_000,
    "ps",
    "a call that finds its element ready takes a few microseconds; a longer one waited for it",
    "the tf.data bottleneck analysis of TensorFlow's profiler",
)
MADE_IT = Threshold(
    "stage that made calls wait",
    0.2,
    "share",
    "where the limiting stage made less of the waiting, something else made most of it",
    CHOSEN,
)
#: The execution that stands for all slow calls together.
ALL_SLOW = -1

#: Overlaps of waits and workers that are held at once, 40 bytes each; of more the longest calls are looked at.
_PAIRS = 1 << 23
#: Stages in which the program's own thread waits that are kept apart, and levels of waiting below each.
_STAGES, _LEVELS = 16, 24


class Blame(NamedTuple):
    """Parts of calls' time. call: index. frame: what took it. ps: how much."""

    call: I64
    frame: I64
    ps: F64


class Given(NamedTuple):
    """A pipeline to look at. asking: the segments of the threads that call it, and call: whose each is. others: the
    segments of other threads that may work for it. stage: by frame, the node of the graph. weight: by node, the part of
    its threads that one is. last: by node, one past the last that works for it: nodes are in preorder. depth: by node.
    """

    asking: Segments
    call: I64
    others: Segments
    stage: I64
    weight: F64
    last: I64
    depth: I64


def blame(given: Given) -> Blame:
    """Adds up to the calls' durations, but for rounding."""
    asking = given.asking
    parts = [
        Blame(given.call[~asking.waits], asking.frame[~asking.waits], asking.length[~asking.waits].astype(np.float64))
    ]
    waiting = np.flatnonzero(asking.waits)
    stage = given.stage[asking.frame[waiting]]
    spent = np.bincount(stage, asking.length[waiting], len(given.depth))
    for node in np.argsort(-spent, kind="stable")[:_STAGES].tolist():
        rows = waiting[stage == node]
        if len(rows):
            parts += _waited(given, node, rows)
    rest = waiting[~among(stage, np.argsort(-spent, kind="stable")[:_STAGES])]
    parts.append(Blame(given.call[rest], asking.frame[rest], asking.length[rest].astype(np.float64)))
    return Blame(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _waited(given: Given, node: int, rows: I64) -> Iterator[Blame]:
    """The waits of one stage: to what works for it, then to what waits deepest, then to itself."""
    asking, others = given.asking, given.others
    pieces = _Pieces(given.call[rows], asking.frame[rows], asking.begin[rows], asking.end[rows])
    at = given.stage[others.frame]
    relevant = others.take((at >= node) & (at < given.last[node]))
    workers = relevant.take(relevant.works)
    yield _divided(pieces, workers, given.weight[given.stage[workers.frame]])
    pieces = pieces.without(intervals.union(workers.begin, workers.end))
    waiters = relevant.take(relevant.waits)
    depth = given.depth[given.stage[waiters.frame]]
    for level in np.unique(depth)[::-1][:_LEVELS].tolist():
        here = waiters.take(depth == level)
        yield _divided(pieces, here, np.ones(len(here.frame)))
        pieces = pieces.without(intervals.union(here.begin, here.end))
    yield Blame(pieces.call, pieces.frame, (pieces.end - pieces.begin).astype(np.float64))


class _Pieces(NamedTuple):
    """Stretches in which a call waited, by begin."""

    call: I64
    frame: I64
    begin: I64
    end: I64

    def without(self, busy: Intervals) -> _Pieces:
        """What of them does not lie in a set."""
        if not len(busy.begin) or not len(self.begin):
            return self
        free = intervals.gaps(busy, int(self.begin.min()), int(self.end.max()))
        first = np.searchsorted(free.end, self.begin, side="right")
        count = np.maximum(np.searchsorted(free.begin, self.end, side="left") - first, 0)
        which, at = _expanded(first, count)
        begin, end = np.maximum(self.begin[which], free.begin[at]), np.minimum(self.end[which], free.end[at])
        return _Pieces(self.call[which], self.frame[which], begin, end)


def _expanded(first: I64, count: I64) -> tuple[I64, I64]:
    """Ranges as pairs: index of the range, and member."""
    which = np.repeat(np.arange(len(count)), count)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + first[which]


def _divided(pieces: _Pieces, workers: Segments, weight: F64) -> Blame:
    """Each instant of the pieces at which some work, divided among them by weight."""
    if not len(workers.begin) or not len(pieces.begin):
        return Blame(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    order = np.argsort(pieces.begin, kind="stable")
    pieces = _Pieces(*(column[order] for column in pieces))
    reach = np.maximum.accumulate(pieces.end)
    first = np.searchsorted(reach, workers.begin, side="right")
    count = np.maximum(np.searchsorted(pieces.begin, workers.end, side="left") - first, 0)
    if int(count.sum()) > max(_PAIRS, 2 * len(workers.begin)):
        return _longest_only(pieces, workers, weight)
    which, at = _expanded(first, count)
    begin = np.maximum(workers.begin[which], pieces.begin[at])
    end = np.maximum(np.minimum(workers.end[which], pieces.end[at]), begin)
    before = _InverseWeight(workers, weight)
    return Blame(pieces.call[at], workers.frame[which], weight[which] * (before(end) - before(begin)))


def _longest_only(pieces: _Pieces, workers: Segments, weight: F64) -> Blame:
    """Of more overlaps than are held at once those of half as many pieces, the longest."""
    keep = np.sort(np.argsort(pieces.begin - pieces.end, kind="stable")[: len(pieces.begin) // 2])
    return _divided(_Pieces(*(column[keep] for column in pieces)), workers, weight)


class _InverseWeight:
    """Instants → the integral of 1 ÷ the weight of all that works, over the time before in which something does."""

    def __init__(self, workers: Segments, weight: F64) -> None:
        at = np.concatenate((workers.begin, workers.end))
        order = np.argsort(at, kind="stable")
        self.at = at[order]
        change = np.concatenate((weight, -weight))[order]
        count = np.cumsum(np.repeat((1, -1), len(weight))[order])
        total = np.cumsum(change)
        rate = np.where(count > 0, 1 / np.maximum(total, weight.min() / 2), 0.0)
        self.rate = rate
        self.sum = np.concatenate(([0.0], np.cumsum(rate[:-1] * np.diff(self.at))))

    def __call__(self, when: I64) -> F64:
        place = np.maximum(np.searchsorted(self.at, when, side="right") - 1, 0)
        value: F64 = self.sum[place] + self.rate[place] * np.maximum(when - self.at[place], 0)
        return value
