"""A timeline and its split → how long ops run in typical steps, and how long outside of all, where no device works."""

from __future__ import annotations

from typing import NamedTuple

from ...timeline import Split, Timeline
from .means import are_typical, slow
from .ops_in_steps import ops_in_steps
from .ranking import Inside, Spent


class Issued(NamedTuple):
    """steps: how many typical ones these are. inside_ps, outside_ps: of ops on a host, in them and in no step."""

    steps: int = 0
    inside_ps: int = 0
    outside_ps: int = 0

    def plus(self, other: Issued) -> Issued:
        return Issued(*(a + b for a, b in zip(self, other, strict=True)))


def issued(timeline: Timeline, split: Split) -> Issued:
    """Nothing where devices work: what they do is in their own steps. As `step_summary` tells it, of the same ops."""
    steps = split.steps
    if not len(steps) or any(unit.plane >= 0 for unit in split.units):
        return Issued()
    counted = steps.counted & are_typical(steps.wall_ps, steps.whole)
    inside, in_slow = Inside(steps, counted), Inside(steps, slow(steps.wall_ps, steps.whole))
    found = ops_in_steps(timeline, inside, inside, in_slow)
    work, outside_ps = found["all_work"], found["outside_ps"]
    if not isinstance(work, Spent) or not isinstance(outside_ps, int):
        raise TypeError(found)
    return Issued(int(counted.sum()), work.ps, outside_ps)
