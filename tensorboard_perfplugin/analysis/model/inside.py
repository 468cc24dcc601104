"""Stretches of threads → what begins in them, and the kernels that are launched from there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, PlaneKind, at_once
from ...timeline import Timeline, launches_of, ops_of


def inside(timeline: Timeline, rows: I64, end_ps: I64) -> NDArray[np.bool_]:
    """By event: whether it is one of `rows`, or begins after one on its thread, and before that one's end."""
    events, tracks = timeline.capture.events, timeline.capture.tracks
    change = np.zeros(len(events) + 1, np.int64)
    for track in np.unique(events.track[rows]).tolist():
        here = np.flatnonzero(events.track[rows] == track) if len(rows) > 1 else np.zeros(1, np.int64)
        begin, end = int(tracks.events_begin[track]), int(tracks.events_end[track])
        last = begin + np.searchsorted(events.start_ps[begin:end], end_ps[here])
        np.add.at(change, rows[here], 1)
        np.add.at(change, np.maximum(last, rows[here] + 1), -1)
    found: NDArray[np.bool_] = np.cumsum(change[:-1]) > 0
    return found


def kernels_from(timeline: Timeline, where: NDArray[np.bool_]) -> I64:
    """The rows of what GPUs ran that was launched by some events; where: by event."""
    capture, rows = timeline.capture, ops_of(timeline).device.rows
    launch = launches_of(timeline).rows[at_once(rows)]
    mine = rows[(launch >= 0) & where[launch]]
    on_gpu: I64 = mine[(capture.planes.kind == PlaneKind.GPU)[capture.tracks.plane[capture.events.track[mine]]]]
    return on_gpu


def total_ps(timeline: Timeline, rows: I64) -> float:
    return float(timeline.capture.events.duration_ps[rows].sum(dtype=np.float64))
