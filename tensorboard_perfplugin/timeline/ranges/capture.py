"""A capture and pieces of its events → the capture of these alone. Rows of planes, tracks and strings are the same."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import Aggregates, Capture, Events, KernelLaunches, Launched
from .pieces import Pieces


def capture_of(capture: Capture, pieces: Pieces) -> Capture:
    """What has no place in time is left out: nobody knows when it was. The quality is that of the whole file."""
    row = pieces.row
    track = capture.events.track[row]
    taken = {name: column[row] for name, column in capture.events.columns().items()}
    events = Events(**{**taken, "start_ps": pieces.start_ps, "duration_ps": pieces.duration_ps})
    tracks = np.arange(len(capture.tracks))
    begin, end = (np.searchsorted(track, tracks, side=side).astype(np.int64) for side in ("left", "right"))
    return dataclasses.replace(
        capture,
        tracks=dataclasses.replace(capture.tracks, events_begin=begin, events_end=end),
        events=events,
        aggregates=Aggregates.empty(),
        find_launches=lambda: _launches(capture, pieces),
    )


def _launches(capture: Capture, pieces: Pieces) -> KernelLaunches:
    found = capture.kernel_launches
    launch = found.events.of(pieces.row)
    has = np.flatnonzero(launch >= 0)
    return KernelLaunches(found.launches, Launched(has, launch[has].astype(np.int32)), Launched.empty())
