"""A device plane's attributes → model, architecture, memory, and the peak rates that follow from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ...tables import PlaneKind

Attributes = Mapping[str, int | float | str | bytes | None]

#: Compute capability → dense FLOPs a cycle and multiprocessor, the best of 16-bit and 32-bit, tensor cores included.
_NVIDIA_FLOPS = {
    (2, 0): 64,
    (3, 0): 384,
    (5, 0): 256,
    (6, 0): 256,
    (6, 1): 256,
    (7, 0): 1024,
    (7, 5): 1024,
    (8, 0): 2048,
    (8, 6): 1024,
    (8, 9): 1024,
    (9, 0): 4096,
    (10, 0): 8192,
    # B300 has B200's rate in 16 bits.
    (10, 3): 8192,
}
#: First compute capability of each architecture, newest first.
_NVIDIA_NAMES = (
    ((10, 0), "Blackwell"),
    ((9, 0), "Hopper"),
    ((8, 9), "Ada Lovelace"),
    ((8, 0), "Ampere"),
    ((7, 5), "Turing"),
    ((7, 0), "Volta"),
    ((6, 0), "Pascal"),
    ((5, 0), "Maxwell"),
    ((3, 0), "Kepler"),
    ((2, 0), "Fermi"),
)
_AMD_FLOPS = {"gfx908": 1024, "gfx90a": 1024, "gfx942": 2048, "gfx950": 4096}
_AMD_NAMES = {"gfx908": "CDNA", "gfx90a": "CDNA 2", "gfx942": "CDNA 3", "gfx950": "CDNA 4"}
#: Bytes per second; no device of CDNA 3 has less than 4 TB/s.
_CDNA_3_LEAST = 4e12
#: No attribute is larger, and products of them stay finite.
_MOST = 1 << 64
#: ROCm writes its graphics version as a compute capability.
_AMD_VERSIONS = {(9, 4): "gfx942", (9, 5): "gfx950"}


@dataclasses.dataclass(frozen=True)
class Device:
    """What a plane says about its device; None where it does not say, or where it does not follow."""

    model: str | None
    architecture: str | None
    core_count: int | None
    clock_mhz: float | None
    memory_bytes: int | None
    bandwidth_gb_s: float | None
    peak_tflops: float | None


def device(kind: PlaneKind, attributes: Attributes) -> Device:
    """Read the attributes of a GPU or TPU plane."""
    kilohertz, bandwidth = _number(attributes, "clock_rate"), _number(attributes, "memory_bandwidth")
    cores, memory = _number(attributes, "core_count"), _number(attributes, "memory_size")
    architecture, flops_a_cycle = _tpu(attributes) if kind == PlaneKind.TPU else _gpu(attributes)
    peak = _number(attributes, "peak_teraflops_per_second")
    if peak is None and flops_a_cycle and cores and kilohertz:
        peak = cores * flops_a_cycle * kilohertz / 1e9
    return Device(
        model=_text(attributes, "gpu_device_name") or _text(attributes, "device_type_string"),
        architecture=architecture,
        core_count=None if cores is None else int(cores),
        clock_mhz=None if kilohertz is None else kilohertz / 1e3,
        memory_bytes=None if memory is None else int(memory),
        bandwidth_gb_s=_number(attributes, "peak_hbm_bw_gigabytes_per_second")
        if bandwidth is None
        else _moved(bandwidth, architecture) / 1e9,
        peak_tflops=peak,
    )


def _moved(bandwidth: float, architecture: str | None) -> float:
    """Bytes per second. ROCm's collector counts two transfers a clock; HBM3 of CDNA 3 makes four, 5.3 or 6 TB/s."""
    halved = architecture == f"AMD {_AMD_NAMES['gfx942']} (gfx942)" and bandwidth < _CDNA_3_LEAST
    return 2 * bandwidth if halved else bandwidth


def _tpu(attributes: Attributes) -> tuple[str | None, int]:
    return _text(attributes, "device_type_string"), 0


def _gpu(attributes: Attributes) -> tuple[str | None, int]:
    """Name of the architecture, and FLOPs a cycle and core; 0 where no table has it."""
    vendor = (_text(attributes, "device_vendor") or "").lower()
    major, minor = _number(attributes, "compute_cap_major"), _number(attributes, "compute_cap_minor")
    version = None if major is None else (int(major), int(minor or 0))
    if vendor == "amd":
        model = _text(attributes, "gpu_device_name") or ""
        known = model.partition(":")[0] if model.startswith("gfx") else _AMD_VERSIONS.get(version or (0, 0), "")
        return (f"AMD {_AMD_NAMES[known]} ({known})", _AMD_FLOPS[known]) if known in _AMD_NAMES else ("AMD", 0)
    # Captures from before the attribute `device_vendor` could only come from NVIDIA devices.
    if vendor not in ("", "nvidia") or version is None:
        return _text(attributes, "device_vendor"), 0
    name = next((f" {name}" for first, name in _NVIDIA_NAMES if version >= first), "")
    return f"NVIDIA{name} (compute capability {version[0]}.{version[1]})", _NVIDIA_FLOPS.get(version, 0)


def _number(attributes: Attributes, key: str) -> float | None:
    """A number above 0; collectors write 0 for what they do not know."""
    value = attributes.get(key)
    return value if isinstance(value, int | float) and 0 < value < _MOST else None


def _text(attributes: Attributes, key: str) -> str | None:
    value = attributes.get(key)
    return value if isinstance(value, str) and value else None
