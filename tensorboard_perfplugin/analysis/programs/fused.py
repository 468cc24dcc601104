"""A timeline and instructions → what each fusion among them runs, with its FLOPs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from ...timeline import Op, Timeline
from ...timeline.programs import Program, ProgramCosts, Writer, programs_of

#: Parts of a fusion that are named, those of most FLOPs, and fusions that are looked into.
_MOST_PARTS, _MOST_FUSIONS = 12, 300
_LONGEST = 4000


class Fused(NamedTuple):
    """One instruction within a fusion. flops: of one execution, None where unknown."""

    name: str
    opcode: str
    flops: float | None
    expression: str


def fused(timeline: Timeline, wanted: Iterable[Op]) -> dict[Op, tuple[Fused, ...]]:
    """Of the first fusions among some instructions."""
    found: dict[Op, tuple[Fused, ...]] = {}
    readers: dict[str, tuple[ProgramCosts, Writer]] = {}
    for op in wanted:
        program = programs_of(timeline).read(op.module)
        if program is None or len(found) >= _MOST_FUSIONS:
            continue
        if op.module not in readers:
            readers[op.module] = ProgramCosts(program, set()), Writer(program)
        if parts := _parts(program, op.name, *readers[op.module]):
            found[op] = parts
    return found


def _parts(program: Program, name: str, costs: ProgramCosts, writer: Writer) -> tuple[Fused, ...]:
    parts = [(one, flops if math.isfinite(flops) else None) for one, flops in costs.parts(name)]
    parts.sort(key=lambda part: -(part[1] or 0.0))
    return tuple(
        Fused(one.name, one.opcode, flops, writer.expression(one.name, details=False)[:_LONGEST])
        for one, flops in parts[:_MOST_PARTS]
    )
