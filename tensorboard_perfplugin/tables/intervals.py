"""Interval arithmetic on int64 arrays. Intervals are half-open: [begin, end) holds begin, not end.

A *set* is what `union` gives: sorted, disjoint, not touching, none empty. The other functions take sets and give sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import I64 as I64


class Intervals(NamedTuple):
    """Begins and ends, two int64 arrays of equal length."""

    begin: I64
    end: I64

    @property
    def total(self) -> int:
        """Sum of the lengths."""
        return int((self.end - self.begin).sum())


EMPTY = Intervals(np.empty(0, np.int64), np.empty(0, np.int64))


def union(begin: I64, end: I64) -> Intervals:
    """The set of all instants in any of the intervals, given in any order; empty and negative ones count nothing."""
    real = end > begin
    if not real.all():
        begin, end = begin[real], end[real]
    if not len(begin):
        return EMPTY
    if (begin[1:] < begin[:-1]).any():
        order = np.argsort(begin, kind="stable")
        begin, end = begin[order], end[order]
    if (begin[1:] > end[:-1]).all():
        return Intervals(np.ascontiguousarray(begin), np.ascontiguousarray(end))
    reach = np.maximum.accumulate(end)
    first = np.concatenate(([True], begin[1:] > reach[:-1]))
    last = np.concatenate((first[1:], [True]))
    return Intervals(begin[first], reach[last])


def clip(a: Intervals, begin: int, end: int) -> Intervals:
    """What of a set lies in the window [begin, end)."""
    low, high = np.maximum(a.begin, begin), np.minimum(a.end, end)
    real = high > low
    return Intervals(low[real], high[real])


def intersection(a: Intervals, b: Intervals) -> Intervals:
    """What lies in both sets."""
    few, many = (a, b) if len(a.begin) < len(b.begin) else (b, a)
    first = np.searchsorted(many.end, few.begin, side="right")
    count = np.maximum(np.searchsorted(many.begin, few.end, side="left") - first, 0)
    some = np.flatnonzero(count)
    first, count, behind = first[some], count[some], np.cumsum(count[some])
    rows = np.arange(behind[-1] if len(some) else 0) + np.repeat(first - behind + count, count)
    begin, end = many.begin[rows], many.end[rows]
    # Of those that reach into one interval only the first begins before it, and only the last ends after it.
    begin[behind - count] = np.maximum(begin[behind - count], few.begin[some])
    end[behind - 1] = np.minimum(end[behind - 1], few.end[some])
    return Intervals(begin, end)


def gaps(a: Intervals, begin: int, end: int) -> Intervals:
    """What of the window [begin, end) lies in no interval of a set."""
    inside = clip(a, begin, end)
    low = np.concatenate(([begin], inside.end)).astype(np.int64)
    high = np.concatenate((inside.begin, [end])).astype(np.int64)
    real = high > low
    return Intervals(low[real], high[real])


def subtraction(a: Intervals, b: Intervals) -> Intervals:
    """What lies in set a and not in set b."""
    if not len(a.begin):
        return EMPTY
    return intersection(a, gaps(b, int(a.begin[0]), int(a.end[-1])))


def coverage(a: Intervals, begin: I64, end: I64) -> I64:
    """For each [begin, end), in any order and overlapping as they like: how much of it set a covers."""
    covered: I64 = np.maximum(_covered_before(a, end) - _covered_before(a, begin), 0)
    return covered


def _covered_before(a: Intervals, at: I64) -> I64:
    """How much of set a lies before each instant."""
    if not len(a.begin):
        return np.zeros(len(at), np.int64)
    before = np.concatenate(([0], np.cumsum(a.end - a.begin)))
    row = np.searchsorted(a.begin, at, side="right")
    beyond = np.maximum(a.end[row - 1] - at, 0)
    return np.where(row > 0, before[row] - beyond, 0)
