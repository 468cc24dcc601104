"""A timeline → what a comparison needs of one host; hosts → one capture of a side."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import F64, Options
from ...timeline import Op, Split, Timeline, device_rows, remembered
from ..hosts import environment
from ..input import input_stages
from ..memory import systems
from ..steps import (
    STEPS_FROM,
    HostSteps,
    Inside,
    StepMeans,
    are_typical,
    host_steps,
    of_one_program,
    slow_spans,
    step_means,
)
from .by_op import Part, Parts, Scoped, parts_by_op
from .contents import Content, contents
from .counts import counts, of_steps
from .facts import facts
from .moved import CallKey, Moved, StageKey, collectives, stages

Key = TypeVar("Key", bound=Hashable)
#: Kernels that are kept by name, the largest.
MAX_KERNELS = 512


@dataclasses.dataclass(frozen=True)
class HostSide:
    """One host of one capture. parts, scoped: of a mean typical step. kernels: by name, time a step and runs, summed
    over its devices. memory: by system and its kind, its peak in bytes. environment: what the capture states. devices:
    how many ran something. counts: by key of `COUNTS`, of each that the capture shows. contents: of the ops that are in
    parts, as far as XLA ran them.
    """

    host: str
    steps: HostSteps
    parts: Parts
    kernels: dict[str, Part]
    memory: dict[tuple[str, str], int]
    environment: dict[str, str | Message]
    devices: int
    counts: dict[str, float]
    stages: dict[StageKey, Moved]
    collectives: dict[CallKey, Moved]
    contents: dict[Op, Content] = dataclasses.field(default_factory=dict)
    scoped: Scoped = dataclasses.field(default_factory=dict)

    @property
    def typical_ps(self) -> F64:
        """By category, of its mean typical step."""
        split, counted = self.steps.split, self._counted
        mean = split.mean_ps(split.exposed_ps)[counted]
        return mean.mean(axis=0) if len(mean) else np.zeros(split.exposed_ps.shape[2])

    @property
    def typical_count(self) -> int:
        return int(self._counted.sum())

    @property
    def _counted(self) -> NDArray[np.bool_]:
        """Of the steps that were split the typical ones."""
        split = self.steps.split
        counted = split.steps.counted & are_typical(split.steps.wall_ps, split.steps.whole)
        return counted[: len(split.steps) - split.left_out]


def host_side(timeline: Timeline, options: Options) -> HostSide:
    """One host's part. Raises ArgumentError."""
    steps = host_steps(timeline, {STEPS_FROM.name: options.get(STEPS_FROM.name, STEPS_FROM.default)})
    split = steps.split
    counted = split.steps.counted & are_typical(split.steps.wall_ps, split.steps.whole)
    exchanged = collectives(timeline, split, counted)
    fed = input_stages(timeline, slow_spans(split.steps))
    parts, scoped = parts_by_op(timeline, split)
    return HostSide(
        host=timeline.host,
        steps=steps,
        parts=parts,
        kernels=_kernels(timeline, split, counted),
        memory={(one.system, one.kind): one.peak_bytes for one in remembered(timeline, systems)},
        environment={**environment(timeline), **facts(timeline, fed.stages)},
        devices=sum(unit.plane >= 0 for unit in split.units),
        counts=_with_collectives(counts(timeline, split, Inside(split.steps, counted), int(counted.sum())), exchanged),
        stages=stages(fed.stages, len(split.steps)),
        collectives=exchanged,
        contents=contents(timeline, {op for _, op in parts}),
        scoped=scoped,
    )


def _with_collectives(found: dict[str, float], exchanged: dict[CallKey, Moved]) -> dict[str, float]:
    if not exchanged:
        return found
    total = functools.reduce(Moved.plus, exchanged.values())
    size = {"collective_bytes": total.bytes} if total.bytes >= 0 else {}
    return found | {"collectives": total.times} | size


def _kernels(timeline: Timeline, split: Split, counted: NDArray[np.bool_]) -> dict[str, Part]:
    events, strings = timeline.capture.events, timeline.capture.strings
    if not counted.any():
        return {}
    planes = [unit.plane for unit in split.units if unit.plane >= 0]
    rows = np.concatenate([device_rows(timeline, plane) for plane in planes] or [np.empty(0, np.int64)])
    rows = of_steps(timeline, split, Inside(split.steps, counted), rows)
    names, n = events.name[rows], int(counted.sum())
    ps = np.bincount(names, weights=events.duration_ps[rows], minlength=1)
    times = np.bincount(names, minlength=1)
    largest = np.argsort(-ps, kind="stable")[:MAX_KERNELS]
    return {strings[i]: Part(float(ps[i]) / n, int(times[i]) / n) for i in largest.tolist() if times[i]}


@dataclasses.dataclass(frozen=True, eq=False)
class CaptureSide:
    """One capture of a side: its hosts' steps as one run's, and means over the hosts that have steps.

    step_ps: the typical steps' times. by_category: the mean typical step's parts, which add up to it.
    """

    name: str
    hosts: tuple[HostSide, ...]
    means: StepMeans
    step_ps: F64
    by_category: F64
    parts: Parts
    kernels: dict[str, Part]
    scoped: Scoped = dataclasses.field(default_factory=dict)

    @property
    def mean_ps(self) -> float:
        return float(self.by_category.sum())


def capture_side(name: str, given: Sequence[HostSide]) -> CaptureSide:
    """The hosts of one program; others are left out."""
    mine = of_one_program([each.steps for each in given])
    hosts = tuple(each for each, is_mine in zip(given, mine, strict=True) if is_mine)
    means = step_means([each.steps for each in hosts])
    n = len(means.exposed_ps)
    typical = means.typical[:n]
    some = [each for each in hosts if len(each.steps.split.steps)]
    by_category = means.mean_ps(means.exposed_ps, means.typical)
    parts, factor = within(_mean([each.parts for each in some]), by_category)
    scoped = {key: part.share(factor[key[0]]) for key, part in _mean([each.scoped for each in some]).items()}
    kernels = _mean([each.kernels for each in some])
    return CaptureSide(name, hosts, means, means.wall_ps[:n][typical], by_category, parts, kernels, scoped)


def within(parts: Parts, by_category: F64) -> tuple[Parts, list[float]]:
    """Parts that add up to no more than their category: those of a TPU's cores are by the trace's clock, the category
    by the core's own, so that they may differ; then all of a category are smaller by one factor, which is the second.
    """
    sums = np.zeros(len(by_category))
    for (category, _), part in parts.items():
        sums[category] += part.ps
    factor = np.minimum(by_category / np.maximum(sums, 1.0), 1.0).tolist()
    return {key: part.share(factor[key[0]]) for key, part in parts.items()}, factor


def _mean(given: Sequence[dict[Key, Part]]) -> dict[Key, Part]:
    total: dict[Key, Part] = {}
    for each in given:
        for key, part in each.items():
            total[key] = total[key].plus(part) if key in total else part
    return {key: Part(part.ps / len(given), part.times / len(given)) for key, part in total.items()}


def contents_of(sides: Sequence[CaptureSide]) -> dict[Op, Content]:
    """Of the first host that shows an op."""
    hosts = [host for side in sides for host in side.hosts]
    return {op: content for host in reversed(hosts) for op, content in host.contents.items()}


def mean_of(sides: Sequence[CaptureSide]) -> tuple[F64, Parts, dict[str, Part], Scoped]:
    """Over repeats: the mean step by category, by category and op, kernels a step, and ops by what is marked."""
    by_category = np.mean([side.by_category for side in sides], axis=0)
    return (
        by_category,
        _mean([side.parts for side in sides]),
        _mean([side.kernels for side in sides]),
        _mean([side.scoped for side in sides]),
    )
