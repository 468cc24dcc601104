"""The commands of docs/compare.md run as they stand there, on a slower run, and on the same one."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.build_capture import Space
from tests.cli.test_compare import space
from tests.conftest import ROOT, MakeLogdir

PAGE = (ROOT / "docs" / "compare.md").read_text()
COMMANDS = re.findall(r"^ *(?:- )?(perfplugin (?:compare|check-run) .+)$", PAGE, re.MULTILINE)
EXAMPLE = PAGE.rpartition("```python\n")[2].partition("```")[0]


@pytest.fixture
def folder(make_logdir: MakeLogdir) -> Path:
    """A slower and an equal run, under the names that the page has for them."""
    files: dict[str, Space | bytes] = {f"{name}/h.xplane.pb": space(100) for name in ("BEFORE", "BASE", "before")}
    files |= {f"{name}/h.xplane.pb": space(200_000) for name in ("AFTER", "NEW", "RUN", "after")}
    return make_logdir(files)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page(folder: Path, command: str) -> None:
    words, report = command, ""
    if command.endswith((".md", ".xml")):
        words, _, report = command.rpartition(" > ")
    argv = [sys.executable, "-m", "tensorboard_perfplugin", *shlex.split(words)[1:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == ("--fail-if" in command), done.stderr
    begins = {".md": "### A step takes 200 ms instead of 120 µs", "xml": "<?xml"}.get(report[-3:], "")
    assert done.stdout.startswith(begins)


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 4


@pytest.mark.parametrize("slower", [True, False])
def test_the_example_of_a_test(folder: Path, slower: bool) -> None:
    if not slower:
        os.replace(folder / "after" / "h.xplane.pb", folder / "slower")
        (folder / "after" / "h.xplane.pb").write_bytes((folder / "before" / "h.xplane.pb").read_bytes())
        (folder / "slower").unlink()
    (folder / "test_example.py").write_text(EXAMPLE)
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_example.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == slower, done.stdout
