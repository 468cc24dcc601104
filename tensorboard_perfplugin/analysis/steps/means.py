"""Hosts' steps side by side → each step's times as means over hosts and devices, and statistics over steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, Column, Evidence, Intervals, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import CATEGORIES, Cut, Steps
from .hosts import HostSteps, RunSteps, run_steps
from .options import SLOW, SPLIT_OF

#: Rows of a page's table of steps.
MAX_ROWS = 10_000
_TWO = 2
FEW = Threshold(
    "few slow steps",
    0.25,
    "share",
    "so many of the whole steps or fewer, or one, are set apart where they are slow: what comes back in every fourth "
    "step; more of them are how the program runs",
    CHOSEN,
)
COME_BACK = Threshold(
    "slow steps that come back",
    4,
    "steps",
    "slow steps that come three times or more, each as many steps after the one before, and so many at least, are set "
    "apart, too: of an evaluation in every fourth, a capture that begins with one has more than a quarter",
    CHOSEN,
)
LONGEST = Threshold(
    "longest of slow steps",
    0.9,
    "share",
    "of what all slow steps take more; the longest that take so much are counted by themselves, since steps after them "
    "often take somewhat longer",
    CHOSEN,
)

CUT = Column.text(
    "cut",
    "Why it counts in no mean: its `begin` or `end` is not in the capture, it is the `last`, or a `host` lacks it.",
)


@dataclasses.dataclass(frozen=True, eq=False)
class StepMeans:
    """The steps of all hosts as one run's; times in ps.

    parts: all hosts', those without steps too. run: which step of which host. wall_ps, span_ps: by step of the run,
    mean over the hosts that have it.
    exposed_ps, union_ps: (steps, CATEGORIES), mean over each host's units, then over hosts; exposed_ps adds up to
    wall_ps. Shorter than the steps where there were too many to split. cut: `Cut` flags of any host. last: no next one
    begins. whole: counts in a mean: on every host, or, where no step does so on all, on every host that has it.
    """

    parts: tuple[HostSteps, ...]
    run: RunSteps
    wall_ps: F64
    span_ps: F64
    exposed_ps: F64
    union_ps: F64
    cut: I64
    last: NDArray[np.bool_]
    whole: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.wall_ps)

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which steps stand for a step: the whole ones, or all where none is."""
        return self.whole if self.whole.any() else np.ones(len(self), bool)

    @property
    def slow(self) -> NDArray[np.bool_]:
        """Which whole steps take more than `SLOW` times the usual one."""
        return slow(self.wall_ps, self.whole)

    @property
    def typical(self) -> NDArray[np.bool_]:
        """The counted ones without the slow steps, where these are few."""
        return self.counted & are_typical(self.wall_ps, self.whole)

    def of(self, choice: str) -> NDArray[np.bool_]:
        """The counted ones that a value of `SPLIT_OF` stands for. Raises ArgumentError for another one."""
        choice = str(SPLIT_OF.parse(choice))
        return {"all": self.counted, "typical": self.counted & ~self.slow, "slow": self.slow}[choice]

    def mean_ps(self, of: F64, over: NDArray[np.bool_] | None = None) -> F64:
        """Mean over the steps that stand for a step, or over some, by category; of those that were split."""
        counted = (self.counted if over is None else over)[: len(of)]
        mean: F64 = of[counted if counted.any() else slice(None)].mean(axis=0) if len(of) else np.zeros(of.shape[1])
        return mean

    def why_cut(self, first: int, end: int) -> list[str]:
        """Why each of some steps counts in no mean, as `CUT` says; empty where it does."""
        part = slice(first, end)
        columns = (column[part].tolist() for column in (self.cut, self.last, self.whole))
        return [_why_cut(*flags) for flags in zip(*columns, strict=True)]

    def longest(self, categories: Sequence[int], count: int, over: NDArray[np.bool_] | None = None) -> list[Evidence]:
        """The longest stretches that count to some categories, by place, of any host and device, longest first.

        over: only those that lie in some steps.
        """
        some = [p for p in self.parts if len(p.split.steps)]
        found = [
            Evidence(part.host, begin, end)
            for part, row in zip(some, self.run.row, strict=True)
            for (_, category), stretches in part.split.longest.items()
            if category in categories
            for begin, end in stretches
            if over is None or _lies_in(part.split.steps, row[over & (row >= 0)], begin, end)
        ]
        return sorted(found, key=lambda e: e.start_ps - e.end_ps)[:count]

    def check(self) -> None:
        """Raise AssertionError unless the categories add up to the wall time."""
        n = len(self.exposed_ps)
        assert np.allclose(self.exposed_ps.sum(axis=1), self.wall_ps[:n], rtol=1e-9, atol=1), "parts and wall time"


def _lies_in(steps: Steps, rows: I64, begin_ps: int, end_ps: int) -> bool:
    """Whether a stretch of time lies in one of some steps."""
    return bool(((steps.begin_ps[rows] <= begin_ps) & (end_ps <= steps.until_ps[rows])).any())


def usual_ps(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> float:
    """What steps are compared with: the median of the whole ones; of two the second, where the first is cold."""
    some = wall_ps[whole]
    if is_cold(wall_ps, whole):
        return float(some[1])
    return float(np.median(some)) if len(some) else 0.0


def is_cold(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> bool:
    """Whether two steps are whole, and the first, which does what others need not, takes more than `SLOW` times as
    long: the second alone then stands for a step."""
    some = wall_ps[whole]
    return len(some) == _TWO and 0 < SLOW.value * some[1] < some[0]


def slow(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which steps take more than `SLOW` times the usual one; none of one, or where most take no time."""
    usual = usual_ps(wall_ps, whole)
    found: NDArray[np.bool_] = whole & (wall_ps > SLOW.value * usual) & (usual > 0)
    return found


def are_typical(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All steps, but the slow ones where they are few, or come back: what they do, the others do not."""
    found = slow(wall_ps, whole)
    longest = found & (wall_ps >= _from_ps(wall_ps, whole, found))
    apart = all(_are_few(some, whole) or _come_back(some) for some in (longest, found & ~longest))
    return ~found if apart else np.ones(len(wall_ps), bool)


def _are_few(some: NDArray[np.bool_], whole: NDArray[np.bool_]) -> bool:
    return int(some.sum()) <= max(1.0, FEW.value * int(whole.sum()))


def _come_back(some: NDArray[np.bool_]) -> bool:
    """Whether some steps are at even distances."""
    distances = np.diff(np.flatnonzero(some))
    return bool(len(distances) > 1 and COME_BACK.value <= distances.min() == distances.max())


def slow_spans(steps: Steps) -> Intervals:
    """When slow steps are, where these are few."""
    left_out = steps.whole & ~are_typical(steps.wall_ps, steps.whole)
    return intervals.union(steps.begin_ps[left_out], steps.until_ps[left_out])


def _from_ps(wall_ps: F64 | I64, whole: NDArray[np.bool_], slow: NDArray[np.bool_]) -> float:
    """The time from which on slow steps take, together, most of what all slow ones take more than the usual one."""
    if not slow.any():
        return 0.0
    wall = np.sort(wall_ps[slow])[::-1].astype(np.float64)
    more = np.cumsum(wall - usual_ps(wall_ps, whole))
    return float(wall[np.searchsorted(more, LONGEST.value * more[-1])])


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Of some steps' times, in ms. sd: of a sample, None of fewer than two. p95: 95 % are not above it."""

    count: int
    mean: float
    median: float
    p95: float
    sd: float | None
    min: float
    max: float


def statistics(values_ps: F64 | I64) -> Statistics | None:
    """None without values."""
    if not len(values_ps):
        return None
    ms = values_ps / 1e9
    return Statistics(
        len(ms),
        float(ms.mean()),
        float(np.median(ms)),
        float(np.percentile(ms, 95, method="inverted_cdf")),
        float(ms.std(ddof=1)) if len(ms) > 1 else None,
        float(ms.min()),
        float(ms.max()),
    )


def step_means(parts: Sequence[HostSteps]) -> StepMeans:
    """Put the hosts' steps together."""
    run = run_steps(list(parts))
    splits = [p.split for p in parts if len(p.split.steps)]
    n, has = len(run.number), run.row >= 0
    hosts = np.maximum(has.sum(axis=0), 1)
    span, cut, last = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, bool)
    for split, row, here in zip(splits, run.row, has, strict=True):
        steps, at = split.steps, row[here]
        span[here] += steps.span_ps[at]
        cut[here] |= steps.cut[at]
        last[here] |= steps.next_ps[at] < 0
    wall, whole = whole_walls(parts, run)
    exposed = _over_hosts([s.mean_ps(s.exposed_ps) for s in splits], run.row)
    union = _over_hosts([s.mean_ps(s.union_ps) for s in splits], run.row)
    return StepMeans(tuple(parts), run, wall, span / hosts, exposed, union, cut, last, whole)


def whole_walls(parts: Sequence[HostSteps], run: RunSteps) -> tuple[F64, NDArray[np.bool_]]:
    """By step of the run its wall time, mean over the hosts that have it, and whether it counts, as in `StepMeans`."""
    has = run.row >= 0
    wall, whole = np.zeros(len(run.number)), np.ones(len(run.number), bool)
    some = [p.split.steps for p in parts if len(p.split.steps)]
    for steps, row, here in zip(some, run.row, has, strict=True):
        wall[here] += steps.wall_ps[row[here]]
        whole[here] &= steps.whole[row[here]]
    if (whole & run.common).any():
        whole &= run.common
    return wall / np.maximum(has.sum(axis=0), 1), whole


def _over_hosts(by_host: Sequence[F64], rows: I64) -> F64:
    """(steps, CATEGORIES) of each host → (steps of the run, CATEGORIES), as far as all hosts have them split."""
    n = rows.shape[1]
    for values, row in zip(by_host, rows, strict=True):
        beyond = np.flatnonzero(row >= len(values))
        n = min(n, int(beyond[0])) if len(beyond) else n
    total, count = np.zeros((n, len(CATEGORIES))), np.zeros(n)
    for values, row in zip(by_host, rows[:, :n], strict=True):
        here = row >= 0
        total[here] += values[row[here]]
        count[here] += 1
    mean: F64 = total / np.maximum(count, 1)[:, None]
    return mean


def _why_cut(cut: int, last: bool, whole: bool) -> str:
    found = {"begin": cut & Cut.BEGIN, "end": cut & Cut.END, "last": last}
    return "" if whole else ", ".join(what for what, holds in found.items() if holds) or "host"
