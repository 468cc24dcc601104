"""Steps and the classes of intervals → the split."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

import numpy as np

from ...tables import EMPTY, I64, Intervals, PlaneKind, intervals, side_by_side
from ..assignment.assignment import steps_of
from ..categories import CATEGORIES, INDEX
from ..causes.launches import launches_of
from ..devices.activity import units_at_work_of
from ..devices.own_clock import OwnClock, own_clock, timed_by
from ..loops.loops import coverage
from ..names.driver import BLOCKING_COPY
from ..steps.model import Steps
from ..timeline import Timeline, derived, derived_by_choice
from ..tracks.tracks import device_tracks
from .device import device_sets
from .host import host_sets
from .model import Split, Unit
from .recorded import recorded_split
from .sets import Sets, merge, together, union
from .windows import step_windows

Stretches: TypeAlias = tuple[tuple[int, int], ...]
#: How many of a category's stretches are kept to show.
_STRETCHES = 3
#: Cells of a split, units × steps × categories; of a capture with more only its first steps are divided.
_MAX_CELLS = 1 << 24
_BLOCKING_COPY = re.compile(BLOCKING_COPY)


def split_steps(timeline: Timeline, steps: Steps) -> Split:
    """Divide the steps' wall times: of each device that ran something, else of the host."""
    if steps.rule == "recorded":
        return recorded_split(timeline, steps)
    units = units_of(timeline)
    lanes = _lanes(timeline, steps, units)
    n = min(len(steps), _MAX_CELLS // (len(units) * len(CATEGORIES)))
    exposed = np.zeros((len(units), n, len(CATEGORIES)), np.int64)
    whole = np.zeros_like(exposed)
    if n:
        classes = Classes(timeline, steps, units, True)

        def one(i: int) -> dict[tuple[int, int], Stretches]:
            sets, rest = classes.of_unit(i), classes.rest(i)
            begin, until, clock = step_windows(timeline, steps, units[i].plane)
            begin, until = begin[:n], until[:n]
            _divide(begin, until, sets, rest, exposed[i], whole[i])
            if lanes:
                exposed[i][steps.lane[:n] != lanes[i]] = whole[i][steps.lane[:n] != lanes[i]] = 0
            longest = _longest(steps, begin, until, sets, rest, exposed[i], clock)
            return {(i, c): stretches for c, stretches in longest}

        parts = side_by_side(len(timeline.capture.events), *(partial(one, i) for i in range(len(units))))
        longest = {key: stretches for part in parts for key, stretches in part.items()}
        return Split(steps, units, exposed, whole, len(steps) - n, longest, lanes)
    return Split(steps, units, exposed, whole, len(steps) - n, lanes=lanes)


def split_of(timeline: Timeline, choice: str = "auto") -> Split:
    """The steps and how the wall time of each divides, per device. Raises ArgumentError. A few choices are kept."""
    return chosen_split(timeline, choice)


@derived_by_choice
def chosen_split(timeline: Timeline, choice: str) -> Split:
    """As `split_of`."""
    return split_steps(timeline, steps_of(timeline, choice))


class Classes:
    """When each category holds, per unit. Host threads are gone through once.

    clocks: by unit its own clock, which its sets are by, the host's threads' too; None for times of the trace.
    """

    def __init__(self, timeline: Timeline, steps: Steps, units: tuple[Unit, ...], by_own_clock: bool = False) -> None:
        self._timeline, self._units = timeline, units
        self.clocks = [
            own_clock(timeline, u.plane) if by_own_clock and steps.own and u.plane >= 0 else None for u in units
        ]
        planes = [unit.plane for unit in units if unit.plane >= 0]
        host, *devices = side_by_side(
            len(timeline.capture.events),
            partial(host_sets, timeline, steps, bool(planes)),
            *(
                partial(device_sets, timeline, unit.plane, clock)
                for unit, clock in zip(units, self.clocks, strict=True)
                if unit.plane >= 0
            ),
        )
        self._host: Sets = host
        self._devices: dict[int, Sets] = dict(zip(planes, devices, strict=True))

    def of_unit(self, index: int) -> Sets:
        """By category, hidden or not; only the last category has no set of its own."""
        unit = self._units[index]
        if unit.plane < 0:
            return self._host
        launching = {INDEX["launch"]: latency(self._timeline, unit.plane)} if unit.kind == "gpu" else {}
        clock = self.clocks[index]
        host = self._host if clock is None else {c: timed_by(clock, one) for c, one in self._host.items()}
        return together(host, launching, self._devices[unit.plane])

    def rest(self, index: int) -> int:
        """The category of what no other holds: a CPU's program is then in Python, of a device we do not know."""
        return INDEX["python" if self._units[index].plane < 0 else "idle"]


def units_of(timeline: Timeline) -> tuple[Unit, ...]:
    capture = timeline.capture
    ran = [d.plane for d in units_at_work_of(timeline)]
    names = capture.strings.of(capture.planes.name[ran])
    kinds = [capture.planes.kind[plane] == PlaneKind.TPU for plane in ran]
    units = [Unit(plane, name, "tpu" if tpu else "gpu") for plane, name, tpu in zip(ran, names, kinds, strict=True)]
    return tuple(units) or (Unit(-1, timeline.host, "cpu"),)


def _lanes(timeline: Timeline, steps: Steps, units: tuple[Unit, ...]) -> tuple[int, ...]:
    """By unit the lane of its steps, where each has one of its own and so has each step."""
    tracks, lanes = timeline.capture.tracks, np.unique(steps.lane)
    if not steps.on_device or len(lanes) < 2 or lanes[0] < 0:
        return ()
    lane_of = dict(zip(tracks.plane[lanes].tolist(), lanes.tolist(), strict=True))
    if len(lane_of) < len(lanes) or not lane_of.keys() <= {unit.plane for unit in units}:
        return ()
    return tuple(lane_of.get(unit.plane, -1) for unit in units)


def latency(timeline: Timeline, plane: int) -> Intervals:
    """When something was launched on a device and had not begun. Streams run in the order of launches, as a rule.

    Where the host waits in a call for a copy meanwhile, that is what it is: it waits.
    """
    capture, start = timeline.capture, timeline.capture.events.start_ps
    parts = []
    for track in device_tracks(capture, plane).tolist():
        at = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
        launch = launches_of(timeline).rows[at]
        known = launch >= 0
        parts.append(intervals.union(start[launch[known]], start[at][known]))
    return intervals.subtraction(union(parts), _blocking_copies(timeline))


@derived
def _blocking_copies(timeline: Timeline) -> Intervals:
    """When a host thread waited in a call for its copy."""
    capture = timeline.capture
    rows = capture.events_named(_BLOCKING_COPY)
    begin = capture.events.start_ps[rows]
    return intervals.union(begin, begin + capture.events.duration_ps[rows])


def _longest(
    steps: Steps, begin: I64, until: I64, sets: Sets, rest: int, exposed: I64, clock: OwnClock | None
) -> Iterator[tuple[int, Stretches]]:
    """Of each category the longest stretches that count to it, in the whole step that has most of it, as the trace
    shows them. begin, until: of the steps by the clock of the sets."""
    whole = steps.whole[: len(exposed)]
    for category in np.flatnonzero(exposed.any(axis=0)).tolist():
        taken = np.where(whole, exposed[:, category], -1) if exposed[whole, category].any() else exposed[:, category]
        step = int(taken.argmax())
        stretches = exposed_in(sets, category, rest, int(begin[step]), int(until[step]))
        if clock is not None:
            shown = intervals.union(clock.in_trace(stretches.begin), clock.in_trace(stretches.end))
            stretches = intervals.clip(shown, int(steps.begin_ps[step]), int(steps.until_ps[step]))
        order = np.argsort(stretches.begin - stretches.end, kind="stable")[:_STRETCHES]
        yield category, tuple(zip(stretches.begin[order].tolist(), stretches.end[order].tolist(), strict=True))


def exposed_in(sets: Sets, category: int, rest: int, begin: int, until: int) -> Intervals:
    """What of [begin, until) counts to a category; `rest` has what no set holds."""
    within = {i: _cut(one, begin, until) for i, one in sets.items()}
    counted = within.get(category, EMPTY)
    if category == rest:
        counted = union((counted, intervals.gaps(union(within.values()), begin, until)))
    return intervals.subtraction(counted, union(one for i, one in within.items() if i < category))


def _cut(a: Intervals, begin: int, until: int) -> Intervals:
    """What of a large set lies in a short window."""
    part = slice(int(np.searchsorted(a.end, begin, side="right")), int(np.searchsorted(a.begin, until)))
    return intervals.clip(Intervals(a.begin[part], a.end[part]), begin, until)


def _divide(begin: I64, end: I64, sets: Sets, rest: int, exposed: I64, whole: I64) -> None:
    """Write exposed and whole time of each category of some steps; what none holds goes to `rest`."""
    before, covered = EMPTY, np.zeros(len(begin), np.int64)
    for i in sorted(sets):
        whole[:, i] = coverage(sets[i], begin, end)
        before = merge(before, sets[i])
        now = coverage(before, begin, end)
        exposed[:, i] = now - covered
        covered = now
    exposed[:, rest] += end - begin - covered
    np.maximum(whole, exposed, out=whole)
