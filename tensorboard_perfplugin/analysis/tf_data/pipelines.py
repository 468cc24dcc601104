"""Iterators of a host → its input pipelines: their names, their calls, and which of them feed devices."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, among
from ...timeline import Timeline
from ..input import ITERATOR, NAME_MAX, Frames, by_workers, feeds_device, takes_from_service, transformation
from .dense import dense
from .iterators import Iterators

#: The dataset that fetches from a host's pipeline for one of several devices has this name.
_DEVICE = "device_prefetch"
#: So many pipelines of a host are looked into, those in which the program spent most time.
MAX_PIPELINES = 64
_UNNAMED = "pipeline"
_NAME_MAX = 100
_NUMBER = re.compile(r":\d+$")
#: So many pipelines of one name, under way at once, are kept apart from their next epochs.
_AT_ONCE = 16
#: Events in which TensorFlow makes the root of a pipeline.
_MAKES = ("MakeIterator::RootDataset", "MakeIterator::ModelDataset")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclasses.dataclass(frozen=True)
class Pipelines:
    """The pipelines of a host, in the order of their first calls.

    root: the iterator at the end of each. name: distinct. device: whether it fetches what another pipeline makes, for a
    device or from the tf.data service. worker: whether a worker of that service asks it, not the program. fed_by: index
    of the pipeline that it fetches from, -1 for none. of: by frame, the pipeline, -1 where it is of none; of_iterator:
    by iterator. call_frame: frames that are calls of a pipeline by what uses it, ascending; call_pipeline: whose.
    """

    root: I64
    name: tuple[str, ...]
    device: NDArray[np.bool_]
    worker: NDArray[np.bool_]
    fed_by: I64
    of: I64
    of_iterator: I64
    call_frame: I64
    call_pipeline: I64

    def __len__(self) -> int:
        return len(self.root)

    def fed(self, host: int) -> list[int]:
        """The devices' pipelines that a host's feeds."""
        return np.flatnonzero(self.fed_by == host).tolist()


def pipelines(timeline: Timeline, tf_frames: Frames, its: Iterators) -> Pipelines:
    """The pipelines of a host, kept apart by the iterator at their end; those of epochs are one."""
    root_of = np.where(its.of >= 0, its.root[its.of], -1)
    calls = np.flatnonzero((tf_frames.kind == ITERATOR) & (its.of == root_of))
    roots, index = _epochs(timeline, tf_frames, its, calls, root_of[root_of >= 0])
    of = index[root_of]
    device = _devices(tf_frames, its, index, roots)
    count = np.bincount(of[calls], minlength=len(roots))
    fed_by = _fed_by(timeline, its, roots, device, count)
    worker = _workers(timeline, tf_frames.rows[calls], of[calls], len(roots))
    serves = np.flatnonzero(worker)
    if len(serves):
        takes = np.array([takes_from_service(name) for name in tf_frames.stages], bool)
        served = index[its.root[takes[its.stage]]]
        served = served[~worker[served] & (fed_by[served] < 0)]
        fed_by[served] = serves[np.argmax(count[serves])]
        device[served] = True
    names = _names(timeline, its, roots)
    return Pipelines(roots, names, device, worker, fed_by, of, index[its.root], calls, of[calls])


def _epochs(timeline: Timeline, tf_frames: Frames, its: Iterators, calls: I64, working: I64) -> tuple[I64, I64]:
    """The roots that begin a pipeline, in the order of their first calls; and by root, and -1, its pipeline's index.

    calls: frames that are calls of roots. working: the roots of all frames.
    Each epoch has iterators of its own, often at the addresses of earlier ones, which are their numbers: a root has a
    life between each two iterators made. One goes on with what ended before it began and has its name; TensorFlow
    numbers that anew where a tf.function loops.
    """
    fetches = np.zeros(len(its.id), bool)
    fetches[its.root[np.array([feeds_device(name) for name in tf_frames.stages], bool)[its.stage]]] = True
    going: dict[tuple[str, str, int], list[int]] = {}
    firsts: list[int] = []
    until: list[int] = []
    index = np.full(len(its.id) + 1, -1, np.int64)
    for root, begin, end in zip(*_lives(timeline, tf_frames, its, calls, working), strict=True):
        if index[root] >= 0:
            until[index[root]] = max(until[index[root]], end)
            continue
        dataset, stage = _dataset(timeline, int(its.row[root])), int(its.stage[root])
        name = dataset.get("name", "")
        if transformation(tf_frames.stages[stage]) != "Root":
            name = _NUMBER.sub("", name)
        same = going.setdefault((name, dataset.get("shapes", ""), stage), [])
        before = next((pipeline for pipeline in same if until[pipeline] <= begin), -1)
        if not name or fetches[root] or before < 0:
            before = len(firsts)
            firsts.append(root)
            until.append(end)
            same.append(before)
            del same[:-_AT_ONCE]
        until[before] = end
        index[root] = before
    return np.array(firsts, np.int64), index


def _lives(
    timeline: Timeline, tf_frames: Frames, its: Iterators, calls: I64, working: I64
) -> tuple[list[int], list[int], list[int]]:
    """The lives of roots by the begin of their first calls: root, begin, end in ps. One never called has its last."""
    events, strings = timeline.capture.events, timeline.capture.strings
    start = events.start_ps[tf_frames.rows[calls]]
    makes = [i for i in (strings.find(name) for name in _MAKES) if i >= 0]
    made = np.sort(events.start_ps[among(events.name, makes)]) if makes else start[:0]
    lives, of = np.unique(its.of[calls] * (len(made) + 1) + np.searchsorted(made, start), return_inverse=True)
    begin = np.full(len(lives), np.iinfo(np.int64).max)
    np.minimum.at(begin, of.reshape(-1), start)
    end = np.full(len(lives), -1)
    np.maximum.at(end, of.reshape(-1), start + events.duration_ps[tf_frames.rows[calls]])
    root = lives // (len(made) + 1)
    never = np.setdiff1d(dense(working, len(its.id))[0], root)
    root = np.concatenate((root, never))
    begin = np.concatenate((begin, np.full(len(never), np.iinfo(np.int64).max)))
    end = np.concatenate((end, np.full(len(never), -1)))
    order = np.argsort(begin, kind="stable")
    return root[order].tolist(), begin[order].tolist(), end[order].tolist()


def _workers(timeline: Timeline, rows: I64, of: I64, count: int) -> NDArray[np.bool_]:
    """By pipeline whether the threads that called it are a worker's of the tf.data service. rows, of: of each call."""
    asked: NDArray[np.bool_] = np.bincount(of, by_workers(timeline, rows), minlength=count) > 0
    return asked


def _dataset(timeline: Timeline, row: int) -> dict[str, str]:
    """What an iterator's event says of its dataset."""
    if row < 0:
        return {}
    return {key: str(value) for key, value in timeline.capture.event_values(row) if key in ("name", "shapes")}


def _devices(tf_frames: Frames, its: Iterators, index: I64, roots: I64) -> NDArray[np.bool_]:
    """Pipelines with TensorFlow's own generator at any depth."""
    fetches = np.array([feeds_device(name) for name in tf_frames.stages], bool)
    device = np.zeros(len(roots), bool)
    device[index[its.root[fetches[its.stage]]]] = True
    return device


def _fed_by(timeline: Timeline, its: Iterators, roots: I64, device: NDArray[np.bool_], calls: I64) -> I64:
    """A device's elements have the shapes of its host's pipeline; of several such, the one called most often."""
    fed_by = np.full(len(roots), -1, np.int64)
    hosts = np.flatnonzero(~device)
    if not len(hosts) or not device.any():
        return fed_by
    hosts = hosts[np.argsort(-calls[hosts], kind="stable")][:MAX_PIPELINES]
    by_shapes: dict[str, int] = {}
    for host in hosts.tolist():
        by_shapes.setdefault(_dataset(timeline, int(its.row[roots[host]])).get("shapes", ""), host)
    for pipeline in np.flatnonzero(device).tolist()[: MAX_PIPELINES * MAX_PIPELINES]:
        shapes = _dataset(timeline, int(its.row[roots[pipeline]])).get("shapes", "")
        fed_by[pipeline] = by_shapes.get(shapes, int(hosts[0]))
    return fed_by


def _names(timeline: Timeline, its: Iterators, roots: I64) -> tuple[str, ...]:
    """The dataset's own name, with a number where several have it."""
    used: dict[str, int] = {}
    names = []
    for row in its.row[roots].tolist():
        name = _CONTROL.sub(" ", _dataset(timeline, row).get("name", "")[:NAME_MAX]).strip()[:_NAME_MAX] or _UNNAMED
        used[name] = used.get(name, 0) + 1
        names.append(name if used[name] == 1 and name != _UNNAMED else f"{name} #{used[name]}")
    return tuple(names)


@dataclasses.dataclass(frozen=True)
class Latency:
    """How long calls of a pipeline took, in ps. slow: how many were slow."""

    calls: int
    total: int
    min: int
    p50: int
    p90: int
    p99: int
    max: int
    slow: int

    @property
    def mean(self) -> float:
        return self.total / self.calls


def latencies(durations: I64, of: I64, count: int, slow_ps: int) -> list[Latency | None]:
    """By pipeline; None where it was not called. A percentile is the least duration that so many do not exceed."""
    order = np.lexsort((durations, of))
    durations, of = durations[order], of[order]
    begin = np.searchsorted(of, np.arange(count + 1))
    by_pipeline: list[Latency | None] = []
    sums = np.concatenate(([0.0], np.cumsum(durations.astype(np.float64))))
    slow = np.concatenate(([0], np.cumsum(durations > slow_ps)))
    for low, high in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        n = high - low
        if not n:
            by_pipeline.append(None)
            continue
        least, p50, p90, p99, most = (int(durations[low + max(-(-n * p // 100) - 1, 0)]) for p in (0, 50, 90, 99, 100))
        total = int(sums[high] - sums[low])
        by_pipeline.append(Latency(n, total, least, p50, p90, p99, most, int(slow[high] - slow[low])))
    return by_pipeline
