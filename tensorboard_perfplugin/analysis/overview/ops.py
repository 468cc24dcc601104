"""Ops of all hosts → what those of one side, devices or hosts, took together, and which took most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...timeline import Op, is_mark
from ..ops import Key, OpRow, is_of_model, ranked


class SideOps(NamedTuple):
    """Self times, in ps. wait_ps: of ops that only wait, as far as that is known. copies_ps: of memory copies.
    known_ps,
    eager_ps: of ops in steps of which is known whether they ran eagerly, and those that did, but for asking for input,
    logging and saving. hardest: the op that works for longest; waits: the one that waits for longest; None without ops.
    in_steps: whether these are of steps."""

    self_ps: float
    wait_ps: float
    copies_ps: float
    known_ps: float
    eager_ps: float
    hardest: tuple[Op, OpRow] | None
    waits: tuple[Op, OpRow] | None
    in_steps: bool = False

    @property
    def wait_share(self) -> float:
        return self.wait_ps / (self.self_ps or 1)

    @property
    def copies_share(self) -> float:
        return self.copies_ps / (self.self_ps or 1)

    @property
    def eager_share(self) -> float:
        return self.eager_ps / (self.known_ps or 1)


def side_ops(rows: Mapping[Key, OpRow], side: str) -> SideOps:
    """side: `device` or `host`."""
    ops = ranked(rows, side)
    works = [pair for pair in ops if not is_mark(pair[0])] or ops
    return SideOps(
        self_ps=sum(row.self_ps for _, row in ops),
        wait_ps=sum(row.wait_ps for _, row in ops),
        copies_ps=sum(row.self_ps for op, row in ops if op.type.startswith("Memcpy")),
        known_ps=sum(row.of_steps.known_ps for _, row in ops),
        eager_ps=sum(row.of_steps.eager_ps for op, row in ops if is_of_model(op.type)),
        hardest=max(works, key=lambda pair: pair[1].self_ps - pair[1].wait_ps, default=None),
        waits=max(ops, key=lambda pair: pair[1].wait_ps, default=None),
        in_steps=any(row.in_steps is not None for _, row in ops),
    )
