"""The steps that are chosen, and the step of each event; of one timeline a few choices are kept."""

from __future__ import annotations

from ..steps import Steps, find
from ..timeline import Timeline, derived_by_choice
from .assign import Assignment, assign
from .retime import retimed
from .shares import Shares, shares


def assigned(timeline: Timeline, steps: Steps) -> Assignment:
    """The steps, timed by devices where the host runs ahead of them, and what belongs to each."""
    first = assign(timeline, steps)
    final = retimed(timeline, steps, first)
    return first if final is steps else assign(timeline, final, on_host=steps)


def steps_of(timeline: Timeline, choice: str = "auto") -> Steps:
    """When each step began and ended; `steps.find` says what may be chosen. Raises ArgumentError."""
    return assignment_of(timeline, choice).steps


def assignment_of(timeline: Timeline, choice: str = "auto") -> Assignment:
    """The steps, and the step of each event and how that is known. Raises ArgumentError. A few choices are kept."""
    return _chosen(timeline, choice)


@derived_by_choice
def _chosen(timeline: Timeline, choice: str) -> Assignment:
    return assigned(timeline, find(timeline, choice))


def assigned_shares_of(timeline: Timeline, choice: str = "auto") -> Shares:
    """Self time of the ops of devices and of the host by how their step is known. Raises ArgumentError."""
    return shares(timeline, assignment_of(timeline, choice))
