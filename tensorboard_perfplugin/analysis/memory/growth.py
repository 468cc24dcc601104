"""One memory system and the steps → what each step uses, whether use grows from step to step, and by what."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...messages import Message
from ...tables import I64
from ...threshold import CHOSEN, Threshold
from ...timeline import Steps
from .events import Bools
from .groups import Groups
from .series import Series

FEWEST = Threshold(
    "steps that show growth",
    4,
    "steps",
    "with fewer whole steps growth is unknown: what is set up once looks like growth",
    CHOSEN,
)
SURE = Threshold(
    "steps that show sure growth", 6, "steps", "from so many whole steps on growth is sure, if all else agrees", CHOSEN
)
#: The last steps, whose allocations may be live at the capture's end without being kept.
_LAST = 2
#: Pairs of so many steps are compared, evenly chosen among more.
_COMPARED = 200
RISES = Threshold(
    "rising steps", 0.6, "share", "so many of the steps must hold no less than the one before for growth", CHOSEN
)
RISES_SURELY = Threshold(
    "surely rising steps",
    0.8,
    "share",
    "so many of the steps must hold no less than the one before for sure growth",
    CHOSEN,
)
TAIL = Threshold(
    "last steps that grow",
    3,
    "steps",
    "growth must go on in the last third of the steps, in no fewer than these",
    CHOSEN,
)
PACE = Threshold(
    "pace of the last steps",
    0.25,
    "share",
    "growth in the last third of the steps must be at this part of its pace or more",
    CHOSEN,
)
AGREES = Threshold(
    "kept allocations that agree",
    2,
    "times",
    "what steps allocate and keep explains growth up to so many times more or less of it",
    CHOSEN,
)
TIMES_NOISE = Threshold(
    "growth above noise",
    3,
    "times",
    "growth over all steps must be so many times what steps stray from the line",
    CHOSEN,
)


@dataclasses.dataclass(frozen=True, eq=False)
class StepUse:
    """Use of one memory system by step; arrays by step, in bytes unless named otherwise. counted: the whole steps."""

    steps: Steps
    begin: I64
    end: I64
    lowest: I64
    peak: I64
    allocations: I64
    deallocations: I64
    allocated: I64
    freed: I64
    kept: I64

    @property
    def counted(self) -> Bools:
        return self.steps.whole


@dataclasses.dataclass(frozen=True)
class Growth:
    """How use grows with each whole step. slope: bytes, None where it is unknown, for which `reason` says why.

    confidence: none, low, medium, high. kept: bytes that a step allocates and keeps, None where unknown.
    """

    slope: float | None
    confidence: str
    steps: int
    rising: float
    kept: float | None
    reason: Message | None = None


@dataclasses.dataclass(frozen=True)
class Kept:
    """When allocations that are never freed count as kept: [begin, end) in ps, of so many steps; 0: unknown."""

    begin_ps: int
    end_ps: int
    steps: int

    def by_op(self, of: Series, rows: I64, groups: Groups) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
        """Bytes that each group of allocations keeps, by step."""
        if not self.steps:
            return None
        time = of.events.time_ps[rows]
        keeps = (of.end[rows] == len(of)) & (time >= self.begin_ps) & (time < self.end_ps)
        return groups.sum(np.where(keeps, of.size[rows], 0)) / self.steps


def step_use(of: Series, steps: Steps) -> StepUse:
    """Sums over the events within each step's wall time."""
    time, n = of.events.time_ps, len(of)
    low = np.searchsorted(time, steps.begin_ps)
    high = np.maximum(np.searchsorted(time, steps.until_ps), low)
    total = np.concatenate(([of.heap_at_begin + int(of.stack[0])], of.total))
    allocates, never = of.events.is_allocation, of.end == n

    def summed(values: I64) -> I64:
        before = np.concatenate(([0], np.cumsum(values)))
        within: I64 = before[high] - before[low]
        return within

    return StepUse(
        steps,
        begin=total[low],
        end=total[high],
        lowest=_reduced(np.minimum, total, low, high),
        peak=_reduced(np.maximum, total, low, high),
        allocations=summed(allocates.astype(np.int64)),
        deallocations=summed((~allocates).astype(np.int64)),
        allocated=summed(np.where(allocates, of.size, 0)),
        freed=summed(np.where(allocates, 0, of.size)),
        kept=summed(np.where(allocates & never, of.size, 0)),
    )


def _reduced(how: np.ufunc, values: I64, low: I64, high: I64) -> I64:
    """Over values[low : high + 1] of each step."""
    if not len(low):
        return np.empty(0, np.int64)
    ends = np.stack((low, high + 1), axis=1).ravel()
    reduced: I64 = how.reduceat(np.append(values, values[-1]), ends)[::2]
    return reduced


def kept_window(steps: Steps, skipped: int = 0) -> Kept:
    """From the first whole step, after those skipped, to the last but two."""
    whole = np.flatnonzero(steps.whole)
    if len(whole) < FEWEST.value:
        return Kept(0, 0, 0)
    if len(whole) > _LAST + skipped:
        whole = whole[skipped:]
    last = whole[-1 - _LAST]
    return Kept(int(steps.begin_ps[whole[0]]), int(steps.until_ps[last]), len(whole) - _LAST)


def growth(use: StepUse) -> Growth:
    """The median of slopes between the least in use in whole steps, and whether what they keep agrees with it."""
    at = np.flatnonzero(use.counted)
    if len(at) < FEWEST.value:
        reason = Message("growth_unknown.few_steps", {"steps": len(at), "needed": FEWEST.value})
        return Growth(None, "none", len(at), 0.0, None, reason)
    lowest = use.lowest[at].astype(np.float64)
    slope, stray = _line(lowest)
    late = _line(lowest[-max(len(lowest) // 3, TAIL.value) :])[0]
    rising = float((np.diff(lowest) >= 0).mean())
    kept = np.sort(use.kept[at][:-_LAST])
    keeps = float(kept[:-1].mean()) if len(kept) > 1 else float(kept.mean())
    grows = (
        slope > 0
        and late >= PACE.value * slope
        and rising >= RISES.value
        and slope * (len(at) - 1) > TIMES_NOISE.value * stray
    )
    confidence = "none"
    if grows:
        agrees = 1 / AGREES.value <= keeps / slope <= AGREES.value
        sure = agrees and len(at) >= SURE.value and rising >= RISES_SURELY.value
        confidence = "high" if sure else "medium" if agrees else "low"
    return Growth(slope, confidence, len(at), rising, keeps)


def _line(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    """The median of the slopes between all pairs, and the median distance from the line of that slope."""
    if len(values) < 2:
        return 0.0, 0.0
    at = np.unique(np.linspace(0, len(values) - 1, min(len(values), _COMPARED)).astype(np.int64))
    a, b = np.triu_indices(len(at), 1)
    slope = float(np.median((values[at[b]] - values[at[a]]) / (at[b] - at[a])))
    rest = values - slope * np.arange(len(values))
    return slope, float(np.median(np.abs(rest - np.median(rest))))
