"""A finding's code → why it is given: its condition, and the thresholds of the rules that give it."""

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
from .text.catalogue import CATALOGUE

#: Of a code that is no finding's so much is repeated.
_HEAD = 80
AnyThreshold = Threshold[int] | Threshold[float]


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
    modules = [module for module in _rules() if _gives(module, code)]
    thresholds = (value for module in modules for value in vars(module).values() if isinstance(value, Threshold))
    return Explained(code, text.when, text.unless, tuple(dict.fromkeys(map(_in_words, thresholds))))


def _gives(module: ModuleType, code: str) -> bool:
    """Whether a rule's file names a code, or its begin up to the last dot, where the rest is put together."""
    known = texts_of(module)
    return code in known or ("." in code and f"{code.rpartition('.')[0]}." in known)


@cache
def _rules() -> tuple[ModuleType, ...]:
    declared(rules)
    names = sorted(name for name in sys.modules if name.startswith(f"{rules.__name__}."))
    return tuple(sys.modules[name] for name in names)


@cache
def texts_of(module: ModuleType) -> frozenset[str]:
    """All texts that a rule's file names, codes among them."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return frozenset(value for value in values if isinstance(value, str))


def _in_words(limit: AnyThreshold) -> Limit:
    return Limit(limit.name, value_of(limit), limit.why, limit.source)


def value_of(limit: AnyThreshold) -> str:
    """With its unit."""
    return units.percent(limit.value) if limit.unit == "share" else units.value(limit.value, limit.unit)
