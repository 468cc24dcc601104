"""A timeline → how long the driver of its devices took to start: calls that last so long happen once."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...tables import PlaneKind, among, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import SYNCHRONIZES, Timeline, devices_of
from ...timeline.split import union

LONG = Threshold(
    "a call that starts the driver",
    10**11,
    "ps",
    "calls of the driver take µs, and to load a kernel some ms; one that goes on so long makes a context or loads a "
    "program's kernels",
    CHOSEN,
)
_DEVICES = (PlaneKind.GPU, PlaneKind.TPU)
_CALLS = re.compile(rf"(?!{SYNCHRONIZES})(?:cu|cuda|hip)[A-Z]\w*")


class DriverStart(NamedTuple):
    """ps: of such calls, while no device worked; of_ps: the host's span of events. call: name of the longest, which
    takes call_ps; when: its begin, end and track. calls: how many there are."""

    ps: int = 0
    of_ps: int = 0
    call: str = ""
    call_ps: int = 0
    calls: int = 0
    when: tuple[int, int, int] = (0, 0, -1)


def driver_start(timeline: Timeline) -> DriverStart:
    capture = timeline.capture
    events, rows = capture.events, capture.events_named(_CALLS)
    rows = rows[events.duration_ps[rows] >= LONG.value]
    rows = rows[~among(capture.planes.kind[capture.tracks.plane[events.track[rows]]], _DEVICES)]
    if not len(rows):
        return DriverStart()
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    busy = [device.busy for device in devices_of(timeline) if device.events]
    calls = intervals.union(begin, end)
    calls = intervals.subtraction(calls, union(busy))
    row = int(rows[np.argmax(end - begin)])
    start, length = int(events.start_ps[row]), int(events.duration_ps[row])
    first, last = capture.span_ps
    when = (start, start + length, int(events.track[row]))
    return DriverStart(calls.total, last - first, capture.event_name(row), length, len(rows), when)
