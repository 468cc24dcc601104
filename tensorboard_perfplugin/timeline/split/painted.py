"""The loops of `sweep.py` in numpy, with identical results."""

from __future__ import annotations

import numpy as np

from ...tables import I32, I64, U8, Intervals, intervals
from ..loops import climb, depth_and_reach


def paint(
    start: I64, duration: I64, parent: I32, first: int, event_class: U8, within: U8, shown: U8
) -> tuple[I64, I64, U8]:
    """Begin, end and class of the pieces of one track's time.

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
    return _pieces(at[order], what)


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


def _pieces(at: I64, what: U8) -> tuple[I64, I64, U8]:
    """Neighbouring pieces of one class are one piece; those of class 0 and those of no length are none."""
    begin, end, what = at[:-1], at[1:], what[:-1]
    real = (end > begin) & (what > 0)
    begin, end, what = begin[real], end[real], what[real]
    new = np.concatenate(([True], (begin[1:] != end[:-1]) | (what[1:] != what[:-1])))[: len(begin)]
    last = np.append(np.flatnonzero(new)[1:], len(begin)) - 1
    return begin[new], end[last[: np.count_nonzero(new)]], what[new]


def merge(a: Intervals, b: Intervals) -> Intervals:
    return intervals.union(np.concatenate((a.begin, b.begin)), np.concatenate((a.end, b.end)))
