"""Begins and ends of slices, by track → the end of each begin.

In the order of time an end closes what was begun last. PyTorch writes all begins of a kind and then all their ends, in
the same order: where ends of a sequence stand behind begins of later times, the nth end of a run of ends closes the nth
begin of the run before it, since slices that follow one another at once could not be told from nested ones else.
"""

from __future__ import annotations

import numpy as np

from ...tables import I64
from ..trace_events import NEAR, STATE, pair


def pairs_of(track: I64, time: I64, opens: I64) -> tuple[I64, I64, int]:
    """Begins, the end of each (-1 without one), and how many ends closed nothing.

    Given are places among rows in the order of the file. opens: 1 a begin, 0 an end.
    """
    n = len(track)
    if not n:
        return np.empty(0, np.int64), np.empty(0, np.int64), 0
    begin, end = _in_order(track, time, opens)
    left = np.ones(n, bool)
    left[begin] = left[end] = False
    rest = np.flatnonzero(left)
    others, their_ends, lost = _by_time(rest, track, time, opens)
    return np.concatenate((begin, others)), np.concatenate((end, their_ends)), lost


def _in_order(track: I64, time: I64, opens: I64) -> tuple[I64, I64]:
    """Pairs of runs of begins and as many ends, where some of the file's ends come before begins that stand above."""
    order = np.argsort(track, kind="stable")
    t, o = track[order], opens[order]
    new = np.ones(len(t), bool)
    new[1:] = (t[1:] != t[:-1]) | ((o[1:] == 1) & (o[:-1] == 0))
    run = np.cumsum(new) - 1
    runs = int(run[-1]) + 1
    begins = np.bincount(run, o, runs).astype(np.int64)
    size = np.bincount(run, minlength=runs)
    first = np.flatnonzero(new)
    even = (2 * begins == size) & (size > 0)
    is_even = np.flatnonzero(even)
    at = time[order]
    out = at[first[is_even] + begins[is_even]] < at[first[is_even] + begins[is_even] - 1]
    if not out.any():
        return np.empty(0, np.int64), np.empty(0, np.int64)
    base = np.repeat(first[is_even], begins[is_even])
    nth = np.arange(len(base)) - np.repeat(np.cumsum(begins[is_even]) - begins[is_even], begins[is_even])
    begin = base + nth
    end = begin + np.repeat(begins[is_even], begins[is_even])
    sound = np.ones(runs, bool)
    sound[run[begin[at[end] < at[begin]]]] = False
    kept = sound[run[begin]]
    return order[begin[kept]], order[end[kept]]


def _by_time(rows: I64, track: I64, time: I64, opens: I64) -> tuple[I64, I64, int]:
    order = rows[np.lexsort((time[rows], track[rows]))]
    n = len(order)
    if not n:
        return np.empty(0, np.int64), np.empty(0, np.int64), 0
    stack, hint, near = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(NEAR, np.int64)
    out, state = np.empty((n, 3), np.int64), np.zeros(STATE, np.int64)
    given = (
        *(opens[order].astype(np.int32), opens[order].astype(np.uint8)),
        *(track[order].astype(np.int64), time[order].astype(np.int64)),
        *(stack, hint, near, out, state),
    )
    pair(*(memoryview(np.ascontiguousarray(each)) for each in given))  # type: ignore[arg-type]
    made, lost = int(state[1]), int(state[2])
    end = out[:made, 1]
    return order[out[:made, 0]], np.where(end >= 0, order[end], -1), lost
