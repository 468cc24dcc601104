"""`Split`: for each step and device, how its wall time divides among the categories."""

from __future__ import annotations

import dataclasses
from typing import Literal, NamedTuple

from ...tables import I64
from ..steps import Steps
from .categories import CATEGORIES


class Unit(NamedTuple):
    """What a step is split for: a device (its row in `planes`), or the host itself (-1)."""

    plane: int
    name: str
    kind: Literal["cpu", "gpu", "tpu"]


@dataclasses.dataclass(frozen=True, eq=False)
class Split:
    """The steps' wall times, divided.

    units: the devices that ran something, or the host alone. exposed_ps, union_ps: of shape (units, steps,
    CATEGORIES). exposed_ps counts each instant once, to the first category that holds; over the categories it adds up
    to the step's wall time. union_ps counts all of a category's time, hidden behind others or not.
    left_out: how many steps, the last ones, were not split, since there are too many.
    longest: by unit and category, both by place: the longest stretches that count to it, (begin, end) in ps, longest
    first, in the whole step that has most of it. Nothing where the capture tells only sums.
    """

    steps: Steps
    units: tuple[Unit, ...]
    exposed_ps: I64
    union_ps: I64
    left_out: int = 0
    longest: dict[tuple[int, int], tuple[tuple[int, int], ...]] = dataclasses.field(default_factory=dict)

    def check(self) -> None:
        """Raise AssertionError unless the parts add up."""
        n = len(self.steps) - self.left_out
        assert self.exposed_ps.shape == self.union_ps.shape == (len(self.units), n, len(CATEGORIES)), "shape"
        assert (self.exposed_ps >= 0).all(), "less than nothing"
        assert (self.exposed_ps <= self.union_ps).all(), "exposed is more than all"
        assert (self.exposed_ps.sum(axis=2) == self.steps.wall_ps[:n]).all(), "categories and wall time differ"
        assert (self.union_ps <= self.steps.wall_ps[None, :n, None]).all(), "more than the step"
        for (unit, category), stretches in self.longest.items():
            most = self.exposed_ps[unit, :, category].max()
            assert 0 < sum(end - begin for begin, end in stretches) <= most, "stretches that are not its own"
