"""A timeline and its steps → whether the devices of one host compute at once, or one after another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Intervals
from ...timeline import Split, Timeline, coverage, device_rows, launches_of
from ...timeline.split import device_runs, union
from ..steps import COMPUTES

#: Longest steps that are kept as evidence.
_PLACES = 3
#: Kernels of a device whose launches are looked at, evenly chosen among more.
_LOOKED_AT = 10_000


class Turns(NamedTuple):
    """Of the devices of one host that compute in each of so many steps; times in ps, sums over these steps.

    busy_ps: of all devices together, most_ps: of the one that computes most; any_ps: when at least one computes.
    late_ps: from the first device's begin of compute to the last one's, as far as that one also ends later than the
    first. ordered: in how many steps the same device begins last. first, last: places in `Split.units` of who begins
    first and last most often. one_thread: whether one thread launches the work of all. places: begin and end of the
    longest of these steps.
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
