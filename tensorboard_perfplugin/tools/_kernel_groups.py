"""Equal rows of integer columns → groups, without a loop over rows; where the numbers are dense, without sorting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..tables.capture import I64

F64 = NDArray[np.float64]
T = TypeVar("T", bound=Hashable)
#: Up to this many cells a table is quicker than sorting.
_MAX_TABLE = 1 << 24


class Groups(NamedTuple):
    """of: the group of each row, numbered from 0 on. first: the first row of each group."""

    of: I64
    first: I64

    def sum(self, values: NDArray[np.integer] | F64) -> F64:
        """By group; exact below 2⁵³."""
        return np.bincount(self.of, values, len(self.first)).astype(np.float64)

    def count(self) -> I64:
        return np.bincount(self.of, minlength=len(self.first)).astype(np.int64)

    def least(self, values: I64) -> I64:
        found = np.full(len(self.first), np.iinfo(np.int64).max)
        np.minimum.at(found, self.of, values)
        return found

    def most(self, values: I64) -> I64:
        found = np.full(len(self.first), np.iinfo(np.int64).min)
        np.maximum.at(found, self.of, values)
        return found


def group(columns: Iterable[NDArray[np.integer] | NDArray[np.bool_]], count: int) -> Groups:
    """The distinct rows of some columns of `count` rows each."""
    of = np.zeros(count, np.int64)
    for column in columns:
        numbers = ranked(column.astype(np.int64))
        of = ranked(of * (int(numbers.max(initial=0)) + 1) + numbers)
    first = np.zeros(int(of.max(initial=-1)) + 1, np.int64)
    first[of[::-1]] = np.arange(count)[::-1]
    return Groups(of, first)


def ranked(keys: I64) -> I64:
    """Equal keys → equal numbers, from 0 on."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, 0)
    if high - low >= _MAX_TABLE:
        return np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)
    used = np.zeros(high - low + 1, bool)
    used[keys - low] = True
    ranks: I64 = (np.cumsum(used) - 1)[keys - low]
    return ranks


def pooled(lists: Iterable[Iterable[T]]) -> tuple[list[T], list[I64]]:
    """Several lists of distinct things → all distinct things, and for each list their places among them."""
    index: dict[T, int] = {}
    places = [np.array([index.setdefault(x, len(index)) for x in part], np.int64) for part in lists]
    return list(index), places
