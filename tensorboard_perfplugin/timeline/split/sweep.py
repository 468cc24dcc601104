# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops of the split: a thread's events and their classes → what it did at each instant; merging of sets.

Where this module is not compiled its user takes `painted.py` instead, with identical results. Callers pass arrays of
equal length whose row numbers are within bounds; nothing here is checked a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    from ...tables import I32, I64, U8

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
    n=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    j=cython.Py_ssize_t,
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
) -> int:
    """Write the pieces of one track's time, by the class of the last begun of its running events; how many there are.

    A row's class is `within[class of its parent, its own]`, of a row without parent that within 0. A piece shows
    `shown[class]`; 0 is left out. Parents are rows of a table in which this track's rows begin at `first`. `stack` and
    `held` are room for as many rows, the other three for twice as many.
    """
    n = start.shape[0]
    height = count = 0
    now = 0
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
                        if count > 0 and classes[count - 1] == what and ends[count - 1] == now:
                            ends[count - 1] = until
                        else:
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
