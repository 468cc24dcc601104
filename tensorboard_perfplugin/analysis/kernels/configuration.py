"""Rows of a capture's launches → launch configurations: what tells two launches of a kernel apart."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from ...tables import I64, Launches

Dimensions: TypeAlias = tuple[int, int, int]


class LaunchConfiguration(NamedTuple):
    """How a kernel was launched, None where the file does not say. Bytes are of a block; shared is static and dynamic
    together. Occupancy follows from it, and is no part of it.
    """

    registers: int | None = None
    static_shared: int | None = None
    dynamic_shared: int | None = None
    shared: int | None = None
    grid: Dimensions | None = None
    block: Dimensions | None = None


_SIZES = ("registers", "static_shared_bytes", "dynamic_shared_bytes", "shared_bytes")


def configurations(launches: Launches, rows: I64) -> list[LaunchConfiguration]:
    """By row of `launches`; -1 is a launch of which nothing is known."""
    known = np.flatnonzero(rows >= 0)
    result = [LaunchConfiguration()] * len(rows)
    if not len(known):
        return result
    some = launches.take(rows[known])
    sizes = [[None if n < 0 else n for n in getattr(some, name).tolist()] for name in _SIZES]
    columns = (
        *sizes,
        _dimensions(some.grid_x, some.grid_y, some.grid_z),
        _dimensions(some.block_x, some.block_y, some.block_z),
    )
    for i, row in zip(known.tolist(), zip(*columns, strict=True), strict=True):
        result[i] = LaunchConfiguration(*row)
    return result


def _dimensions(*axes: I64) -> list[Dimensions | None]:
    return [None if min(shape) < 0 else shape for shape in zip(*(axis.tolist() for axis in axes), strict=True)]
