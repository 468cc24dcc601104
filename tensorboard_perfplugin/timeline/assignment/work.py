"""What devices did → whose step is known by what caused it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ..causes.flows import flows_of
from ..causes.launches import launches_of
from ..timeline import Timeline
from .assign import Assignment, How


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
