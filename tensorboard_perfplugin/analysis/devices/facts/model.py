"""What is known of a kind of device: its chips by name, and the generations that these belong to."""

from __future__ import annotations

import re
from typing import NamedTuple


class Rates(NamedTuple):
    """10¹² operations a second (or those of one core and cycle) by precision, dense, the best that the device has for
    it, by matrix units where these take it; None where it has no unit for it, or its sheet gives no figure.
    """

    fp64: float | None = None
    fp32: float | None = None
    tf32: float | None = None
    bf16: float | None = None
    fp16: float | None = None
    fp8: float | None = None
    int8: float | None = None
    fp4: float | None = None

    @property
    def best(self) -> float | None:
        """Of 16-bit and 32-bit floats."""
        return max((rate for rate in (self.fp32, self.tf32, self.bf16, self.fp16) if rate is not None), default=None)

    @property
    def fast_bf16(self) -> bool:
        """Whether bfloat16 has units that are several times as fast as those of 32-bit floats."""
        return (self.bf16 or 0.0) > (self.fp32 or 0.0)

    @property
    def fast_fp16(self) -> bool:
        return (self.fp16 or 0.0) > 2 * (self.fp32 or 0.0)

    def times(self, factor: float) -> Rates:
        return Rates(*(None if rate is None else rate * factor for rate in self))


NO_RATES = Rates()


class Generation(NamedTuple):
    """Devices of one instruction set: a compute capability of NVIDIA's, a graphics version of AMD's, a TPU's number.

    version: (major, minor) as collectors write it. cycle: of one multiprocessor or compute unit and cycle, dense.
    threads: most on a multiprocessor. group: threads that run in step. pcie_gb_s: of ×16 in one direction, of the
    generation of PCIe that its devices came with. matrix: whether it has tensor or matrix cores.
    """

    vendor: str
    name: str
    code: str
    version: tuple[int, int]
    cycle: Rates
    threads: int | None
    group: int
    pcie_gb_s: float | None = None
    matrix: bool = True
    source: str = ""


class Chip(NamedTuple):
    """One device as the runtime counts devices: of a card with two dies one of these.

    pattern: of the names that it has. memory_gb: 10⁹ bytes, as the sheet rounds it. bandwidth_gb_s: of that memory.
    link_gb_s: of all of its direct links to other devices, in one direction. cores: multiprocessors or compute units.
    sparse: by how much rates grow where half of a matrix is 0 in the pattern that its units know; 1 without such.
    """

    name: str
    generation: str
    pattern: re.Pattern[str]
    memory_gb: float | None
    bandwidth_gb_s: float | None
    rates: Rates
    sparse: int
    link_gb_s: float | None
    cores: int | None
    source: str
