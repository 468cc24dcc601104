"""The ops of all hosts on one side → the sums that rules decide by."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...tables import F64
from ...timeline import UNATTRIBUTED, Op, is_mark
from .eager import is_of_model
from .kernels import OpKernel
from .rows import Listed, OpRow
from .unattributed import UnattributedTime, main_cause


class LargestType(NamedTuple):
    """The type of op that takes most time. ops: of that type; op, row: the largest of these."""

    type: str
    self_ps: float
    ops: int
    op: Op
    row: OpRow


class SmallOps(NamedTuple):
    """Ops whose executions, or on a device kernels, are short on average. work_ps: self time without waiting; op: the
    largest of them.
    """

    executions: int
    work_ps: float
    ops: int
    op: Op


class EagerOps(NamedTuple):
    """What ran op by op, of the time of which that is known. op: the largest of them. in_steps: whether all is time
    of steps.
    """

    eager_ps: float
    known_ps: float
    op: Op
    in_steps: bool = False


class _Columns(NamedTuple):
    """The first eight numbers of `OpRow`, op by op."""

    occurrences: F64
    kernels: F64
    total_ps: F64
    self_ps: F64
    eager_ps: F64
    known_ps: F64
    wait_ps: F64
    wait_known_ps: F64


@dataclasses.dataclass(frozen=True, eq=False)
class OpSide:
    """The ops of a side, largest self time first.

    self_ps: of all ops, the whole that shares are of. by: as in `Listed`. first: whether no other side comes before it.
    cause: of the kernels that belong to no op, as `main_cause` gives it. graphs: whether a program launches graphs.
    kernels: of ops on GPUs, as `op_kernels` gives them.
    """

    side: str
    rows: Sequence[tuple[Op, OpRow]]
    self_ps: float
    by: str | None
    first: bool
    cause: str
    graphs: bool
    kernels: Mapping[Op, OpKernel] = dataclasses.field(default_factory=dict)

    @cached_property
    def _columns(self) -> _Columns:
        return _Columns(*np.array([row[:8] for _, row in self.rows], np.float64).reshape(-1, 8).T)

    def share(self, ps: float) -> float:
        """The same numbers summed in another order may be a little more than the whole."""
        return min(ps / self.self_ps, 1.0)

    def first_ps(self, count: int) -> float:
        """Self time of the first ops."""
        return sum(row.self_ps for _, row in self.rows[:count])

    def median_executions(self) -> float:
        """How often the median op ran, of those of which that is known."""
        times = self._columns.occurrences
        return float(np.median(times[times > 0])) if (times > 0).any() else 0.0

    @cached_property
    def wait_ps(self) -> float:
        return float(self._columns.wait_ps.sum())

    def waits_most(self) -> int:
        """Row of the op that waits most."""
        return int(self._columns.wait_ps.argmax())

    def works_most(self) -> tuple[int, float]:
        """Row of the op with most self time without waiting, and that time."""
        work_ps = self._columns.self_ps - self._columns.wait_ps
        most = int(work_ps.argmax())
        return most, float(work_ps[most])

    def largest_type(self) -> LargestType:
        sums: Counter[str] = Counter()
        for op, row in self.rows:
            sums[op.type] += row.self_ps  # type: ignore[assignment]
        type, self_ps = sums.most_common(1)[0]
        of_type = [pair for pair in self.rows if pair[0].type == type]
        return LargestType(type, self_ps, len(of_type), *of_type[0])

    def small(self, limit_ps: float) -> SmallOps | None:
        """Ops whose executions, or kernels, take less than that on average; None where there are none."""
        columns = self._columns
        count = columns.kernels if self.side == "device" else columns.occurrences
        small = np.flatnonzero((count > 0) & (columns.total_ps < limit_ps * count))
        if not len(small):
            return None
        work_ps = float((columns.self_ps - columns.wait_ps)[small].sum())
        return SmallOps(int(count[small].sum()), work_ps, len(small), self.rows[int(small[0])][0])

    def eager(self) -> EagerOps:
        """In steps, where there are any; without what asks for input, logs and saves, which is eager in any program."""
        eager_ps = [row.of_steps.eager_ps if is_of_model(op.type) else 0.0 for op, row in self.rows]
        known_ps = sum(row.of_steps.known_ps for _, row in self.rows)
        most = max(range(len(eager_ps)), key=eager_ps.__getitem__)
        has_steps = any(row.in_steps is not None for _, row in self.rows)
        return EagerOps(sum(eager_ps), known_ps, self.rows[most][0], has_steps)

    def unattributed(self) -> list[tuple[Op, OpRow]]:
        """Kernels that belong to no op."""
        return [(op, row) for op, row in self.rows if op.type == UNATTRIBUTED]


def op_sides(
    parts: Sequence[Listed],
    unattributed: Iterable[UnattributedTime],
    least_share: float,
    graphs: bool = False,
    kernels: Mapping[Op, OpKernel] | None = None,
) -> list[OpSide]:
    """Of parts that sum up the hosts, those in which ops took time.

    A program's annotations are left out, unless ops take less than that part of the time: what is an annotation's alone
    is time without ops.
    """
    cause, sides = main_cause(unattributed), [part for part in parts if part.self_ps]
    return [
        OpSide(
            part.side, _without_marks(part, least_share), part.self_ps, part.by, i == 0, cause, graphs, kernels or {}
        )
        for i, part in enumerate(sides)
    ]


def _without_marks(part: Listed, least_share: float) -> Sequence[tuple[Op, OpRow]]:
    rows = [pair for pair in part.rows if not is_mark(pair[0])]
    return rows if sum(row.self_ps for _, row in rows) >= least_share * part.self_ps else list(part.rows)
