"""A timeline and its steps → the launch calls that load a kernel or its module first, while no device works."""

from __future__ import annotations

import re

import numpy as np

from ...tables import EMPTY, Intervals, intervals
from ...timeline import Timeline, devices_of
from .ranking import NOTHING, Inside, Spent

#: A launch takes the host some 10 µs; one that lasts so long loads what it launches.
LOADING_PS = 10**9
_LAUNCH = re.compile(r"(?:cu|cuda|hip)(?!Graph)\w*Launch(?!HostFunc)\w*")


def loading(timeline: Timeline, inside: Inside) -> Spent:
    """How many such calls begin in the steps, and how long these last beside what devices do meanwhile."""
    capture = timeline.capture
    rows = capture.events_named(_LAUNCH)
    rows = rows[capture.events.duration_ps[rows] >= LOADING_PS]
    if not len(rows):
        return NOTHING
    begin = capture.events.start_ps[rows]
    here = inside(begin)
    calls = intervals.union(begin[here], (begin + capture.events.duration_ps[rows])[here])
    return Spent(int(np.count_nonzero(here)), int(intervals.subtraction(calls, _busy(timeline)).total))


def _busy(timeline: Timeline) -> Intervals:
    parts = [device.busy for device in devices_of(timeline)]
    if not parts:
        return EMPTY
    return intervals.union(np.concatenate([p.begin for p in parts]), np.concatenate([p.end for p in parts]))
