"""Two sides → what changed beside time: counts, stages of the input, collectives, hosts, memory, the largest first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ...timeline import CATEGORIES
from ..steps import titles
from .align import Match, aligned, kernel_without_numbers
from .counts import COUNTS
from .moved import NOTHING_MOVED, CallKey, Moved, StageKey
from .side import CaptureSide, HostSide

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
#: Categories in which a host waits for others.
_OTHERS = tuple(i for i, category in enumerate(CATEGORIES) if category.group == "collective")


class Both(NamedTuple, Generic[Key, Value]):
    """One row: what it is on each side, and how it was found; None where a side lacks it."""

    a: Key | None
    b: Key | None
    match: Match
    of_a: Value
    of_b: Value

    @property
    def key(self) -> Key:
        """On side B, else on A."""
        found = self.b if self.b is not None else self.a
        assert found is not None
        return found


class HostTime(NamedTuple):
    """A mean typical step of one host; own: without the collectives in which it waits for others. steps: how many."""

    ps: float = 0.0
    own_ps: float = 0.0
    steps: float = 0.0


def counted(side: Sequence[CaptureSide]) -> dict[str, float]:
    """By key of `COUNTS`: the mean over captures of the mean over hosts that show it."""
    of_captures = [_mean([host.counts for host in capture.hosts]) for capture in side]
    return _mean(of_captures)


def _mean(given: Sequence[Mapping[str, float]]) -> dict[str, float]:
    keys = [count.key for count in COUNTS if any(count.key in one for one in given)]
    return {key: float(np.mean([one[key] for one in given if key in one])) for key in keys}


def _mean_moved(side: Sequence[CaptureSide], of: Callable[[HostSide], Mapping[Key, Moved]]) -> dict[Key, Moved]:
    total: dict[Key, Moved] = {}
    some = [capture for capture in side if any(len(host.steps.split.steps) for host in capture.hosts)]
    for capture in some:
        hosts = [host for host in capture.hosts if len(host.steps.split.steps)]
        for host in hosts:
            for key, one in of(host).items():
                total[key] = total.get(key, NOTHING_MOVED).plus(one.over(len(hosts) * len(some)))
    return total


def stage_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Both[StageKey, Moved]]:
    """Stages of the input pipeline: by name, then without numbers, then by type and kind."""
    by = (
        lambda key: (kernel_without_numbers(key.name), key.kind),
        lambda key: (kernel_without_numbers(key.type), key.kind) if key.type else None,
    )
    return _paired(_mean_moved(a, lambda host: host.stages), _mean_moved(b, lambda host: host.stages), by)


def collective_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Both[CallKey, Moved]]:
    """Collectives: by kind and group, then by kind and the size of the group, then by kind."""
    by = (lambda key: (key.kind, key.size), lambda key: key.kind)
    return _paired(_mean_moved(a, lambda host: host.collectives), _mean_moved(b, lambda host: host.collectives), by)


def _paired(
    ours: Mapping[Key, Moved], theirs: Mapping[Key, Moved], by: Iterable[Callable[[Key], Hashable | None]]
) -> list[Both[Key, Moved]]:
    a, b = ({key: one.ps + one.wait_ps for key, one in side.items()} for side in (ours, theirs))
    rows = [
        Both(
            pair.a,
            pair.b,
            pair.match,
            NOTHING_MOVED if pair.a is None else ours[pair.a],
            NOTHING_MOVED if pair.b is None else theirs[pair.b],
        )
        for pair in aligned(a, b, by)
    ]
    return sorted(rows, key=_by_change)


def _by_change(row: Both[Key, Moved]) -> tuple[float, float, float, str]:
    a, b = row.of_a, row.of_b
    return (-abs(b.ps - a.ps), -abs(b.wait_ps - a.wait_ps), -b.ps, str(row.key))


def host_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Both[str, HostTime]]:
    """Hosts, or ranks, which has most of its own more or less first. Of as many hosts of which none has the same name
    each is the one in its place."""
    ours, theirs = _hosts(a), _hosts(b)
    place = {}
    if len(ours) == len(theirs) and not ours.keys() & theirs.keys():
        place = {name: i for side in (ours, theirs) for i, name in enumerate(side)}
    takes_a, takes_b = ({name: time.ps for name, time in side.items()} for side in (ours, theirs))
    rows = [
        Both(
            pair.a,
            pair.b,
            pair.match,
            HostTime() if pair.a is None else ours[pair.a],
            HostTime() if pair.b is None else theirs[pair.b],
        )
        for pair in aligned(takes_a, takes_b, (place.get,))
    ]
    return sorted(rows, key=lambda row: (-abs(row.of_b.own_ps - row.of_a.own_ps), row.key))


def _hosts(side: Sequence[CaptureSide]) -> dict[str, HostTime]:
    """By title, means over the captures that have it."""
    found: dict[str, list[HostTime]] = {}
    for capture in side:
        hosts = [host for host in capture.hosts if len(host.steps.split.steps)]
        for title, host in zip(titles([host.steps for host in hosts]), hosts, strict=True):
            ps = host.typical_ps
            others = float(ps[list(_OTHERS)].sum())
            found.setdefault(title, []).append(HostTime(float(ps.sum()), float(ps.sum()) - others, host.typical_count))
    return {title: _mean_time(times) for title, times in found.items()}


def _mean_time(times: Sequence[HostTime]) -> HostTime:
    return HostTime(*(float(np.mean(column)) for column in zip(*times, strict=True)))


class Memory(NamedTuple):
    """Peak of a system of memory, of the host where it is largest; None on a side that lacks it."""

    system: str
    kind: str
    a: int | None
    b: int | None

    @property
    def change(self) -> int | None:
        return None if self.a is None or self.b is None else self.b - self.a


def memory_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Memory]:
    """The systems of either side, the largest change first; of several captures the mean of theirs."""
    ours, theirs = _peaks(a), _peaks(b)
    rows = [Memory(*key, ours.get(key), theirs.get(key)) for key in sorted({*ours, *theirs})]
    return sorted(rows, key=lambda row: -abs((row.b or 0) - (row.a or 0)))


def _peaks(side: Sequence[CaptureSide]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], list[int]] = {}
    for capture in side:
        largest: dict[tuple[str, str], int] = {}
        for host in capture.hosts:
            for key, peak in host.memory.items():
                largest[key] = max(peak, largest.get(key, 0))
        for key, peak in largest.items():
            found.setdefault(key, []).append(peak)
    return {key: round(float(np.mean(peaks))) for key, peaks in found.items()}
