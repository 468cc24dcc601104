"""A timeline → one row a program and instruction: executions, times, FLOPs and bytes, and what each instruction is."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, among
from ...timeline import Op, Timeline, instructions_as_ops, workers_of
from ...timeline.ops import CMEM_SPACE, HBM_SPACE, VMEM_SPACE, by_memory
from ..ops import Key, OpRow, Padded, padded_as, sum_of
from .chosen import ProgramTime, merged_programs, program_times
from .facts import InstructionFacts, instruction_facts
from .rows import instruction_rows

_STALL, _BREAKDOWN, _BYTES = "dma_stall_duration_ps", "memory_access_breakdown", "bytes_accessed"
_INTEGERS = (StatKind.INT, StatKind.UINT)
_SPACES = (HBM_SPACE, CMEM_SPACE, VMEM_SPACE)
T = TypeVar("T")


class MemoryBytes(NamedTuple):
    """Bytes of all executions to and from each memory of a TPU. other: those that the capture counts in none of these:
    the host's memory, or one that it does not name.
    """

    hbm: int
    cmem: int
    vmem: int
    other: int

    def plus(self, more: MemoryBytes) -> MemoryBytes:
        return MemoryBytes(*(a + b for a, b in zip(self, more, strict=True)))


@dataclasses.dataclass(frozen=True)
class InstructionTable:
    """One host's instructions, or all hosts' summed.

    rows: by side and instruction, an `Op` of its name, category and program. facts: of the instructions with most
    self time. memories, stall_ps: of all executions, where a TPU says how many bytes went to and from each memory, and
    how long DMA held them up. padded: products of which part is with padding. other_ps: self time on
    devices of what is no instruction. devices: how many ran something; idle_ps: time in which one
    ran nothing, summed.
    """

    rows: dict[Key, OpRow]
    facts: dict[Op, InstructionFacts]
    memories: dict[Op, MemoryBytes]
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
    return InstructionTable(
        rows=rows,
        facts=instruction_facts(timeline, dict.fromkeys(op for _, op in largest)),
        memories=_memories(timeline),
        stall_ps=_stalls(timeline),
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
    for one in reversed(tables):
        facts |= one.facts
    return InstructionTable(
        rows=rows,
        facts=facts,
        memories=_merged([one.memories for one in tables], MemoryBytes.plus),
        stall_ps=_merged([one.stall_ps for one in tables], operator.add),
        padded=_merged([one.padded for one in tables], Padded.plus),
        programs=merged_programs([one.programs for one in tables]),
        other_ps=sum(one.other_ps for one in tables),
        devices=sum(one.devices for one in tables),
        idle_ps=sum(one.idle_ps for one in tables),
    )


def _merged(parts: Sequence[Mapping[Op, T]], sum_of_two: Callable[[T, T], T]) -> dict[Op, T]:
    """What the hosts have of each op, summed."""
    sums: dict[Op, T] = {}
    for part in parts:
        for op, value in part.items():
            sums[op] = sum_of_two(sums[op], value) if op in sums else value
    return sums


def _memories(timeline: Timeline) -> dict[Op, MemoryBytes]:
    """Of what ran at a time that is known, and has a breakdown."""
    ops = instructions_as_ops(timeline)
    rows, op = ops.device
    value, kind = timeline.stat_of(_BREAKDOWN, rows)
    known = np.flatnonzero(kind == StatKind.BYTES)
    if not len(known):
        return {}
    blobs, place = np.unique(value[known], return_inverse=True)
    split = [by_memory(timeline.capture.blobs[i]) for i in blobs.tolist()]
    named = [np.array([each.get(space, 0) for each in split], np.float64) for space in _SPACES]
    all_bytes, kind = timeline.stat_of(_BYTES, rows[known])
    counted = np.where(among(kind, _INTEGERS) & (all_bytes >= 0), all_bytes, 0)
    in_all = np.array([sum(each.values()) for each in split], np.float64)
    place = place.reshape(-1)
    moved = [column[place] for column in named]
    moved.append(np.maximum(counted, in_all[place]) - sum(moved))
    sums = [_by_op(ops.ops, op[known], column) for column in moved]
    return {one: MemoryBytes(*(column[one] for column in sums)) for one in sums[0]}


def _stalls(timeline: Timeline) -> dict[Op, int]:
    """In ps, of what ran at a time that is known."""
    ops = instructions_as_ops(timeline)
    rows, op = ops.device
    value, kind = timeline.stat_of(_STALL, rows)
    known = np.flatnonzero(among(kind, _INTEGERS) & (value >= 0))
    return _by_op(ops.ops, op[known], value[known]) if len(known) else {}


def _by_op(ops: Sequence[Op], which: NDArray[np.integer], values: I64 | NDArray[np.float64]) -> dict[Op, int]:
    sums = np.bincount(which, weights=values, minlength=len(ops))
    return {ops[i]: int(sums[i]) for i in np.unique(which).tolist()}
