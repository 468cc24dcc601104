"""Frames of tf.data → when each thread was in which of them, and whether it worked or waited there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ...timeline import Timeline
from ..input import BLOCKING, EXECUTOR, ITERATOR, Frames, feeds_device, hands_over, taken_ps


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
