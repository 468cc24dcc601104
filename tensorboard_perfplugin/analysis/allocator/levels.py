"""A memory system's events and their categories → how much of each is in use over time, and at its peak."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I64
from ..memory import BEFORE_RECORD, CATEGORIES, Series

#: Rows of the picture at most: bars of some pixels.
MOST = 200


@dataclasses.dataclass(frozen=True)
class Levels:
    """Bytes by stretch and category, when most was in use in it."""

    start_ps: I64
    duration_ps: I64
    bytes: I64


def levels(of: Series, category: I64, begin_ps: int, end_ps: int) -> Levels:
    """Stretches of equal length of a window: when most was in use in each; without an event as the last one left it."""
    time = of.events.time_ps
    n = int(min(MOST, max(end_ps - begin_ps, 1)))
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
    found[high == 0, BEFORE_RECORD] = of.heap_at_begin
    return Levels(start, np.maximum(np.append(start[1:], max(end_ps, begin_ps)) - start, 0), found)


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
