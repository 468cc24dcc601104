"""A timeline → all that ran on its devices, or on the host where there is none, each with what it cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, PlaneKind, StatKind, at_once
from ...timeline import (
    OpCosts,
    OpEvents,
    Timeline,
    copy_op,
    device_costs_of,
    device_spans_of,
    devices_of,
    distinct,
    host_self_ps_of,
    instructions_as_ops,
    instructions_of,
    kernel_begins_of,
    ops_of,
)
from ...timeline.ops import costs_of_events, moved_by_memory
from .call import Call, Cost
from .calls import holder_of_calls, holder_of_kernels, holders_of
from .elements import precisions_of
from .roofs import MEMORIES

_BREAKDOWN = "memory_access_breakdown"
#: Copies and fills within a device; others go ways that no memory's roof bounds. PyTorch writes the directions.
_STAYS, _WITHIN = ("MemcpyDToD", "Memset"), "DtoD"
CAPTURE, PROGRAM, LIBRARY, SHAPES = "capture", "program", "library call", "shapes"


class Label(NamedTuple):
    """What ran: an XLA instruction, a call of PyTorch's with its shapes, or what else has a name."""

    name: str
    shapes: str
    program: str
    category: str
    precision: str
    costs_from: str


class Executed(NamedTuple):
    """A row an event. label: place in labels; plane: -1 the host. own_ps: its self time. begins: whether it begins an
    execution, of which costs count once. flops, bytes, memories (as `MEMORIES`): nan unknown. leaf: whether it holds no
    others, which repeat its costs.
    """

    labels: list[Label]
    label: I32
    plane: I32
    rows: I64
    start_ps: I64
    duration_ps: I64
    own_ps: F64
    begins: NDArray[np.bool_]
    flops: F64
    bytes: F64
    memories: tuple[F64, ...]
    leaf: NDArray[np.bool_]


def on_devices(timeline: Timeline) -> Executed:
    """Of all devices; by begin within each."""
    called, rows = instructions_as_ops(timeline), ops_of(timeline).device.rows
    events, spans = timeline.capture.events, device_spans_of(timeline)
    planes = np.array([d.plane for d in devices_of(timeline)], np.int32)
    plane = np.repeat(planes, [d.events for d in devices_of(timeline)])
    costs = device_costs_of(timeline)
    is_gpu = (timeline.capture.planes.kind == PlaneKind.GPU)[plane]
    begins = kernel_begins_of(timeline)[at_once(rows)] | ~(is_gpu & (instructions_of(timeline).of(rows) >= 0))
    labels = _labels(timeline, [(op.name, op.type, op.module) for op in called.ops], called.device.op, rows, costs)
    found = Executed(
        labels,
        called.device.op,
        plane,
        rows,
        events.start_ps[at_once(rows)],
        spans.duration_ps,
        spans.self_ps,
        begins,
        costs.flops,
        costs.bytes,
        _memories(timeline, rows, costs.hbm_bytes),
        is_gpu | (spans.self_ps >= spans.duration_ps),
    )
    if not holders_of(timeline).calls:
        return found
    holder = holder_of_kernels(timeline)
    return _with_calls(timeline, found, np.where(_goes_elsewhere(timeline, rows), -1, holder).astype(np.int32))


def _goes_elsewhere(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which events copy between a device and others."""
    names, name = distinct(timeline.capture.events.name[rows], len(timeline.capture.strings))
    table = np.array([_is_copy_elsewhere(timeline.capture.strings[i]) for i in names.tolist()] or [False], bool)
    goes: NDArray[np.bool_] = table[name]
    return goes


def _is_copy_elsewhere(name: str) -> bool:
    op = copy_op(name)
    return op is not None and op.type not in _STAYS and _WITHIN not in name


def on_host(timeline: Timeline) -> Executed:
    """Where nothing ran on a device: XLA's instructions on the CPU, or PyTorch's calls there; by self time."""
    called, rows = instructions_as_ops(timeline), ops_of(timeline).host.rows
    own = host_self_ps_of(timeline)
    which, holder = instructions_of(timeline).of(rows), holder_of_calls(timeline)
    wanted = np.flatnonzero((which >= 0) | (holder >= 0))
    host = ops_of(timeline).host
    costs = costs_of_events(timeline, OpEvents(host.rows[wanted], host.op[wanted]))
    rows, op = rows[wanted], called.host.op[wanted]
    found = Executed(
        _labels(timeline, [(one.name, one.type, one.module) for one in called.ops], op, rows, costs),
        op,
        np.full(len(rows), -1, np.int32),
        rows,
        timeline.capture.events.start_ps[rows],
        own[wanted],
        own[wanted].astype(np.float64),
        np.ones(len(rows), bool),
        costs.flops,
        costs.bytes,
        _memories(timeline, rows, costs.hbm_bytes),
        np.ones(len(rows), bool),
    )
    return _with_calls(timeline, found, holder[wanted])


def _labels(timeline: Timeline, ops: list[tuple[str, str, str]], op: I32, rows: I64, costs: OpCosts) -> list[Label]:
    """By index of op."""
    n = len(ops)
    known = np.bincount(op[np.isfinite(costs.flops) & np.isfinite(costs.bytes)], minlength=n) > 0
    said = np.zeros(len(rows), bool)
    for key in ("flops", "bytes_accessed", "bytes accessed"):
        if timeline.has_stat(key):
            said |= timeline.stat_of(key, rows)[1] != StatKind.NONE
    reported = np.bincount(op[said], minlength=n) > 0
    precisions = precisions_of(timeline, [(name, program) for name, _, program in ops])
    return [
        Label(name, "", program, kind, precisions[i], _source(bool(known[i]), bool(reported[i]), kind))
        for i, (name, kind, program) in enumerate(ops)
    ]


def _source(known: bool, reported: bool, category: str) -> str:
    if not known:
        return ""
    return CAPTURE if reported else LIBRARY if category == "custom-call" else PROGRAM


def _memories(timeline: Timeline, rows: I64, hbm: F64) -> tuple[F64, ...]:
    """Of a breakdown each memory and direction; else only the bytes of the device's own memory."""
    if not timeline.has_stat(_BREAKDOWN):
        return (hbm, *[np.broadcast_to(np.nan, len(rows))] * (len(MEMORIES) - 1))
    found = (hbm, *(np.full(len(rows), np.nan) for _ in MEMORIES[1:]))
    if len(rows):
        value, kind = timeline.stat_of(_BREAKDOWN, rows)
        broken = np.flatnonzero(kind == StatKind.BYTES)
        blobs, place = np.unique(value[broken], return_inverse=True)
        split = [moved_by_memory(timeline.capture.blobs[i]) for i in blobs.tolist()]
        for at, (_, _, space, way) in enumerate(MEMORIES[1:], 1):
            moved = np.array([each.get((space, way), 0) for each in split], np.float64)
            found[at][broken] = moved[place.reshape(-1)] if len(moved) else 0.0
    return found


def _with_calls(timeline: Timeline, found: Executed, holder: I32) -> Executed:
    """What a call of PyTorch's holds counts to it, with its costs at the first event of each call."""
    held = np.flatnonzero(holder >= 0)
    if not len(held):
        return found
    holders = holders_of(timeline)
    call = holders.which[holder[held]]
    _, first = np.unique(holder[held], return_index=True)
    is_first = np.zeros(len(held), bool)
    is_first[first] = True
    first_label = len(found.labels)
    labels = [*found.labels, *map(_call_label, holders.calls, holders.costs)]
    columns = {name: getattr(found, name).copy() for name in ("label", "begins", "flops", "bytes", "leaf")}
    columns["label"][held] = first_label + call
    columns["begins"][held] = is_first
    for name in ("flops", "bytes"):
        amount = np.array([_known(getattr(cost, name)) for cost in holders.costs])
        columns[name][held] = np.where(is_first | np.isnan(amount[call]), amount[call], 0.0)
    columns["leaf"][held] = True
    memories = tuple(column.copy() for column in found.memories)
    for column in memories:
        column[held] = np.nan
    memories[0][held] = columns["bytes"][held]
    return found._replace(labels=labels, memories=memories, **columns)


def _known(amount: float | None) -> float:
    return float("nan") if amount is None else amount


def _call_label(call: Call, cost: Cost) -> Label:
    return Label(call.name, call.text, "", cost.what, call.precision, SHAPES)
