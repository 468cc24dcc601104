"""A comparison, or the answers of one run → the numbers that conditions may name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..analysis.compare.changes import largest_peak
from ..analysis.compare.quantities import COUNTS
from ..tables import Cells, Column
from ..timeline.timeline import CATEGORIES
from .declaration import Answer
from .gate import Quantity

__all__ = ["against", "largest_peak", "of_one", "quantities", "scalars"]

#: Name → columns of the summary, base and new, and the unit.
_COMPARED = {
    "step_time": ("step_time_base_ms", "step_time_new_ms", "ms"),
    "memory_peak": ("memory_peak_base_bytes", "memory_peak_new_bytes", "bytes"),
}
#: The typical step, as of a comparison, not the mean of all.
_ALIASES = {"step_time": ("overview", "step_time_typical_ms")}

#: Table → what its rows are called in a condition, columns of their names, and of base and new, and the unit.
_OF_ROWS = {
    "inputs": ("input:", "name", "base_ms", "new_ms", "ms"),
    "collectives": ("collective:", "name", "base_ms", "new_ms", "ms"),
    "hosts": ("host:", "name", "own_base_ms", "own_new_ms", "ms"),
    "memory": ("memory:", "name", "base_bytes", "new_bytes", "bytes"),
}

#: Bare, these are times of a step, also where a tool's scalar is called the same.
_CATEGORIES = tuple(category.key for category in CATEGORIES)


def quantities(answer: Answer) -> dict[str, Quantity]:
    """Of a comparison: the step, memory, each count and category by its key, each op as `op:NAME`, and so on; each
    number of its summary by its own name."""
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
    # A category that neither side has takes nothing of its steps, where there are any.
    step = found["step_time"]
    takes = dict.fromkeys(_CATEGORIES, (0.0, 0.0))
    takes |= _takes(tables["categories"], "category", "")
    takes |= _takes(tables["ops"], "name", "op:") | _takes(tables["kernels"], "name", "kernel:")
    unknown = step.new is None or step.base is None
    for name, (base, new) in takes.items():
        found[name] = Quantity(None, "ms", why=step.why) if unknown else Quantity(new, "ms", base, noisy=noise)
    return _counts(tables["counts"]) | _of_rows(tables, noise) | found | _of_summary(answer, found)


def _counts(columns: Mapping[str, Cells]) -> dict[str, Quantity]:
    """By key, without its unit, too; those that no side shows are unknown."""
    found = {}
    for count in COUNTS:
        found[count.key] = Quantity(None, _measure(count.unit), why="the capture does not show it")
    for key, unit, base, new in zip(*(columns[name] for name in ("count", "unit", "base", "new")), strict=True):
        why = "" if base is not None and new is not None else "a side does not show it"
        found[str(key)] = Quantity(_number(new), _measure(str(unit)), _number(base), why)
    return found | {key.removesuffix(f"_{each.unit}"): each for key, each in found.items() if each.unit}


def _measure(unit: str) -> str:
    return unit if unit in ("ms", "bytes") else ""


def _of_rows(tables: Mapping[str, Mapping[str, Cells]], noise: bool) -> dict[str, Quantity]:
    """`input:STAGE`, `collective:NAME`, `host:NAME`, `memory:SYSTEM`; of rows of one name the first, which changed
    most."""
    found: dict[str, Quantity] = {}
    for table, (prefix, column, base, new, unit) in _OF_ROWS.items():
        columns = tables[table]
        for name, a, b in zip(columns[column], columns[base], columns[new], strict=True):
            why = "" if a is not None and b is not None else "a side lacks it"
            quantity = Quantity(_number(b), unit, _number(a), why, noise and unit == "ms")
            found.setdefault(f"{prefix}{name}", quantity)
    return found


def _of_summary(answer: Answer, found: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Numbers of both sides or of their change: of one answer, so that no other is before them."""
    columns = [c for c in answer.tool.summary if c.dtype not in ("text", "bool") and c.name not in found]
    summary, unknown = answer.result.summary, answer.result.unknown
    return {c.name: Quantity(_number(summary[c.name]), _unit(c), why=unknown.get(c.name, "")) for c in columns}


def _takes(columns: Mapping[str, Cells], column: str, prefix: str) -> dict[str, tuple[float, float]]:
    """Name → what it takes of a step of base and of new; rows of one name are one."""
    found: dict[str, tuple[float, float]] = {}
    for name, base, new in zip(columns[column], columns["base_ms"], columns["new_ms"], strict=True):
        if name:
            before = found.get(f"{prefix}{name}", (0.0, 0.0))
            found[f"{prefix}{name}"] = before[0] + float(base), before[1] + float(new)
    return found


def of_one(compared: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Of a run that was compared with itself, as quantities of that run alone."""
    return {name: Quantity(each.new, each.unit, why=each.why) for name, each in compared.items()}


def scalars(answers: Iterable[Answer]) -> dict[str, Quantity]:
    """Of one run: `tool.scalar` for each declared one with a number, and `scalar` alone for the first tool's, where
    that is no category.

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
                if name not in _CATEGORIES:
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
