"""A timeline → its XLA programs with their times; a name that a person typed → the program that it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...errors import ArgumentError
from ...timeline import Timeline, device_spans_of, host_self_ps_of, instructions_as_ops
from ...timeline.programs import programs_of


class ProgramTime(NamedTuple):
    """One program of a host. key: `jit_f(7)`, module and id; self_ps: of its instructions, on devices and on the host.

    instructions: how many distinct ones ran. executions: of the one that ran most often. size_bytes: of its message in
    the capture, 0 where the capture only names it.
    """

    key: str
    instructions: int
    executions: int
    self_ps: float
    size_bytes: int


def program_times(timeline: Timeline) -> tuple[ProgramTime, ...]:
    """Of all programs that the capture holds or names; most time first, then the largest."""
    ops = instructions_as_ops(timeline)
    n = len(ops.ops)
    sides = ((ops.device.op, device_spans_of(timeline).self_ps), (ops.host.op, host_self_ps_of(timeline)))
    self_ps, count = np.zeros(n), np.zeros(n, np.int64)
    for op, own in sides:
        self_ps += np.bincount(op, weights=own, minlength=n)
        count += np.bincount(op, minlength=n)
    sizes = {key: len(message) for key, message in programs_of(timeline).blobs.items()}
    sums = {key: ProgramTime(key, 0, 0, 0.0, size) for key, size in sizes.items()}
    for i in np.flatnonzero(count).tolist():
        if key := ops.ops[i].module:
            one = sums.get(key) or ProgramTime(key, 0, 0, 0.0, 0)
            often = max(one.executions, int(count[i]))
            sums[key] = ProgramTime(key, one.instructions + 1, often, one.self_ps + float(self_ps[i]), one.size_bytes)
    return _ordered(sums.values())


def merged_programs(hosts: Sequence[Sequence[ProgramTime]]) -> tuple[ProgramTime, ...]:
    """The programs of several hosts, their times summed."""
    sums: dict[str, ProgramTime] = {}
    for one in (one for host in hosts for one in host):
        if before := sums.get(one.key):
            one = ProgramTime(
                one.key,
                max(before.instructions, one.instructions),
                before.executions + one.executions,
                before.self_ps + one.self_ps,
                max(before.size_bytes, one.size_bytes),
            )
        sums[one.key] = one
    return _ordered(sums.values())


def _ordered(programs: Iterable[ProgramTime]) -> tuple[ProgramTime, ...]:
    return tuple(sorted(programs, key=lambda one: (-one.self_ps, -one.size_bytes, one.key)))


def chosen_program(programs: Sequence[ProgramTime], asked: str) -> str:
    """The key that a person means by a key, an id, or the name of a module that has one program; empty: the first.

    Raises ArgumentError with what there is.
    """
    keys = [one.key for one in programs]
    if not asked and keys:
        return keys[0]
    if asked in keys:
        return asked
    modules = Counter(_module(key) for key in keys)
    meant = [key for key in keys if asked in (_number(key), _module(key) if modules[_module(key)] == 1 else None)]
    if len(meant) != 1:
        raise ArgumentError.with_choices(f"program={asked[:80]!r}", keys)
    return meant[0]


def _module(key: str) -> str:
    return key.rpartition("(")[0] or key


def _number(key: str) -> str:
    return key.rpartition("(")[2].rstrip(")") if key.endswith(")") else ""
