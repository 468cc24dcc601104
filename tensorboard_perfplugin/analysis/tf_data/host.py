"""A timeline → one host's tf.data, looked into: iterators, pipelines, what each thread did, and what waited for
what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, Intervals, among, distinct, intervals, range_members
from ...threshold import Threshold
from ...timeline.nesting import enclosing_of
from ...timeline.timeline import INDEX, Timeline
from ..input.bottleneck import Bottleneck, Stage, input_bottleneck, merged, needed
from ..input.frames import BLOCKING, EXECUTOR, ITERATOR, Frames, feeds_device, hands_over, taken_ps, takes_from_service
from ..input.other import other_stages
from ..input.stages import fills, stages_of, with_unseen
from ..steps.means import HostSteps
from .iterators import MAX_PIPELINES, Iterators, Links, Pipelines, cut_open, iterators, links, pipelines

# Frames of tf.data → when each thread was in which of them, and whether it worked or waited there.


class Segments(NamedTuple):
    """Stretches of threads in which one frame was the innermost, by begin.

    frame: which. begin, end: in ps, not empty. waits: whether it only waited for other threads. works: whether it did
    what its stage is for; neither where another thread did it meanwhile.
    """

    frame: I64
    begin: I64
    end: I64
    waits: NDArray[np.bool_]
    works: NDArray[np.bool_]

    def take(self, rows: NDArray[np.bool_] | I64) -> Segments:
        return Segments(self.frame[rows], self.begin[rows], self.end[rows], self.waits[rows], self.works[rows])

    @property
    def length(self) -> I64:
        length: I64 = self.end - self.begin
        return length


def joined(parts: list[Segments]) -> Segments:
    """The segments of several threads, one after another."""
    none = np.empty(0, np.int64), np.empty(0, bool)
    frame, begin, end = (np.concatenate([none[0], *(part[i] for part in parts)]) for i in range(3))
    waits, works = (np.concatenate([none[1], *(part[i] for part in parts)]) for i in (3, 4))
    return Segments(frame, begin, end, waits, works)


def segments(timeline: Timeline, tf_frames: Frames) -> Segments:
    """All threads' segments; a frame that waits for its buffer does so until it consumes the element from it."""
    frame, begin, end = _innermost(timeline, tf_frames)
    waits_until = _waits_until(timeline, tf_frames)
    until = waits_until[frame]
    # A segment that lies on both sides of the instant is two.
    both = np.flatnonzero((until > begin) & (until < end))
    frame = np.concatenate((frame, frame[both]))
    begin, end = np.concatenate((begin, until[both])), np.concatenate((end, end[both]))
    end[both] = until[both]
    order = np.argsort(begin, kind="stable")
    frame, begin, end = frame[order], begin[order], end[order]
    waits = begin < waits_until[frame]
    return Segments(frame, begin, end, waits, ~waits & ~_ran_elsewhere(tf_frames)[frame])


def _innermost(timeline: Timeline, tf_frames: Frames) -> tuple[I64, I64, I64]:
    """Frame, begin and end of each segment, by thread: a frame's begin makes it the innermost, its end what is around.

    Frames that overlap without nesting, which no tracer writes, lose what overlaps.
    """
    events = timeline.capture.events
    real = np.flatnonzero(events.duration_ps[tf_frames.rows] > 0)
    start = events.start_ps[tf_frames.rows]
    stop = start + events.duration_ps[tf_frames.rows]
    track = events.track[tf_frames.rows]
    n = len(real)
    at = np.concatenate((stop[real], start[real]))
    # Of ends at one instant the innermost comes first, then begins, the outermost first.
    order = np.lexsort((np.concatenate((-real, real)), np.repeat((0, 1), n), at, np.tile(track[real], 2)))
    now = np.concatenate((tf_frames.around[real], real))[order]
    at, thread = at[order], np.tile(track[real], 2)[order]
    inside = np.flatnonzero((now[:-1] >= 0) & (thread[:-1] == thread[1:]))
    frame = now[inside]
    begin = np.maximum(at[inside], start[frame])
    end = np.minimum(at[inside + 1], stop[frame])
    some = end > begin
    return frame[some], begin[some], end[some]


def _waits_until(timeline: Timeline, tf_frames: Frames) -> I64:
    """By frame, until when it waits where it is the innermost: to its end, to where it takes an element, or never."""
    capture, kind = timeline.capture, tf_frames.kind
    hands = np.array([hands_over(name) for name in tf_frames.stages], bool)[tf_frames.stage]
    fetches = np.array([feeds_device(name) for name in tf_frames.stages], bool)[tf_frames.stage]
    waiting = (hands & (kind == ITERATOR)) | fetches
    until = np.where(waiting, capture.events.start_ps[tf_frames.rows] + capture.events.duration_ps[tf_frames.rows], -1)
    takes = taken_ps(timeline, tf_frames)
    return np.where(waiting & (takes >= 0), takes, until)


def _ran_elsewhere(tf_frames: Frames) -> NDArray[np.bool_]:
    """What an executor ran of functions that their stage's own thread waited for: that thread's call stands for it."""
    waited = np.zeros(len(tf_frames.stages), bool)
    waited[tf_frames.stage[tf_frames.kind == BLOCKING]] = True
    elsewhere: NDArray[np.bool_] = (tf_frames.kind == EXECUTOR) & waited[tf_frames.stage] & (tf_frames.around < 0)
    return elsewhere


# Segments of threads → what the program waited for in each call of a pipeline, and how much of the waiting that was.
#
# While the program's thread works on the pipeline, that is what it waits for. While it waits in a stage that hands
# over, an instant is divided among what works for that stage on other threads, each by the part of its threads that it
# is: of a map that may run four functions at once, one of them is a quarter. Where nothing works that the capture
# shows, it is the deepest stage that waits.

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
    return np.repeat(np.arange(len(count)), count), range_members(first, first + count)


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


# A pipeline's iterators → its stages as a tree, each after the one that it feeds; a device's with its host's below.


class Tree(NamedTuple):
    """Nodes in preorder. pipeline, stage: of each. parent: its node, -1 of the root. last: one past the last node below
    it. depth: 0 of the root. iterator: the first iterator of each. iterators: how many it has.
    """

    pipeline: I64
    stage: I64
    parent: I64
    last: I64
    depth: I64
    iterator: I64
    iterators: I64

    def __len__(self) -> int:
        return len(self.stage)

    def nodes(self, tf_frames: Frames, its: Iterators, of: I64) -> I64:
        """By frame, of the pipelines `of`, the node of its iterator; -1 where it is not of this tree."""
        node = np.full(len(of), -1, np.int64)
        for pipeline in np.unique(self.pipeline).tolist():
            of_stage = np.full(len(tf_frames.stages), -1, np.int64)
            of_pipeline = self.pipeline == pipeline
            of_stage[self.stage[of_pipeline]] = np.flatnonzero(of_pipeline)
            here = np.flatnonzero(of == pipeline)
            node[here] = of_stage[its.stage[its.of[here]]]
        return node

    def above(self, node: int) -> list[int]:
        """The node and those on the way from it to the root."""
        way = []
        while node >= 0:
            way.append(node)
            node = int(self.parent[node])
        return way


def tree(tf_frames: Frames, its: Iterators, pipes: Pipelines, pipeline: int) -> Tree:
    """The stages of a pipeline."""
    itself = [pipeline]
    feeder = int(pipes.fed_by[pipeline])
    parts = [_flat(its, pipes, p) for p in ([*itself, feeder] if feeder >= 0 else itself)]
    pipeline_of = np.repeat(np.array([*itself, feeder], np.int64)[: len(parts)], [len(part[0]) for part in parts])
    stage = np.concatenate([part[0] for part in parts])
    parent = np.concatenate([part[1] + (len(parts[0][0]) if i else 0) for i, part in enumerate(parts)])
    if feeder >= 0:
        # The host's root feeds what fetches from it.
        n = len(parts[0][0])
        parent[n:] = np.where(parts[1][1] < 0, -1, parent[n:])
        names = [tf_frames.stages[i] for i in stage[:n].tolist()]
        fetches = [i for i in range(n) if feeds_device(names[i]) or takes_from_service(names[i])]
        parent[n:][parts[1][1] < 0] = fetches[0] if fetches else 0
    iterator, count = (np.concatenate([part[i] for part in parts]) for i in (2, 3))
    return _preorder(pipeline_of, stage, parent, iterator, count)


def _flat(its: Iterators, pipes: Pipelines, pipeline: int) -> tuple[I64, I64, I64, I64]:
    """Stages, parent of each among them, first iterator and number of iterators; only one has no parent."""
    root = int(pipes.root[pipeline])
    members = np.flatnonzero(pipes.of_iterator == pipeline)
    stage, first, which, count = np.unique(
        its.stage[members], return_index=True, return_inverse=True, return_counts=True
    )
    iterator = members[first]
    up = its.parent[iterator]
    place = np.full(len(its.stage) + 1, -1, np.int64)
    place[members] = which.reshape(-1)
    parent = place[up]
    top = int(place[root])
    parent[parent == np.arange(len(parent))] = top
    parent[top] = -1
    parent, _ = cut_open(parent)
    alone = np.flatnonzero(parent < 0)
    parent[alone[alone != top]] = top
    iterator[top] = root
    return stage, parent, iterator, count


def _preorder(pipeline: I64, stage: I64, parent: I64, iterator: I64, count: I64) -> Tree:
    children: list[list[int]] = [[] for _ in range(len(stage) + 1)]
    for node, up in enumerate(parent.tolist()):
        children[up].append(node)
    order: list[int] = []
    depth: list[int] = []
    last = [0] * len(stage)
    place = [0] * len(stage)
    open_: list[tuple[int, int]] = [(node, 0) for node in reversed(children[-1])]
    while open_:
        node, level = open_.pop()
        if node < 0:
            last[~node] = len(order)
            continue
        place[node] = len(order)
        order.append(node)
        depth.append(level)
        open_.append((~node, level))
        open_ += [(child, level + 1) for child in reversed(children[node])]
    at = np.array(order, np.int64)
    up = np.append(np.array(place, np.int64), -1)[parent[at]]
    ends = np.array(last, np.int64)[at]
    return Tree(pipeline[at], stage[at], up, ends, np.array(depth, np.int64), iterator[at], count[at])


class Host:
    """One host's tf.data, each part computed once."""

    def __init__(self, timeline: Timeline, steps: HostSteps, tf_frames: Frames) -> None:
        self.timeline, self.steps, self.frames = timeline, steps, tf_frames
        self.its: Iterators = iterators(timeline, tf_frames)
        self.pipes: Pipelines = pipelines(timeline, tf_frames, self.its)
        self.links: Links = links(timeline, tf_frames, self.its, self.pipes)
        events = timeline.capture.events
        self.start, self.duration = (of[tf_frames.rows] for of in (events.start_ps, events.duration_ps))
        self.call_start, self.call_duration = (of[self.pipes.call_frame] for of in (self.start, self.duration))
        spent = np.bincount(self.pipes.call_pipeline, self.call_duration, len(self.pipes))
        self.most = np.argsort(-spent, kind="stable")[:MAX_PIPELINES]
        self._segments = _by_pipeline(segments(timeline, tf_frames), self.pipes)
        self._stages = _stages(timeline, tf_frames, self.pipes, self.most)
        self._blamed: dict[int, tuple[Tree, I64, Blame]] = {}

    def calls(self, pipeline: int) -> I64:
        """The calls of a pipeline."""
        return np.flatnonzero(self.pipes.call_pipeline == pipeline)

    def feeder(self, pipeline: int) -> int:
        """The host's pipeline that feeds a device's; of a host's itself."""
        feeder = int(self.pipes.fed_by[pipeline])
        return pipeline if feeder < 0 else feeder

    def stages(self, pipeline: int) -> list[Stage]:
        """What the stages did of a pipeline, of the host's that feeds it, and of all that this one feeds."""
        return self._stages.get(self.feeder(pipeline), [])

    def waits(self) -> dict[int, float]:
        """How long a step waits for each pipeline that is looked into, in ps; empty without steps.

        The steps' input wait is divided among pipelines by how long calls of each were under way in steps; where other
        things feed the program, too, it is no more than that. Of a host's pipeline that feeds devices, these are asked.
        A worker's of the tf.data service is asked by what takes from it; the program does not wait for others.
        """
        split = self.steps.split
        n = split.exposed_ps.shape[1]
        if not n:
            return {}
        steps = split.steps
        counted = steps.counted[:n]
        counted = counted if counted.any() else np.ones(n, bool)
        exposed = float(split.mean_ps(split.exposed_ps)[counted, INDEX["input_wait"]].mean())
        window = intervals.union(steps.begin_ps[:n][counted], steps.until_ps[:n][counted])
        n = int(counted.sum())
        asked = {i: self.pipes.fed(i) or [i][: not self.pipes.worker[i]] for i in self.most.tolist()}
        under_way = {i: self._in_steps(of, window) / n for i, of in asked.items()}
        everything = sum(under_way[i] for i in under_way if self.feeder(i) == i or self.feeder(i) not in under_way)
        part = exposed / everything if everything else 0.0
        part = min(part, 1.0) if other_stages(self.timeline, self.frames).feeds else part
        return {i: float(ps * part) for i, ps in under_way.items()}

    def outside(self, pipeline: int) -> float:
        """Wall time, in ps, in which the program asked for an element outside of its steps; 0 without steps."""
        steps = self.steps.split.steps
        if not len(steps) or self.pipes.worker[pipeline] or self.pipes.fed(pipeline):
            return 0.0
        of_pipeline = self.pipes.call_pipeline == pipeline
        begin = self.call_start[of_pipeline]
        asked = intervals.union(begin, begin + self.call_duration[of_pipeline])
        return float(intervals.subtraction(asked, intervals.union(steps.begin_ps, steps.until_ps)).total)

    def _in_steps(self, which: list[int], window: Intervals) -> float:
        """Wall time of the steps in which a call of some pipelines was under way."""
        of_pipelines = among(self.pipes.call_pipeline, which)
        begin = self.call_start[of_pipelines]
        return float(
            intervals.intersection(intervals.union(begin, begin + self.call_duration[of_pipelines]), window).total
        )

    def segments_for(self, pipeline: int) -> Segments:
        """When threads worked for a pipeline, on it or on the host's that feeds it."""
        return joined([self._segments[p] for p in sorted({pipeline, self.feeder(pipeline)}) if p in self._segments])

    def all_segments(self) -> Segments:
        """When threads worked, or waited, for any pipeline."""
        return joined(list(self._segments.values()))

    def blamed(self, pipeline: int) -> tuple[Tree, I64, Blame]:
        """The stages of a pipeline, each frame's node among them, and what each call waited for."""
        if pipeline not in self._blamed:
            self._blamed[pipeline] = self._blame(pipeline)
        return self._blamed[pipeline]

    def _blame(self, pipeline: int) -> tuple[Tree, I64, Blame]:
        shape = tree(self.frames, self.its, self.pipes, pipeline)
        node = shape.nodes(self.frames, self.its, self.pipes.of)
        stages = {stage.name: stage for stage in self.stages(pipeline)}
        names = [self.frames.stages[stage] for stage in shape.stage.tolist()]
        slots = [needed(stages[name], stages).at_a_time if name in stages else 1 for name in names]
        every = self.segments_for(pipeline)
        call = self.links.on_thread[every.frame]
        asking = (call >= 0) & (self.pipes.of[every.frame] == pipeline)
        weight = 1 / np.maximum(np.array(slots, np.float64), 1)
        given = Given(every.take(asking), call[asking], every.take(~asking), node, weight, shape.last, shape.depth)
        limit = input_bottleneck(list(stages.values()))
        return shape, node, self._filled(blame(given), limit, node)

    def _filled(self, blamed: Blame, limit: Bottleneck | None, node: I64) -> Blame:
        """Where filling a buffer is what limits, what ran for that counts to the stage that fills it."""
        if limit is None or not limit.fills:
            return blamed
        names = np.array([name == limit.stage.name for name in self.frames.stages], bool)
        filling = np.flatnonzero(fills(self.frames) & names[self.frames.stage])
        wanted = np.zeros(len(self.timeline.capture.events), bool)
        wanted[self.frames.rows[filling]] = True
        around = enclosing_of(self.timeline, wanted, self.frames.rows)
        fill = np.searchsorted(self.frames.rows, around[blamed.frame])
        inside = (around[blamed.frame] >= 0) & (np.append(node, -1)[fill] >= 0)
        return blamed._replace(frame=np.where(inside, fill, blamed.frame))


def _by_pipeline(every: Segments, pipes: Pipelines) -> dict[int, Segments]:
    of = pipes.of[every.frame]
    order = np.argsort(of, kind="stable")
    of = of[order]
    which, first = np.unique(of, return_index=True)
    ends = [*first.tolist(), len(of)][1:]
    return {p: every.take(order[a:b]) for p, a, b in zip(which.tolist(), first.tolist(), ends, strict=True)}


def _stages(timeline: Timeline, tf_frames: Frames, pipes: Pipelines, most: I64) -> dict[int, list[Stage]]:
    """By pipeline what its stages did, with those of the pipelines that it feeds; of those that are looked into."""
    itself = np.arange(len(pipes), dtype=np.int64)
    group: I64 = np.concatenate((np.where(pipes.fed_by >= 0, pipes.fed_by, itself), [-1])).astype(np.int64)
    wanted = np.zeros(len(pipes) + 1, bool)
    wanted[group[most]] = True
    of: I64 = group[pipes.of]
    kept = np.flatnonzero(wanted[of])
    count = len(tf_frames.stages)
    pair, of_pair = distinct(of[kept] * count + tf_frames.stage[kept])
    part = Frames(
        tuple(tf_frames.stages[p % count] for p in pair.tolist()),
        tf_frames.rows[kept],
        tf_frames.kind[kept],
        of_pair.astype(np.int32),
        tf_frames.self_ps[kept],
        _among(kept, tf_frames.around),
        _among(kept, tf_frames.call),
    )
    by_pipeline: dict[int, list[Stage]] = {}
    for p, stage in zip(pair.tolist(), stages_of(timeline, part), strict=True):
        by_pipeline.setdefault(p // count, []).append(stage)
    return {p: with_unseen(merged(stages), bool(pipes.worker[p])) for p, stages in by_pipeline.items()}


def _among(kept: I64, index: I64) -> I64:
    """Indices among the kept frames, -1 of those that are not."""
    place = np.full(len(index) + 1, -1, np.int64)
    place[kept] = np.arange(len(kept))
    return place[index[kept]]
