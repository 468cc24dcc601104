"""A timeline → one host's tf.data, looked into: iterators, pipelines, what each thread did, and who waited for what."""

from __future__ import annotations

import numpy as np

from ...tables import I64, Intervals, among, intervals
from ...timeline import INDEX, Timeline, enclosing_of
from ..input import (
    Bottleneck,
    Frames,
    Stage,
    fills,
    input_bottleneck,
    merged,
    needed,
    other_stages,
    stages_of,
    with_unseen,
)
from ..steps import HostSteps
from .blame import Blame, Given, blame
from .dense import dense
from .iterators import Iterators, iterators
from .links import Links, links
from .pipelines import MAX_PIPELINES, Pipelines, pipelines
from .segments import Segments, joined, segments
from .tree import Tree, tree


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
    pair, of_pair = dense(of[kept] * count + tf_frames.stage[kept], len(pipes) * count)
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
