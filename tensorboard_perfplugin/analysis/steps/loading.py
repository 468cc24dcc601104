"""A timeline and its steps → the calls that do something for the first time while no device works: kernels are loaded,
the driver starts."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import EMPTY, I64, Intervals, among, intervals
from ...timeline import Timeline, devices_of, nesting_of
from .dispatch import OPERATOR, named
from .ops_in_steps import launching
from .ranking import NOTHING, Inside, Ranking, Spent, ranking

#: A launch takes the host some 10 µs; one that lasts so long loads what it launches.
LOADING_PS = 10**9
_LAUNCH = re.compile(r"(?:cu|cuda|hip)(?!Graph)\w*Launch(?!HostFunc)\w*")


def loading(timeline: Timeline, inside: Inside) -> Spent:
    """How many launch calls that load what they launch begin in the steps, and how long these last beside what devices
    do meanwhile."""
    capture = timeline.capture
    rows = capture.events_named(_LAUNCH)
    rows = rows[capture.events.duration_ps[rows] >= LOADING_PS]
    if not len(rows):
        return NOTHING
    begin = capture.events.start_ps[rows]
    here = inside(begin)
    calls = intervals.union(begin[here], (begin + capture.events.duration_ps[rows])[here])
    return Spent(int(np.count_nonzero(here)), int(intervals.subtraction(calls, _busy(timeline)).total))


def first_calls(timeline: Timeline, inside: Inside, steps: int) -> Ranking:
    """Operators of PyTorch around launches that take as long by themselves, and not in each step: by name, with the
    time in them, and in none of what they call, in which no device works."""
    capture = timeline.capture
    events, self_ps = capture.events, nesting_of(timeline).self_ps
    if not capture.capabilities.has_operators:
        return {}
    rows = np.flatnonzero(self_ps >= LOADING_PS)
    rows = rows[named(timeline, OPERATOR)[events.name[rows]] & inside(events.start_ps[rows])]
    rows = rows[launching(timeline)[rows]] if len(rows) else rows
    rows = rows[_are_rare(events.name[rows].astype(np.int64), max(steps, 2))]
    if not len(rows):
        return {}
    idle = intervals.gaps(_busy(timeline), *capture.span_ps)
    inner = np.flatnonzero(among(nesting_of(timeline).parent, rows))
    place = np.searchsorted(rows, nesting_of(timeline).parent[inner])
    covered, of_inner = (
        intervals.coverage(idle, begin, end) for begin, end in (_when(timeline, r) for r in (rows, inner))
    )
    covered = (covered - np.bincount(place, of_inner, len(rows)).astype(np.int64)).clip(0)
    names, which = np.unique(events.name[rows], return_inverse=True)
    return ranking(capture.strings.of(names), which.reshape(-1).astype(np.int64), covered)


def _are_rare(name: I64, steps: int) -> NDArray[np.bool_]:
    """Which are of a name that there are fewer of than steps."""
    rare: NDArray[np.bool_] = np.bincount(name, minlength=1)[name] < steps
    return rare


def _when(timeline: Timeline, rows: I64) -> Intervals:
    begin = timeline.capture.events.start_ps[rows]
    return Intervals(begin, begin + timeline.capture.events.duration_ps[rows])


def _busy(timeline: Timeline) -> Intervals:
    parts = [device.busy for device in devices_of(timeline)]
    if not parts:
        return EMPTY
    return intervals.union(np.concatenate([p.begin for p in parts]), np.concatenate([p.end for p in parts]))
