"""Workers side by side → groups of those that behave alike: "996 like this, 4 like that".

Of each worker the mean of its steps by category is taken, and of each category how far that lies from the median of all
workers, in units of the median absolute deviation, which a few outliers do not move; but not in units smaller than what
is noise. Who is nowhere far away is as usual; the others are grouped by the category in which they are farthest away,
and in which direction. Two halves that differ have no majority, and are one group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import F64, I64
from ...threshold import CHOSEN, Threshold
from ...timeline import INDEX
from .skew import step_ps
from .workers import WAITS, Pod

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
    "of a step: workers that are all alike would be told apart by noise; with the distance it is 2 % of a step, as a "
    "straggler's lag",
    CHOSEN,
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
