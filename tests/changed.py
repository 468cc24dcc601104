"""Files that differ from a commit → the tests of those modules and of all that import them: `python -m tests.changed`.

Each test lies in the folder that its subject's has below the package, or in the nearest one above. What changes in a
folder of tests has its tests run; what belongs to no room (the build, the documents) those of the top.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tests.conftest import ROOT
from tests.test_layers import PACKAGE, arrows, modules, reachable

#: Of the front end's sources, what needs no browser.
FRONT_END = ("tests/test_static.py",)
TOP = "tests"


def changed_files(base: str) -> list[str]:
    """Paths of a checkout that differ from where it left `base`, new ones that git does not ignore included."""
    merge_base = _git("merge-base", base, "HEAD")[0]
    return sorted({*_git("diff", "--name-only", merge_base), *_git("ls-files", "--others", "--exclude-standard")})


def chosen_tests(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Folders of tests, and test files at the top; none is within another."""
    importers = _importers()
    of_files = {path.relative_to(PACKAGE.parent).as_posix(): name for name, path in modules(PACKAGE).items()}
    chosen: set[str] = set()
    for path in paths:
        parts = PurePosixPath(path).parts
        if name := of_files.get(path):
            chosen.update(_folder(module, root) for module in {name} | reachable(name, importers))
        elif parts[0] == "tests" and len(parts) > 2:
            chosen.add(str(PurePosixPath(path).parent))
        elif parts[0] == "tests" and parts[-1].startswith("test_"):
            chosen.add(path)
        elif parts[0] == "frontend" or "static" in parts:
            chosen.update(FRONT_END)
        elif parts[0] == PACKAGE.name and len(parts) > 1:
            # A file that is no module, or is there no more.
            chosen.add(_folder(".".join(parts[1:-1]), root))
        else:
            chosen.add(TOP)
    if TOP in chosen:
        chosen.remove(TOP)
        chosen.update(path.relative_to(root).as_posix() for path in (root / TOP).glob("test_*.py"))
    there = {path for path in chosen if (root / path).exists()}
    return sorted(path for path in there if not any(str(above) in there for above in PurePosixPath(path).parents))


@functools.cache
def _importers() -> dict[str, set[str]]:
    """Module → those that import it."""
    found: dict[str, set[str]] = {name: set() for name in modules(PACKAGE)}
    for importer, targets in arrows(PACKAGE).items():
        for target in targets:
            found[target].add(importer)
    return found


def _folder(module: str, root: Path) -> str:
    parts = module.split(".")
    while len(parts) > 1 and not (root / TOP / "/".join(parts)).is_dir():
        parts.pop()
    is_folder = (root / TOP / parts[0]).is_dir()
    return "/".join([TOP, *parts]) if is_folder else f"{TOP}/test_{parts[0]}.py"


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


if __name__ == "__main__":
    sys.stdout.write("\n".join(chosen_tests(changed_files(sys.argv[1] if len(sys.argv) > 1 else "main"))) + "\n")
