"""One memory system → what each op allocates and keeps, and how long allocations live."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...tables import Cells, Scalar
from ...tables.capture import I64
from .columns import LIFETIMES, OPS
from .groups import Groups
from .growth import Kept
from .host import Host
from .series import Series

PS_PER_US = 1e6
#: Ends of the ranges of lifetimes, in µs.
_RANGES = (("< 1 µs", 0, 1), ("1–10 µs", 1, 10), ("10–100 µs", 10, 100), ("0.1–1 ms", 100, 1e3))
_LONG = (("1–10 ms", 1e3, 1e4), ("10–100 ms", 1e4, 1e5), ("0.1–1 s", 1e5, 1e6), ("1–10 s", 1e6, 1e7))
LIFETIME_RANGES = (*_RANGES, *_LONG, ("≥ 10 s", 1e7, None))
NOT_FREED = "not freed in the capture"


def lifetime_ps(of: Series, rows: I64) -> I64:
    """From allocation to deallocation, -1 for what is not freed, of some allocations."""
    time, freed = of.events.time_ps, of.freed_by[rows]
    return np.where(freed >= 0, time[np.maximum(freed, 0)] - time[rows], -1)


def op_table(host: Host, of: Series, kept: Kept, limit: int) -> tuple[dict[str, Cells], int]:
    """The table `ops`, most memory at the peak first, then most allocated, and how many rows there are."""
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
    cells: dict[str, Sequence[Scalar]] = {
        "op": host.ops(of.events.op[first]),
        "op_from": host.ops_from(of.events.op[first]),
        "allocations": groups.count()[shown].tolist(),
        "allocated_bytes": allocated[shown].tolist(),
        "allocated_share": [n / everything if everything else None for n in allocated[shown].tolist()],
        "largest_bytes": groups.largest(size)[shown].tolist(),
        "peak_allocations": groups.sum(at_peak[rows])[shown].tolist(),
        "peak_bytes": peak_bytes[shown].tolist(),
        "peak_share": [n / peak if peak else None for n in peak_bytes[shown].tolist()],
        "mean_lifetime_us": [
            m / PS_PER_US if n else None for m, n in zip(mean[shown].tolist(), freed[shown], strict=True)
        ],
        "longest_lifetime_us": [n / PS_PER_US if n >= 0 else None for n in groups.largest(life)[shown].tolist()],
        "live_allocations": groups.sum(live)[shown].tolist(),
        "live_bytes": groups.sum(live * size)[shown].tolist(),
        "kept_bytes": [None] * len(shown) if keeps is None else keeps[shown].tolist(),
    }
    return {c.name: cells[c.name] for c in OPS.columns}, len(groups)


def lifetime_table(of: Series) -> dict[str, Cells]:
    """The table `lifetimes`; allocations of whose address another took over count as not freed."""
    rows = np.flatnonzero(of.events.is_allocation)
    life = lifetime_ps(of, rows)
    ends = np.array([begin for _, begin, _ in LIFETIME_RANGES[1:]]) * PS_PER_US
    at = np.where(life < 0, len(LIFETIME_RANGES), np.searchsorted(ends, life, side="right"))
    count = np.bincount(at, minlength=len(LIFETIME_RANGES) + 1)
    size = np.zeros(len(count), np.int64)
    np.add.at(size, at, of.size[rows])
    cells: dict[str, Sequence[Scalar]] = {
        "lifetime": [*(name for name, *_ in LIFETIME_RANGES), NOT_FREED],
        "shortest_us": [*(float(begin) for _, begin, _ in LIFETIME_RANGES), None],
        "longest_us": [*(None if end is None else float(end) for *_, end in LIFETIME_RANGES), None],
        "allocations": count.tolist(),
        "total_bytes": size.tolist(),
    }
    return {c.name: cells[c.name] for c in LIFETIMES.columns}
