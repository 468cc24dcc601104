# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops over JSON text: where a value ends, and where an array may be cut between its elements.

Where this module is not compiled its user takes `walk.py` instead, with identical results. Nothing is checked
but quotes and brackets: what lies between is the decoder's to judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    from ...tables import I64
    from .walk import Text

COMPILED: bool = cython.compiled


@cython.locals(
    data="const unsigned char[::1]",
    begin=cython.longlong,
    end=cython.longlong,
    at=cython.longlong,
    depth=cython.longlong,
    found=cython.longlong,
    letter=cython.uchar,
    inside=cython.bint,
)
def value_end(data: Text, begin: int, end: int) -> int:
    """One past the value that begins at `begin`, which is no space; -1 where it does not end before `end`."""
    depth = 0
    inside = False
    at = begin
    found = -2
    with cython.nogil:
        while found == -2 and at < end:
            letter = data[at]
            if inside:
                if letter == 92:  # backslash
                    at += 1
                elif letter == 34:
                    inside = False
                    if depth == 0:
                        found = at + 1
            elif letter == 34:
                if depth == 0 and at > begin:
                    found = at
                inside = True
            elif letter == 123 or letter == 91:  # { [
                depth += 1
            elif letter == 125 or letter == 93:
                depth -= 1
                if depth <= 0:
                    found = at + 1 if depth == 0 else at
            elif depth == 0 and (letter == 44 or letter == 58 or letter == 32 or 9 <= letter <= 13):
                found = at
            at += 1
    if found == -2:
        found = end if depth == 0 and not inside else -1
    return found


@cython.locals(
    data="const unsigned char[::1]",
    begin=cython.longlong,
    end=cython.longlong,
    every=cython.longlong,
    cuts=cython.longlong[::1],
    state=cython.longlong[::1],
    at=cython.longlong,
    depth=cython.longlong,
    last=cython.longlong,
    whole=cython.longlong,
    count=cython.Py_ssize_t,
    letter=cython.uchar,
    inside=cython.bint,
)
def elements(data: Text, begin: int, end: int, every: int, cuts: I64, state: I64) -> int:
    """Cut an array's inside, from `begin` on, at commas between elements; how many cuts.

    Cuts are `every` bytes apart at least. It stops at the array's end, or when `cuts` is full. state[0]: 1 where the
    array ended, 2 where `cuts` is full, 0 where the text ended first; state[1]: the place of its bracket, of the last
    cut, or one past the last whole element.
    """
    depth = 0
    inside = False
    count = 0
    last = whole = at = begin
    with cython.nogil:
        state[0] = 0
        while at < end:
            letter = data[at]
            if inside:
                if letter == 92:
                    at += 1
                elif letter == 34:
                    inside = False
            elif letter == 34:
                inside = True
            elif letter == 123 or letter == 91:
                depth += 1
            elif letter == 125 or letter == 93:
                if depth == 0:
                    state[0] = 1
                    whole = at
                    break
                depth -= 1
                if depth == 0:
                    whole = at + 1
            elif letter == 44 and depth == 0:
                whole = at
                if at - last >= every:
                    cuts[count] = last = at
                    count += 1
                    if count == cuts.shape[0]:
                        state[0] = 2
                        break
            at += 1
        state[1] = whole
    return count
