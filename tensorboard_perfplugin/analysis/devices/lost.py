"""A timeline → runs of XLA's programs on GPUs of which the capture holds no kernel, though it holds those of others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...timeline import Timeline, devices_of, enclosing_of, launches_of, program_runs


class Runs(NamedTuple):
    """Of programs of which some run has kernels, on all devices of a host. program: that which lost most."""

    runs: int
    lost: int
    program: str


def runs_of_programs(timeline: Timeline) -> Runs:
    """A run is the host's event around all launches of a program on one device."""
    events, strings = timeline.capture.events, timeline.capture.strings
    names = program_runs(timeline)
    runs = np.flatnonzero(names[events.name])
    if not len(runs) or not any(device.events for device in devices_of(timeline)):
        return Runs(0, 0, "")
    launch = launches_of(timeline).rows
    launch = np.unique(launch[launch >= 0])
    around = enclosing_of(timeline, names[events.name], launch)
    has = np.zeros(len(events), bool)
    has[around[around >= 0]] = True
    count = np.bincount(events.name[runs], minlength=len(strings) + 1)
    seen = np.bincount(events.name[runs[has[runs]]], minlength=len(strings) + 1)
    lost = np.where(seen > 0, count - seen, 0)
    most = int(lost.argmax())
    program = strings[most].partition(":")[0] if lost[most] else ""
    return Runs(int(count[seen > 0].sum()), int(lost.sum()), program)
