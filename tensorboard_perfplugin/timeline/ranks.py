"""Ids that occur → numbers from 0 on, by a table where that is quicker than sorting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..tables import I64, by_table, ranked


def distinct(ids: NDArray[np.integer], count: int) -> tuple[I64, I64]:
    """Those of `count` ids that occur, ascending, and the place of each among them."""
    if len(ids) < count // 16:
        few, which = np.unique(ids, return_inverse=True)
        return few, which.reshape(-1)
    return by_table(ids, count)


def distinct_rows(columns: Sequence[NDArray[np.integer]]) -> tuple[I64, I64]:
    """Of rows of numbers, a column each, at least one: place of the first of each distinct one, in the order of their
    numbers, and the place of each row's among these."""
    n, found = len(columns[0]), None
    for column in columns:
        if n and column.min() != column.max():
            ranks, size = ranked(column)
            found = ranks if found is None else ranked(found * size + ranks)[0]
    which = np.zeros(n, np.int64) if found is None else found
    first = np.empty(int(which.max(initial=-1)) + 1, np.int64)
    first[which[::-1]] = np.arange(len(which))[::-1]
    return first, which
