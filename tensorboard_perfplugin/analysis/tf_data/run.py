"""What the hosts found in their tf.data → the run's: its pipelines, the one that matters, and what it does to steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ...errors import ArgumentError
from ...tables import Options
from ..input import BOUND, HIGH, MODERATE, MODERATELY, NOT
from ..steps import StepMeans, statistics, step_means
from .blame import ALL_SLOW
from .partial import Chosen, HostTfData, Pipeline, costs

NO_TF_DATA = (
    "no call of a tf.data iterator is in this capture; what else feeds a program, a PyTorch DataLoader or a Python "
    "iterator say, is on the input pipeline's page"
)
_IN_A_MESSAGE = 20


@dataclasses.dataclass(frozen=True)
class Run:
    """The tf.data of a run.

    pipelines: of all hosts, the one that costs most first. step_ps: of a host, the mean wall time of a step, absent
    without. steps: of a host, how many began in its capture. chosen: the host and the pipeline whose calls are given.
    """

    hosts: tuple[HostTfData, ...]
    pipelines: tuple[Pipeline, ...]
    means: StepMeans
    step_ps: dict[str, float]
    steps: dict[str, int]
    chosen: tuple[HostTfData, Chosen] | None

    @property
    def main(self) -> Pipeline | None:
        """The pipeline that costs the program most."""
        return self.pipelines[0] if self.pipelines else None

    def share(self, pipeline: Pipeline) -> float | None:
        """Part of a step that waits for a pipeline; None where that is not known."""
        step = self.step_ps.get(pipeline.host)
        return None if pipeline.wait_ps is None or not step else min(pipeline.wait_ps / step, 1.0)

    def verdict(self, pipeline: Pipeline) -> str | None:
        return _verdict(self.share(pipeline))

    def waits(self, host: str) -> float:
        """How long a step of a host waits for all its pipelines, in ps; what feeds another is waited for in that."""
        return sum(p.wait_ps or 0.0 for p in self.pipelines if p.host == host and not (p.device and p.fed_by))

    def host_share(self, host: str) -> float | None:
        """Part of a host's step that waits for all its pipelines; None where that is not known."""
        step = self.step_ps.get(host)
        return min(self.waits(host) / step, 1.0) if step else None

    def host_verdict(self, host: str) -> str | None:
        return _verdict(self.host_share(host))

    def span_ps(self, host: str) -> int:
        return next(h.span_ps for h in self.hosts if h.host == host)


def _verdict(share: float | None) -> str | None:
    return None if share is None else BOUND if share >= HIGH else MODERATELY if share >= MODERATE else NOT


def whole(partials: Sequence[HostTfData], options: Options) -> Run:
    """The tf.data of all hosts. Raises ArgumentError for a pipeline or an execution that is not there."""
    pipelines = sorted((p for h in partials for p in h.pipelines), key=costs, reverse=True)
    step_ps = {h.host: mean for h in partials if (mean := _step_ps(h)) is not None}
    steps = {h.host: len(h.steps.split.steps) for h in partials}
    chosen = _chosen(partials, options) if pipelines else None
    return Run(tuple(partials), tuple(pipelines), step_means([h.steps for h in partials]), step_ps, steps, chosen)


def _step_ps(host: HostTfData) -> float | None:
    steps = host.steps.split.steps
    if not len(steps):
        return None
    counted = steps.whole if steps.whole.any() else slice(None)
    found = statistics(steps.wall_ps[counted])
    return found.mean * 1e9 if found else None


def _chosen(partials: Sequence[HostTfData], options: Options) -> tuple[HostTfData, Chosen]:
    found = [(h, h.chosen) for h in partials if h.chosen is not None]
    if not found:
        names = list(dict.fromkeys(p.name for h in partials for p in h.pipelines))
        more = f" and {len(names) - _IN_A_MESSAGE} more" if len(names) > _IN_A_MESSAGE else ""
        asked = str(options["pipeline"])[:80]
        raise ArgumentError(f"pipeline={asked!r}: there are {', '.join(names[:_IN_A_MESSAGE])}{more}")
    host, chosen = max(found, key=lambda pair: costs(pair[0].pipelines[pair[1].pipeline]))
    if chosen.execution != ALL_SLOW and not chosen.graph:
        last = f"0 to {chosen.count - 1:,}, and -1" if chosen.count else "-1, since no call of it was recorded"
        raise ArgumentError(f"execution={chosen.execution}: accepted are {last}")
    return host, chosen
