"""When a device ran something, and when it did not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import Capture, PlaneKind, at_once, intervals
from ..tables.capture import I32, I64
from ..tables.intervals import Intervals
from . import _loops
from ._ops import INTEGER, device_rows

if TYPE_CHECKING:
    from ._timeline import Timeline

_DEVICE_CLOCK = ("device_offset_ps", "device_duration_ps")
_MAX_PS = 1 << 61


class Activity(NamedTuple):
    """One device at work.

    plane: its row in `planes`. tracks: how many of its streams or op lines hold events. events: what ran on it.
    busy: union of their intervals. busy_ps: time in which at least one ran; the union's length, on a TPU by the
    device's own clock. window_ps: the capture's span, which busy and idle time add up to.
    """

    plane: int
    tracks: int
    events: int
    busy: Intervals
    busy_ps: int
    window_ps: tuple[int, int]

    @property
    def idle_ps(self) -> int:
        return max(self.window_ps[1] - self.window_ps[0] - self.busy_ps, 0)

    def longest_idle(self, count: int) -> list[tuple[int, int]]:
        """The longest stretches of the window in which nothing ran, longest first, as (begin, end) in ps."""
        idle = intervals.gaps(self.busy, *self.window_ps)
        order = np.argsort(idle.begin - idle.end, kind="stable")[:count]
        return list(zip(idle.begin[order].tolist(), idle.end[order].tolist(), strict=True))


class Spans(NamedTuple):
    """What ran on all devices, row by row of `ops.device`: duration and self time in ps."""

    duration_ps: I64
    self_ps: NDArray[np.float64]


def activity(timeline: Timeline, plane: int) -> Activity:
    """What ran on a device, in its streams or op lines; derived and counter tracks and overhead count nothing."""
    capture = timeline.capture
    rows = device_rows(timeline, plane)
    # Events are by track.
    active = int(np.count_nonzero(np.diff(capture.events.track[at_once(rows)], prepend=-1)))
    shown = busy(capture, rows)
    begin, duration, own_clock = clocked(timeline, plane, rows)
    busy_ps = intervals.union(begin, begin + duration).total if own_clock else shown.total
    return Activity(plane, active, len(rows), shown, busy_ps, capture.span_ps)


def busy(capture: Capture, rows: I64) -> Intervals:
    """The union of the intervals of some events."""
    at = at_once(rows)
    begin = capture.events.start_ps[at]
    return intervals.union(begin, begin + capture.events.duration_ps[at])


def device_spans(timeline: Timeline) -> Spans:
    """Duration and self time of all device events of all devices in turn; each device's add up to its busy time.

    On a TPU's op lines ops nest: the time belongs to the innermost. On a GPU several streams run at once: each
    instant is divided equally among the kernels and copies that run at it.
    """
    capture = timeline.capture
    parts = [Spans(np.empty(0, np.int64), np.empty(0))]
    for device in timeline.devices:
        rows = device_rows(timeline, device.plane)
        begin, duration, _ = clocked(timeline, device.plane, rows)
        if capture.planes.kind[device.plane] == PlaneKind.TPU:
            own = _nested(capture.events.track[rows], begin, duration)
        elif device.busy_ps < duration.sum():
            own = _shared(begin, duration)
        else:
            own = duration.astype(np.float64)
        parts.append(Spans(duration, own))
    return Spans(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def self_among(capture: Capture, rows: I64) -> I64:
    """Self time of some events when only these count, within their tracks; rows ascend."""
    events = capture.events
    at = at_once(rows)
    return _loops.nest(events.track[at], events.start_ps[at], events.duration_ps[at]).self_ps


def clocked(timeline: Timeline, plane: int, rows: I64) -> tuple[I64, I64, bool]:
    """Begin and duration of a device's events: on a TPU that says them by its own clock, by that.

    The events' own times there are fitted to the host's clock, which stretches some ops to twice their length and
    others to nothing. True where it is the device's clock.
    """
    events = timeline.capture.events
    if timeline.capture.planes.kind[plane] == PlaneKind.TPU and len(rows):
        (begin, b_kind), (duration, d_kind) = (timeline.stat_of(key, rows) for key in _DEVICE_CLOCK)
        known = np.isin(b_kind, INTEGER) & np.isin(d_kind, INTEGER)
        if (known & (begin >= 0) & (begin < _MAX_PS) & (duration >= 0) & (duration < _MAX_PS)).all():
            return begin, duration, True
    at = at_once(rows)
    return events.start_ps[at], events.duration_ps[at], False


def _nested(track: I32, begin: I64, duration: I64) -> NDArray[np.float64]:
    order = np.lexsort((-duration, begin, track))
    own = np.empty(len(order))
    own[order] = _loops.nest(track[order], begin[order], duration[order]).self_ps
    return own


def _shared(begin: I64, duration: I64) -> NDArray[np.float64]:
    if duration.all():
        return _loops.share(begin, begin + duration)
    own = np.zeros(len(begin))
    real = np.flatnonzero(duration)
    own[real] = _loops.share(begin[real], (begin + duration)[real])
    return own
