"""`Split`: for each step and device, how its wall time divides among the categories."""

from __future__ import annotations

import dataclasses
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ..categories import CATEGORIES
from ..steps.model import Steps


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
    first, in the whole step that has most of it, by the times of the trace. Nothing where the capture gives only sums.
    lanes: by unit the lane of its steps where steps are several workers', each of a device of its own; of another
    worker's step a unit has nothing.
    """

    steps: Steps
    units: tuple[Unit, ...]
    exposed_ps: I64
    union_ps: I64
    left_out: int = 0
    longest: dict[tuple[int, int], tuple[tuple[int, int], ...]] = dataclasses.field(default_factory=dict)
    lanes: tuple[int, ...] = ()

    @property
    def ran(self) -> NDArray[np.bool_]:
        """(units, steps): which unit runs which step."""
        shape = self.exposed_ps.shape[:2]
        if not self.lanes:
            return np.ones(shape, bool)
        found: NDArray[np.bool_] = np.array(self.lanes)[:, None] == self.steps.lane[: shape[1]]
        return found

    def mean_ps(self, of: I64) -> NDArray[np.float64]:
        """(units, steps, CATEGORIES) → (steps, CATEGORIES): the mean over the units that run the step."""
        mean: NDArray[np.float64] = of.mean(axis=0)
        if self.lanes:
            mean = of.sum(axis=0) / np.maximum(self.ran.sum(axis=0), 1)[:, None]
        return mean

    def check(self) -> None:
        """Raise AssertionError unless the parts add up."""
        n = len(self.steps) - self.left_out
        assert self.exposed_ps.shape == self.union_ps.shape == (len(self.units), n, len(CATEGORIES)), "shape"
        assert (self.exposed_ps >= 0).all(), "less than nothing"
        assert (self.exposed_ps <= self.union_ps).all(), "exposed is more than all"
        parts, ran = self.exposed_ps.sum(axis=2), self.ran
        assert (parts == np.where(ran, self.steps.wall_ps[:n], 0)).all(), "categories and wall time differ"
        assert ran.any(axis=0).all(), "a step that no unit runs"
        assert (self.union_ps <= self.steps.wall_ps[None, :n, None]).all(), "more than the step"
        for (unit, category), stretches in self.longest.items():
            most, own = self.exposed_ps[unit, :, category].max(), self.steps.own is not None
            length = sum(end - begin for begin, end in stretches)
            assert 0 < length <= most or own, "stretches that are not its own"
