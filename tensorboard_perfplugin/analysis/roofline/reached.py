"""The points of a roofline → what bounds each, and how the time divides by that."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..devices import at_most_1, largest, starts, waits
from ..devices import bound_by as bounding
from .executed import Label
from .points import Point, Roofline, Whole, average


@dataclasses.dataclass(frozen=True)
class Reached:
    """side: of the ops. is_step: whether of an average step, else of all that ran. has_peaks: whether all devices have
    some. has_costs: whether those of any op are known.

    roof_share: the larger of compute_share and memory_share, None unknown, or above 1. Of the op time: ideal_share is
    what would be left of that of known costs if each op were at its roof; bound_shares, by what bounds ops, empty where
    that is known of none; wait_share, of what only waits; unknown_share, of unknown costs. idle_share: of the time.
    """

    side: str
    is_step: bool
    has_peaks: bool
    has_costs: bool
    bound_by: str
    roof_share: float | None
    compute_share: float | None
    memory_share: float | None
    ideal_share: float | None
    bound_shares: dict[str, float]
    wait_share: float | None
    unknown_share: float | None
    idle_share: float | None
    op_ps: float = 0.0


def reached(found: Roofline, rows: Sequence[tuple[Label, Point]]) -> Reached:
    """rows: those of which the time is divided."""
    mean = average(found.steps)
    whole = mean or found.total
    bound, roof_share, compute, memory = limits(whole)
    op_ps = sum(point.own_ps for _, point in rows)
    bounds = [(bound_by(label, point), point) for label, point in rows]
    known = [(name, point) for name, point in bounds if name]
    known_ps = sum(point.own_ps for _, point in known)
    at_roof = sum(point.own_ps * min(point.roof_share or 0.0, 1.0) for _, point in known)
    waiting = sum(point.own_ps for label, point in rows if waits(label.category))
    working = [point for label, point in rows if not waits(label.category)]
    unknown = sum(point.own_ps for point in working if point.flops is None or point.memories[0] is None)
    return Reached(
        side=found.side,
        is_step=mean is not None,
        has_peaks=all(top.best is not None and top.memories[0] is not None for top in found.roofs),
        has_costs=any(point.flops is not None and point.bytes is not None for _, point in rows),
        bound_by=bound,
        roof_share=roof_share,
        compute_share=compute,
        memory_share=memory,
        ideal_share=at_roof / known_ps if known_ps else None,
        bound_shares=_shares(known, op_ps),
        wait_share=waiting / op_ps if op_ps else None,
        unknown_share=unknown / op_ps if op_ps else None,
        idle_share=1 - min(whole.op_ps / whole.time_ps, 1.0) if whole.time_ps else None,
        op_ps=op_ps,
    )


def _shares(known: Sequence[tuple[str, Point]], op_ps: float) -> dict[str, float]:
    sums: dict[str, float] = {}
    for name, point in known:
        sums[name] = sums.get(name, 0.0) + point.own_ps
    return {name: ps / op_ps for name, ps in sums.items()} if op_ps else {}


def bound_by(label: Label, point: Point) -> str:
    """Of what only waits, or starts what goes on beside it, nothing."""
    return "" if waits(label.category) or starts(label.category) else point.bound_by


def limits(one: Whole) -> tuple[str, float | None, float | None, float | None]:
    """What bounds it; how much of its roof, of the peak rate and of the bandwidth it reaches."""
    shares = one.as_point().shares[:2] if one.known_ps else (None, None)
    compute, memory = map(at_most_1, shares)
    return bounding(shares), None if None in shares else at_most_1(largest(shares)), compute, memory
