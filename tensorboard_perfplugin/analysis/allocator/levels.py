"""A memory system's events and their categories → how much of each is in use over time, and at its peak."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I64
from ..memory import BEFORE_RECORD, CATEGORIES, Series

#: Rows of the picture at most: bars of two pixels and more.
MOST = 400


@dataclasses.dataclass(frozen=True)
class Levels:
    """Bytes by stretch and category, when most was in use in it."""

    start_ps: I64
    duration_ps: I64
    bytes: I64


def levels(of: Series, category: I64, begin_ps: int, end_ps: int) -> Levels:
    """Stretches of a window in which events fall, of equal length; with few events each is one."""
    time = of.events.time_ps
    low, high = int(np.searchsorted(time, begin_ps)), int(np.searchsorted(time, end_ps, side="right"))
    if high <= low:
        return Levels(*(np.empty(0, np.int64),) * 2, np.zeros((0, len(CATEGORIES)), np.int64))
    length = max(-(-(end_ps - begin_ps + 1) // MOST), 1)
    bucket = (time[low:high] - begin_ps) // length
    first = np.flatnonzero(np.concatenate(([True], bucket[1:] != bucket[:-1])))
    total = of.total[low:high]
    most = np.maximum.reduceat(total, first)
    sizes = np.diff(np.append(first, high - low))
    hit = np.flatnonzero(total == np.repeat(most, sizes))
    at = hit[np.searchsorted(hit, first)] + low
    start = begin_ps + bucket[first] * length
    until = np.append(start[1:], max(end_ps, begin_ps))
    return Levels(start, np.maximum(until - start, 0), at_events(of, category, at))


def at_events(of: Series, category: I64, at: I64) -> I64:
    """Bytes of each category after some events, ascending. What no event explains counts as from before."""
    found = np.zeros((len(at), len(CATEGORIES)), np.int64)
    counted = of.events.is_allocation | (of.freed >= 0)
    # An allocation at an address that is not freed yet ends the one before: no deallocation of it follows.
    taken = np.flatnonzero(of.events.is_allocation & (of.freed_by < 0) & (of.end < len(of)))
    for i in range(len(CATEGORIES)):
        if i != BEFORE_RECORD:
            change = np.where(counted & (category == i), of.signed, 0)
            np.subtract.at(change, of.end[taken], np.where(category[taken] == i, of.size[taken], 0))
            found[:, i] = np.cumsum(change)[at]
    found[:, BEFORE_RECORD] = of.total[at] - found.sum(axis=1)
    return found
