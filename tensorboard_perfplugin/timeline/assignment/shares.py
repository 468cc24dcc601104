"""How much of the time of ops is assigned to steps, by how that is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables.capture import U8
from ..devices import device_spans_of
from ..ops import host_self_ps_of, ops_of
from ..timeline import Timeline
from .assign import Assignment, How


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


def shares(timeline: Timeline, assignment: Assignment) -> Shares:
    """Self time of all ops by how their step is known."""
    ops = ops_of(timeline)
    device = _share(assignment.how[ops.device.rows], device_spans_of(timeline).self_ps)
    return Shares(device, _share(assignment.how[ops.host.rows], host_self_ps_of(timeline).astype(np.float64)))


def _share(how: U8, self_ps: NDArray[np.float64]) -> Share:
    none, time, cause = np.bincount(how, weights=self_ps, minlength=len(How)).tolist()
    return Share(round(cause), round(time), round(none))
