"""A timeline and its steps → the step of each event, and how that is known: by what caused it, by time, or not."""

from __future__ import annotations

import dataclasses
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8, PlaneKind, TrackKind, among
from ..causes.flows import flows_of, inherited
from ..causes.launches import launches_of
from ..loops.loops import nest
from ..steps.model import Steps
from ..timeline import Timeline, is_integer
from ..tracks.tracks import device_tracks

_DEVICES = (PlaneKind.GPU, PlaneKind.TPU)


class How(IntEnum):
    """How the step of an event is known."""

    NOT = 0
    TIME = 1
    CAUSE = 2


@dataclasses.dataclass(frozen=True, eq=False)
class Assignment:
    """The step of each event of a capture.

    steps: to which events are assigned. step: by row of `events` the index of its step, -1 for none. how: by row,
    `How`. By cause: the event is the step's marker, lies inside it, belongs to its group, or was caused by what does,
    through contexts, thread-pool regions, launches and runs of programs. By time: it, or the call that launched it,
    begins in a step's wall time, and ends there or in the next's; of steps that overlap the one that began last.
    """

    steps: Steps
    step: I32
    how: U8

    def check(self) -> None:
        """Raise AssertionError unless the steps are there and it is recorded how they are known."""
        assert len(self.step) == len(self.how), "columns differ in length"
        assert ((self.step >= -1) & (self.step < max(len(self.steps), 1))).all(), "no such step"
        assert ((self.step >= 0) == (self.how != How.NOT)).all(), "a step without a source"
        assert len(self.steps) or (self.step < 0).all(), "no steps"


def assign(timeline: Timeline, steps: Steps, on_host: Steps | None = None) -> Assignment:
    """Assign the events of a timeline to steps.

    on_host: the same steps as the host's markers show them, where `steps` are timed by devices: what host threads do
    is assigned by those.
    """
    n = len(timeline.capture.events)
    if not len(steps):
        return Assignment(steps, np.full(n, -1, np.int32), np.zeros(n, np.uint8))
    step = _caused(timeline, steps)
    how = np.where(step >= 0, np.uint8(How.CAUSE), np.uint8(How.NOT))
    rest = np.flatnonzero(step < 0)
    if len(rest):
        _add_by_time(timeline, steps, on_host or steps, rest, step)
        how[rest] = np.where(step[rest] >= 0, np.uint8(How.TIME), np.uint8(How.NOT))
    return Assignment(steps, step, how)


def _add_by_time(timeline: Timeline, steps: Steps, on_host: Steps, rest: I64, step: I32) -> None:
    """Host events by their own time; what a device does by the time of the call that caused it, else by its own."""
    capture = timeline.capture
    is_device = among(capture.planes.kind, _DEVICES)[capture.tracks.plane]
    device = is_device[capture.events.track[rest]]
    host, rest = rest[~device], rest[device]
    step[host] = _by_time(timeline, on_host, host)
    for cause in (
        ()
        if on_host.on_device
        else (launches_of(timeline).rows, flows_of(timeline).producer, flows_of(timeline).module)
    ):
        rows = rest[(step[rest] < 0) & (cause[rest] >= 0)]
        step[rows] = step[cause[rows]]
    rows = rest[step[rest] < 0]
    step[rows] = _by_time(timeline, steps, rows)


def _caused(timeline: Timeline, steps: Steps) -> I32:
    """The step of each event by cause, -1 where none is known."""
    label = np.full(len(timeline.capture.events), -1, np.int32)
    marked = np.flatnonzero(steps.row >= 0)
    _add_groups(timeline, steps, marked, label)
    label[steps.row[marked]] = marked
    _add_device_markers(timeline, label)
    return inherited(timeline, label)


def _add_groups(timeline: Timeline, steps: Steps, marked: I64, label: I32) -> None:
    """Collectors that group events themselves: those of a marker's group. A group with two markers is of no use."""
    value, kind = timeline.stat("group_id")
    rows = steps.row[marked]
    has = is_integer(kind[rows])
    group, first, count = np.unique(value[rows[has]], return_index=True, return_counts=True)
    group, step = group[count == 1], marked[has][first[count == 1]]
    if not len(group):
        return
    grouped = np.flatnonzero(is_integer(kind))
    place = np.minimum(np.searchsorted(group, value[grouped]), len(group) - 1)
    known = group[place] == value[grouped]
    label[grouped[known]] = step[place[known]]


def _add_device_markers(timeline: Timeline, label: I32) -> None:
    """What a device does belongs to the step of the marker on its derived lines in which it begins."""
    capture, events = timeline.capture, timeline.capture.events
    rows = np.flatnonzero(label >= 0)
    plane = capture.tracks.plane[events.track[rows]]
    derived = capture.tracks.kind[events.track[rows]] == TrackKind.DERIVED
    derived &= among(capture.planes.kind[plane], _DEVICES)
    rows, plane = rows[derived], plane[derived]
    for device in np.unique(plane).tolist():
        markers = rows[plane == device]
        windows = _Windows(events.start_ps[markers], events.start_ps[markers] + events.duration_ps[markers])
        for track in device_tracks(capture, device).tolist():
            on_track = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
            marker = windows.at(events.start_ps[on_track])
            label[on_track] = np.where((label[on_track] < 0) & (marker >= 0), label[markers[marker]], label[on_track])


def _by_time(timeline: Timeline, steps: Steps, rows: I64) -> I32:
    """The step in whose wall time each event begins, unless it lasts beyond the next one's."""
    begin = timeline.capture.events.start_ps[rows]
    end = begin + timeline.capture.events.duration_ps[rows]
    windows = _Windows(steps.begin_ps, steps.until_ps)
    step = windows.at(begin)
    return np.where(windows.is_soon(begin, end), step, np.int32(-1))


class _Windows:
    """Intervals, by begin or not, that may overlap → which of them each instant lies in, the last begun of several."""

    def __init__(self, begin: I64, end: I64) -> None:
        self.points = np.unique(np.concatenate((begin, end)))
        start = np.concatenate((begin, self.points))
        length = np.concatenate((end - begin, np.zeros(len(self.points), np.int64)))
        order = np.lexsort((-length, start))
        parent = nest(np.zeros(len(start), np.int32), start[order], length[order]).parent
        around = np.full(len(start), -1, np.int32)
        around[order] = np.where(parent >= 0, order[parent], -1)
        #: By point, the window in which what follows it lies; the last entry is for what comes before the first.
        self.owner = np.append(around[len(begin) :], np.int32(-1))

    def at(self, instant: I64) -> I32:
        """The window of each instant, or -1."""
        owner: I32 = self.owner[np.searchsorted(self.points, instant, side="right") - 1]
        return owner

    def is_soon(self, begin: I64, end: I64) -> NDArray[np.bool_]:
        """Whether each end comes no later than the second point after the begin, if there is one."""
        second = np.searchsorted(self.points, begin, side="right") + 1
        last = len(self.points) - 1
        soon: NDArray[np.bool_] = (second > last) | (end <= self.points[np.minimum(second, last)])
        return soon
