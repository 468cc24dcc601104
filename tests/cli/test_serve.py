"""`perfplugin serve`: a real TensorBoard, on exactly what was given, until it is interrupted."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorboard_perfplugin.cli import main
from tests.conftest import SAMPLES
from tests.integration._board import Board

SESSION = next((SAMPLES / "two_hosts").rglob("*.xplane.pb")).parent


@contextlib.contextmanager
def served(path: Path, log: Path, *options: str) -> Iterator[tuple[str, Board]]:
    """What it printed, and the TensorBoard; at the end it is interrupted, and must end well."""
    command = [sys.executable, "-m", "tensorboard_perfplugin", "serve", str(path), "--no-browser", *options]
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert process.stdout
    try:
        line = process.stdout.readline()
        address = re.search(r"http://\S+#perfplugin", line)
        assert address, log.read_text()
        yield line, Board(address[0].removesuffix("#perfplugin"), log)
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(60)
        process.stdout.close()
    assert code == 0
    assert "Traceback" not in log.read_text()


@pytest.mark.long
def test_exactly_the_path_is_shown(tmp_path: Path) -> None:
    """A logdir, one session of it, and one file."""
    file = sorted(SESSION.iterdir())[0]
    for path, names in (
        (SAMPLES, {"gpu_streams/2026_11_20_09_00_00", "torch_train"}),
        (SESSION, {SESSION.name}),
        (file, {file.name.partition(".")[0]}),
    ):
        with served(path, tmp_path / "log", "--port", "0") as (_, board):
            assert names <= {run["name"] for run in board.runs(len(names))}, path
            assert (len(board.runs()) == 1) == (path != SAMPLES)
            assert "Profile" in board.get("data/plugins_listing").body.decode()


@pytest.mark.long
def test_a_place_where_it_cannot_listen() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for host, at, problem in (("127.0.0.1", port, f"there: .*{port}"), ("none.invalid", "0", "at none.invalid$")):
            where = ["--no-browser", "--host", host, "--port", at]
            command = [sys.executable, "-m", "tensorboard_perfplugin", "serve", str(SESSION), *where]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout) == (2, "")
            assert re.search(rf"^perfplugin: TensorBoard cannot listen {problem}", done.stderr, re.MULTILINE)


def test_a_path_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(tmp_path / "none"), "--no-browser"]) == 3
    assert "no such file or folder" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []
