"""Args of events, which stand one after another → one of them by event, or all of them elsewhere; compiled or by numpy.

begins: where the args of each event begin, and after the last of them where they end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64
from .ranges import runs

try:
    from . import arg_loops

    COMPILED = arg_loops.COMPILED
except ImportError:  # neither compiled nor is Cython there to run it as Python
    COMPILED = False

#: Events whose args are looked at together: numbers of more take more memory than the args themselves.
LOT = 1 << 16


class Args(NamedTuple):
    """key, StatKind and value of each arg."""

    begins: I64
    keys: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: I64


def first_of_key(args: Args, rows: I64, key: int, compiled: bool = COMPILED) -> tuple[I64, NDArray[np.uint8]]:
    """Value and StatKind of the first arg of a key of some events, 0 and 0 where they have none."""
    value, kind = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8)
    if compiled:
        arg_loops.first_of_key(np.ascontiguousarray(rows), *args, key, value, kind)
        return value, kind
    for first in range(0, len(rows), LOT):
        row = rows[first : first + LOT]
        at = runs(args.begins[row], args.begins[row + 1])
        owner = first + np.repeat(np.arange(len(row)), args.begins[row + 1] - args.begins[row])
        hit = np.flatnonzero(args.keys[at] == key)[::-1]
        value[owner[hit]], kind[owner[hit]] = args.values[at[hit]], args.kinds[at[hit]]
    return value, kind


def copy_args(args: Args, rows: I32, rename: I32, begin: I64, made: Args, compiled: bool = COMPILED) -> None:
    """Writes the args of some events into `made`, those of each from `begin` on, with keys renamed."""
    if compiled:
        arg_loops.copy(rows, *args, rename, begin, made.keys, made.kinds, made.values)
        return
    for low in range(0, len(rows), LOT):
        row, to = rows[low : low + LOT], begin[low : low + LOT]
        at = runs(to, to + args.begins[row + 1] - args.begins[row])
        source = runs(args.begins[row], args.begins[row + 1])
        made.keys[at], made.kinds[at], made.values[at] = (
            rename[args.keys[source]],
            args.kinds[source],
            args.values[source],
        )
