"""A timeline → all that ran on its devices, or on the host where there is none, each with what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, PlaneKind, StatKind, at_once, distinct
from ...timeline.devices import device_spans_of, devices_of
from ...timeline.names.ops import copy_op
from ...timeline.ops.costs import OpCosts, costs_of_events, device_costs_of, moved_by_memory
from ...timeline.ops.executions import continues_of, instructions_as_ops, kernel_begins_of
from ...timeline.ops.ops import OpEvents, host_self_ps_of, ops_of
from ...timeline.programs.reader import PRODUCTS, Instruction, Program, instructions_of, programs_of
from ...timeline.timeline import Timeline
from ..devices.datasheets import Rates
from ..devices.peaks import COMPUTE, HBM, device
from ..devices.tpu import ON_CHIP, on_chip_peaks
from .calls import Call, Cost, holder_of_calls, holder_of_kernels, holders_of

# XLA instructions → what each computes in: products in the type of what they multiply, all else in the result's.

_OF = {
    "f64": "fp64",
    "c128": "fp64",
    "f32": "fp32",
    "c64": "fp32",
    "bf16": "bf16",
    "f16": "fp16",
    "s8": "int8",
    "u8": "int8",
    "s4": "int8",
    "u4": "int8",
}


def precisions_of(timeline: Timeline, instructions: Sequence[tuple[str, str]]) -> list[str]:
    """By (name, key of the program); empty where it is not known, or none of floats."""
    found = []
    for name, key in instructions:
        program = programs_of(timeline).read(key) if key else None
        one = program.find(name) if program else None
        found.append(_precision(program, one) if program and one else "")
    return found


def _precision(program: Program, one: Instruction) -> str:
    inner = program.computations.get(one.called[0]) if one.opcode == "fusion" and one.called else None
    product = inner.products[0] if inner and inner.products else one
    around = inner.instructions if inner and inner.products else program.around(one.name)
    if product.opcode in PRODUCTS or product.opcode == "custom-call":
        first = around.get(product.operands[0]) if product.operands else None
        if first is not None and (known := _of(program, first)):
            return known
    return _of(program, one)


def _of(program: Program, one: Instruction) -> str:
    shape = program.shape(one)
    shape = shape.parts[0] if shape.parts else shape
    return (
        "fp8"
        if shape.element.startswith("f8")
        else "fp4"
        if shape.element.startswith("f4")
        else _OF.get(shape.element, "")
    )


# A device → its roofs: what it could compute by precision, and move to and from each of its memories.

#: Memories of which a capture may tell the bytes apart, and a TPU's attributes the peak: name, key of the peak,
#: number of the memory and of the direction in a `memory_access_breakdown` (1 reads, 2 writes); 0 where what it moved
#: is known by itself.
MEMORIES = (
    (HBM, "peak_hbm_bw_gigabytes_per_second", 0, 0),
    *ON_CHIP,
)
NAMES = (COMPUTE, *(name for name, _, _, _ in MEMORIES))


class Given(NamedTuple):
    """What a user says of the devices: 10¹² FLOP/s, and GB/s of the memory; None: as the device has it."""

    peak_tflops: float | None = None
    peak_gb_s: float | None = None


class Roofs(NamedTuple):
    """rates: 10¹² a second, `best` of what has none of its own. memories: GB/s in the order of `MEMORIES`. figures:
    where these come from.
    """

    model: str
    rates: Rates
    best: float | None
    memories: tuple[float | None, ...]
    figures: str

    def peak(self, precision: str) -> float | None:
        """10¹² FLOP/s of a precision; of one that the device has no units for, or that is not known, its best."""
        return (getattr(self.rates, precision) if precision in Rates._fields else None) or self.best


def roofs(timeline: Timeline, plane: int, given: Given) -> Roofs:
    """plane: -1 is the host, of which only what the user says is known."""
    if plane < 0:
        nothing: list[float | None] = [None] * (len(MEMORIES) - 1)
        return Roofs("CPU", _flat(given.peak_tflops), given.peak_tflops, (given.peak_gb_s, *nothing), _asked(given))
    capture = timeline.capture
    attributes = capture.plane_values(plane)
    about = device(PlaneKind(int(capture.planes.kind[plane])), attributes)
    return Roofs(
        about.model or about.architecture or "",
        about.rates if given.peak_tflops is None else _flat(given.peak_tflops),
        given.peak_tflops or about.peak_tflops,
        (given.peak_gb_s or about.bandwidth_gb_s, *on_chip_peaks(attributes)),
        _asked(given) or about.figures,
    )


def _flat(peak: float | None) -> Rates:
    """One peak for every precision, as a user gives it."""
    return Rates(*[peak] * len(Rates._fields))


def _asked(given: Given) -> str:
    return "options" if given != Given() else ""


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
    begins = kernel_begins_of(timeline)[at_once(rows)] | ~(is_gpu & (instructions_of(timeline).named_index(rows) >= 0))
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
    names, name = distinct(timeline.capture.events.name[rows])
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
    which, holder = instructions_of(timeline).named_index(rows), holder_of_calls(timeline)
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
        ~continues_of(timeline)[rows],
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
    has_costs = np.zeros(len(rows), bool)
    for key in ("flops", "bytes_accessed", "bytes accessed"):
        if timeline.has_stat(key):
            has_costs |= timeline.stat_of(key, rows)[1] != StatKind.NONE
    reported = np.bincount(op[has_costs], minlength=n) > 0
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
    """Bytes by memory and direction where a breakdown has them; else only those of the device's own memory."""
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
