"""Steps by the host's marks → the last one ended when devices have done what it launched; devices' work outside."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, intervals
from ...threshold import CHOSEN, Threshold
from ..devices.activity import workers_of
from ..ops.ops import ops_of
from ..steps.model import Confidence, Steps
from ..timeline import Timeline
from .assign import Assignment
from .retime import SLOWER
from .work import has_known_step

MUCH_OUTSIDE = Threshold(
    "outside of steps",
    0.2,
    "share",
    "with more of what devices did outside of all steps these are less sure",
    CHOSEN,
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
    return dataclasses.replace(steps, end_ps=end, next_ps=after)


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
    return dataclasses.replace(steps, confidence=_LESS_SURE.get(steps.confidence, steps.confidence))


def _worked_until(timeline: Timeline, assignment: Assignment) -> I64:
    """By step the end of what devices did for it, as far as causes show; -1 without."""
    events, rows = timeline.capture.events, ops_of(timeline).device.rows
    rows = rows[has_known_step(timeline, assignment, rows)]
    found = np.full(len(assignment.steps), -1)
    np.maximum.at(found, assignment.step[rows], events.start_ps[rows] + events.duration_ps[rows])
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
