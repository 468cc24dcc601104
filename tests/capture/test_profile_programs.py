"""Real programs of TensorFlow, Keras and JAX that record themselves with `profile`, and what the tab says of them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tests.capture.profiled import FIRST, LAST, SCENARIOS
from tests.conftest import ROOT
from tests.integration._programs import frameworks_python

WINDOW = [f"train {number}" for number in range(FIRST, LAST + 1)]
TENSORFLOW = [name for name in SCENARIOS if name.startswith(("tf", "keras"))]
JAX = [name for name in SCENARIOS if name.startswith("jax") and name != "jax_distributed"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profiled")


@pytest.fixture(scope="module")
def told(out: Path) -> dict[str, list[dict[str, Any]]]:
    """Scenario → what its processes said. One process a framework, and two that are one program, all at once."""
    port = free_port()
    ranks = [{"NUMBER": str(number), "COORDINATOR": f"127.0.0.1:{port}"} for number in range(2)]
    started = [begun(out, TENSORFLOW), begun(out, JAX), *(begun(out, ["jax_distributed"], **rank) for rank in ranks)]
    said: dict[str, list[dict[str, Any]]] = {name: [] for name in SCENARIOS}
    try:
        for each in started:
            output, errors = each.communicate(timeout=300)
            assert each.returncode == 0, errors[-5000:]
            for line in output.splitlines():
                said[json.loads(line)["name"]].append(json.loads(line))
    finally:
        for each in started:
            each.kill()
            each.communicate()
    return said


def begun(out: Path, scenarios: Sequence[str], **environ: str) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERFPLUGIN_SESSION")}
    return subprocess.Popen(
        [str(frameworks_python()), "-m", "tests.capture.profiled", str(out), *scenarios],
        cwd=ROOT,
        env={**kept, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port


def steps(path: Path | str) -> list[str]:
    answer = tensorboard_perfplugin.open(path).tool("overview")
    answer.check()
    return list(answer.result.tables["steps"]["name"])


def ops(path: Path | str) -> dict[str, int]:
    """The op that both programs have once a step: how often it ran."""
    rows = tensorboard_perfplugin.open(path).tool("op_stats").result.tables["ops"]
    count = zip(rows["name"], rows["occurrences"], strict=True)
    return {name.rpartition("/")[2]: int(often) for name, often in count if "anh" in name}


@pytest.mark.parametrize(
    ("name", "marked", "often"),
    [
        ("tf_loop", WINDOW, 4),
        ("tf_raises", WINDOW[:-1], 4),  # the step in which it was raised is none, its ops are there
        ("tf_idle_jax", WINDOW, 4),
        ("tf_used_jax", WINDOW, 4),
        ("jax_loop", WINDOW, 4),
        ("jax_raises", WINDOW[:-1], 0),  # what JAX had launched is not waited for
        ("jax_both", WINDOW, 4),
    ],
)
def test_a_loop(name: str, marked: list[str], often: int, told: dict[str, Any], out: Path) -> None:
    [said] = told[name]
    assert (said["error"], said["warnings"], said["notes"]) == ("", [], [])
    assert steps(said["files"][0]) == marked
    found = ops(said["files"][0])
    # One op, and JAX runs ahead: what was launched before the window may end within.
    assert often <= sum(found.values()) <= 11
    assert len(found) <= 1
    assert {str(path) for path in (out / name).rglob("*") if path.is_file()} == set(said["files"])


@pytest.mark.parametrize("name", ["tf_block", "jax_block"])
def test_a_block_has_the_steps_of_its_own(name: str, told: dict[str, Any]) -> None:
    """Nothing is marked: a mark around the whole block would be taken for its only step."""
    [said] = told[name]
    assert steps(said["files"][0]) == [f"<lambda> {number}" for number in range(10)]


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("keras_callback", ["train 8", "train 9", "train 10", "train 11"]),
        ("keras_itself", [f"train {number}" for number in range(10)]),
        ("keras_raises", ["train 3", "train 4", "train 5"]),
    ],
)
def test_keras(name: str, marked: list[str], told: dict[str, Any]) -> None:
    [said] = told[name]
    assert (said["error"], said["frameworks"]) == ("", ["tensorflow"])
    assert steps(said["files"][0]) == marked


def test_two_frameworks_give_a_file_each(told: dict[str, Any]) -> None:
    [said] = told["jax_both"]
    assert said["frameworks"] == ["jax", "tensorflow"]
    assert [path.endswith("_tensorflow.xplane.pb") for path in said["files"]] == [False, True]
    events = tensorboard_perfplugin.open(said["files"][1]).events
    assert any("MapAndBatch" in name for name in events.texts("name"))


@pytest.mark.parametrize("name", ["tf_busy", "tf_outside", "jax_busy", "jax_outside"])
def test_another_profiler_runs(name: str, told: dict[str, Any], out: Path) -> None:
    """The program goes on, so does the other profiler, and nothing is left behind."""
    [said] = told[name]
    assert said["warnings"] == [said["error"]]
    assert "; a process can have only one active profiler: stop the other" in said["error"]
    assert (said["files"], (out / name).exists()) == ([], False)
    if name.endswith("busy"):
        assert len(steps(out / f"{name}_own")) > 0


def test_nothing_was_recorded(told: dict[str, Any], out: Path) -> None:
    [said] = told["jax_empty"]
    assert said["error"].endswith("nothing was recorded: all tracer levels are 0")
    assert not (out / "jax_empty").exists()


def test_the_program_ends_within_the_window(told: dict[str, Any], out: Path) -> None:
    assert told["jax_unlucky"][0]["files"] == []
    [written] = [path for path in (out / "jax_unlucky").rglob("*.xplane.pb") if "_tensorflow" not in path.name]
    assert steps(written) == [f"train {number}" for number in range(FIRST, 10)]


def test_two_processes_of_one_program(told: dict[str, Any], out: Path) -> None:
    """They wrote into one session, and what told them its name is gone."""
    first, second = told["jax_distributed"]
    assert first["session"] == second["session"]
    files = sorted((out / "jax_distributed").rglob("*"))
    names = [path.name for path in files if path.is_file()]
    assert [name.partition("_")[0] for name in names] == ["rank0", "rank1"]
    assert [path.name for path in (out / "jax_distributed" / "plugins").iterdir()] == ["profile"]
    assert steps(out / "jax_distributed") == WINDOW
