"""The worked examples of CONTRIBUTING.md, applied to a copy of the package: tests pass, and all is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n# (?P<path>[\w/.]+)(?:, after `(?P<line>[^\n]+)`)?\n(?P<code>.*?)^```$", re.M | re.S)


NUMBERS = {"two": 2, "three": 3}


class Block(NamedTuple):
    """line: the one after which the code is inserted; empty for a new file."""

    path: str
    line: str
    code: str


def blocks() -> list[Block]:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    found = [Block(match["path"], match["line"] or "", match["code"]) for match in BLOCK.finditer(text)]
    assert len(found) == text.count("```python\n"), "a block that names no file"
    return found


def apply(block: Block, root: Path) -> None:
    path = root / block.path
    if block.line:
        text = path.read_text()
        assert text.count(f"\n{block.line}\n") == 1, f"{block.path} holds {block.line!r} not once"
        path.write_text(text.replace(f"\n{block.line}\n", f"\n{block.line}\n{block.code}"))
        return
    assert not path.exists(), f"{block.path} is there already"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.code)
    if block.path.startswith("tests/"):
        for folder in path.relative_to(root).parents[:-1]:
            (root / folder / "__init__.py").touch()


@pytest.fixture(scope="module")
def applied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the examples need, with all of them applied."""
    root = tmp_path_factory.mktemp("contributing")
    ignored = shutil.ignore_patterns("__pycache__", "*.c")
    for folder in ("tensorboard_perfplugin", "docs"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    (root / "tests").mkdir()
    for name in ("__init__.py", "conftest.py", "build_capture.py"):
        shutil.copy(ROOT / "tests" / name, root / "tests" / name)
    for block in blocks():
        apply(block, root)
    return root


def run(root: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, *words], cwd=root, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_is_as_many_files_as_it_says() -> None:
    sections = re.findall(r"^### (.*?)\n(.*?)(?=^##)", (ROOT / "CONTRIBUTING.md").read_text(), re.M | re.S)
    counted = {title: len({match["path"] for match in BLOCK.finditer(text)}) for title, text in sections}
    written = {title: re.search(r"\b(two|three) files", text) for title, text in sections}
    assert counted == {title: NUMBERS[match[1]] for title, match in written.items() if match}
    assert len(counted) == 4


def test_their_own_tests_pass(applied: Path) -> None:
    tests = [block.path for block in blocks() if block.path.startswith("tests/")]
    assert "6 passed" in run(applied, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def test_the_tool_and_its_column_answer(applied: Path) -> None:
    sample = ROOT / "tests" / "samples" / "gpu_streams"
    answer = json.loads(run(applied, "-m", "tensorboard_perfplugin", "planes", str(sample), "--json"))
    rows = answer["tables"]["planes"]["columns"]
    assert sum(rows["event_count"]) == answer["summary"]["event_count"] > 0
    assert sum(rows["events_share"]) == pytest.approx(1)


def test_the_format_opens(applied: Path, tmp_path: Path) -> None:
    (tmp_path / "vm.spans.csv").write_text("load,0,5\ntrain,5,20\n")
    answer = json.loads(run(applied, "-m", "tensorboard_perfplugin", "planes", str(tmp_path), "--json"))
    assert (answer["hosts"], answer["summary"]["event_count"]) == (["vm"], 2)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("-m tensorboard_perfplugin columns planes", ["events_share (share)", ": Part of all events."]),
        ("-m tensorboard_perfplugin findings file_mostly_lost", ["63 % of the events of", "most of a file, 50 %"]),
        ("docs/make_formats.py", ["| spans | an example | `<host>.spans.csv` |"]),
    ],
)
def test_what_is_generated_has_it(applied: Path, command: str, expected: list[str]) -> None:
    printed = run(applied, *command.split())
    assert [text for text in expected if text not in printed] == []
