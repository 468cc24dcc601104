"""Several hosts' steps → which of them are the same step of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import intervals
from ...tables.capture import I64
from ...tables.intervals import Intervals
from ...timeline import Steps
from ...units import percent

#: Numbers beyond are not counted on from.
_FAR = 1 << 61
_NUMBERS = "by the program's step numbers"


class Aligned(NamedTuple):
    """place: for each host and step its place in the run, distinct within a host, any integers. how: in words.

    numbers: whether the places are the program's step numbers.
    """

    place: list[I64]
    how: str
    numbers: bool = False


def align(hosts: Sequence[Steps], numbered: Sequence[bool], offset_ps: Sequence[int] | None) -> Aligned:
    """Find the places. numbered: by host, whether its numbers are the program's. offset_ps: of its clock, if known.

    By number; where numbers repeat within a host, by name (`train 3`, `test 3`). The steps of a host without numbers
    are those that they overlap most in time, on the hosts' clocks as they are. Every step is kept. Near-linear in the
    number of steps.
    """
    if len(hosts) < 2:
        return Aligned([np.arange(len(s)) for s in hosts], "one host" if hosts else "")
    told = [s for s, mine in zip(hosts, numbered, strict=True) if mine]
    by_number = _by_number(told) if len(told) > 1 else None
    if by_number is not None and len(told) == len(hosts):
        return Aligned(by_number, _NUMBERS, numbers=True)
    if by_number is not None and offset_ps is not None and (joined := _joined(hosts, numbered, offset_ps)) is not None:
        return Aligned(joined, f"{_NUMBERS}, those of hosts that tell none by what overlaps in time", numbers=True)
    if all(numbered) and (by_name := _by_name(hosts)) is not None:
        return Aligned(by_name, "by the names of the steps")
    why = "the hosts share no step numbers" if all(numbered) else "not all captures tell the program's step numbers"
    if offset_ps is None:
        return Aligned([np.arange(len(s)) for s in hosts], f"in order, since {why} and the captures no common clock")
    return _by_time(hosts, offset_ps, why)


def _joined(hosts: Sequence[Steps], numbered: Sequence[bool], offset_ps: Sequence[int]) -> list[I64] | None:
    """The numbers; for hosts without, those of the steps that they overlap on the numbered host with most steps."""
    most = max((i for i in range(len(hosts)) if numbered[i]), key=lambda i: len(hosts[i]))
    number = hosts[most].number
    if (np.diff(number) <= 0).any() or abs(int(number[0])) > _FAR or abs(int(number[-1])) > _FAR:
        return None
    against, place = _spans(hosts[most], offset_ps[most]), []
    for i, steps in enumerate(hosts):
        if numbered[i]:
            place.append(steps.number)
            continue
        shift, share = _best_shift(_spans(steps, offset_ps[i]), against)
        if not share:
            return None
        at = np.arange(len(steps)) + shift
        inside = np.clip(at, 0, len(number) - 1)
        place.append(number[inside] + at - inside)
    return place


def _by_number(hosts: Sequence[Steps]) -> list[I64] | None:
    """The numbers, if none repeats within a host and two hosts share one."""
    numbers = [s.number for s in hosts]
    distinct = [np.unique(number) for number in numbers]
    if any(len(d) < len(n) for d, n in zip(distinct, numbers, strict=True)):
        return None
    every = np.concatenate(distinct)
    return numbers if len(np.unique(every)) < len(every) else None


def _by_name(hosts: Sequence[Steps]) -> list[I64] | None:
    """Each host's order, shifted so that most names are where the host with most steps has them."""
    if any(len(set(s.name)) < len(s) for s in hosts):
        return None
    most = max(hosts, key=len)
    at = {name: i for i, name in enumerate(most.name)}
    place = []
    for steps in hosts:
        shift = np.array([at[name] - i for i, name in enumerate(steps.name) if name in at], np.int64)
        if not len(shift):
            return None
        values, counts = np.unique(shift, return_counts=True)
        place.append(np.arange(len(steps)) + values[np.argmax(counts)])
    return place


def _by_time(hosts: Sequence[Steps], offset_ps: Sequence[int], why: str) -> Aligned:
    """Each host against the one with most steps."""
    most = max(range(len(hosts)), key=lambda i: len(hosts[i]))
    against = _spans(hosts[most], offset_ps[most])
    found = [_best_shift(_spans(steps, ps), against) for steps, ps in zip(hosts, offset_ps, strict=True)]
    place = [np.arange(len(steps)) + shift for steps, (shift, _) in zip(hosts, found, strict=True)]
    share = min(share for _, share in found)
    if not share:
        return Aligned(place, f"in order, since {why} and not all overlap in time")
    how = f"by what overlaps in time, {percent(share)} or more of a host's steps, since {why}"
    return Aligned(place, how)


def _spans(steps: Steps, offset_ps: int) -> Intervals:
    """Begin to the next begin of any lane, so that none overlap; the last to its own end."""
    begin = steps.begin_ps + offset_ps
    return Intervals(begin, np.append(begin[1:], max(int(steps.end_ps[-1]) + offset_ps, int(begin[-1]))))


def _best_shift(mine: Intervals, other: Intervals) -> tuple[int, float]:
    """The shift of places that makes most of the time overlap, the smallest of equal ones, and what part overlaps.

    Disjoint intervals overlap in at most as many pairs as there are intervals.
    """
    first = np.searchsorted(other.end, mine.begin, side="right")
    count = np.maximum(np.searchsorted(other.begin, mine.end, side="left") - first, 0)
    left = np.repeat(np.arange(len(count)), count)
    right = np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count) + first[left]
    if not len(left):
        return 0, 0.0
    overlap = np.minimum(mine.end[left], other.end[right]) - np.maximum(mine.begin[left], other.begin[right])
    shifts, which = np.unique(right - left, return_inverse=True)
    total = np.bincount(which, weights=overlap)
    best = np.lexsort((np.abs(shifts), -total))[0]
    shorter = min(intervals.union(*mine).total, intervals.union(*other).total)
    return int(shifts[best]), min(float(total[best]) / shorter, 1.0) if shorter else 0.0
