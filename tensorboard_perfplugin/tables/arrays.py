"""Types of arrays, by what they hold; which values are among some."""

from __future__ import annotations

import contextvars
import functools
import os
from collections.abc import Callable, Sequence
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
#: With more they go one after another: what they hold at once counts for more than their time.
_MAX_ROWS = 1 << 24


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(rows: int, *parts: Callable[[], Any]) -> list[Any]:
    """The parts' results, in their order. rows: about how many each goes through.

    numpy and the compiled loops let other threads run while they go through columns. Each part is of the work of the
    thread that asks, and stops with it. Raises what the first part raises that fails.
    """
    cores = usable_cores()
    if cores < 2 or not _MIN_ROWS <= rows <= _MAX_ROWS:
        return [part() for part in parts]
    # Here, since small captures need none.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(cores, len(parts)), "part") as pool:
        return [done.result() for done in [pool.submit(contextvars.copy_context().run, part) for part in parts]]
