"""The rows of the input pages' tables → the calls that each sums up."""

from __future__ import annotations

import numpy as np

from ..timeline import Timeline
from ._input_bottleneck import Stage
from ._input_frames import ITERATOR, frames
from ._input_names import transformation
from ._input_other import calls_of_stage
from ._input_stages import kind_of
from ._proof import NO_ROWS, Marked, of_durations
from ._row_key import RowKey
from ._step_options import STEPS_FROM
from ._steps import host_steps
from ._tfdata_host import Host


def stage(timeline: Timeline, key: RowKey) -> Marked:
    """Calls of a stage: of tf.data's iterators, or of another library's."""
    found = frames(timeline)
    rows = NO_ROWS
    if found is not None:
        wanted = np.array([_is_stage(key, name, transformation(name), kind_of(name)) for name in found.stages], bool)
        rows = found.rows[wanted[found.stage] & (found.kind == ITERATOR)]

    def is_wanted(one: Stage) -> bool:
        return _is_stage(key, one.name, one.type, one.kind)

    return of_durations(timeline, np.sort(np.concatenate((rows, calls_of_stage(timeline, found, is_wanted)))))


def _is_stage(key: RowKey, name: str, type: str, kind: str) -> bool:
    return key.holds("op", name) and key.holds("transformation", type) and key.holds("kind", kind)


def pipeline(timeline: Timeline, key: RowKey) -> Marked:
    """Calls of a tf.data pipeline by what uses it."""
    found = frames(timeline) if key.holds("host", timeline.host) else None
    if found is None or not (found.kind == ITERATOR).any():
        return of_durations(timeline, NO_ROWS)
    host = Host(timeline, host_steps(timeline, {STEPS_FROM.name: "auto"}), found)
    wanted = [i for i, name in enumerate(host.pipes.name) if key.holds("pipeline", name)]
    calls = np.isin(host.pipes.call_pipeline, wanted)
    return of_durations(timeline, np.sort(found.rows[host.pipes.call_frame[calls]]))
