"""Executions of ops → the same executions as instructions of XLA programs, where they are such."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...tables import I32, PlaneKind
from ..names import Op
from ..programs import category, instructions_of, programs_of
from ..timeline import Timeline, derived
from ..tracks import sparse_cores
from .model import Ops
from .ops import ops_of
from .tpu import kind_facts, on_core


@derived
def instructions_as_ops(timeline: Timeline) -> Ops:
    """`ops_of` with XLA instructions called by their own name, category and program (`jit_f(7)`); all else is as it is.

    So two instructions of one framework op are two, and those of two programs, too.
    """
    ops = ops_of(timeline)
    pool: dict[Op, int] = {}
    by_instruction = _by_instruction(timeline, pool)
    host = _host(timeline, ops, by_instruction, pool)
    device = _device(timeline, ops, by_instruction, pool)
    aggregates = _aggregates(timeline, ops, pool)
    return ops._replace(
        ops=tuple(pool),
        host=ops.host._replace(op=host),
        device=ops.device._replace(op=device),
        device_aggregates=ops.device_aggregates._replace(op=aggregates),
    )


def _by_instruction(timeline: Timeline, pool: dict[Op, int]) -> I32:
    """Op by index of `instructions.named`."""
    programs = programs_of(timeline)
    numbers = []
    for one in instructions_of(timeline).named:
        name = one.instruction.rpartition("::")[2].lstrip("%")
        program = programs.program(one.module, one.program)
        found = program.find(name) if program else None
        kind = category(program, found) if program and found else _stem(name)
        numbers.append(pool.setdefault(Op(name, kind, programs.called(one.module, one.program)), len(pool)))
    return np.array(numbers, np.int32)


def _stem(name: str) -> str:
    """`fusion.3` → `fusion`."""
    return name.partition(".")[0]


def _host(timeline: Timeline, ops: Ops, by_instruction: I32, pool: dict[Op, int]) -> I32:
    op = np.full(len(ops.host.rows), -1, np.int32)
    which = instructions_of(timeline).of(ops.host.rows)
    known = np.flatnonzero(which >= 0)
    op[known] = by_instruction[which[known]]
    return _with_others(ops, ops.host.op, op, pool)


def _device(timeline: Timeline, ops: Ops, by_instruction: I32, pool: dict[Op, int]) -> I32:
    capture, rows = timeline.capture, ops.device.rows
    op = np.full(len(rows), -1, np.int32)
    on_tpu = capture.planes.kind[capture.tracks.plane[capture.events.track[rows]]] == PlaneKind.TPU
    which = np.where(on_tpu, -1, instructions_of(timeline).of(rows))
    known, tpu = np.flatnonzero(which >= 0), np.flatnonzero(on_tpu)
    op[known] = by_instruction[which[known]]
    kinds = capture.events.kind[rows[tpu]]
    op[tpu] = _by_kind(timeline, np.unique(kinds).tolist(), pool)[kinds]
    return _with_others(ops, ops.device.op, op, pool)


def _aggregates(timeline: Timeline, ops: Ops, pool: dict[Op, int]) -> I32:
    kinds = timeline.capture.aggregates.kind[ops.device_aggregates.rows]
    op = _by_kind(timeline, np.unique(kinds).tolist(), pool)[kinds]
    return _with_others(ops, ops.device_aggregates.op, op, pool)


def _by_kind(timeline: Timeline, kinds: Iterable[int], pool: dict[Op, int]) -> I32:
    """Op by kind of a TPU's events; the last place is of events without a kind."""
    table, programs = np.full(len(timeline.capture.kinds) + 1, -1, np.int32), programs_of(timeline)
    sparse = sparse_cores(timeline.capture)
    for kind in kinds:
        name, facts = kind_facts(timeline.capture, kind)
        number, given = facts.get("program_id"), facts.get("hlo_category")
        if isinstance(number, int):
            kind_of_op = given if isinstance(given, str) and given else _stem(name)
            op = on_core(Op(name, kind_of_op, programs.called("", number)), timeline.capture, kind, sparse)
            table[kind] = pool.setdefault(op, len(pool))
    return table


def _with_others(ops: Ops, before: I32, op: I32, pool: dict[Op, int]) -> I32:
    """What is no instruction keeps its op."""
    others = np.flatnonzero(op < 0)
    table = np.full(len(ops.ops), -1, np.int32)
    for i in np.unique(before[others]).tolist():
        table[i] = pool.setdefault(ops.ops[i]._replace(module=""), len(pool))
    op[others] = table[before[others]]
    return op
