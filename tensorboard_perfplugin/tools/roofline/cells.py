"""Rooflines of all hosts → the cells of the tables, and the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...analysis.devices import ABOVE, Rates
from ...analysis.ops import PS_PER_MS, PS_PER_US
from ...analysis.roofline import COMPUTE, MEMORIES, NAMES, Label, Point, Roofline, Whole, average, is_start, is_wait
from ...tables import Cells, Options, Scalar, TableSpec, limited
from .columns import OPS, ROOFS, STEPS

Rows = Sequence[tuple[Label, Point]]
_GIGA, _PS_PER_S = 1e9, 1e12
_CMEM, _VMEM = (tuple(i for i, (name, _, _, _) in enumerate(MEMORIES) if name.startswith(m)) for m in ("CMEM", "VMEM"))


def table(spec: TableSpec, rows: Sequence[Sequence[Scalar]]) -> dict[str, Cells]:
    return {column.name: [row[i] for row in rows] for i, column in enumerate(spec.columns)}


def op_table(rows: Rows, whole: Whole, options: Options) -> dict[str, Cells]:
    op_ps = sum(point.own_ps for _, point in rows)
    return table(OPS, [_op(rank, *pair, op_ps, whole.time_ps) for rank, pair in enumerate(limited(rows, options), 1)])


def _op(rank: int, label: Label, point: Point, op_ps: float, time_ps: float) -> tuple[Scalar, ...]:
    moves = not is_start(label)
    shares = point.shares
    return (
        *(rank, label.name, label.shapes, label.program, label.category, label.precision, point.occurrences),
        *(point.total_ps / PS_PER_US, point.own_ps / PS_PER_US),
        *(point.own_ps / op_ps if op_ps else None, min(point.own_ps / time_ps, 1.0) if time_ps else None),
        *(_rate(point, amount) if moves else None for amount in (point.flops, point.memories[0])),
        *(_rate(point, _total(point, which)) if moves else None for which in (_CMEM, _VMEM)),
        point.intensity,
        bound_by(label, point),
        _below(point.roof_share if bound_by(label, point) else None),
        *(_below(share if moves else None) for share in shares[:2]),
        is_above(label, point),
        label.costs_from,
    )


def _total(point: Point, which: Sequence[int]) -> float | None:
    known = [point.memories[i] for i in which if point.memories[i] is not None]
    return sum(each for each in known if each is not None) if known else None


def _rate(point: Point, amount: float | None) -> float | None:
    """10⁹ a second; none of a rate that no device has."""
    seconds = point.total_ps / _PS_PER_S
    return amount / seconds / _GIGA if amount is not None and seconds else None


def bound_by(label: Label, point: Point) -> str:
    """Of what only waits, or starts what goes on beside it, nothing."""
    return "" if is_wait(label) or is_start(label) or (point.shares[0] or 0.0) >= ABOVE.value else point.bound_by


def is_above(label: Label, point: Point) -> bool | None:
    if is_start(label) or not any(share is not None for share in point.shares):
        return None
    return max(share or 0.0 for share in point.shares) >= ABOVE.value


def _below(share: float | None) -> float | None:
    return share if share is not None and share <= 1 else None


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
        *_limits(one),
    )


def _limits(one: Whole) -> tuple[str, Scalar, Scalar, Scalar]:
    """bound_by, roof_share, compute_share, memory_share."""
    compute, memory = one.as_point().shares[:2] if one.known_ps else (None, None)
    if compute is None or memory is None:
        return "", None, _below(compute), _below(memory)
    name = COMPUTE if compute >= memory else NAMES[1]
    return (name if max(compute, memory) else ""), _below(max(compute, memory)), _below(compute), _below(memory)


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


def summary(found: Roofline, rows: Rows) -> dict[str, Scalar]:
    """Nulls where something is not known."""
    mean = average(found.steps) or found.total
    bound, roof_share, compute, memory = _limits(mean)
    tops = found.roofs
    peak, gb_s = _same(top.best for top in tops), _same(top.memories[0] for top in tops)
    idle = 1 - min(mean.op_ps / mean.time_ps, 1.0) if mean.time_ps else None
    return {
        "device_type": ", ".join(dict.fromkeys(top.model for top in tops if top.model)) or None,
        "peak_tflops": peak,
        "peak_gb_s": gb_s,
        "ridge": peak * 1e3 / gb_s if peak and gb_s else None,
        "figures_from": ", ".join(dict.fromkeys(top.figures for top in tops if top.figures)) or None,
        "roof_share": roof_share,
        "compute_share": compute,
        "memory_share": memory,
        "bound_by": bound or None,
        **_time(rows),
        "idle_share": idle,
    }


def _same(values: Iterable[float | None]) -> float | None:
    """What all have; None where they differ."""
    distinct = set(values)
    return next(iter(distinct)) if len(distinct) == 1 else None


def _time(rows: Rows) -> dict[str, Scalar]:
    """How the op time divides by what bounds it."""
    whole = sum(point.own_ps for _, point in rows)
    if not whole:
        return {}
    waits = sum(point.own_ps for label, point in rows if is_wait(label))
    bounds = [(bound_by(label, point), point) for label, point in rows]
    unknown = sum(p.own_ps for one, p in rows if not is_wait(one) and (p.flops is None or p.memories[0] is None))
    known = [point for name, point in bounds if name]
    at_roof = sum(point.own_ps * min(point.roof_share or 0.0, 1.0) for point in known)
    known_ps = sum(point.own_ps for point in known)
    return {
        "ideal_share": at_roof / known_ps if known_ps else None,
        "hbm_bound_share": sum(p.own_ps for name, p in bounds if name == NAMES[1]) / whole if known else None,
        "compute_bound_share": sum(p.own_ps for name, p in bounds if name == COMPUTE) / whole if known else None,
        "wait_share": waits / whole,
        "unknown_share": unknown / whole,
    }
