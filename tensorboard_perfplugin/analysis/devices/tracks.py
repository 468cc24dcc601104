"""A timeline → the tracks of a device on which it ran something."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64
from ...timeline.causes import launches_of
from ...timeline.devices import devices_of
from ...timeline.nesting import enclosing_of
from ...timeline.ops.executions import program_runs
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline, cached

_NO_ROWS = np.empty(0, np.int64)


def device_tracks(timeline: Timeline, plane: int) -> I64:
    """The tracks of a device on which it ran something."""
    return cached(timeline, _tracks_by_device).get(plane, _NO_ROWS)


def _tracks_by_device(timeline: Timeline) -> dict[int, I64]:
    """Of all devices at once: there may be ten thousand."""
    used = np.bincount(timeline.capture.events.track[ops_of(timeline).device.rows], minlength=1)
    tracks = np.flatnonzero(used)
    plane = timeline.capture.tracks.plane[tracks]
    tracks = tracks[np.argsort(plane, kind="stable")]
    which, first = np.unique(np.sort(plane), return_index=True)
    return dict(zip(which.tolist(), np.split(tracks, first[1:]), strict=True)) if len(tracks) else {}


# A timeline → runs of XLA's programs on GPUs of which the capture holds no kernel, though it holds those of others.


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
