"""One device's allocator at a moment → the blocks in use, and the free room between them.

Both follow from what the file says of its end: an allocation of later is taken away, what was freed later is put back,
and so are segments.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Allocator, BlockState, among
from ...timeline import Timeline
from ..memory import BEFORE_RECORD, Series

#: PyTorch gives no smaller pieces.
ROUND = 512


@dataclasses.dataclass(frozen=True, eq=False)
class Moment:
    """Blocks by address: address, size, kind (row of `kinds`, -1 unknown), category. holes: begin and length of free
    room,
    each within one segment. segments: begin and length, those side by side as one. from_before: of blocks, whether
    they are older than the record.
    """

    address: I64
    size: I64
    kind: I64
    category: I64
    from_before: NDArray[np.bool_]
    holes: I64
    segments: I64

    @property
    def reserved(self) -> int:
        return int(self.segments[:, 1].sum())

    @property
    def free(self) -> int:
        return int(self.holes[:, 1].sum())

    @property
    def largest_hole(self) -> int:
        return int(self.holes[:, 1].max(initial=0))


def device_of(system: str) -> int:
    """Number of the device of a memory system of a snapshot, -1 for others."""
    parts = system.split("_")
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() and len(parts[1]) < 6 else -1


def moment(timeline: Timeline, of: Series, category: I64, event: int, row: int = -1) -> Moment:
    """After an event of a series; -1 is before all, `len(of)` the end.

    row: of the capture's events, up to which segments came and went; without one up to the event.
    """
    capture = timeline.capture
    allocator, device = capture.allocator, device_of(of.system.id)
    assert allocator is not None
    event = min(event, len(of) - 1)
    live = of.live_at(event) if event >= 0 else np.empty(0, np.int64)
    later = np.flatnonzero(of.before & (np.arange(len(of)) > event))
    old, old_kind, old_size = _old(allocator, of, device)
    kinds = capture.events.kind[of.events.row[live]].astype(np.int64)
    address = np.concatenate((of.events.address[live], of.events.address[later], old))
    size = np.concatenate((of.size[live], of.size[later], old_size))
    size = -(-size // ROUND) * ROUND
    kind = np.concatenate((kinds, np.full(len(later), -1, np.int64), old_kind))
    own = np.concatenate((category[live], np.full(len(later) + len(old), BEFORE_RECORD, np.int64)))
    is_old = np.arange(len(address)) >= len(live)
    order = np.argsort(address, kind="stable")
    upto = int(of.events.row[event]) if row < 0 <= event else row
    segments = _segments(timeline, of, allocator, device, upto)
    holes = _holes(address[order], size[order], segments)
    return Moment(address[order], size[order], kind[order], own[order], is_old[order], holes, segments)


def blocks_of(allocator: Allocator, device: int) -> I64:
    """Rows of a device's blocks."""
    s = allocator.segments
    mine = np.flatnonzero(s.device == device)
    size = s.blocks_end[mine] - s.blocks_begin[mine]
    place = np.repeat(s.blocks_begin[mine] - np.cumsum(size) + size, size)
    return place + np.arange(len(place))


def _old(allocator: Allocator, of: Series, device: int) -> tuple[I64, I64, I64]:
    """Blocks in use at the end that were allocated before the record: address, kind, size."""
    rows = blocks_of(allocator, device)
    rows = rows[allocator.blocks.state[rows] != BlockState.FREE]
    live = of.live_at(len(of) - 1) if len(of) else np.empty(0, np.int64)
    new = among(allocator.blocks.address[rows], of.events.address[live])
    rows = rows[~new]
    b = allocator.blocks
    return b.address[rows], b.kind[rows].astype(np.int64), b.size[rows]


def _segments(timeline: Timeline, of: Series, allocator: Allocator, device: int, upto: int) -> I64:
    """What is mapped after a row of the capture's events: begin and length of each contiguous piece of a segment."""
    capture, s = timeline.capture, allocator.segments
    mine = s.device == device
    begin, size, sign = s.address[mine], s.size[mine], np.ones(int(mine.sum()), np.int64)
    parts = [(begin, size, sign)]
    track = int(capture.events.track[of.events.row[0]]) if len(of) else -1
    if track >= 0:
        low, high = int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track])
        low = max(low, upto + 1)
        name = capture.events.name[low:high]
        for names, each in ((("segment_free", "segment_unmap"), 1), (("segment_alloc", "segment_map"), -1)):
            ids = [i for i in map(capture.strings.find, names) if i >= 0]
            rows = low + np.flatnonzero(among(name, ids))
            address = timeline.stat_of("addr", rows)[0]
            length = timeline.stat_of("bytes", rows)[0]
            parts.append((address, length, np.full(len(rows), each, np.int64)))
    begin, size, sign = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _covered(begin, size, sign, s.address[mine])


def _covered(begin: I64, size: I64, sign: I64, cuts: I64) -> I64:
    """Where the signs of spans sum to more than 0: begin and length; never across where a segment of the end begins."""
    at = np.concatenate((begin, begin + size))
    change = np.concatenate((sign, -sign))
    place, which = np.unique(at, return_inverse=True)
    level = np.zeros(len(place), np.int64)
    np.add.at(level, which.reshape(-1), change)
    covered = np.cumsum(level) > 0
    starts = covered & ~(np.concatenate(([False], covered[:-1])) & ~among(place, cuts))
    first = np.flatnonzero(starts)
    if not len(first):
        return np.zeros((0, 2), np.int64)
    length = np.diff(np.append(place, place[-1])) * covered
    return np.stack((place[first], np.add.reduceat(length, first)), axis=1)


def _holes(address: I64, size: I64, segments: I64) -> I64:
    """Free room between blocks by address within segments by address: begin and length, none empty."""
    if not len(segments):
        return np.zeros((0, 2), np.int64)
    begin, end = segments[:, 0], segments[:, 0] + segments[:, 1]
    inside = np.searchsorted(begin, address, side="right") - 1
    kept = (inside >= 0) & (address < end[np.maximum(inside, 0)])
    address, until = address[kept], np.minimum((address + size)[kept], end[np.maximum(inside, 0)][kept])
    # Room begins with a segment or behind a block, and ends with the next block or the segment.
    starts = np.sort(np.concatenate((begin, until)))
    stops = np.sort(np.concatenate((address, end)))
    n = min(len(starts), len(stops))
    holes = np.stack((starts[:n], stops[:n] - starts[:n]), axis=1)
    return holes[holes[:, 1] > 0]
