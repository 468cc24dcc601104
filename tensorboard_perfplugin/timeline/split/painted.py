"""The loops of `sweep.py` in numpy, with identical results."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8, Intervals, intervals
from ..loops.vectorised import climb, depth_and_reach


def paint(
    start: I64, duration: I64, parent: I32, first: int, event_class: U8, within: U8, shown: U8, apart: bool = False
) -> tuple[I64, I64, U8, I64]:
    """Begin, end, class and row of the pieces of one track's time. apart: a piece is of one row.

    Each event's end is a point at which the event around it goes on: an event of no length there, whose parent that is.
    """
    held = _held(np.where(parent >= 0, parent - np.int32(first), parent), event_class, within)
    real = np.flatnonzero(duration > 0)
    n = len(real)
    at = np.concatenate((start[real] + duration[real], start[real]))
    length = np.concatenate((np.zeros(n, np.int64), duration[real]))
    is_begin = np.repeat((False, True), n)
    # By time; at one time ends first, then begins in the order of rows.
    order = np.lexsort((np.tile(np.arange(n), 2), is_begin, at))
    around = _running(at[order], length[order])
    row = np.where(is_begin[order], order - n, -1)
    top = np.where(is_begin[order], row, np.where(around >= 0, row[around], -1))
    what = np.where(top >= 0, shown[np.append(held[real], 0)[top]], 0).astype(np.uint8)
    return _pieces(at[order], what, real[top] if len(real) else top, apart)


def _running(at: I64, length: I64) -> I32:
    """For each row the last begun of the events that run on after its instant, or -1."""
    previous = np.arange(-1, len(at) - 1, dtype=np.int32)
    return climb(previous, at + length, at + 1)


def _held(parent: I32, event_class: U8, within: U8) -> U8:
    """The class of each row, from the outermost in."""
    depth, _ = depth_and_reach(parent, np.zeros(len(parent), np.int64))
    order = np.argsort(depth, kind="stable")
    held: U8 = within[0, event_class]
    bounds = np.searchsorted(depth[order], np.arange(1, int(depth.max(initial=0)) + 2))
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = order[low:high]
        held[rows] = within[held[parent[rows]], event_class[rows]]
    return held


def _pieces(at: I64, what: U8, row: I64, apart: bool) -> tuple[I64, I64, U8, I64]:
    """Neighbouring pieces of one class are one piece; those of class 0 and those of no length are none."""
    begin, end, what, row = at[:-1], at[1:], what[:-1], row[:-1]
    real = (end > begin) & (what > 0)
    begin, end, what, row = begin[real], end[real], what[real], row[real]
    differ = (begin[1:] != end[:-1]) | (what[1:] != what[:-1]) | (apart & (row[1:] != row[:-1]))
    new = np.concatenate(([True], differ))[: len(begin)]
    last = np.append(np.flatnonzero(new)[1:], len(begin)) - 1
    return begin[new], end[last[: np.count_nonzero(new)]], what[new], row[new]


def share(
    begin: I64, end: I64, category: U8, first: I64, sharing: U8, windows: Intervals, categories: int
) -> NDArray[np.float64]:
    """As `sets.share`."""
    n = len(begin)
    at = np.concatenate((begin, end))
    order = np.argsort(at, kind="stable")
    what, shares = np.tile(category, 2)[order], np.tile(_by_piece(first, sharing), 2)[order]
    sign = np.repeat((1, -1), n)[order]
    length = intervals.coverage(windows, at[order][:-1], at[order][1:])
    counted = np.zeros(len(length), bool)
    shared, place = np.zeros(n), np.empty(2 * n, np.int64)
    place[order] = np.arange(2 * n)
    for one in range(categories):
        mine = what == one
        if mine.any():
            running, many = np.cumsum(sign * mine)[:-1], np.cumsum(sign * (mine & (shares > 0)))[:-1]
            here = (running > 0) & ~counted & (many > 0)
            counted |= running > 0
            until = np.concatenate(([0.0], np.cumsum(np.where(here, length / np.maximum(many, 1), 0.0))))
            pieces = np.flatnonzero(category == one)
            shared[pieces] = until[place[n + pieces]] - until[place[pieces]]
    return np.where(_by_piece(first, sharing) > 0, shared, 0.0)


def _by_piece(first: I64, of_track: U8) -> U8:
    return np.repeat(of_track, np.diff(first))


def merge(a: Intervals, b: Intervals) -> Intervals:
    return intervals.union(np.concatenate((a.begin, b.begin)), np.concatenate((a.end, b.end)))
