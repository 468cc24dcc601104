"""When a device ran something, and when it did not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import Capture, PlaneKind, intervals
from ..tables.capture import I64
from ..tables.intervals import Intervals
from . import _loops
from ._ops import device_tracks, devices, rows_of


class Activity(NamedTuple):
    """One device at work.

    plane: its row in `planes`. tracks: how many of its streams or op lines hold events. events: what ran on it.
    busy: union of their intervals. window_ps: the capture's span, which busy and idle time add up to.
    """

    plane: int
    tracks: int
    events: int
    busy: Intervals
    window_ps: tuple[int, int]

    @property
    def busy_ps(self) -> int:
        return self.busy.total

    @property
    def idle_ps(self) -> int:
        return self.window_ps[1] - self.window_ps[0] - self.busy.total

    def longest_idle(self, count: int) -> list[tuple[int, int]]:
        """The longest stretches of the window in which nothing ran, longest first, as (begin, end) in ps."""
        idle = intervals.gaps(self.busy, *self.window_ps)
        order = np.argsort(idle.begin - idle.end, kind="stable")[:count]
        return list(zip(idle.begin[order].tolist(), idle.end[order].tolist(), strict=True))


def activity(capture: Capture, plane: int) -> Activity:
    """What ran on a device, in its streams or op lines; derived and counter tracks count nothing."""
    tracks = device_tracks(capture, plane)
    rows = rows_of(capture, tracks)
    active = int((capture.tracks.events_end[tracks] > capture.tracks.events_begin[tracks]).sum())
    return Activity(plane, active, len(rows), busy(capture, rows), capture.span_ps)


def busy(capture: Capture, rows: I64) -> Intervals:
    """The union of the intervals of some events."""
    begin = capture.events.start_ps[rows]
    return intervals.union(begin, begin + capture.events.duration_ps[rows])


def device_self_ps(capture: Capture) -> NDArray[np.float64]:
    """Self time of all device events of all devices in turn; each device's add up to the time it is busy.

    On a TPU's op lines ops nest: the time belongs to the innermost. On a GPU several streams run at once: each
    instant is divided equally among the kernels and copies that run at it.
    """
    parts = [np.empty(0)]
    for plane in devices(capture):
        rows = rows_of(capture, device_tracks(capture, plane))
        if capture.planes.kind[plane] == PlaneKind.TPU:
            parts.append(self_among(capture, rows).astype(np.float64))
        else:
            parts.append(_shared(capture, rows))
    return np.concatenate(parts)


def self_among(capture: Capture, rows: I64) -> I64:
    """Self time of some events when only these count, within their tracks; rows ascend."""
    events = capture.events
    return _loops.nest(events.track[rows], events.start_ps[rows], events.duration_ps[rows]).self_ps


def _shared(capture: Capture, rows: I64) -> NDArray[np.float64]:
    begin, duration = capture.events.start_ps[rows], capture.events.duration_ps[rows]
    own = duration.astype(np.float64)
    if intervals.union(begin, begin + duration).total < duration.sum():
        real = np.flatnonzero(duration)
        own[real] = _loops.share(begin[real], (begin + duration)[real])
    return own
