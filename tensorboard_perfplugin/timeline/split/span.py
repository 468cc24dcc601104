"""Time that is in no step → how it divides, as that of a step would: from the first op to the last, less the steps."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import EMPTY, Intervals, intervals
from ..assignment.assignment import steps_of
from ..loops.loops import extent
from ..ops.ops import ops_of
from ..steps.model import Steps
from ..timeline import Timeline, derived, derived_by_choice
from .split import split_steps

#: Stretches between steps that are divided; of more the longest are.
_MOST = 1000


@dataclasses.dataclass(frozen=True, eq=False)
class OutsideSteps:
    """span: of the first op to the end of the last. outside: what of it is in no step, ascending. steps_ps: of all
    steps together."""

    span: tuple[int, int]
    outside: Intervals
    steps_ps: int = 0

    @property
    def span_ps(self) -> int:
        return self.span[1] - self.span[0]

    @property
    def outside_ps(self) -> int:
        return int((self.outside.end - self.outside.begin).sum())


@derived
def _span(timeline: Timeline) -> tuple[int, int]:
    ops, events = ops_of(timeline), timeline.capture.events
    sides = [side.rows for side in (ops.device, ops.host) if len(side.rows)]
    spans = [extent(rows, events.start_ps, events.duration_ps) for rows in sides]
    return min((begin for begin, _ in spans), default=0), max((end for _, end in spans), default=0)


@derived_by_choice
def chosen_outside(timeline: Timeline, choice: str) -> OutsideSteps:
    """As `time_outside_steps`."""
    steps, (begin, end) = steps_of(timeline, choice), _span(timeline)
    if end <= begin or steps.rule == "recorded":
        return OutsideSteps((begin, max(begin, end)), EMPTY)
    walls = intervals.union(steps.begin_ps, steps.until_ps)
    return OutsideSteps((begin, end), intervals.gaps(walls, begin, end), int((walls.end - walls.begin).sum()))


def time_outside_steps(timeline: Timeline, choice: str = "auto") -> OutsideSteps:
    """Nothing where no op took time, or only sums are known. Raises ArgumentError."""
    return chosen_outside(timeline, choice)


def divided(timeline: Timeline, stretches: Intervals) -> NDArray[np.float64]:
    """By category the time of some stretches, mean over the devices that ran something, else of the host."""
    longest = np.sort(np.argsort(stretches.begin - stretches.end, kind="stable")[:_MOST])
    split = split_steps(timeline, _as_steps(stretches.begin[longest], stretches.end[longest]))
    exposed: NDArray[np.float64] = split.exposed_ps.sum(axis=1).mean(axis=0)
    return exposed


def _as_steps(begin: NDArray[np.int64], end: NDArray[np.int64]) -> Steps:
    """Each as a step, which nothing marks."""
    n = len(begin)
    nothing, evidence = np.full(n, -1, np.int32), Message("steps_seen.recorded")
    told = (np.arange(n), ("",) * n, nothing, nothing, begin, end, end, np.zeros(n, np.uint8))
    return Steps("span", "none", evidence, None, *told)
