"""Memories on a TPU's chip: what they are called, and where a capture has their bytes and their peaks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from ...timeline.ops import CMEM_SPACE, VMEM_SPACE

#: GB/s that no memory has.
_TOO_MUCH = 1e12


class OnChip(NamedTuple):
    """One way to or from a memory. peak: key of a plane's attribute, in GB/s. space, way: numbers of the memory and of
    the direction (1 reads, 2 writes) in a `memory_access_breakdown`.
    """

    name: str
    peak: str
    space: int
    way: int


ON_CHIP = (
    OnChip("CMEM read", "peak_cmem_rd_bw_gigabytes_per_second", CMEM_SPACE, 1),
    OnChip("CMEM write", "peak_cmem_wr_bw_gigabytes_per_second", CMEM_SPACE, 2),
    OnChip("VMEM read", "peak_vmem_rd_bw_gigabytes_per_second", VMEM_SPACE, 1),
    OnChip("VMEM write", "peak_vmem_wr_bw_gigabytes_per_second", VMEM_SPACE, 2),
)


def on_chip_peaks(attributes: Mapping[str, object]) -> tuple[float | None, ...]:
    """GB/s in the order of `ON_CHIP`; None where a device does not say it, or has no such memory."""
    found = [attributes.get(one.peak) for one in ON_CHIP]
    return tuple(
        float(rate) if isinstance(rate, int | float) and math.isfinite(rate) and 0 < rate < _TOO_MUCH else None
        for rate in found
    )
