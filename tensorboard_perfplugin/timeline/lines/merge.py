"""Kernels in their order and what each is called → events that reach from the first to the last kernel of a name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I32, I64, Mask
from ..timeline import Timeline
from .model import Kernels, Labels, Line
from .paths import LEVELS

#: Derived events for each event of the capture, and of any capture.
_SHARE, _LEAST = 1, 1 << 20


class Room:
    """How many events the lines of all devices may still have: levels that would need more are left out, but for the
    outermost of a line.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._left = _SHARE * len(timeline.capture.events) + _LEAST

    def takes(self, level: int, count: int) -> bool:
        taken = not level or count <= self._left
        self._left -= count if taken else 0
        return taken


def merged(kernels: Kernels, key: str, labels: Labels, room: Room) -> Line:
    """Level by level: neighbours of one name make an event, whatever the stream; kernels without a name are looked
    through, those of another end it.

    An event ends with its last kernel, or where the next one of its level begins, if that is before: so events of a
    level never overlap, and lie in those of the level above.
    """
    at = np.flatnonzero(labels.path >= 0)
    path, begin, end = labels.path[at], kernels.begin_ps[at], kernels.end_ps[at]
    new = np.ones(len(at) + 1, bool)
    new[1:-1] = np.diff(kernels.part[at]) != 0
    if labels.part is not None:
        new[1:-1] |= np.diff(labels.part[at]) != 0
    none = np.empty(0, np.int32)
    parts = [_Level(none, none, none, none, np.empty(0, np.int64), np.empty(0, bool))]
    place = np.arange(len(at))
    for level in range(labels.levels.shape[1]):
        node = labels.levels[path[place], level]
        place, node = place[node >= 0], node[node >= 0]
        first, until = _runs(place, node, new)
        if not len(first) or not room.takes(level, len(first)):
            break
        reach = np.maximum.reduceat(end[place], first)
        low, high = place[first], place[until - 1] + 1
        stop = np.append(begin, np.iinfo(np.int64).max)[high]
        name, depth = labels.name[node[first]].astype(np.int32), np.full(len(first), level, np.int32)
        places = low.astype(np.int32), high.astype(np.int32)
        parts.append(_Level(*places, name, depth, np.minimum(reach, stop), reach > stop))
    whole = _Level(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    del parts
    start = np.append(begin, 0)[whole.first]
    # Of kernels that begin at one instant the later one's name is shown.
    some = np.flatnonzero(whole.stop > start)
    some = some[np.argsort(whole.first[some].astype(np.int64) * (LEVELS + 1) + whole.depth[some], kind="stable")]
    under = kernels.rows if len(at) == len(kernels.rows) else kernels.rows[at]
    name, depth, cut = whole.name[some], whole.depth[some], whole.cut[some]
    times, places = (start[some], whole.stop[some]), (whole.first[some], whole.until[some])
    return Line(kernels.plane, key, labels.names, name, *times, depth, *places, cut, under)


class _Level(NamedTuple):
    """Events: the kernels under each from `first` to before `until`; when it ends; whether one of them runs on."""

    first: I32
    until: I32
    name: I32
    depth: I32
    stop: I64
    cut: Mask


def _runs(place: I64, node: I64, new: Mask) -> tuple[I64, I64]:
    """Where neighbours of one node begin and end; what lies between two that are none comes from elsewhere."""
    if not len(place):
        return place, place
    change = np.ones(len(place), bool)
    change[1:] = (np.diff(node) != 0) | (np.diff(place) != 1) | new[place[1:]]
    first = np.flatnonzero(change)
    return first, np.append(first[1:], len(place))
