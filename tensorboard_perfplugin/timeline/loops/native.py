# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops of the timeline: columns → nesting, nearest ancestors, values of one stat, time shared by streams.

Where this module is not compiled its user takes `vectorised.py` instead, with identical results. Callers pass arrays
of equal length whose row numbers are within bounds; nothing here is checked a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...tables import I32, I64, U8

COMPILED: bool = cython.compiled
#: Lanes that are looked at for a free one, from the parent's on; without limit a staircase would be quadratic.
LANES_TRIED = cython.declare(cython.int, 8)


@cython.locals(
    track="const int[::1]",
    start="const long long[::1]",
    duration="const long long[::1]",
    depth=cython.int[::1],
    parent=cython.int[::1],
    own=cython.longlong[::1],
    stack=cython.int[::1],
    busy=cython.longlong[::1],
    n=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    height=cython.Py_ssize_t,
    lanes=cython.Py_ssize_t,
    lane=cython.Py_ssize_t,
    limit=cython.Py_ssize_t,
    begin=cython.longlong,
    end=cython.longlong,
    done=cython.longlong,
    now=cython.longlong,
    last=cython.bint,
)
def nest(track: I32, start: I64, duration: I64, depth: I32, parent: I32, own: I64, stack: I32, busy: I64) -> None:
    """Depth, parent and self time of each row; `own` is zero on entry, `stack` and `busy` are room for as many rows.

    `busy` is the end of each lane's last row, so far.
    """
    n = track.shape[0]
    height = 0
    lanes = 0
    now = 0
    with cython.nogil:
        for i in range(n + 1):
            last = i == n or (i > 0 and track[i] != track[i - 1])
            begin = start[i] if i < n else 0
            while height > 0:
                j = stack[height - 1]
                done = start[j] + duration[j]
                if not last and done > begin:
                    break
                if done > now:
                    own[j] += done - now
                    now = done
                height -= 1
            if i == n:
                break
            if height > 0:
                own[stack[height - 1]] += begin - now
            now = begin
            end = begin + duration[i]
            j = stack[height - 1] if height > 0 else -1
            while j >= 0 and start[j] + duration[j] < end:
                j = parent[j]
            parent[i] = j
            while lanes > 0 and (last or busy[lanes - 1] <= begin):
                lanes -= 1
            lane = depth[j] + 1 if j >= 0 else 0
            limit = min(lane + LANES_TRIED, lanes)
            while lane < limit and busy[lane] > begin:
                lane += 1
            if lane == limit:
                lane = lanes
            depth[i] = lane
            busy[lane] = end
            lanes = max(lanes, lane + 1)
            stack[height] = i
            height += 1


@cython.locals(
    parent="const int[::1]",
    wanted="const unsigned char[::1]",
    out=cython.int[::1],
    i=cython.Py_ssize_t,
    j=cython.int,
)
def nearest(parent: I32, wanted: U8, out: I32) -> None:
    """The innermost ancestor of each row that is wanted, or -1. A parent's row is before its children's."""
    with cython.nogil:
        for i in range(parent.shape[0]):
            j = parent[i]
            out[i] = j if j < 0 or wanted[j] else out[j]


@cython.locals(
    cause="const int[::1]",
    label=cython.int[::1],
    i=cython.Py_ssize_t,
)
def caused(cause: I32, label: I32) -> None:
    """Each row that has no label takes that of its cause. What causes a row has no cause itself."""
    with cython.nogil:
        for i in range(cause.shape[0]):
            if label[i] < 0 and cause[i] >= 0:
                label[i] = label[cause[i]]


@cython.locals(
    rows="const long long[::1]",
    start="const long long[::1]",
    duration="const long long[::1]",
    launch="const int[::1]",
    begins=cython.longlong[::1],
    ends=cython.longlong[::1],
    late=cython.longlong[::1],
    ended=cython.longlong[::1],
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    call=cython.int,
    reach=cython.longlong,
    begin=cython.longlong,
    returned=cython.longlong,
)
def gaps(
    rows: I64, start: I64, duration: I64, launch: I32, begins: I64, ends: I64, late: I64, ended: I64
) -> tuple[int, int]:
    """The gaps between some events, by begin, at least one; how many, and when the last event ends.

    late: how much of each had passed when the call that launched what ended it returned. ended: the row of that.
    """
    count = 0
    with cython.nogil:
        reach = start[rows[0]] + duration[rows[0]]
        for i in range(1, rows.shape[0]):
            begin = start[rows[i]]
            if begin > reach:
                call = launch[rows[i]]
                returned = start[call] + duration[call] if call >= 0 else -1
                begins[count] = reach
                ends[count] = begin
                late[count] = min(max(returned, reach), begin) - reach
                ended[count] = rows[i]
                count += 1
            reach = max(reach, begin + duration[rows[i]])
    return count, reach


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.locals(
    end="const long long[::1]",
    at=cython.longlong,
    low=cython.Py_ssize_t,
    high=cython.Py_ssize_t,
    step=cython.Py_ssize_t,
    middle=cython.Py_ssize_t,
)
@cython.returns(cython.Py_ssize_t)
def _first_beyond(end: I64, at: int, low: int) -> int:
    """The first interval from place `low` on that ends after an instant: looked for nearby first."""
    step = 1
    while low + step <= end.shape[0] and end[low + step - 1] <= at:
        low += step
        step *= 2
    high = min(low + step - 1, end.shape[0])
    while low < high:
        middle = (low + high) // 2
        if end[middle] <= at:
            low = middle + 1
        else:
            high = middle
    return low


@cython.locals(
    set_begin="const long long[::1]",
    set_end="const long long[::1]",
    before="const long long[::1]",
    begin="const long long[::1]",
    end="const long long[::1]",
    out=cython.longlong[::1],
    n=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    low=cython.longlong,
    high=cython.longlong,
)
def covered(set_begin: I64, set_end: I64, before: I64, begin: I64, end: I64, out: I64) -> None:
    """How much of a set lies in each interval. before: how much of it lies before each of its own, and all of it.

    Intervals that follow each other take no search, whatever nests in them.
    """
    n = set_begin.shape[0]
    i = 0
    with cython.nogil:
        for k in range(begin.shape[0]):
            if k > 0 and begin[k] < begin[k - 1]:
                i = 0
            i = _first_beyond(set_end, begin[k], i)
            j = _first_beyond(set_end, end[k], i)
            low = before[i] + (max(begin[k] - set_begin[i], 0) if i < n else 0)
            high = before[j] + (max(end[k] - set_begin[j], 0) if j < n else 0)
            out[k] = max(high - low, 0)


@cython.locals(
    rows="const long long[::1]",
    start="const long long[::1]",
    duration="const long long[::1]",
    i=cython.Py_ssize_t,
    first=cython.longlong,
    until=cython.longlong,
)
def extent(rows: I64, start: I64, duration: I64) -> tuple[int, int]:
    """When the first of some events begins, and when the last of them ends; at least one."""
    first = start[rows[0]]
    until = first + duration[rows[0]]
    with cython.nogil:
        for i in range(rows.shape[0]):
            first = min(first, start[rows[i]])
            until = max(until, start[rows[i]] + duration[rows[i]])
    return first, until


@cython.locals(
    values="const int[::1]",
    used=cython.uchar[::1],
    i=cython.Py_ssize_t,
)
def mark(values: I32, used: U8) -> None:
    """Sets the flag of each value."""
    with cython.nogil:
        for i in range(values.shape[0]):
            used[values[i]] = 1


@cython.locals(
    parent="const int[::1]",
    label=cython.int[::1],
    i=cython.Py_ssize_t,
)
def inherit(parent: I32, label: I32) -> None:
    """Each row that has no label (-1) takes its parent's. A parent's row is before its children's."""
    with cython.nogil:
        for i in range(parent.shape[0]):
            if label[i] < 0 and parent[i] >= 0:
                label[i] = label[parent[i]]


@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    key="const int[::1]",
    kind="const unsigned char[::1]",
    value="const long long[::1]",
    wanted=cython.int,
    values=cython.longlong[::1],
    kinds=cython.uchar[::1],
    i=cython.Py_ssize_t,
    j=cython.longlong,
)
def first_of_key(begin: I64, end: I64, key: I32, kind: U8, value: I64, wanted: int, values: I64, kinds: U8) -> None:
    """The first stat of the wanted key in each range of stats; `values` and `kinds` are zero on entry."""
    with cython.nogil:
        for i in range(begin.shape[0]):
            for j in range(begin[i], end[i]):
                if key[j] == wanted:
                    values[i] = value[j]
                    kinds[i] = kind[j]
                    break


@cython.locals(
    rows="const long long[::1]",
    begin="const long long[::1]",
    end="const long long[::1]",
    key="const int[::1]",
    kind="const unsigned char[::1]",
    value="const long long[::1]",
    wanted=cython.int,
    values=cython.longlong[::1],
    kinds=cython.uchar[::1],
    i=cython.Py_ssize_t,
    j=cython.longlong,
)
def first_of_key_at(
    rows: I64, begin: I64, end: I64, key: I32, kind: U8, value: I64, wanted: int, values: I64, kinds: U8
) -> None:
    """As `first_of_key`, of some of the ranges."""
    with cython.nogil:
        for i in range(rows.shape[0]):
            for j in range(begin[rows[i]], end[rows[i]]):
                if key[j] == wanted:
                    values[i] = value[j]
                    kinds[i] = kind[j]
                    break


@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    key="const int[::1]",
    kind="const unsigned char[::1]",
    value="const long long[::1]",
    wanted=cython.int,
    beside=cython.int,
    first=cython.int,
    rows=cython.int[::1],
    ids=cython.longlong[::1],
    values=cython.longlong[::1],
    kinds=cython.uchar[::1],
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.longlong,
    found=cython.longlong,
    other=cython.longlong,
)
def numbered(
    begin: I64,
    end: I64,
    key: I32,
    kind: U8,
    value: I64,
    wanted: int,
    beside: int,
    first: int,
    rows: I32,
    ids: I64,
    values: I64,
    kinds: U8,
    count: int,
) -> int:
    """Ranges whose first stat of the wanted key is a whole number, and not 0, from place `count` on; how many in all.

    rows: of the ranges, counted from `first`. ids: these numbers. values, kinds: their first stat of the key `beside`.
    """
    with cython.nogil:
        for i in range(begin.shape[0]):
            found = other = -1
            for j in range(begin[i], end[i]):
                if key[j] == wanted and found < 0:
                    found = j
                    if other >= 0 or beside < 0:
                        break
                elif key[j] == beside and other < 0:
                    other = j
                    if found >= 0:
                        break
            if found >= 0 and (kind[found] == 1 or kind[found] == 2) and value[found] != 0:
                rows[count] = first + i
                ids[count] = value[found]
                values[count] = value[other] if other >= 0 else 0
                kinds[count] = kind[other] if other >= 0 else 0
                count += 1
    return count


@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    by_begin="const long long[::1]",
    by_end="const long long[::1]",
    out=cython.double[::1],
    n=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    running=cython.Py_ssize_t,
    now=cython.longlong,
    at=cython.longlong,
    shared=cython.double,
)
def share(begin: I64, end: I64, by_begin: I64, by_end: I64, out: NDArray[np.float64]) -> None:
    """Each interval's part of the time when every instant is divided equally among those that run at it.

    `by_begin` and `by_end` are the rows sorted by begin and by end; `out` is zero on entry; no interval is empty.
    """
    n = begin.shape[0]
    i = j = running = 0
    now = 0
    shared = 0.0
    with cython.nogil:
        while j < n:
            at = end[by_end[j]]
            if i < n and begin[by_begin[i]] < at:
                at = begin[by_begin[i]]
                if running > 0:
                    shared += cython.cast(cython.double, at - now) / running
                out[by_begin[i]] -= shared
                running += 1
                i += 1
            else:
                shared += cython.cast(cython.double, at - now) / running
                out[by_end[j]] += shared
                running -= 1
                j += 1
            now = at


@cython.locals(
    first="const long long[::1]",
    dependent="const int[::1]",
    rank="const signed char[::1]",
    label=cython.int[::1],
    best="signed char[::1]",
    level=cython.int[::1],
    queue=cython.int[::1],
    filled=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    k=cython.longlong,
    node=cython.int,
    to=cython.int,
)
def spread(
    first: I64, dependent: I32, rank: NDArray[np.int8], label: I32, best: NDArray[np.int8], level: I32, queue: I32
) -> None:
    """Labels by the shortest way; of equal ones the link of the lowest rank.

    `dependent[first[i]:first[i + 1]]` are the nodes with a link to node i. `level` is 0 where a node has a label and
    -1 elsewhere, `queue` is room for as many nodes.
    """
    filled = 0
    with cython.nogil:
        for i in range(label.shape[0]):
            if level[i] == 0:
                queue[filled] = i
                filled += 1
        i = 0
        while i < filled:
            node = queue[i]
            for k in range(first[node], first[node + 1]):
                to = dependent[k]
                if level[to] < 0:
                    queue[filled] = to
                    filled += 1
                    level[to] = level[node] + 1
                elif level[to] <= level[node] or best[to] <= rank[k]:
                    continue
                label[to] = label[node]
                best[to] = rank[k]
            i += 1
