"""A timeline → its XLA programs with their times; a name that a person typed → the program that it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...errors import ArgumentError
from ...timeline import Timeline
from ...timeline.programs import programs_of
from .ran import instruction_sums


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
    sizes = {key: len(message) for key, message in programs_of(timeline).blobs.items()}
    sums = {key: ProgramTime(key, 0, 0, 0.0, size) for key, size in sizes.items()}
    for op, self_ps, count in instruction_sums(timeline).that_ran():
        one = sums.get(op.module) or ProgramTime(op.module, 0, 0, 0.0, 0)
        often, whole = max(one.executions, count), one.self_ps + self_ps
        sums[op.module] = ProgramTime(op.module, one.instructions + 1, often, whole, one.size_bytes)
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
