"""One memory system → what each op allocates and keeps, and how long allocations live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import I64
from .groups import Groups
from .growth import Kept
from .host import Host
from .parts import OP, Live
from .series import Series

PS_PER_US = 1e6
#: Where ranges of lifetimes begin, in µs; the last one has no end.
LIFETIMES_US = (0.0, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7)


class OpUse(NamedTuple):
    """One op's allocations; sizes in bytes, None where nothing shows it. kept_bytes: by step."""

    op: str
    op_from: str
    allocations: int | None = None
    allocated_bytes: int | None = None
    allocated_share: float | None = None
    largest_bytes: int | None = None
    peak_allocations: int | None = None
    peak_bytes: int | None = None
    peak_share: float | None = None
    mean_lifetime_ps: float | None = None
    longest_lifetime_ps: int | None = None
    live_allocations: int | None = None
    live_bytes: int | None = None
    kept_bytes: float | None = None


def lifetime_ps(of: Series, rows: I64) -> I64:
    """From allocation to deallocation, -1 for what is not freed, of some allocations."""
    time, freed = of.events.time_ps, of.freed_by[rows]
    return np.where(freed >= 0, time[np.maximum(freed, 0)] - time[rows], -1)


def op_uses(host: Host, of: Series, kept: Kept, limit: int) -> tuple[list[OpUse], int]:
    """Most memory at the peak first, then most allocated; `limit` of them, and how many there are."""
    rows = np.flatnonzero(of.events.is_allocation)
    groups = Groups(of.events.op[rows].astype(np.int64))
    size, life = of.size[rows], lifetime_ps(of, rows)
    at_peak, live = np.zeros(len(of), np.int64), (of.end[rows] == len(of)).astype(np.int64)
    at_peak[of.live_at(of.peak)] = 1
    peak_bytes, allocated = groups.sum(at_peak[rows] * size), groups.sum(size)
    shown = np.lexsort((-allocated, -peak_bytes))[: limit or None]
    first = rows[groups.first[shown]]
    freed = groups.sum((life >= 0).astype(np.int64))
    mean = groups.sum(np.maximum(life, 0)) / np.maximum(freed, 1)
    everything, peak = int(allocated.sum()), int(of.total[of.peak])
    keeps = kept.by_op(of, rows, groups)
    columns = (
        host.ops(of.events.op[first]),
        host.ops_from(of.events.op[first]),
        groups.count()[shown].tolist(),
        allocated[shown].tolist(),
        [n / everything if everything else None for n in allocated[shown].tolist()],
        groups.largest(size)[shown].tolist(),
        groups.sum(at_peak[rows])[shown].tolist(),
        peak_bytes[shown].tolist(),
        [n / peak if peak else None for n in peak_bytes[shown].tolist()],
        [m if n else None for m, n in zip(mean[shown].tolist(), freed[shown].tolist(), strict=True)],
        [n if n >= 0 else None for n in groups.largest(life)[shown].tolist()],
        groups.sum(live)[shown].tolist(),
        groups.sum(live * size)[shown].tolist(),
        [None] * len(shown) if keeps is None else keeps[shown].tolist(),
    )
    return [OpUse(*cells) for cells in zip(*columns, strict=True)], len(groups)


def with_recorded(ops: Sequence[OpUse], live: Sequence[Live], peak: int) -> list[OpUse]:
    """The ops with what was recorded at the peak; those without an event have nothing else."""
    held: dict[str, tuple[int, int]] = {}
    for part in live:
        if part.kind == OP:
            count, size = held.get(part.op, (0, 0))
            held[part.op] = count + part.count, size + part.total
    named = {each.op for each in ops}
    every = [*ops, *(OpUse(op, "recorded") for op in held if op not in named)]
    at_peak = [held.pop(each.op, (0, 0)) for each in every]
    uses = [
        each._replace(peak_allocations=count, peak_bytes=size, peak_share=size / peak if peak else None)
        for each, (count, size) in zip(every, at_peak, strict=True)
    ]
    return sorted(uses, key=lambda each: -(each.peak_bytes or 0))


class Lifetimes(NamedTuple):
    """By range of `LIFETIMES_US`, then of what is not freed: how many allocations, and their bytes."""

    allocations: list[int]
    total_bytes: list[int]


def lifetimes(of: Series) -> Lifetimes:
    """Allocations of whose address another took over count as not freed."""
    rows = np.flatnonzero(of.events.is_allocation)
    life = lifetime_ps(of, rows)
    ends = np.array(LIFETIMES_US[1:]) * PS_PER_US
    at = np.where(life < 0, len(LIFETIMES_US), np.searchsorted(ends, life, side="right"))
    count = np.bincount(at, minlength=len(LIFETIMES_US) + 1)
    size = np.zeros(len(count), np.int64)
    np.add.at(size, at, of.size[rows])
    return Lifetimes(count.tolist(), size.tolist())
