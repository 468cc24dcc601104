"""Numbers of any size → small ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import I64

#: Up to this many cells a table is quicker than sorting.
_MAX_TABLE = 1 << 24
#: Of few keys as many for each, and some more.
_CELLS, _FEW = 64, 1 << 12


def ranked(keys: NDArray[np.integer[Any]]) -> tuple[I64, int]:
    """Equal keys → equal numbers, ascending, and how many there are. By a table where it is small."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, -1)
    if high - low >= min(_MAX_TABLE, _CELLS * len(keys) + _FEW):
        unique, which = np.unique(keys, return_inverse=True)
        return which.reshape(-1), len(unique)
    cells = keys - low
    used = np.zeros(high - low + 1, bool)
    used[cells] = True
    ranks = np.cumsum(used) - 1
    return ranks[cells], int(ranks[-1]) + 1 if len(ranks) else 0


def distinct(*columns: NDArray[np.integer[Any]]) -> tuple[I64, I64]:
    """The distinct rows of some columns (rows, columns), sorted, and the number of each row's."""
    which = combined(*columns)
    last = np.zeros(int(which.max(initial=-1)) + 1, np.int64)
    last[which] = np.arange(len(which))
    return np.stack([column[last].astype(np.int64, copy=False) for column in columns], axis=1), which


def combined(*columns: NDArray[np.integer[Any]]) -> I64:
    """Equal numbers, from 0 on, for equal rows of columns."""
    which, _ = ranked(columns[0])
    for column in columns[1:]:
        more, size = ranked(column)
        which, _ = ranked(which * size + more)
    return which
