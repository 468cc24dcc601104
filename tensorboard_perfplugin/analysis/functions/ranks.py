"""Functions of several hosts → how long each worked and waited, and which functions take longer on some of them."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import F64, I64
from .model import Merged
from .waits import Wait, waits_of


@dataclasses.dataclass(frozen=True, eq=False)
class Ranks:
    """By host: total_ps, and of it what waits for each thing; busy_ps is the rest. A host that others wait for is the
    busiest: all of them end together.

    By function, of its own time over the hosts: mean_ps, min_ps, max_ps, sd_ps (of the hosts as they are, not of a
    sample), slowest and fastest host.
    """

    hosts: tuple[str, ...]
    total_ps: F64
    wait_ps: dict[Wait, F64]
    busy_ps: F64
    mean_ps: F64
    min_ps: F64
    max_ps: F64
    sd_ps: F64
    slowest: I64
    fastest: I64


def ranks(run: Merged) -> Ranks:
    own = np.nan_to_num(run.own_ps)
    kinds = waits_of(run.all)
    total = own.sum(axis=1)
    waits = {kind: own[:, [each is kind for each in kinds]].sum(axis=1) for kind in Wait}
    busy = total - sum((ps for kind, ps in waits.items() if kind is not Wait.SLEEP), np.zeros(len(run.hosts)))
    return Ranks(
        run.hosts,
        total,
        waits,
        busy,
        own.mean(axis=0),
        own.min(axis=0),
        own.max(axis=0),
        own.std(axis=0),
        own.argmax(axis=0),
        own.argmin(axis=0),
    )


@dataclasses.dataclass(frozen=True)
class Slow:
    """The host that works longest: how much longer than the others' median; the function whose own time is longer most,
    and by how much.
    """

    host: str
    excess_ps: float
    mean_ps: float
    function: int
    function_excess_ps: float


def slow_host(run: Merged, found: Ranks) -> Slow | None:
    """None of one host, or where no function that works takes longer there."""
    if len(found.hosts) < 2:
        return None
    host = int(np.argmax(found.busy_ps))
    others = np.arange(len(found.hosts)) != host
    excess = float(found.busy_ps[host] - np.median(found.busy_ps[others]))
    works = np.array([kind is None or kind is Wait.SLEEP for kind in waits_of(run.all)], bool)
    own = np.nan_to_num(run.own_ps)
    more = np.where(works, own[host] - np.median(own[others], axis=0), -np.inf)
    if not len(more) or excess <= 0 or not np.isfinite(more).any() or more.max() <= 0:
        return None
    function = int(np.argmax(more))
    return Slow(found.hosts[host], excess, float(found.total_ps.mean()), function, float(more[function]))
