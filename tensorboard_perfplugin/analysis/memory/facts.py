"""One memory system in detail → the facts that rules decide by."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .growth import StepUse
from .parts import BEFORE, OP, Live, bytes_of
from .systems import System
from .use import OpUse


class Held(NamedTuple):
    """Bytes that are in use at the peak by one op, or for another reason. kind: of `Live`, all from before as one."""

    kind: str
    op: str
    bytes: int


class Keeper(NamedTuple):
    """An op that allocates in each step what is not freed, bytes by step."""

    op: str
    bytes: float


@dataclasses.dataclass(frozen=True)
class MemoryFacts:
    """peak, ops: the parts and the ops of its tables. around_ps: the step of the peak, or a short time around it.
    cut: whether the first step began before the capture.
    """

    system: System
    peak: Sequence[Live]
    ops: Sequence[OpUse]
    use: StepUse
    around_ps: tuple[int, int]
    cut: bool

    @property
    def peak_bytes(self) -> int:
        return self.system.peak_bytes

    @property
    def before_bytes(self) -> int:
        """Part of the peak that was allocated before the capture."""
        return bytes_of(self.peak, BEFORE)

    @property
    def temporary_bytes(self) -> int:
        """Part of the peak in temporary buffers."""
        return sum(part.total for part in self.peak if part.region == "temp")

    @property
    def left_bytes(self) -> int | None:
        """What the allocator could still give at the peak; None without a limit."""
        return self.system.left_bytes

    @cached_property
    def holders(self) -> list[Held]:
        """Most first; of ops from their own table, which has all of an op's at once."""
        held: dict[tuple[str, str], int] = {}
        for part in self.peak:
            if part.kind != OP:
                kind = BEFORE[0] if part.kind in BEFORE else part.kind
                held[kind, ""] = held.get((kind, ""), 0) + part.total
        for op in self.ops:
            if op.peak_bytes:
                held[OP, op.op] = held.get((OP, op.op), 0) + op.peak_bytes
        return sorted((Held(*part, size) for part, size in held.items()), key=lambda each: -each.bytes)

    @property
    def allocations_per_step(self) -> float | None:
        counts = self.use.allocations[self.use.counted]
        return float(counts.mean()) if len(counts) else None

    def keeping_steps(self, most: int) -> list[tuple[int, int]]:
        """Begin and end, in ps, of the last whole steps that kept something."""
        steps = self.use.steps
        rows = np.flatnonzero(self.use.counted & (self.use.kept > 0))[-most:]
        return [(int(steps.begin_ps[row]), int(steps.until_ps[row])) for row in rows]

    @cached_property
    def keepers(self) -> list[Keeper]:
        """Most first."""
        kept = [Keeper(op.op, op.kept_bytes) for op in self.ops if op.kept_bytes]
        return sorted(kept, key=lambda each: -each.bytes)
