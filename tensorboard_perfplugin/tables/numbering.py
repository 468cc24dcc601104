"""Equal keys → equal numbers, from 0 on; rows of equal keys → groups.

Keys are numbered in ascending order, by a table where that is quicker than sorting: sorting millions of events takes a
second."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrays import F64, I64, AnyArray

Integer = TypeVar("Integer", bound=np.integer[Any])
Item = TypeVar("Item", bound=Hashable)

#: Up to this many cells a table is quicker than sorting …
_MAX_TABLE = 1 << 24
#: … of few keys as many for each, and some more.
_CELLS, _FEW_CELLS = 64, 1 << 12
#: A prime: cells of a table of few numbers that lie far apart, as ids of programs do.
_REMAINDERS = 65_521
#: Of so many keys far apart, unless few of them differ, some have one remainder.
_SAMPLE = 1 << 12


def _table_size(count: int) -> int:
    return min(_MAX_TABLE, _CELLS * count + _FEW_CELLS)


def distinct(keys: NDArray[Integer]) -> tuple[NDArray[Integer], I64]:
    """The distinct keys, ascending, and the place of each key among them: `np.unique` with its inverse, only quicker.

    Of a table only the cells of keys are touched.
    """
    dtype, low, high = keys.dtype, *((int(keys.min()), int(keys.max())) if len(keys) else (0, -1))
    if high - low >= _table_size(len(keys)):
        if len(keys) >= _REMAINDERS and _by_remainder(keys[:_SAMPLE]) and (few := _by_remainder(keys)):
            return few
        unique: NDArray[Integer]
        unique, which = np.unique(keys, return_inverse=True)
        return unique, which.reshape(-1)
    # Of fewer bits the differences may not fit.
    cells: NDArray[Any] = keys if not low else (keys if dtype.itemsize == 8 else keys.astype(np.int64)) - low
    used = np.zeros(high - low + 1, bool)
    used[cells] = True
    some = np.flatnonzero(used)
    table = np.empty(len(used), np.int64)
    table[some] = np.arange(len(some))
    return some.astype(dtype, copy=False) + np.array(low, dtype), table[cells]


def _by_remainder(keys: NDArray[Integer]) -> tuple[NDArray[Integer], I64] | None:
    """As `distinct`, of few distinct keys; None where two have one remainder."""
    cell = keys % _REMAINDERS
    table = np.zeros(_REMAINDERS, keys.dtype)
    table[cell] = keys
    if (table[cell] != keys).any():
        return None
    used = np.flatnonzero(np.bincount(cell, minlength=_REMAINDERS))
    used = used[np.argsort(table[used])]
    place: I64 = np.empty(_REMAINDERS, np.int64)
    place[used] = np.arange(len(used))
    return table[used], place[cell]


def numbered(keys: NDArray[np.integer[Any]]) -> I64:
    """Equal keys → equal numbers."""
    return distinct(keys)[1]


def distinct_rows(*columns: NDArray[np.integer[Any]]) -> tuple[I64, I64]:
    """The distinct rows of some columns (rows, columns), in their order, and the place of each row among them."""
    of, first = grouped(*columns)
    return np.stack([column[first].astype(np.int64, copy=False) for column in columns], axis=1), of


def occurring(ids: NDArray[np.integer[Any]], count: int) -> I64:
    """Those of `count` ids that occur, ascending."""
    used = np.zeros(count, bool)
    used[ids] = True
    return np.flatnonzero(used)


def numbered_rows(*columns: NDArray[np.integer[Any]] | NDArray[np.bool_]) -> I64:
    """Equal rows of some columns, at least one, → equal numbers, in the order of the first column, then the second …"""
    count = len(columns[0])
    which, size, most = np.zeros(count, np.int64), 1, _table_size(count)
    for column in columns if count else ():
        low, high = int(column.min()), int(column.max())
        if low == high:
            continue
        if size * (high - low + 1) > most:
            which = numbered(which)
            size = int(which.max()) + 1
        if size * (high - low + 1) > most:
            values, numbers = distinct(column.astype(np.int64, copy=False))
            low, high = 0, len(values) - 1
        else:
            numbers = column.astype(np.int64, copy=False)
        which = which * (high - low + 1) + (numbers - low)
        size *= high - low + 1
    return numbered(which)


class Groups(NamedTuple):
    """Rows of equal keys. of: the group of each row, numbered from 0 on. first: the first row of each group."""

    of: I64
    first: I64

    def size(self) -> I64:
        return np.bincount(self.of, minlength=len(self.first)).astype(np.int64)

    def sum(self, values: AnyArray) -> F64:
        """By group; exact below 2⁵³."""
        return np.bincount(self.of, values, len(self.first)).astype(np.float64)

    def exact_sum(self, values: I64) -> I64:
        """By group, where that fits 64 bits."""
        result = np.zeros(len(self.first), np.int64)
        np.add.at(result, self.of, values)
        return result

    def minimum(self, values: I64) -> I64:
        result = np.full(len(self.first), np.iinfo(np.int64).max)
        np.minimum.at(result, self.of, values)
        return result

    def maximum(self, values: I64) -> I64:
        result = np.full(len(self.first), np.iinfo(np.int64).min)
        np.maximum.at(result, self.of, values)
        return result


def grouped(*columns: NDArray[np.integer[Any]] | NDArray[np.bool_]) -> Groups:
    """Groups of the equal rows of some columns, at least one, numbered in the order of the columns' values."""
    of = numbered_rows(*columns)
    first = np.empty(int(of.max(initial=-1)) + 1, np.int64)
    first[of[::-1]] = np.arange(len(of) - 1, -1, -1)
    return Groups(of, first)


def alike(values: NDArray[np.integer[Any]]) -> list[I64]:
    """The places of each value, ascending in both."""
    order = np.argsort(values, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(values[order])) + 1) if len(values) else []


def range_members(begins: I64, ends: I64) -> I64:
    """All numbers of some ranges, one range after another."""
    sizes = ends - begins
    return np.repeat(begins - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))


def interned(items: Iterable[Item], numbers: dict[Item, int]) -> I64:
    """The number of each item; new items get the next ones, in the order in which they come."""
    return np.array([numbers.setdefault(item, len(numbers)) for item in items], np.int64)


def pooled(lists: Iterable[Iterable[Item]]) -> tuple[list[Item], list[I64]]:
    """Several lists → all distinct items, and for each list their places among them."""
    numbers: dict[Item, int] = {}
    places = [interned(items, numbers) for items in lists]
    return list(numbers), places
