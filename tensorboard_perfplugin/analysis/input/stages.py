"""A timeline → the stages of its input pipeline: the work, the waiting and the functions of each."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...tables import EMPTY, I64, Intervals, intervals
from ...threshold import Threshold
from ...timeline.nesting import enclosing_of, self_among
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline, derived
from ...timeline.tracks import records_python
from ..ops.rows import RecordedOp, recorded_ops
from .bottleneck import Bottleneck, Stage, input_bottleneck, merged
from .frames import (
    ADVANCE,
    BLOCKING,
    ENQUEUE,
    EXECUTOR,
    ITERATOR,
    NAME_MAX,
    ON_DEMAND,
    OTHER,
    PREPROCESSING,
    PRODUCE,
    PYTHON_OPS,
    TF_DATA,
    Frames,
    Ran,
    bare,
    by_workers,
    chain,
    covered,
    feeds_device,
    frames,
    hands_over,
    has_python,
    is_reader,
    largest,
    python_functions,
    taken_ps,
    takes_from_service,
    transformation,
)
from .other import other_stages, with_held_up

# Stages of an input pipeline → the same, and which of them wait for work of theirs that was not recorded.

#: What these do to elements runs on other threads, where not all of it leaves events: a batch's copies do not.
_WORK_ELSEWHERE = ("MapAndBatch", "ParallelMap", "ParallelFilter", "ParallelBatch", "ParseExample")
EXPLAINED = Threshold(
    "work that explains waiting",
    0.5,
    "share",
    "work of a stage is missing where what is seen of it and of what feeds it is less of its waiting",
)


def with_unseen(stages: Sequence[Stage], served: bool = False) -> list[Stage]:
    """Marked as unseen are those, and those that wait for a stage that is not in the capture.

    served: what the tf.data service's worker does is among these.
    """
    ordered = sorted(stages, key=lambda stage: stage.name)
    names = [stage.name for stage in ordered]
    known = [0.0, *itertools.accumulate(map(_known_ps, ordered))]

    from_host = _feeds_a_device(ordered)

    def below(stage: Stage) -> slice:
        return slice(*(bisect.bisect_left(names, f"{stage.name}{end}") for end in ("::", ":;")))

    def unseen(stage: Stage) -> bool:
        if not (stage.iterates and stage.wait_ps and hands_over(stage.name)):
            return stage.unseen
        if feeds_device(stage.name):
            return not from_host
        if takes_from_service(stage.name):
            return not served
        fed = below(stage)
        if fed.start == fed.stop:
            return True
        seen = known[fed.stop] - known[fed.start] + stage.work_ps
        return bare(stage.type) in _WORK_ELSEWHERE and seen < EXPLAINED.value * stage.wait_ps

    return [structs.replace(stage, unseen=unseen(stage)) for stage in stages]


def _known_ps(stage: Stage) -> float:
    """What is known of a stage's time: that it worked, or waited for a worker of the service."""
    return stage.work_ps + (stage.wait_ps if takes_from_service(stage.name) else 0.0)


def _feeds_a_device(stages: Sequence[Stage]) -> bool:
    """Whether a stage is there that is not of the pipelines that fetch for devices."""
    devices = [stage.name for stage in stages if stage.iterates and feeds_device(stage.name)]
    return any(stage.iterates and not any(f"{d}::".startswith(f"{stage.name}::") for d in devices) for stage in stages)


#: What a stage's events say of how it was set up, and is read from its last event.
SETTINGS = (
    "parallelism",
    "autotune",
    "buffer_limit",
    "buffer_size",
    "cycle_length",
    "batch_size",
    "deterministic",
    "buffered_elements",
    "passed",
    "filtered",
    "num_shards",
    "buffered_bytes_MB",
    "cpu_budget",
    "shapes",
    "types",
)
#: Of elements with many parts the shapes are long; a text that is cut is read as none.
_SETTING_MAX, _LONG_MAX = 40, 400
_LONG = ("shapes", "types")
FILLS = Threshold(
    "elements that fill a buffer",
    16,
    "elements",
    "a call that reads so many elements before it gives one fills a buffer",
)
_WAITS = 5
#: How TensorFlow called the kinds of work.
_RECORDED_KINDS = {
    "Advanced file read": ADVANCE,
    "Demanded file read": ON_DEMAND,
    "On-demand file read": ON_DEMAND,
    "Preprocessing": PREPROCESSING,
    "Enqueue": ENQUEUE,
}


class InputStages(msgspec.Struct, frozen=True):
    """One host's input pipeline.

    waited_ps: wall time in which the program was in calls that wait for its pipeline. longest: the longest of these, as
    (begin, end, track).
    feeds: what feeds the program, empty where no event of an input pipeline is there. python: whether Python's
    functions were recorded. of_ps: the capture's time, or that of all ops of the host where only sums are known.
    """

    host: str
    stages: tuple[Stage, ...]
    waited_ps: int
    longest: tuple[tuple[int, int, int], ...]
    feeds: str
    python: bool
    of_ps: int = 0


def input_stages(timeline: Timeline, slow: Intervals = EMPTY) -> InputStages:
    """The input pipeline of a host, as far as its capture shows it. slow: as `slow_spans` gives it."""
    tf_frames, dataset = frames(timeline), _dataset(timeline)
    others = other_stages(timeline, tf_frames, slow)
    stages, asked = dataset if dataset else (tuple(with_unseen(_recorded_stages(timeline))), others.asked)
    feeds = TF_DATA if any(stage.iterates for stage in stages) else others.feeds
    traced = has_python(timeline) or records_python(timeline)
    return InputStages(
        timeline.host,
        (*stages, *others.stages),
        *_waits(timeline, asked),
        feeds,
        traced,
        _whole_ps(timeline),
    )


@derived
def _dataset(timeline: Timeline) -> tuple[tuple[Stage, ...], I64] | None:
    """The stages of tf.data, and the calls that ask for elements, where the capture shows any."""
    tf_frames = frames(timeline)
    if tf_frames is None:
        return None
    asked = tf_frames.rows[(tf_frames.kind == ITERATOR) & (tf_frames.around < 0)]
    workers = by_workers(timeline, asked)
    stages, asked = with_unseen(list(stages_of(timeline, tf_frames)), bool(workers.any())), asked[~workers]
    return tuple(with_held_up(timeline, tf_frames, stages, _union(timeline, asked))), asked


def _whole_ps(timeline: Timeline) -> int:
    if timeline.capture.capabilities.sums_only:
        return sum(recorded.self_ps for recorded in recorded_ops(timeline) if recorded.side == "host")
    begin, end = timeline.capture.span_ps
    return end - begin


def whole_bottleneck(hosts: Sequence[InputStages]) -> Bottleneck | None:
    """The stage that limits the pipelines of all hosts; None where none is seen."""
    if not any(h.feeds for h in hosts):
        return None
    return input_bottleneck(merged(stage for h in hosts for stage in h.stages))


def _waits(timeline: Timeline, rows: I64) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Union of some calls, and the longest of them."""
    events = timeline.capture.events
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    top = np.argsort(begin - end, kind="stable")[:_WAITS]
    longest = zip(begin[top].tolist(), end[top].tolist(), events.track[rows[top]].tolist(), strict=True)
    return _union(timeline, rows).total, tuple(longest)


def _union(timeline: Timeline, rows: I64) -> Intervals:
    events = timeline.capture.events
    return intervals.union(events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows])


class _Sums:
    """Sums over the frames of each stage."""

    def __init__(self, timeline: Timeline, tf_frames: Frames) -> None:
        self.frames, self.events = tf_frames, timeline.capture.events
        self.duration = self.events.duration_ps[tf_frames.rows].astype(np.float64)
        self.self_ps = tf_frames.self_ps.astype(np.float64)
        self.fetching = np.array([feeds_device(name) for name in tf_frames.stages], bool)
        self.waiting = np.array([hands_over(name) for name in tf_frames.stages], bool)

    def by_stage(self, wanted: NDArray[np.bool_], weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Count, or sum of weights, of the wanted frames, by stage."""
        weights = None if weight is None else weight[wanted]
        return np.bincount(self.frames.stage[wanted], weights, len(self.frames.stages)).astype(np.float64)

    def handed_over(self, handing: NDArray[np.bool_], taken: I64) -> NDArray[np.float64]:
        """Time of calls of a stage that hands over after they had their element, by stage."""
        end = self.events.start_ps[self.frames.rows] + self.events.duration_ps[self.frames.rows]
        after = np.minimum(end - taken, self.frames.self_ps).astype(np.float64)
        return self.by_stage(handing & (taken >= 0) & ~self.fetching[self.frames.stage], after)

    def at_work(self) -> NDArray[np.bool_]:
        """The frames that show when a stage works: its function where it has one, else its own calls."""
        tf_frames = self.frames
        runs = tf_frames.kind == EXECUTOR
        has = self.by_stage(runs) > 0
        calls = (tf_frames.kind == ITERATOR) & ~self.waiting[tf_frames.stage]
        worked: NDArray[np.bool_] = runs | (~has[tf_frames.stage] & (calls | (tf_frames.kind == PRODUCE)))
        return worked


def stages_of(timeline: Timeline, tf_frames: Frames) -> Iterator[Stage]:
    """The stages that did anything, in the order of `tf_frames.stages`."""
    sums, kind = _Sums(timeline, tf_frames), tf_frames.kind
    iterator, runs, blocking = kind == ITERATOR, kind == EXECUTOR, kind == BLOCKING
    handing = iterator & sums.waiting[tf_frames.stage]
    function, blocked = sums.by_stage(runs, sums.self_ps), sums.by_stage(blocking, sums.self_ps)
    handed = sums.handed_over(handing, taken_ps(timeline, tf_frames))
    waited = (
        sums.by_stage(handing, sums.self_ps) - handed + np.where(function > 0, np.maximum(blocked - function, 0), 0)
    )
    function = np.where(function > 0, function, blocked)
    fetches = sums.fetching
    waited, function = waited + np.where(fetches, function, 0), np.where(fetches, 0, function)
    columns = {
        "count": sums.by_stage(iterator).astype(np.int64),
        "total_ps": sums.by_stage(iterator, sums.duration),
        "thread_ps": sums.by_stage(kind >= 0, sums.self_ps),
        "self_ps": sums.by_stage(~handing & ~runs & ~blocking, sums.self_ps) + handed,
        "wait_ps": waited,
        "function_ps": function,
        "calls": sums.by_stage(~iterator & ~runs & (kind != PRODUCE)).astype(np.int64),
        "blocked_ps": blocked,
        **_busy(sums),
        **_fills(sums),
    }
    ran, settings = _ran(timeline, tf_frames), _settings(timeline, tf_frames)
    for i in np.unique(tf_frames.stage).tolist():
        name = tf_frames.stages[i]
        cells = {key: column[i].item() for key, column in columns.items()}
        given = settings.get(i, {})
        parallelism = int(given["parallelism"]) if given.get("parallelism", "").isdecimal() else 0
        stage = Stage(
            name, transformation(name), kind_of(name), parallelism=parallelism, ran=ran.get(i, ()), settings=given
        )
        yield structs.replace(stage, **cells)


def kind_of(name: str) -> str:
    if feeds_device(name):
        return ENQUEUE
    if not is_reader(name):
        return PREPROCESSING
    return ADVANCE if any(map(hands_over, name.split("::")[:-1])) else ON_DEMAND


def _busy(sums: _Sums) -> dict[str, NDArray[np.float64] | I64]:
    tf_frames, events = sums.frames, sums.events
    worked = np.flatnonzero(sums.at_work())
    rows, stage = tf_frames.rows[worked], tf_frames.stage[worked]
    begin = events.start_ps[rows]
    pairs = np.unique(stage.astype(np.int64) * (1 << 32) + events.track[rows])
    n = len(tf_frames.stages)
    return {
        "busy_ps": covered(stage, begin, begin + events.duration_ps[rows], n),
        "busy_sum_ps": np.bincount(stage, sums.duration[worked], n).astype(np.float64),
        "threads": np.bincount(pairs >> 32, minlength=n),
    }


def _fills(sums: _Sums) -> dict[str, NDArray[np.float64] | I64]:
    """Calls of a shuffle that read many elements."""
    fill = fills(sums.frames)
    return {"fill_ps": sums.by_stage(fill, sums.duration), "fills": sums.by_stage(fill).astype(np.int64)}


def fills(tf_frames: Frames) -> NDArray[np.bool_]:
    """By frame, whether it is the call of a shuffle that reads many elements before it gives one."""
    child = (tf_frames.kind == ITERATOR) & (tf_frames.around >= 0)
    read = np.bincount(tf_frames.around[child], minlength=len(tf_frames.rows))
    shuffle = np.array([transformation(name).startswith("Shuffle") for name in tf_frames.stages], bool)
    fill: NDArray[np.bool_] = (tf_frames.kind == ITERATOR) & shuffle[tf_frames.stage] & (read >= FILLS.value)
    return fill


def _settings(timeline: Timeline, tf_frames: Frames) -> dict[int, dict[str, str]]:
    """What the last call of each stage says of its settings."""
    calls = np.flatnonzero(tf_frames.kind == ITERATOR)
    last = np.zeros(len(tf_frames.stages), np.int64)
    last[tf_frames.stage[calls]] = tf_frames.rows[calls]
    by_stage = {}
    for i in np.unique(tf_frames.stage[calls]).tolist():
        values = dict(timeline.capture.event_values(int(last[i])))
        given = {key: str(values[key]) for key in SETTINGS if key in values}
        by_stage[i] = {key: text[: _LONG_MAX if key in _LONG else _SETTING_MAX] for key, text in given.items()}
    return by_stage


def _ran(timeline: Timeline, tf_frames: Frames) -> Ran:
    """What the ops of each stage's function were, by self time; what Python functions these were comes first."""
    runs = np.flatnonzero(tf_frames.kind == EXECUTOR)
    rows, op = ops_of(timeline).host
    if not len(runs) or not len(rows):
        return {}
    wanted = np.zeros(len(timeline.capture.events), bool)
    wanted[tf_frames.rows[runs]] = True
    around = enclosing_of(timeline, wanted, rows)
    inside = np.flatnonzero(around >= 0)
    rows, op, around = rows[inside], op[inside], around[inside]
    stage = tf_frames.stage[np.searchsorted(tf_frames.rows, around)]
    ops = ops_of(timeline).ops
    self_ps = self_among(timeline, rows).astype(np.float64)
    ran = largest(stage, op, self_ps, lambda i: ops[i].type)
    calls = np.flatnonzero(np.array([o.type in PYTHON_OPS for o in ops], bool)[op])
    python = python_functions(timeline, rows[calls], stage[calls])
    return ran | {i: (*names, *ran[i]) for i, names in python.items() if ran[i][0][0] in PYTHON_OPS}


def _recorded_stages(timeline: Timeline) -> list[Stage]:
    """Input ops that TensorFlow summed up when it captured; what their functions ran was not counted. Empty where the
    capture has a timeline."""
    return merged(_recorded_stage(recorded) for recorded in recorded_ops(timeline) if recorded.side == "input")


def _recorded_stage(recorded: RecordedOp) -> Stage:
    name, self_ps = recorded.op.name[:NAME_MAX], float(recorded.self_ps)
    iterates = name.startswith("Iterator::")
    name = chain(name) if iterates else name
    waits = iterates and hands_over(name)
    kind = ENQUEUE if iterates and feeds_device(name) else _RECORDED_KINDS.get(recorded.op.type, OTHER)
    return Stage(
        name,
        transformation(name) if iterates else name,
        kind,
        count=recorded.occurrences,
        total_ps=float(recorded.total_ps),
        thread_ps=self_ps,
        self_ps=0.0 if waits else self_ps,
        wait_ps=self_ps if waits else 0.0,
    )
