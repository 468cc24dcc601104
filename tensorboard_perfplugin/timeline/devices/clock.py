"""When events of a device began and how long they took, by the device's own clock where it shows that."""

from __future__ import annotations

from ...tables import I64, PlaneKind, at_once
from ..timeline import Timeline, is_integer

DEVICE_CLOCK = ("device_offset_ps", "device_duration_ps")
MAX_PS = 1 << 61


def clocked(timeline: Timeline, plane: int, rows: I64) -> tuple[I64, I64, bool]:
    """Begin and duration of a device's events: on a TPU that says them by its own clock, by that.

    The events' own times there are fitted to the host's clock, which stretches some ops to twice their length and
    others to nothing. True where it is the device's clock.
    """
    events = timeline.capture.events
    if timeline.capture.planes.kind[plane] == PlaneKind.TPU and len(rows):
        (begin, b_kind), (duration, d_kind) = (timeline.stat_of(key, rows) for key in DEVICE_CLOCK)
        known = is_integer(b_kind) & is_integer(d_kind)
        if (known & (begin >= 0) & (begin < MAX_PS) & (duration >= 0) & (duration < MAX_PS)).all():
            return begin, duration, True
    at = at_once(rows)
    return events.start_ps[at], events.duration_ps[at], False
