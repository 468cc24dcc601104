"""Hosts' steps side by side → the workers of the run, and how long each works in a step before it waits for others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, Intervals
from ...threshold import Threshold
from ...timeline.causes import launches_of
from ...timeline.loops.loops import coverage
from ...timeline.split.device import device_runs
from ...timeline.split.sets import union
from ...timeline.split.split import Split, Unit
from ...timeline.timeline import CATEGORIES, INDEX, Timeline
from ...timeline.tracks import device_rows
from ..steps.means import HostSteps, StepMeans, step_means, titles
from ..steps.summary import COMPUTES

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


class Worker(msgspec.Struct, frozen=True):
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


class Pod(msgspec.Struct, frozen=True, eq=False, dict=True):
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


# Work of a run's workers → which of them the others wait for, and by what it is slower.

LATE = Threshold(
    "straggler's lag",
    0.02,
    "share",
    "a straggler's work is longer than the others' by this part of a step; less is noise",
)
LAST = Threshold("slowest steps of a straggler", 0.5, "share", "a straggler is the slowest in so many of the steps")
LAST_OF_TWO = Threshold(
    "slowest steps of one of two", 0.75, "share", "of two workers each is the slowest in half of the steps by chance"
)
_COMPUTE = tuple(i for i, c in enumerate(CATEGORIES) if c.group == "compute")


class Straggler(msgspec.Struct, frozen=True):
    """The one that the others wait for; times in ps, means over the steps that it is compared in.

    name: of the worker, or of the host if all its devices are late. workers: they. work_ps: what counts as work.
    others_ps: the median of the others'. last, steps: in how many steps it is the slowest, of how many. category:
    index of the one in which it spends most more than the others, category_ps: how much more.
    """

    name: str
    workers: tuple[Worker, ...]
    work_ps: float
    others_ps: float
    last: int
    steps: int
    category: int
    category_ps: float

    @property
    def late_ps(self) -> float:
        return self.work_ps - self.others_ps


class _Late(msgspec.Struct, frozen=True):
    """Which row of a table of work is late, and by how much."""

    row: int
    work_ps: float
    others_ps: float
    last: int
    steps: int


def straggler(pod: Pod) -> Straggler | None:
    """The straggling host, and of it the device where only one is late; of a single host its devices."""
    work = pod.compared
    if not work.size:
        return None
    of_host: list[list[int]] = [[] for _ in pod.parts]
    for i, worker in enumerate(pod.workers):
        of_host[worker.host].append(i)
    late, among = None, of_host[0]
    step_ps = float(pod.means.wall_ps[pod.means.counted].mean())
    if len(of_host) > 1:
        late = _late(np.stack([_last_of(work[rows]) for rows in of_host]), step_ps)
        if late is None:
            return None
        among = of_host[late.row]
    one = _late(work[among], step_ps) if len(among) > 1 else None
    if one is not None:
        late = _late_of_all(work, among[one.row])
        among = [among[one.row]]
    return None if late is None else _named(pod, among, late)


def _last_of(work: F64) -> F64:
    """Work of a host's slowest device; NaN where it lacks the step."""
    latest: F64 = np.where(np.isnan(work).all(axis=0), np.nan, np.nanmax(np.nan_to_num(work, nan=-1.0), axis=0))
    return latest


def _late(work: F64, step_ps: float) -> _Late | None:
    """The row of (rows, steps) that stands out as late, of steps that take so long."""
    steps = np.flatnonzero((~np.isnan(work)).sum(axis=0) > 1)
    if not len(steps):
        return None
    work = work[:, steps]
    last = np.bincount(slowest(work) + 1, minlength=len(work) + 1)[1:]
    if not last.any():
        return None
    one = _compared(work, int(np.argmax(last)), int(last.max()))
    enough = (LAST_OF_TWO if len(work) == 2 else LAST).value
    late = one.last >= enough * one.steps and one.work_ps - one.others_ps >= LATE.value * step_ps
    return one if late else None


def _late_of_all(work: F64, row: int) -> _Late:
    """How late one worker is compared with all others."""
    return _compared(work, row, int((slowest(work) == row).sum()))


def _compared(work: F64, row: int, last: int) -> _Late:
    has = ~np.isnan(work[row])
    others = np.delete(work[:, has], row, axis=0)
    compared = ~np.isnan(others).all(axis=0)
    middle = np.nanmedian(others[:, compared], axis=0) if compared.any() else np.zeros(0)
    work_ps = work[row, has][compared]
    return _Late(row, float(work_ps.mean()), float(middle.mean()), last, int(compared.sum()))


def _named(pod: Pod, among: Sequence[int], late: _Late) -> Straggler:
    workers = tuple(pod.workers[i] for i in among)
    name = workers[0].label if len(workers) == 1 else workers[0].title
    category, more = _category(pod, workers)
    return Straggler(name, workers, late.work_ps, late.others_ps, late.last, late.steps, category, more)


def _category(pod: Pod, workers: Sequence[Worker]) -> tuple[int, float]:
    """The category in which the workers spend most more than the median of the others; compute counts as one."""
    theirs = np.mean([_joined(pod.split_ps(w)) for w in workers], axis=0)
    rest = [_joined(pod.split_ps(w)) for w in pod.workers if w not in workers]
    more = theirs - np.median(rest, axis=0)
    more[np.array([INDEX[key] for key in WAITS[pod.basis]], np.int64)] = -np.inf
    best = int(np.argmax(more))
    return best, float(more[best])


def _joined(split_ps: F64) -> F64:
    """Compute of all precisions in the first compute category."""
    joined = split_ps.copy()
    joined[list(_COMPUTE)] = 0
    joined[_COMPUTE[0]] = split_ps[list(_COMPUTE)].sum()
    return joined


# Workers side by side → how far they are apart, which are slow, and which hosts hold one capture twice.


def skew_ps(pod: Pod) -> float:
    """Slowest minus fastest, mean over the compared steps."""
    work = pod.compared
    return float((np.nanmax(work, axis=0) - np.nanmin(work, axis=0)).mean())


def lost_ps(pod: Pod) -> float:
    """How long a worker waits for the slowest, mean over workers and compared steps."""
    work = pod.compared
    return float(np.nanmean(np.nanmax(work, axis=0) - work))


def wait_ps(pod: Pod, late: Straggler) -> float:
    """How long each worker but the straggler waits for the slowest, mean over them and the compared steps."""
    work = pod.compared
    others = [i for i, worker in enumerate(pod.workers) if worker not in late.workers]
    return float(np.nanmean(np.nanmax(work, axis=0) - work[others]))


def lag_ps(pod: Pod) -> F64:
    """By worker how much longer it works than the fastest, mean over the compared steps; NaN where it has none."""
    work = pod.compared
    fastest = np.nanmin(work, axis=0) if work.size else np.zeros(work.shape[1])
    return mean_over_steps(work - fastest)


def mean_over_steps(values: F64) -> F64:
    """Of (workers, steps), over those steps that a worker has; NaN where it has none."""
    has = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: F64 = np.where(has, values, 0).sum(axis=1) / has.sum(axis=1)
    return mean


def times_slowest(pod: Pod) -> I64:
    """By worker the steps in which it is the slowest, alone."""
    return np.bincount(pod.slowest + 1, minlength=len(pod.workers) + 1)[1:]


def step_ps(pod: Pod) -> float:
    """Mean time of the steps that count."""
    return float(pod.means.wall_ps[pod.means.counted].mean())


def slower_than_most(pod: Pod, by_ps: float) -> list[str]:
    """Workers whose mean work exceeds the median by so much; none where they are no minority of two or more."""
    some = np.flatnonzero(~np.isnan(pod.compared).all(axis=1))
    mean = np.nanmean(pod.compared[some], axis=1)
    late = some[mean - np.median(mean) >= by_ps].tolist()
    return [pod.workers[i].label for i in late] if 1 < len(late) < len(some) / 2 else []


def longest_steps(pod: Pod, late: Straggler, most: int) -> I64:
    """Rows of the straggler's host's steps in which it works longest, ascending."""
    one = late.workers[0]
    rows, work = pod.rows(one), pod.work_ps[pod.workers.index(one), pod.counted]
    work = work[~np.isnan(work)]
    longest: I64 = np.sort(rows[np.argsort(-work, kind="stable")[:most]])
    return longest


def are_copies(pod: Pod) -> bool:
    """Whether no step is of two workers but those of captures that are one under several names."""
    again = {title for _, *others in same_captures(pod.parts) for title in others}
    first = [worker.title not in again for worker in pod.workers]
    return bool(again) and not ((~np.isnan(pod.compared[first])).sum(axis=0) > 1).any()


def same_captures(parts: Sequence[HostSteps]) -> list[list[str]]:
    """Titles of hosts that hold one capture; captures of different ranks are none."""
    seen: dict[tuple[int | None, int | None, bytes, bytes], list[str]] = {}
    for part, title in zip(parts, titles(parts), strict=True):
        steps = part.split.steps
        if len(steps):
            key = (part.start_ns, part.rank, steps.begin_ps.tobytes(), part.split.exposed_ps.tobytes())
            seen.setdefault(key, []).append(title)
    return [names for names in seen.values() if len(names) > 1]


# Workers side by side → groups of those that behave alike: "996 like this, 4 like that".
#
# Of each worker the mean of its steps by category is taken, and of each category how far that lies from the median of
# all workers, in units of the median absolute deviation, which a few outliers do not move; but not in units smaller
# than what is noise. A worker that is nowhere far away is as usual; the others are grouped by the category in which
# they are farthest away, and in which direction. Two halves that differ have no majority, and are one group.

FEWEST = Threshold(
    "workers in groups",
    8,
    "workers",
    "of fewer one sees each, and a median of few is moved by one of them",
    "a convention",
)
APART = Threshold(
    "distance of another behaviour",
    4.0,
    "units",
    "of normally distributed workers one in 16,000 lies so far from the median by chance",
    "the normal distribution",
)
LEAST_UNIT = Threshold(
    "least unit of distance",
    0.005,
    "share",
    "of a step: workers that are all alike would be separated by noise; with the distance it is 2 % of a step, as a "
    "straggler's lag",
)
#: Median absolute deviation × this is the standard deviation of a normal distribution.
_NORMAL = 1.4826


class Cluster(NamedTuple):
    """Workers that behave alike. workers: places in `Pod.workers`. category: the index of the one in which they are
    farthest from the median of all, -1 for those that are as usual; change_ps: how far, mean over them; distance: the
    same in units.
    """

    workers: I64
    category: int
    change_ps: float
    distance: float


def clusters(pod: Pod) -> tuple[Cluster, ...]:
    """The usual ones first, then the largest groups first; empty where there are too few workers to have a majority."""
    if len(pod.workers) < FEWEST.value or not len(pod.means):
        return ()
    split = np.array([pod.split_ps(worker) for worker in pod.workers])
    change = split - np.median(split, axis=0)
    unit = np.maximum(_NORMAL * np.median(np.abs(change), axis=0), LEAST_UNIT.value * step_ps(pod))
    distance = np.divide(change, unit, out=np.zeros_like(change), where=unit > 0)
    return _grouped(change, distance, _farthest(distance, WAITS[pod.basis]))


def _farthest(distance: F64, waits: tuple[str, ...]) -> I64:
    """By worker the category in which it is farthest away, -1 where it is nowhere far. Waiting for others is what these
    make of it: it counts where nothing else is far.
    """
    size = np.abs(distance)
    own = size.copy()
    own[:, np.array([INDEX[key] for key in waits], np.int64)] = 0
    size = np.where((own.max(axis=1) >= APART.value)[:, np.newaxis], own, size)
    return np.where(size.max(axis=1) >= APART.value, size.argmax(axis=1), -1)


def _grouped(change: F64, distance: F64, category: I64) -> tuple[Cluster, ...]:
    rows = np.arange(len(category))
    key = np.where(category < 0, 0, (category + 1) * np.where(change[rows, category] < 0, -1, 1))
    found = []
    for one in np.unique(key).tolist():
        workers = np.flatnonzero(key == one)
        at = abs(one) - 1
        where = (float(change[workers, at].mean()), float(distance[workers, at].mean())) if one else (0.0, 0.0)
        found.append(Cluster(workers, at, *where))
    return tuple(sorted(found, key=lambda each: (each.category >= 0, -len(each.workers), -abs(each.distance))))


def of_worker(found: tuple[Cluster, ...], workers: int) -> I64:
    """By worker the place of its group, from 1 on; 0 where there are no groups."""
    place = np.zeros(workers, np.int64)
    for i, each in enumerate(found):
        place[each.workers] = i + 1
    return place


# Workers of a run, side by side → the facts that rules decide by.


class PodFacts(NamedTuple):
    """parts: of all hosts, those without steps, too. shown: steps in the table of steps. clusters: workers that behave
    alike.
    """

    pod: Pod
    parts: Sequence[HostSteps]
    late: Straggler | None
    shown: int
    clusters: tuple[Cluster, ...] = ()


# A timeline and its steps → whether the devices of one host compute at once, or one after another.

#: Longest steps that are kept as evidence.
_PLACES = 3
#: Kernels of a device whose launches are looked at, evenly chosen among more.
_LOOKED_AT = 10_000


class Turns(NamedTuple):
    """Of the devices of one host that compute in each of so many steps; times in ps, sums over these steps.

    busy_ps: of all devices together, most_ps: of the one that computes most; any_ps: when at least one computes.
    late_ps: from the first device's begin of compute to the last one's, as far as that one also ends later than the
    first. ordered: in how many steps the same device begins last. first, last: places in `Split.units` of the device
    that begins first and last most often. one_thread: whether one thread launches the work of all. places: begin and
    end of the longest of these steps.
    """

    devices: int
    steps: int
    step_ps: int
    busy_ps: int
    most_ps: int
    any_ps: int
    late_ps: int
    ordered: int
    first: int
    last: int
    one_thread: bool
    places: tuple[tuple[int, int], ...]

    @property
    def turns_ps(self) -> float:
        """What computing at once would save, if all computed as much."""
        return self.any_ps - self.busy_ps / self.devices

    @property
    def together_ps(self) -> int:
        """Time that is computed while another device computes, too."""
        return self.busy_ps - self.any_ps


def turns(timeline: Timeline, split: Split) -> Turns | None:
    """None for a host of which fewer than two devices compute in a step."""
    steps = split.steps
    if steps.rule == "recorded" or split.lanes or sum(unit.plane >= 0 for unit in split.units) < 2:
        return None
    counted = np.flatnonzero(steps.counted)
    begin, until = steps.begin_ps[counted], steps.until_ps[counted]
    units = [i for i, unit in enumerate(split.units) if unit.plane >= 0]
    sets = [device_runs(timeline, split.units[i].plane, COMPUTES) for i in units]
    busy = np.array([coverage(one, begin, until) for one in sets]).reshape(len(sets), len(counted))
    worked = np.flatnonzero(busy.any(axis=1))
    if len(worked) < 2:
        return None
    busy, sets, units = busy[worked], [sets[i] for i in worked], [units[i] for i in worked]
    all_ran = np.flatnonzero(busy.all(axis=0))
    if not len(all_ran):
        return None
    busy, begin, until = busy[:, all_ran], begin[all_ran], until[all_ran]
    of_any = union(sets)
    starts, ends = (np.stack(column) for column in zip(*(_bounds(one, begin, until) for one in sets), strict=True))
    first, last = int(_most(starts.argmin(axis=0))), int(_most(starts.argmax(axis=0)))
    late = np.minimum(starts[last] - starts[first], ends[last] - ends[first])
    longest = np.argsort(begin - until, kind="stable")[:_PLACES]
    return Turns(
        len(units),
        len(begin),
        int((until - begin).sum()),
        int(busy.sum()),
        int(busy.sum(axis=1).max()),
        int(coverage(of_any, begin, until).sum()),
        int(np.maximum(late, 0).sum()),
        int((starts.argmax(axis=0) == last).sum()),
        units[first],
        units[last],
        _is_one_thread(timeline, [split.units[i].plane for i in units]),
        tuple(zip(begin[longest].tolist(), until[longest].tolist(), strict=True)),
    )


def _bounds(computes: Intervals, begin: I64, until: I64) -> tuple[I64, I64]:
    """First and last instant of a set in steps that each have some of it."""
    first = np.searchsorted(computes.end, begin, side="right")
    last = np.searchsorted(computes.begin, until) - 1
    return np.maximum(computes.begin[first], begin), np.minimum(computes.end[last], until)


def _most(values: NDArray[np.integer]) -> int:
    return int(np.bincount(values).argmax())


def _is_one_thread(timeline: Timeline, planes: list[int]) -> bool:
    """Whether most work of each device is launched by one thread, the same for all."""
    launch, track = launches_of(timeline).rows, timeline.capture.events.track
    threads: set[int] = set()
    for plane in planes:
        ran = device_rows(timeline, plane)
        rows = launch[ran[:: len(ran) // _LOOKED_AT + 1]]
        known = rows[rows >= 0]
        threads.add(_most(track[known]) if len(known) else -len(threads) - 1)
    return len(threads) == 1 and min(threads) >= 0
