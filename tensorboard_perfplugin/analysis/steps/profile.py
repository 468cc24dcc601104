"""A timeline and its steps → what tells its program from another: its ops by their time, and how long steps take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...timeline import OpEvents, Steps, Timeline, derived, ops_of

#: Ops of a host that are compared with those of another; they have nearly all of the time.
_OPS = 256


class Profile(NamedTuple):
    """ops: the largest by name, of devices, else of the host, each as a part of the time of all. step_ps: the median
    of the steps that count, wall_ps the sum of all."""

    ops: dict[str, float]
    step_ps: float
    wall_ps: float

    def common(self, other: Profile) -> float:
        """The part of their ops' time that both have in common."""
        return sum(min(share, other.ops.get(name, 0.0)) for name, share in self.ops.items())


NO_PROFILE = Profile({}, 0.0, 0.0)


def profile(timeline: Timeline, steps: Steps) -> Profile:
    if not len(steps):
        return NO_PROFILE
    wall = steps.wall_ps[steps.counted]
    return Profile(_ops(timeline), float(np.median(wall)), float(wall.sum()))


@derived
def _ops(timeline: Timeline) -> dict[str, float]:
    ops = ops_of(timeline)
    side = ops.device if len(ops.device.rows) else ops.host
    took = _took(timeline, side, len(ops.ops))
    whole = took.sum()
    most = np.argsort(-took, kind="stable")[:_OPS] if whole else np.empty(0, np.int64)
    found: dict[str, float] = {}
    for i, ps in zip(most.tolist(), took[most].tolist(), strict=True):
        if ps:
            found[ops.ops[i].name] = found.get(ops.ops[i].name, 0.0) + ps / float(whole)
    return found


def _took(timeline: Timeline, side: OpEvents, count: int) -> NDArray[np.float64]:
    return np.asarray(np.bincount(side.op, timeline.capture.events.duration_ps[side.rows], count), np.float64)
