"""The instructions of one side, as the rules and the page look at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from ...timeline import Op
from ..ops import OpRow
from .facts import InstructionFacts

_NOTHING = InstructionFacts()


class InstructionSide:
    """rows: instructions of `device` or `host`, largest self time first."""

    def __init__(self, side: str, rows: Sequence[tuple[Op, OpRow]], facts: Mapping[Op, InstructionFacts]) -> None:
        self.side, self.rows, self._facts = side, rows, facts

    @cached_property
    def self_ps(self) -> float:
        return sum(row.self_ps for _, row in self.rows)

    @cached_property
    def waiting_ps(self) -> float:
        """Of what only waits, as the end of an asynchronous copy does."""
        return sum(row.wait_ps for _, row in self.rows)

    def facts_of(self, op: Op) -> InstructionFacts:
        return self._facts.get(op, _NOTHING)
