"""A timeline → the tracks of a device on which it ran something."""

from __future__ import annotations

import numpy as np

from ...tables import I64
from ...timeline import Timeline, ops_of, remembered

_NO_ROWS = np.empty(0, np.int64)


def device_tracks(timeline: Timeline, plane: int) -> I64:
    """The tracks of a device on which it ran something."""
    return remembered(timeline, _tracks_by_device).get(plane, _NO_ROWS)


def _tracks_by_device(timeline: Timeline) -> dict[int, I64]:
    """Of all devices at once: there may be ten thousand."""
    used = np.bincount(timeline.capture.events.track[ops_of(timeline).device.rows], minlength=1)
    tracks = np.flatnonzero(used)
    plane = timeline.capture.tracks.plane[tracks]
    tracks = tracks[np.argsort(plane, kind="stable")]
    which, first = np.unique(np.sort(plane), return_index=True)
    return dict(zip(which.tolist(), np.split(tracks, first[1:]), strict=True)) if len(tracks) else {}
