"""Work in a forked process, with pytest where it is wanted, and a mutated module where one is given.

The process that forks has imported pytest, numpy and the like, and nothing of the package: a child imports the package
anew, so a changed constant reaches default arguments, dataclasses, tables and whatever else is made on import. One
child imports all of it and forks in its turn, for changes that need no new import (`warm`).
"""

from __future__ import annotations

import ast
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import json
import math
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

#: A mutated limit may ask for any amount of memory.
MAX_BYTES = 12 << 30
#: How much longer than its own work a child may take, where the machine has other work or it waits.
WAITING = 6


class Forked:
    """Runs `work` in a child that ends after `limit_s` of work, or some times that.

    why: what became of one that gave no result.
    notes: whether what it writes to stderr is shown, not kept.
    """

    def __init__(self, work: Callable[[], dict[str, Any]], limit_s: float, notes: bool = False) -> None:
        self.why = ""
        self.end = time.monotonic() + limit_s * WAITING
        self.folder = tempfile.TemporaryDirectory(prefix="thresholds-")
        self.answer = Path(self.folder.name) / "answer.json"
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit_s), resource.RLIM_INFINITY))
            _child(work, Path(self.folder.name), self.answer, notes)

    def stop(self) -> None:
        """End it without a result; it ends those that it has forked."""
        if self.pid:
            os.kill(self.pid, signal.SIGTERM)
            os.waitpid(self.pid, 0)
            self.pid = 0
        self.folder.cleanup()

    def done(self) -> bool:
        """Whether it has ended; ends it where its time is over."""
        if self.pid and time.monotonic() > self.end:
            self.why = "time"
            os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0
        ended, status = os.waitpid(self.pid, os.WNOHANG) if self.pid else (0, 0)
        if ended:
            self.pid = 0
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
                self.why = "time"
        return not self.pid

    def result(self) -> dict[str, Any] | None:
        while not self.done():
            time.sleep(0.005)
        try:
            body: dict[str, Any] = json.loads(self.answer.read_text())
        except (OSError, ValueError):
            body = {}
            self.why = self.why or "died"
        said = Path(self.folder.name) / "output"
        if not body and self.why == "died" and said.is_file():
            self.why = "died: " + " / ".join(said.read_text(errors="replace").strip().splitlines()[-1:])[:200]
        self.folder.cleanup()
        return body or None


def _child(work: Callable[[], dict[str, Any]], folder: Path, answer: Path, notes: bool) -> None:
    """Never returns: what was forked must not go on as its parent."""
    code = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, _ended)
        output = os.open(folder / "output", os.O_CREAT | os.O_WRONLY)
        os.dup2(output, 1)
        if not notes:
            os.dup2(output, 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        written = json.dumps(work())
        (folder / "writing").write_text(written)
        (folder / "writing").rename(answer)
        code = 0
    except BaseException:  # noqa: BLE001 - the child's last act is to say why
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _ended(number: int, frame: FrameType | None) -> None:
    """As an exception, so that what it has forked is ended, too."""
    raise SystemExit(128 + number)


def run_pytest(arguments: Sequence[str], plugins: Sequence[object]) -> int:
    """pytest in this process, long tests too: the same examples every time, no shrinking, no files kept."""
    import hypothesis
    import pytest

    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("unshrunk", deadline=None, derandomize=True, database=None, phases=phases)
    fixed = ["-q", "-m", "", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=unshrunk", "--tb=line"]
    fixed += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    if "hypothesispytest" not in sys.modules and not importlib.util.find_spec("_hypothesis_pytestplugin"):
        fixed.remove("--hypothesis-profile=unshrunk")
    return int(pytest.main([*fixed, *arguments], plugins=list(plugins)))


class Mutated(importlib.abc.MetaPathFinder):
    """Finds one module, to be loaded from its source with one number changed (or none, if `value` is None)."""

    def __init__(self, module: str, path: Path, place: tuple[int, int, int, int], value: float | None) -> None:
        self.module = module
        self.loader = _Loader(module, path, place, value)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        return importlib.util.spec_from_file_location(fullname, self.loader.path, loader=self.loader)


class _Loader(importlib.machinery.SourceFileLoader):
    """Nothing of what is changed is written to disk, bytecode neither."""

    def __init__(self, module: str, path: Path, place: tuple[int, int, int, int], value: float | None) -> None:
        super().__init__(module, str(path))
        self.place, self.value = place, value

    def get_code(self, fullname: str) -> CodeType:
        tree = changed_source(Path(self.path), self.place, self.value)
        return compile(tree, str(self.path), "exec", dont_inherit=True)


def changed_source(path: Path, place: tuple[int, int, int, int], value: float | None) -> ast.Module:
    """A module with the number at a place changed; as it is, if `value` is None."""
    tree = ast.parse(path.read_text())
    if value is not None:
        change = _Change(place, value)
        change.visit(tree)
        assert change.done, f"nothing at {path}:{place}"
    return tree


class _Change(ast.NodeTransformer):
    def __init__(self, place: tuple[int, int, int, int], value: float) -> None:
        self.place, self.value, self.done = place, value, False

    def visit(self, node: ast.AST) -> ast.AST:
        place = isinstance(node, ast.expr) and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        if place == self.place and not self.done:
            self.done = True
            number = ast.Constant(abs(self.value))
            changed = number if self.value >= 0 else ast.UnaryOp(ast.USub(), number)
            return ast.fix_missing_locations(ast.copy_location(changed, node))
        return self.generic_visit(node)


def preload(names: Sequence[str], package: str) -> None:
    """Import what children need of others', so that each child need not."""
    for name in names:
        if name.split(".")[0] != package and not name.startswith(("tests", "test")):
            try:
                importlib.import_module(name)
            except (ImportError, AttributeError, ValueError, TypeError, RuntimeError):
                continue


def forget(*packages: str) -> None:
    """Clear what functions of the packages' modules have kept of earlier calls."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").split(".")[0] in packages:
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
