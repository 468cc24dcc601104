"""A timeline → FLOPs, bytes and tensor cores of its ops, beside what the devices that ran them could have done."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...tables import F64, I32, I64, PlaneKind, StatKind, at_once
from ...timeline import (
    OpCosts,
    Ops,
    Timeline,
    copy_op,
    device_spans_of,
    devices_of,
    distinct,
    instruction_costs_of,
    instructions_as_ops,
    kernel_name,
    op_costs_of,
    ops_of,
    tensor_core_rule,
)
from ...timeline.ops import moved_by_memory
from ..devices import ON_CHIP, Attributes, Device, device, latest_generation, on_chip_peaks
from .use import OpUse

_PS_PER_S, _GIGA, _TERA = 1e12, 1e9, 1e12
_BREAKDOWN = "memory_access_breakdown"
#: What a kernel's name says of tensor cores: nothing; not used, nor of use; used; of use, and not used.
_UNKNOWN, _UNUSED, _USED, _MISSED = range(4)
#: So many distinct kernel names are judged, the most frequent; the rest are as if their names said nothing.
_MAX_NAMES = 20_000
#: ROCm copies and fills by kernels, too, of which it records the launch.
_COPIES_BY_KERNEL = "__amd_rocclr_"


def peaks(timeline: Timeline) -> frozenset[tuple[float | None, float | None]]:
    """The distinct peaks of the devices that ran something: 10¹² FLOP/s and GB/s."""
    active = (_device(timeline, d.plane) for d in devices_of(timeline) if d.events)
    return frozenset((one.peak_tflops, one.bandwidth_gb_s) for one in active)


def host_use(timeline: Timeline, ops: Ops) -> dict[int, OpUse]:
    """By index of op, where anything is known; no capture has peaks of hosts."""
    n, costs = len(ops.ops), _costs(timeline, ops, "host")
    if not (np.isfinite(costs.flops) | np.isfinite(costs.bytes)).any():
        return {}
    rows, op = ops.host
    total = np.bincount(op, weights=timeline.capture.events.duration_ps[at_once(rows)], minlength=n).astype(np.float64)
    return _uses(
        costs, total, np.full(n, np.inf), np.full(n, np.inf), np.zeros((4, n)), np.zeros((1 + len(ON_CHIP), n))
    )


def _costs(timeline: Timeline, ops: Ops, side: str) -> OpCosts:
    """PyTorch's calls have no costs."""
    if ops is ops_of(timeline):
        return op_costs_of(timeline, side)
    if ops is instructions_as_ops(timeline):
        return instruction_costs_of(timeline, side)
    return OpCosts(*np.full((4, len(ops.ops)), np.nan))


def device_use(timeline: Timeline, ops: Ops) -> dict[int, OpUse]:
    """By index of op: what its executions on devices used, where anything is known."""
    n = len(ops.ops)
    could_flops, could_bytes = np.zeros((2, n))
    by_cores, on_chip = np.zeros((4, n)), np.zeros((1 + len(ON_CHIP), n))
    for plane, rows, op, duration in by_device(timeline, ops):
        cores = _tensor_cores(timeline, plane, rows)
        times = np.bincount(op + n * cores, weights=duration, minlength=4 * n).astype(np.float64).reshape(4, n)
        can = _device(timeline, plane)
        could_flops += _could(times.sum(axis=0), can.peak_tflops, _TERA)
        could_bytes += _could(times.sum(axis=0), can.bandwidth_gb_s, _GIGA)
        by_cores += times
        on_chip += _on_chip(timeline, plane, rows, op, n)
    for plane, op, duration in _aggregates_by_device(timeline, ops):
        times = np.bincount(op, weights=duration, minlength=n).astype(np.float64)
        can = _device(timeline, plane)
        could_flops += _could(times, can.peak_tflops, _TERA)
        could_bytes += _could(times, can.bandwidth_gb_s, _GIGA)
        by_cores[_UNKNOWN] += times
    return _uses(_costs(timeline, ops, "device"), by_cores.sum(axis=0), could_flops, could_bytes, by_cores, on_chip)


def by_device(timeline: Timeline, ops: Ops) -> Iterator[tuple[int, I64, I32, I64]]:
    """Plane, and of its part of `ops.device`: rows, op indices, durations in ps."""
    at, events = 0, ops.device
    for activity in devices_of(timeline):
        part = slice(at, at + activity.events)
        at += activity.events
        if activity.events:
            yield activity.plane, events.rows[part], events.op[part], device_spans_of(timeline).duration_ps[part]


def _on_chip(timeline: Timeline, plane: int, rows: I64, op: I32, n: int) -> F64:
    """By op: bytes of memories on the chip; then of each way of `ON_CHIP` the time that its bytes take at its peak, inf
    where that is unknown.
    """
    found = np.zeros((1 + len(ON_CHIP), n))
    if not timeline.has_stat(_BREAKDOWN):
        return found
    value, kind = timeline.stat_of(_BREAKDOWN, rows)
    known = np.flatnonzero(kind == StatKind.BYTES)
    blobs, place = np.unique(value[known], return_inverse=True)
    split = [moved_by_memory(timeline.capture.blobs[i]) for i in blobs.tolist()]
    peaks = on_chip_peaks(timeline.capture.plane_values(plane))
    for i, (way, peak) in enumerate(zip(ON_CHIP, peaks, strict=True), 1):
        each = np.array([moved.get((way.space, way.way), 0) for moved in split], np.float64)
        if each.any():
            moved = np.bincount(op[known], weights=each[place.reshape(-1)], minlength=n)
            found[0] += moved
            found[i] = np.where(moved > 0, moved / (peak * _GIGA) * _PS_PER_S if peak else np.inf, 0.0)
    return found


def _aggregates_by_device(timeline: Timeline, ops: Ops) -> Iterator[tuple[int, I32, I64]]:
    """Plane, op indices, and durations in ps, of those of `ops.device_aggregates`."""
    rows, op = ops.device_aggregates
    table = timeline.capture.aggregates
    plane = timeline.capture.tracks.plane[table.track[rows]]
    for one in np.unique(plane).tolist():
        here = plane == one
        yield one, op[here], table.duration_ps[rows[here]]


def _could(time_ps: F64, peak: float | None, unit: float) -> F64:
    """What a device could have done in some times; inf where its peak is unknown, which a sum keeps."""
    return np.where(time_ps > 0, np.inf, 0.0) if peak is None else time_ps / _PS_PER_S * peak * unit


def _uses(
    costs: OpCosts, total: F64, could_flops: F64, could_bytes: F64, by_cores: F64, on_chip: F64
) -> dict[int, OpUse]:
    """Where FLOPs or bytes are unknown, so is what could have been: only equal times are compared."""
    has_flops, has_bytes = np.isfinite(costs.flops), np.isfinite(costs.bytes)
    known = by_cores[_UNUSED] + by_cores[_USED] + by_cores[_MISSED]
    columns = (
        *costs,
        np.where(has_flops, total, 0.0),
        np.where(has_bytes, total, 0.0),
        np.where(has_flops, could_flops, np.nan),
        np.where(np.isfinite(costs.hbm_bytes), could_bytes, np.nan),
        by_cores[_USED],
        known,
        by_cores[_MISSED],
        *on_chip,
    )
    used = np.flatnonzero(has_flops | has_bytes | (known > 0))
    rows = zip(*(_optional(column[used]) for column in columns), strict=True)
    return {i: OpUse(*row) for i, row in zip(used.tolist(), rows, strict=True)}


def _optional(column: F64) -> list[Any]:
    """nan is None, which is equal to itself."""
    return [None if value != value else value for value in column.tolist()]


def _device(timeline: Timeline, plane: int) -> Device:
    capture = timeline.capture
    return device(PlaneKind(int(capture.planes.kind[plane])), capture.plane_values(plane))


def _tensor_cores(timeline: Timeline, plane: int, rows: I64) -> I64:
    """Of each event, what its name says of tensor cores, as `kernel_stats` says; copies and fills are no kernels."""
    capture = timeline.capture
    if capture.planes.kind[plane] != PlaneKind.GPU:
        return np.zeros(len(rows), np.int64)
    facts = capture.plane_values(plane)
    vendor, has_any = vendor_of(facts), _has_tensor_cores(facts)
    names, which = distinct(capture.events.name[at_once(rows)], len(capture.strings))
    use_of, by_kernel = np.full(len(names), _UNKNOWN if has_any else _UNUSED, np.int64), np.zeros(len(names), bool)
    for i in _frequent(which, len(names)):
        text = capture.strings[int(names[i])]
        by_kernel[i] = text.startswith(_COPIES_BY_KERNEL)
        if copy_op(text) is not None and not by_kernel[i]:
            use_of[i] = _UNKNOWN
        elif has_any:
            use_of[i] = _use_by_name(text, vendor)
    use: I64 = use_of[which]
    # Launches of millions of kernels are long to read: only these few events need them.
    if len(copy := np.flatnonzero(by_kernel[which])):
        use[copy[capture.kernel_launches.events.of(rows[copy]) < 0]] = _UNKNOWN
    return use


def uses_tensor_cores(facts: Attributes, name: str) -> bool | None:
    """Whether a kernel of that name computes on tensor cores on such a device; None where its name does not show it."""
    use = _use_by_name(name, vendor_of(facts)) if _has_tensor_cores(facts) else _UNUSED
    return None if use == _UNKNOWN else use == _USED


def vendor_of(facts: Attributes) -> str:
    """In small letters; empty where the capture does not name it."""
    vendor = facts.get("device_vendor")
    return vendor.lower() if isinstance(vendor, str) else ""


def _has_tensor_cores(facts: Attributes) -> bool:
    """NVIDIA's devices have them since Volta."""
    before = latest_generation(facts)
    return before is None or before.matrix


@functools.lru_cache(1 << 12)
def _use_by_name(name: str, vendor: str) -> int:
    rule = tensor_core_rule(kernel_name(name), vendor)
    if rule is None or rule.uses is None:
        return _UNKNOWN
    return _USED if rule.uses else _MISSED if rule.multiplies else _UNUSED


def _frequent(which: I64, count: int) -> list[int]:
    """The distinct names, of too many those of most events."""
    if count <= _MAX_NAMES:
        return list(range(count))
    most: list[int] = np.argsort(-np.bincount(which, minlength=count), kind="stable")[:_MAX_NAMES].tolist()
    return most
