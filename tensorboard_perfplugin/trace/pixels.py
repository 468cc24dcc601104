# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops of the trace viewer: event columns → rows by lane, and a window's slices merged by pixel.

Where this module is not compiled its user takes numpy instead, with identical results. All indices come from
`_lanes.py`, which counted them from the same columns; nothing here is checked a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    from ..tables import I32, I64

COMPILED: bool = cython.compiled


@cython.locals(
    track="const int[::1]",
    depth="const int[::1]",
    lane_base="const long long[::1]",
    begin=cython.longlong[::1],
    i=cython.Py_ssize_t,
    total=cython.longlong,
)
def tally(track: I32, depth: I32, lane_base: I64, begin: I64) -> None:
    """Where each lane begins when events are sorted by it, and the end; `begin` is zero on entry."""
    with cython.nogil:
        for i in range(track.shape[0]):
            begin[lane_base[track[i]] + depth[i] + 1] += 1
        total = 0
        for i in range(begin.shape[0]):
            total += begin[i]
            begin[i] = total


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
    order="const int[::1]",
    low=cython.longlong,
    high=cython.longlong,
    wanted=cython.longlong,
    middle=cython.longlong,
)
def _not_before(start: I64, order: I32, low: int, high: int, wanted: int) -> int:
    """The first place in low to high whose event does not begin before the wanted time, else high."""
    while low < high:
        middle = (low + high) >> 1
        if start[order[middle]] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@cython.locals(
    start="const long long[::1]",
    duration="const long long[::1]",
    order="const int[::1]",
    begin="const long long[::1]",
    lanes="const long long[::1]",
    start_ps=cython.longlong,
    end_ps=cython.longlong,
    low=cython.longlong[::1],
    high=cython.longlong[::1],
    i=cython.Py_ssize_t,
    lane=cython.longlong,
    first=cython.longlong,
    row=cython.longlong,
)
def cut(
    start: I64,
    duration: I64,
    order: I32,
    begin: I64,
    lanes: I64,
    start_ps: int,
    end_ps: int,
    low: I64,
    high: I64,
) -> None:
    """For each lane the places of the events that overlap start_ps to end_ps: the first, and one past the last."""
    with cython.nogil:
        for i in range(lanes.shape[0]):
            lane = lanes[i]
            first = _not_before(start, order, begin[lane], begin[lane + 1], start_ps)
            low[i] = first
            high[i] = _not_before(start, order, first, begin[lane + 1], end_ps)
            if first > begin[lane]:
                row = order[first - 1]
                if start[row] + duration[row] > start_ps:
                    low[i] = first - 1


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


@cython.locals(
    start="const long long[::1]",
    duration="const long long[::1]",
    order="const int[::1]",
    low="const long long[::1]",
    high="const long long[::1]",
    shift=cython.int,
    n=cython.longlong,
    lane=cython.Py_ssize_t,
    place=cython.longlong,
    row=cython.longlong,
    bucket=cython.longlong,
    last=cython.longlong,
)
def count(start: I64, duration: I64, order: I32, low: I64, high: I64, shift: int) -> int:
    """How many slices `merge` gives."""
    n = 0
    with cython.nogil:
        for lane in range(low.shape[0]):
            last = -1
            for place in range(low[lane], high[lane]):
                row = order[place]
                if duration[row] >> shift:
                    n += 1
                    last = -1
                else:
                    bucket = start[row] >> shift
                    if last < 0 or bucket != last:
                        n += 1
                    last = bucket
    return n


@cython.locals(
    start="const long long[::1]",
    duration="const long long[::1]",
    name="const int[::1]",
    order="const int[::1]",
    begin="const long long[::1]",
    shift=cython.int,
    weight=cython.longlong[::1],
    seen=cython.longlong[:, ::1],
    first=cython.longlong[::1],
    place_of=cython.int[::1],
    row_of=cython.int[::1],
    end_ps=cython.longlong[::1],
    busy_ps=cython.longlong[::1],
    one=cython.longlong[::1],
    n=cython.Py_ssize_t,
    lane=cython.Py_ssize_t,
    place=cython.longlong,
    row=cython.longlong,
)
def build(
    start: I64,
    duration: I64,
    name: I32,
    order: I32,
    begin: I64,
    shift: int,
    weight: I64,
    seen: I64,
    first: I64,
    place_of: I32,
    row_of: I32,
    end_ps: I64,
    busy_ps: I64,
    one: I64,
) -> None:
    """All slices of all lanes at one length of bucket, as many as `count` says; `one` is room for one of `merge`.

    first: by lane its first slice, and the end. place_of: where each slice's events begin in `order`, and the end.
    """
    n = 0
    with cython.nogil:
        for lane in range(begin.shape[0] - 1):
            first[lane] = n
            place = begin[lane]
            while place < begin[lane + 1]:
                row = order[place]
                place_of[n] = place
                if duration[row] >> shift:
                    row_of[n] = row
                    end_ps[n] = start[row] + duration[row]
                    busy_ps[n] = duration[row]
                    place += 1
                else:
                    place = _bucket(start, duration, name, order, place, begin[lane + 1], shift, weight, seen, one)
                    row_of[n] = one[5]
                    end_ps[n] = one[2]
                    busy_ps[n] = one[4]
                n += 1
        first[begin.shape[0] - 1] = n
        place_of[n] = begin[begin.shape[0] - 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
@cython.locals(
    values="const int[::1]",
    low=cython.longlong,
    high=cython.longlong,
    wanted=cython.longlong,
    middle=cython.longlong,
)
def _not_below(values: I32, low: int, high: int, wanted: int) -> int:
    """The first index in low to high whose value is not below the wanted one, else high."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@cython.locals(
    start="const long long[::1]",
    order="const int[::1]",
    lanes="const long long[::1]",
    low="const long long[::1]",
    high="const long long[::1]",
    first="const long long[::1]",
    place_of="const int[::1]",
    row_of="const int[::1]",
    end_ps="const long long[::1]",
    busy_ps="const long long[::1]",
    whole=cython.longlong[:, ::1],
    out=cython.longlong[:, ::1],
    n=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    lane=cython.longlong,
    k=cython.longlong,
    until=cython.longlong,
)
def take(
    start: I64,
    order: I32,
    lanes: I64,
    low: I64,
    high: I64,
    first: I64,
    place_of: I32,
    row_of: I32,
    end_ps: I64,
    busy_ps: I64,
    whole: I64,
    out: I64,
) -> int:
    """Slices of a level that lie wholly in each lane's places low to high, as `merge` gives them; how many, or -1.

    whole: by lane the places before the first of these slices and after the last; both `high` where there is none.
    """
    n = 0
    with cython.nogil:
        for i in range(lanes.shape[0]):
            lane = lanes[i]
            k = _not_below(place_of, first[lane], first[lane + 1], low[i])
            until = k
            if k < first[lane + 1]:
                until = _not_below(place_of, k, first[lane + 1] + 1, high[i] + 1) - 1
            whole[i, 0] = whole[i, 1] = high[i]
            if until <= k:
                continue
            whole[i, 0] = place_of[k]
            whole[i, 1] = place_of[until]
            if n + until - k > out.shape[0]:
                n = -1
                break
            while k < until:
                out[n, 0] = i
                out[n, 1] = start[order[place_of[k]]]
                out[n, 2] = end_ps[k]
                out[n, 3] = place_of[k + 1] - place_of[k]
                out[n, 4] = busy_ps[k]
                out[n, 5] = row_of[k]
                n += 1
                k += 1
    return n
