"""Memory snapshots: segments and blocks of a caching allocator, failed allocations, what each allocation is for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..patterns import regex
from ..tables import HEAP_FRAME, I64, Allocator, BlockState, Capture, Events, among, range_members
from ..timeline.timeline import Timeline
from .memory.series import BEFORE, CATEGORIES, Series, of_kinds, of_series
from .memory.stacks import Samples, Stacks, stacks_of_samples

# Segments and blocks of an allocator → how each segment is divided, and what of each device nothing uses.

#: Parts of the picture of a segment, and what stands for how much of a part is in use.
_PARTS = 24
_FILLED = "·░▒▓█"


class Divided(msgspec.Struct, frozen=True):
    """A segment, sizes in bytes. asked: what programs asked for of the blocks in use. largest_kind: the kind of its
    largest block in use, -1 without one. picture: how full each of its parts is.
    """

    row: int
    device: int
    address: int
    bytes: int
    used: int
    asked: int
    waits: int
    free: int
    largest_free: int
    blocks: int
    stream: int
    pool: str
    is_large: bool
    is_expandable: bool
    largest_kind: int
    picture: str


class Totals(msgspec.Struct, frozen=True):
    """All segments of a device. cached: of segments that are wholly free, which `empty_cache` gives back. split: free
    pieces of segments of which a part is in use; small: those of them below 1 MiB. pools: private pools, of CUDA
    graphs.
    """

    segments: int
    reserved: int
    used: int
    asked: int
    waits: int
    cached: int
    split: int
    largest_free: int
    blocks: int
    pools: int
    pool_bytes: int
    expandable: int

    @property
    def free(self) -> int:
        return self.cached + self.split

    @property
    def rounding(self) -> int:
        """Lost to rounding of sizes."""
        return max(self.used - self.asked, 0)

    @property
    def fragmentation(self) -> float | None:
        """1 − largest free piece ÷ all free; None where nothing is free."""
        return 1 - self.largest_free / self.free if self.free else None


class _Sums(msgspec.Struct, frozen=True):
    used: I64
    asked: I64
    waits: I64
    free: I64
    largest_free: I64
    blocks: I64


def _sums(allocator: Allocator) -> _Sums:
    """By segment."""
    s, b = allocator.segments, allocator.blocks
    count = s.blocks_end - s.blocks_begin
    owner = np.repeat(np.arange(len(s)), count)

    def summed(values: I64) -> I64:
        found = np.zeros(len(s), np.int64)
        np.add.at(found, owner, values)
        return found

    free = np.where(b.state == BlockState.FREE, b.size, 0)
    largest = np.zeros(len(s), np.int64)
    np.maximum.at(largest, owner, free)
    return _Sums(
        used=summed(np.where(b.state == BlockState.IN_USE, b.size, 0)),
        asked=summed(np.where(b.state == BlockState.IN_USE, b.requested, 0)),
        waits=summed(np.where(b.state == BlockState.WAITS, b.size, 0)),
        free=summed(free),
        largest_free=largest,
        blocks=count,
    )


def totals(allocator: Allocator, device: int) -> Totals:
    s, sums = allocator.segments, _sums(allocator)
    mine = s.device == device
    whole = mine & (sums.used + sums.waits == 0)
    private = mine & (s.pool > 0)

    def total(values: I64, mask: I64 = mine) -> int:
        return int(values[mask].sum())

    return Totals(
        segments=int(mine.sum()),
        reserved=total(s.size),
        used=total(sums.used),
        asked=total(sums.asked),
        waits=total(sums.waits),
        cached=total(sums.free, whole),
        split=total(sums.free, mine & ~whole),
        largest_free=int(sums.largest_free[mine].max(initial=0)),
        blocks=total(sums.blocks),
        pools=len(np.unique(s.pool[private])),
        pool_bytes=total(s.size, private),
        expandable=int((s.is_expandable[mine] > 0).sum()),
    )


def divided(allocator: Allocator, pools: list[str], device: int, limit: int) -> tuple[list[Divided], int]:
    """Those with most free first, then the largest; `limit` of them (0: all), and how many there are."""
    s, b, sums = allocator.segments, allocator.blocks, _sums(allocator)
    mine = np.flatnonzero(s.device == device)
    order = mine[np.lexsort((-s.size[mine], -sums.free[mine]))]
    found = []
    for i in order[: limit or None].tolist():
        begin, end = int(s.blocks_begin[i]), int(s.blocks_end[i])
        in_use = b.state[begin:end] != BlockState.FREE
        largest = int(np.argmax(np.where(in_use, b.size[begin:end], -1))) if in_use.any() else -1
        found.append(
            Divided(
                row=i,
                device=device,
                address=int(s.address[i]),
                bytes=int(s.size[i]),
                used=int(sums.used[i]),
                asked=int(sums.asked[i]),
                waits=int(sums.waits[i]),
                free=int(sums.free[i]),
                largest_free=int(sums.largest_free[i]),
                blocks=end - begin,
                stream=int(s.stream[i]),
                pool=pools[i],
                is_large=bool(s.is_large[i]),
                is_expandable=bool(s.is_expandable[i]),
                largest_kind=int(b.kind[begin + largest]) if largest >= 0 else -1,
                picture=picture(b.size[begin:end], in_use),
            )
        )
    return found, len(mine)


def picture(size: I64, in_use: I64) -> str:
    """How full each of equal parts of a segment is, its blocks one after the other."""
    end = np.cumsum(size)
    total = int(end[-1]) if len(end) else 0
    if not total:
        return ""
    cuts = np.linspace(0, total, _PARTS + 1)
    used = np.interp(cuts, np.concatenate(([0], end)), np.concatenate(([0], np.cumsum(np.where(in_use, size, 0)))))
    share = np.diff(used) / (total / _PARTS)
    level = np.where(share < 0.001, 0, np.clip(np.ceil(share * 4 - 1e-6), 1, 4)).astype(int)
    return "".join(_FILLED[i] for i in level.tolist())


# One device's allocator at a moment → the blocks in use, and the free room between them.
#
# Both follow from what the file says of its end: an allocation of later is taken away, what was freed later is put
# back, and so are segments.

#: PyTorch gives no smaller pieces.
ROUND = 512


class Moment(msgspec.Struct, frozen=True, eq=False):
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
    own = np.concatenate((category[live], np.full(len(later) + len(old), BEFORE, np.int64)))
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
    return range_members(s.blocks_begin[mine], s.blocks_end[mine])


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


# Allocations that failed (out of memory) → what was asked for, what was free in which pieces, what was in the way.

OUT_OF_MEMORY = "OutOfMemory"
#: Of a snapshot with more the first ones are shown: each is looked at block by block.
MOST_ATTEMPTS = 20


class Failure(msgspec.Struct, frozen=True):
    """One failed allocation; sizes in bytes. kind: of its stack. device_free: what the driver reported as free, None
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
    name = capture.strings.find(OUT_OF_MEMORY)
    if name < 0 or not len(of):
        return [], 0
    track = int(capture.events.track[of.events.row[0]])
    low, high = int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track])
    rows = low + np.flatnonzero(capture.events.name[low:high] == name)
    asked = timeline.stat_of("requested_bytes", rows)[0]
    left, kind = timeline.stat_of("device_free", rows)
    before = np.searchsorted(of.events.row, rows) - 1
    found = []
    for i in range(min(len(rows), MOST_ATTEMPTS)):
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


# What is in use at a moment → samples of call stacks, as those of a device memory profile.

#: Stats of a kind before its frames: allocator and op.
NOT_FRAMES = 2
#: Files of libraries and of C++, whose frames do not show the op.
_LIBRARY = regex(
    r"(site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen |(?:^|[/\\])torch[/\\]|/torchinductor_"
    r"|\.(?:cpp|cc|cxx|cu|cuh|h|hpp|c|so)(?:\.\d+)*$|^(?:\?\?|none)?$"
)


def stacks_at(capture: Capture, at: Moment, device: int, limit: int) -> Stacks:
    return _stacks(capture, at.kind, at.size, _named(capture, at.kind, at.category), device, limit)


def stacks_at_end(capture: Capture, allocator: Allocator, device: int, limit: int) -> Stacks:
    """Call stacks of the live blocks of a snapshot without a record, by requested size."""
    rows = blocks_of(allocator, device)
    rows = rows[allocator.blocks.state[rows] != BlockState.FREE]
    kind = allocator.blocks.kind[rows].astype(np.int64)
    every = np.full(len(kind), BEFORE, np.int64)
    return _stacks(capture, kind, allocator.blocks.requested[rows], _named(capture, kind, every), device, limit)


def _named(capture: Capture, kind: I64, category: I64) -> I64:
    """What is older than the record by what its stack says."""
    base = of_kinds(capture)
    known = (category == BEFORE) & (kind >= 0)
    return np.where(known, base[np.maximum(kind, 0)] if len(base) else BEFORE, category)


def _stacks(capture: Capture, kind: I64, size: I64, category: I64, device: int, limit: int) -> Stacks:
    """Blocks of one stack and category are one sample."""
    code, at = np.unique(kind * len(CATEGORIES) + category, return_inverse=True)
    at = at.reshape(-1)
    total, count = np.zeros(len(code), np.int64), np.bincount(at, minlength=len(code)).astype(np.int64)
    np.add.at(total, at, size)
    kinds, categories = np.divmod(code, len(CATEGORIES))
    frames, end = _frames(capture, kinds)
    texts = (*capture.strings, f"GPU {device}", *CATEGORIES)
    n = len(capture.strings)
    where = np.full(len(code), n, np.int64)
    samples = Samples(total, count, n + 1 + categories, where, frames, np.concatenate(([0], end[:-1])), end)
    return stacks_of_samples(texts, samples, limit, _LIBRARY)


def _frames(capture: Capture, kinds: I64) -> tuple[I64, I64]:
    """Texts of the frames of each kind's stack one after the other, and where each ends: they are the last of its
    stats.
    """
    key = capture.strings.find(HEAP_FRAME)
    if not len(capture.kinds) or key < 0:
        return np.empty(0, np.int64), np.zeros(len(kinds), np.int64)
    known = np.maximum(kinds, 0)
    stop = capture.kinds.stats_end[known]
    size = np.where(kinds >= 0, np.maximum(stop - capture.kinds.stats_begin[known] - NOT_FRAMES, 0), 0)
    return capture.stats.value[range_members(stop - size, stop)], np.cumsum(size)


# A memory system's events and their categories → how much of each is in use over time, and at its peak.

#: Rows of the picture at most: bars of some pixels.
MOST_LEVELS = 200


class Levels(msgspec.Struct, frozen=True):
    """Bytes by stretch and category, when most was in use in it."""

    start_ps: I64
    duration_ps: I64
    bytes: I64


def levels(of: Series, category: I64, begin_ps: int, end_ps: int) -> Levels:
    """Stretches of equal length of a window: when most was in use in each; without an event as the last one left it."""
    time = of.events.time_ps
    n = int(min(MOST_LEVELS, max(end_ps - begin_ps, 1)))
    whole, rest = divmod(max(end_ps - begin_ps, 0), n)
    start = begin_ps + whole * np.arange(n) + rest * np.arange(n) // n
    until = np.append(start[1:], max(end_ps, begin_ps) + 1)
    low, high = np.searchsorted(time, start), np.searchsorted(time, until)
    at = np.maximum(low - 1, 0)
    filled = np.flatnonzero(high > low)
    if len(filled):
        total = of.total[low[filled[0]] : high[filled[-1]]]
        first = low[filled] - low[filled[0]]
        most = np.maximum.reduceat(total, first)
        hit = np.flatnonzero(total == np.repeat(most, high[filled] - low[filled]))
        at[filled] = hit[np.searchsorted(hit, first)] + low[filled[0]]
    found = at_events(of, category, at)
    # Before the first event is what that one changed.
    found[high == 0] = 0
    found[high == 0, BEFORE] = of.heap_at_begin
    return Levels(start, np.maximum(np.append(start[1:], max(end_ps, begin_ps)) - start, 0), found)


def at_events(of: Series, category: I64, at: I64) -> I64:
    """Bytes of each category after some events, ascending. What no event explains counts as from before."""
    found = np.zeros((len(at), len(CATEGORIES)), np.int64)
    counted = of.events.is_allocation | (of.freed >= 0)
    # An allocation at an address that is not freed yet ends the one before: no deallocation of it follows.
    taken = np.flatnonzero(of.events.is_allocation & (of.freed_by < 0) & (of.end < len(of)))
    for i in range(len(CATEGORIES)):
        if i != BEFORE:
            change = np.where(counted & (category == i), of.signed, 0)
            np.subtract.at(change, of.end[taken], np.where(category[taken] == i, of.size[taken], 0))
            found[:, i] = np.cumsum(change)[at]
    found[:, BEFORE] = of.total[at] - found.sum(axis=1)
    return found


# One device of a memory snapshot → all that its page and its rules need.

#: What frames show that is done already, by name.
_DONE = {
    "checkpoint": "torch/utils/checkpoint.py",
    "bitsandbytes": "bitsandbytes/",
    "fsdp": "torch/distributed/fsdp/",
    "zero": "torch/distributed/optim/zero_redundancy",
    "deepspeed": "deepspeed/runtime/zero/",
}
_SHARDED = frozenset(("fsdp", "deepspeed"))
#: What makes less of a category.
REMEDIES = {
    "activation": frozenset(("checkpoint",)),
    "optimizer": _SHARDED | {"zero", "bitsandbytes"},
    "gradient": _SHARDED,
    "parameter": _SHARDED,
}


class Largest(msgspec.Struct, frozen=True):
    """The largest allocation that is in use at the peak."""

    bytes: int
    op: str
    category: str


class Snapshot(msgspec.Struct, frozen=True):
    """One device. settings: of the allocator. peak: bytes by category when most was in use. levels: None without a
    record. asked_by: the op that requested it, by kind of what `segments` and `failures` name. actions: how many the
    record holds. remedies: of `_DONE` those that frames show. peak_reserved, peak_free, peak_pieces, peak_largest_free:
    at the peak.
    """

    host: str
    device: int
    has_history: bool
    settings: dict[str, str]
    totals: Totals
    segments: Sequence[Divided]
    segment_count: int
    failures: Sequence[Failure]
    failure_count: int
    levels: Levels | None
    peak: dict[str, int]
    stacks: Stacks | None
    asked_by: dict[int, str]
    before_share: float | None
    largest: Largest | None
    actions: int
    has_stacks: bool
    remedies: frozenset[str]
    peak_reserved: int = 0
    peak_free: int = 0
    peak_pieces: int = 0
    peak_largest_free: int = 0

    @property
    def expandable(self) -> bool:
        """Whether segments are expandable already."""
        return self.settings.get("expandable_segments") == "True" or self.totals.expandable > 0

    def has_remedy(self, category: str) -> bool:
        """Whether the program does already what would make less of a category."""
        return bool(REMEDIES.get(category, frozenset()) & self.remedies)

    @property
    def peak_bytes(self) -> int:
        return sum(self.peak.values())


#: At which moment the call stacks are shown.
PEAK, FAILED, END = "peak", "oom", "end"
MOMENTS = (PEAK, FAILED, END)


def snapshot_of(
    timeline: Timeline, of: Series | None, window: tuple[int, int], limit: int, at: str = PEAK
) -> Snapshot | None:
    """None for other captures than memory snapshots. of: the memory system that is shown; None without a record."""
    capture = timeline.capture
    if capture.allocator is None:
        return None
    if of is None:
        return _without_record(timeline, limit)
    device = device_of(of.system.id)
    category = of_series(timeline, of)
    failed, count = failures(timeline, of, category)
    event = of.peak if at == PEAK else len(of) - 1
    if at == FAILED and failed:
        event = int(np.searchsorted(of.events.row, failed[0].event)) - 1
    at_most = moment(timeline, of, category, of.peak)
    then = at_most if event == of.peak else moment(timeline, of, category, event)
    made = _Made(capture, device, limit)
    at_peak = at_events(of, category, np.array([of.peak], np.int64))[0].tolist()
    peak = {name: size for name, size in zip(CATEGORIES, at_peak, strict=True) if size}
    return made.snapshot(
        timeline.host,
        failures=failed,
        failure_count=count,
        levels=levels(of, category, *window),
        peak=peak,
        stacks=stacks_at(capture, then, device, limit),
        before_share=peak.get("before", 0) / int(of.total[of.peak]) if of.total[of.peak] else None,
        largest=_largest(made, of, category),
        actions=int((capture.events.track == capture.events.track[of.events.row[0]]).sum()),
        peak_reserved=at_most.reserved,
        peak_free=at_most.free,
        peak_pieces=len(at_most.holes),
        peak_largest_free=at_most.largest_hole,
    )


def _largest(made: _Made, of: Series, category: I64) -> Largest | None:
    live = of.live_at(of.peak)
    if not len(live):
        return None
    row = int(live[np.argmax(of.size[live])])
    kind = int(made.capture.events.kind[of.events.row[row]])
    return Largest(int(of.size[row]), made.asked_by(kind), CATEGORIES[int(category[row])])


def _without_record(timeline: Timeline, limit: int) -> Snapshot:
    """Of the first device that has segments."""
    capture, allocator = timeline.capture, timeline.capture.allocator
    assert allocator is not None
    used = np.zeros(int(allocator.segments.device.max(initial=0)) + 1, np.int64)
    np.add.at(used, allocator.segments.device, allocator.segments.size)
    device = int(np.argmax(used))
    stacks = stacks_at_end(capture, allocator, device, limit)
    return _Made(capture, device, limit).snapshot(timeline.host, stacks=stacks)


class _Made:
    def __init__(self, capture: Capture, device: int, limit: int) -> None:
        assert capture.allocator is not None
        self.capture, self.allocator, self.device, self.limit = capture, capture.allocator, device, limit

    def snapshot(
        self,
        host: str,
        failures: Sequence[Failure] = (),
        failure_count: int = 0,
        levels: Levels | None = None,
        peak: dict[str, int] | None = None,
        stacks: Stacks | None = None,
        before_share: float | None = None,
        largest: Largest | None = None,
        actions: int = 0,
        **at_peak: int,
    ) -> Snapshot:
        pools = self.capture.strings.texts(self.allocator.segments.pool)
        segments, count = divided(self.allocator, pools, self.device, self.limit)
        kinds = {each.largest_kind for each in segments} | {each.kind for each in failures}
        kinds |= {each.in_way_kind for each in failures if each.in_way_kind >= 0}
        return Snapshot(
            host=host,
            device=self.device,
            has_history=self.allocator.has_history,
            settings=dict(self.allocator.settings),
            totals=totals(self.allocator, self.device),
            segments=segments,
            segment_count=count,
            failures=failures,
            failure_count=failure_count,
            levels=levels,
            peak=peak or {},
            stacks=stacks,
            asked_by={kind: self.asked_by(kind) for kind in kinds if kind >= 0},
            before_share=before_share,
            largest=largest,
            actions=actions,
            has_stacks=self.capture.strings.find(HEAP_FRAME) >= 0 and self._has_frames(),
            remedies=self._remedies(),
            **at_peak,
        )

    def _has_frames(self) -> bool:
        kinds = self.capture.kinds
        return bool((kinds.stats_end - kinds.stats_begin > NOT_FRAMES).any())

    def _remedies(self) -> frozenset[str]:
        texts = [text.replace("\\", "/") for text in self.capture.strings if "\t" in text]
        return frozenset(name for name, file in _DONE.items() if any(file in text for text in texts))

    def asked_by(self, kind: int) -> str:
        if kind < 0:
            return ""
        kinds = self.capture.kinds
        values = dict(self.capture.values(int(kinds.stats_begin[kind]), int(kinds.stats_begin[kind]) + 2))
        return str(values.get("tf_op", ""))
