"""Segments and blocks of an allocator → how each segment is divided, and what of each device nothing uses."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I64, Allocator, BlockState

#: Parts of the picture of a segment, and what stands for how much of a part is in use.
_PARTS = 24
_FILLED = "·░▒▓█"


@dataclasses.dataclass(frozen=True)
class Divided:
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


@dataclasses.dataclass(frozen=True)
class Totals:
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


@dataclasses.dataclass(frozen=True)
class _Sums:
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

    def of(values: I64, mask: I64 = mine) -> int:
        return int(values[mask].sum())

    return Totals(
        segments=int(mine.sum()),
        reserved=of(s.size),
        used=of(sums.used),
        asked=of(sums.asked),
        waits=of(sums.waits),
        cached=of(sums.free, whole),
        split=of(sums.free, mine & ~whole),
        largest_free=int(sums.largest_free[mine].max(initial=0)),
        blocks=of(sums.blocks),
        pools=len(np.unique(s.pool[private])),
        pool_bytes=of(s.size, private),
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
