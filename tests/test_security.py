"""What the package never does, looked for in its own sources; docs/security.md names a test for each promise."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import tensorboard_perfplugin
from tests.conftest import ROOT

PACKAGE = Path(tensorboard_perfplugin.__file__).parent
#: They run what they read.
_RUNNING_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "code", "codeop", "runpy", "pty"}
_RUNNING_CALLS = {"eval", "exec", "compile", "__import__"}
#: What processes of one command send each other through their own pipes; and numbers of opcodes.
_KNOWN = {("answers/partials/worker.py", "pickle"), ("decode/memory_snapshot/__init__.py", "pickle")}
#: Where a process is started: with a list of words, never through a shell.
_STARTING = {"system", "popen", "getoutput", "getstatusoutput"}


def trees() -> list[tuple[str, ast.Module]]:
    paths = sorted(path for path in PACKAGE.rglob("*.py"))
    return [(str(path.relative_to(PACKAGE)), ast.parse(path.read_text())) for path in paths]


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [each.name.partition(".")[0] for each in node.names]
    return [(node.module or "").partition(".")[0]] if isinstance(node, ast.ImportFrom) and not node.level else []


def test_nothing_that_is_read_is_run() -> None:
    found = []
    for path, tree in trees():
        for node in ast.walk(tree):
            found += [(path, name) for name in imported(node) if name in _RUNNING_MODULES]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _RUNNING_CALLS:
                found.append((path, node.func.id))
    assert set(found) == _KNOWN
    assert not re.search(r"pickle\.(loads?|Unpickler)", (PACKAGE / "decode/memory_snapshot/__init__.py").read_text())


def test_no_shell_is_started() -> None:
    found = []
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found += [(path, "shell") for each in node.keywords if each.arg == "shell"]
                if isinstance(node.func, ast.Attribute) and node.func.attr in _STARTING:
                    found.append((path, node.func.attr))
    assert found == []


PROMISED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs/security.md").read_text())


def test_each_promise_names_a_test_that_is_there() -> None:
    assert PROMISED
    texts = {path: (ROOT / path).read_text() if (ROOT / path).is_file() else "" for path, _ in PROMISED}
    assert [path for path, text in texts.items() if not text] == []
    assert [(path, name) for path, name in PROMISED if name and f"def {name}(" not in texts[path]] == []
