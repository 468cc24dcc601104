"""What `make demo-live` runs: it trains, says what to do to capture it, that does, and Ctrl-C ends everything."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.integration._board import Board
from tests.integration._programs import frameworks_python


@contextmanager
def live_demo(logdir: Path) -> Iterator[str]:
    """What it says. Ctrl-C ends it."""
    line = [sys.executable, "-m", "tests.programs.demo_live", str(frameworks_python()), str(logdir)]
    flags = ["--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen([*line, *flags], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield "".join(iter(process.stdout.readline, "Ctrl-C ends both.\n"))
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0


def running(folder: Path) -> list[str]:
    """The command lines that name the folder, of the processes there are."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            lines.append(path.read_text())
    return [line for line in lines if str(folder) in line]


@pytest.mark.slow
def test_what_it_says_to_do_captures_its_training(tmp_path: Path) -> None:
    logdir = tmp_path / "its logs"
    with live_demo(logdir) as said:
        url, command = re.findall(r"^  (?:Open )?((?:http|/).*)$", said, re.MULTILINE)
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        board = Board(url.removesuffix("#perfplugin"), tmp_path)
        [run] = board.runs()
        assert board.ask("data", run=run["name"], tool="overview")["summary"]["step_count"] > 5
        found = board.ask("data", run=run["name"], tool="tf_data")["summary"]
        assert (found["bottleneck"], found["work"]) == ("MapAndBatch", "EagerPyFunc")
    assert running(tmp_path) == []
