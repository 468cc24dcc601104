"""A timeline → when a host waits for devices that show no work: what they do then is not in the capture."""

from __future__ import annotations

import re

from ...tables import EMPTY, I64, Intervals, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import SYNCHRONIZES, Timeline, derived, devices_of
from ...timeline.split import union

LONG = Threshold(
    "a wait for nothing that is seen",
    10**9,
    "ps",
    "a call that waits for a device returns some µs after its work ended; one that goes on for so much longer waits "
    "for work that was launched before the capture, or that the profiler lost",
    CHOSEN,
)
_SYNCHRONIZES = re.compile(SYNCHRONIZES)


@derived
def silent_waits(timeline: Timeline) -> Intervals:
    """Of all threads together, the parts of such calls in which no device ran anything; short ones left out."""
    rows = waiting_calls(timeline)
    devices = [device.busy for device in devices_of(timeline) if device.events]
    if not len(rows) or not devices:
        return EMPTY
    events = timeline.capture.events
    waits = intervals.union(events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows])
    busy = union(devices)
    silent = intervals.subtraction(waits, busy)
    long = silent.end - silent.begin >= LONG.value
    return Intervals(silent.begin[long], silent.end[long])


def waiting_calls(timeline: Timeline) -> I64:
    """The rows of the driver's calls that wait for a device, and take long enough."""
    rows = timeline.capture.events_named(_SYNCHRONIZES)
    return rows[timeline.capture.events.duration_ps[rows] >= LONG.value]
