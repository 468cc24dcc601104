"""Hosts' steps side by side → the workers of the run, and how long each works in a step before it waits for others."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64
from ...timeline import CATEGORIES, INDEX, Unit
from ..steps import HostSteps, StepMeans, step_means, titles

Basis = Literal["collectives", "devices", "hosts"]

_ON_DEVICE = ("compute", "copy")
#: What of a step does not count as a worker's work, by what the run shows of how its workers wait for each other:
#: `collectives` count the time excluding exposed communication, `devices` the time in which a device computes or
#: copies, since what a host does while a device idles is the same for all its devices; `hosts` the whole step.
WAITS: dict[Basis, tuple[str, ...]] = {
    "collectives": ("collective",),
    "devices": tuple(c.key for c in CATEGORIES if c.group not in _ON_DEVICE or c.key == "output"),
    "hosts": (),
}


@dataclasses.dataclass(frozen=True)
class Worker:
    """One device of a host, or a host without. host: its place in `RunSteps.hosts`. unit: its place in the split.

    title: what to call the host: `rank 3` where each capture is of another rank.
    """

    label: str
    host: int
    unit: int
    host_name: str
    device: str
    title: str
    rank: int | None


@dataclasses.dataclass(frozen=True, eq=False)
class Pod:
    """The workers of a run and their steps; times in ps.

    parts: of the hosts that have steps, as in `means.run`; others: of those without. everyone: `workers`, which are
    compared, then those of others, whose host is a place after the parts. work_ps: of shape (workers, steps that are
    split on all hosts), what counts as the worker's work, NaN where it lacks the step. counted: steps that count in
    means.
    """

    parts: tuple[HostSteps, ...]
    others: tuple[HostSteps, ...]
    means: StepMeans
    workers: tuple[Worker, ...]
    everyone: tuple[Worker, ...]
    basis: Basis
    work_ps: F64
    counted: NDArray[np.bool_]

    @cached_property
    def compared(self) -> F64:
        """Work in the steps that count and that two workers have."""
        work = self.work_ps[:, self.counted]
        several: F64 = work[:, (~np.isnan(work)).sum(axis=0) > 1]
        return several

    @cached_property
    def slowest(self) -> I64:
        """For each compared step its slowest worker, -1 where it is not alone."""
        return slowest(self.compared)

    def split_ps(self, worker: Worker) -> F64:
        """Mean over its steps that count, by category."""
        rows = self.rows(worker)
        exposed = self.parts[worker.host].split.exposed_ps[worker.unit]
        mean: F64 = exposed[rows].mean(axis=0) if len(rows) else np.zeros(exposed.shape[1])
        return mean

    def rows(self, worker: Worker) -> I64:
        """Its host's rows of the steps that count and that it runs."""
        rows = self.means.run.row[worker.host, : len(self.counted)][self.counted]
        rows = rows[rows >= 0]
        present: I64 = rows[self.parts[worker.host].split.ran[worker.unit][rows]]
        return present


def slowest(work_ps: F64) -> I64:
    """For each step of (rows, steps) the row of the largest value, -1 where two are equally large."""
    if not work_ps.size:
        return np.full(work_ps.shape[1], -1)
    largest = work_ps == np.nanmax(work_ps, axis=0)
    return np.where(largest.sum(axis=0) == 1, largest.argmax(axis=0), -1)


def pod(parts: Sequence[HostSteps], means: StepMeans | None = None) -> Pod:
    """Compare the workers of all hosts. means: theirs, where they are there already."""
    means = means or step_means(parts)
    some = tuple(p for p in parts if len(p.split.steps))
    others = tuple(p for p in parts if not len(p.split.steps))
    everyone = tuple(_workers((*some, *others)))
    workers = tuple(worker for worker in everyone if worker.host < len(some))
    n = len(means.exposed_ps)
    counted = means.counted[:n]
    if not counted.any():
        counted = np.ones(n, bool)
    basis = _basis(some, means)
    work = _work(some, means.run.row[:, :n], WAITS[basis])
    return Pod(some, others, means, workers, everyone, basis, work, counted)


def _workers(parts: Sequence[HostSteps]) -> list[Worker]:
    """In the order of hosts and devices; equal names on one host get a number."""
    workers: list[Worker] = []
    for i, (part, title) in enumerate(zip(parts, titles(parts), strict=True)):
        devices = device_names(part.split.units)
        by_rank = title != part.host
        for unit, device in enumerate(devices):
            label = title if not device or (by_rank and len(devices) == 1) else f"{title}/{device}"
            workers.append(Worker(label, i, unit, part.host, device, title, part.rank))
    return workers


def device_names(units: Sequence[Unit]) -> list[str]:
    """What the units of a host's split are called; the host itself is empty."""
    names, seen = [], dict[str, int]()
    for plane, name, _ in units:
        device = "" if plane < 0 else name.removeprefix("/device:")
        seen[device] = seen.get(device, 0) + 1
        names.append(device if seen[device] == 1 else f"{device} ({seen[device]})")
    return names


def _basis(parts: Sequence[HostSteps], means: StepMeans) -> Basis:
    if means.union_ps[:, INDEX["collective"]].any():
        return "collectives"
    return "devices" if len(parts) == 1 and len(parts[0].split.units) > 1 else "hosts"


def _work(parts: Sequence[HostSteps], rows: I64, waits: tuple[str, ...]) -> F64:
    """(workers, steps): wall time less what does not count as work, NaN where there is no such step."""
    columns = np.array([INDEX[key] for key in waits], np.int64)
    parts_work = [np.empty((0, rows.shape[1]))]
    for part, row in zip(parts, rows, strict=True):
        split, here = part.split, row >= 0
        counts = split.steps.wall_ps[: split.exposed_ps.shape[1]] - split.exposed_ps[:, :, columns].sum(axis=2)
        work = np.full((len(split.units), len(row)), np.nan)
        work[:, here] = np.where(split.ran[:, row[here]], counts[:, row[here]], np.nan)
        parts_work.append(work)
    return np.concatenate(parts_work)
