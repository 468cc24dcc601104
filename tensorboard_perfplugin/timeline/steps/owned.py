"""Steps → whether devices, where they work, did any of it for them."""

from __future__ import annotations

import numpy as np

from ...tables import intervals
from ..causes import launches_of
from ..ops import ops_of
from ..timeline import Timeline
from .model import Steps


def owns_work(timeline: Timeline, steps: Steps) -> bool:
    """Whether devices did nothing at all, or something launched in a step, or run in one where no launch is known.

    What a host repeats while devices work on something else is no step of theirs.
    """
    rows = ops_of(timeline).device.rows
    if not len(rows) or steps.on_device:
        return True
    launch = launches_of(timeline).rows[rows]
    at = timeline.capture.events.start_ps[np.where(launch >= 0, launch, rows)]
    walls = intervals.union(steps.begin_ps, steps.until_ps)
    return bool((np.searchsorted(walls.begin, at, side="right") > np.searchsorted(walls.end, at, side="right")).any())
