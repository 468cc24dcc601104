"""Conditions on a run, or on what changed between two, that fail a build: their grammar, and whether they hold."""

from __future__ import annotations

import dataclasses
import difflib
import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Literal

from ..advice.text.catalogue import CATALOGUE
from ..analysis.compare.quantities import COUNTS
from ..errors import ArgumentError
from ..patterns import regex
from ..tables import Cells, Column
from ..timeline.timeline import CATEGORIES
from ..units import unit_of, value
from .compare import UNLIKE
from .declaration import Answer

_SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
#: Unit as written → what it measures, and how much of the declared unit it is.
_UNITS = {
    **{name: ("ms", factor) for name, factor in {"s": 1e3, "ms": 1.0, "us": 1e-3, "µs": 1e-3, "ns": 1e-6}.items()},
    **{name: ("bytes", float(1000**i)) for i, name in enumerate(("B", "kB", "MB", "GB", "TB"))},
    **{name: ("bytes", float(1024**i)) for i, name in enumerate(("KiB", "MiB", "GiB", "TiB"), 1)},
    "%": ("share", 0.01),
    "": ("", 1.0),
}
_CONDITION = regex(
    r"\s*(?P<name>.{1,300}?)\s*(?P<sign>[<>]=?)\s*(?P<number>[+-]?\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-zµ%]*)\s*"
)
_FINDING = regex(r"\s*finding:(?P<code>[\w.]{1,80})\s*")
_EXAMPLES = "`step_time > +3 %`, `memory_peak > +200 MiB`, `input_wait > 2 ms`, `finding:input_bound`"
#: Names that are offered instead of one that is not there, the most alike.
_NEAR = 8
State = Literal["passed", "failed", "noise", "unknown"]


@dataclasses.dataclass(frozen=True)
class Condition:
    """text: as written. name: of a quantity, or code of a finding (sign is empty). relative: the number is of the
    change, written with its plus or minus. number, unit: of the limit; `%` of a change is of the base."""

    text: str
    name: str
    sign: str = ""
    number: float = 0.0
    unit: str = ""
    relative: bool = False

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Raises ArgumentError with examples."""
        if found := _FINDING.fullmatch(text):
            return cls(text.strip(), found["code"])
        found = _CONDITION.fullmatch(text)
        if not found or found["unit"] not in _UNITS:
            raise ArgumentError(
                f"no condition {text[:80]!r}: write {_EXAMPLES}; units: {', '.join(filter(None, _UNITS))}"
            )
        return cls(
            text.strip(),
            found["name"],
            found["sign"],
            float(found["number"]),
            found["unit"],
            found["number"][0] in "+-",
        )


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A number that a condition may name. unit: `ms`, `bytes`, `share`, or empty. base: None of a single run.
    new: None where it is unknown, why says so. noisy: whether its change may be noise."""

    new: float | None
    unit: str
    base: float | None = None
    why: str = ""
    noisy: bool = False


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of a condition: `failed` where it holds; `noise` where the difference may be noise; `unknown` where it
    cannot be evaluated, which fails a build as well. detail: the values compared, in words."""

    condition: Condition
    state: State
    detail: str

    @property
    def fails(self) -> bool:
        return self.state in ("failed", "unknown")


def judged(
    condition: Condition, quantities: Mapping[str, Quantity], codes: Collection[str], strict: bool = False
) -> Outcome:
    """codes: of the run's findings. Raises ArgumentError for a name that is none, or a unit that does not fit."""
    if not condition.sign:
        there = sorted(code for code in codes if code == condition.name or code.startswith(f"{condition.name}."))
        return Outcome(
            condition, "failed" if there else "passed", f"found: {', '.join(there)}" if there else "not found"
        )
    quantity = _named(condition, quantities)
    if condition.relative and quantity.base is None and quantity.new is not None and not quantity.why:
        raise ArgumentError(f"{condition.text!r} is of a change, and there is one run: compare it with another")
    if quantity.new is None or (condition.relative and quantity.base is None):
        return Outcome(condition, "unknown", quantity.why or "it is not known")
    limit, seen, detail = _measured(condition, quantity)
    if not _SIGNS[condition.sign](seen, limit):
        return Outcome(condition, "passed", detail)
    noise = quantity.noisy and condition.relative and not strict
    return Outcome(condition, "noise" if noise else "failed", f"{detail}, which may be noise" if noise else detail)


def check_code(condition: Condition, tools: Collection[str]) -> None:
    """Raises ArgumentError for a code that no finding has, nor begins with: it would never fail a build."""
    tool, _, rest = condition.name.partition(".")
    named = (condition.name, rest) if tool in tools and rest else (condition.name,)
    findings = [code for code, text in CATALOGUE.items() if text.when]
    if not any(code == name or code.startswith(f"{name}.") for code in findings for name in named):
        near = difflib.get_close_matches(named[-1], findings, n=_NEAR, cutoff=0.0)
        raise ArgumentError.with_choices(f"{condition.text!r}: no finding {named[-1]!r}", near)


def _named(condition: Condition, quantities: Mapping[str, Quantity]) -> Quantity:
    if condition.name in quantities:
        return quantities[condition.name]
    near = difflib.get_close_matches(condition.name[:80], quantities, n=_NEAR, cutoff=0.0)
    problem = f"{condition.text!r}: no quantity {condition.name[:80]!r} among {len(quantities):,}"
    raise ArgumentError.with_choices(problem, near)


def _measured(condition: Condition, quantity: Quantity) -> tuple[float, float, str]:
    """The limit and what is compared with it, in one unit, and both in words."""
    measures, factor = _UNITS[condition.unit]
    new, base = float(quantity.new or 0.0), quantity.base
    shown = _shown(new, quantity.unit)
    if not condition.relative:
        _fit(condition, quantity, measures)
        return condition.number * factor, new, shown
    before = float(base or 0.0)
    detail = f"{shown}, before {_shown(before, quantity.unit)}"
    if condition.unit == "%" and quantity.unit != "share":
        change = (new - before) / before if before else float("inf") if new else 0.0
        return condition.number * factor, change, f"{detail}: {change:+.1%}" if before else detail
    _fit(condition, quantity, measures)
    return condition.number * factor, new - before, detail


def _fit(condition: Condition, quantity: Quantity, measures: str) -> None:
    if measures != quantity.unit:
        of = quantity.unit or "a number"
        problem = f"{condition.text!r}: {condition.name} is in {of}, not in {condition.unit or 'a number'}"
        raise ArgumentError(problem + _signed(condition, quantity))


def _signed(condition: Condition, quantity: Quantity) -> str:
    """What may be meant by a percentage of what is none: of two runs a change, which is written with its sign."""
    if condition.unit != "%" or condition.relative or quantity.base is None:
        return ""
    sign = "-" if condition.sign.startswith("<") else "+"
    return f"; a change is written with its sign: `{condition.name} {condition.sign} {sign}{condition.number:g} %`"


def _shown(number: float, unit: str) -> str:
    return value(number, unit_of("", unit, is_memory=True))


# A comparison, or the answers of one run → the numbers that conditions may name.

#: Name → columns of the summary, base and new, and the unit.
_COMPARED = {
    "step_time": ("step_time_base_ms", "step_time_new_ms", "ms"),
    "typical_step": ("typical_step_base_ms", "typical_step_new_ms", "ms"),
    "memory_peak": ("memory_peak_base_bytes", "memory_peak_new_bytes", "bytes"),
}

#: Table → what its rows are called in a condition, columns of their names, and of base and new, and the unit.
_OF_ROWS = {
    "inputs": ("input:", "name", "base_ms", "new_ms", "ms"),
    "collectives": ("collective:", "name", "base_ms", "new_ms", "ms"),
    "hosts": ("host:", "name", "own_base_ms", "own_new_ms", "ms"),
    "memory": ("memory:", "name", "base_bytes", "new_bytes", "bytes"),
}

_CATEGORIES = tuple(category.key for category in CATEGORIES)
#: Bare, these are what a comparison takes for a step, also where a tool's scalar is called the same.
_BARE = frozenset((*_CATEGORIES, "step_time", "typical_step"))


def quantities(answer: Answer) -> dict[str, Quantity]:
    """Of a comparison: the step, memory, each count and category by its key, each op as `op:NAME`, and so on; each
    number of its summary by its own name. Where steps are unlike, nothing is known of what changed."""
    summary, tables = answer.result.summary, answer.result.tables
    noise = is_noise(summary["verdict"])
    found = {
        name: Quantity(
            _number(summary[new]),
            unit,
            _number(summary[base]),
            answer.result.unknown.get(new) or answer.result.unknown.get(base, ""),
            unit == "ms" and (is_noise(summary["typical_verdict"]) if name == "typical_step" else noise),
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
    known = _counts(tables["counts"]) | _of_rows(tables, noise) | found | _of_summary(answer, found)
    return unlike(known) if summary["verdict"] == "unlike" else known


def is_noise(verdict: object) -> bool:
    return verdict not in ("slower", "faster")


def unlike(known: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Quantities of two runs whose steps are not alike: of each what it is in the new one, and no change."""
    return {name: Quantity(each.new, each.unit, why=each.why or UNLIKE) for name, each in known.items()}


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
    """Quantities of one run, from its comparison with itself."""
    return {name: Quantity(each.new, each.unit, why=each.why) for name, each in compared.items()}


def scalars(answers: Iterable[Answer]) -> dict[str, Quantity]:
    """Of one run: `tool.scalar` for each declared one with a number, and `scalar` alone for the first tool's, where
    that is no time of a comparison's step.

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
                if name not in _BARE:
                    found.setdefault(name, quantity)
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
