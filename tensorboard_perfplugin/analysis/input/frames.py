"""A timeline → what its tf.data pipelines did: every call of an iterator and of a function, and whose it is.

tf.data writes `Iterator::A::B` for each call of the iterator B; `…Produce` where a thread of A's makes an element for
it; `InstantiatedCapturedFunction::…` where a stage calls its function, whose ops run under `ExecutorState::Process` of
the same `id` on any thread. What a loop in a tf.function asks for elements is named as `iterator_name` shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, U8, PlaneKind, StatKind, among
from ...timeline.names.ops import has_body, iterator_name
from ...timeline.nesting import enclosing_of, self_among
from ...timeline.timeline import Timeline, derived

# Names in a capture → what they say of an input pipeline: its stages, which only hand over, which kind of work.

ON_DEMAND, ADVANCE, PREPROCESSING, ENQUEUE, OTHER = KINDS = (
    "on-demand read",
    "advance read",
    "preprocessing",
    "enqueue",
    "other",
)

#: What feeds a program, in the order in which a page that has several of them names one.
FEEDS = ("tf.data", "PyTorch DataLoader", "TensorFlow queues", "marked stages", "Python", "TPU infeed")
TF_DATA, DATA_LOADER, QUEUES, MARKED, PYTHON, INFEED = FEEDS

#: Types of ops that run a Python function.
PYTHON_OPS = ("PyFunc", "EagerPyFunc", "PyFuncStateless", "NumpyFunction")
PYTHON_ITERATOR = "Python iterator"

#: Threads of a worker of the tf.data service, which ask its pipelines for elements, have names that begin so.
SERVICE_WORKER = "tf_data_service"

#: So much of a name identifies a stage; longer ones are hostile.
NAME_MAX = 1000

_DIGITS = 9
_VERSION = regex(r"V\d+$")
_INDEX = regex(r"\[\d+\]$")
#: Each input of these is a stage of its own; of others the number is of a file or an epoch.
_BRANCHES = regex(r"(?:Zip|Concatenate|DirectedInterleave)(?:V\d+)?\[\d{1,3}\]")
_OWN_GENERATOR = regex(r"FlatMap(?:V\d+)?::Generator$")
_READERS = (
    r"TFRecord|TextLine|FixedLengthRecord|SSTable|RecordIO|ArrayRecord|CSV|Sql|LMDB|Generator|DatasetFromGraph|"
    r"SnapshotReader|SnapshotDatasetReader|Snapshot|Load|FileRead\w*|IO|Avro\w*|Parquet\w*|BigQuery\w*|SparseTensorSlice"
)
_READER = regex(rf"(?:{_READERS})(?:V\d+)?")
_ASYNC = regex(
    r"Prefetch|MapAndBatch|ParallelMap|ParallelInterleave|LegacyParallelInterleave|ParallelBatch|ParallelFilter|"
    r"ParseExample|DataService"
)
_STAGE_KINDS = {"read": ADVANCE, "preprocessing": PREPROCESSING, "enqueue": ENQUEUE}

_ENQUEUE_TYPE = regex(r"InfeedEnqueue\w*|MemcpyHToD|MEMCPYHtoD", re.IGNORECASE)
_READ_TYPE = regex(r"(?:Whole)?File(?:Reader\w*)|\w*Reader(?:Read|V2|ReadUpTo)\w*|ReadFile|TFRecordReader\w*")
_QUEUE_TYPE = regex(r"Queue(?:Dequeue|Enqueue)(?:Many|UpTo)?(?:V2)?|(?:FIFO|RandomShuffle)Queue\w*|Unstage|Stage")
CALLER = regex(r"(?:MultiDevice)?IteratorGetNext\w*")
_DECODE_TYPE = regex(r"Decode\w+|Parse(?:Single)?(?:Sequence)?Example\w*|\w*ExtractJpeg\w*")


def chain(name: str) -> str:
    """A tf.data iterator's name without the numbers that only tell files and epochs apart.

    >>> chain("Iterator::Root::ParallelInterleaveV4[3]::FlatMap[0]::TFRecord")
    'Iterator::Root::ParallelInterleaveV4::FlatMap::TFRecord'
    """
    return "::".join(part if _BRANCHES.fullmatch(part) else _INDEX.sub("", part) for part in name.split("::"))


def transformation(stage: str) -> str:
    """The last element of a chain: the kind of dataset, `ParallelMapV2`."""
    return stage.rpartition("::")[2]


def bare(name: str) -> str:
    """A kind of dataset without its version: `ParallelMap`."""
    return _VERSION.sub("", name)


def kinds(chain: str) -> list[str]:
    """The kinds of dataset of a chain, as they stand in it, without versions and indices."""
    return [bare(_INDEX.sub("", part)) for part in chain.split("::")]


def hands_over(stage: str) -> bool:
    """Whether the stage's elements are made on other threads than the one that asks it for them."""
    return bool(_ASYNC.fullmatch(bare(transformation(stage)))) or feeds_device(stage)


def small_number(text: str) -> int | None:
    """What an event says of a buffer; None where it is no number, or longer than any real one."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def feeds_device(stage: str) -> bool:
    """Whether it takes elements from a pipeline of the host for one of several devices.

    A user's own generator is a `Generator` below a `FlatMap`; without one it is TensorFlow's.
    """
    return stage.endswith("::Generator") and not _OWN_GENERATOR.search(stage)


def takes_from_service(stage: str) -> bool:
    """Whether its elements are made by workers of the tf.data service."""
    return bare(transformation(stage)) == "DataService"


def is_reader(stage: str) -> bool:
    return bool(_READER.fullmatch(transformation(stage))) and not feeds_device(stage)


def above(stage: str) -> str:
    """The stage that a stage feeds; empty for the first of a chain."""
    return _INDEX.sub("", stage.rpartition("::")[0])


def op_kind(type: str, iterators: bool) -> tuple[str, bool] | None:
    """Kind of work of an op outside of tf.data, and whether it only waits; None where it is no input op.

    iterators: whether the capture shows the iterators that `IteratorGetNext` calls, which then is only their caller.
    """
    if _ENQUEUE_TYPE.fullmatch(type):
        return ENQUEUE, False
    if _READ_TYPE.fullmatch(type):
        return ON_DEMAND, False
    if _QUEUE_TYPE.fullmatch(type):
        return PREPROCESSING, "Dequeue" in type or type == "Unstage"
    if CALLER.fullmatch(type):
        return None if iterators else (PREPROCESSING, True)
    return (PREPROCESSING, False) if _DECODE_TYPE.fullmatch(type) else None


def stage_kind(category: str) -> str:
    """Kind of work of a stage that the program marks itself."""
    return _STAGE_KINDS.get(category.lower(), OTHER)


ITERATOR, PRODUCE, CALL, BLOCKING, EXECUTOR = range(1, 6)
#: Of more chains than a program would have those of least time are one stage.
MAX_CHAINS, OTHER_CHAINS = 2000, "Iterator::others"

_FUNCTION = "InstantiatedCapturedFunction::"
_EXECUTOR = ("ExecutorState::Process", "ExecutorDoneCallback")
_PRODUCE = regex(r"(\w+?)(?:Produce|InitializeInput)")


class Frames(NamedTuple):
    """The events of all tf.data pipelines of a host.

    stages: distinct chains of iterators, as `chain` gives them. rows: of the events, ascending. kind: ITERATOR,
    PRODUCE, CALL (a function is started), BLOCKING (a function is called and waited for) or EXECUTOR (its ops run).
    stage: index of whose it is. self_ps: its duration without those of its thread that lie in it. around: index, among
    the frames, of the innermost that contains it on its thread, or -1. call: of what an executor runs, index of the
    frame that called the function, or -1.
    """

    stages: tuple[str, ...]
    rows: I64
    kind: U8
    stage: I32
    self_ps: I64
    around: I64
    call: I64


class _Named(NamedTuple):
    """By string id: frame kind, and stage of an iterator or the only one of a producer's kind, else -1."""

    stages: tuple[str, ...]
    kind: U8
    stage: I32


def has_iterators(timeline: Timeline) -> bool:
    """Whether a host's capture holds a call of an iterator."""
    return bool(_named(timeline).stages)


@derived
def frames(timeline: Timeline) -> Frames | None:
    """The frames of a host, None where its capture holds no call of an iterator."""
    named = _named(timeline)
    if not named.stages:
        return None
    rows = _rows(timeline, named)
    name = timeline.capture.events.name[rows]
    kind, stage = named.kind[name], named.stage[name].copy()
    around = _around(timeline, rows)
    _give_to_producers(named.stages, kind, stage, around)
    call = among(kind, (CALL, BLOCKING))
    inside = np.flatnonzero(call & (around >= 0))
    stage[inside] = stage[around[inside]]
    caller = _give_to_functions(timeline, rows, kind, stage)
    known = np.flatnonzero(stage >= 0)
    index = np.append(np.cumsum(stage >= 0) - 1, -1)
    rows, kind, stage, caller = rows[known], kind[known], stage[known], index[caller[known]]
    return Frames(named.stages, rows, kind, stage, self_among(timeline, rows), _around(timeline, rows), caller)


def _named(timeline: Timeline) -> _Named:
    strings = timeline.capture.strings
    kind, stage = np.zeros(len(strings), np.uint8), np.full(len(strings), -1, np.int32)
    pool: dict[str, int] = {}
    producers = []
    names = _names(timeline)
    body = has_body([strings[i] for i in names])
    for i in names:
        text = iterator_name(strings[i], body)
        if text.startswith("Iterator::"):
            name = chain(text[:NAME_MAX])
            name = name if name in pool or len(pool) < MAX_CHAINS else OTHER_CHAINS
            kind[i], stage[i] = ITERATOR, pool.setdefault(name, len(pool))
        elif text.startswith(_FUNCTION):
            kind[i] = CALL if text.endswith("Async") else BLOCKING
        elif text in _EXECUTOR:
            kind[i] = EXECUTOR
        elif (match := _PRODUCE.fullmatch(text)) is not None:
            producers.append((i, match[1]))
    for name in tuple(pool):
        _with_above(name, pool)
    by_kind: dict[str, list[int]] = {}
    for name, at in pool.items():
        by_kind.setdefault(bare(transformation(name)), []).append(at)
    for i, stem in producers:
        same_kind = by_kind.get(stem, [])
        kind[i] = PRODUCE
        stage[i] = same_kind[0] if len(same_kind) == 1 else -1
    return _Named(tuple(pool), kind, stage)


def _with_above(name: str, pool: dict[str, int]) -> None:
    """Add the stages that a stage feeds: of one whose calls outlast the capture only what it has done is in it."""
    while (name := above(name)).count("::") and name not in pool and len(pool) < MAX_CHAINS:
        pool[name] = len(pool)


def _names(timeline: Timeline) -> list[int]:
    """Ids of the strings that are names of events; where they may be too many chains, those of most time first."""
    events, count = timeline.capture.events, len(timeline.capture.strings)
    ids = timeline.capture.names_used
    if len(ids) > MAX_CHAINS:
        spent = np.bincount(events.name, events.duration_ps.astype(np.float64), count)
        ids = ids[np.argsort(-spent[ids], kind="stable")]
    ordered: list[int] = ids.tolist()
    return ordered


def _rows(timeline: Timeline, named: _Named) -> I64:
    """The events of host threads that have such a name."""
    capture = timeline.capture
    rows = np.flatnonzero(named.kind[capture.events.name])
    plane = capture.planes.kind[capture.tracks.plane[capture.events.track[rows]]]
    return rows[~among(plane, (PlaneKind.GPU, PlaneKind.TPU))]


def _around(timeline: Timeline, rows: I64) -> I64:
    """Index among some events, rows ascending, of the innermost that contains each, or -1."""
    wanted = np.zeros(len(timeline.capture.events), bool)
    wanted[rows] = True
    row = enclosing_of(timeline, wanted, rows)
    return np.where(row >= 0, np.searchsorted(rows, row), -1)


def _give_to_producers(stages: tuple[str, ...], kind: U8, stage: I32, around: I64) -> None:
    """A producer works for the stage that its first iterator feeds."""
    index = {name: i for i, name in enumerate(stages)}
    feeds = np.array([index.get(above(name), -1) for name in stages], np.int32)
    child = np.flatnonzero((kind == ITERATOR) & (around >= 0))[::-1]
    child = child[kind[around[child]] == PRODUCE]
    known = child[feeds[stage[child]] >= 0]
    stage[around[known]] = feeds[stage[known]]


def _give_to_functions(timeline: Timeline, rows: I64, kind: U8, stage: I32) -> I64:
    """What an executor runs belongs to the stage whose call of a function has its id; that call's index, or -1."""
    caller = np.full(len(rows), -1, np.int64)
    value, stat = timeline.stat_of("id", rows)
    has = among(stat, (StatKind.INT, StatKind.UINT))
    calls = np.flatnonzero(has & among(kind, (CALL, BLOCKING)) & (stage >= 0))
    if not len(calls):
        return caller
    ids, first = np.unique(value[calls], return_index=True)
    runs = np.flatnonzero(has & (kind == EXECUTOR))
    place = np.minimum(np.searchsorted(ids, value[runs]), len(ids) - 1)
    caller[runs] = np.where(ids[place] == value[runs], calls[first[place]], -1)
    stage[runs] = np.where(caller[runs] >= 0, stage[caller[runs]], -1)
    return caller


def consumes(timeline: Timeline, tf_frames: Frames) -> tuple[I64, I64]:
    """Rows of the events in which a stage takes an element that another thread made, and the frames around them."""
    capture = timeline.capture
    consume = [i for i in capture.names_used.tolist() if capture.strings[i].endswith("Consume")]
    if not consume:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    takes = np.zeros(len(capture.strings), bool)
    takes[consume] = True
    rows = np.flatnonzero(takes[capture.events.name])
    wanted = np.zeros(len(capture.events), bool)
    wanted[tf_frames.rows] = True
    around = enclosing_of(timeline, wanted, rows)
    inside = around >= 0
    return rows[inside], np.searchsorted(tf_frames.rows, around[inside])


def taken_ps(timeline: Timeline, tf_frames: Frames) -> I64:
    """By frame when the call of an iterator took its last element from other threads, which ends its waiting; or -1."""
    rows, frame = consumes(timeline, tf_frames)
    last = np.full(len(tf_frames.rows), -1, np.int64)
    np.maximum.at(last, frame, timeline.capture.events.start_ps[rows])
    return np.where(tf_frames.kind == ITERATOR, last, -1)


def by_workers(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """By event whether its thread is one of a worker of the tf.data service, which the program does not wait for."""
    capture = timeline.capture
    tracks, which = np.unique(capture.events.track[rows], return_inverse=True)
    names = [capture.strings[i] for i in capture.tracks.name[tracks].tolist()]
    served = np.array([name.startswith(SERVICE_WORKER) for name in names], bool)
    return served[which.reshape(-1)]


def covered(group: I32, begin: I64, end: I64, count: int) -> NDArray[np.float64]:
    """For each group 0 to count - 1: length of the union of its intervals."""
    order = np.lexsort((begin, group))
    group, begin, end = group[order], begin[order], end[order]
    times, ranks = np.unique(np.concatenate((begin, end)), return_inverse=True)
    low, high = ranks.reshape(2, -1)
    reach = np.maximum.accumulate(group.astype(np.int64) * len(times) + high) if len(group) else high
    before = np.concatenate(([-1], reach[:-1])) - group.astype(np.int64) * len(times)
    new = times[np.maximum(high, before)] - times[np.maximum(low, before)] if len(group) else begin
    return np.bincount(group, new, count).astype(np.float64)


# A timeline with Python's functions → which of them ran inside of some events, by their own time.

OF_A_FILE = regex(r"\$(.+\.py:\d+) (.*)", re.DOTALL)
_KEPT = 5

Ran = dict[int, tuple[tuple[str, float], ...]]


def has_python(timeline: Timeline) -> bool:
    """Whether functions of Python were recorded."""
    return any(text.startswith("$") and OF_A_FILE.fullmatch(text) for text in timeline.capture.strings)


def python_functions(timeline: Timeline, rows: I64, group: I32) -> Ran:
    """By group: functions that ran in these events, rows ascending, and how long, as (name, ps), largest first.

    The time of what is built in counts to the function that called it.
    """
    strings = timeline.capture.strings
    functions = [i for i, text in enumerate(strings) if text.startswith("$") and OF_A_FILE.fullmatch(text)]
    if not functions or not len(rows):
        return {}
    is_python = np.zeros(len(strings), bool)
    is_python[functions] = True
    name = timeline.capture.events.name
    is_given = np.zeros(len(name), bool)
    is_given[rows] = True
    python = np.flatnonzero(is_python[name])
    around = np.where(is_given[python], python, enclosing_of(timeline, is_given, python))
    python, around = python[around >= 0], around[around >= 0]
    self_ps = self_among(timeline, python).astype(np.float64)
    return largest(group[np.searchsorted(rows, around)], name[python], self_ps, lambda i: function_name(strings[i]))


def function_name(text: str) -> str:
    """`$train.py:14 parse` → `parse (train.py:14)`."""
    match = OF_A_FILE.fullmatch(text)
    return f"{match[2]} ({match[1]})" if match else text.removeprefix("$")


def largest(group: I32, key: I32, self_ps: NDArray[np.float64], name: Callable[[int], str]) -> Ran:
    """By group the names whose keys have the largest sums."""
    n = int(key.max()) + 1 if len(key) else 1
    pairs, which = np.unique(group.astype(np.int64) * n + key, return_inverse=True)
    sums = np.bincount(which.reshape(-1), self_ps, len(pairs))
    by_group: dict[int, dict[str, float]] = {}
    for pair, ps in zip(pairs.tolist(), sums.tolist(), strict=True):
        of_group = by_group.setdefault(pair // n, {})
        called = name(pair % n)
        of_group[called] = of_group.get(called, 0.0) + ps
    return {i: tuple(sorted(of_group.items(), key=lambda item: -item[1])[:_KEPT]) for i, of_group in by_group.items()}
