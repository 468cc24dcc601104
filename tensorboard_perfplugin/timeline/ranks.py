"""Ids that occur → numbers from 0 on, by a table where that is quicker than sorting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..tables import I64

#: Up to this many cells a table is quicker than sorting.
_MAX_TABLE = 1 << 24
#: A prime: cells of a table of few numbers that lie far apart, as ids of programs do.
_CELLS = 65_521


def distinct(ids: NDArray[np.integer], count: int) -> tuple[I64, I64]:
    """Those of `count` ids that occur, ascending, and the place of each among them."""
    if len(ids) < count // 16:
        few, which = np.unique(ids, return_inverse=True)
        return few, which.reshape(-1)
    return _by_table(ids, count)


def ranked(keys: NDArray[np.integer]) -> I64:
    """Equal keys → equal numbers from 0 on. By a table where it is small; sorting millions of events takes a second."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, 0)
    if high - low >= _MAX_TABLE:
        found = _by_remainder(keys)
        return np.unique(keys, return_inverse=True)[1].reshape(-1) if found is None else found
    return _by_table(keys - low if low else keys, high - low + 1)[1]


def _by_remainder(keys: NDArray[np.integer]) -> I64 | None:
    """As `ranked`, of few distinct keys; None where two have one remainder."""
    cell = keys % _CELLS
    table = np.zeros(_CELLS, np.int64)
    table[cell] = keys
    if (table[cell] != keys).any():
        return None
    used = np.flatnonzero(np.bincount(cell, minlength=_CELLS))
    place: I64 = np.empty(_CELLS, np.int64)
    place[used[np.argsort(table[used])]] = np.arange(len(used))
    ranks: I64 = place[cell]
    return ranks


def _by_table(ids: NDArray[np.integer], count: int) -> tuple[I64, I64]:
    """As `distinct`. Only those cells of the table are touched that are looked up."""
    used = np.zeros(count, bool)
    used[ids] = True
    some = np.flatnonzero(used)
    table = np.empty(count, np.int64)
    table[some] = np.arange(len(some))
    return some, table[ids]


def distinct_rows(columns: Sequence[NDArray[np.integer]]) -> tuple[I64, I64]:
    """Of rows of numbers, a column each, at least one: place of the first of each distinct one, in the order of their
    numbers, and the place of each row's among these."""
    n, found = len(columns[0]), None
    for column in columns:
        if n and column.min() != column.max():
            ranks = ranked(column)
            found = ranks if found is None else ranked(found * (int(ranks.max()) + 1) + ranks)
    which = np.zeros(n, np.int64) if found is None else found
    first = np.empty(int(which.max(initial=-1)) + 1, np.int64)
    first[which[::-1]] = np.arange(len(which))[::-1]
    return first, which
