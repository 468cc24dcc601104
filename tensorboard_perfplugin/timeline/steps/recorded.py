"""Steps that somebody else measured, in a capture without a timeline → `Steps`."""

from __future__ import annotations

import numpy as np

from ...messages import Message
from ...tables import I64, RECORDED_STEPS
from ..timeline import Timeline, is_integer
from ..tracks.tracks import rows_of
from .model import Steps


def recorded_tracks(timeline: Timeline) -> I64:
    """The tracks of such steps that hold any, one a device."""
    tracks, wanted = timeline.capture.tracks, timeline.capture.strings.find(RECORDED_STEPS)
    return np.flatnonzero((tracks.name == wanted) & (tracks.events_end > tracks.events_begin))


def recorded(timeline: Timeline) -> Steps | None:
    """The steps of the first device: all devices' go side by side. Each is as long as on the slowest device."""
    tracks = recorded_tracks(timeline)
    if not len(tracks):
        return None
    events = timeline.capture.events
    rows = rows_of(timeline.capture, tracks[:1])
    wall = events.duration_ps[rows].copy()
    for track in tracks[1:].tolist():
        others = events.duration_ps[rows_of(timeline.capture, np.array([track]))]
        both = min(len(wall), len(others))
        wall[:both] = np.maximum(wall[:both], others[:both])
    number, kind = timeline.stat_of("step_num", rows)
    number = np.where(is_integer(kind), number, np.arange(len(rows)))
    end = np.cumsum(wall)
    begin = end - wall
    return Steps(
        rule="recorded",
        confidence="certain",
        evidence=Message("steps_seen.recorded"),
        reason=None,
        number=number,
        name=tuple(timeline.capture.strings.of(events.name[rows])),
        row=rows.astype(np.int32),
        lane=events.track[rows],
        begin_ps=begin,
        end_ps=end,
        # Each one's time is known, the last one's too.
        next_ps=end,
        cut=np.zeros(len(rows), np.uint8),
    )
