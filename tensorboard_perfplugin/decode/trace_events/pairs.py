# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Begins and ends of threads → which end closes which begin. Compiled with the types of `pairs.pxd`; runs without.

Arguments are the same throughout: rows sorted by thread and time, of which `names` (0 is none), `opens` (1 a begin,
0 an end), `keys` (the thread) and `at` (the time) are known. `stack` holds the rows that are open, `hint` for each of
them the end of another name that may be its own, -1 without. `out` has a row a slice: begin, end (-1 without) and the
row whose time is its end. state: how many are open, slices made, ends without a begin, slices never ended, slices that
an end of another name ended.
"""

from __future__ import annotations

from typing import Any

#: Of events at one time, and of open ones, so many are looked at for the one that fits.
NEAR = 64
#: Places in `state`.
DEPTH, MADE, LOST, LEFT, OTHER = 0, 1, 2, 3, 4
STATE = 5


def pair(names: Any, opens: Any, keys: Any, at: Any, stack: Any, hint: Any, near: Any, out: Any, state: Any) -> None:
    """Thread by thread, and of each moment by moment. near: room for `NEAR` rows."""
    n = len(keys)
    i = 0
    while i < n:
        j = i + 1
        while j < n and keys[j] == keys[i] and at[j] == at[i]:
            j += 1
        if j == i + 1:
            if opens[i]:
                _open(i, stack, hint, state)
            else:
                _close(i, names, stack, hint, out, state)
        else:
            _moment(i, j, names, opens, stack, hint, near, out, state)
        if j == n or keys[j] != keys[i]:
            _finish(j - 1, stack, hint, out, state)
        i = j


def _moment(
    begin: int, end: int, names: Any, opens: Any, stack: Any, hint: Any, near: Any, out: Any, state: Any
) -> None:
    """What happens at one time: in file order, unless that would part what belongs together."""
    count = 0
    while True:
        while count < near.shape[0] and begin < end:
            near[count] = begin
            count += 1
            begin += 1
        if count == 0:
            return
        place = _next(near, count, names, opens, stack, state)
        row = near[place]
        count -= 1
        for k in range(place, count):
            near[k] = near[k + 1]
        if opens[row]:
            _open(row, stack, hint, state)
        else:
            _close(row, names, stack, hint, out, state)


def _next(near: Any, count: int, names: Any, opens: Any, stack: Any, state: Any) -> int:
    """Which of some rows of one time comes first.

    An end of what is innermost goes before begins that are not ended before it, and before ends of others. An end of
    what is not open goes after its begin.
    """
    depth = state[0]
    top = names[stack[depth - 1]] if depth > 0 else -1
    unended = 0
    for k in range(count):
        row = near[k]
        if opens[row]:
            unended += 1
            if names[row] == top:
                break
        elif (depth > 0 and names[row] == top) or (names[row] == 0 and depth > 0 and unended == 0):
            if unended > 0 or k == 0 or not opens[near[0]]:
                return k
            break
        elif unended > 0:
            unended -= 1
            if unended == 0 and opens[near[0]]:
                break
    row = near[0]
    if opens[row] or _open_place(names[row], names, stack, state) >= 0:
        return 0
    for k in range(1, count):
        if opens[near[k]] and (names[near[k]] == names[row] or (names[row] == 0 and depth == 0)):
            return k
    return 0


def _open_place(name: int, names: Any, stack: Any, state: Any) -> int:
    """Where in the stack the innermost of a name is; -1 where none is, or only further out."""
    k = state[0] - 1
    last = k - 64
    while k >= 0 and k > last:
        if names[stack[k]] == name:
            return k
        k -= 1
    return -1


def _open(row: int, stack: Any, hint: Any, state: Any) -> None:
    stack[state[0]] = row
    hint[state[0]] = -1
    state[0] += 1


def _close(row: int, names: Any, stack: Any, hint: Any, out: Any, state: Any) -> None:
    """An end closes the innermost of its name; without a name the innermost.

    One of another name is kept for what it would end, which it does unless an end of the right name comes.
    """
    depth = state[0]
    if names[row] == 0:
        while depth > 0 and hint[depth - 1] >= 0:
            depth -= 1
            _made(stack[depth], hint[depth], out, state)
            state[4] += 1
        if depth > 0:
            depth -= 1
            _made(stack[depth], row, out, state)
        else:
            state[2] += 1
        state[0] = depth
        return
    place = _open_place(names[row], names, stack, state)
    if place >= 0:
        if hint[place] >= 0:
            state[2] += 1
        _made(stack[place], row, out, state)
        for k in range(place, depth - 1):
            stack[k] = stack[k + 1]
            hint[k] = hint[k + 1]
        state[0] = depth - 1
        return
    k = depth - 1
    last = k - 64
    while k >= 0 and k > last and hint[k] >= 0:
        k -= 1
    if k >= 0 and k > last:
        hint[k] = row
    else:
        state[2] += 1


def _made(begin: int, end: int, out: Any, state: Any) -> None:
    i = state[1]
    out[i, 0] = begin
    out[i, 1] = end
    out[i, 2] = end
    state[1] = i + 1


def _finish(last: int, stack: Any, hint: Any, out: Any, state: Any) -> None:
    """What is still open when its thread ends, at the row `last`."""
    for k in range(state[0]):
        if hint[k] >= 0:
            _made(stack[k], hint[k], out, state)
            state[4] += 1
        else:
            _made(stack[k], -1, out, state)
            out[state[1] - 1, 2] = last
            state[3] += 1
    state[0] = 0
