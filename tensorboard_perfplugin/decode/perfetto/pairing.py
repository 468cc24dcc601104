"""Begins and ends of slices, by track → the end of each begin.

In the order of time an end closes what was begun last. PyTorch writes all begins of a kind and then all their ends, in
the same order: where ends of a sequence stand behind begins of later times, the nth end of a run of ends closes the nth
begin of the run before it, since slices that follow one another at once could not be told from nested ones else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8
from ..trace_events.pairs import NEAR, STATE, pair
from .closing import LEFT, LOST, before_begins, by_time, by_track, in_order, merged


class Bounds(NamedTuple):
    """Begins and ends in the order of the file. source: the event that each is, -1 of an end that is none. track: from
    0 on. opens: 1 a begin, 0 an end.
    """

    source: I32
    track: I32
    time: I64
    opens: U8


def bounds_of(
    is_either: NDArray[np.bool_], opens: NDArray[np.bool_], track: Any, time: I64, before: Any, end_of: Any, end_at: I64
) -> Bounds:
    """Those of the events that are either and of ends that are no events. opens, track, time: by event. before: how
    many events come before each such end; end_of, end_at: its track and time.
    """
    n = int(np.count_nonzero(is_either)) + len(before)
    made = Bounds(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.uint8))
    given = (
        *(is_either.view(np.uint8), opens.view(np.uint8), track.astype(np.int32), time),
        *(before.astype(np.int32, copy=False), end_of.astype(np.int32, copy=False), end_at),
    )
    merged(*(_memory(each) for each in (*given, *made)))
    return made


def pairs_of(bounds: Bounds, tracks: int) -> tuple[I64, Any, int]:
    """Begins, the end of each (-1 without one), and how many ends closed nothing, all as places of bounds. tracks: how
    many there are.
    """
    _, track, time, is_open = bounds
    n = len(track)
    if not n:
        return np.empty(0, np.int64), np.empty(0, np.int64), 0
    order, end = np.empty(n, np.int32), np.full(n, LEFT, np.int32)
    rows, on, at, begins, ends = (_memory(each) for each in (order, track, time, is_open, end))
    by_track(on, _memory(np.zeros(tracks + 1, np.int32)), rows)
    if before_begins(rows, on, at, begins):
        in_order(rows, on, at, begins, ends)
    by_time(rows, on, at, begins, ends, _memory(np.empty(n, np.int32)))
    begin = np.flatnonzero((is_open == 1) & (end != LEFT))
    lost = int((end == LOST).sum())
    rest = np.flatnonzero(end == LEFT)
    if not len(rest):
        return begin, end[begin], lost
    others, their_ends, more = _by_time(rest, track, time, is_open)
    return np.concatenate((begin, others)), np.concatenate((end[begin], their_ends)), lost + more


def _memory(array: Any) -> Any:
    """Without a compiler its cells are twice as quick as an array's."""
    return memoryview(np.ascontiguousarray(array))  # type: ignore[arg-type]


def _by_time(rows: I64, track: I32, time: I64, opens: U8) -> tuple[I64, I64, int]:
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
