"""A timeline's frames of tf.data → its iterators, each with the one that it feeds, and the pipelines they make up."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I64, StatKind, among
from ...timeline.timeline import Timeline
from ..input.frames import (
    BLOCKING,
    CALL,
    EXECUTOR,
    ITERATOR,
    NAME_MAX,
    PRODUCE,
    Frames,
    above,
    by_workers,
    consumes,
    feeds_device,
    takes_from_service,
    transformation,
)

#: So many stages above its own distinguish an iterator from another that had its number.
_DEEP = 32


class Iterators(msgspec.Struct, frozen=True):
    """The iterators of a host, those of which a call was recorded first.

    of: by frame, the iterator whose call or work it is, -1 where that is not known. id: TensorFlow's number as 64 bits,
    0 where its events give none: then all of a stage are one. stage: index in `Frames.stages`. row: of its first call,
    -1 where none was recorded. parent: the iterator that it feeds, -1 of a root. root: the last of these.
    cycles: how many iterators fed themselves; such a circle is cut open.
    """

    of: I64
    id: I64
    stage: I64
    row: I64
    parent: I64
    root: I64
    cycles: int


def iterators(timeline: Timeline, tf_frames: Frames) -> Iterators:
    """Parents: by numbers, and where an event has none, or its parent was not recorded, by names."""
    calls = np.flatnonzero(tf_frames.kind == ITERATOR)
    number, has_number = _number(timeline, "id", tf_frames.rows[calls])
    numbered = calls[has_number]
    ids, index = np.unique(number[has_number], return_inverse=True)
    # Two stages with one number, which only a damaged file has, are two iterators.
    pairs = index.reshape(-1) * len(tf_frames.stages) + tf_frames.stage[numbered]
    life, caller = _lives(timeline, tf_frames, numbered, ids, pairs)
    _, first_call, index = np.unique(life, return_index=True, return_inverse=True)
    ids = ids[pairs[first_call] // len(tf_frames.stages)]
    which = np.zeros(len(calls), np.int64)
    which[has_number] = index.reshape(-1)
    stages, index = np.unique(tf_frames.stage[calls[~has_number]], return_inverse=True)
    which[~has_number] = len(ids) + index.reshape(-1)
    n = len(ids) + len(stages)
    first = np.zeros(n, np.int64)
    first[which[::-1]] = calls[::-1]
    rows = tf_frames.rows[first]
    stage = tf_frames.stage[first].astype(np.int64)
    place = np.full(n, -1, np.int64)
    place[: len(ids)] = np.where(caller[first_call] >= 0, which[has_number][caller[first_call]], -1)
    parent, missing, missing_stage = _parents(timeline, tf_frames, ids, rows, stage, place)
    parent = _by_name(tf_frames.stages, np.concatenate((stage, missing_stage)), parent, n)
    parent, cycles = cut_open(parent)
    id = np.concatenate((ids, np.zeros(len(stages), np.int64), missing))
    row = np.concatenate((rows, np.full(len(missing), -1, np.int64)))
    of = _owners(tf_frames, calls, which, parent)
    every = np.concatenate((stage, missing_stage))
    return Iterators(of, id, every, row, parent, _last(parent), cycles)


def _number(timeline: Timeline, key: str, rows: I64) -> tuple[I64, NDArray[np.bool_]]:
    value, kind = timeline.stat_of(key, rows)
    return value, among(kind, (StatKind.INT, StatKind.UINT)) & (value != 0)


def _lives(timeline: Timeline, tf_frames: Frames, calls: I64, ids: I64, pair: I64) -> tuple[I64, I64]:
    """By call that has a number, of which iterator it is, and the index of its parent's call, -1 where none is needed.

    pair: number and stage of each. A number is an address, and the next epoch's iterators, or another dataset's, are
    often made where the last ones were. Such are kept apart by what they feed at that time, roots by their dataset.
    """
    rows = tf_frames.rows[calls]
    up, has_parent = _number(timeline, "parent_id", rows)
    up = np.where(has_parent, up, 0)
    dataset = np.zeros(len(calls), np.int64)
    name, kind = timeline.stat_of("name", rows[~has_parent])
    dataset[~has_parent] = np.where(kind == StatKind.TEXT, name + 1, 0)
    _, first, life = np.unique(pair, return_index=True, return_inverse=True)
    life = life.reshape(-1)
    caller = np.full(len(calls), -1, np.int64)
    if np.array_equal(up, up[first][life]) and np.array_equal(dataset, dataset[first][life]):
        return life, caller
    place = np.minimum(np.searchsorted(ids, up), len(ids) - 1)
    feeds = _above(tf_frames.stages)[tf_frames.stage[calls]]
    asks = np.flatnonzero(has_parent & (ids[place] == up) & (feeds >= 0))
    wanted = place[asks] * len(tf_frames.stages) + feeds[asks]
    start = timeline.capture.events.start_ps[rows]
    caller[asks] = _at_that_time(pair, start, wanted, start[asks])
    life = np.unique(life * (int(dataset.max()) + 1) + dataset, return_inverse=True)[1].reshape(-1)
    for _ in range(_DEEP):
        count = int(life.max()) + 1
        life = np.unique(life * (count + 1) + np.append(life, -1)[caller] + 1, return_inverse=True)[1].reshape(-1)
        if int(life.max()) + 1 == count:
            break
    return life, caller


def _at_that_time(pair: I64, start: I64, wanted: I64, at: I64) -> I64:
    """The last call of each wanted pair that began by then, or else its first; -1 where it has none."""
    n = len(pair)
    key = np.concatenate((pair, wanted))
    order = np.lexsort((np.arange(len(key)) >= n, np.concatenate((start, at)), key))
    index, call = np.arange(len(order)), order < n
    before = order[np.maximum.accumulate(np.where(call, index, 0))]
    after = order[np.minimum.accumulate(np.where(call, index, len(order) - 1)[::-1])[::-1]]
    nearest_call = np.full(len(key), -1, np.int64)
    for nearest in (after, before):
        nearest_call[order] = np.where((nearest < n) & (key[nearest] == key[order]), nearest, nearest_call[order])
    return nearest_call[n:]


def _parents(
    timeline: Timeline, tf_frames: Frames, ids: I64, rows: I64, stage: I64, place: I64
) -> tuple[I64, I64, I64]:
    """By iterator its parent, -1 where it has none by number, -2 at the parents of which no call was recorded.

    These are appended: their numbers and stages come second and third. place: the parents that are known.
    """
    feeds = _above(tf_frames.stages)[stage]
    up, has_parent = _number(timeline, "parent_id", rows)
    place = np.where(place >= 0, place, _of_number(ids, stage[: len(ids)], up, feeds))
    known = has_parent & (place >= 0)
    unseen = np.flatnonzero(has_parent & ~known & (feeds >= 0))
    missing, first, which = np.unique(up[unseen], return_index=True, return_inverse=True)
    parent = np.full(len(rows) + len(missing), -1, np.int64)
    parent[: len(rows)][known] = place[known]
    parent[unseen] = len(rows) + which.reshape(-1)
    return parent, missing, feeds[unseen[first]]


def _of_number(ids: I64, stage: I64, wanted: I64, at: I64) -> I64:
    """The iterators of some numbers, -1 where there is none; of several with one number the one at that stage."""
    low = np.searchsorted(ids, wanted)
    iterator = np.where(low < np.searchsorted(ids, wanted, side="right"), low, -1)
    several = np.flatnonzero(np.searchsorted(ids, wanted, side="right") - low > 1)
    if len(several):
        numbers = np.unique(ids, return_inverse=True)[1].reshape(-1)
        count = max(int(stage.max()), int(at.max())) + 2
        keys = numbers * count + stage
        key = numbers[low[several]] * count + at[several]
        place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        iterator[several] = np.where(keys[place] == key, place, low[several])
    return iterator


def _above(stages: tuple[str, ...]) -> I64:
    """By stage, the one that it feeds, -1 of the first of a chain."""
    index = {name: i for i, name in enumerate(stages)}
    return np.array([index.get(above(name), -1) for name in stages], np.int64)


def _by_name(stages: tuple[str, ...], stage: I64, parent: I64, seen: int) -> I64:
    """Iterators without a parent get the first iterator of the nearest stage above theirs that has one."""
    first = np.full(len(stages) + 1, -1, np.int64)
    first[stage[::-1]] = np.arange(len(stage))[::-1]
    up = np.append(_above(stages), -1)
    alone = np.flatnonzero(parent < 0)
    at = up[stage[alone]]
    for _ in range(len(stages)):
        look = (at >= 0) & (first[at] < 0)
        if not look.any():
            break
        at[look] = up[at[look]]
    parent = parent.copy()
    parent[alone] = np.where(at >= 0, first[at], -1)
    return parent


def cut_open(parent: I64) -> tuple[I64, int]:
    """The same without circles: of each, the first iterator becomes a root; and how many there were."""
    n = len(parent)
    jump, least = np.append(parent, n), np.append(np.arange(n), n)
    jump[jump < 0] = n
    for _ in range(max(n, 1).bit_length() + 1):
        least = np.minimum(least, least[jump])
        jump = jump[jump]
    inside = np.unique(jump[:n][jump[:n] < n])
    if not len(inside):
        return parent, 0
    first = np.unique(least[inside])
    parent = parent.copy()
    parent[first] = -1
    return parent, len(first)


def _last(parent: I64) -> I64:
    root = np.where(parent < 0, np.arange(len(parent)), parent)
    for _ in range(max(len(parent), 1).bit_length() + 1):
        root = root[root]
    return root


def _owners(tf_frames: Frames, calls: I64, which: I64, parent: I64) -> I64:
    """By frame its iterator: a producer's is what its first child feeds; a function's is its caller's."""
    of = np.full(len(tf_frames.rows), -1, np.int64)
    of[calls] = which
    around, kind = tf_frames.around, tf_frames.kind
    child = calls[(around[calls] >= 0)][::-1]
    child = child[kind[around[child]] == PRODUCE]
    of[around[child]] = parent[of[child]]
    called = np.flatnonzero(among(kind, (CALL, BLOCKING)) & (around >= 0))
    of[called] = of[around[called]]
    runs = np.flatnonzero((kind == EXECUTOR) & (tf_frames.call >= 0))
    of[runs] = of[tf_frames.call[runs]]
    return _alone(tf_frames, of, which, calls)


def _alone(tf_frames: Frames, of: I64, which: I64, calls: I64) -> I64:
    """Frames that name no iterator are of the first one of their stage."""
    first = np.full(len(tf_frames.stages), -1, np.int64)
    first[tf_frames.stage[calls[::-1]]] = which[::-1]
    return np.where(of < 0, first[tf_frames.stage], of)


# Iterators of a host → its input pipelines: their names, their calls, and which of them feed devices.

#: The dataset that fetches from a host's pipeline for one of several devices has this name.
_DEVICE = "device_prefetch"
#: So many pipelines of a host are looked into, those in which the program spent most time.
MAX_PIPELINES = 64
_UNNAMED = "pipeline"
_NAME_MAX = 100
_NUMBER = regex(r":\d+$")
#: So many pipelines of one name, under way at once, are kept apart from their next epochs.
_AT_ONCE = 16
#: Events in which TensorFlow makes the root of a pipeline.
_MAKES = ("MakeIterator::RootDataset", "MakeIterator::ModelDataset")
_CONTROL = regex(r"[\x00-\x1f\x7f]")


class Pipelines(msgspec.Struct, frozen=True):
    """The pipelines of a host, in the order of their first calls.

    root: the iterator at the end of each. name: distinct. device: whether it fetches what another pipeline makes, for a
    device or from the tf.data service. worker: whether a worker of that service asks it, not the program. fed_by: index
    of the pipeline that it fetches from, -1 for none. of: by frame, the pipeline, -1 where it is of none; of_iterator:
    by iterator. call_frame: frames that are calls of a pipeline by what uses it, ascending; call_pipeline: whose.
    """

    root: I64
    name: tuple[str, ...]
    device: NDArray[np.bool_]
    worker: NDArray[np.bool_]
    fed_by: I64
    of: I64
    of_iterator: I64
    call_frame: I64
    call_pipeline: I64

    def __len__(self) -> int:
        return len(self.root)

    def fed(self, host: int) -> list[int]:
        """The devices' pipelines that a host's feeds."""
        return np.flatnonzero(self.fed_by == host).tolist()


def pipelines(timeline: Timeline, tf_frames: Frames, its: Iterators) -> Pipelines:
    """The pipelines of a host, kept apart by the iterator at their end; those of epochs are one."""
    root_of = np.where(its.of >= 0, its.root[its.of], -1)
    calls = np.flatnonzero((tf_frames.kind == ITERATOR) & (its.of == root_of))
    roots, index = _epochs(timeline, tf_frames, its, calls, root_of[root_of >= 0])
    of = index[root_of]
    device = _devices(tf_frames, its, index, roots)
    count = np.bincount(of[calls], minlength=len(roots))
    fed_by = _fed_by(timeline, its, roots, device, count)
    worker = _workers(timeline, tf_frames.rows[calls], of[calls], len(roots))
    serves = np.flatnonzero(worker)
    if len(serves):
        takes = np.array([takes_from_service(name) for name in tf_frames.stages], bool)
        served = index[its.root[takes[its.stage]]]
        served = served[~worker[served] & (fed_by[served] < 0)]
        fed_by[served] = serves[np.argmax(count[serves])]
        device[served] = True
    names = _names(timeline, its, roots)
    return Pipelines(roots, names, device, worker, fed_by, of, index[its.root], calls, of[calls])


def _epochs(timeline: Timeline, tf_frames: Frames, its: Iterators, calls: I64, working: I64) -> tuple[I64, I64]:
    """The roots that begin a pipeline, in the order of their first calls; and by root, and -1, its pipeline's index.

    calls: frames that are calls of roots. working: the roots of all frames.
    Each epoch has iterators of its own, often at the addresses of earlier ones, which are their numbers: a root has a
    life between each two iterators made. One goes on with what ended before it began and has its name; TensorFlow
    numbers that anew where a tf.function loops.
    """
    fetches = np.zeros(len(its.id), bool)
    fetches[its.root[np.array([feeds_device(name) for name in tf_frames.stages], bool)[its.stage]]] = True
    going: dict[tuple[str, str, int], list[int]] = {}
    firsts: list[int] = []
    until: list[int] = []
    index = np.full(len(its.id) + 1, -1, np.int64)
    for root, begin, end in zip(*_pipelines_lives(timeline, tf_frames, its, calls, working), strict=True):
        if index[root] >= 0:
            until[index[root]] = max(until[index[root]], end)
            continue
        dataset, stage = _dataset(timeline, int(its.row[root])), int(its.stage[root])
        name = dataset.get("name", "")
        if transformation(tf_frames.stages[stage]) != "Root":
            name = _NUMBER.sub("", name)
        same = going.setdefault((name, dataset.get("shapes", ""), stage), [])
        before = next((pipeline for pipeline in same if until[pipeline] <= begin), -1)
        if not name or fetches[root] or before < 0:
            before = len(firsts)
            firsts.append(root)
            until.append(end)
            same.append(before)
            del same[:-_AT_ONCE]
        until[before] = end
        index[root] = before
    return np.array(firsts, np.int64), index


def _pipelines_lives(
    timeline: Timeline, tf_frames: Frames, its: Iterators, calls: I64, working: I64
) -> tuple[list[int], list[int], list[int]]:
    """The lives of roots by the begin of their first calls: root, begin, end in ps. One never called has its last."""
    events, strings = timeline.capture.events, timeline.capture.strings
    start = events.start_ps[tf_frames.rows[calls]]
    makes = [i for i in (strings.find(name) for name in _MAKES) if i >= 0]
    made = np.sort(events.start_ps[among(events.name, makes)]) if makes else start[:0]
    lives, of = np.unique(its.of[calls] * (len(made) + 1) + np.searchsorted(made, start), return_inverse=True)
    begin = np.full(len(lives), np.iinfo(np.int64).max)
    np.minimum.at(begin, of.reshape(-1), start)
    end = np.full(len(lives), -1)
    np.maximum.at(end, of.reshape(-1), start + events.duration_ps[tf_frames.rows[calls]])
    root = lives // (len(made) + 1)
    never = np.setdiff1d(np.unique(working), root)
    root = np.concatenate((root, never))
    begin = np.concatenate((begin, np.full(len(never), np.iinfo(np.int64).max)))
    end = np.concatenate((end, np.full(len(never), -1)))
    order = np.argsort(begin, kind="stable")
    return root[order].tolist(), begin[order].tolist(), end[order].tolist()


def _workers(timeline: Timeline, rows: I64, of: I64, count: int) -> NDArray[np.bool_]:
    """By pipeline whether the threads that called it are a worker's of the tf.data service. rows, of: of each call."""
    asked: NDArray[np.bool_] = np.bincount(of, by_workers(timeline, rows), minlength=count) > 0
    return asked


def _dataset(timeline: Timeline, row: int) -> dict[str, str]:
    """What an iterator's event says of its dataset."""
    if row < 0:
        return {}
    return {key: str(value) for key, value in timeline.capture.event_values(row) if key in ("name", "shapes")}


def _devices(tf_frames: Frames, its: Iterators, index: I64, roots: I64) -> NDArray[np.bool_]:
    """Pipelines with TensorFlow's own generator at any depth."""
    fetches = np.array([feeds_device(name) for name in tf_frames.stages], bool)
    device = np.zeros(len(roots), bool)
    device[index[its.root[fetches[its.stage]]]] = True
    return device


def _fed_by(timeline: Timeline, its: Iterators, roots: I64, device: NDArray[np.bool_], calls: I64) -> I64:
    """A device's elements have the shapes of its host's pipeline; of several such, the one called most often."""
    fed_by = np.full(len(roots), -1, np.int64)
    hosts = np.flatnonzero(~device)
    if not len(hosts) or not device.any():
        return fed_by
    hosts = hosts[np.argsort(-calls[hosts], kind="stable")][:MAX_PIPELINES]
    by_shapes: dict[str, int] = {}
    for host in hosts.tolist():
        by_shapes.setdefault(_dataset(timeline, int(its.row[roots[host]])).get("shapes", ""), host)
    for pipeline in np.flatnonzero(device).tolist()[: MAX_PIPELINES * MAX_PIPELINES]:
        shapes = _dataset(timeline, int(its.row[roots[pipeline]])).get("shapes", "")
        fed_by[pipeline] = by_shapes.get(shapes, int(hosts[0]))
    return fed_by


def _names(timeline: Timeline, its: Iterators, roots: I64) -> tuple[str, ...]:
    """The dataset's own name, with a number where several have it."""
    used: dict[str, int] = {}
    names = []
    for row in its.row[roots].tolist():
        name = _CONTROL.sub(" ", _dataset(timeline, row).get("name", "")[:NAME_MAX]).strip()[:_NAME_MAX] or _UNNAMED
        used[name] = used.get(name, 0) + 1
        names.append(name if used[name] == 1 and name != _UNNAMED else f"{name} #{used[name]}")
    return tuple(names)


class Latency(msgspec.Struct, frozen=True):
    """How long calls of a pipeline took, in ps. slow: how many were slow."""

    calls: int
    total: int
    min: int
    p50: int
    p90: int
    p99: int
    max: int
    slow: int

    @property
    def mean(self) -> float:
        return self.total / self.calls


def latencies(durations: I64, of: I64, count: int, slow_ps: int) -> list[Latency | None]:
    """By pipeline; None where it was not called. A percentile is the least duration that so many do not exceed."""
    order = np.lexsort((durations, of))
    durations, of = durations[order], of[order]
    begin = np.searchsorted(of, np.arange(count + 1))
    by_pipeline: list[Latency | None] = []
    sums = np.concatenate(([0.0], np.cumsum(durations.astype(np.float64))))
    slow = np.concatenate(([0], np.cumsum(durations > slow_ps)))
    for low, high in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        n = high - low
        if not n:
            by_pipeline.append(None)
            continue
        least, p50, p90, p99, most = (int(durations[low + max(-(-n * p // 100) - 1, 0)]) for p in (0, 50, 90, 99, 100))
        total = int(sums[high] - sums[low])
        by_pipeline.append(Latency(n, total, least, p50, p90, p99, most, int(slow[high] - slow[low])))
    return by_pipeline


# Frames of tf.data → the call of a pipeline for which each was made: by thread, by element, and by function.


class Links(NamedTuple):
    """on_thread: by frame, the call of a pipeline that contains it on its thread, an index in `Pipelines.call_frame`,
    or -1. made_for: the call that got the element it worked for, or -1. before: by call, whether an element that it
    took was begun before the capture.
    """

    on_thread: I64
    made_for: I64
    before: NDArray[np.bool_]


def links(timeline: Timeline, tf_frames: Frames, its: Iterators, pipes: Pipelines) -> Links:
    """The call that each event worked for; circles, which only a damaged file has, belong to none."""
    call = np.full(len(tf_frames.rows) + 1, -1, np.int64)
    call[pipes.call_frame] = np.arange(len(pipes.call_frame))
    up = tf_frames.around.copy()
    up[pipes.call_frame] = -1
    on_thread = call[_top(up)]
    consumer, lost = _consumers(timeline, tf_frames, its)
    alone = up < 0
    alone[pipes.call_frame] = False
    up = np.where(alone & (consumer >= 0), consumer, up)
    up = np.where(alone & (consumer < 0) & (tf_frames.call >= 0), tf_frames.call, up)
    before = np.zeros(len(pipes.call_frame), bool)
    taken = on_thread[lost]
    before[taken[taken >= 0]] = True
    return Links(on_thread, call[_top(up)], before)


def _top(up: I64) -> I64:
    """By frame the last of those that lead up from it; of what leads in a circle any of that."""
    n = len(up)
    top = np.where(up < 0, np.arange(n), up)
    for _ in range(max(n, 1).bit_length() + 1):
        above = top[top]
        if (above == top).all():
            break
        top = above
    return top


def _consumers(timeline: Timeline, tf_frames: Frames, its: Iterators) -> tuple[I64, I64]:
    """By frame that produces an element, the call that took it, or -1; and calls that took what no frame produced."""
    consumer = np.full(len(tf_frames.rows), -1, np.int64)
    made = np.flatnonzero((tf_frames.kind == PRODUCE) & (its.of >= 0))
    takes, frame = consumes(timeline, tf_frames)
    rows = np.concatenate((tf_frames.rows[made], takes))
    element, kind = timeline.stat_of("element_id", rows)
    has_element = among(kind, (StatKind.INT, StatKind.UINT)) & (element != -1)
    _, element = np.unique(element, return_inverse=True)
    key = np.concatenate((its.of[made], its.of[frame])) * (len(rows) + 1) + element.reshape(-1)
    is_made = np.arange(len(rows)) < len(made)
    keys, first = np.unique(key[has_element & ~is_made], return_index=True)
    takers = np.append(frame, -1)[np.flatnonzero(has_element & ~is_made)[first] - len(made)] if len(keys) else frame[:0]
    produced = np.flatnonzero(has_element & is_made)
    if len(keys):
        place = np.minimum(np.searchsorted(keys, key[produced]), len(keys) - 1)
        consumer[made[produced]] = np.where(keys[place] == key[produced], takers[place], -1)
    taken = np.flatnonzero(has_element & ~is_made)
    lost = taken[~among(key[taken], key[produced])]
    return consumer, frame[lost - len(made)]
