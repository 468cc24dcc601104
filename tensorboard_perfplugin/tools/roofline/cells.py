"""Rooflines of all hosts → the cells of the tables, and the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...analysis.devices.datasheets import Rates
from ...analysis.devices.peaks import COMPUTE, at_most_1, giga_per_s, is_above, largest, starts
from ...analysis.roofline.executed import MEMORIES, NAMES, Label
from ...analysis.roofline.points import Point, Reached, Roofline, Whole, average, bound_of_row, limits
from ...tables import Cells, Options, Scalar, TableSpec, limited
from ...units import PS_PER_MS, PS_PER_US
from .columns import OPS, ROOFS, STEPS

Rows = Sequence[tuple[Label, Point]]
_CMEM, _VMEM = (tuple(i for i, (name, _, _, _) in enumerate(MEMORIES) if name.startswith(m)) for m in ("CMEM", "VMEM"))


def table(spec: TableSpec, rows: Sequence[Sequence[Scalar]]) -> dict[str, Cells]:
    return {column.name: [row[i] for row in rows] for i, column in enumerate(spec.columns)}


def op_table(rows: Rows, whole: Whole, options: Options) -> dict[str, Cells]:
    op_ps = sum(point.own_ps for _, point in rows)
    return table(OPS, [_op(rank, *pair, op_ps, whole.time_ps) for rank, pair in enumerate(limited(rows, options), 1)])


def _op(rank: int, label: Label, point: Point, op_ps: float, time_ps: float) -> tuple[Scalar, ...]:
    moves = not starts(label.category)
    shares = point.shares
    return (
        *(rank, label.name, label.shapes, label.program, label.category, label.precision, point.occurrences),
        *(point.total_ps / PS_PER_US, point.own_ps / PS_PER_US),
        *(point.own_ps / op_ps if op_ps else None, min(point.own_ps / time_ps, 1.0) if time_ps else None),
        *(_rate(point, amount) if moves else None for amount in (point.flops, point.memories[0])),
        *(_rate(point, _total(point, which)) if moves else None for which in (_CMEM, _VMEM)),
        point.intensity,
        bound_of_row(label, point),
        at_most_1(point.roof_share if bound_of_row(label, point) else None),
        *(at_most_1(share if moves else None) for share in shares[:2]),
        is_above_roof(label, point),
        label.costs_from,
    )


def _total(point: Point, which: Sequence[int]) -> float | None:
    known = [point.memories[i] for i in which if point.memories[i] is not None]
    return sum(each for each in known if each is not None) if known else None


def _rate(point: Point, amount: float | None) -> float | None:
    return giga_per_s(amount, point.total_ps)


def is_above_roof(label: Label, point: Point) -> bool | None:
    most = largest(point.shares)
    return None if most is None or starts(label.category) else is_above(most)


def step_table(found: Roofline) -> dict[str, Cells]:
    mean = average(found.steps)
    return table(STEPS, [_whole(one) for one in (found.total, *([mean] if mean else []), *found.steps)])


def _whole(one: Whole) -> tuple[Scalar, ...]:
    point = one.as_point()
    return (
        one.name,
        one.devices,
        one.time_ps / max(one.devices, 1) / PS_PER_MS,
        min(one.op_ps / one.time_ps, 1.0) if one.time_ps else None,
        one.known_ps / one.op_ps if one.op_ps else None,
        one.fed_ps / max(one.devices, 1) / PS_PER_MS,
        _rate(point, one.flops) if one.known_ps else None,
        _rate(point, one.memories[0]) if one.known_ps else None,
        point.intensity if one.known_ps else None,
        *limits(one),
    )


def roof_table(found: Roofline) -> dict[str, Cells]:
    return table(ROOFS, list(_roofs(found)))


def _roofs(found: Roofline) -> Iterator[tuple[Scalar, ...]]:
    for top in found.roofs:
        flat = len({rate for rate in top.rates if rate is not None}) == 1 and top.figures == "options"
        rates = {"peak": top.best} if flat else dict(zip(Rates._fields, top.rates, strict=True))
        for name, rate in rates.items():
            if rate is not None:
                yield top.model, name, rate * 1e3, None, None, top.figures
        for (name, _, _, _), rate in zip(MEMORIES, top.memories, strict=True):
            if rate is not None:
                ridge = top.best * 1e3 / rate if top.best is not None else None
                yield top.model, name, None, rate, ridge, top.figures


def summary(found: Roofline, of_all: Reached) -> dict[str, Scalar]:
    """Nulls where something is not known."""
    tops = found.roofs
    peak, gb_s = _same(top.best for top in tops), _same(top.memories[0] for top in tops)
    return {
        "roof_devices": ", ".join(dict.fromkeys(top.model for top in tops if top.model)) or None,
        "peak_tflops": peak,
        "peak_gb_s": gb_s,
        "ridge": peak * 1e3 / gb_s if peak and gb_s else None,
        "figures_from": ", ".join(dict.fromkeys(top.figures for top in tops if top.figures)) or None,
        "step_roof_share": of_all.roof_share,
        "step_compute_share": of_all.compute_share,
        "step_memory_share": of_all.memory_share,
        "bound_by": of_all.bound_by or None,
        "ideal_share": of_all.ideal_share,
        "hbm_bound_share": of_all.bound_shares.get(NAMES[1], 0.0) if of_all.bound_shares else None,
        "compute_bound_share": of_all.bound_shares.get(COMPUTE, 0.0) if of_all.bound_shares else None,
        "only_wait_share": of_all.wait_share,
        "unknown_share": of_all.unknown_share,
        "idle_share": of_all.idle_share,
    }


def _same(values: Iterable[float | None]) -> float | None:
    """What all have; None where they differ."""
    distinct = set(values)
    return next(iter(distinct)) if len(distinct) == 1 else None
