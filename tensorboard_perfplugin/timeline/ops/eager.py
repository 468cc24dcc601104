"""Which events TensorFlow ran op by op, and which inside a compiled function."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ..nesting import enclosing_of
from ..timeline import Timeline, is_integer


def is_eager(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which of some events TensorFlow ran op by op: their nearest `EagerExecute` ancestor says `is_func` = 0.

    Without such an ancestor, or where it does not say, they ran inside a compiled function. What TensorFlow before
    2.5 wrote of the event itself counts first.
    """
    reported, known = reported_eager(timeline, rows)
    name = timeline.capture.strings.find("EagerExecute")
    if name < 0:
        return reported
    around = enclosing_of(timeline, timeline.capture.events.name == name, rows)
    value, kind = timeline.stat("is_func")
    inside = is_integer(kind)
    return np.where(known, reported, (around >= 0) & inside[around] & (value[around] == 0))


def reported_eager(timeline: Timeline, rows: I64) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of some events, of hosts or devices, say themselves that they ran op by op, and which say anything."""
    value, kind = timeline.stat_of("is_eager", rows)
    known = is_integer(kind)
    return known & (value != 0), known
