"""What an op used of its devices: FLOPs, bytes and tensor cores, as sums that hosts add up, and what follows."""

from __future__ import annotations

from typing import NamedTuple

from ...tables import Scalar
from ..devices import (
    ABOVE,
    BELIEVED,
    COMPUTE,
    HBM,
    ON_CHIP,
    at_most_1,
    bound_by,
    giga_per_s,
    is_above,
    largest,
    ratio,
)

#: Sums that a 64-bit column holds; what is above is no sum of FLOPs or bytes.
_MAX = float(1 << 63)
#: What an op can use up: the peak rate, the device's memory, and each way to the memories on a TPU's chip.
ROOFS = (COMPUTE, HBM, *(one.name for one in ON_CHIP))


class OpUse(NamedTuple):
    """Sums over executions; None is unknown. Times in ps.

    flops_ps, bytes_ps: total time of the executions of which that is known. could_flops, could_bytes: what the devices
    that ran these could have computed, and moved to and from their memory, in that time; inf where a peak is unknown.
    tensor_ps: time of kernels on tensor cores, tensor_known_ps: of kernels whose names show it, tensor_missed_ps: of
    kernels that multiply matrices on a device with tensor cores, without them. on_chip_bytes: to and from a TPU's
    memories on the chip; cmem_read_ps, …: time that what went that way would take at its peak; inf where that is
    unknown.
    """

    flops: float | None = None
    model_flops: float | None = None
    bytes: float | None = None
    hbm_bytes: float | None = None
    flops_ps: float = 0.0
    bytes_ps: float = 0.0
    could_flops: float | None = None
    could_bytes: float | None = None
    tensor_ps: float = 0.0
    tensor_known_ps: float = 0.0
    tensor_missed_ps: float = 0.0
    on_chip_bytes: float = 0.0
    cmem_read_ps: float = 0.0
    cmem_write_ps: float = 0.0
    vmem_read_ps: float = 0.0
    vmem_write_ps: float = 0.0

    def plus(self, other: OpUse) -> OpUse:
        return OpUse(*(_known_sum(a, b) for a, b in zip(self, other, strict=True)))  # type: ignore[arg-type]

    @property
    def compute_share(self) -> float | None:
        """FLOPs ÷ what the peak allows in the same time."""
        return ratio(self.flops, self.could_flops)

    @property
    def memory_share(self) -> float | None:
        """Bytes of the device's memory ÷ what its bandwidth allows in the same time."""
        return ratio(self.hbm_bytes, self.could_bytes)

    @property
    def shares(self) -> tuple[float | None, ...]:
        """Of each of `ROOFS`."""
        ways = (self.cmem_read_ps, self.cmem_write_ps, self.vmem_read_ps, self.vmem_write_ps)
        return self.compute_share, self.memory_share, *(ratio(ps, self.bytes_ps) for ps in ways)

    @property
    def is_above_peak(self) -> bool:
        """Whether it is to have computed more than its device can: its FLOPs, its time or the peak are wrong."""
        return is_above(self.compute_share)

    @property
    def bound_by(self) -> str:
        """The largest one's of `ROOFS`; empty where one of the first two is not known, all are 0, or not believed."""
        return bound_by(self.shares, ROOFS)

    @property
    def roof_share(self) -> float | None:
        """None above 1: caches deliver what the memory cannot, or the capture contradicts itself."""
        return at_most_1(largest(self.shares)) if self.bound_by else None

    @property
    def tensor_core_share(self) -> float | None:
        return ratio(self.tensor_ps, self.tensor_known_ps)

    def cells(self) -> tuple[Scalar, ...]:
        """gflop_s, model_gflop_s, bytes, gb_s, intensity, bound_by, roof_share, tensor_core_share."""
        return (
            *(self._gflop_s(flops) for flops in (self.flops, self.model_flops)),
            int(self.bytes) if self.bytes is not None and self.bytes < _MAX else None,
            giga_per_s(self.bytes, self.bytes_ps, ratio(self._off_chip, self.could_bytes), BELIEVED.value),
            ratio(self.flops, self.bytes),
            self.bound_by,
            self.roof_share,
            self.tensor_core_share,
        )

    @property
    def _off_chip(self) -> float | None:
        return None if self.bytes is None else max(self.bytes - self.on_chip_bytes, 0.0)

    def _gflop_s(self, flops: float | None) -> float | None:
        return giga_per_s(flops, self.flops_ps, ratio(flops, self.could_flops), ABOVE.value)


def _known_sum(a: float | None, b: float | None) -> float | None:
    return b if a is None else a if b is None else a + b
