"""A timeline → one row a program and instruction: executions, times, FLOPs and bytes, and what each instruction is."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, among
from ...timeline import Op, Timeline, instructions_as_ops, workers_of
from ...timeline.ops import on_chip
from ..ops import Key, OpRow, Padded, padded_as, sum_of
from .chosen import ProgramTime, merged_programs, program_times
from .facts import InstructionFacts, instruction_facts
from .rows import instruction_rows

_STALL, _BREAKDOWN = "dma_stall_duration_ps", "memory_access_breakdown"


@dataclasses.dataclass(frozen=True)
class InstructionTable:
    """One host's instructions, or all hosts' summed.

    rows: by side and instruction, an `Op` of its name, category and program. facts: of the instructions with most
    self time. on_chip_bytes, stall_ps: of all executions, where a TPU says how many bytes went to and from memory on
    its chip, and how long DMA held them up. padded: products of which part is with padding. other_ps: self time on
    devices of what is no instruction. devices: how many ran something; idle_ps: time in which one
    ran nothing, summed.
    """

    rows: dict[Key, OpRow]
    facts: dict[Op, InstructionFacts]
    on_chip_bytes: dict[Op, int]
    stall_ps: dict[Op, int]
    padded: dict[Op, Padded]
    programs: tuple[ProgramTime, ...]
    other_ps: float
    devices: int
    idle_ps: int


def instruction_table(timeline: Timeline, most: int | None) -> InstructionTable:
    """most: so many instructions have facts, those with most self time; None: all."""
    every, active = instruction_rows(timeline), workers_of(timeline)
    rows = {key: row for key, row in every.items() if key[1].module}
    others = [row for (side, op), row in every.items() if side == "device" and not op.module]
    largest = sorted(rows, key=lambda key: -rows[key].self_ps)[:most]
    on_chip_bytes, stall_ps = _by_account(timeline)
    return InstructionTable(
        rows=rows,
        facts=instruction_facts(timeline, dict.fromkeys(op for _, op in largest)),
        on_chip_bytes=on_chip_bytes,
        stall_ps=stall_ps,
        padded=padded_as(timeline, instructions_as_ops(timeline)),
        programs=program_times(timeline),
        other_ps=sum(row.self_ps for row in others),
        devices=len(active),
        idle_ps=sum(device.idle_ps for device in active),
    )


def merged_instructions(tables: Sequence[InstructionTable]) -> InstructionTable:
    """The instructions of all hosts, summed."""
    first = tables[0]
    if len(tables) == 1:
        return first
    rows: dict[Key, OpRow] = {}
    for one in tables:
        for key, row in one.rows.items():
            rows[key] = sum_of(rows[key], row) if key in rows else row
    facts: dict[Op, InstructionFacts] = {}
    padded: dict[Op, Padded] = {}
    for one in reversed(tables):
        facts |= one.facts
        padded |= one.padded
    return InstructionTable(
        rows=rows,
        facts=facts,
        on_chip_bytes=_sums([one.on_chip_bytes for one in tables]),
        stall_ps=_sums([one.stall_ps for one in tables]),
        padded=padded,
        programs=merged_programs([one.programs for one in tables]),
        other_ps=sum(one.other_ps for one in tables),
        devices=sum(one.devices for one in tables),
        idle_ps=sum(one.idle_ps for one in tables),
    )


def _sums(parts: Sequence[dict[Op, int]]) -> dict[Op, int]:
    sums: dict[Op, int] = {}
    for part in parts:
        for op, value in part.items():
            sums[op] = sums.get(op, 0) + value
    return sums


def _by_account(timeline: Timeline) -> tuple[dict[Op, int], dict[Op, int]]:
    """Bytes of memory on the chip and stalls in ps, of what ran at a time that is known."""
    ops = instructions_as_ops(timeline)
    rows, op = ops.device
    sums: list[dict[Op, int]] = [{}, {}]
    value, kind = timeline.stat_of(_BREAKDOWN, rows)
    known = np.flatnonzero(kind == StatKind.BYTES)
    if len(known):
        blobs, place = np.unique(value[known], return_inverse=True)
        moved = np.array([on_chip(timeline.capture.blobs[i]) for i in blobs.tolist()], np.float64)
        sums[0] = _by_op(ops.ops, op[known], moved[place.reshape(-1)])
    value, kind = timeline.stat_of(_STALL, rows)
    known = np.flatnonzero(among(kind, (StatKind.INT, StatKind.UINT)) & (value >= 0))
    if len(known):
        sums[1] = _by_op(ops.ops, op[known], value[known])
    return sums[0], sums[1]


def _by_op(ops: Sequence[Op], which: NDArray[np.integer], values: I64 | NDArray[np.float64]) -> dict[Op, int]:
    sums = np.bincount(which, weights=values, minlength=len(ops))
    return {ops[i]: int(sums[i]) for i in np.unique(which).tolist()}
