"""Executions of ops → the same executions as instructions of XLA programs, where they are such."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...tables import I32, PlaneKind, at_once
from ..names.op_names import Op
from ..programs.category import category
from ..programs.instructions import instructions_of
from ..programs.programs import programs_of
from ..timeline import Timeline, derived
from ..tracks.tracks import device_planes, host_tracks, rows_of, sparse_cores
from ..tracks.work import device_rows
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


class Unread(NamedTuple):
    """Instructions that ran on devices: by event of `device_spans_of` the index of its op in `ops`, -1 of all else."""

    ops: tuple[Op, ...]
    op: I32


def device_instructions(timeline: Timeline) -> Unread:
    """As `instructions_as_ops`, of devices alone, without a category where only the program says it: none is read."""
    capture, programs, pool = timeline.capture, programs_of(timeline), dict[Op, int]()
    which, named = instructions_of(timeline).of, instructions_of(timeline).named
    ops = (Op(_last(one.instruction), "", programs.called(one.module, one.program)) for one in named)
    table = np.array([*(pool.setdefault(op, len(pool)) for op in ops), -1], np.int32)
    parts = [np.empty(0, np.int32)]
    for plane in device_planes(capture):
        rows = device_rows(timeline, plane)
        if capture.planes.kind[plane] == PlaneKind.TPU:
            kinds = capture.events.kind[at_once(rows)]
            parts.append(_by_kind(timeline, np.unique(kinds).tolist(), pool)[kinds])
        else:
            parts.append(table[which(rows)])
    return Unread(tuple(pool), np.concatenate(parts))


def host_instructions(timeline: Timeline) -> bool:
    """Whether an event of a host names an instruction."""
    return bool((instructions_of(timeline).of(rows_of(timeline.capture, host_tracks(timeline.capture))) >= 0).any())


def _by_instruction(timeline: Timeline, pool: dict[Op, int]) -> I32:
    """Op by index of `instructions.named`."""
    programs = programs_of(timeline)
    numbers = []
    for one in instructions_of(timeline).named:
        name, program = _last(one.instruction), programs.program(one.module, one.program)
        found = program.find(name) if program else None
        kind = category(program, found) if program and found else _stem(name)
        op = Op(name, kind, programs.called(one.module, one.program))
        numbers.append(pool.setdefault(op, len(pool)))
    return np.array(numbers, np.int32)


def _last(path: str) -> str:
    return path.rpartition("::")[2].lstrip("%")


def _stem(name: str) -> str:
    """`fusion.3` → `fusion`."""
    return name.partition(".")[0]


def _host(timeline: Timeline, ops: Ops, by_instruction: I32, pool: dict[Op, int]) -> I32:
    op = np.append(by_instruction, np.int32(-1))[instructions_of(timeline).of(ops.host.rows)]
    return _with_others(ops, ops.host.op, op, pool)


def _device(timeline: Timeline, ops: Ops, by_instruction: I32, pool: dict[Op, int]) -> I32:
    capture, rows = timeline.capture, ops.device.rows
    tpu = np.flatnonzero(
        (capture.planes.kind == PlaneKind.TPU)[capture.tracks.plane][capture.events.track[at_once(rows)]]
    )
    op = np.append(by_instruction, np.int32(-1))[instructions_of(timeline).of(rows)]
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
