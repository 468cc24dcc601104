"""A host's tf.data and its GPUs' steps → how long launches are late while pipelines' threads fill the host's cores.

A launch is late where a GPU stands still and the host launches, runs an op, or the runtime is at work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import EMPTY, Intervals, PlaneKind, intervals
from ...timeline import INDEX, Timeline, launches_of
from ...timeline.split import exposed_by
from ..input import is_reader
from ..steps import HostSteps
from .host import Host

_LATE = ("launch", "host_compute", "runtime")
#: Less of the steps is not looked at: no rule has a word for it.
_LEAST = 0.01
#: A host has more than one core.
_FEWEST = 2
#: TensorFlow's threads that only launch have names with this.
_PRIVATE = "gpu_private"


class Contention(NamedTuple):
    """Times in ps, of the steps that count; of several devices, of any that waits.

    cores: of the host, 0 where the capture does not say. threads: so many of pipelines work at once while cores are
    full; where their number is unknown, the most that do. full_ps: how long they are. late_ps: how long a launch is
    late meanwhile, rest_late_ps: in the rest. steps: how many these are. private: whether threads that do nothing else
    launch.
    """

    cores: int
    threads: int
    steps: int
    steps_ps: int
    full_ps: int
    late_ps: int
    rest_late_ps: int
    private: bool

    @property
    def share(self) -> float:
        """Of the steps' time."""
        return self.late_ps / self.steps_ps if self.steps_ps else 0.0

    @property
    def rest_share(self) -> float:
        """Of the steps' time in which cores are not full."""
        return (self.steps_ps - self.full_ps) / self.steps_ps if self.steps_ps else 0.0

    @property
    def times(self) -> float | None:
        """How much more of the time launches are late while cores are full; None where they are never late else."""
        rest = self.steps_ps - self.full_ps
        if not rest or not self.rest_late_ps or not self.full_ps:
            return None
        return (self.late_ps / self.full_ps) / (self.rest_late_ps / rest)


def contention(host: Host, cores: int) -> Contention | None:
    """None where no GPU ran, launches are hardly late, or nothing else works at once."""
    if late_share(host.timeline, host.steps) < _LEAST:
        return None
    steps = host.steps.split.steps
    counted = steps.counted
    windows = intervals.union(steps.begin_ps[counted], steps.until_ps[counted])
    threads, full = _full(host, cores)
    meanwhile = intervals.intersection(full, windows)
    if not cores and threads < _FEWEST:
        return None
    exposed = exposed_by(host.timeline, steps, [INDEX[key] for key in _LATE])
    begins, ends = ([when[i] for when in exposed.values()] for i in range(2))
    any_late = intervals.union(np.concatenate(begins), np.concatenate(ends)) if exposed else EMPTY
    late_in_steps = intervals.intersection(any_late, windows)
    late_ps = intervals.intersection(late_in_steps, meanwhile).total
    return Contention(
        cores,
        threads,
        int(counted.sum()),
        windows.total,
        meanwhile.total,
        late_ps,
        late_in_steps.total - late_ps,
        _launched_privately(host),
    )


def late_share(timeline: Timeline, steps: HostSteps) -> float:
    """The part of a host's steps on GPUs in which these stand still for a late launch; 0 without GPUs."""
    split, kinds = steps.split, timeline.capture.planes.kind
    gpus = [i for i, unit in enumerate(split.units) if unit.plane >= 0 and kinds[unit.plane] == PlaneKind.GPU]
    exposed = split.exposed_ps[gpus]
    return float(exposed[:, :, [INDEX[key] for key in _LATE]].sum() / max(exposed.sum(), 1)) if gpus else 0.0


def _full(host: Host, cores: int) -> tuple[int, Intervals]:
    """How many threads of all pipelines fill the cores, and when at least so many work; reading mostly waits for disks
    and networks, and takes no core."""
    works = host.all_segments()
    reads = np.array([is_reader(name) for name in host.frames.stages], bool)
    works = works.take(works.works & ~reads[host.frames.stage[works.frame]])
    at, change = np.concatenate((works.begin, works.end)), np.repeat((1, -1), len(works.begin))
    order = np.lexsort((change, at))
    at, count = at[order], np.cumsum(change[order])
    threads = cores or int(count.max(initial=0))
    busy = np.flatnonzero((count[:-1] >= max(threads, 1)) & (at[1:] > at[:-1]))
    return threads, intervals.union(at[busy], at[busy + 1])


def _launched_privately(host: Host) -> bool:
    capture, rows = host.timeline.capture, launches_of(host.timeline).rows
    tracks = np.unique(capture.events.track[rows[rows >= 0]])
    return any(_PRIVATE in capture.strings[i] for i in capture.tracks.name[tracks].tolist())
