"""The rows of `op_stats`, and of the overview's ops, hosts and devices → the executions summed up, or when."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...analysis.devices.tpu import program_rows
from ...analysis.devices.tracks import device_tracks
from ...analysis.ops.rows import IDLE, host_self_ps, ranked
from ...analysis.ops.sides import lies_in
from ...analysis.programs.profile import WAYS, InstructionSide, paths_of, twin_names
from ...analysis.programs.table import instruction_table
from ...messages import Message
from ...tables import EMPTY, I64, PlaneKind, RowKey, intervals
from ...timeline.devices import device_spans_of, devices_of, host_busy_of, workers_of
from ...timeline.names.ops import Op
from ...timeline.ops.ops import ops_of
from ...timeline.ops.pytorch import grouped_ops_of
from ...timeline.timeline import Timeline
from .proof import DURATIONS, NO_ROWS, SELF_TIMES, Marked, Proof, Stretches


def op(timeline: Timeline, key: RowKey) -> Proof:
    """Of one op on one side; the row `IDLE` is the time in which a device ran nothing, or no thread an op."""
    side = "device" if key.holds("side", "device") else "host"
    if not key.allows("host", timeline.host) and not key.holds("host", ""):
        return Marked(NO_ROWS, NO_ROWS, SELF_TIMES)
    if _is_op(key, IDLE):
        return _idle(timeline, side)
    return _ran(timeline, side, lambda one: _is_op(key, one), key.column == "total_us", key.values.get("by", "op"))


def top_op(timeline: Timeline, key: RowKey) -> Proof:
    """Of the overview's tables, one a side."""
    return _ran(timeline, "device" if key.table == "device_ops" else "host", lambda one: _is_op(key, one))


def op_type(timeline: Timeline, key: RowKey) -> Proof:
    side = "device" if key.column.startswith("device_") else "host"
    return _ran(timeline, side, lambda one: key.holds("type", one.type))


def scope(timeline: Timeline, key: RowKey) -> Proof:
    side = "device" if key.holds("side", "device") else "host"
    return _ran(
        timeline,
        side,
        lambda one: any(key.holds("scope", path) for path in lies_in(one.name)),
        key.column == "total_us",
        "module",
    )


def instruction(timeline: Timeline, key: RowKey) -> Proof:
    """Of one instruction of an XLA program, or of a category of these, on one side; or of all of a program."""
    side = "device" if key.holds("side", "device") else "host"

    def is_wanted(one: Op) -> bool:
        return bool(
            one.module
            and key.allows("program", one.module)
            and key.allows("instruction", one.name)
            and key.allows("category", one.type)
        )

    if "side" in key.values:
        return _ran(timeline, side, is_wanted, key.column == "total_us", "instruction")
    parts = [_ran(timeline, side, is_wanted, by="instruction") for side in ("device", "host")]
    return max(parts, key=lambda part: float(part.ps.sum()))


def profile(timeline: Timeline, key: RowKey) -> Proof:
    """Of all instructions that lie in a row of the op profile."""
    side = "device" if key.holds("side", "device") else "host"
    if key.holds("path", IDLE.name):
        return _idle(timeline, side)
    table = instruction_table(timeline, None)
    rows = InstructionSide(side, ranked(table.rows, side), table.facts)
    twins, by = twin_names(rows), key.values.get("by", WAYS[0])
    wanted = {
        op
        for op, _ in rows.rows
        if by in WAYS and any(key.holds("path", path) for path in paths_of(op, rows.facts_of(op), by, twins))
    }
    return _ran(timeline, side, lambda one: one in wanted, by="instruction")


def program(timeline: Timeline, key: RowKey) -> Proof:
    """Runs of a program on TPU cores."""
    capture = timeline.capture
    planes = np.flatnonzero(capture.planes.kind == PlaneKind.TPU).tolist()
    rows = np.sort(np.concatenate([NO_ROWS, *(program_rows(capture, plane) for plane in planes)]))
    names, place = np.unique(capture.events.name[rows], return_inverse=True)
    wanted = np.array([key.holds("program", capture.strings[i]) for i in names.tolist()], bool)
    rows = rows[wanted[place.reshape(-1)]]
    return Marked(rows, capture.events.duration_ps[rows], DURATIONS)


def host(timeline: Timeline, key: RowKey) -> Proof:
    """A row of the overview's hosts: when at least one op ran, or the self time of its ops."""
    if not key.holds("host", timeline.host):
        return Marked(NO_ROWS, NO_ROWS, SELF_TIMES)
    if key.column == "op_self_ms":
        return _ran(timeline, "host", lambda one: True)
    return Stretches([(_op_threads(timeline), host_busy_of(timeline))], Message("proof.ops_ran"), "Ops")


def device(timeline: Timeline, key: RowKey) -> Proof:
    """A row of the overview's devices: when it ran something, or nothing."""
    capture = timeline.capture
    busy = key.column == "busy_ms"
    how = Message("proof.device_busy" if busy else "proof.device_idle")
    here = [
        one
        for one in devices_of(timeline)
        if key.holds("host", timeline.host)
        and key.holds("device", capture.strings[int(capture.planes.name[one.plane])])
    ]
    parts = [
        (device_tracks(timeline, one.plane), one.busy if busy else intervals.subtraction(one.window, one.busy))
        for one in here
    ]
    return Stretches(parts, how, "Busy" if busy else "Idle", sum(one.busy_ps if busy else one.idle_ps for one in here))


def _op_threads(timeline: Timeline) -> I64:
    return np.unique(timeline.capture.events.track[ops_of(timeline).host.rows]).astype(np.int64)


def _is_op(key: RowKey, one: Op) -> bool:
    return key.holds("name", one.name) and key.holds("type", one.type) and key.allows("module", one.module)


def _ran(timeline: Timeline, side: str, is_wanted: Callable[[Op], bool], total: bool = False, by: str = "op") -> Marked:
    """Executions of some ops on a side, ascending, with their self times or durations."""
    ops = grouped_ops_of(timeline, "op" if by == "host" else by)
    wanted = np.array([is_wanted(one) for one in ops.ops], bool)
    rows, which = ops.device if side == "device" else ops.host
    at = np.flatnonzero(wanted[which]) if len(rows) else NO_ROWS
    how = DURATIONS if total else SELF_TIMES
    if side == "device":
        spans = device_spans_of(timeline)
        ps: NDArray[np.int64] | NDArray[np.float64] = (spans.duration_ps if total else spans.self_ps)[at]
        is_tpu = bool((timeline.capture.planes.kind == PlaneKind.TPU).any())
        how = Message(how.code, {"tpu": is_tpu})
    else:
        ps = timeline.capture.events.duration_ps[rows[at]] if total else host_self_ps(timeline, ops)[at]
    order = np.argsort(rows[at], kind="stable")
    return Marked(rows[at][order], ps[order], how)


def _idle(timeline: Timeline, side: str) -> Stretches:
    window = timeline.capture.span_ps
    if side == "device":
        parts = [
            (device_tracks(timeline, one.plane), intervals.subtraction(one.window, one.busy))
            for one in workers_of(timeline)
        ]
        return Stretches(parts, Message("proof.devices_idle"), "Idle", sum(one.idle_ps for one in workers_of(timeline)))
    idle = intervals.gaps(host_busy_of(timeline), *window) if host_busy_of(timeline).total else EMPTY
    return Stretches([(_op_threads(timeline), idle)], Message("proof.no_op_ran"), "No op")
