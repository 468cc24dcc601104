"""The steps that are chosen, and the step of each event; of one timeline a few choices are kept."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import U8
from ..devices.spans import device_spans_of
from ..ops.ops import host_self_ps_of, ops_of
from ..steps.find import find
from ..steps.model import Steps
from ..timeline import Timeline, derived_by_choice
from .assign import Assignment, How, assign
from .ended import Outside, less_sure, outside, with_work
from .own import by_own_clock
from .retime import retimed


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
    first = assign(timeline, steps)
    final = retimed(timeline, steps, first)
    if final is not steps:
        found = assign(timeline, final, on_host=steps)
    else:
        found = dataclasses.replace(first, steps=with_work(timeline, steps, first))
    sure = less_sure(found.steps, outside(timeline, found.steps))
    return dataclasses.replace(found, steps=by_own_clock(timeline, sure))


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
