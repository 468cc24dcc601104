"""What ran in steps, by name: how often and for how long, the largest of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, intervals
from ...timeline import Steps, Timeline

#: Names that are kept of each kind, the largest.
MAX_NAMES = 12
MAX_LABEL = 200
_MAX_FEW = 8
_INPUT_THREAD = "tf_data"


class Spent(NamedTuple):
    """How often something ran, and for how long."""

    times: int
    ps: int

    def plus(self, other: Spent) -> Spent:
        return Spent(self.times + other.times, self.ps + other.ps)


Ranking = dict[str, Spent]
NOTHING = Spent(0, 0)


def by_size(sums: Ranking) -> Ranking:
    """The largest, largest first, then by name."""
    return dict(sorted(sums.items(), key=lambda item: (-item[1].ps, item[0]))[:MAX_NAMES])


def ranking(names: Sequence[str], which: I32 | I64, ps: I64) -> Ranking:
    """The largest of what `which` numbers, by name; of equal names the sum."""
    if not len(which):
        return {}
    numbers = which.astype(np.intp, copy=False)
    count, total = np.bincount(numbers), np.bincount(numbers, weights=ps)
    sums: dict[str, Spent] = {}
    for i in np.flatnonzero(count).tolist():
        name = names[i][:MAX_LABEL]
        sums[name] = sums.get(name, NOTHING).plus(Spent(int(count[i]), int(total[i])))
    return by_size(sums)


class Inside:
    """Whether instants lie in a step that counts."""

    def __init__(self, steps: Steps, counted: NDArray[np.bool_], own_span: bool = False) -> None:
        end = steps.end_ps if own_span else steps.until_ps
        self.windows = intervals.union(steps.begin_ps[counted], end[counted])

    def __call__(self, at: I64) -> NDArray[np.bool_]:
        begin, end = self.windows
        if len(begin) <= _MAX_FEW:
            inside = np.zeros(len(at), bool)
            for low, high in zip(begin.tolist(), end.tolist(), strict=True):
                inside |= (at >= low) & (at < high)
            return inside
        row = np.searchsorted(begin, at, side="right") - 1
        result: NDArray[np.bool_] = (row >= 0) & (at < end[row])
        return result


def input_tracks(timeline: Timeline) -> NDArray[np.bool_]:
    names = timeline.capture.strings.of(timeline.capture.tracks.name)
    return np.array([name.startswith(_INPUT_THREAD) for name in names], bool)
