"""Calls of Python in a pipeline → how much longer they take while the program runs Python itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...tables import I64, Intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import Timeline
from .bottleneck import Stage
from .frames import BLOCKING, EXECUTOR, Frames
from .names import PYTHON_OPS

WAITED = Threshold(
    "calls while the program waits",
    8,
    "calls",
    "calls of a pipeline's Python that begin while the program waits for them; fewer do not tell how long they take "
    "where no other Python runs",
    CHOSEN,
)
SHORTER = Threshold(
    "calls while the program waits take",
    0.8,
    "share",
    "of what all calls take, and less: Python runs one thread at a time, and the others wait for the program's own",
    CHOSEN,
)


def with_held_up(timeline: Timeline, tf_frames: Frames, stages: Iterable[Stage], waits: Intervals) -> Iterator[Stage]:
    """The stages, those that call Python with how long the calls were held up. waits: when the program waited."""
    index = {name: i for i, name in enumerate(tf_frames.stages)}
    for stage in stages:
        calls_python = any(name in PYTHON_OPS for name, _ in stage.ran)
        i = index.get(stage.name, -1) if calls_python else -1
        yield stage if i < 0 else stage.with_times(held_up_ps=_held_up_ps(timeline, tf_frames, i, waits))


def _held_up_ps(timeline: Timeline, tf_frames: Frames, stage: int, waits: Intervals) -> float:
    calls = _calls(tf_frames, stage)
    took = tf_frames.self_ps[calls]
    began = timeline.capture.events.start_ps[tf_frames.rows[calls]]
    row = np.searchsorted(waits.begin, began, "right") - 1
    alone = (row >= 0) & (began < waits.end[row]) if len(waits.begin) else np.zeros(len(calls), bool)
    if alone.sum() < WAITED.value:
        return 0.0
    alone_ps, all_ps = float(took[alone].mean()) * len(took), float(took.sum())
    return all_ps - alone_ps if alone_ps <= SHORTER.value * all_ps else 0.0


def _calls(tf_frames: Frames, stage: int) -> I64:
    """The calls of its function that its own thread waits for; without any what ran in it."""
    of_stage = tf_frames.stage == stage
    calls = np.flatnonzero(of_stage & (tf_frames.kind == BLOCKING))
    return calls if len(calls) else np.flatnonzero(of_stage & (tf_frames.kind == EXECUTOR))
