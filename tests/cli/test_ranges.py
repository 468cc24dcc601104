"""Ranges as a person types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from tensorboard_perfplugin.cli import main
from tests.conftest import MakeLogdir
from tests.timeline.ranges.training import training

Capsys: TypeAlias = pytest.CaptureFixture[str]


@pytest.fixture
def path(make_logdir: MakeLogdir) -> Path:
    """The last six steps take twice as long."""
    return make_logdir({"a/h.xplane.pb": training(lengths_ms=[10] * 6 + [20] * 6)})


def told(capsys: Capsys, *argv: str | Path) -> tuple[int, str]:
    code = main([str(each) for each in argv])
    out, err = capsys.readouterr()
    return code, out or err


def test_what_an_answer_is_of_comes_first(path: Path, capsys: Capsys) -> None:
    code, out = told(capsys, "overview", path, "--steps", "3-7")
    assert (code, out.splitlines()[1]) == (0, "This is of 5 of 12 steps: 3–7.")
    assert "warning: This is" not in out
    code, out = told(capsys, "kernel_stats", path, "--time", "31ms-61ms")
    assert out.splitlines()[1] == "This is of 31 ms to 61 ms of the capture, which ends at 181 ms."


def test_a_range_of_every_tool(path: Path, capsys: Capsys) -> None:
    for tool in ("input_pipeline", "op_stats", "memory_profile", "tf_data", "roofline", "pod_viewer", "hlo_stats"):
        code, out = told(capsys, tool, path, "--steps", "2,4", "--json")
        codes = [each["code"] for each in json.loads(out)["quality"]["warning_codes"]]
        assert (code, codes) == (0, ["range_of_steps"])


def test_what_is_not_there_is_a_wrong_argument(path: Path, capsys: Capsys) -> None:
    code, out = told(capsys, "overview", path, "--steps", "30-40")
    assert (code, out) == (2, "perfplugin: steps 30-40: there are none; the 12 steps are 0–11\n")


def test_an_export_of_a_range_is_of_its_window(path: Path, capsys: Capsys, tmp_path: Path) -> None:
    assert told(capsys, "export", path, "--steps", "3-4", "-o", tmp_path / "x.json")[0] == 0
    assert json.loads((tmp_path / "x.json").read_text())["otherData"]["window_ps"] == [31 * 10**9, 51 * 10**9]


@pytest.mark.parametrize(
    ("given", "change"),
    [
        (("--base-steps", "0-4", "--steps", "6-10"), "10.0 ms"),
        (("--steps", "6-10"), "0"),
        (("--base-time", "0-61", "--time", "61ms-1s"), "10.0 ms"),
    ],
)
def test_parts_are_compared(path: Path, capsys: Capsys, given: tuple[str, ...], change: str) -> None:
    code, out = told(capsys, "compare", path, path, *given)
    line = next(line for line in out.splitlines() if line.startswith("Step time change  "))
    assert (code, line.split(maxsplit=3)[3]) == (0, change)


def test_gates_are_of_ranges(path: Path, capsys: Capsys) -> None:
    limit = ("--fail-if", "step_time > 15 ms")
    assert told(capsys, "check-run", path, "--steps", "0-4", *limit)[0] == 0
    assert told(capsys, "check-run", path, "--steps", "6-10", *limit)[0] == 1
    sides = ("compare", path, path, "--base-steps", "0-4", "--steps", "6-10")
    assert told(capsys, *sides, "--fail-if", "step_time > +5 %")[0] == 1
    assert told(capsys, *sides, "--fail-if", "kernel_stats.kernel_count > +1")[0] == 0
