"""Numbers of any size → numbers from 0 on, by a table where that is quicker than sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import I64

#: Up to this many cells a table is quicker than sorting.
_MAX_TABLE = 1 << 24
#: Of few keys as many for each, and some more.
_CELLS, _FEW = 64, 1 << 12
#: A prime: cells of a table of few numbers that lie far apart, as ids of programs do.
_REMAINDERS = 65_521


def ranked(keys: NDArray[np.integer[Any]]) -> tuple[I64, int]:
    """Equal keys → equal numbers, ascending, and how many there are; sorting millions of events takes a second."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, -1)
    if high - low < min(_MAX_TABLE, _CELLS * len(keys) + _FEW):
        some, which = by_table(keys - low if low else keys, high - low + 1)
        return which, len(some)
    found = _by_remainder(keys) if len(keys) >= _REMAINDERS else None
    if found is None:
        unique, which = np.unique(keys, return_inverse=True)
        found = which.reshape(-1), len(unique)
    return found


def _by_remainder(keys: NDArray[np.integer[Any]]) -> tuple[I64, int] | None:
    """As `ranked`, of few distinct keys; None where two have one remainder."""
    cell = keys % _REMAINDERS
    table = np.zeros(_REMAINDERS, np.int64)
    table[cell] = keys
    if (table[cell] != keys).any():
        return None
    used = np.flatnonzero(np.bincount(cell, minlength=_REMAINDERS))
    place: I64 = np.empty(_REMAINDERS, np.int64)
    place[used[np.argsort(table[used])]] = np.arange(len(used))
    return place[cell], len(used)


def by_table(ids: NDArray[np.integer[Any]], count: int) -> tuple[I64, I64]:
    """Those of `count` ids that occur, ascending, and the place of each. Only cells that are looked up are touched."""
    used = np.zeros(count, bool)
    used[ids] = True
    some = np.flatnonzero(used)
    table = np.empty(count, np.int64)
    table[some] = np.arange(len(some))
    return some, table[ids]
