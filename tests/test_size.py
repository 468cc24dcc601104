"""Nothing grows past what one can read in one go. With `-s`, the five longest files and functions are shown."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Most files of a subject have 150 to 600; one beyond this holds two subjects.
FILE_LINES = 1000
FUNCTION_LINES = 60
FOLDERS = ("tensorboard_perfplugin", "tests", "benchmarks", "frontend")
SUFFIXES = {".py", ".pxd", ".ts", ".tsx", ".mjs", ".css"}
#: Made from what is counted: the bundle from frontend/, names in TypeScript from the declarations.
MADE = ("tensorboard_perfplugin/static/", "frontend/src/generated/", "frontend/node_modules/")


def sources() -> list[Path]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return sorted(path for path in found if not path.relative_to(ROOT).as_posix().startswith(MADE))


def functions(path: Path) -> list[tuple[int, str]]:
    """Lines and name of every Python function of a file."""
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def too_long(sizes: list[tuple[int, str]], limit: int) -> list[tuple[int, str]]:
    sizes = sorted(sizes, reverse=True)
    print(*(f"{lines:5} {name}" for lines, name in sizes[:5]), sep="\n")
    return [(lines, name) for lines, name in sizes if lines > limit]


def test_no_file_is_too_long() -> None:
    files = [(len(path.read_text().splitlines()), str(path.relative_to(ROOT))) for path in sources()]
    assert len(files) > 20
    assert too_long(files, FILE_LINES) == []


def test_no_function_is_too_long() -> None:
    found = [size for path in sources() if path.suffix == ".py" for size in functions(path)]
    assert len(found) > 100
    assert too_long(found, FUNCTION_LINES) == []
