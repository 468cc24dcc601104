"""Rows of numbers of any size → small numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, ranked


def distinct(*columns: NDArray[np.integer[Any]]) -> tuple[I64, I64]:
    """The distinct rows of some columns (rows, columns), sorted, and the number of each row's."""
    which = combined(*columns)
    last = np.zeros(int(which.max(initial=-1)) + 1, np.int64)
    last[which] = np.arange(len(which))
    return np.stack([column[last].astype(np.int64, copy=False) for column in columns], axis=1), which


def occurring(ids: NDArray[np.integer[Any]], count: int) -> I64:
    """Those of `count` ids that occur, ascending."""
    used = np.zeros(count, bool)
    used[ids] = True
    return np.flatnonzero(used)


def combined(*columns: NDArray[np.integer[Any]]) -> I64:
    """Equal numbers, from 0 on, for equal rows of columns."""
    which, _ = ranked(columns[0])
    for column in columns[1:]:
        more, size = ranked(column)
        which, _ = ranked(which * size + more)
    return which
