"""A timeline and its steps → the time in which launches are recorded into a CUDA or HIP graph instead of run."""

from __future__ import annotations

import re

import numpy as np

from ...timeline import Timeline
from .ranking import NOTHING, Inside, Spent

_BEGINS = re.compile(r"(?:cu|cuda|hip)StreamBeginCapture\w*")
_ENDS = re.compile(r"(?:cu|cuda|hip)StreamEndCapture\w*")


def recording(timeline: Timeline, inside: Inside) -> Spent:
    """How many graphs the steps begin to record, and how long that lasts until the same thread ends it."""
    begins, ends = timeline.capture.events_named(_BEGINS), timeline.capture.events_named(_ENDS)
    events = timeline.capture.events
    begins = begins[inside(events.start_ps[begins])]
    if not len(begins) or not len(ends):
        return NOTHING
    # Rows of a thread follow each other, and so do threads.
    place = np.searchsorted(ends, begins)
    end = ends[np.minimum(place, len(ends) - 1)]
    begins, end = (rows[(place < len(ends)) & (events.track[begins] == events.track[end])] for rows in (begins, end))
    return Spent(len(begins), int((events.start_ps[end] - events.start_ps[begins]).sum()))
