"""The numbers that a package declares: every numeric part of a constant of a module or class, each with its rule.

WORTH = 0.05                                  WORTH
_EMPTY, _FULL = 0.2, 0.8                      _EMPTY, _FULL
RANGES = {"delay_ms": (0, HOUR_MS)}           none: 0 has no magnitude
FEW = Threshold("few", 3, "steps", …)         FEW, its second argument
CAUSES = (Cause("input", 0.2), …)             CAUSES[0][1], …
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

#: Bases of classes whose members are codes, of which each is another.
_ENUMS = {"Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"}
_VERSION = re.compile(r"(^|_)(SCHEMA|VERSION|SINCE)(_|$)")
_CONVERSION = re.compile(r"^_?([A-Z]+_PER_[A-Z]+|GIGA|TERA|MEGA|US|MS|NS)$")
_UNITS = {"ps", "ns", "us", "µs", "ms", "s", "m", "min", "h", "d", "hours", "minutes", "days"} | {
    *("b", "byte", "bytes", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "kilobytes", "megabytes")
}
#: Numbers that a type's width gives: guards against overflow, and "endless".
_WIDTHS = frozenset(
    sign * ((1 << bits) - less) for bits in (31, 32, 53, 61, 62, 63, 64) for less in (0, 1) for sign in (1, -1)
)


@dataclasses.dataclass(frozen=True)
class Constant:
    """One number: `name` is unique in its module; `top` is the module's name that holds it, `owner` a class's."""

    module: str
    path: Path
    line: int
    name: str
    top: str
    value: float
    #: The place in the text: line, column, last line, last column of the numeric expression.
    place: tuple[int, int, int, int]
    owner: str = ""
    #: Why it decides nothing, by rule; empty where it may decide.
    rule: str = ""

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}"


def number(node: ast.expr) -> float | None:
    """The value of an expression of plain numbers alone, such as `1 << 20` or `-3 * 10**9`."""
    if isinstance(node, ast.Constant):
        return _as_number(node.value)
    if any(not isinstance(part, _PLAIN) for part in ast.walk(node)) or not isinstance(node, ast.expr):
        return None
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}})
    except (ArithmeticError, TypeError, ValueError):
        return None
    return _as_number(value)


def _as_number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


_PLAIN = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop)


def constants(module: str, path: Path) -> list[Constant]:
    """All of one module, in its order."""
    found = []
    for statement, owner, enum in _assignments(ast.parse(path.read_text()).body):
        value = statement.value
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        assert value is not None
        for target in targets:
            for name, node in _named(target, value):
                for suffix, leaf, around in _leaves(node, ()):
                    figure = number(leaf)
                    assert figure is not None
                    whole = f"{owner}.{name}" if owner else name
                    place = (leaf.lineno, leaf.col_offset, leaf.end_lineno or 0, leaf.end_col_offset or 0)
                    rule = "enum member" if enum else _rule(name, suffix, figure, around)
                    top = owner.split(".")[0] if owner else name
                    found.append(Constant(module, path, leaf.lineno, whole + suffix, top, figure, place, owner, rule))
    return found


def _assignments(
    body: list[ast.stmt], owner: str = "", enum: bool = False
) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str, bool]]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            bases = {ast.unparse(base).rsplit(".", 1)[-1] for base in statement.bases}
            inner = f"{owner}.{statement.name}" if owner else statement.name
            yield from _assignments(statement.body, inner, bool(bases & _ENUMS))
        elif isinstance(statement, ast.If | ast.Try):
            yield from _assignments([*statement.body, *statement.orelse], owner, enum)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield statement, owner, enum


def _named(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """`(A, B) = (1, 2)` as two constants."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, part in zip(target.elts, value.elts, strict=True):
            yield from _named(one, part)


def _leaves(node: ast.expr, around: tuple[str, ...]) -> Iterator[tuple[str, ast.expr, tuple[str, ...]]]:
    """The largest purely numeric parts: where in the constant, and the calls and keys around them."""
    if number(node) is not None:
        yield "", node, around
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        unit = next((word for word in map(_text, node.elts) if _is_unit(word)), "")
        for index, part in enumerate(node.elts):
            yield from _below(f"[{index}]", part, (*around, unit) if unit else around)
    elif isinstance(node, ast.Dict):
        for key, part in zip(node.keys, node.values, strict=True):
            word = _text(key)
            shown = ast.unparse(key) if key else "**"
            yield from _below(f"[{shown}]", part, (*around, word) if _is_unit(word) else around)
    elif isinstance(node, ast.BinOp):
        yield from _below(".left", node.left, around)
        yield from _below(".right", node.right, around)
    elif isinstance(node, ast.Starred):
        yield from _leaves(node.value, around)
    elif isinstance(node, ast.Call):
        yield from _arguments(node, around)


def _below(step: str, node: ast.expr, around: tuple[str, ...]) -> Iterator[tuple[str, ast.expr, tuple[str, ...]]]:
    return ((step + rest, leaf, context) for rest, leaf, context in _leaves(node, around))


def _arguments(node: ast.Call, around: tuple[str, ...]) -> Iterator[tuple[str, ast.expr, tuple[str, ...]]]:
    called = ast.unparse(node.func).rsplit(".", 1)[-1]
    inside = (*around, called + "()")
    if called == "Threshold":
        named = [keyword.value for keyword in node.keywords if keyword.arg == "value"]
        for part in [*node.args[1:2], *named]:
            yield from _leaves(part, around)
        return
    for index, part in enumerate(node.args):
        yield from _below(f"({index})" if len(node.args) > 1 else "", part, inside)
    for keyword in node.keywords:
        yield from _below(f"({keyword.arg})", keyword.value, (*inside, f"{keyword.arg}="))


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_unit(word: str) -> bool:
    return word.lower() in _UNITS


def _rule(name: str, suffix: str, value: float, around: tuple[str, ...]) -> str:
    """Why a number decides nothing, as far as its name, value and place tell."""
    if value in (0, -1):
        return "0 or -1: no magnitude"
    if _VERSION.search(name):
        return "version"
    if _CONVERSION.match(name) or any(_is_unit(word) for word in around):
        return "conversion of units"
    if value in _WIDTHS and isinstance(value, int | float) and float(value).is_integer():
        return "width of a number type"
    if "examples=" in around:
        return "example of what is said"
    if around and around[-1] in {"range()", "count()", "empty()", "arange()", "bytes()"}:
        return "argument that numbers or shapes"
    return ""
