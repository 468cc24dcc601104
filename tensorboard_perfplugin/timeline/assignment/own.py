"""Steps on devices that show their own clock → the same steps, measured by that."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I64, among
from ..devices.activity import units_at_work_of
from ..devices.own_clock import own_clock
from ..steps.model import Own, Steps
from ..timeline import Timeline


def by_own_clock(timeline: Timeline, steps: Steps) -> Steps:
    """Steps that a host's thread marks and times are by the host's clock, and so are those of which a part has no
    other."""
    if not steps.on_device or not len(steps):
        return steps
    plane = _planes(timeline, steps)
    begin, wall, span = (np.zeros(len(steps), np.int64) for _ in range(3))
    for one in np.unique(plane).tolist():
        clock = own_clock(timeline, one) if one >= 0 else None
        if clock is None:
            return steps
        mine = plane == one
        begin[mine] = clock.begins_at(steps.begin_ps[mine])
        end = clock.ends_at(steps.end_ps[mine])
        after = np.where(steps.next_ps[mine] >= 0, clock.begins_at(steps.next_ps[mine]), end)
        wall[mine], span[mine] = np.maximum(after - begin[mine], 0), np.maximum(end - begin[mine], 0)
    return dataclasses.replace(steps, own=Own(plane, begin, wall, span))


def _planes(timeline: Timeline, steps: Steps) -> I64:
    """By step the device that marks it, else the first at work that has a clock; -1 for none."""
    capture = timeline.capture
    clocks = (d.plane for d in units_at_work_of(timeline) if own_clock(timeline, d.plane) is not None)
    first = next(clocks, -1)
    if not (steps.row >= 0).all():
        return np.full(len(steps), first, np.int64)
    plane = capture.tracks.plane[capture.events.track[steps.row]].astype(np.int64)
    of_device = among(plane, [d.plane for d in units_at_work_of(timeline)])
    return np.where(of_device, plane, first)
