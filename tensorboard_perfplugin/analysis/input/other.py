"""A timeline → the input work that is no tf.data: marked stages, ops, PyTorch's loader, Python's iterators, infeed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import EMPTY, I32, I64, Intervals, PlaneKind, StatKind, among, intervals
from ...threshold import Threshold
from ...timeline.nesting import enclosing_of, nesting_of, self_among
from ...timeline.ops.ops import ops_of
from ...timeline.split.host_names import GETS_INPUT, own_loops_of
from ...timeline.timeline import Timeline
from .bottleneck import Stage
from .frames import (
    BLOCKING,
    CALLER,
    DATA_LOADER,
    ENQUEUE,
    EXECUTOR,
    FEEDS,
    INFEED,
    MARKED,
    NAME_MAX,
    OF_A_FILE,
    PREPROCESSING,
    PYTHON,
    PYTHON_ITERATOR,
    PYTHON_OPS,
    QUEUES,
    TF_DATA,
    Frames,
    covered,
    op_kind,
    python_functions,
    stage_kind,
)

_PIPELINE_NAME, _PIPELINE_KIND = "_ipl_stage_name", "_ipl_stage_cat"
_BUILT_IN = "$builtins next"
#: Iterators that frameworks call for their own ends, or that call tf.data.
_NO_INPUT = regex(r"\$(?:.*[/\\])?(?:contextlib|iterator_ops|multi_device_iterator_ops|distribute)\.py:\d+ .*")
_TORCH = regex(r"enumerate\(DataLoader\)#_(\w+)\.__next__")
_TO_DEVICE = regex(
    r"(?:\w+::)*(?:BufferFromHost\w*|MakeBufferFromHost\w*|TransferTo(?:Device|Infeed)\w*|TransferLiteralToDevice\w*|"
    r"LinearizeInto\w*|DevicePut\w*)|batched_device_put"
)


class Others(NamedTuple):
    """stages and feeds as in `InputStages`. asked: the calls, rows ascending, that wait for what feeds the program."""

    stages: tuple[Stage, ...]
    asked: I64
    feeds: str


class _Calls(NamedTuple):
    """Calls of some stages, by index. own_ps: their work, or their waiting where that is all they do."""

    stages: tuple[Stage, ...]
    rows: I64
    stage: I32
    own_ps: NDArray[np.float64]
    feeds: str


def calls_of_stage(timeline: Timeline, tf_frames: Frames | None, is_wanted: Callable[[Stage], bool]) -> I64:
    """The events of the stages outside of tf.data's pipelines that hold."""
    rows = [np.empty(0, np.int64)]
    for calls in _parts(timeline, tf_frames):
        wanted = np.array([is_wanted(stage) for stage in calls.stages], bool)
        rows.append(calls.rows[wanted[calls.stage]])
    return np.concatenate(rows)


def _parts(timeline: Timeline, tf_frames: Frames | None) -> list[_Calls]:
    parts = (
        _loader(timeline),
        _queues(timeline, tf_frames),
        _marked(timeline),
        _python(timeline, tf_frames),
        _infeed(timeline),
        _to_device(timeline),
    )
    return [calls for calls in parts if calls is not None]


def other_stages(timeline: Timeline, tf_frames: Frames | None, slow: Intervals = EMPTY) -> Others:
    """Input work outside of tf.data's pipelines. slow: when steps are that no other step is like."""
    parts = _parts(timeline, tf_frames)
    stages = tuple(stage for calls in parts for stage in _summed(timeline, calls, slow))
    feeds = [calls.feeds for calls in parts if calls.feeds]
    first = min(feeds, key=FEEDS.index, default="")
    asked = next((calls.rows for calls in parts if first and calls.feeds == first), np.empty(0, np.int64))
    return Others(stages, asked, first)


def _summed(timeline: Timeline, calls: _Calls, slow: Intervals) -> Iterator[Stage]:
    events, n = timeline.capture.events, len(calls.stages)
    begin, duration = events.start_ps[calls.rows], events.duration_ps[calls.rows]
    count = np.bincount(calls.stage, minlength=n).tolist()
    total, self_ps = (np.bincount(calls.stage, of, n).tolist() for of in (duration, calls.own_ps))
    busy = covered(calls.stage, begin, begin + duration, n).tolist()
    pairs = np.unique(calls.stage.astype(np.int64) * (1 << 32) + events.track[calls.rows])
    threads = np.bincount(pairs >> 32, minlength=n).tolist()
    in_slow = intervals.coverage(slow, begin, begin + 1) > 0
    slow_count = np.bincount(calls.stage[in_slow], minlength=n).tolist()
    slow_ps = np.bincount(calls.stage[in_slow], calls.own_ps[in_slow], n).tolist()
    for i, stage in enumerate(calls.stages):
        own = "wait_ps" if stage.unseen else "self_ps"
        yield stage.with_times(
            count=count[i],
            total_ps=total[i],
            thread_ps=self_ps[i],
            busy_ps=busy[i],
            busy_sum_ps=total[i],
            threads=threads[i],
            slow_count=slow_count[i],
            slow_ps=slow_ps[i],
            **{own: self_ps[i]},
        )


def _calls(timeline: Timeline, rows: I64, key: I32, make: Callable[[int], Stage | None], feeds: str) -> _Calls | None:
    """Events grouped by a key, whose stage `make` gives; those without one are left out."""
    keys, which = np.unique(key, return_inverse=True)
    made = [make(k) for k in keys.tolist()]
    has = np.array([stage is not None for stage in made], bool)
    kept = np.flatnonzero(has[which.reshape(-1)]) if len(rows) else np.empty(0, np.int64)
    if not len(kept):
        return None
    index = np.cumsum(has)[which.reshape(-1)[kept]] - 1
    rows = rows[kept]
    self_ps = self_among(timeline, rows).astype(np.float64)
    return _Calls(tuple(s for s in made if s is not None), rows, index.astype(np.int32), self_ps, feeds)


def _host_rows(timeline: Timeline, pattern: re.Pattern[str]) -> I64:
    """Events of host threads whose whole name matches."""
    capture = timeline.capture
    rows = capture.events_named(pattern)
    plane = capture.planes.kind[capture.tracks.plane[capture.events.track[rows]]]
    return rows[~among(plane, (PlaneKind.GPU, PlaneKind.TPU))]


def _inside(timeline: Timeline, rows: I64, others: I64) -> NDArray[np.bool_]:
    """Which of some events lie in one of others, on their thread."""
    wanted = np.zeros(len(timeline.capture.events), bool)
    wanted[others] = True
    within: NDArray[np.bool_] = enclosing_of(timeline, wanted, rows) >= 0
    return within


def _loader(timeline: Timeline) -> _Calls | None:
    """PyTorch's loader; one with workers only waits for them."""
    rows = _host_rows(timeline, _TORCH)
    rows = rows[~own_loops_of(timeline)[rows]]
    strings = timeline.capture.strings

    def make(name: int) -> Stage:
        match = _TORCH.fullmatch(strings[name])
        workers = match is not None and match[1].startswith("MultiProcessing")
        return Stage(strings[name][:NAME_MAX], "DataLoader", PREPROCESSING, unseen=workers)

    return _calls(timeline, rows, timeline.capture.events.name[rows], make, DATA_LOADER)


def _queues(timeline: Timeline, tf_frames: Frames | None) -> _Calls | None:
    """Ops that read, decode, queue or send input, outside of tf.data's functions, which hold theirs."""
    rows, op = ops_of(timeline).host
    ops = ops_of(timeline).ops
    kinds = [op_kind(o.type, tf_frames is not None) for o in ops]
    kept = np.flatnonzero(np.array([kind is not None for kind in kinds], bool)[op]) if len(rows) else rows
    if tf_frames is not None and len(kept):
        kept = kept[~_inside(timeline, rows[kept], tf_frames.rows[tf_frames.kind == EXECUTOR])]

    def make(index: int) -> Stage:
        kind = kinds[index]
        assert kind is not None
        return Stage(ops[index].name[:NAME_MAX], ops[index].type[:NAME_MAX], kind[0], unseen=kind[1])

    return _calls(timeline, rows[kept], op[kept], make, _fed_by({ops[i].type for i in np.unique(op[kept]).tolist()}))


def _fed_by(types: set[str]) -> str:
    """What feeds a program whose input ops are of these types; copies alone do not show it."""
    if any(CALLER.fullmatch(type) for type in types):
        return TF_DATA
    if any((op_kind(type, False) or (ENQUEUE, False))[0] != ENQUEUE for type in types):
        return QUEUES
    return INFEED if any(type.startswith("InfeedEnqueue") for type in types) else ""


def _marked(timeline: Timeline) -> _Calls | None:
    """Stages that the program marks itself."""
    capture = timeline.capture
    kind = timeline.stat(_PIPELINE_NAME)[1]
    rows = np.flatnonzero(kind == StatKind.TEXT)
    if not len(rows):
        return None
    category, category_kind = timeline.stat_of(_PIPELINE_KIND, rows)
    category = np.where(category_kind == StatKind.TEXT, category, 0)
    n = len(capture.strings)
    key = capture.events.name[rows].astype(np.int64) * n + category

    def make(pair: int) -> Stage:
        category_name = capture.strings[pair % n][:NAME_MAX]
        return Stage(capture.strings[pair // n][:NAME_MAX], category_name or "stage", stage_kind(category_name))

    return _calls(timeline, rows, key, make, MARKED)


def _python(timeline: Timeline, tf_frames: Frames | None) -> _Calls | None:
    """Python's iterators, and annotations that say so, the outermost; their work is what is not tf.data's."""
    capture = timeline.capture
    rows = _host_rows(timeline, GETS_INPUT)
    if not len(rows):
        return None
    rows = rows[~_inside(timeline, rows, np.concatenate((rows, _host_rows(timeline, _NO_INPUT))))]
    if tf_frames is not None:
        rows = rows[~_inside(timeline, rows, tf_frames.rows)]
    rows = rows[~own_loops_of(timeline)[rows]]
    own_file = np.array(
        [_NO_INPUT.fullmatch(t) is None for t in capture.strings.texts(capture.events.name[rows])], bool
    )
    rows = rows[own_file]
    if not len(rows):
        return None
    key = _called(timeline, rows)
    ran = python_functions(timeline, rows, key)

    def make(name: int) -> Stage:
        type = PYTHON_ITERATOR if capture.strings[name].startswith("$") else "annotation"
        return Stage(capture.strings[name][:NAME_MAX], type, PREPROCESSING, ran=ran.get(name, ()))

    calls = _calls(
        timeline,
        rows,
        key,
        make,
        PYTHON,
    )
    if calls is None or tf_frames is None:
        return calls
    both = np.unique(np.concatenate((calls.rows, tf_frames.rows)))
    self_ps = self_among(timeline, both)[np.searchsorted(both, calls.rows)]
    return calls._replace(own_ps=self_ps.astype(np.float64))


def _called(timeline: Timeline, rows: I64) -> I32:
    """Name of the function of Python that each call of an iterator is: of `next` the one that it calls."""
    name = timeline.capture.events.name
    key = name[rows].copy()
    built_in = timeline.capture.strings.find(_BUILT_IN)
    functions = _host_rows(timeline, OF_A_FILE)[::-1]
    parent = nesting_of(timeline).parent[functions]
    place = np.minimum(np.searchsorted(rows, parent), len(rows) - 1)
    inner = np.flatnonzero((rows[place] == parent) & (name[parent] == built_in))
    key[place[inner]] = name[functions[inner]]
    return key


def _infeed(timeline: Timeline) -> _Calls | None:
    """Ops of a TPU that wait for their infeed."""
    rows, op = ops_of(timeline).device
    ops = ops_of(timeline).ops
    infeed = np.array([o.type.lower().startswith("infeed") or o.name.startswith("infeed") for o in ops], bool)
    if not infeed.any() or not len(rows):
        return None
    kept = np.flatnonzero(infeed[op])
    return _calls(
        timeline, rows[kept], op[kept], lambda i: Stage(ops[i].name[:NAME_MAX], "infeed", ENQUEUE, unseen=True), INFEED
    )


def _to_device(timeline: Timeline) -> _Calls | None:
    """Copies to the device as runtimes name them on the host."""
    rows = _host_rows(timeline, _TO_DEVICE)
    strings = timeline.capture.strings
    return _calls(
        timeline,
        rows,
        timeline.capture.events.name[rows],
        lambda name: Stage(strings[name][:NAME_MAX], strings[name][-NAME_MAX:].rpartition("::")[2], ENQUEUE),
        "",
    )


# Calls of Python in a pipeline → how much longer they take while the program runs Python itself.

WAITED = Threshold(
    "calls while the program waits",
    8,
    "calls",
    "calls of a pipeline's Python that begin while the program waits for them; fewer do not tell how long they take "
    "where no other Python runs",
)
SHORTER = Threshold(
    "calls while the program waits take",
    0.8,
    "share",
    "of what all calls take, and less: Python runs one thread at a time, and the others wait for the program's own",
)


def with_held_up(timeline: Timeline, tf_frames: Frames, stages: Iterable[Stage], waits: Intervals) -> Iterator[Stage]:
    """The stages, those that call Python with how long the calls were held up. waits: when the program waited."""
    index = {name: i for i, name in enumerate(tf_frames.stages)}
    for stage in stages:
        calls_python = any(name in PYTHON_OPS for name, _ in stage.ran)
        i = index.get(stage.name, -1) if calls_python else -1
        yield stage if i < 0 else stage.with_times(held_up_ps=_held_up_ps(timeline, tf_frames, i, waits))


def _held_up_ps(timeline: Timeline, tf_frames: Frames, stage: int, waits: Intervals) -> float:
    calls = _held_up_calls(tf_frames, stage)
    took = tf_frames.self_ps[calls]
    began = timeline.capture.events.start_ps[tf_frames.rows[calls]]
    row = np.searchsorted(waits.begin, began, "right") - 1
    alone = (row >= 0) & (began < waits.end[row]) if len(waits.begin) else np.zeros(len(calls), bool)
    if alone.sum() < WAITED.value:
        return 0.0
    alone_ps, all_ps = float(took[alone].mean()) * len(took), float(took.sum())
    return all_ps - alone_ps if alone_ps <= SHORTER.value * all_ps else 0.0


def _held_up_calls(tf_frames: Frames, stage: int) -> I64:
    """The calls of its function that its own thread waits for; without any what ran in it."""
    of_stage = tf_frames.stage == stage
    calls = np.flatnonzero(of_stage & (tf_frames.kind == BLOCKING))
    return calls if len(calls) else np.flatnonzero(of_stage & (tf_frames.kind == EXECUTOR))
