"""A timeline and its steps → what of the time from its first op to its last is in no step, and what it goes to."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...threshold import CHOSEN, Threshold
from ...timeline import CATEGORIES, Timeline, divided, time_outside_steps

MUCH = Threshold(
    "much in no step",
    0.5,
    "share",
    "of the time from the first op to the last, and of the steps; less is a start or an end",
    CHOSEN,
)


@dataclasses.dataclass(frozen=True, eq=False)
class OutOfSteps:
    """span_ps: from the first op's begin to the last one's end, all of it without steps. outside_ps: what of it is in
    no step. by_category: where that is much, what it goes to, else empty. longest: of its stretches, begin and end.
    hosts: of how many it is the sum."""

    span_ps: int
    outside_ps: int
    by_category: NDArray[np.float64]
    longest: tuple[tuple[int, int], ...] = ()
    hosts: int = 1


NOTHING = OutOfSteps(0, 0, np.empty(0))


def out_of_steps(timeline: Timeline, choice: str, stretches: int = 3) -> OutOfSteps:
    """stretches: how many of the longest are told. Raises ArgumentError."""
    found = time_outside_steps(timeline, choice)
    if not found.span_ps or found.outside_ps < MUCH.value * max(found.span_ps, found.outside_ps + found.steps_ps):
        return OutOfSteps(found.span_ps, found.outside_ps, np.empty(0))
    of = found.outside
    order = np.argsort(of.begin - of.end, kind="stable")[:stretches]
    places = tuple(zip(of.begin[order].tolist(), of.end[order].tolist(), strict=True))
    return OutOfSteps(found.span_ps, found.outside_ps, divided(timeline, of), places)


def all_out_of_steps(parts: Sequence[OutOfSteps]) -> OutOfSteps:
    """Of all hosts that have much of it."""
    some = [part for part in parts if len(part.by_category)]
    if not some:
        return NOTHING
    whole = np.zeros(len(CATEGORIES))
    for part in some:
        whole += part.by_category
    span, outside = sum(p.span_ps for p in some), sum(p.outside_ps for p in some)
    return OutOfSteps(span, outside, whole, some[0].longest, len(some))
