"""Frames of tf.data → the call of a pipeline for which each was made: by thread, by element, and by function."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, among
from ...timeline import Timeline
from ..input import PRODUCE, Frames, consumes
from .iterators import Iterators
from .pipelines import Pipelines


class Links(NamedTuple):
    """on_thread: by frame, the call of a pipeline that contains it on its thread, an index in `Pipelines.call_frame`,
    or -1. made_for: the call that got the element it worked for, or -1. before: by call, whether an element that it
    took was begun before the capture.
    """

    on_thread: I64
    made_for: I64
    before: NDArray[np.bool_]


def links(timeline: Timeline, tf_frames: Frames, its: Iterators, pipes: Pipelines) -> Links:
    """Who worked for which call; circles, which only a damaged file has, belong to none."""
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
    """By frame that produces an element, the call that took it, or -1; and calls that took what nobody produced."""
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
