"""Changes that need no new import: those of constants that only functions read.

One process imports the package and the tests; for each change it forks, sets the constant in every module that holds
it, and runs the nearest tests. What is made on import (default arguments, dataclasses, tables, other constants) would
keep the number as it was, so a constant that anything reads on import is not changed so.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.thresholds.constants import Constant
from tests.thresholds.forked import changed_source, forget
from tests.thresholds.mutants import Mutant, compiled
from tests.thresholds.uses import Uses, around, modules

#: Making the same value again has no effect but the value.
_HARMLESS = {"frozenset", "set", "tuple", "list", "dict", "range", "array", "compile", "field", "float", "int"}


class Everywhere:
    """Where the package and its tests hold and read a constant."""

    def __init__(self, root: Path, package: str, tests: str) -> None:
        self.uses = Uses({**modules(root, tests), **modules(root, package)})
        self.package = sorted(modules(root, package))
        self._held: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for source in self.uses.sources.values():
            for local, (module, name) in source.imports.items():
                home = self.uses.home(module, name)
                self._held.setdefault(home, set()).add((str(source.path), local))

    def held(self, constant: Constant) -> set[tuple[str, str]]:
        """(file, name) of every global that is the constant."""
        at_home = {(str(constant.path), constant.top)}
        return at_home | self._held.get((constant.module, constant.top), set())

    def only_in_functions(self, constant: Constant) -> bool:
        """Whether a running program reads it anew each time, in functions of Python."""
        if constant.owner or any(compiled(Path(path)) for path, _ in self.held(constant)):
            return False
        reads = self.uses.reads.get((constant.module, constant.top), ())
        if any(around(node, source.parents)[1] is None for source, node in reads):
            return False
        value = _assignment(self.uses.sources[constant.module].tree, constant).value
        assert value is not None
        return all(_is_harmless(node) for node in ast.walk(value) if isinstance(node, ast.Call))


def _is_harmless(call: ast.Call) -> bool:
    """A class's name begins with a capital."""
    name = ast.unparse(call.func).rsplit(".", 1)[-1].lstrip("_")
    return name in _HARMLESS or name[:1].isupper()


def _assignment(tree: ast.Module, constant: Constant) -> ast.Assign | ast.AnnAssign:
    """The statement that declares it."""
    begin, _, end, _ = constant.place
    assignments = (node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign))
    return next(node for node in assignments if node.lineno <= begin and end <= (node.end_lineno or 0))


def import_all(names: Iterable[str]) -> None:
    """What is imported here, no change has to import; what cannot be imported is left to those that want it."""
    for name in names:
        if not name.endswith("__main__"):
            try:
                importlib.import_module(name)
            except (ImportError, AttributeError, ValueError, TypeError, RuntimeError, OSError):
                continue


def change(mutant: Mutant, held: set[tuple[str, str]]) -> None:
    """Set a constant anew in every module that holds it, and forget what functions have kept."""
    constant = mutant.constant
    loaded = {getattr(module, "__file__", None): module for module in list(sys.modules.values())}
    home = loaded[str(constant.path)]
    assert home is not None, f"{constant.module} is not imported"
    value = _made_anew(home, mutant)
    for path, name in held:
        module = loaded.get(path)
        if module is not None and name in vars(module):
            setattr(module, name, value)
    forget(constant.module.split(".")[0], "tests")


def _made_anew(home: ModuleType, mutant: Mutant) -> Any:
    """The constant as its statement makes it with another number: a number, a container, a threshold."""
    constant = mutant.constant
    statement = _assignment(changed_source(constant.path, constant.place, mutant.value), constant)
    assert statement.value is not None
    targets: list[ast.expr] = [*statement.targets] if isinstance(statement, ast.Assign) else [statement.target]
    plain = ast.copy_location(ast.Assign(targets, statement.value), statement)
    names = dict(vars(home))
    exec(compile(ast.Module([plain], []), str(constant.path), "exec"), names)
    return names[constant.top]
