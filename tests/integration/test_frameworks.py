"""Real runs of Keras and JAX, profiled the way their users do it, opened through TensorBoard and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import decode
from tests.conftest import ROOT
from tests.integration._board import tensorboard
from tests.integration._programs import frameworks_python

#: Profiled batches of the Keras run, steps of the JAX run.
KERAS_STEPS, JAX_STEPS = 11, 12


@dataclass(frozen=True)
class Trained:
    """A run that a framework just wrote: its logdir, a known op and how often it ran."""

    logdir: Path
    op: str
    occurrences: int


def run(script: str, logdir: Path) -> None:
    command = [str(frameworks_python()), "-m", f"tests.samples.{script}", str(logdir)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def keras(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    logdir = tmp_path_factory.mktemp("keras")
    run("make_keras_fit", logdir)
    return Trained(logdir, "SparseSoftmaxCrossEntropyWithLogits", KERAS_STEPS)


@pytest.fixture(scope="module")
def jax(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    logdir = tmp_path_factory.mktemp("jax")
    run("make_jax_train", logdir)
    return Trained(logdir, "reduce_max", JAX_STEPS)


@pytest.fixture(params=["keras", "jax"])
def trained(request: pytest.FixtureRequest) -> Trained:
    result = request.getfixturevalue(request.param)
    assert isinstance(result, Trained)
    return result


def rows(answer: dict[str, Any], table: str) -> list[dict[str, Any]]:
    columns = answer["tables"][table]["columns"]
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def test_the_capture_is_whole(trained: Trained) -> None:
    opened = tensorboard_perfplugin.open(str(trained.logdir))
    assert len(opened.events) > 500


def test_through_tensorboard(trained: Trained, log: Path) -> None:
    with tensorboard(log, "--logdir", str(trained.logdir)) as board:
        [found] = board.runs()
        answers = {tool: board.ask("data", run=found["name"], tool=tool) for tool in TOOLS}
    for answer in answers.values():
        assert answer["quality"]["events_in_file"] > 500
        assert answer["quality"]["dropped"] == {}
        assert answer["quality"]["decoder"] == ("compiled" if decode.COMPILED else "protobuf")
    check_ops(answers["op_stats"], trained)


def test_through_the_command_line(trained: Trained) -> None:
    for tool in TOOLS:
        command = [sys.executable, "-m", "tensorboard_perfplugin", tool, str(trained.logdir), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert answer["quality"]["events_in_file"] > 500
        if tool == "op_stats":
            check_ops(answer, trained)


TOOLS = ("overview", "op_stats", "trace_viewer")


def check_ops(answer: dict[str, Any], trained: Trained) -> None:
    """The known op ran once a profiled step; no op takes more of its own time than in all."""
    ops = rows(answer, "ops")
    known = [op for op in ops if trained.op in (op["type"], op["name"])]
    assert [op["occurrences"] for op in known] == [trained.occurrences]
    for op in ops:
        assert 0 <= op["self_us"] <= op["total_us"]
