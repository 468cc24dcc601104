"""The rows of the input pages' tables → the calls that each sums up."""

from __future__ import annotations

import numpy as np

from ...analysis.input.bottleneck import Stage
from ...analysis.input.frames import ITERATOR, frames, transformation
from ...analysis.input.other import calls_of_stage
from ...analysis.input.stages import kind_of
from ...analysis.steps.means import STEPS_FROM, host_steps
from ...analysis.tf_data.host import Host
from ...tables import RowKey
from ...timeline.timeline import Timeline
from .proof import NO_ROWS, Marked, of_durations


def stage(timeline: Timeline, key: RowKey) -> Marked:
    """Calls of a stage: of tf.data's iterators, or of another library's."""
    tf_frames = frames(timeline)
    rows = NO_ROWS
    if tf_frames is not None:
        wanted = np.array(
            [_is_stage(key, name, transformation(name), kind_of(name)) for name in tf_frames.stages], bool
        )
        rows = tf_frames.rows[wanted[tf_frames.stage] & (tf_frames.kind == ITERATOR)]

    def is_wanted(one: Stage) -> bool:
        return _is_stage(key, one.name, one.type, one.kind)

    return of_durations(timeline, np.sort(np.concatenate((rows, calls_of_stage(timeline, tf_frames, is_wanted)))))


def _is_stage(key: RowKey, name: str, type: str, kind: str) -> bool:
    return key.holds("op", name) and key.holds("transformation", type) and key.holds("kind", kind)


def pipeline(timeline: Timeline, key: RowKey) -> Marked:
    """Calls of a tf.data pipeline by what uses it."""
    tf_frames = frames(timeline) if key.holds("host", timeline.host) else None
    if tf_frames is None or not (tf_frames.kind == ITERATOR).any():
        return of_durations(timeline, NO_ROWS)
    host = Host(timeline, host_steps(timeline, {STEPS_FROM.name: "auto"}), tf_frames)
    wanted = [i for i, name in enumerate(host.pipes.name) if key.holds("pipeline", name)]
    calls = np.isin(host.pipes.call_pipeline, wanted)
    return of_durations(timeline, np.sort(tf_frames.rows[host.pipes.call_frame[calls]]))
