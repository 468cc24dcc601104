# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops of the trace viewer: event columns → rows by lane, and a window's slices merged by pixel.

Where this module is not compiled its user takes numpy instead, with identical results. All indices come from
`_lanes.py`, which counted them from the same columns; nothing here is checked a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    from ..tables.capture import I32, I64

COMPILED: bool = cython.compiled


@cython.locals(
    track="const int[::1]",
    depth="const int[::1]",
    lane_base="const long long[::1]",
    cursor=cython.longlong[::1],
    order=cython.int[::1],
    i=cython.Py_ssize_t,
    lane=cython.longlong,
)
def place(track: I32, depth: I32, lane_base: I64, cursor: I64, order: I32) -> None:
    """Counting sort: event rows by lane. `cursor` holds each lane's first place and is moved to its end."""
    with cython.nogil:
        for i in range(track.shape[0]):
            lane = lane_base[track[i]] + depth[i]
            order[cursor[lane]] = i
            cursor[lane] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
@cython.locals(
    start="const long long[::1]",
    duration="const long long[::1]",
    name="const int[::1]",
    order="const int[::1]",
    place=cython.longlong,
    high=cython.longlong,
    shift=cython.int,
    weight=cython.longlong[::1],
    seen=cython.longlong[:, ::1],
    out=cython.longlong[::1],
    row=cython.longlong,
    length=cython.longlong,
    bucket=cython.longlong,
    last=cython.longlong,
    count=cython.longlong,
    busy=cython.longlong,
    names=cython.Py_ssize_t,
    best=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
)
def _bucket(
    start: I64,
    duration: I64,
    name: I32,
    order: I32,
    place: int,
    high: int,
    shift: int,
    weight: I64,
    seen: I64,
    out: I64,
) -> int:
    """Merge the short slices of one bucket, from `place` on, into `out`; the place after them."""
    bucket = start[order[place]] >> shift
    last = busy = count = 0
    names = 0
    while place < high:
        row = order[place]
        length = duration[row]
        if length >> shift or start[row] >> shift != bucket:
            break
        last = max(last, start[row] + length)
        busy += length
        count += 1
        if weight[name[row]] < 0:
            weight[name[row]] = 0
            seen[names, 0] = name[row]
            seen[names, 1] = row
            names += 1
        weight[name[row]] += length
        place += 1
    best = 0
    for k in range(1, names):
        if weight[seen[k, 0]] > weight[seen[best, 0]]:
            best = k
    for k in range(names):
        weight[seen[k, 0]] = -1
    out[2] = last
    out[3] = count
    out[4] = busy
    out[5] = seen[best, 1]
    return place


@cython.locals(
    start="const long long[::1]",
    duration="const long long[::1]",
    name="const int[::1]",
    order="const int[::1]",
    low="const long long[::1]",
    high="const long long[::1]",
    shift=cython.int,
    weight=cython.longlong[::1],
    seen=cython.longlong[:, ::1],
    out=cython.longlong[:, ::1],
    n=cython.Py_ssize_t,
    room=cython.Py_ssize_t,
    left=cython.longlong,
    lane=cython.Py_ssize_t,
    place=cython.longlong,
    row=cython.longlong,
    pixel=cython.longlong,
)
def merge(
    start: I64, duration: I64, name: I32, order: I32, low: I64, high: I64, shift: int, weight: I64, seen: I64, out: I64
) -> int:
    """Slices of each lane's places low to high, into the rows of `out`; how many, or -1 when `out` is too small.

    Slices of 2**shift ps and more stand alone; shorter ones that start in the same bucket of that length are one.
    Columns of `out`: lane (its place in `low`), first start, last end, count, busy, row. The row is that of the first
    event with the name that is busy for longest. `weight` (one place a name) comes and goes filled with -1;
    `seen` is room for (name, row) of the names of one bucket.
    """
    n = left = 0
    room = out.shape[0]
    pixel = cython.cast(cython.longlong, 1) << shift
    with cython.nogil:
        for lane in range(low.shape[0]):
            place = low[lane]
            while place < high[lane] and n < room:
                row = order[place]
                out[n, 0] = lane
                out[n, 1] = start[row]
                if duration[row] >= pixel:
                    out[n, 2] = start[row] + duration[row]
                    out[n, 3] = 1
                    out[n, 4] = duration[row]
                    out[n, 5] = row
                    place += 1
                else:
                    place = _bucket(start, duration, name, order, place, high[lane], shift, weight, seen, out[n])
                n += 1
            left += high[lane] - place
    return -1 if left else n
