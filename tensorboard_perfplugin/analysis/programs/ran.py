"""A timeline → how long each instruction of its programs ran; and of one program, as what category."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64
from ...timeline import (
    Op,
    Timeline,
    derived,
    derived_by_choice,
    device_spans_of,
    host_self_ps_of,
    instructions_as_ops,
)
from ...timeline.ops import device_instructions, host_instructions


class Ran(NamedTuple):
    """Of an instruction on all devices and the host: its self time and executions, and its category, empty where only
    its program says that.
    """

    self_ps: float
    executions: int
    category: str


class InstructionSums(NamedTuple):
    """By op: self time on all devices and the host, and executions on each side. Its type is its category, or empty
    where only the program says that, which is not read for it.
    """

    ops: tuple[Op, ...]
    self_ps: F64
    on_devices: I64
    on_host: I64

    def that_ran(self) -> Iterator[tuple[Op, float, int]]:
        """Instructions, with self time and executions; all else that ran is left out."""
        count = self.on_devices + self.on_host
        for i in np.flatnonzero(count).tolist():
            if self.ops[i].module:
                yield self.ops[i], float(self.self_ps[i]), int(count[i])


@derived
def instruction_sums(timeline: Timeline) -> InstructionSums:
    """Where instructions ran on devices only, no op is named for it: that takes longer than all else."""
    if host_instructions(timeline):
        called = instructions_as_ops(timeline)
        own = host_self_ps_of(timeline).astype(np.float64)
        return _summed(timeline, called.ops, called.device.op, called.host.op, own)
    ops, op = device_instructions(timeline)
    # What is no instruction counts to the last, which is none.
    op = np.where(op < 0, np.int32(len(ops)), op) if len(op) and op.min() < 0 else op
    return _summed(timeline, (*ops, Op("", "")), op, np.empty(0, np.int32), np.empty(0))


def _summed(
    timeline: Timeline, ops: tuple[Op, ...], op: I32, host: I32, host_ps: NDArray[np.float64]
) -> InstructionSums:
    n = len(ops)
    on_devices: F64 = np.bincount(op, weights=device_spans_of(timeline).self_ps, minlength=n).astype(np.float64)
    on_host: F64 = np.bincount(host, weights=host_ps, minlength=n).astype(np.float64)
    return InstructionSums(ops, on_devices + on_host, np.bincount(op, minlength=n), np.bincount(host, minlength=n))


def runs_on_devices(timeline: Timeline, program: str) -> bool:
    """Unless all of its instructions that ran did so on the host."""
    sums = instruction_sums(timeline)
    mine = np.array([op.module == program for op in sums.ops], bool)
    return bool(sums.on_devices[mine].any() or not sums.on_host[mine].any())


@derived_by_choice
def instructions_ran(timeline: Timeline, program: str) -> dict[str, Ran]:
    """By name, those of the program of this key that ran in the capture."""
    ran: dict[str, Ran] = {}
    for op, self_ps, count in instruction_sums(timeline).that_ran():
        if op.module == program:
            before = ran.get(op.name) or Ran(0.0, 0, op.type)
            ran[op.name] = Ran(before.self_ps + self_ps, before.executions + count, before.category)
    return ran
