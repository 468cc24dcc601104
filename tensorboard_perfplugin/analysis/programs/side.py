"""The instructions of one side, as the rules and the page look at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from ...timeline import Op
from ..devices import starts, waits
from ..ops import OpRow, OpUse, Padded
from .facts import InstructionFacts
from .padding import Padding, padding_of

_NOTHING = InstructionFacts()
#: Self time ÷ total time of what holds no others; sums of times are not exact.
_LEAF = 0.999


def has_rate(op: Op, row: OpRow) -> bool:
    """Whether its FLOPs and bytes are of its own time: not of what holds others, whose costs it repeats, and not of the
    start or end of what goes on beside other instructions, nor of what waits for the host or another device.
    """
    beside = bool(row.wait_ps) or starts(op.type) or waits(op.type)
    return row.use is not None and row.self_ps >= row.total_ps * _LEAF and not beside


class InstructionSide:
    """rows: instructions of `device` or `host`, largest self time first."""

    def __init__(
        self,
        side: str,
        rows: Sequence[tuple[Op, OpRow]],
        facts: Mapping[Op, InstructionFacts],
        padded: Mapping[Op, Padded] | None = None,
    ) -> None:
        """padded: products of which part is with padding."""
        self.side, self.rows, self._facts, self._padded = side, rows, facts, padded or {}

    @cached_property
    def self_ps(self) -> float:
        return sum(row.self_ps for _, row in self.rows)

    @cached_property
    def waiting_ps(self) -> float:
        """Of what only waits, as the end of an asynchronous copy does."""
        return sum(row.wait_ps for _, row in self.rows)

    @cached_property
    def used(self) -> OpUse:
        """FLOPs, bytes and peaks of all that has a rate."""
        used = OpUse()
        for op, row in self.rows:
            if row.use and has_rate(op, row):
                used = used.plus(row.use)
        return used

    def facts_of(self, op: Op) -> InstructionFacts:
        return self._facts.get(op, _NOTHING)

    def padding_of(self, op: Op, row: OpRow) -> Padding:
        padded = self._padded.get(op)
        return padding_of(self.facts_of(op).padding, padded.product if padded else None, row.occurrences)
