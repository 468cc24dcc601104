"""What an op used of its devices: FLOPs, bytes and tensor cores, as sums that hosts add up, and what follows."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...tables import Scalar
from ...threshold import CHOSEN, Threshold
from ..devices import ABOVE

_PS_PER_S = 1e12
_GIGA = 1e9
BELIEVED = Threshold(
    "rate that is believed",
    10,
    "times",
    "caches deliver some times the memory's peak; at more an asynchronous copy moves it, or the capture is wrong",
    CHOSEN,
)
#: Sums that a 64-bit column holds; what is above is no sum of FLOPs or bytes.
_MAX = float(1 << 63)


class OpUse(NamedTuple):
    """Sums over executions; None is unknown. Times in ps.

    flops_ps, bytes_ps: total time of the executions of which that is known. could_flops, could_bytes: what the devices
    that ran these could have computed, and moved to and from their memory, in that time; inf where a peak is unknown.
    tensor_ps: time of kernels on tensor cores, tensor_known_ps: of kernels whose names show it, tensor_missed_ps: of
    kernels that multiply matrices on a device with tensor cores, without them.
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

    def plus(self, other: OpUse) -> OpUse:
        return OpUse(*(_known_sum(a, b) for a, b in zip(self, other, strict=True)))  # type: ignore[arg-type]

    @property
    def compute_share(self) -> float | None:
        """FLOPs ÷ what the peak allows in the same time."""
        return _ratio(self.flops, self.could_flops)

    @property
    def memory_share(self) -> float | None:
        """Bytes of the device's memory ÷ what its bandwidth allows in the same time."""
        return _ratio(self.hbm_bytes, self.could_bytes)

    @property
    def is_above_peak(self) -> bool:
        """Whether it is to have computed more than its device can: its FLOPs, its time or the peak are wrong."""
        return (self.compute_share or 0.0) >= ABOVE.value

    @property
    def bound_by(self) -> str:
        """The larger of the two, as on a roofline; empty where one is not known, both are 0, or not believed."""
        compute, memory = self.compute_share, self.memory_share
        if self.is_above_peak or compute is None or memory is None or not 0 < max(compute, memory) <= BELIEVED.value:
            return ""
        return "Compute" if compute >= memory else "HBM"

    @property
    def roof_share(self) -> float | None:
        """None above 1: caches deliver what the memory cannot, or the capture contradicts itself."""
        share = max(self.compute_share or 0.0, self.memory_share or 0.0) if self.bound_by else None
        return share if share is not None and share <= 1 else None

    @property
    def tensor_core_share(self) -> float | None:
        return _ratio(self.tensor_ps, self.tensor_known_ps)

    def cells(self) -> tuple[Scalar, ...]:
        """gflop_s, model_gflop_s, bytes, gb_s, intensity, bound_by, roof_share, tensor_core_share."""
        return (
            *(_rate(flops, self.flops_ps, self.could_flops, ABOVE.value) for flops in (self.flops, self.model_flops)),
            int(self.bytes) if self.bytes is not None and self.bytes < _MAX else None,
            _rate(self.bytes, self.bytes_ps, self.could_bytes, BELIEVED.value),
            _ratio(self.flops, self.bytes),
            self.bound_by,
            self.roof_share,
            self.tensor_core_share,
        )


def _known_sum(a: float | None, b: float | None) -> float | None:
    return b if a is None else a if b is None else a + b


def _ratio(part: float | None, whole: float | None) -> float | None:
    """None where either is unknown, or there is no whole, or next to none."""
    if part is None or whole is None or not 0 < whole < math.inf:
        return None
    ratio = part / whole
    return ratio if ratio < math.inf else None


def _rate(amount: float | None, time_ps: float, could: float | None, believed: float) -> float | None:
    """10⁹ a second; None where it is not believed, at so many times the peak."""
    of_peak, rate = _ratio(amount, could), _ratio(amount, time_ps)
    if rate is None or (of_peak is not None and of_peak > believed):
        return None
    return rate * _PS_PER_S / _GIGA
