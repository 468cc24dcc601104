"""What the rules on Python functions decide by, and how a function is named."""

from __future__ import annotations

import dataclasses

import numpy as np

from ....analysis.functions import Functions, Merged, Part, Ranks, Wait, largest_of, own_caller, ranks, waits_of
from ....messages import Param


@dataclasses.dataclass(frozen=True, eq=False)
class Facts:
    """run: of all hosts. all: their functions added up. waits: of each function what its own time waits for."""

    run: Merged
    all: Functions
    waits: tuple[Wait | None, ...]
    ranks: Ranks

    @classmethod
    def of(cls, run: Merged) -> Facts:
        return cls(run, run.all, waits_of(run.all), ranks(run))

    @property
    def total_ps(self) -> float:
        return self.all.total_ps

    def waiting(self, kind: Wait) -> tuple[float, int]:
        """Time that waits so, and the function that does most of it; -1 for none."""
        own = np.nan_to_num(self.all.sums.own_ps)
        rows = [row for row, each in enumerate(self.waits) if each is kind]
        return sum(float(own[row]) for row in rows), max(rows, key=lambda row: float(own[row]), default=-1)

    def part(self, part: Part) -> tuple[float, int]:
        """Time of a known part of the program, with all that it calls, and its function; -1 for none."""
        row = largest_of(self.all, part)
        return (float(np.nan_to_num(self.all.sums.cumulative_ps[row])), row) if row >= 0 else (0.0, -1)

    def named(self, row: int) -> dict[str, Param]:
        """A function, and the nearest of the program's own that leads to it."""
        caller = own_caller(self.all, row)
        return {"function": self.all.names[row], "caller": self.all.names[caller] if caller >= 0 else None}


def share_of(ps: float, whole_ps: float) -> float:
    return min(max(ps / whole_ps, 0.0), 1.0) if whole_ps > 0 else 0.0
