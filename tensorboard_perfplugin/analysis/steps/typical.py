"""Steps of a run → its typical step: the mean of its parts, the slow steps beside it, and where to look."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from ...tables import I64, Evidence
from ...timeline import CATEGORIES, INDEX, Steps
from .means import StepMeans, are_typical, is_cold, usual_ps

#: The categories in which a step makes headway.
COMPUTES = (*(c.key for c in CATEGORIES if c.key.startswith("compute_")), "op_compute")
#: A cause of so few categories has stretches of time that only it takes.
_FEW = 3


@dataclasses.dataclass(frozen=True)
class TypicalStep:
    """The mean of the typical steps of a run. step_ps: its time; by_category: its parts, by key, which add up to it.
    device: whether it is a device's."""

    means: StepMeans
    step_ps: float
    by_category: dict[str, float]
    device: bool

    @property
    def of_all(self) -> bool:
        """Whether no counted step is left out as untypical."""
        return bool(self.means.typical.sum() == self.means.counted.sum())

    @property
    def part_of_run(self) -> float:
        """The typical steps' part of the time of all counted ones."""
        wall, counted = self.means.wall_ps, self.means.counted
        return float(wall[self.means.typical].sum() / wall[counted].sum())

    @property
    def steps(self) -> list[Steps]:
        """The steps of each host that has some."""
        return [part.split.steps for part in self.means.parts if len(part.split.steps)]

    def ps(self, keys: tuple[str, ...]) -> float:
        return sum(self.by_category[key] for key in keys)

    def share(self, keys: tuple[str, ...]) -> float:
        return self.ps(keys) / self.step_ps

    def evidence(self, keys: tuple[str, ...], count: int) -> tuple[Evidence, ...]:
        """The longest stretches of some categories; of many, and where none is known, the steps that have most."""
        over = None if self.of_all else self.means.typical
        stretches = self.means.longest([INDEX[key] for key in keys], count, over) if len(keys) <= _FEW else []
        return tuple(stretches) or self._worst_steps(keys, count)

    def _worst_steps(self, keys: tuple[str, ...], count: int) -> tuple[Evidence, ...]:
        taken = self.means.exposed_ps[:, [INDEX[key] for key in keys]].sum(axis=1)
        taken[~self.means.typical[: len(taken)]] = -1
        order = np.argsort(-taken, kind="stable")[:count]
        return places(self.means, order[taken[order] > 0])


def typical_step(means: StepMeans) -> TypicalStep | None:
    """None where there is no step, or none takes time."""
    if not len(means):
        return None
    mean = means.mean_ps(means.exposed_ps, means.typical)
    step_ps = float(mean.sum())
    by_category = {category.key: float(ps) for category, ps in zip(CATEGORIES, mean, strict=True)}
    device = any(unit.plane >= 0 for part in means.parts for unit in part.split.units)
    return TypicalStep(means, step_ps, by_category, device) if step_ps > 0 else None


def places(means: StepMeans, which: I64) -> tuple[Evidence, ...]:
    """Where some steps of the run are."""
    return tuple(_place(means, step) for step in which.tolist())


def _place(means: StepMeans, step: int) -> Evidence:
    """Where a step of the run is, on the first host that has it."""
    host = int(np.flatnonzero(means.run.row[:, step] >= 0)[0])
    row, steps = int(means.run.row[host, step]), [p.split.steps for p in means.parts if len(p.split.steps)][host]
    return Evidence(means.run.hosts[host], int(steps.begin_ps[row]), int(steps.until_ps[row]), int(steps.lane[row]))


class SlowSteps(NamedTuple):
    """The slow steps of a run. of: whole steps. number, wall_ps: of the slowest; category: what it has most more of
    than the median step, more_ps. all_more_ps: what all slow steps take beyond the median; share: of the whole steps'
    time. first: whether only the first counted step is slow. two: whether it is one of two, and is compared with the
    other. places: the slowest steps."""

    steps: int
    of: int
    number: int
    wall_ps: float
    median_ps: float
    category: str
    more_ps: float
    all_more_ps: float
    share: float
    first: bool
    two: bool
    places: tuple[Evidence, ...]


def slow_steps(means: StepMeans, count: int) -> SlowSteps | None:
    """None where no step is slow. count: of places."""
    n = len(means.exposed_ps)
    whole, wall = means.whole[:n], means.wall_ps[:n]
    slow = np.flatnonzero(means.slow[:n])
    if not len(slow):
        return None
    two, median = is_cold(wall, whole), usual_ps(wall, whole)
    worst = int(slow[np.argmax(wall[slow])])
    more = means.exposed_ps[worst] - np.median(means.exposed_ps[whole & ~means.slow[:n] if two else whole], axis=0)
    most = int(np.argmax(more))
    all_more = float((wall[slow] - median).sum())
    return SlowSteps(
        steps=len(slow),
        of=int(whole.sum()),
        number=int(means.run.number[worst]),
        wall_ps=float(wall[worst]),
        median_ps=median,
        category=CATEGORIES[most].key,
        more_ps=float(more[most]),
        all_more_ps=all_more,
        share=all_more / float(wall[whole].sum()),
        first=slow.tolist() == np.flatnonzero(means.counted)[:1].tolist(),
        two=two,
        places=places(means, slow[np.argsort(-wall[slow], kind="stable")][:count]),
    )


class DeviceCompute(NamedTuple):
    """How long a device computes a step, mean over its typical whole steps."""

    ps: float
    device: str
    host: str


def device_compute(means: StepMeans) -> list[DeviceCompute]:
    """Of each device that computes; those that only copy are left out."""
    devices, columns = [], [INDEX[key] for key in COMPUTES]
    for part in means.parts:
        steps = part.split.steps
        whole = (steps.whole & are_typical(steps.wall_ps, steps.whole))[: part.split.exposed_ps.shape[1]]
        for unit, ran, exposed in zip(part.split.units, part.split.ran, part.split.exposed_ps, strict=True):
            mine = whole & ran
            if unit.plane >= 0 and mine.any():
                ps = float(exposed[mine][:, columns].sum(axis=1).mean())
                devices.append(DeviceCompute(ps, unit.name, part.host))
    return [device for device in devices if device.ps]
