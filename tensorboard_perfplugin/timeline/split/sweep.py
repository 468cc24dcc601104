# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops of the split: a thread's events and their classes → what it did at each instant; merging of sets; what
counts at each instant, shared among the pieces that show it.

Where this module is not compiled its user takes `painted.py` instead, with identical results. Callers pass arrays of
equal length whose row numbers are within bounds; nothing here is checked a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    from ...tables import F64, I32, I64, U8

COMPILED: bool = cython.compiled


@cython.locals(
    start="const long long[::1]",
    duration="const long long[::1]",
    parent="const int[::1]",
    first=cython.int,
    own="const unsigned char[::1]",
    within="const unsigned char[:, ::1]",
    shown="const unsigned char[::1]",
    stack=cython.int[::1],
    held=cython.uchar[::1],
    begins=cython.longlong[::1],
    ends=cython.longlong[::1],
    classes=cython.uchar[::1],
    rows=cython.int[::1],
    apart=cython.bint,
    n=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    height=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    begin=cython.longlong,
    until=cython.longlong,
    now=cython.longlong,
    what=cython.uchar,
    last=cython.bint,
    done=cython.bint,
)
def paint(
    start: I64,
    duration: I64,
    parent: I32,
    first: int,
    own: U8,
    within: U8,
    shown: U8,
    stack: I32,
    held: U8,
    begins: I64,
    ends: I64,
    classes: U8,
    rows: I32,
) -> int:
    """Write the pieces of one track's time, by the class of the last begun of its running events; how many there are.

    A row's class is `within[class of its parent, its own]`, of a row without parent that within 0. A piece shows
    `shown[class]`, 0 nothing. Parents' rows begin at `first`. `stack`, `held` are room for as many rows, the others for
    twice as many. With room for `rows` each piece is of one; without, neighbours of one class are one.
    """
    n = start.shape[0]
    height = count = now = 0
    apart = rows.shape[0] > 0
    with cython.nogil:
        for i in range(n + 1):
            last = i == n
            begin = 0 if last else start[i]
            while height > 0:
                j = stack[height - 1]
                until = start[j] + duration[j]
                done = last or until <= begin
                if not done:
                    until = begin
                if until > now:
                    what = shown[held[j]]
                    if what != 0:
                        k = count - 1
                        if k >= 0 and classes[k] == what and ends[k] == now and (not apart or rows[k] == j):
                            ends[k] = until
                        else:
                            if apart:
                                rows[count] = j
                            begins[count] = now
                            ends[count] = until
                            classes[count] = what
                            count += 1
                    now = until
                if not done:
                    break
                height -= 1
            if last:
                break
            j = parent[i]
            held[i] = within[held[j - first] if j >= 0 else 0, own[i]]
            if duration[i] > 0:
                now = begin
                stack[height] = i
                height += 1
    return count


@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    other_begin="const long long[::1]",
    other_end="const long long[::1]",
    begins=cython.longlong[::1],
    ends=cython.longlong[::1],
    n=cython.Py_ssize_t,
    m=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    low=cython.longlong,
    high=cython.longlong,
)
def merge(begin: I64, end: I64, other_begin: I64, other_end: I64, begins: I64, ends: I64) -> int:
    """Write the union of two sets of intervals, each sorted and disjoint; how many there are."""
    n, m = begin.shape[0], other_begin.shape[0]
    i = j = count = 0
    with cython.nogil:
        while i < n or j < m:
            if j >= m or (i < n and begin[i] <= other_begin[j]):
                low, high = begin[i], end[i]
                i += 1
            else:
                low, high = other_begin[j], other_end[j]
                j += 1
            if count > 0 and low <= ends[count - 1]:
                if high > ends[count - 1]:
                    ends[count - 1] = high
            else:
                begins[count] = low
                ends[count] = high
                count += 1
    return count


@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    other_begin="const long long[::1]",
    other_end="const long long[::1]",
    begins=cython.longlong[::1],
    ends=cython.longlong[::1],
    m=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    low=cython.longlong,
    high=cython.longlong,
)
def subtract(begin: I64, end: I64, other_begin: I64, other_end: I64, begins: I64, ends: I64) -> int:
    """Write what lies in the first of two sets of intervals and not in the other; how many there are."""
    m = other_begin.shape[0]
    j = count = 0
    with cython.nogil:
        for i in range(begin.shape[0]):
            low, high = begin[i], end[i]
            while j < m and other_end[j] <= low:
                j += 1
            while j < m and other_begin[j] < high:
                if other_begin[j] > low:
                    begins[count] = low
                    ends[count] = other_begin[j]
                    count += 1
                low = other_end[j]
                # The one that reaches beyond may hold the begin of the next, too.
                if low >= high:
                    break
                j += 1
            if low < high:
                begins[count] = low
                ends[count] = high
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(
    at=cython.longlong[::1],
    heap=cython.longlong[::1],
    i=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
)
def _lift(at: I64, heap: I64, i: int, k: int) -> None:
    """Take track k into the heap, from the place i on upwards."""
    while i > 0 and at[heap[(i - 1) >> 1]] > at[k]:
        heap[i] = heap[(i - 1) >> 1]
        i = (i - 1) >> 1
    heap[i] = k


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(
    at=cython.longlong[::1],
    heap=cython.longlong[::1],
    size=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
)
def _sink(at: I64, heap: I64, size: int, k: int) -> None:
    """Put track k in the place of the first of the heap."""
    i = 0
    j = 1
    while j < size:
        if j + 1 < size and at[heap[j + 1]] < at[heap[j]]:
            j += 1
        if at[heap[j]] >= at[k]:
            break
        heap[i] = heap[j]
        i = j
        j = 2 * i + 1
    heap[i] = k


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
@cython.locals(
    opens="const long long[::1]",
    closes="const long long[::1]",
    window=cython.longlong[::1],
    begin=cython.longlong,
    end=cython.longlong,
    low=cython.longlong,
    high=cython.longlong,
    inside=cython.longlong,
)
def _inside(opens: I64, closes: I64, window: I64, begin: int, end: int) -> int:
    """How much of a stretch lies in windows; window: the first that does not end before it, which is moved on."""
    inside = 0
    while window[0] < opens.shape[0]:
        low = opens[window[0]] if opens[window[0]] > begin else begin
        high = closes[window[0]] if closes[window[0]] < end else end
        if high > low:
            inside += high - low
        if closes[window[0]] > end:
            break
        window[0] += 1
    return inside


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    order="const int[::1]",
    begun=cython.longlong,
    ended=cython.longlong,
    until=cython.longlong,
    at=cython.longlong,
)
def _next(begin: I64, end: I64, order: I32, begun: int, ended: int, until: int) -> int:
    """When the next piece of a track begins or ends; begun, ended: how far it is."""
    at = end[order[ended]]
    return begin[begun] if begun < until and begin[begun] < at else at


@cython.locals(
    begin="const long long[::1]",
    end="const long long[::1]",
    category="const unsigned char[::1]",
    order="const int[::1]",
    first="const long long[::1]",
    sharing="const unsigned char[::1]",
    opens="const long long[::1]",
    closes="const long long[::1]",
    room=cython.longlong[:, ::1],
    counts=cython.longlong[:, ::1],
    until=cython.double[::1],
    shared=cython.double[::1],
    window=cython.longlong[::1],
    at=cython.longlong[::1],
    heap=cython.longlong[::1],
    tracks=cython.Py_ssize_t,
    many=cython.Py_ssize_t,
    size=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    c=cython.Py_ssize_t,
    winner=cython.Py_ssize_t,
    now=cython.longlong,
    part=cython.double,
)
def share(
    begin: I64,
    end: I64,
    category: U8,
    order: I32,
    first: I64,
    sharing: U8,
    opens: I64,
    closes: I64,
    room: I64,
    counts: I64,
    until: F64,
    shared: F64,
) -> None:
    """Write of each piece its part of the instants that count to its category, of those within some windows.

    As `sets.share`. `order`: pieces of each track by end. `room`: by track its next begin, next end, the time of these,
    and the heap by that. `counts`, `until`: by category, zeros: running pieces, those that share; the part of one.
    """
    tracks, many = first.shape[0] - 1, counts.shape[1]
    winner = many
    size = now = 0
    at, heap, window = room[2], room[3], room[4]
    with cython.nogil:
        for k in range(tracks):
            room[0, k] = room[1, k] = first[k]
            if first[k] < first[k + 1]:
                at[k] = begin[first[k]]
                _lift(at, heap, size, k)
                size += 1
        while size > 0:
            k = heap[0]
            if winner < many and counts[1, winner] > 0 and at[k] > now:
                part = _inside(opens, closes, window, now, at[k])
                until[winner] += part / counts[1, winner]
            now = at[k]
            if room[1, k] < room[0, k] and end[order[room[1, k]]] == now:
                j = order[room[1, k]]
                room[1, k] += 1
                c = category[j]
                shared[j] = until[c] - shared[j] if sharing[k] else 0.0
                counts[0, c] -= 1
                counts[1, c] -= sharing[k]
                while winner < many and counts[0, winner] == 0:
                    winner += 1
            else:
                j = room[0, k]
                room[0, k] += 1
                c = category[j]
                shared[j] = until[c]
                counts[0, c] += 1
                counts[1, c] += sharing[k]
                winner = min(c, winner)
            if room[1, k] == first[k + 1]:
                size -= 1
                k = heap[size]
            else:
                at[k] = _next(begin, end, order, room[0, k], room[1, k], first[k + 1])
            if size > 0:
                _sink(at, heap, size, k)
