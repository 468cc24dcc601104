"""A timeline → the time that its figures are of: from the first event to the last, or only parts of that."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..tables import Intervals, intervals
from .timeline import Timeline, derived


class Windows(NamedTuple):
    """The time of hosts' threads, and that of devices, which may come later: sets of intervals."""

    host: Intervals
    device: Intervals


@derived
def windows_of(timeline: Timeline) -> Windows:
    """What busy and idle time add up to: the capture's span, of chosen steps theirs."""
    begin, end = timeline.capture.span_ps
    whole = intervals.union(np.array([begin]), np.array([end]))
    return Windows(whole, whole)
