"""When each step was on a device, by the device's own clock where the steps are measured by such a clock."""

from __future__ import annotations

import numpy as np

from ...tables import I64
from ..devices.own_clock import OwnClock, own_clock
from ..steps.model import Steps
from ..timeline import Timeline


def step_windows(timeline: Timeline, steps: Steps, plane: int) -> tuple[I64, I64, OwnClock | None]:
    """Begin and end of the steps on a device, and its clock; None for times of the trace. plane: -1 for the host.

    A step is as long on all devices as on the one that began it.
    """
    if steps.own is None:
        return steps.begin_ps, steps.until_ps, None
    clock = own_clock(timeline, plane) if plane >= 0 else None
    begin = steps.begin_ps.copy()
    for one in np.unique(steps.own.plane).tolist() if clock is not None else ():
        mine, other = steps.own.plane == one, own_clock(timeline, one)
        if clock is not None and other is not None:
            begin[mine] = clock.of_other(steps.own.begin_ps[mine], other)
    return begin, begin + steps.own.wall_ps, clock
