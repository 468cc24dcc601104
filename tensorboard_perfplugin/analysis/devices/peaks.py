"""A device's attributes → its peak rates, and what was reached of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...tables import PlaneKind, Scalar
from ...threshold import Threshold
from ...timeline.devices import device_spans_of, devices_of
from ...timeline.ops.costs import are_much, device_costs_of, has_costs, opaque_calls
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline
from ...units import PS_PER_S
from .datasheets import (
    NO_RATES,
    Chip,
    Generation,
    Rates,
    chip,
    chips_of,
    generation,
    generation_by_code,
    link,
    not_after,
)

if TYPE_CHECKING:
    from ...timeline.split.split import Split

# A device plane's attributes → model, architecture, memory, and the peak rates that follow from them.
#
# What the capture says counts; what it lacks is filled from the table of data sheets, where the device is one of its.

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


class Device(msgspec.Struct, frozen=True):
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
    """Generation of a GPU by its attributes; None where the table does not have it."""
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


ABOVE = Threshold(
    "above the peak",
    1.05,
    "times the peak",
    "clocks above the one that data sheets count by reach some percent more",
    "boost clocks of NVIDIA's and AMD's data sheets",
)


class Used(NamedTuple):
    """One device in a host's whole steps. flops, moved_bytes: of its ops, None where these do not show it; peaks: per
    second, None where unknown.
    """

    time_s: float
    flops: float | None
    moved_bytes: float | None
    peak_flops: float | None
    peak_bytes: float | None


def used(timeline: Timeline, split: Split) -> tuple[Used, ...]:
    """Each device that ran something; none without steps."""
    steps = split.steps
    whole = steps.counted
    if not whole.any() or not has_costs(timeline):
        return ()
    costs = device_costs_of(timeline)
    time_s = float(steps.wall_ps[whole].sum()) / PS_PER_S
    low, high = int(steps.begin_ps[whole].min()), int(steps.until_ps[whole].max())
    found, at = [], 0
    for activity in devices_of(timeline):
        mine = slice(at, at + activity.events)
        at += activity.events
        if activity.events:
            rows = ops_of(timeline).device.rows[mine]
            start = timeline.capture.events.start_ps[rows]
            counted = (start >= low) & (start < high) & _leaves(timeline, activity.plane, mine)
            is_tpu = timeline.capture.planes.kind[activity.plane] == PlaneKind.TPU
            opaque, own = opaque_calls(timeline, rows)[counted], device_spans_of(timeline).self_ps[mine][counted]
            flops, moved = (
                None if are_much(opaque & np.isnan(amount), own) else _total(amount, is_tpu)
                for amount in (costs.flops[mine][counted], costs.hbm_bytes[mine][counted])
            )
            found.append(_of_device(timeline, activity.plane, flops, moved, time_s))
    return tuple(found)


def _leaves(timeline: Timeline, plane: int, mine: slice) -> NDArray[np.bool_]:
    """Which ops hold no others, whose FLOPs they would repeat; on a GPU nothing nests."""
    spans = device_spans_of(timeline)
    if timeline.capture.planes.kind[plane] != PlaneKind.TPU:
        return np.ones(mine.stop - mine.start, bool)
    leaves: NDArray[np.bool_] = spans.self_ps[mine] >= spans.duration_ps[mine]
    return leaves


def _of_device(timeline: Timeline, plane: int, flops: float | None, moved: float | None, time_s: float) -> Used:
    capture = timeline.capture
    limits = device(PlaneKind(int(capture.planes.kind[plane])), capture.plane_values(plane))
    return Used(
        time_s,
        flops,
        moved,
        None if limits.peak_tflops is None else limits.peak_tflops * 1e12,
        None if limits.bandwidth_gb_s is None else limits.bandwidth_gb_s * 1e9,
    )


def _total(values: NDArray[np.float64], is_tpu: bool) -> float | None:
    """Sum of the known values of a TPU's ops; of kernels only if all are known: the largest may be a library's."""
    known = np.isfinite(values)
    enough = known.any() if is_tpu else len(known) and known.all()
    return float(values[known].sum()) if enough else None


def utilization(devices: Sequence[Used]) -> dict[str, Scalar]:
    """Sums over devices: amount ÷ (peak × time), where all give both and the result can be."""
    return {
        "flop_utilization_share": _share([(d.flops, d.peak_flops, d.time_s) for d in devices]),
        "bandwidth_utilization_share": _share([(d.moved_bytes, d.peak_bytes, d.time_s) for d in devices]),
    }


class AbovePeak(NamedTuple):
    """Operations or bytes a second that ops account for, and what the devices could do, both of all devices."""

    rate: float
    peak: float


def above_peaks(devices: Sequence[Used]) -> dict[str, AbovePeak]:
    """The shares that `utilization` withdraws, since no device does more than its peak; by their names."""
    given = {
        "flop_utilization_share": [(d.flops, d.peak_flops, d.time_s) for d in devices],
        "bandwidth_utilization_share": [(d.moved_bytes, d.peak_bytes, d.time_s) for d in devices],
    }
    found = {}
    for name, parts in given.items():
        known = [(amount, peak, time) for amount, peak, time in parts if amount is not None and peak is not None]
        did, could = sum(amount for amount, _, _ in known), sum(peak * time for _, peak, time in known)
        time_s = max((time for _, _, time in known), default=0.0)
        if len(known) == len(parts) and 0 < could < did and time_s:
            found[name] = AbovePeak(did / time_s, could / time_s)
    return found


def _share(given: Sequence[tuple[float | None, float | None, float]]) -> float | None:
    known = [(amount, peak * time) for amount, peak, time in given if amount is not None and peak is not None]
    most = sum(most for _, most in known)
    if len(known) < len(given) or not most:
        return None
    share = sum(amount for amount, _ in known) / most
    return share if share <= 1 else None


# What was computed and moved, beside what devices could have meanwhile → shares, rates, and what bounds.
#
# One rule of all pages: what has a rate, which rates are believed, and what limits.

BELIEVED = Threshold(
    "rate that is believed",
    10,
    "times",
    "caches deliver some times the memory's peak; at more an asynchronous copy moves it, or the capture is wrong",
)
COMPUTE, HBM = "Compute", "HBM"
_GIGA = 1e9
#: Categories of what begins a copy or a collective that goes on beside other ops, and of what only waits: for such a
#: one, for another device, or for the host.
_STARTS, _DONE, _WAITS = "-start", "-done", ("infeed", "outfeed", "send", "recv", "host send", "host recv")


def starts(category: str) -> bool:
    """Whether it begins what goes on beside other ops: its own time gives no rate."""
    return category.endswith(_STARTS)


def waits(category: str) -> bool:
    """Whether it only waits: what it waits for moves the bytes, beside it."""
    return category.endswith(_DONE) or category.startswith(_WAITS)


def ratio(part: float | None, whole: float | None) -> float | None:
    """None where either is unknown, or there is no whole, or next to none."""
    if part is None or whole is None or not 0 < whole < math.inf:
        return None
    share = part / whole
    return share if share < math.inf else None


def at_most_1(share: float | None) -> float | None:
    """None above 1: caches deliver what the memory cannot, or the capture contradicts itself."""
    return share if share is not None and share <= 1 else None


def is_above(share: float | None) -> bool:
    """Whether it is to have done more than a device can: its amount, its time or the peak are wrong."""
    return (share or 0.0) >= ABOVE.value


def bound_by(shares: Sequence[float | None], names: Sequence[str] = (COMPUTE, HBM)) -> str:
    """The name of the largest share of a roof, of compute first; empty where the first two are not both known, all are
    0, or one is not believed.
    """
    if shares[0] is None or shares[1] is None or is_above(shares[0]):
        return ""
    most = max(range(len(names)), key=lambda i: shares[i] or 0.0)
    return names[most] if 0 < (shares[most] or 0.0) <= BELIEVED.value else ""


def largest(shares: Sequence[float | None]) -> float | None:
    """Of its roof, which is the one that it is nearest to."""
    return max((share for share in shares if share is not None), default=None)


def giga_per_s(
    amount: float | None, time_ps: float, of_peak: float | None = None, most: float = math.inf
) -> float | None:
    """10⁹ a second; None where it is so many times the peak that it is not believed."""
    rate = ratio(amount, time_ps)
    return None if rate is None or (of_peak or 0.0) > most else rate * PS_PER_S / _GIGA
