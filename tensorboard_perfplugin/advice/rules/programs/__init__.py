"""Rules on XLA programs: which instructions take the time, and what XLA adds to what was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.programs.profile import InstructionSide, Node
from ...finding import Finding
from .added import added
from .largest import largest_instruction
from .padding import padding
from .wasted import wasted

__all__ = ["instruction_findings", "op_profile_findings"]


def instruction_findings(side: InstructionSide) -> tuple[Finding, ...]:
    """Of a side on which instructions ran: the one that takes most time first."""
    return tuple(_findings(side))


def _findings(side: InstructionSide) -> Iterator[Finding]:
    if side.self_ps:
        yield from largest_instruction(side)
        yield from added(side)
        yield from padding(side)


def op_profile_findings(side: InstructionSide, nodes: Sequence[Node]) -> tuple[Finding, ...]:
    """Of the tree of these instructions, the whole first."""
    return tuple(wasted(side, nodes))
