"""A finding's code → why it is given: its condition, and the thresholds of the rules that give it.

Rows name theirs. Of modules that have none the source is read.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from .. import units
from ..errors import NotFoundError
from ..threshold import Threshold, declared
from . import rules
from .rule import AnyThreshold, Rule
from .text.catalogue import CATALOGUE

#: Of a code that is no finding's so much is repeated.
_HEAD = 80
_FINDINGS = frozenset(code for code, text in CATALOGUE.items() if text.when)


class Limit(NamedTuple):
    """A threshold in words."""

    name: str
    value: str
    why: str
    source: str


class Explained(NamedTuple):
    """when: in one sentence what must hold for the finding; unless: when it is not given all the same, or empty."""

    code: str
    when: str
    unless: str
    limits: tuple[Limit, ...]


def explained(code: str) -> Explained:
    """Raises NotFoundError where no finding has that code."""
    text = CATALOGUE.get(code)
    if text is None or not text.when:
        raise NotFoundError(f"no finding {code[:_HEAD]!r}: give the `code` of a finding of an answer")
    thresholds = [limit for row in rows() if row.gives(code) for limit in row.thresholds]
    with_rows = {row.fact.__module__ for row in rows()}
    for module in _rules():
        if module.__name__ not in with_rows:
            thresholds += _thresholds(module, code)
    return Explained(code, text.when, text.unless, tuple(dict.fromkeys(map(_in_words, thresholds))))


@cache
def _rules() -> tuple[ModuleType, ...]:
    declared(rules)
    names = sorted(name for name in sys.modules if name.startswith(f"{rules.__name__}."))
    return tuple(sys.modules[name] for name in names)


@cache
def rows() -> tuple[Rule[...], ...]:
    """Of all subjects: rules, and tuples of them, that a module declares."""
    values = (value for module in _rules() for value in vars(module).values())
    rows = (each for value in values for each in (value if isinstance(value, tuple) else (value,)))
    return tuple(dict.fromkeys(each for each in rows if isinstance(each, Rule)))


class _Definition(NamedTuple):
    """A function, class or constant of a module: the texts in it, and the names that it uses. is_list: of codes, which
    orders findings and gives none."""

    is_function: bool
    is_list: bool
    texts: frozenset[str]
    names: frozenset[str]

    def gives(self, code: str) -> bool:
        """Whether it names a code, or its begin up to the last dot, where the rest is put together."""
        return code in self.texts or ("." in code and f"{code.rpartition('.')[0]}." in self.texts)


@cache
def _definitions(module: ModuleType) -> dict[str, _Definition]:
    """Of a module's own names, in its order."""
    found = {}
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        within = list(ast.walk(node))
        names = {each.id for each in within if isinstance(each, ast.Name)}
        own = {each.id for each in within if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        own |= {each.arg for each in within if isinstance(each, ast.arg)}
        definition = _Definition(
            isinstance(node, ast.FunctionDef),
            isinstance(getattr(node, "value", None), ast.Tuple | ast.List | ast.Set),
            frozenset(each.value for each in within if isinstance(each, ast.Constant) and isinstance(each.value, str)),
            frozenset(names.difference(own if isinstance(node, ast.FunctionDef | ast.ClassDef) else ())),
        )
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = definition
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                each.id: definition for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
            }
    return found


def _thresholds(module: ModuleType, code: str) -> list[AnyThreshold]:
    """What the rules that give a code decide by, in the order of the module.

    A rule names the code, or uses a table or a private function that does; what it uses in turn belongs to it, but for
    functions that give findings themselves. A list of codes mostly orders findings: it counts where nothing else does.
    """
    known = _definitions(module)
    limits = {name for name, value in vars(module).items() if isinstance(value, Threshold)}
    helpers = vars(module).keys() - {
        name for name, each in known.items() if each.is_function and each.texts & _FINDINGS
    }
    inner = {name for name, each in known.items() if name.startswith("_") or not each.is_function}
    lists = {name for name, each in known.items() if each.is_list}
    for parts in (inner - lists, inner):
        rules = {name for name, each in known.items() if each.gives(code)}
        while more := {n for n, each in known.items() if each.is_function and each.names & rules & parts} - rules:
            rules |= more
        # A row that puts a rule beside when it comes first.
        rules |= {n for n, each in known.items() if not each.is_function and each.names & rules and each.names & limits}
        while more := {n for name in rules & known.keys() for n in known[name].names & helpers} - rules:
            rules |= more
        if found := [value for name, value in vars(module).items() if name in rules & limits]:
            return found
    return []


def _in_words(limit: AnyThreshold) -> Limit:
    return Limit(limit.name, value_of(limit), limit.why, limit.source)


def value_of(limit: AnyThreshold) -> str:
    """With its unit."""
    return units.percent(limit.value) if limit.unit == "share" else units.value(limit.value, limit.unit)
