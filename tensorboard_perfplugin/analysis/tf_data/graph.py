"""A pipeline of a host and one of its calls, or all slow ones → its stages as a graph, with what each did for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import F64, I64, StatKind, among, distinct, intervals
from ..input.bottleneck import BATCHES, Bottleneck, Stage, needs_one, takes_batches_of
from ..input.frames import (
    BLOCKING,
    EXECUTOR,
    ITERATOR,
    bare,
    feeds_device,
    hands_over,
    kinds,
    small_number,
    transformation,
)
from .host import ALL_SLOW, MADE_IT, SLOW, Blame, Host, Tree

# The calls of a stage → how it was set up, as its events say.

#: What an event says of the iterator and of its elements, not of how it was set up.
_NO_SETTING = frozenset(
    ("id", "parent_id", "name", "shapes", "types", "_r", "_p", "_pt", "_c", "_ct", "group_id", "flow", "step_name")
)
_TEXT_MAX, _MOST = 60, 30


class Settings(msgspec.Struct, frozen=True):
    """dataset: its name. given: all parameters, in the order of the last call's. buffered: elements in its buffer when
    it was called, mean over the calls that record it, None where none does.
    """

    dataset: str = ""
    given: dict[str, str] = msgspec.field(default_factory=dict)
    buffered: float | None = None

    @property
    def buffer_limit(self) -> int | None:
        return small_number(self.given.get("buffer_limit", ""))


def settings(host: Host, shape: Tree, node: I64) -> list[Settings]:
    """By node, from all of its calls in the capture."""
    calls = np.flatnonzero((host.frames.kind == ITERATOR) & (node >= 0))
    calls = calls[np.argsort(host.start[calls], kind="stable")]
    last = np.full(len(shape), -1, np.int64)
    last[node[calls]] = host.frames.rows[calls]
    value, is_known = _held(host, calls)
    count = np.bincount(node[calls[is_known]], minlength=len(shape))
    held = np.bincount(node[calls[is_known]], value[is_known].astype(np.float64), len(shape))
    mean = [float(h) / n if n else None for h, n in zip(held.tolist(), count.tolist(), strict=True)]
    return [_settings_of(host, row, buffered) for row, buffered in zip(last.tolist(), mean, strict=True)]


def _held(host: Host, calls: I64) -> tuple[I64, NDArray[np.bool_]]:
    """Elements in the buffer at the begin of each call, and whether that is recorded.

    A call that found a prefetch's buffer empty has the buffer's limit and no count.
    """
    (value, kind), (_, limit) = (
        host.timeline.stat_of(key, host.frames.rows[calls]) for key in ("buffered_elements", "buffer_limit")
    )
    is_known = among(kind, (StatKind.INT, StatKind.UINT)) & (value >= 0)
    empty = (kind == StatKind.NONE) & among(limit, (StatKind.INT, StatKind.UINT))
    return np.where(is_known, value, 0), is_known | empty


def _settings_of(host: Host, row: int, buffered: float | None) -> Settings:
    if row < 0:
        return Settings()
    values = {key: str(value)[:_TEXT_MAX] for key, value in host.timeline.capture.event_values(row)}
    given = {key[:_TEXT_MAX]: value for key, value in values.items() if key not in _NO_SETTING}
    return Settings(values.get("name", ""), dict(list(given.items())[:_MOST]), buffered)


# A pipeline of a host → its calls, the longest first, and what made each of them long.


class Execution(NamedTuple):
    """A call of a pipeline. step: the program's number, None outside of steps. cut: as the column says. bottleneck: the
    stage that took most of it, bottleneck_ps of it; empty where it took no time.
    """

    start_ps: int
    duration_ps: int
    track: int
    step: int | None
    cut: str
    bottleneck: str
    bottleneck_ps: float


def ranked_calls(host: Host, pipeline: int) -> I64:
    """The calls of a pipeline, the longest first."""
    calls = host.calls(pipeline)
    return calls[np.argsort(-host.call_duration[calls], kind="stable")]


def executions(host: Host, pipeline: int, limit: int | None) -> tuple[Execution, ...]:
    """As many as were asked for."""
    ranked = ranked_calls(host, pipeline)
    first = int(ranked[host.call_start[ranked].argmin()]) if len(ranked) else -1
    calls = ranked[:limit]
    frames = host.pipes.call_frame[calls]
    stage, ps = _longest(host, pipeline, calls)
    steps = _steps(host, host.call_start[calls])
    cut = ["first" if c == first else "begin" if host.links.before[c] else "" for c in calls.tolist()]
    columns = (
        host.call_start[calls].tolist(),
        host.call_duration[calls].tolist(),
        host.timeline.capture.events.track[host.frames.rows[frames]].tolist(),
        steps,
        cut,
        stage,
        ps,
    )
    return tuple(Execution(*row) for row in zip(*columns, strict=True))


def _longest(host: Host, pipeline: int, calls: I64) -> tuple[list[str], list[float]]:
    """By call the stage that took most of it, and how much."""
    shape, node, blamed = host.blamed(pipeline)
    place = np.full(len(host.pipes.call_frame), -1, np.int64)
    place[calls] = np.arange(len(calls))
    rows = np.flatnonzero(place[blamed.call] >= 0)
    n = max(len(shape), 1)
    pair, which = distinct(place[blamed.call[rows]] * n + node[blamed.frame[rows]])
    ps = np.bincount(which, blamed.ps[rows], len(pair))
    order = np.argsort(ps, kind="stable")
    top, most = np.full(len(calls), -1, np.int64), np.zeros(len(calls))
    at = pair[order] // n
    top[at], most[at] = pair[order] % n, ps[order]
    names = [transformation(host.frames.stages[s]) for s in shape.stage.tolist()]
    some = most > 0
    return [names[i] if real else "" for i, real in zip(top.tolist(), some.tolist(), strict=True)], most.tolist()


def _steps(host: Host, at: I64) -> list[int | None]:
    """The program's number of the step in which each instant lies."""
    steps = host.steps.split.steps
    if not len(steps):
        return [None] * len(at)
    order = np.argsort(steps.begin_ps, kind="stable")
    place = np.searchsorted(steps.begin_ps[order], at, side="right") - 1
    step = order[np.maximum(place, 0)]
    inside = (place >= 0) & (at < steps.until_ps[step])
    return [n if real else None for n, real in zip(steps.number[step].tolist(), inside.tolist(), strict=True)]


#: Stages whose waiting is separated from their work, those that wait longest; others only work.
_STAGES = 64


class Node(msgspec.Struct, frozen=True):
    """A stage of a pipeline and what it did for some calls of it; times in ps.

    parent: index of the stage that it feeds, -1 of the root. id: TensorFlow's number, as 64 bits, 0 where it has none.
    start_ps: of its first call, -1 where it was not called. blocking_ps: what it made the program wait, of_ps in all.
    threads, at_once, ran: as in `Stage`. place: track, begin and duration of its longest call, or of its longest work.
    """

    parent: int
    name: str
    long_name: str
    id: int
    iterators: int
    start_ps: int
    duration_ps: float
    self_ps: float
    wait_ps: float
    function_ps: float
    calls: int
    blocking_ps: float
    of_ps: float
    critical: bool
    bottleneck: bool
    hands_over: bool
    threads: int
    at_once: float | None
    ran: str
    settings: Settings
    place: tuple[int, int, int] | None


def graph(host: Host, pipeline: int, limit: Bottleneck | None, execution: int) -> tuple[Node, ...]:
    """The nodes in preorder; none where there is no such call."""
    calls = _wanted(host, pipeline, execution)
    if not calls.any() and execution != ALL_SLOW:
        return ()
    shape, node, blamed = host.blamed(pipeline)
    chosen = calls[blamed.call]
    blamed = Blame(blamed.call[chosen], blamed.frame[chosen], blamed.ps[chosen])
    blocking = np.bincount(node[blamed.frame], blamed.ps, len(shape)).astype(np.float64)
    picked = _picked(host, calls, node, blamed)
    worst = _worst(host, shape, blocking, limit if execution == ALL_SLOW else None)
    return tuple(_nodes(host, pipeline, shape, node, picked, blocking, worst))


def _wanted(host: Host, pipeline: int, execution: int) -> NDArray[np.bool_]:
    """By call whether the graph is of it."""
    wanted = np.zeros(len(host.pipes.call_frame), bool)
    ranked = ranked_calls(host, pipeline)
    slow = ranked[host.call_duration[ranked] > SLOW.value]
    wanted[(slow if len(slow) else ranked) if execution == ALL_SLOW else ranked[execution : execution + 1]] = True
    return wanted


def _picked(host: Host, calls: NDArray[np.bool_], node: I64, blamed: Blame) -> I64:
    """The frames that worked for the calls: made their elements, or were waited for, with what is around them."""
    picked = np.append(calls, False)[host.links.made_for] & (node >= 0)
    known = np.append(node >= 0, False)
    new, _ = distinct(blamed.frame)
    while len(new := new[~picked[new]]):
        picked[new] = True
        around = host.frames.around[new]
        new, _ = distinct(around[known[around]])
    return np.flatnonzero(picked)


def _worst(host: Host, shape: Tree, blocking: F64, limit: Bottleneck | None) -> int:
    """The node of the stage that limits, where calls waited for it, else the one that they did; -1 where none was."""
    named = [
        i for i, s in enumerate(shape.stage.tolist()) if limit is not None and host.frames.stages[s] == limit.stage.name
    ]
    limiting = max(named, key=lambda i: float(blocking[i]), default=-1)
    if limiting >= 0 and blocking[limiting] >= MADE_IT.value * blocking.sum():
        return limiting
    return int(blocking.argmax()) if len(blocking) and blocking.max() > 0 else -1


def _nodes(host: Host, pipeline: int, shape: Tree, node: I64, picked: I64, blocking: F64, worst: int) -> list[Node]:
    sums = _Sums(host, shape, node, picked)
    wait = _waiting(host, pipeline, shape, node, picked)
    given = settings(host, shape, node)
    critical, total = set(shape.above(worst)), float(blocking.sum())
    stages = {stage.name: stage for stage in host.stages(pipeline)}
    nodes = []
    for i, s in enumerate(shape.stage.tolist()):
        name = host.frames.stages[s]
        stage = stages.get(name)
        nodes.append(
            Node(
                parent=int(shape.parent[i]),
                name=transformation(name),
                long_name=name,
                id=int(host.its.id[shape.iterator[i]]),
                iterators=int(shape.iterators[i]),
                start_ps=int(sums.start[i]),
                duration_ps=float(sums.duration[i]),
                self_ps=max(float(sums.self_ps[i]) - wait[i], 0.0),
                wait_ps=wait[i],
                function_ps=float(sums.function[i]),
                calls=int(sums.calls[i]),
                blocking_ps=float(blocking[i]),
                of_ps=total,
                critical=i in critical,
                bottleneck=i == worst,
                hands_over=hands_over(name),
                threads=stage.threads if stage else 0,
                at_once=stage.at_once if stage else None,
                ran=stage.ran[0][0] if stage and stage.ran else "",
                settings=given[i],
                place=sums.place[i],
            )
        )
    return nodes


class _Sums:
    """Sums over the picked frames of each node."""

    def __init__(self, host: Host, shape: Tree, node: I64, picked: I64) -> None:
        tf_frames, n = host.frames, len(shape)
        kind = tf_frames.kind[picked]
        calls = picked[kind == ITERATOR]
        runs, blocking = picked[kind == EXECUTOR], picked[kind == BLOCKING]
        rest = picked[~among(kind, (EXECUTOR, BLOCKING))]
        self.calls = np.bincount(node[calls], minlength=n)
        self.duration = _sum(node[calls], host.duration[calls], n)
        self.self_ps = _sum(node[rest], tf_frames.self_ps[rest], n)
        ran, blocked = (_sum(node[of], tf_frames.self_ps[of], n) for of in (runs, blocking))
        fetches = np.array([feeds_device(tf_frames.stages[s]) for s in shape.stage.tolist()], bool)
        function = np.where(ran > 0, ran, blocked)
        self.function = np.where(fetches, 0.0, function)
        self.self_ps += np.where(fetches, function, 0.0)
        self.start = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(self.start, node[calls], host.start[calls])
        self.start[self.calls == 0] = -1
        self.place = _places(host, node, picked, n)


def _sum(node: I64, ps: I64, count: int) -> F64:
    return np.bincount(node, ps, count).astype(np.float64)


def _places(host: Host, node: I64, picked: I64, n: int) -> list[tuple[int, int, int] | None]:
    """By node the longest call, else the longest of what else it did."""
    is_call = host.frames.kind[picked] == ITERATOR
    order = picked[np.lexsort((host.duration[picked], is_call))]
    last = np.full(n, -1, np.int64)
    last[node[order]] = order
    rows = host.frames.rows[last]
    tracks = host.timeline.capture.events.track[rows].tolist()
    columns = zip(last.tolist(), tracks, host.start[last].tolist(), host.duration[last].tolist(), strict=True)
    return [None if frame < 0 else (track, begin, duration) for frame, track, begin, duration in columns]


def _waiting(host: Host, pipeline: int, shape: Tree, node: I64, picked: I64) -> list[float]:
    """By node how long its picked calls waited while others worked for it."""
    every = host.segments_for(pipeline)
    wanted = np.zeros(len(host.frames.rows), bool)
    wanted[picked] = True
    waits = every.take(every.waits & wanted[every.frame])
    at, workers = node[waits.frame], every.take(every.works)
    works_at = node[workers.frame]
    spent = np.bincount(at, waits.length, len(shape))
    wait = np.zeros(len(shape))
    for i in np.argsort(-spent, kind="stable")[:_STAGES].tolist():
        below = (works_at >= i) & (works_at < shape.last[i])
        here = at == i
        if here.any():
            busy = intervals.union(workers.begin[below], workers.end[below])
            wait[i] = float(intervals.coverage(busy, waits.begin[here], waits.end[here]).sum())
    return wait.tolist()


# The stages of a pipeline → what comes before what, where another order would cost less.

_MAPS = ("Map", "ParallelMap", "MapAndBatch", "ParseExample")
_REPEATS = ("FiniteRepeat", "ForeverRepeat", "Repeat")
_SHUFFLES = ("Shuffle", "ShuffleAndRepeat")
#: What gives each element that it takes, as it is: a batch may stand on either side of it.
_KEEPS = (*_SHUFFLES, *_REPEATS, "Map", "ParallelMap", "Prefetch", "FiniteTake", "Take", "FiniteSkip", "Skip", "Model")
_BYTES = {
    **dict.fromkeys(("bool", "int8", "uint8", "qint8", "quint8", "float8_e5m2", "float8_e4m3fn"), 1),
    **dict.fromkeys(("half", "bfloat16", "int16", "uint16", "qint16", "quint16"), 2),
    **dict.fromkeys(("float", "int32", "uint32", "qint32"), 4),
    **dict.fromkeys(("double", "int64", "uint64", "complex64"), 8),
    "complex128": 16,
}
_SHAPE = regex(r"\[(?:\d{1,9}(?:,\d{1,9})*)?\]")
#: Stages that are looked at as what shuffles, maps or shards, those with most work.
_MAX_ORDER = 32
_MEGA = 1 << 20


class Mapped(NamedTuple):
    """A stage whose function runs for each element of what is batched behind it. batch: elements of that, 0 where
    unknown."""

    stage: Stage
    batch: int


class Grown(NamedTuple):
    """A map after which elements are larger, and the maps behind it that work on these. before, after: bytes of an
    element. casts: whether it only has another type, a larger one."""

    stage: Stage
    before: int
    after: int
    casts: bool
    behind: list[Stage]


class Sharded(NamedTuple):
    """A stage that gives one of so many elements. made: what works most of what feeds it; made_ps: work of all that."""

    stage: Stage
    shards: int
    made: Stage
    made_ps: float


class Shuffled(NamedTuple):
    """A stage that shuffles what others made. batch: the nearest below it that batches, made: the one whose function
    works most; repeats: whether one repeats. below_ps: work of all of them. element_bytes, before_bytes: of what it
    holds, and of what goes into `made`; 0 where that is not recorded. held: elements in its buffer at last, held_bytes:
    of all of them.
    """

    stage: Stage
    batch: Stage | None
    made: Stage | None
    repeats: bool
    below_ps: float
    element_bytes: int
    before_bytes: int
    held: int
    held_bytes: int


def mapped_singly(stages: Sequence[Stage]) -> list[Mapped]:
    """Maps of single elements whose functions could take whole batches: these have one shape, and need no Python."""
    found = []
    for stage in _of_kind(stages, ("Map", "ParallelMap", "MapAndBatch")):
        batch = stage if _kind(stage) == "MapAndBatch" else _batched_behind(stage, stages)
        child, below = _child(stage, stages), _below(stage, stages)
        alike = child is not None and element_bytes(child, of_text=1) is not None
        if batch is None or not alike or any(_kind(s) in BATCHES for s in below) or needs_one(stage):
            continue
        size = small_number(batch.settings.get("batch_size", "")) or stage.calls // max(batch.count, 1)
        found.append(Mapped(stage, size))
    return found


def grown_early(stages: Sequence[Stage]) -> list[Grown]:
    """Maps that make elements larger before other maps work on them."""
    found = []
    for stage in _of_kind(stages, ("Map", "ParallelMap")):
        child = _child(stage, stages)
        before, after = (element_bytes(child) or 0) if child is not None else 0, element_bytes(stage) or 0
        behind = [s for s in stages if _kind(s) in _MAPS and stage.name.startswith(f"{s.name}::")]
        if child is not None and before < after and before and behind:
            casts = child.settings.get("shapes") == stage.settings.get("shapes")
            found.append(Grown(stage, before, after, casts, behind))
    return found


def sharded_late(stages: Sequence[Stage]) -> list[Sharded]:
    """Shards of what was made."""
    found = []
    for stage in _of_kind(stages, ("Shard",)):
        shards, below = small_number(stage.settings.get("num_shards", "")) or 0, _below(stage, stages)
        made = max(below, key=lambda s: s.work_ps, default=None)
        if shards > 1 and made is not None:
            found.append(Sharded(stage, shards, made, sum(s.work_ps for s in below)))
    return found


def shuffled(stages: Sequence[Stage]) -> list[Shuffled]:
    """All that shuffles."""
    return [_shuffled(stage, stages) for stage in _of_kind(stages, _SHUFFLES)]


def cores(stages: Sequence[Stage]) -> int:
    """Of the host, as tf.data counts them; 0 where it does not say."""
    return max((small_number(s.settings.get("cpu_budget", "")) or 0 for s in stages), default=0)


def element_bytes(stage: Stage, of_text: int | None = None) -> int | None:
    """Of an element that a stage gives; None where its shape or type has no size. of_text: what to take for a text."""
    shapes, types = stage.settings.get("shapes", "").split(), stage.settings.get("types", "").split()
    if not shapes or len(shapes) != len(types):
        return None
    total = 0
    for shape, type in zip(shapes, types, strict=True):
        size = of_text if type == "string" else _BYTES.get(type)
        if size is None or not _SHAPE.fullmatch(shape):
            return None
        for length in re.findall(r"\d+", shape):
            size *= int(length)
        total += size
    return total


def _shuffled(stage: Stage, stages: Sequence[Stage]) -> Shuffled:
    below = _below(stage, stages)
    batch = min((s for s in below if takes_batches_of(stage, s)), key=lambda s: len(s.name), default=None)
    made = max((s for s in below if _kind(s) in _MAPS), key=lambda s: s.function_ps or s.work_ps, default=None)
    child = _child(made, stages) if made is not None else None
    each, held = element_bytes(stage) or 0, small_number(stage.settings.get("buffered_elements", "")) or 0
    recorded = small_number(stage.settings.get("buffered_bytes_MB", "")) or 0
    return Shuffled(
        stage,
        batch,
        made,
        _kind(stage) == "Shuffle" and any(_kind(s) in _REPEATS for s in below),
        sum(s.work_ps for s in below),
        each,
        (element_bytes(child) or 0) if child is not None else 0,
        held,
        recorded * _MEGA or each * held,
    )


def _of_kind(stages: Sequence[Stage], kinds: Sequence[str]) -> list[Stage]:
    of_kind = (s for s in stages if s.iterates and s.count and _kind(s) in kinds)
    return sorted(of_kind, key=lambda s: -s.work_ps)[:_MAX_ORDER]


def _kind(stage: Stage) -> str:
    return bare(transformation(stage.name))


def _below(stage: Stage, stages: Sequence[Stage]) -> list[Stage]:
    """What feeds a stage, directly or not."""
    return [s for s in stages if s.name.startswith(f"{stage.name}::")]


def _child(stage: Stage, stages: Sequence[Stage]) -> Stage | None:
    """What alone feeds a stage directly."""
    depth = stage.name.count("::") + 1
    children = [s for s in _below(stage, stages) if s.name.count("::") == depth]
    return children[0] if len(children) == 1 else None


def _kinds_above(stage: Stage) -> list[str]:
    """What a stage feeds, the nearest first."""
    return kinds(stage.name)[-2:0:-1]


def _batched_behind(stage: Stage, stages: Sequence[Stage]) -> Stage | None:
    """The stage that batches what one gives, where nothing in between drops, or makes others of, its elements."""
    for up, kind in enumerate(_kinds_above(stage), 1):
        if kind in ("Batch", "ParallelBatch"):
            name = stage.name.rsplit("::", up)[0]
            return next((s for s in stages if s.name == name), None)
        if kind not in _KEEPS:
            return None
    return None
