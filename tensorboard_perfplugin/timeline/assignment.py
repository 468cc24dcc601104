"""The step of each event, and how that is known."""

from __future__ import annotations

from enum import IntEnum
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..messages import Message, message
from ..tables import I32, I64, U8, Capture, PlaneKind, TrackKind, among, at_once, intervals, side_by_side
from ..threshold import Threshold
from .causes import flows_of, inherited, launches_of
from .devices import device_spans_of, own_clock, units_at_work_of, workers_of
from .loops.loops import nest
from .names.ops import copy_op
from .nesting import nesting_of
from .ops.ops import host_self_ps_of, ops_of
from .steps.find import find
from .steps.model import Confidence, Cut, Own, Steps
from .timeline import Timeline, derived_by_choice, is_integer
from .tracks import device_tracks

# A timeline and its steps → the step of each event, and how that is known: by what caused it, by time, or not.

_DEVICES = (PlaneKind.GPU, PlaneKind.TPU)


class How(IntEnum):
    """How the step of an event is known."""

    NOT = 0
    TIME = 1
    CAUSE = 2


class Assignment(msgspec.Struct, frozen=True, eq=False):
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


# What devices did → whose step is known by what caused it.


def has_known_step(timeline: Timeline, assignment: Assignment, rows: I64) -> NDArray[np.bool_]:
    """Which of some device events are of a step by cause, or are launched by what is of it, if only by time."""
    known: NDArray[np.bool_] = assignment.how[rows] == How.CAUSE
    if known.all():
        return known
    by_time = assignment.how[rows] == How.TIME
    for cause in (launches_of(timeline).rows, flows_of(timeline).module):
        of = cause[rows]
        known |= by_time & (of >= 0) & (assignment.step[np.maximum(of, 0)] == assignment.step[rows])
    return known


# Steps of a host that only issues work and runs ahead → steps timed by that work on devices.

FEWEST = Threshold("steps with a cadence", 3, "steps", "fewer steps with work on devices have no cadence")
KNOWN = Threshold(
    "work of steps", 0.5, "share", "so much of what devices did must be known to belong to steps for them to time steps"
)
SLOWER = Threshold(
    "device slower than host",
    1.25,
    "times",
    "devices that need more than so many times the host's time from step to step, or for its only one, time the steps; "
    "with less the host waits for them, and its marks tell the time",
)
MAIN_STREAM = Threshold(
    "main stream",
    0.1,
    "share",
    "streams with at least this part of what devices ran show when a step's work begins; a small kernel elsewhere need "
    "not wait",
)
SLOWER_AND_LATE = Threshold(
    "device slower and late",
    1.05,
    "times",
    "the least that devices need where the work of most steps begins after the host is done",
)
LATE = Threshold(
    "late work", 0.5, "share", "so many steps' work must begin after the host is done with them to be late"
)


class _Work(NamedTuple):
    """Steps that have work on devices, ascending, and when the first of it began and the last ended.

    known: of what devices ran from the first to the last, the share whose step is known by its cause.
    """

    step: I64
    begin_ps: I64
    end_ps: I64
    known: float


def retimed(timeline: Timeline, steps: Steps, assignment: Assignment) -> Steps:
    """The same steps, timed by the work on devices if the host issues it much faster than they do it; else `steps`.

    Then the host is ahead by a step and more in the end. A host that is some steps ahead and as slow as the devices,
    since it waits for them, keeps its own times. Of too few steps to speak of a cadence, all work must begin when the
    host has ended them, and take longer than they.
    """
    if steps.on_device or not len(steps) or len(np.unique(steps.lane)) > 1 or (steps.row < 0).any():
        return steps
    if len(steps) < FEWEST.value:
        return _of_few(timeline, steps, assignment)
    if _ends_with(timeline, steps, assignment):
        return steps
    work = _work(timeline, assignment)
    if len(work.step) < FEWEST.value or work.known < KNOWN.value:
        return steps
    lag = work.begin_ps - steps.begin_ps[work.step]
    # What compiled before its first kernel ran lags most; the host runs ahead from the least lag on.
    least = int(np.argmin(lag[: (len(lag) + 1) // 2]))
    step = work.step[least:]
    host, device = (
        int(begin[-1] - begin[0]) / int(step[-1] - step[0]) for begin in (steps.begin_ps[step], work.begin_ps[least:])
    )
    late = np.mean(work.begin_ps[least:] >= steps.until_ps[step]) > LATE.value
    if lag[-1] < host or device <= host * (SLOWER_AND_LATE if late else SLOWER).value:
        return steps
    return _moved(
        steps, work, message("steps_seen.timed_on_device", seen=steps.evidence, host_ps=host, device_ps=device)
    )


def _of_few(timeline: Timeline, steps: Steps, assignment: Assignment) -> Steps:
    """A batch or two that a server issued while devices were at work on those before the capture."""
    work = _work(timeline, assignment)
    known = len(work.step) == len(steps) and work.known >= KNOWN.value
    if not known or not _is_behind(steps, work):
        return steps
    if int((work.end_ps - work.begin_ps).sum()) <= SLOWER.value * int(steps.wall_ps.sum()):
        return steps
    return _moved(steps, work, message("steps_seen.timed_on_device_after_host", seen=steps.evidence))


def _is_behind(steps: Steps, work: _Work) -> bool:
    """Whether devices begin the last step's work when the host has ended it, or need longer than the host from the one
    of two steps to the other."""
    if work.begin_ps[-1] >= steps.until_ps[-1]:
        return True
    if len(steps) < 2 or work.end_ps[0] <= steps.begin_ps[1]:
        return False
    return int(work.end_ps[1] - work.end_ps[0]) > SLOWER.value * int(steps.begin_ps[1] - steps.begin_ps[0])


def _ends_with(timeline: Timeline, steps: Steps, assignment: Assignment) -> bool:
    """Whether the work on devices ends with the last step's, all of it begun before another step would.

    That is quicker to find than when the work of each step was.
    """
    rows = ops_of(timeline).device.rows
    if not len(rows):
        return True
    begin = timeline.capture.events.start_ps[rows]
    last = int(begin.argmax())
    behind = int(begin[last]) - int(steps.begin_ps[-1])
    of_last = assignment.step[rows[last]] == len(steps) - 1 and assignment.how[rows[last]] == How.CAUSE
    n = len(steps)
    first = np.arange((n + 1) // 2)
    cadence = (steps.begin_ps[-1] - steps.begin_ps[first]) / (n - 1 - first)
    return bool(of_last) and behind < cadence.min()


def _work(timeline: Timeline, assignment: Assignment) -> _Work:
    """The work of steps that is known by its cause: kernels where there are any, since inputs are copied ahead."""
    events, rows = timeline.capture.events, ops_of(timeline).device.rows
    copies = _are_copies(timeline.capture, rows)
    rows = rows if copies.all() else rows[~copies]
    known = has_known_step(timeline, assignment, rows)
    begin, caused = events.start_ps[rows], rows[known]
    n, never = len(assignment.steps), np.iinfo(np.int64).max
    first, last, on_main = np.full(n, never), np.full(n, -1), np.full(n, never)
    main = caused[_on_main_streams(timeline.capture, rows)[known]]
    np.minimum.at(first, assignment.step[caused], begin[known])
    np.minimum.at(on_main, assignment.step[main], events.start_ps[main])
    first = np.where(on_main < never, on_main, first)
    np.maximum.at(last, assignment.step[caused], begin[known] + events.duration_ps[caused])
    has = np.flatnonzero(last >= 0)
    if not len(has):
        return _Work(has, has, has, 0.0)
    meanwhile = (begin >= first.min()) & (begin < last.max())
    return _Work(has, np.maximum.accumulate(first[has]), last[has], float(known[meanwhile].mean()))


def _on_main_streams(capture: Capture, rows: I64) -> NDArray[np.bool_]:
    """Which of some device events are on streams that have a part of their time worth mentioning."""
    track = capture.events.track[rows]
    spent = np.bincount(track, weights=capture.events.duration_ps[rows], minlength=len(capture.tracks))
    is_main: NDArray[np.bool_] = (spent >= MAIN_STREAM.value * spent.sum())[track]
    return is_main


def _are_copies(capture: Capture, rows: I64) -> NDArray[np.bool_]:
    """Which of some device events copy or fill memory, by name."""
    names = capture.events.name[rows]
    used = np.zeros(len(capture.strings), bool)
    used[names] = True
    copies = np.zeros(len(capture.strings), bool)
    for i in np.flatnonzero(used).tolist():
        copies[i] = copy_op(capture.strings[i]) is not None
    is_copy: NDArray[np.bool_] = copies[names]
    return is_copy


def _moved(steps: Steps, work: _Work, evidence: Message) -> Steps:
    """Steps at the times of their work. One without any has no time of its own, and is cut where it is at an end."""
    place = np.searchsorted(work.step, np.arange(len(steps)), side="right") - 1
    has_work = np.zeros(len(steps), bool)
    has_work[work.step] = True
    before = place < 0
    end = np.where(before, work.begin_ps[0], work.end_ps[place])
    begin = np.maximum.accumulate(np.where(has_work, work.begin_ps[place], end))
    end = np.maximum(end, begin)
    after = np.append(begin[1:], -1)
    tail = np.arange(len(steps)) > work.step[-1]
    after[work.step[-1] :] = -1
    if steps.next_ps[-1] >= 0 and not tail.any():
        after[-1] = end[-1]
    cut = steps.cut | np.where(before, Cut.BEGIN, 0).astype(np.uint8) | np.where(tail, Cut.END, 0).astype(np.uint8)
    return structs.replace(steps, evidence=evidence, begin_ps=begin, end_ps=end, next_ps=after, cut=cut, on_device=True)


# Steps by the host's marks → the last one ended when devices have done what it launched; devices' work outside.

MUCH_OUTSIDE = Threshold(
    "outside of steps", 0.2, "share", "with more of what devices did outside of all steps these are less sure"
)
_LESS_SURE: dict[Confidence, Confidence] = {"certain": "likely", "likely": "guess"}


class Outside(NamedTuple):
    """Time in which devices were busy, summed over them, and the part of it outside all steps."""

    busy_ps: int
    outside_ps: int


def with_work(timeline: Timeline, steps: Steps, assignment: Assignment) -> Steps:
    """The same steps, the last of each thread as long as devices work on what it launched.

    Nothing begins after it, so nothing else would hold that work. In formats whose steps stand alone each is a last
    one. Of a host that devices hold back the mark gives the time to the next step, since devices work on after it as
    long as they did for the step before at its begin: only the span ends with the work.
    """
    if steps.on_device or steps.rule == "recorded" or not len(steps):
        return steps
    worked = _worked_until(timeline, assignment)
    is_last = _last_of_lanes(steps) | timeline.capture.capabilities.steps_are_apart
    longer = is_last & (worked > steps.end_ps)
    if not longer.any():
        return steps
    end = np.where(longer, worked, steps.end_ps)
    known = (steps.next_ps < 0) | (longer & _is_held_back(steps, worked))
    after = np.where(longer & ~known, end, steps.next_ps)
    return structs.replace(steps, end_ps=end, next_ps=after)


def outside(timeline: Timeline, steps: Steps) -> Outside:
    """What devices did outside the wall time of every step."""
    if steps.rule == "recorded":
        return Outside(0, 0)
    walls = intervals.union(steps.begin_ps, steps.until_ps)
    busy = [worker.busy for worker in workers_of(timeline)]
    total = sum(one.total for one in busy)
    return Outside(total, total - sum(intervals.intersection(one, walls).total for one in busy))


def less_sure(steps: Steps, work: Outside) -> Steps:
    """The same steps, with less confidence where much of what devices did is in none of them."""
    if work.outside_ps <= MUCH_OUTSIDE.value * work.busy_ps:
        return steps
    return structs.replace(steps, confidence=_LESS_SURE.get(steps.confidence, steps.confidence))


def _worked_until(timeline: Timeline, assignment: Assignment) -> I64:
    """By step the end of what devices did for it, as far as causes show; -1 without."""
    events, rows = timeline.capture.events, ops_of(timeline).device.rows
    rows = rows[has_known_step(timeline, assignment, rows)]
    found = np.full(len(assignment.steps), -1)
    if len(rows):
        # Events of one step follow each other.
        step, at = assignment.step[rows], at_once(rows)
        first = np.flatnonzero(np.append(True, step[1:] != step[:-1]))
        last_ps = np.maximum.reduceat(events.start_ps[at] + events.duration_ps[at], first)
        np.maximum.at(found, step[first], last_ps)
    return found


def _last_of_lanes(steps: Steps) -> NDArray[np.bool_]:
    found = np.zeros(len(steps), bool)
    found[len(steps) - 1 - np.unique(steps.lane[::-1], return_index=True)[1]] = True
    return found


def _is_held_back(steps: Steps, worked: I64) -> NDArray[np.bool_]:
    """Before which steps devices were still at work on the one before, and were as slow as the host is."""
    found = np.zeros(len(steps), bool)
    for lane in np.unique(steps.lane).tolist():
        mine = np.flatnonzero(steps.lane == lane)
        before, step = mine[:-1], mine[1:]
        mark, late = steps.span_ps[step], worked[before] - steps.begin_ps[step]
        found[step] = (late > 0) & (worked[step] - worked[before] <= SLOWER.value * mark)
    return found


# Steps on devices that show their own clock → the same steps, measured by that.


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
    return structs.replace(steps, own=Own(plane, begin, wall, span))


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


# The steps that are chosen, and the step of each event; of one timeline a few choices are kept.


class Share(NamedTuple):
    """Self time of ops in ps: that of steps known by cause, by time only, and that of no step."""

    cause_ps: int
    time_ps: int
    none_ps: int

    @property
    def total_ps(self) -> int:
        return sum(self)


class Shares(NamedTuple):
    """How the ops of devices and those of host threads were assigned."""

    device: Share
    host: Share


def assigned(timeline: Timeline, steps: Steps) -> Assignment:
    """The steps, timed by devices where the host runs ahead of them, else to the end of their work, and what belongs
    to each. What was launched after the last one's mark does not, though that step may go on meanwhile. How long they
    were is by the clock of the device where it shows that.
    """
    if len(steps):
        # What follows needs all of it, and none of it another.
        parts = (launches_of, nesting_of, ops_of, workers_of)
        side_by_side(len(timeline.capture.events), *(partial(part, timeline) for part in parts))
    first = assign(timeline, steps)
    final = retimed(timeline, steps, first)
    if final is not steps:
        found = assign(timeline, final, on_host=steps)
    else:
        found = structs.replace(first, steps=with_work(timeline, steps, first))
    sure = less_sure(found.steps, outside(timeline, found.steps))
    return structs.replace(found, steps=by_own_clock(timeline, sure))


def steps_of(timeline: Timeline, choice: str = "auto") -> Steps:
    """When each step began and ended; `steps.find` says what may be chosen. Raises ArgumentError."""
    return assignment_of(timeline, choice).steps


def assignment_of(timeline: Timeline, choice: str = "auto") -> Assignment:
    """The steps, and the step of each event and how that is known. Raises ArgumentError. A few choices are kept."""
    return chosen_assignment(timeline, choice)


@derived_by_choice
def chosen_assignment(timeline: Timeline, choice: str) -> Assignment:
    """As `assignment_of`."""
    return assigned(timeline, find(timeline, choice))


def outside_steps_of(timeline: Timeline, choice: str = "auto") -> Outside:
    """What devices did outside of all steps. Raises ArgumentError."""
    return chosen_outside_work(timeline, choice)


@derived_by_choice
def chosen_outside_work(timeline: Timeline, choice: str) -> Outside:
    """As `outside_steps_of`."""
    return outside(timeline, steps_of(timeline, choice))


def assigned_shares_of(timeline: Timeline, choice: str = "auto") -> Shares:
    """Self time of the ops of devices and of the host by how their step is known. Raises ArgumentError."""
    return shares(timeline, assignment_of(timeline, choice))


def shares(timeline: Timeline, assignment: Assignment) -> Shares:
    """Self time of all ops by how their step is known."""
    ops = ops_of(timeline)
    device = _share(assignment.how[ops.device.rows], device_spans_of(timeline).self_ps)
    return Shares(device, _share(assignment.how[ops.host.rows], host_self_ps_of(timeline).astype(np.float64)))


def _share(how: U8, self_ps: NDArray[np.float64]) -> Share:
    none, time, cause = np.bincount(how, weights=self_ps, minlength=len(How)).tolist()
    return Share(round(cause), round(time), round(none))
