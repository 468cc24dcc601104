"""A device plane's attributes → model, architecture, memory, and the peak rates that follow from them.

What the capture says counts; what it lacks is filled from the table of data sheets, where the device is one of its.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ...tables import PlaneKind
from ...threshold import Threshold
from .facts import NO_RATES, Chip, Generation, Rates, chip, chips_of, generation, generation_by_code, link, not_after

Attributes = Mapping[str, int | float | str | bytes | None]

_NVIDIA, _AMD, _GOOGLE = "nvidia", "amd", "google"
#: Major version of all CDNA.
_CDNA = 9
HALF = Threshold(
    "half of a bandwidth",
    0.05,
    "share",
    "of the data sheet's bandwidth; a figure nearer to its half than this was counted at half its transfers a clock",
    "ROCm's collector on MI300X: 2,662 of 5,325 GB/s",
)
#: No attribute is larger, and products of them stay finite.
_MOST = 1 << 64


@dataclasses.dataclass(frozen=True)
class Device:
    """What a plane says about its device; None where it does not say, or where it does not follow.

    peak_tflops: the best of 16-bit and 32-bit floats. rates: 10¹² a second by precision. sheet: of what was filled or
    replaced the source, empty where all is the capture's. halved: the bandwidth that the capture gives, where it is
    half of the device's.
    """

    model: str | None
    architecture: str | None
    core_count: int | None
    clock_mhz: float | None
    memory_bytes: int | None
    bandwidth_gb_s: float | None
    peak_tflops: float | None
    rates: Rates = NO_RATES
    link_gb_s: float | None = None
    sheet: str = ""
    halved_gb_s: float | None = None

    @property
    def figures(self) -> str:
        """Where its bandwidth and its peak rate come from; empty where neither is known."""
        if self.sheet:
            return self.sheet
        return "capture" if self.bandwidth_gb_s is not None or self.peak_tflops is not None else ""


def device(kind: PlaneKind, attributes: Attributes) -> Device:
    """Read the attributes of a GPU or TPU plane."""
    kilohertz = _number(attributes, "clock_rate")
    cores, memory = _number(attributes, "core_count"), _number(attributes, "memory_size")
    model = _text(attributes, "gpu_device_name") or _text(attributes, "device_type_string")
    vendor = _GOOGLE if kind == PlaneKind.TPU else vendor_of(attributes)
    one = _chip(vendor, model or "", attributes)
    of = _generation(vendor, attributes, one)
    written = _written(attributes)
    bandwidth, halved = _bandwidth(written, one, of)
    rates = _rates(_number(attributes, "peak_teraflops_per_second"), cores, kilohertz, one, of)
    best = _number(attributes, "peak_teraflops_per_second") or rates.best
    is_sheets = (bandwidth is not None and bandwidth != written) or (best is not None and _by_sheet(attributes, of))
    return Device(
        model=model,
        architecture=_text(attributes, "device_type_string")
        if kind == PlaneKind.TPU
        else _architecture(vendor, attributes, of),
        core_count=None if cores is None else int(cores),
        clock_mhz=None if kilohertz is None else kilohertz / 1e3,
        memory_bytes=None if memory is None else int(memory),
        bandwidth_gb_s=bandwidth,
        peak_tflops=best,
        rates=rates,
        link_gb_s=link(vendor, model or ""),
        sheet=_source(one, of) if is_sheets else "",
        halved_gb_s=halved,
    )


def vendor_of(attributes: Attributes) -> str:
    """Captures from before the attribute `device_vendor` could only come from NVIDIA devices."""
    return (_text(attributes, "device_vendor") or _NVIDIA).lower()


def version_of(attributes: Attributes) -> tuple[int, int] | None:
    """A compute capability, as which ROCm writes its graphics version."""
    major, minor = _number(attributes, "compute_cap_major"), _number(attributes, "compute_cap_minor")
    return None if major is None else (int(major), int(minor or 0))


def generation_of(attributes: Attributes) -> Generation | None:
    """Of a GPU's attributes; None where the table does not have it."""
    vendor, model = vendor_of(attributes), _text(attributes, "gpu_device_name") or ""
    return _generation(vendor, attributes, _chip(vendor, model, attributes))


def latest_generation(attributes: Attributes) -> Generation | None:
    """The last one of the GPU's vendor with known rates that is not newer, for what holds from one generation on.

    AMD's devices for graphics have higher versions than those for computing and are no later generation of these.
    """
    version, vendor = version_of(attributes), vendor_of(attributes)
    if version is None or (vendor == _AMD and version[0] != _CDNA):
        return None
    return not_after(vendor, version, with_rates=True)


def _chip(vendor: str, model: str, attributes: Attributes) -> Chip | None:
    cores = _number(attributes, "core_count")
    units = None if cores is None else int(cores)
    return chip(vendor, model, version_of(attributes), units, _number(attributes, "memory_size"))


def _generation(vendor: str, attributes: Attributes, one: Chip | None) -> Generation | None:
    if one:
        return generation_by_code(vendor, one.generation)
    name, version = _text(attributes, "gpu_device_name") or "", version_of(attributes)
    by_name = generation_by_code(vendor, name.partition(":")[0]) if vendor == _AMD else None
    return by_name or (None if version is None else generation(vendor, version))


def _architecture(vendor: str, attributes: Attributes, of: Generation | None) -> str | None:
    version = version_of(attributes)
    if vendor == _AMD:
        return f"AMD {of.name} ({of.code})" if of else "AMD"
    if vendor != _NVIDIA or version is None:
        return _text(attributes, "device_vendor")
    about = not_after(vendor, version)
    return f"NVIDIA{f' {about.name}' if about else ''} (compute capability {version[0]}.{version[1]})"


def _written(attributes: Attributes) -> float | None:
    """GB/s that the capture gives."""
    moved = _number(attributes, "memory_bandwidth")
    return _number(attributes, "peak_hbm_bw_gigabytes_per_second") if moved is None else moved / 1e9


def _bandwidth(written: float | None, one: Chip | None, of: Generation | None) -> tuple[float | None, float | None]:
    """GB/s, and what the capture has instead where that is half of it.

    ROCm's collector counts two transfers a clock; HBM3 of CDNA 3 and 4 makes four.
    """
    if written is None:
        return (one.bandwidth_gb_s if one else None), None
    chips = (one,) if one else chips_of(of.vendor, of.code) if of else ()
    known = [each.bandwidth_gb_s for each in chips if each.bandwidth_gb_s is not None]
    doubled = {rate for rate in known if abs(written / rate - 0.5) <= HALF.value}
    return (doubled.pop(), written) if len(doubled) == 1 and written not in known else (written, None)


def _rates(
    peak: float | None, cores: float | None, kilohertz: float | None, one: Chip | None, of: Generation | None
) -> Rates:
    """By the capture's units and clock, else by the chip; scaled to the peak that the capture gives."""
    by_chip = one.rates if one else NO_RATES
    if peak is not None:
        whole = by_chip.best
        return by_chip.times(peak / whole) if whole else Rates(bf16=peak)
    if of and of.cycle.best and cores and kilohertz:
        return of.cycle.times(cores * kilohertz / 1e9)
    return by_chip


def _source(one: Chip | None, of: Generation | None) -> str:
    return one.source if one else of.source if of else ""


def _by_sheet(attributes: Attributes, of: Generation | None) -> bool:
    """Whether the peak rate is that of the chip's data sheet: the capture has neither it nor all that it takes."""
    given = [_number(attributes, key) for key in ("core_count", "clock_rate")]
    counted = of is not None and of.cycle.best is not None and None not in given
    return _number(attributes, "peak_teraflops_per_second") is None and not counted


def _number(attributes: Attributes, key: str) -> float | None:
    """A number above 0; collectors write 0 for what they do not know."""
    value = attributes.get(key)
    return value if isinstance(value, int | float) and 0 < value < _MOST else None


def _text(attributes: Attributes, key: str) -> str | None:
    value = attributes.get(key)
    return value if isinstance(value, str) and value else None
