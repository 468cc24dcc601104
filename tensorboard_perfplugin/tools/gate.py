"""Conditions on a run, or on what changed between two, that fail a build: their grammar, and whether they hold."""

from __future__ import annotations

import dataclasses
import difflib
import operator
import re
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from ..advice.text import CATALOGUE
from ..errors import ArgumentError
from ..units import unit_of, value

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
_CONDITION = re.compile(
    r"\s*(?P<name>.{1,300}?)\s*(?P<sign>[<>]=?)\s*(?P<number>[+-]?\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-zµ%]*)\s*"
)
_FINDING = re.compile(r"\s*finding:(?P<code>[\w.]{1,80})\s*")
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
    """What became of a condition: `failed` where it holds; `noise` where it would, but for noise; `unknown` where it
    cannot be told, which fails a build as well."""

    condition: Condition
    state: State
    said: str

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
    limit, seen, said = _measured(condition, quantity)
    if not _SIGNS[condition.sign](seen, limit):
        return Outcome(condition, "passed", said)
    noise = quantity.noisy and condition.relative and not strict
    return Outcome(condition, "noise" if noise else "failed", f"{said}, which may be noise" if noise else said)


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
    said = f"{shown}, before {_shown(before, quantity.unit)}"
    if condition.unit == "%" and quantity.unit != "share":
        change = (new - before) / before if before else float("inf") if new else 0.0
        return condition.number * factor, change, f"{said}: {change:+.1%}" if before else said
    _fit(condition, quantity, measures)
    return condition.number * factor, new - before, said


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
