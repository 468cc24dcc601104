"""A comparison, or the answers of one run → the numbers that conditions may name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..analysis.compare import largest_peak
from ..tables import Column
from .declaration import Answer
from .gate import Quantity

__all__ = ["against", "largest_peak", "quantities", "scalars"]

#: Name → columns of the summary, base and new, and the unit.
_COMPARED = {
    "step_time": ("step_time_base_ms", "step_time_new_ms", "ms"),
    "memory_peak": ("memory_peak_base_bytes", "memory_peak_new_bytes", "bytes"),
    "launches": ("launches_base", "launches_new", ""),
}
#: The same names for a single run: column of a tool's summary.
_ALIASES = {"step_time": ("overview", "step_time_typical_ms"), "launches": ("overview", "launch_count")}


def quantities(answer: Answer) -> dict[str, Quantity]:
    """Of a comparison: the step, memory, launches, each category by its key, each op as `op:NAME`."""
    summary, tables = answer.result.summary, answer.result.tables
    noise = summary["verdict"] not in ("slower", "faster")
    found = {
        name: Quantity(
            _number(summary[new]),
            unit,
            _number(summary[base]),
            answer.result.unknown.get(new) or answer.result.unknown.get(base, ""),
            noise and unit == "ms",
        )
        for name, (base, new, unit) in _COMPARED.items()
    }
    for table, column, prefix in (
        ("categories", "category", ""),
        ("ops", "name", "op:"),
        ("kernels", "name", "kernel:"),
    ):
        columns = tables[table]
        for name, base, new in zip(columns[column], columns["base_ms"], columns["new_ms"], strict=True):
            if name:
                found.setdefault(f"{prefix}{name}", Quantity(float(new), "ms", float(base), noisy=noise))
    return found


def scalars(answers: Iterable[Answer]) -> dict[str, Quantity]:
    """Of one run: `tool.scalar` for each declared one with a number, and `scalar` alone for the first tool's.

    Names end with their units, as columns' do, or without: `overview.step_time_ms` and `overview.step_time` are one.
    """
    found: dict[str, Quantity] = {}
    for answer in answers:
        for column in answer.tool.summary:
            if column.dtype in ("text", "bool"):
                continue
            given = answer.result.summary[column.name]
            quantity = Quantity(_number(given), _unit(column), why=answer.result.unknown.get(column.name, ""))
            for name in (column.name, _without_unit(column)):
                found.setdefault(f"{answer.tool.name}.{name}", quantity)
                found.setdefault(name, quantity)
    for name, (tool, column_name) in _ALIASES.items():
        if f"{tool}.{column_name}" in found:
            found[name] = found[f"{tool}.{column_name}"]
    return found


def against(base: Mapping[str, Quantity], new: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Quantities of two runs as quantities of a change."""
    return {
        name: Quantity(each.new, each.unit, base[name].new, each.why or base[name].why)
        for name, each in new.items()
        if name in base
    }


def _unit(column: Column) -> str:
    return column.unit if column.unit in ("ms", "bytes", "share") else ""


def _without_unit(column: Column) -> str:
    return column.name.removesuffix(f"_{column.unit}") if _unit(column) else column.name


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
