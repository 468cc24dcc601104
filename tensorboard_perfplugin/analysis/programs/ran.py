"""A timeline and a program → how long each of its instructions ran, and as what category."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...timeline import Timeline, derived_by_choice, device_spans_of, host_self_ps_of, instructions_as_ops


class Ran(NamedTuple):
    """Of an instruction on all devices and the host: its self time and executions, and its category."""

    self_ps: float
    executions: int
    category: str


@derived_by_choice
def instructions_ran(timeline: Timeline, program: str) -> dict[str, Ran]:
    """By name, those of the program of this key that ran in the capture."""
    ops = instructions_as_ops(timeline)
    n = len(ops.ops)
    self_ps, count = np.zeros(n), np.zeros(n, np.int64)
    for op, own in ((ops.device.op, device_spans_of(timeline).self_ps), (ops.host.op, host_self_ps_of(timeline))):
        self_ps += np.bincount(op, weights=own, minlength=n)
        count += np.bincount(op, minlength=n)
    of = [i for i, op in enumerate(ops.ops) if op.module == program and count[i]]
    ran: dict[str, Ran] = {}
    for i in of:
        before = ran.get(ops.ops[i].name, Ran(0.0, 0, ops.ops[i].type))
        ran[ops.ops[i].name] = Ran(
            before.self_ps + float(self_ps[i]), before.executions + int(count[i]), before.category
        )
    return ran
