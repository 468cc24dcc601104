"""A timeline and its steps → the stages of its input pipeline and its collectives, of a mean step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...timeline import Split, Timeline, remembered
from ..collectives import calls
from ..input import Stage
from ..steps import Inside

#: Stages, and kinds of collectives, that are kept of a host, the largest.
MAX_KEPT = 512


class StageKey(NamedTuple):
    """A stage of an input pipeline: the chain of a tf.data iterator, or what fetches and makes elements elsewhere."""

    name: str
    type: str
    kind: str


class CallKey(NamedTuple):
    """Collectives of one kind and process group; size: of the group, 0 where it is not known."""

    kind: str
    group: str
    size: int


class Moved(NamedTuple):
    """Of a mean step. ps: of a stage its work, summed over threads; of collectives their time, on each device.
    wait_ps: of a stage, what it only waited for others. bytes: -1 where they are not known. times: calls. event: the
    name of one of its events, empty where none has one."""

    ps: float = 0.0
    wait_ps: float = 0.0
    bytes: float = -1.0
    times: float = 0.0
    event: str = ""

    def plus(self, other: Moved) -> Moved:
        size = self.bytes + other.bytes if min(self.bytes, other.bytes) >= 0 else max(self.bytes, other.bytes)
        added = self.ps + other.ps, self.wait_ps + other.wait_ps, size, self.times + other.times
        return Moved(*added, self.event or other.event)

    def over(self, many: int) -> Moved:
        size = self.bytes / many if self.bytes >= 0 else self.bytes
        return Moved(self.ps / many, self.wait_ps / many, size, self.times / many, self.event)


NOTHING_MOVED = Moved()


def stages(given: Iterable[Stage], steps: int) -> dict[StageKey, Moved]:
    """Of the whole capture, over all of its steps: a stage works ahead of the step that takes its element."""
    found: dict[StageKey, Moved] = {}
    for one in given if steps else ():
        key = StageKey(one.name, one.type, one.kind)
        work = one.work_ps + (one.wait_ps if one.unseen else 0.0)
        wait = 0.0 if one.unseen else one.wait_ps
        event = one.name.rpartition("::")[2] if one.iterates else one.name
        moved = Moved(work, wait, -1.0, float(one.count or one.calls), event).over(steps)
        found[key] = found.get(key, NOTHING_MOVED).plus(moved)
    largest = sorted(found.items(), key=lambda item: (-item[1].ps, -item[1].wait_ps, item[0]))
    return dict(largest[:MAX_KEPT])


def collectives(timeline: Timeline, split: Split, counted: NDArray[np.bool_]) -> dict[CallKey, Moved]:
    """Of the steps that count, of the mean device."""
    found = remembered(timeline, calls)
    steps = split.steps
    if found.left_out:
        # Calls of the last steps are not kept.
        counted = counted & (steps.until_ps <= found.begin_ps.max())
    if not len(found) or not counted.any():
        return {}
    inside = Inside(steps, counted)(found.begin_ps)
    many = int(counted.sum()) * max(len(np.unique(found.unit)), 1)
    n = len(found.whats)
    what, size = found.what[inside], found.bytes[inside]
    times = np.bincount(what, minlength=n)
    ps = np.bincount(what, found.duration_ps[inside], n)
    known = size >= 0
    carried = np.bincount(what[known], size[known].astype(np.float64), n)
    has_bytes = np.bincount(what[known], minlength=n) > 0
    rows = found.row[inside]
    first = dict(zip(*(column.tolist() for column in np.unique(what, return_index=True)), strict=True))
    events, strings = timeline.capture.events, timeline.capture.strings
    moved: dict[CallKey, Moved] = {}
    for i in np.argsort(-ps, kind="stable")[:MAX_KEPT].tolist():
        if times[i]:
            group = found.whats[i].group
            name = strings[int(events.name[rows[first[i]]])]
            one = Moved(float(ps[i]), 0.0, float(carried[i]) if has_bytes[i] else -1.0, float(times[i]), name)
            key = CallKey(found.whats[i].kind, group.name, group.size)
            moved[key] = moved.get(key, NOTHING_MOVED).plus(one.over(many))
    return moved
