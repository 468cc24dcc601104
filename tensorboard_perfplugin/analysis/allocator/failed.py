"""Allocations that failed (out of memory) → what was asked for, what was free in which pieces, what was in the way."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I64, Events
from ...timeline import Timeline
from ..memory import Series
from .moment import Moment, moment

FAILED = "OutOfMemory"
#: Of a snapshot with more the first ones are shown: each is looked at block by block.
MOST = 20


@dataclasses.dataclass(frozen=True)
class Failure:
    """One failed allocation; sizes in bytes. kind: of its stack. device_free: what the driver said it had left, None
    where that is not known. largest_free: the longest free room in one segment. in_way: what is in use in the place of
    one segment that would hold the request and in which least is, None where no segment is long enough; in_way_kind: of
    what kind most of that is, -1 where nothing is.
    """

    event: int
    time_ps: int
    kind: int
    asked: int
    device_free: int | None
    used: int
    reserved: int
    free: int
    holes: int
    largest_free: int
    in_way: int | None
    in_way_blocks: int
    in_way_kind: int

    @property
    def is_fragmented(self) -> bool:
        """Whether what the allocator had reserved and did not use would have been enough in one piece."""
        return self.free >= self.asked > self.largest_free


def failures(timeline: Timeline, of: Series, category: I64) -> tuple[list[Failure], int]:
    """In time order, and how many there are."""
    capture = timeline.capture
    name = capture.strings.find(FAILED)
    if name < 0 or not len(of):
        return [], 0
    track = int(capture.events.track[of.events.row[0]])
    low, high = int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track])
    rows = low + np.flatnonzero(capture.events.name[low:high] == name)
    asked = timeline.stat_of("requested_bytes", rows)[0]
    left, kind = timeline.stat_of("device_free", rows)
    before = np.searchsorted(of.events.row, rows) - 1
    found = []
    for i in range(min(len(rows), MOST)):
        at = moment(timeline, of, category, int(before[i]), int(rows[i]))
        device_free = int(left[i]) if kind[i] and left[i] >= 0 else None
        found.append(_failure(int(rows[i]), capture.events, at, int(asked[i]), device_free))
    return found, len(rows)


def _failure(row: int, events: Events, at: Moment, asked: int, device_free: int | None) -> Failure:
    in_way, blocks = cheapest(at, asked)
    named: dict[int, int] = {}
    for place in blocks.tolist():
        kind = int(at.kind[place])
        named[kind] = named.get(kind, 0) + int(at.size[place])
    return Failure(
        event=row,
        time_ps=int(events.start_ps[row]),
        kind=int(events.kind[row]),
        asked=asked,
        device_free=device_free,
        used=at.reserved - at.free,
        reserved=at.reserved,
        free=at.free,
        holes=len(at.holes),
        largest_free=at.largest_hole,
        in_way=in_way,
        in_way_blocks=len(blocks),
        in_way_kind=max(named, key=named.__getitem__, default=-1),
    )


def cheapest(at: Moment, asked: int) -> tuple[int | None, I64]:
    """The place of a length within one segment in which least is in use: how much, and the blocks; None without a
    place.

    One begins where a segment does, or a block ends.
    """
    begin, end = at.address, at.address + at.size
    ends = at.segments[:, 0] + at.segments[:, 1]
    starts = np.unique(np.concatenate((at.segments[:, 0], end)))
    segment = np.searchsorted(at.segments[:, 0], starts, side="right") - 1
    if not len(ends) or asked <= 0:
        return None, np.empty(0, np.int64)
    starts = starts[(segment >= 0) & (starts + asked <= ends[np.maximum(segment, 0)])]
    if not len(starts):
        return None, np.empty(0, np.int64)
    sums = np.concatenate(([0], np.cumsum(at.size)))
    first, last = np.searchsorted(end, starts, side="right"), np.searchsorted(begin, starts + asked)
    used = sums[last] - sums[np.minimum(first, last)]
    best = int(np.argmin(used))
    return int(used[best]), np.arange(min(first[best], last[best]), last[best])
