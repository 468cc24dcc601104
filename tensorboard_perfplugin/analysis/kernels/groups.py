"""Equal rows of integer columns → groups, without a loop over rows; where the numbers are dense, without sorting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64

T = TypeVar("T", bound=Hashable)


class Groups(NamedTuple):
    """of: the group of each row, numbered from 0 on. first: the first row of each group."""

    of: I64
    first: I64

    def sum(self, values: NDArray[Any]) -> F64:
        """By group; exact below 2⁵³."""
        return np.bincount(self.of, values, len(self.first)).astype(np.float64)

    def size(self) -> I64:
        return np.bincount(self.of, minlength=len(self.first)).astype(np.int64)

    def least(self, values: I64) -> I64:
        result = np.full(len(self.first), np.iinfo(np.int64).max)
        np.minimum.at(result, self.of, values)
        return result

    def most(self, values: I64) -> I64:
        result = np.full(len(self.first), np.iinfo(np.int64).min)
        np.maximum.at(result, self.of, values)
        return result


def group(columns: Iterable[NDArray[np.integer] | NDArray[np.bool_]], count: int) -> Groups:
    """The distinct rows of some columns of `count` rows each."""
    of, size = np.zeros(count, np.int64), 1
    for column in columns:
        low, high = (int(column.min()), int(column.max())) if count else (0, 0)
        if low == high:
            continue
        if size * (high - low + 1) > _table(count):
            of = ranked(of)
            size = int(of.max()) + 1
        numbers = column - low if low else column
        if size * (high - low + 1) > _table(count):
            numbers = ranked(column.astype(np.int64))
            low, high = 0, int(numbers.max())
        of = of * (high - low + 1) + numbers if size > 1 else numbers.astype(np.int64)
        size *= high - low + 1
    of = ranked(of)
    first = np.zeros(int(of.max(initial=-1)) + 1, np.int64)
    first[of[::-1]] = np.arange(count - 1, -1, -1)
    return Groups(of, first)


def _table(count: int) -> int:
    """Up to so many cells a table is quicker than sorting `count` keys."""
    return max(4 * count, 1 << 16)


def ranked(keys: I64) -> I64:
    """Equal keys → equal numbers, from 0 on."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, 0)
    if high - low >= _table(len(keys)):
        return np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)
    if low == high:
        return np.zeros(len(keys), np.int64)
    shifted = keys - low if low else keys
    used = np.zeros(high - low + 1, bool)
    used[shifted] = True
    return (np.cumsum(used, dtype=np.int32) - 1)[shifted].astype(np.int64)


def pooled(lists: Iterable[Iterable[T]]) -> tuple[list[T], list[I64]]:
    """Several lists of distinct things → all distinct things, and for each list their places among them."""
    index: dict[T, int] = {}
    places = [np.array([index.setdefault(x, len(index)) for x in part], np.int64) for part in lists]
    return list(index), places
