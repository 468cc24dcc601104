"""When a device ran something, and when it did not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Capture, Intervals, at_once, intervals
from ..names.op_names import copy_op
from ..ops.ops import ops_of
from ..timeline import Timeline, derived
from ..tracks.tracks import device_planes, sparse_cores
from ..tracks.work import device_names, device_rows
from ..windows import windows_of
from .clock import clocked


class Activity(NamedTuple):
    """One device at work.

    plane: its row in `planes`. tracks: how many of its streams or op lines hold events. events: what ran on it.
    busy: union of their intervals. busy_ps: time in which at least one ran; the union's length, on a TPU by the
    device's own clock. window: the capture's span, or what of it was chosen; busy and idle time add up to it.
    """

    plane: int
    tracks: int
    events: int
    busy: Intervals
    busy_ps: int
    window: Intervals

    @property
    def idle_ps(self) -> int:
        return max(self.window.total - self.busy_ps, 0)

    def longest_idle(self, count: int) -> list[tuple[int, int]]:
        """The longest stretches of the window in which nothing ran, longest first, as (begin, end) in ps."""
        idle = intervals.subtraction(self.window, self.busy)
        order = np.argsort(idle.begin - idle.end, kind="stable")[:count]
        return list(zip(idle.begin[order].tolist(), idle.end[order].tolist(), strict=True))


def activity(timeline: Timeline, plane: int) -> Activity:
    """What ran on a device, in its streams or op lines; derived and counter tracks and overhead count nothing."""
    capture = timeline.capture
    rows = device_rows(timeline, plane)
    # Events are by track.
    active = int(np.count_nonzero(np.diff(capture.events.track[at_once(rows)], prepend=-1)))
    shown = busy(capture, rows)
    begin, duration, own_clock = clocked(timeline, plane, rows)
    busy_ps = intervals.union(begin, begin + duration).total if own_clock else shown.total
    return Activity(plane, active, len(rows), shown, busy_ps, windows_of(timeline).device)


def busy(capture: Capture, rows: I64) -> Intervals:
    """The union of the intervals of some events."""
    at = at_once(rows)
    begin = capture.events.start_ps[at]
    return intervals.union(begin, begin + capture.events.duration_ps[at])


@derived
def devices_of(timeline: Timeline) -> tuple[Activity, ...]:
    """What each device did, in file order; a device that ran nothing is listed too."""
    return tuple(activity(timeline, plane) for plane in device_planes(timeline.capture))


@derived
def workers_of(timeline: Timeline) -> tuple[Activity, ...]:
    """The devices that ran something and count as one each. A SparseCore is part of a chip whose TensorCore ran."""
    ran = [device for device in devices_of(timeline) if device.events]
    planes, chip = {device.plane for device in ran}, sparse_cores(timeline.capture)
    return tuple(device for device in ran if chip.get(device.plane) not in planes)


@derived
def planes_at_work(timeline: Timeline) -> NDArray[np.bool_]:
    """By plane: whether it is a device that ran a kernel; those that only copied count where no device ran any."""
    capture = timeline.capture
    ran, copied = np.zeros(len(capture.planes), bool), np.zeros(len(capture.planes), bool)
    for plane in device_planes(capture):
        names = device_names(timeline, plane)
        ran[plane] = any(copy_op(capture.strings[name]) is None for name in names)
        copied[plane] = bool(names)
    return ran if ran.any() else copied


@derived
def units_at_work_of(timeline: Timeline) -> tuple[Activity, ...]:
    """The workers among these: what steps are divided for."""
    at_work = planes_at_work(timeline)
    return tuple(device for device in workers_of(timeline) if at_work[device.plane])


@derived
def host_busy_of(timeline: Timeline) -> Intervals:
    """When at least one op ran on a host thread."""
    return busy(timeline.capture, ops_of(timeline).host.rows)
