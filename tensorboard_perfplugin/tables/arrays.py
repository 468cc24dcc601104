"""Types of arrays, by what they hold; which values are among some."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

I8: TypeAlias = NDArray[np.int8]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U8: TypeAlias = NDArray[np.uint8]
F64: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]

#: Comparing with each of so few takes less than half of what `np.isin` does.
_FEW = 4


def among(values: AnyArray, wanted: Sequence[int] | AnyArray) -> Mask:
    """Which values are any of those wanted: `np.isin`, quicker where few are wanted."""
    if len(wanted) > _FEW or not any(values.strides):
        return np.isin(values, wanted)
    found = np.zeros(values.shape, bool)
    for one in wanted.tolist() if isinstance(wanted, np.ndarray) else wanted:
        found |= values == one
    return found


# Numbers of any size → numbers from 0 on, by a table where that is quicker than sorting.

#: Up to this many cells a table is quicker than sorting.
_MAX_TABLE = 1 << 24
#: Of few keys as many for each, and some more.
_CELLS, _FEW_RANKS = 64, 1 << 12
#: A prime: cells of a table of few numbers that lie far apart, as ids of programs do.
_REMAINDERS = 65_521


def ranked(keys: NDArray[np.integer[Any]]) -> tuple[I64, int]:
    """Equal keys → equal numbers, ascending, and how many there are; sorting millions of events takes a second."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, -1)
    if high - low < min(_MAX_TABLE, _CELLS * len(keys) + _FEW_RANKS):
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


# A function of a text → the same, which remembers texts: the hosts of a run have most of their names in common.

T = TypeVar("T")

#: A large program has so many distinct names; 3 MB of short ones with what is made of them.
_TEXTS = 1 << 13
#: Longer texts are made anew: a file's names may have any length.
_LONGEST = 300


def kept_by_text(make: Callable[[str], T]) -> Callable[[str], T]:
    """Decorates a function of a text alone, whose value is never modified."""
    kept = functools.lru_cache(_TEXTS)(make)

    @functools.wraps(make)
    def cached(text: str) -> T:
        return kept(text) if len(text) <= _LONGEST else make(text)

    return cached


# Parts of one computation that do not need each other → their results, of large captures on all cores at once.

#: With fewer rows the parts take about as long as a thread takes to start.
_MIN_ROWS = 1 << 17


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(rows: int, *parts: Callable[[], Any]) -> list[Any]:
    """The parts' results, in their order. rows: about how many each goes through.

    numpy and the compiled loops let other threads run while they go through columns. Raises what the first part
    raises that fails.
    """
    cores = usable_cores()
    if cores < 2 or rows < _MIN_ROWS:
        return [part() for part in parts]
    with ThreadPoolExecutor(min(cores, len(parts)), "part") as pool:
        return [done.result() for done in [pool.submit(part) for part in parts]]
