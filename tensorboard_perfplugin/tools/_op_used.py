"""A timeline → FLOPs, bytes and tensor cores of its ops, beside what the devices that ran them could have done."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..tables import PlaneKind
from ..tables.capture import I32, I64
from ..timeline import OpCosts, Timeline, copy_op, tensor_core_rule
from ._devices import Device, device
from ._op_use import OpUse

F64 = NDArray[np.float64]
_PS_PER_S, _GIGA, _TERA = 1e12, 1e9, 1e12
#: So many distinct kernel names are judged, those with the most time; the rest are as if their names told nothing.
_MAX_NAMES = 20_000
#: The first compute capability with tensor cores.
_FIRST_TENSOR_CORES = 7


def peaks(timeline: Timeline) -> frozenset[tuple[float | None, float | None]]:
    """The distinct peaks of the devices that ran something: 10¹² FLOP/s and GB/s."""
    found = (_device(timeline, d.plane) for d in timeline.devices if d.events)
    return frozenset((one.peak_tflops, one.bandwidth_gb_s) for one in found)


def host_use(timeline: Timeline) -> dict[int, OpUse]:
    """By index of op, where anything is known; of hosts no capture tells peaks."""
    n = len(timeline.ops.ops)
    total = np.bincount(timeline.ops.host.op, weights=_durations(timeline), minlength=n).astype(np.float64)
    return _uses(timeline.op_costs("host"), total, np.full(n, np.inf), np.full(n, np.inf), *np.zeros((3, n)))


def device_use(timeline: Timeline) -> dict[int, OpUse]:
    """By index of op: what its executions on devices used, where anything is known."""
    n = len(timeline.ops.ops)
    total, could_flops, could_bytes, used, known, missed = np.zeros((6, n))
    for plane, rows, op, duration in _by_device(timeline):
        time_ps = np.bincount(op, weights=duration, minlength=n).astype(np.float64)
        can = _device(timeline, plane)
        total += time_ps
        could_flops += _could(time_ps, can.peak_tflops, _TERA)
        could_bytes += _could(time_ps, can.bandwidth_gb_s, _GIGA)
        if timeline.capture.planes.kind[plane] == PlaneKind.GPU:
            uses, could = _tensor_cores(timeline, plane, rows, duration)
            used += np.bincount(op, weights=duration * (uses == 1), minlength=n)
            known += np.bincount(op, weights=duration * (uses >= 0), minlength=n)
            missed += np.bincount(op, weights=duration * could, minlength=n)
    return _uses(timeline.op_costs("device"), total, could_flops, could_bytes, used, known, missed)


def _could(time_ps: F64, peak: float | None, unit: float) -> F64:
    """What a device could have done in some times; inf where its peak is unknown, which a sum keeps."""
    return np.where(time_ps > 0, np.inf, 0.0) if peak is None else time_ps / _PS_PER_S * peak * unit


def _uses(
    costs: OpCosts, total: F64, could_flops: F64, could_bytes: F64, used: F64, known: F64, missed: F64
) -> dict[int, OpUse]:
    """Where FLOPs or bytes are unknown, so is what could have been: only equal times are compared."""
    has_flops, has_bytes = np.isfinite(costs.flops), np.isfinite(costs.bytes)
    has_hbm = np.isfinite(costs.hbm_bytes)
    columns = (
        *costs,
        np.where(has_flops, total, 0.0),
        np.where(has_bytes, total, 0.0),
        np.where(has_flops, could_flops, np.nan),
        np.where(has_hbm, could_bytes, np.nan),
        used,
        known,
        missed,
    )
    told = np.flatnonzero(has_flops | has_bytes | (known > 0))
    rows = zip(*(column[told].tolist() for column in columns), strict=True)
    return {i: OpUse(*row) for i, row in zip(told.tolist(), rows, strict=True)}


def _durations(timeline: Timeline) -> F64:
    return timeline.capture.events.duration_ps[timeline.ops.host.rows].astype(np.float64)


def _by_device(timeline: Timeline) -> Iterator[tuple[int, I64, I32, I64]]:
    """Plane, and of its part of `ops.device`: rows, op indices, durations in ps."""
    at, events = 0, timeline.ops.device
    for activity in timeline.devices:
        mine = slice(at, at + activity.events)
        at += activity.events
        yield activity.plane, events.rows[mine], events.op[mine], timeline.device_spans.duration_ps[mine]


def _device(timeline: Timeline, plane: int) -> Device:
    capture = timeline.capture
    return device(PlaneKind(int(capture.planes.kind[plane])), capture.plane_values(plane))


def _tensor_cores(
    timeline: Timeline, plane: int, rows: I64, duration: I64
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Of each kernel, whether it uses tensor cores, -1 where its name does not tell; and whether it could but does not.

    Copies and fills are no kernels.
    """
    capture = timeline.capture
    facts = capture.plane_values(plane)
    vendor, major = facts.get("device_vendor"), facts.get("compute_cap_major")
    has_any = vendor not in (None, "", "Nvidia") or not isinstance(major, int) or major >= _FIRST_TENSOR_CORES
    name = capture.events.name[rows]
    time_ps = np.bincount(name, weights=duration, minlength=len(capture.strings))
    ids = np.flatnonzero(np.bincount(name, minlength=len(capture.strings)))
    if len(ids) > _MAX_NAMES:
        ids = ids[np.argsort(-time_ps[ids], kind="stable")[:_MAX_NAMES]]
    uses = np.full(len(capture.strings), -1, np.int8)
    missed = np.zeros(len(capture.strings), bool)
    for i in ids.tolist():
        rule = tensor_core_rule(capture.strings[i], vendor if isinstance(vendor, str) else "")
        if rule is not None and rule.uses is not None and copy_op(capture.strings[i]) is None:
            uses[i] = rule.uses
            missed[i] = has_any and rule.multiplies and not rule.uses
    return uses[name], missed[name]
