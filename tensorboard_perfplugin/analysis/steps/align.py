"""Several hosts' steps → which of them are the same step of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...messages import Message
from ...tables import I64, Intervals, intervals
from ...timeline import Steps

#: Numbers beyond are not counted on from.
_FAR = 1 << 61


class Aligned(NamedTuple):
    """place: for each host and step its place in the run, distinct within a host, any integers. how: by what they were
    put side by side, None without hosts. numbers: whether the places are the program's step numbers. corrected: whether
    the difference of the hosts' clocks was taken off.
    """

    place: list[I64]
    how: Message | None
    numbers: bool = False
    corrected: bool = False


def align(hosts: Sequence[Steps], numbered: Sequence[bool], offset_ps: Sequence[int] | None) -> Aligned:
    """Find the places. numbered: by host, whether its numbers are the program's. offset_ps: of its clock, if known.

    By number; where numbers repeat within a host, by name (`train 3`, `test 3`). The steps of a host without numbers
    are those that they overlap most in time, on the hosts' clocks as they are. Every step is kept. Near-linear in the
    number of steps.
    """
    if len(hosts) < 2:
        return Aligned([np.arange(len(s)) for s in hosts], Message("aligned_by.one_host") if hosts else None)
    with_numbers = [s for s, has in zip(hosts, numbered, strict=True) if has]
    by_number = _by_number(with_numbers) if len(with_numbers) > 1 else None
    if by_number is not None and len(with_numbers) == len(hosts):
        return Aligned(by_number, Message("aligned_by.numbers"), numbers=True)
    if by_number is not None and offset_ps is not None and (joined := _joined(hosts, numbered, offset_ps)) is not None:
        return Aligned(joined, Message("aligned_by.numbers_and_time"), numbers=True)
    if all(numbered) and (by_name := _by_name(hosts)) is not None:
        return Aligned(by_name, Message("aligned_by.names"))
    why = Message("step_numbers.not_shared" if all(numbered) else "step_numbers.missing")
    if offset_ps is None:
        return Aligned([np.arange(len(s)) for s in hosts], Message("aligned_by.order.no_clock", {"why": why}))
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


def _by_time(hosts: Sequence[Steps], offset_ps: Sequence[int], why: Message) -> Aligned:
    """Each host against the one with most steps."""
    most = max(range(len(hosts)), key=lambda i: len(hosts[i]))
    against = _spans(hosts[most], offset_ps[most])
    found = [_best_shift(_spans(steps, ps), against) for steps, ps in zip(hosts, offset_ps, strict=True)]
    place = [np.arange(len(steps)) + shift for steps, (shift, _) in zip(hosts, found, strict=True)]
    share = min(share for _, share in found)
    if not share:
        return Aligned(place, Message("aligned_by.order.no_overlap", {"why": why}))
    return Aligned(place, Message("aligned_by.time", {"share": share, "why": why}))


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
