"""A timeline's frames of tf.data → its iterators, each with the one that it feeds, and the pipelines they make up."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, among
from ...timeline import Timeline
from ..input import BLOCKING, CALL, EXECUTOR, ITERATOR, PRODUCE, Frames, above

#: So many stages above its own distinguish an iterator from another that had its number.
_DEEP = 32


@dataclasses.dataclass(frozen=True)
class Iterators:
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
    """Who feeds whom: by numbers, and where an event has none, or its parent was not recorded, by names."""
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
