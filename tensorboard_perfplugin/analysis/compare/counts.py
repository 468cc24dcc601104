"""A timeline and its steps → how much a step launches, runs, copies and computes; what the capture compiles."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind
from ...timeline import Op, Split, Timeline, copy_details, copy_op, device_rows, launches_of, op_costs_of, ops_of
from ..steps import Inside, compilations

Unit = Literal["", "bytes", "flops", "ms"]


class Count(NamedTuple):
    """One of the numbers that are counted. of: a step, or the whole capture."""

    key: str
    unit: Unit
    title: str
    of: Literal["step", "capture"] = "step"


COUNTS = (
    Count("launches", "", "Launches of kernels and copies"),
    Count("kernels", "", "Kernels"),
    Count("ops", "", "Ops"),
    Count("copies", "", "Copies and fills of devices"),
    Count("copied_in_bytes", "bytes", "Copied from host to devices"),
    Count("copied_out_bytes", "bytes", "Copied from devices to host"),
    Count("copied_on_device_bytes", "bytes", "Copied and filled on devices"),
    Count("collectives", "", "Collectives of a device"),
    Count("collective_bytes", "bytes", "Carried by collectives of a device"),
    Count("flops", "flops", "FLOPs of ops of which they are known"),
    Count("compilations", "", "Functions traced or compiled", "capture"),
    Count("compilation_ms", "ms", "Time of tracing and compiling", "capture"),
)
#: Type of a copy's op → what its bytes count to; others are between devices, or on one.
_WAYS = {"MemcpyHToD": "copied_in_bytes", "MemcpyDToH": "copied_out_bytes"}
_ON_HOST = ("pageable", "pinned", "host")
_DETAILS = ("memcpy_details", "memset_details")
_PS_PER_MS = 1e9


def counts(timeline: Timeline, split: Split, counted: Inside, steps: int) -> dict[str, float]:
    """By key of `COUNTS`, of each that the capture shows. counted: the steps; steps: how many."""
    found: dict[str, float] = {}
    compiled = compilations(timeline)
    if compiled is not None:
        found |= {"compilations": compiled.times, "compilation_ms": compiled.ps / _PS_PER_MS}
    if not steps:
        return found
    planes = [unit.plane for unit in split.units if unit.plane >= 0]
    rows = np.concatenate([device_rows(timeline, plane) for plane in planes] or [np.empty(0, np.int64)])
    of_step = _launches(timeline, counted) | _ops(timeline, counted)
    if len(planes):
        of_step |= _on_devices(timeline, of_steps(timeline, split, counted, rows))
    return found | {key: value / steps for key, value in of_step.items()}


def of_steps(timeline: Timeline, split: Split, counted: Inside, rows: I64) -> I64:
    """Those device events that the steps launched: of a device that lags behind, what was launched before begins in
    them, too. What no launch is known of, and where a device marks the steps, those that begin in them."""
    starts = timeline.capture.events.start_ps
    if split.steps.on_device or not len(rows):
        return rows[counted(starts[rows])]
    launch = launches_of(timeline).rows[rows]
    known = launch >= 0
    here = counted(starts[np.where(known, launch, rows)])
    here &= known | ~_launched_before(timeline, rows, known)
    return rows[here]


def _launched_before(timeline: Timeline, rows: I64, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What begins on its stream before all of which the launch is known: it was launched before the capture began."""
    track, starts = timeline.capture.events.track[rows], timeline.capture.events.start_ps[rows]
    first = np.zeros(len(timeline.capture.tracks), np.int64)
    np.maximum.at(first, track[known], np.iinfo(np.int64).max)
    np.minimum.at(first, track[known], starts[known])
    before: NDArray[np.bool_] = starts < first[track]
    return before


def _launches(timeline: Timeline, counted: Inside) -> dict[str, float]:
    launching = np.zeros(len(timeline.capture.events) + 1, bool)
    launching[launches_of(timeline).rows] = True  # no launch is the last place, which is none
    rows = np.flatnonzero(launching[:-1])
    if not len(rows):
        return {}
    return {"launches": float(counted(timeline.capture.events.start_ps[rows]).sum())}


def _ops(timeline: Timeline, counted: Inside) -> dict[str, float]:
    """Executions of ops, of devices where a host shows none; their FLOPs, as many of each execution of an op."""
    ops, starts = ops_of(timeline), timeline.capture.events.start_ps
    found: dict[str, float] = {}
    shown = ops.host if len(ops.host.rows) else ops.device
    if len(shown.rows):
        found["ops"] = float(counted(starts[shown.rows]).sum())
    side = "device" if len(ops.device.rows) else "host"
    of_side = ops.device if side == "device" else ops.host
    if not len(of_side.rows) or len(ops.device_aggregates.rows):
        return found
    flops = op_costs_of(timeline, side).flops
    if np.nansum(flops):
        times = np.bincount(of_side.op, minlength=len(flops))
        here = np.bincount(of_side.op[counted(starts[of_side.rows])], minlength=len(flops))
        found["flops"] = float(np.nansum(flops * here / np.maximum(times, 1)))
    return found


def _on_devices(timeline: Timeline, rows: I64) -> dict[str, float]:
    """Kernels, copies and the bytes of these, of device events in steps."""
    names, strings = timeline.capture.events.name[rows], timeline.capture.strings
    copies: dict[int, Op] = {i: op for i in np.flatnonzero(np.bincount(names)).tolist() if (op := copy_op(strings[i]))}
    is_copy = np.zeros(len(strings), bool)
    is_copy[list(copies)] = True
    copied = rows[is_copy[names]]
    found = {"kernels": float(len(rows) - len(copied)), "copies": float(len(copied))}
    for key in filter(timeline.has_stat, _DETAILS):
        text, kind = timeline.stat_of(key, copied)
        has = np.flatnonzero(kind == StatKind.TEXT)
        says = np.stack((timeline.capture.events.name[copied[has]].astype(np.int64), text[has]))
        distinct, times = np.unique(says, axis=1, return_counts=True)
        for name, said, count in zip(*distinct.tolist(), times.tolist(), strict=True):
            details = copy_details(strings[said])
            if details.size is not None:
                way = _way(copies[name].type, details.source, details.destination)
                found[way] = found.get(way, 0.0) + details.size * count
    return found


def _way(kind: str, source: str | None, destination: str | None) -> str:
    ends = (source in _ON_HOST, destination in _ON_HOST)
    if kind == "Memcpy" and ends != (True, True):
        kind = {(True, False): "MemcpyHToD", (False, True): "MemcpyDToH"}.get(ends, "")
    return _WAYS.get(kind, "copied_on_device_bytes")
