"""Which tests state a number or name its constant: these come to it on purpose, the others by the way."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from pathlib import Path

from tests.thresholds.constants import Constant, number


@functools.cache
def _of_file(path: Path) -> dict[str, frozenset[object]]:
    """By function, a method by its own name: the names that it reads, the numbers in it, in what these hold and in its
    name."""
    tree = ast.parse(path.read_text())
    globals_: dict[str, frozenset[object]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            globals_.update({target.id: _said(node.value) for target in targets if isinstance(target, ast.Name)})
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    said = {node.name: _said(node) | _in_name(node.name) for node in functions if node.name.startswith("test")}
    return {name: own.union(*(globals_[one] for one in own & globals_.keys())) for name, own in said.items()}  # type: ignore[index]


def _said(node: ast.AST) -> frozenset[object]:
    found: set[object] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
        elif isinstance(part, ast.Constant | ast.BinOp | ast.UnaryOp):
            found.add(number(part))
    return frozenset(found - {None})


def _in_name(name: str) -> frozenset[object]:
    """Of `test_a_stack_has_1000_frames_and_250_000_letters` 1000 and 250000."""
    return frozenset(int(digits) for digits in re.findall(r"(?<![^_])\d+(?:_\d{3})*(?![^_])", name))


def states(root: Path, test: str, constant: Constant) -> bool:
    """Whether the text of a test, of which an id of pytest is given, holds the number or the constant's name."""
    said = _of_test(root, test)
    return constant.value in said or constant.top in said


def names(root: Path, test: str, constant: Constant) -> bool:
    return constant.top in _of_test(root, test)


def _of_test(root: Path, test: str) -> frozenset[object]:
    path, _, inside = test.partition("::")
    return _of_file(root / path).get(inside.split("[")[0].rsplit("::", 1)[-1], frozenset())


def states_any(path: Path, constant: Constant) -> bool:
    """Whether any test of a file does."""
    return any(constant.value in said or constant.top in said for said in _of_file(path).values())


def folders_shared(test: str, constant: Constant) -> int:
    """How far the path to a test is that to the constant's module: of `tests/trace/event/` and `trace.event.why` 2."""
    pairs = zip(Path(test.partition("::")[0]).parts[1:], constant.module.split(".")[1:], strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
