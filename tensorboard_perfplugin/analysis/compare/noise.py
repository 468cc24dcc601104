"""Step times of two sides → by how much their means differ, and whether that is more than noise."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ...tables import F64
from ...threshold import CHOSEN, Threshold

ONE_RUN = Threshold(
    "run to run",
    0.03,
    "share",
    "of a step; with one capture a side, steps show how a run varies within itself, not how one run differs from the "
    "next of the same program",
    CHOSEN,
)
#: Resamples, and the part of their differences that lies outside of the interval, half on each side: a gate that took
#: one build of twenty for slower would be switched off. NORMAL: the normal distribution's quantile for that part.
RESAMPLES, OUTSIDE, NORMAL = 4000, 0.01, 2.575829
#: Steps whose neighbours are alike: blocks of so many are drawn together.
_BLOCK = 4
_MAX_STEPS = 2000
_SEED = 5

Verdict = Literal["slower", "faster", "noise", "unknown"]


@dataclasses.dataclass(frozen=True)
class Difference:
    """Of B's mean step to A's, in ps. low, high: the interval that holds 99 % of resampled differences; None where a
    side has one step. verdict: unknown without steps. repeated: whether both sides have several captures."""

    a_ps: float
    b_ps: float
    low_ps: float | None
    high_ps: float | None
    verdict: Verdict
    repeated: bool

    @property
    def ps(self) -> float:
        return self.b_ps - self.a_ps

    @property
    def share(self) -> float | None:
        return self.ps / self.a_ps if self.a_ps else None


def difference(a: Sequence[F64], b: Sequence[F64]) -> Difference:
    """a, b: of each capture of a side the times of its typical steps, in order; each capture counts the same.

    Captures are drawn with replacement, and of each blocks of its steps that follow one another: steps next to each
    other are alike. A seed that is always the same makes the answer one.
    """
    a, b = ([steps for steps in side if len(steps)] for side in (a, b))
    repeated = min(len(a), len(b)) > 1
    if not a or not b:
        return Difference(_mean(a), _mean(b), None, None, "unknown", repeated)
    a_ps, b_ps = _mean(a), _mean(b)
    if min(sum(map(len, a)), sum(map(len, b))) < 2:
        return Difference(a_ps, b_ps, None, None, "unknown", repeated)
    random = np.random.default_rng(_SEED)
    apart = (_resampled(b, random) - b_ps) - (_resampled(a, random) - a_ps)
    apart *= _wider(_count(a) + _count(b) - 2)
    low, high = (b_ps - a_ps + float(np.quantile(apart, q)) for q in (OUTSIDE / 2, 1 - OUTSIDE / 2))
    return Difference(a_ps, b_ps, low, high, _verdict(a_ps, b_ps, low, high, repeated), repeated)


def _verdict(a_ps: float, b_ps: float, low: float, high: float, repeated: bool) -> Verdict:
    if low <= 0 <= high or (not repeated and abs(b_ps - a_ps) <= ONE_RUN.value * a_ps):
        return "noise"
    return "slower" if b_ps > a_ps else "faster"


def _mean(side: Sequence[F64]) -> float:
    return float(np.mean([steps.mean() for steps in side])) if side else 0.0


def _count(side: Sequence[F64]) -> int:
    """What is drawn from: captures, of one its steps."""
    return len(side) if len(side) > 1 else len(side[0])


def _wider(freedom: int) -> float:
    """Student's quantile over the normal one: draws from few vary less than what they are drawn from.

    By the first three terms of the Cornish-Fisher expansion: within 4 % from three degrees of freedom on.
    """
    z, n = NORMAL, max(freedom, 1)
    t = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return t / z


def _resampled(side: Sequence[F64], random: np.random.Generator) -> F64:
    """Means of RESAMPLES draws, as far from the mean as draws that know only so many are to be."""
    means = np.stack([_of_one(_grouped(steps), random) for steps in side])
    drawn = random.integers(0, len(side), (len(side), RESAMPLES))
    mean: F64 = means[drawn, np.arange(RESAMPLES)].mean(axis=0)
    count, middle = _count(side), _mean(side)
    apart: F64 = (mean - middle) * float(count / max(count - 1, 1)) ** 0.5
    return middle + apart


def _grouped(steps: F64) -> F64:
    """Long runs as means of neighbours, so that no more than so many are drawn."""
    many = -(-len(steps) // _MAX_STEPS)
    edges = np.arange(0, len(steps), many)
    return np.add.reduceat(steps, edges) / np.diff(np.append(edges, len(steps)))


def _of_one(steps: F64, random: np.random.Generator) -> F64:
    n = len(steps)
    block = min(_BLOCK, max(n // 4, 1))
    blocks = -(-n // block)
    begin = random.integers(0, n, (RESAMPLES, blocks))
    rows = (begin[:, :, None] + np.arange(block)) % n
    mean: F64 = steps[rows.reshape(RESAMPLES, -1)[:, :n]].mean(axis=1)
    return mean
