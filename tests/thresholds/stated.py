"""Which tests state a number or name its constant: these come to it on purpose, the others by the way."""

from __future__ import annotations

import ast
import functools
import itertools
from pathlib import Path

from tests.thresholds.constants import Constant, number


@functools.cache
def _of_file(path: Path) -> dict[str, frozenset[object]]:
    """By function, a method by its own name: the names that it reads, and the numbers in it and in what these hold."""
    tree = ast.parse(path.read_text())
    globals_: dict[str, frozenset[object]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            globals_.update({target.id: _said(node.value) for target in targets if isinstance(target, ast.Name)})
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    said = {node.name: _said(node) for node in functions if node.name.startswith("test")}
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


def states(root: Path, test: str, constant: Constant) -> bool:
    """Whether the text of a test, of which an id of pytest is given, holds the number or the constant's name."""
    path, _, inside = test.partition("::")
    said = _of_file(root / path).get(inside.split("[")[0].rsplit("::", 1)[-1], frozenset())
    return constant.value in said or constant.top in said


def folders_shared(test: str, constant: Constant) -> int:
    """How far the path to a test is that to the constant's module: of `tests/trace/event/` and `trace.event.why` 2."""
    pairs = zip(Path(test.partition("::")[0]).parts[1:], constant.module.split(".")[1:], strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
