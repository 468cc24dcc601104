"""Executions of ops → how much arithmetic each op did and how many bytes it moved, in all of its executions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import F64, I32, I64, U8, PlaneKind, StatKind, at_once
from ...threshold import Threshold
from ...wire import Budget, Message
from ..programs.costs import Cost, ProgramCosts
from ..programs.reader import instructions_of, programs_of
from ..timeline import Timeline, derived, derived_by_choice
from .executions import continues_of, instructions_as_ops, kernel_begins_of
from .ops import OpEvents, Ops, ops_of

#: Names that captures have for the same thing.
_FLOPS, _MODEL_FLOPS, _BYTES = ("flops",), ("model_flops",), ("bytes_accessed", "bytes accessed")
_BREAKDOWN = "memory_access_breakdown"
#: MemoryAccessBreakdown: entries; in each, the direction, the memory, and bytes.
_ENTRY, _WAY, _SPACE, _MOVED = 1, 1, 2, 3
#: Memories of a TPU by their number there, as `PerformanceInfo.MemoryAccessed.MemorySpace` of XProf's protocol has
#: them; these are not the memory spaces of XLA's layouts, of which 0 is HBM and 1 VMEM.
HBM_SPACE, CMEM_SPACE, VMEM_SPACE = 1, 2, 3
#: FLOPs or bytes of one execution; what is above is none, and sums of it would overflow.
_MOST = 2.0**64
#: A breakdown has an entry for each memory and direction.
_MAX_ENTRIES = 4096
OPAQUE = Threshold(
    "custom calls without costs",
    0.05,
    "share",
    "of a device's op time; where they take more, what all ops did is not known from the others",
)
#: How a TPU's event names its instruction: what the call gives, and what it takes; the dimensions of each array.
_CUSTOM_CALL = regex(r"%?\S+ = (?P<result>[^=]*?) custom-call\((?P<operands>.*?)\)(?:, \w+=|\Z)")
_ARRAY = regex(r"\b(?:bf|f|s|u)\d\w*\[(\d+(?:,\d+)*)\]")


class OpCosts(NamedTuple):
    """By index of `ops.ops`, over all executions on one side; nan where it is not known of all of them.

    flops: as the hardware ran them, model_flops: as the model asks for; the same where nothing tells them apart.
    bytes: to and from every memory, hbm_bytes: those of the device's main memory. An op that holds others (a TPU's
    `while`) counts what these did, as its total time does.
    """

    flops: F64
    model_flops: F64
    bytes: F64
    hbm_bytes: F64


@derived_by_choice
def op_costs_of(timeline: Timeline, side: str) -> OpCosts:
    """FLOPs and bytes of each op of `Ops.ops`, of all its executions on the side `host` or `device`.

    Ops of which only sums are known count with their device.
    """
    return _costs_as(timeline, ops_of(timeline), side)


@derived_by_choice
def instruction_costs_of(timeline: Timeline, side: str) -> OpCosts:
    """As `op_costs_of`, of each op of `instructions_as_ops`.

    Where only programs show what their instructions cost, it is what one execution costs, as often as it ran.
    """
    called = instructions_as_ops(timeline)
    if _are_recorded(timeline) or not has_costs(timeline):
        return _costs_as(timeline, called, side)
    rows, op = called.host if side == "host" else called.device
    n, which = len(called.ops), instructions_of(timeline).named_index(rows)
    once = _begins(timeline, rows)
    times = np.bincount(which[once & (which >= 0)], minlength=len(instructions_of(timeline).named))
    ran = np.flatnonzero(np.bincount(which[which >= 0], minlength=len(times)))
    op_of = np.zeros(len(times) + 1, np.int32)
    op_of[which] = op
    flops, moved, hbm = (_sum(op_of[ran], (column * times)[ran], n) for column in _of_instructions(timeline, ran))
    if (free := copies(timeline)).any():
        is_free = np.bincount(op[free[_executed(timeline, side).op]], minlength=n) > 0
        flops[is_free & np.isnan(flops)] = 0.0
    return OpCosts(flops, flops, moved, hbm)


def _executed(timeline: Timeline, side: str) -> OpEvents:
    return ops_of(timeline).host if side == "host" else ops_of(timeline).device


def _costs_as(timeline: Timeline, called: Ops, side: str) -> OpCosts:
    """By op of `called`, which are the executions of `ops_of` as other ops."""
    ops = ops_of(timeline)
    n = len(called.ops)
    if not has_costs(timeline):
        copied = copies(timeline)[(ops.host if side == "host" else ops.device).op]
        of = (called.host if side == "host" else called.device).op
        flops = np.where(np.bincount(of[copied], minlength=n) > 0, 0.0, np.nan)
        return OpCosts(flops, flops, *np.full((2, n), np.nan))
    if side == "host":
        return _by_op([(called.host.op, costs_of_events(timeline, ops.host))], n)
    device = (called.device.op, costs_of_events(timeline, ops.device))
    return _by_op([device, (called.device_aggregates.op, _of_aggregates(timeline))], n)


def costs_of_events(timeline: Timeline, events: OpEvents) -> OpCosts:
    """By event, so that those of an op add up to its cost: what the capture records, else what its program does."""
    which = instructions_of(timeline).named_index(events.rows)
    if not any(map(timeline.has_stat, (*_FLOPS, *_MODEL_FLOPS, *_BYTES, _BREAKDOWN))):
        return _only_modelled(timeline, events, which)
    costs = _reported_costs(timeline, events.rows)
    unknown = np.flatnonzero((which >= 0) & ~(np.isfinite(costs.flops) & np.isfinite(costs.bytes)))
    if len(unknown) and programs_of(timeline).blobs:
        rows, of = events.rows[unknown], which[unknown]
        modelled, once = _modelled(timeline, of), _begins(timeline, rows)
        for column, values in zip(costs, modelled, strict=True):
            missing = np.isnan(column[unknown])
            column[unknown[missing]] = (values * once)[missing]
    _free_copies(timeline, events, costs)
    return costs


def _only_modelled(timeline: Timeline, events: OpEvents, which: I32) -> OpCosts:
    """Where the capture records none of any event: what programs do."""
    table = np.full((len(Cost._fields), len(instructions_of(timeline).named) + 1), np.nan)
    if programs_of(timeline).blobs and len(which) and which.max() >= 0:
        ran = np.flatnonzero(np.bincount(which[which >= 0]))
        table[:, :-1] = _of_instructions(timeline, ran)
    flops, moved, hbm = (column[which] for column in table)
    if not np.isnan(table).all():
        once = _begins(timeline, events.rows)
        for column in (flops, moved, hbm):
            column *= once
    costs = OpCosts(flops, flops, moved, hbm)
    _free_copies(timeline, events, costs)
    return costs


def _free_copies(timeline: Timeline, events: OpEvents, costs: OpCosts) -> None:
    """Copies compute nothing."""
    free = copies(timeline)
    if free.any():
        for column in (costs.flops, costs.model_flops):
            column[free[events.op] & np.isnan(column)] = 0.0


def device_costs_of(timeline: Timeline) -> OpCosts:
    """As `op_costs_of`, by row of `Ops.device`: those of an op add up to its cost; not kept."""
    return costs_of_events(timeline, ops_of(timeline).device)


def copies(timeline: Timeline) -> NDArray[np.bool_]:
    """By op: whether it copies or fills memory, and computes nothing."""
    return np.array([not op.module and op.type.startswith(("Memcpy", "Memset")) for op in ops_of(timeline).ops], bool)


@derived
def has_costs(timeline: Timeline) -> bool:
    """Whether the FLOPs or bytes of any op but a copy can be known: the capture has them, or programs that do."""
    return _are_recorded(timeline) or bool(instructions_of(timeline).named and programs_of(timeline).blobs)


def _are_recorded(timeline: Timeline) -> bool:
    return any(timeline.has_stat(key) for key in (*_FLOPS, *_BYTES))


def _by_op(parts: list[tuple[I32, OpCosts]], n: int) -> OpCosts:
    op = np.concatenate([op for op, _ in parts])
    columns = (np.concatenate(column) for column in zip(*(given for _, given in parts), strict=True))
    return OpCosts(*(_sum(op, column, n) for column in columns))


def _sum(op: I32, values: F64, n: int) -> F64:
    known = np.isfinite(values)
    if not known.any():
        return np.full(n, np.nan)
    total = np.bincount(op[known], weights=values[known], minlength=n)
    missing = np.bincount(op[~known], minlength=n) > 0
    uncounted = np.bincount(op, minlength=n) == 0
    return np.where(missing | uncounted | ~np.isfinite(total), np.nan, total)


def _reported_costs(timeline: Timeline, rows: I64) -> OpCosts:
    """What stats of the events, or of their kinds, describe one execution each."""

    def reported(keys: tuple[str, ...]) -> F64:
        cost = np.full(len(rows), np.nan)
        for key in keys:
            if timeline.has_stat(key):
                cost = np.where(np.isnan(cost), _numbers(*timeline.stat_of(key, rows)), cost)
        return cost

    flops, model, moved = reported(_FLOPS), reported(_MODEL_FLOPS), reported(_BYTES)
    hbm = moved.copy()
    if timeline.has_stat(_BREAKDOWN):
        value, kind = timeline.stat_of(_BREAKDOWN, rows)
        broken = np.flatnonzero(kind == StatKind.BYTES)
        hbm[broken] = _in_hbm(timeline, value[broken])
    model = np.where(np.isnan(model), flops, model)
    opaque = np.flatnonzero(opaque_calls(timeline, rows))
    if len(opaque):
        kinds, place = np.unique(timeline.capture.events.kind[rows[opaque]], return_inverse=True)
        flops[opaque] = model[opaque] = np.array([_flops_of_call(timeline, i) for i in kinds.tolist()])[place]
        moved[opaque] = hbm[opaque] = np.nan
    return OpCosts(flops, model, moved, hbm)


def opaque_calls(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which events are custom calls of which XLA counts no bytes: it does not look into the kernel, such as Pallas's,
    and what it counts as FLOPs is not the kernel's either.
    """
    call = timeline.capture.strings.find("custom-call")
    if call < 0 or not timeline.has_stat("hlo_category"):
        return np.zeros(len(rows), bool)
    category, kind = timeline.stat_of("hlo_category", rows)
    opaque: NDArray[np.bool_] = (kind == StatKind.TEXT) & (category == call)
    for key in filter(timeline.has_stat, _BYTES if opaque.any() else ()):
        opaque &= ~(_numbers(*timeline.stat_of(key, rows)) > 0)
    return opaque


def are_much(opaque: NDArray[np.bool_], self_ps: F64) -> bool:
    """Whether sums without these events would pass over much of the time of all."""
    return float(self_ps[opaque].sum()) > OPAQUE.value * float(self_ps.sum())


def _flops_of_call(timeline: Timeline, kind: int) -> float:
    """Of a call that by its shapes can only be the product of two matrices; nan of all else."""
    text = timeline.capture.strings[int(timeline.capture.kinds.name[kind])] if kind >= 0 else ""
    call = _CUSTOM_CALL.match(text)
    shapes = [_ARRAY.findall(call[part]) for part in ("result", "operands")] if call else [[], []]
    arrays = [tuple(map(int, dimensions.split(","))) for part in shapes for dimensions in part]
    if [len(part) for part in shapes] != [1, 2] or any(len(array) != 2 for array in arrays):
        return np.nan
    result, left, right = arrays
    (rows, summed), columns = left, right[1]
    is_product = right[0] == summed and result == (rows, columns) and not left == right == result
    return 2.0 * rows * summed * columns if is_product else np.nan


def _numbers(values: I64, kinds: U8) -> F64:
    """Numbers of 0 and more, of those that a counter can hold; nan for all else."""
    numbers = np.full(len(values), np.nan)
    for kind, as_type in ((StatKind.INT, np.int64), (StatKind.UINT, np.uint64), (StatKind.DOUBLE, np.float64)):
        of_kind = kinds == kind
        if of_kind.any():
            numbers[of_kind] = values[of_kind].view(as_type)
    return np.where((numbers >= 0) & (numbers <= _MOST), numbers, np.nan)


def _in_hbm(timeline: Timeline, blobs: I64) -> F64:
    """Bytes to and from HBM by rows of `blobs`; a breakdown without an entry for it shows that there are none."""
    distinct, place = np.unique(blobs, return_inverse=True)
    return np.array([in_hbm(timeline.capture.blobs[i]) for i in distinct.tolist()], np.float64)[place]


def in_hbm(breakdown: bytes) -> float:
    """Bytes to and from HBM that a `memory_access_breakdown` holds."""
    return float(by_memory(breakdown).get(HBM_SPACE, 0))


def by_memory(breakdown: bytes) -> dict[int, int]:
    """Bytes by number of the memory, in both directions."""
    moved: dict[int, int] = {}
    for (space, _), size in moved_by_memory(breakdown).items():
        moved[space] = moved.get(space, 0) + size
    return moved


def moved_by_memory(breakdown: bytes) -> dict[tuple[int, int], int]:
    """Bytes by number of the memory and the direction: 1 is read, 2 written."""
    message = Message(breakdown, Budget(4 * _MAX_ENTRIES))
    entries = [
        {number: value for number, value, high in message.fields(*span) if high < 0}
        for span in message.spans(0, len(breakdown), _ENTRY)
    ]
    moved: dict[tuple[int, int], int] = {}
    for entry in entries:
        key = entry.get(_SPACE, 0), entry.get(_WAY, 0)
        moved[key] = moved.get(key, 0) + entry.get(_MOVED, 0)
    return moved


def _modelled(timeline: Timeline, which: I32) -> OpCosts:
    """Of one execution of each instruction, by its shapes; `which` are indices of `instructions.named`."""
    flops, moved, hbm = _of_instructions(timeline, np.unique(which))[:, which]
    return OpCosts(flops, flops, moved, hbm)


def _of_instructions(timeline: Timeline, wanted: I64) -> F64:
    """FLOPs, bytes and bytes of the device's memory of one execution, by index of `instructions.named`."""
    named = instructions_of(timeline).named
    table = np.full((len(Cost._fields), len(named)), np.nan)
    programs: dict[int, ProgramCosts] = {}
    seen: dict[int, set[str]] = {}
    for one in named:
        program = programs_of(timeline).program(one.module, one.program)
        seen.setdefault(id(program), set()).add(one.instruction.rpartition("::")[2].lstrip("%"))
    for i in wanted.tolist():
        program = programs_of(timeline).program(named[i].module, named[i].program)
        if program is not None:
            of = programs.setdefault(id(program), ProgramCosts(program, seen[id(program)]))
            table[:, i] = of.cost(named[i].instruction)
    table[~(table <= _MOST)] = np.nan
    return table


def _begins(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which events stand for an execution: the first thunk of each on a host, the first kernel of each on a GPU."""
    capture, at = timeline.capture, at_once(rows)
    on_gpu: NDArray[np.bool_] = (capture.planes.kind == PlaneKind.GPU)[capture.tracks.plane][capture.events.track[at]]
    others = ~on_gpu & ~continues_of(timeline)[at]
    return kernel_begins_of(timeline)[at] | others if on_gpu.any() else others


def _of_aggregates(timeline: Timeline) -> OpCosts:
    """An aggregate's own stats are sums; those of its kind hold for each execution."""
    table = timeline.capture.aggregates
    rows = ops_of(timeline).device_aggregates.rows
    count = np.maximum(table.occurrences[rows], 1).astype(np.float64)

    def reported(keys: tuple[str, ...]) -> F64:
        cost = np.full(len(rows), np.nan)
        for key in keys:
            total, each = (_numbers(*pair) for pair in timeline.aggregate_stat(key, rows))
            cost = np.where(np.isnan(cost), np.where(np.isnan(total), each * count, total), cost)
        return cost

    flops, model, moved = reported(_FLOPS), reported(_MODEL_FLOPS), reported(_BYTES)
    hbm = moved.copy()
    _, (value, kind) = timeline.aggregate_stat(_BREAKDOWN, rows)
    broken = np.flatnonzero(kind == StatKind.BYTES)
    if len(broken):
        hbm[broken] = _in_hbm(timeline, value[broken]) * count[broken]
    return OpCosts(flops, np.where(np.isnan(model), flops, model), moved, hbm)
