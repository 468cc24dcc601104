"""Rows of several keys → groups of equal ones, and sums over them."""

from __future__ import annotations

import numpy as np

from ...tables import I64

#: A table of so many places an entry is quicker than sorting.
_TABLE = 16


def distinct(values: I64) -> tuple[I64, I64]:
    """The different values, all 0 and more, ascending, and which of them each is."""
    top = int(values.max(initial=0)) + 1
    if top > _TABLE * len(values):
        found, at = np.unique(values, return_inverse=True)
        return found, at
    used = np.zeros(top, bool)
    used[values] = True
    found = np.flatnonzero(used)
    place = np.zeros(top, np.int64)
    place[found] = np.arange(len(found))
    return found, place[values]


class Groups:
    """Equal rows of some key columns. first: a row of each group; of: the group of each row."""

    def __init__(self, *keys: I64) -> None:
        n = len(keys[0])
        order = np.lexsort(keys[::-1])
        new = np.zeros(n, bool)
        new[:1] = True
        for key in keys:
            new[1:] |= key[order][1:] != key[order][:-1]
        self.first: I64 = order[new]
        self.of = np.empty(n, np.int64)
        self.of[order] = np.cumsum(new) - 1
        self._order, self._begin = order, np.flatnonzero(new)

    def __len__(self) -> int:
        return len(self.first)

    def count(self) -> I64:
        return np.bincount(self.of, minlength=len(self))

    def sum(self, values: I64) -> I64:
        """Exact sums, 0 and more, that fit in 64 bits."""
        return self._reduced(np.add, values)

    def largest(self, values: I64) -> I64:
        return self._reduced(np.maximum, values)

    def smallest(self, values: I64) -> I64:
        return self._reduced(np.minimum, values)

    def _reduced(self, how: np.ufunc, values: I64) -> I64:
        if not len(self):
            return np.empty(0, np.int64)
        found: I64 = how.reduceat(values[self._order], self._begin)
        return found

    def distinct(self, values: I64) -> I64:
        """How many different values, those below 0 apart, each group has."""
        known = np.flatnonzero(values >= 0)
        if not len(known):
            return np.zeros(len(self), np.int64)
        pairs = np.unique(self.of[known] * (int(values.max()) + 1) + values[known])
        return np.bincount(pairs // (int(values.max()) + 1), minlength=len(self))
