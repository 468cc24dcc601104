"""A timeline and its split → the waits of steps that are for a device, in which no input can hide."""

from __future__ import annotations

import re

import numpy as np

from ...tables import I64, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import INDEX, SYNCHRONIZES, Split, Timeline
from ...timeline.split import exposed_by_unit

WORTH = Threshold(
    "waiting worth a look", 0.05, "share", "what steps wait for is looked up if that takes more of them", CHOSEN
)
_SYNCHRONIZES = re.compile(SYNCHRONIZES)


def for_devices_ps(timeline: Timeline, split: Split) -> I64 | None:
    """(units, steps): of the exposed waiting, what lies in calls of the driver that return when a device is done; None
    where there is little waiting, and where there are no such calls."""
    calls = timeline.capture.events_named(_SYNCHRONIZES)
    waiting, steps = split.exposed_ps[:, :, INDEX["waiting"]], split.steps
    if not len(calls) or waiting.sum() < WORTH.value * split.exposed_ps.sum():
        return None
    events, within = timeline.capture.events, np.zeros_like(waiting)
    called = intervals.union(events.start_ps[calls], events.start_ps[calls] + events.duration_ps[calls])
    n = waiting.shape[1]
    for unit, when in enumerate(exposed_by_unit(timeline, steps, INDEX["waiting"])):
        here = intervals.intersection(when, called)
        covered = intervals.coverage(here, steps.begin_ps[:n], steps.until_ps[:n])
        within[unit] = np.where(split.ran[unit], np.minimum(covered, waiting[unit]), 0)
    return within
