"""The tf.data of each host → the run's: its pipelines, the one that costs most, and how long steps wait."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...errors import ArgumentError
from ...messages import Message
from ...tables import Options
from ...timeline import INDEX
from ..input import SlowWaits, slow_waits
from ..steps import StepMeans, are_typical, of_one_program, statistics, step_means
from .blame import ALL_SLOW
from .partial import Chosen, HostTfData, Pipeline, costs

_IN_A_MESSAGE = 20
#: Slow steps that are shown.
_PLACES = 5


@dataclasses.dataclass(frozen=True)
class Run:
    """The tf.data of a run.

    pipelines: of all hosts, the one that costs most first. step_ps: of a host, the mean wall time of a step, absent
    without. steps: of a host, how many began in its capture. chosen: the host and the pipeline whose calls are given.
    typical: of a host whose slow steps are set apart, how many times as long as a mean step a typical one waits, and
    takes. slow: what slow steps wait.
    """

    hosts: tuple[HostTfData, ...]
    pipelines: tuple[Pipeline, ...]
    means: StepMeans
    step_ps: dict[str, float]
    steps: dict[str, int]
    chosen: tuple[HostTfData, Chosen] | None
    typical: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    slow: SlowWaits | None = None

    @property
    def main(self) -> Pipeline | None:
        """The pipeline that costs the program most."""
        return self.pipelines[0] if self.pipelines else None

    def share(self, pipeline: Pipeline) -> float | None:
        """Part of a step that waits for a pipeline; None where that is not known."""
        step = self.step_ps.get(pipeline.host)
        return None if pipeline.wait_ps is None or not step else min(pipeline.wait_ps / step, 1.0)

    def typical_share(self, pipeline: Pipeline) -> float | None:
        """Part of a typical step that waits for a pipeline; None where that is not known."""
        step, (waits, takes) = self.step_ps.get(pipeline.host), self.typical.get(pipeline.host, (1.0, 1.0))
        return None if pipeline.wait_ps is None or not step else min(pipeline.wait_ps * waits / (step * takes), 1.0)

    def waits(self, host: str) -> float:
        """How long a step of a host waits for all its pipelines, in ps; what feeds another is waited for in that."""
        return sum(p.wait_ps or 0.0 for p in self.pipelines if p.host == host and not (p.device and p.fed_by))

    def typical_wait(self, host: str) -> tuple[float, float] | None:
        """How long a typical step of a host waits for all its pipelines, in ps, and the part of it that is."""
        step, (waits, takes) = self.step_ps.get(host), self.typical.get(host, (1.0, 1.0))
        wait = self.waits(host) * waits
        return (wait, min(wait / (step * takes), 1.0)) if step else None

    @property
    def why_no_steps(self) -> Message:
        reasons = (h.steps.split.steps.reason for h in self.hosts)
        return next((reason for reason in reasons if reason), Message("no_steps.none_held"))

    def made_ps(self, pipeline: Pipeline) -> float:
        """What the threads of the stage that limits a pipeline work for each step of its host."""
        limit = pipeline.bottleneck
        return limit.made_ps(self.steps.get(pipeline.host, 0)) if limit is not None else 0.0

    def outside_share(self, pipeline: Pipeline) -> float:
        """Part of the capture in which the program waits for a pipeline outside of steps."""
        span = self.span_ps(pipeline.host)
        return pipeline.outside_ps / span if span else 0.0

    def span_ps(self, host: str) -> int:
        return next(h.span_ps for h in self.hosts if h.host == host)


def whole(partials: Sequence[HostTfData], options: Options) -> Run:
    """The tf.data of a program's hosts. Raises ArgumentError for a pipeline or an execution that is not there."""
    judged = of_one_program([h.steps for h in partials])
    partials = [h for h, is_mine in zip(partials, judged, strict=True) if is_mine]
    pipelines = sorted((p for h in partials for p in h.pipelines), key=costs, reverse=True)
    step_ps = {h.host: mean for h in partials if (mean := _step_ps(h)) is not None}
    steps = {h.host: len(h.steps.split.steps) for h in partials}
    chosen = _chosen(partials, options) if pipelines else None
    means = step_means([h.steps for h in partials])
    typical = {h.host: times for h in partials if (times := _typical(h)) is not None}
    waits = means.exposed_ps[:, INDEX["input_wait"]]
    slow = slow_waits(means, waits, np.zeros(len(waits)), _PLACES)
    return Run(tuple(partials), tuple(pipelines), means, step_ps, steps, chosen, typical, slow)


def _typical(host: HostTfData) -> tuple[float, float] | None:
    """How many times as long as a mean step a typical one waits for input, and takes; None where all are typical."""
    split = host.steps.split
    n = split.exposed_ps.shape[1]
    counted = split.steps.counted[:n]
    typical = counted & are_typical(split.steps.wall_ps, split.steps.whole)[:n]
    if not typical.any() or typical.sum() == counted.sum():
        return None
    waits, walls = split.mean_ps(split.exposed_ps)[:, INDEX["input_wait"]], split.steps.wall_ps[:n]
    times = [float(of[typical].mean() / (of[counted].mean() or 1)) for of in (waits, walls)]
    return times[0], times[1]


def _step_ps(host: HostTfData) -> float | None:
    steps = host.steps.split.steps
    if not len(steps):
        return None
    wall = statistics(steps.wall_ps[steps.counted])
    return wall.mean * 1e9 if wall else None


def _chosen(partials: Sequence[HostTfData], options: Options) -> tuple[HostTfData, Chosen]:
    choices = [(h, h.chosen) for h in partials if h.chosen is not None]
    if not choices:
        names = list(dict.fromkeys(p.name for h in partials for p in h.pipelines))
        raise ArgumentError.with_choices(f"pipeline={str(options['pipeline'])[:80]!r}", names, _IN_A_MESSAGE)
    host, chosen = max(choices, key=lambda pair: costs(pair[0].pipelines[pair[1].pipeline]))
    if chosen.execution != ALL_SLOW and not chosen.graph:
        last = f"0 to {chosen.count - 1:,}, or -1" if chosen.count else "-1, since no call of it was recorded"
        raise ArgumentError(f"execution={chosen.execution}: use {last}")
    return host, chosen
