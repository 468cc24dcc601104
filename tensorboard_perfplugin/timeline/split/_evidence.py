"""A split → the intervals that a number of it was summed up from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...tables import intervals
from ...tables.intervals import EMPTY, Intervals
from ._categories import INDEX
from ._model import Split
from ._sets import Sets, union
from ._split import Classes

if TYPE_CHECKING:
    from .._timeline import Timeline


class Evidence:
    """When a category of a unit was exposed. The classes are worked out once; keep it only as long as it is asked."""

    def __init__(self, timeline: Timeline, split: Split) -> None:
        self._split = split
        self._classes = Classes(timeline, split.steps, split.units) if split.steps.rule != "recorded" else None
        self._sets: dict[int, Sets] = {}

    def exposed(self, unit: int, key: str, step: int) -> Intervals:
        """The instants of a step, by its place among the steps, that count to a category of a unit, by its place.

        Their total is `exposed_ps[unit, step, INDEX[key]]`. None where the capture tells only sums.
        """
        if self._classes is None:
            return EMPTY
        if unit not in self._sets:
            self._sets[unit] = self._classes.of_unit(unit)
        steps, category = self._split.steps, INDEX[key]
        begin, until = int(steps.begin_ps[step]), int(steps.until_ps[step])
        sets = {i: intervals.clip(one, begin, until) for i, one in self._sets[unit].items()}
        mine = sets.get(category, EMPTY)
        if category == self._classes.rest(unit):
            mine = union((mine, intervals.gaps(union(sets.values()), begin, until)))
        return intervals.subtraction(mine, union(one for i, one in sets.items() if i < category))

    def longest(self, unit: int, key: str, step: int, count: int = 3) -> list[tuple[int, int]]:
        """The longest of them, longest first, as (begin, end) in ps."""
        found = self.exposed(unit, key, step)
        order = np.argsort(found.begin - found.end, kind="stable")[:count]
        return list(zip(found.begin[order].tolist(), found.end[order].tolist(), strict=True))
