"""Rows → a table, what is wrong in it, and the rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from tests.truth.judge import NEAR_GAIN, NEAR_POINTS, NEAR_STEP, Row

R = TypeVar("R")
_HEAD = ("case", "first finding", "cause", "planted %", "reported %", "points", "steps", "step time %", "remarks")


def report(rows: Sequence[Row]) -> Iterator[str]:
    yield from aligned([_HEAD, *(_cells(row) for row in rows)])
    wrong = [row for row in rows if not row.right]
    if wrong:
        yield from ("", "Wrong causes first:")
        for row in wrong:
            yield f"  {row.case}: {row.first}, not {' '.join(row.expected)}"
            yield f"      {row.title}"
    yield from ("", summary(rows))


def summary(rows: Sequence[Row]) -> str:
    compared = [row for row in rows if row.points is not None]
    gains = [row for row in rows if row.gain_error is not None]
    parts = (
        rate("right cause first", rows, lambda row: row.right),
        rate("with two costs", [row for row in rows if row.two], lambda row: row.right),
        rate("of clean programs", [row for row in rows if row.clean], lambda row: row.right),
        rate(f"share within {NEAR_POINTS:.0f} points", compared, lambda row: abs(row.points or 0) <= NEAR_POINTS),
        rate(f"gain within {NEAR_GAIN:.0%}", gains, lambda row: abs(row.gain_error or 0) <= NEAR_GAIN),
        rate("step count exact", rows, lambda row: row.steps == row.steps_found),
        rate(f"step time within {NEAR_STEP:.0%}", rows, _time_is_near),
        f"false alarms: {sum(len(row.alarms) for row in rows)}",
        f"contradictions: {sum(len(row.contradictions) for row in rows)}",
        f"disturbed by other work: {sum(row.disturbed for row in rows)}",
    )
    return " · ".join(parts)


def rate(what: str, rows: Sequence[R], holds: Callable[[R], bool]) -> str:
    n = sum(holds(row) for row in rows)
    return f"{what}: {n} of {len(rows)}" + (f" ({n / len(rows):.0%})" if rows else "")


def _time_is_near(row: Row) -> bool:
    return row.step_error is not None and abs(row.step_error) <= NEAR_STEP


def _cells(row: Row) -> tuple[str, ...]:
    found = str(row.steps_found)
    disturbed = ("disturbed",) if row.disturbed else ()
    return (
        row.case,
        row.first,
        "right" if row.right else "WRONG",
        number(row.planted, ".0f"),
        number(row.reported, ".0f"),
        number(row.points, "+.0f"),
        found if row.steps == row.steps_found else f"{found}, not {row.steps}",
        number(None if row.step_error is None else 100 * row.step_error, "+.2f"),
        "; ".join((*disturbed, *row.alarms, *row.contradictions)),
    )


def number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def aligned(table: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
