"""Overviews of two runs → by how much the typical step changed, and whether that is more than noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..analysis.compare.changes import ONE_RUN, Verdict, difference
from ..analysis.steps.means import are_typical
from ..tables import F64
from .declaration import Answer

#: Longer runs are kept as means of so many stretches of neighbours: a table compares each run with several.
MOST_STEPS = 200


class StepChange(NamedTuple):
    """share: of the base's step. verdict: as of a comparison of one capture with one."""

    share: float
    verdict: Verdict


def typical_steps(overview: Answer) -> list[float]:
    """The times of a run's typical steps in ms, in order, at most MOST_STEPS."""
    table = overview.result.tables["steps"]
    wall = np.asarray(table["duration_ms"], np.float64)
    whole = np.array([not why for why in table["cut"]], bool)
    counted = whole if whole.any() else np.ones(len(wall), bool)
    steps: F64 = wall[counted & are_typical(wall, whole)]
    if len(steps) > MOST_STEPS:
        edges = np.linspace(0, len(steps), MOST_STEPS, endpoint=False).astype(np.int64)
        steps = np.add.reduceat(steps, edges) / np.diff(np.append(edges, len(steps)))
    return [float(step) for step in steps]


def step_change(base_ms: Sequence[float], new_ms: Sequence[float]) -> StepChange | None:
    """From one run's steps to another's; None where one has none.

    What is below the noise from run to run needs no resampling.
    """
    base, new = np.asarray(base_ms, np.float64), np.asarray(new_ms, np.float64)
    if not len(base) or not len(new) or not base.mean():
        return None
    share = float(new.mean() / base.mean() - 1)
    if min(len(base), len(new)) > 1 and abs(share) <= ONE_RUN.value:
        return StepChange(share, "noise")
    return StepChange(share, difference([base], [new]).verdict)
