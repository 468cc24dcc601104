"""Steps and stages of an input pipeline → whether steps wait for their input, by how much, and why."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...timeline import CATEGORIES, INDEX
from ..steps import HostSteps, Statistics, StepMeans, statistics, step_means
from .bottleneck import Bottleneck, Stage, merged
from .names import FEEDS
from .stages import InputStages, whole_bottleneck

#: Parts of the step time from which on input is the main cause, and one of several.
HIGH, MODERATE = 0.20, 0.05

BOUND, MODERATELY, NOT = "input-bound", "moderately input-bound", "not input-bound"
_PS_PER_MS = 1e9
#: Of a step of which nothing tells what feeds it: where input that no event shows would be.
_UNTOLD = ("python", "idle", "waiting")
NO_PIPELINE = (
    "no event of an input pipeline: no tf.data iterator, infeed, queue, DataLoader or Python iterator is in the capture"
)


@dataclasses.dataclass(frozen=True)
class HostInput:
    """One host's part of the page."""

    steps: HostSteps
    input: InputStages


@dataclasses.dataclass(frozen=True, eq=False)
class Input:
    """The input of a run.

    stages: of all hosts, most work first. executed: steps of all hosts, whole or not. step, wait, copy: over the steps
    that stand for a step. wait_share, copy_share: of their time. copies_input: whether copies in bring input; a TPU's
    are the program's own, from the host's memory. largest: what takes most of a step beside input, by title, and its
    share. untold: share of Python and of what nothing explains.
    """

    hosts: tuple[InputStages, ...]
    stages: tuple[Stage, ...]
    bottleneck: Bottleneck | None
    feeds: str
    means: StepMeans
    executed: int
    why_no_steps: str
    step: Statistics | None
    wait: Statistics | None
    copy: Statistics | None
    wait_share: float
    copy_share: float
    copies_input: bool
    largest: tuple[str, float]
    untold: float
    mean_ms: float
    slow: int

    @property
    def share(self) -> float:
        return min(self.wait_share + self.copy_share, 1.0)

    @property
    def verdict(self) -> str | None:
        if self.step is None or self.why_untold:
            return None
        return BOUND if self.share >= HIGH else MODERATELY if self.share >= MODERATE else NOT

    @property
    def why_untold(self) -> str:
        """Why steps that do not wait for input as far as is seen may yet do so; empty where that is told."""
        if self.step is None or self.feeds or self.share >= MODERATE or self.untold < HIGH:
            return ""
        return (
            f"no event tells what feeds the program, and {100 * self.untold:.0f} % of a step is Python, or is not "
            "explained: input may be in it"
        )


def whole_input(partials: Sequence[HostInput]) -> Input:
    """The input of all hosts as one run's."""
    parts = [p.steps for p in partials]
    means = step_means(parts)
    n = len(means.exposed_ps)
    counted = means.counted[:n]
    exposed, wall = means.exposed_ps[counted], means.wall_ps[:n][counted]
    wait, copy = (exposed[:, INDEX[key]] for key in ("input_wait", "copy_in"))
    copies_input = any(unit.kind != "tpu" for p in parts for unit in p.split.units)
    copy = copy if copies_input else np.zeros(len(copy))
    total = float(wall.sum())
    inputs = [INDEX[key] for key in (("input_wait", "copy_in") if copies_input else ("input_wait",))]
    # Few slow steps hide what the others wait for, unless it is input that makes them slow.
    usual = max(means.usual[:n], counted, key=lambda some: float(_shares(means, some)[inputs].sum()))
    shares, wall_ps = _shares(means, usual), float(means.wall_ps[:n][usual].sum())
    stages = tuple(merged(stage for p in partials for stage in p.input.stages))
    feeds = min((p.input.feeds for p in partials if p.input.feeds), key=FEEDS.index, default="")
    splits = [p.split.steps for p in parts]
    return Input(
        hosts=tuple(p.input for p in partials),
        stages=stages,
        bottleneck=whole_bottleneck([p.input for p in partials]),
        feeds=feeds,
        means=means,
        executed=sum(map(len, splits)),
        why_no_steps=next((s.reason for s in splits if s.reason), "the capture holds no step"),
        step=statistics(means.wall_ps[means.counted]) if total else None,
        wait=statistics(wait),
        copy=statistics(copy),
        wait_share=float(shares[INDEX["input_wait"]]),
        copy_share=float(shares[INDEX["copy_in"]]) if copies_input else 0.0,
        copies_input=copies_input,
        largest=_largest(shares, ("input_wait", "copy_in") if copies_input else ("input_wait",)),
        untold=min(float(sum(shares[INDEX[key]] for key in _UNTOLD)), 1.0),
        mean_ms=wall_ps / max(int(usual.sum()), 1) / _PS_PER_MS,
        slow=int(counted.sum() - usual.sum()),
    )


def _shares(means: StepMeans, some: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By category its part of some steps."""
    wall_ps = float(means.wall_ps[: len(some)][some].sum())
    shares: NDArray[np.float64] = means.exposed_ps[some].sum(axis=0) / (wall_ps or 1)
    return shares


def _largest(shares: NDArray[np.float64], input: tuple[str, ...]) -> tuple[str, float]:
    """Computing is one part, in whatever precision."""
    rest: Counter[str] = Counter()
    for c, share in zip(CATEGORIES, shares.tolist(), strict=True):
        if c.key not in input:
            rest["Compute" if c.group == "compute" else c.title] += share
    return max(rest.items(), key=lambda pair: pair[1])
