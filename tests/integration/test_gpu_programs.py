"""The programs of the GPU samples, run on the CPU: what they plant and log is what is read from their captures."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from socket import gethostname
from typing import Any

import pytest

from tests.commands import output
from tests.integration.test_torch_programs import torch_python
from tests.samples.make_gpu import keep
from tests.tools.torch_answers import answer, check_key_averages, check_memory, check_steps

PROGRAMS = ("torch_train_memory", "torch_input")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp("gpu_programs")
    command = [torch_python(), "-m", "tests.programs.gpu_loop", str(out), "--device", "cpu", *PROGRAMS]
    output(command)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_steps_are_those_of_the_stopwatch(ran: Path, program: str) -> None:
    check_steps(ran / program)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["op", "shape"])
def test_key_averages(ran: Path, by: str) -> None:
    check_key_averages(ran / "torch_train_memory", by)
    check_memory(ran / "torch_train_memory", by)


@pytest.mark.slow
def test_each_step_waits_for_the_input_as_long_as_it_sleeps(ran: Path) -> None:
    log: dict[str, Any] = json.loads((ran / "torch_input" / "stopwatch.json").read_text())
    steps = answer(ran / "torch_input", "input_pipeline").result.tables["steps"]
    assert len(steps["step"]) == len(log["steps"])
    for wait, length in zip(steps["input_wait_ms"], steps["duration_ms"], strict=True):
        assert log["planted"]["input_ms"] <= wait < length


@pytest.mark.slow
def test_what_is_kept_names_no_machine_and_no_folder(ran: Path, tmp_path: Path) -> None:
    keep(ran / "torch_train_memory", tmp_path)
    [trace] = tmp_path.glob("*.pt.trace.json.gz")
    text = gzip.decompress(trace.read_bytes()).decode()
    assert json.loads(text)["traceName"] == trace.name.removesuffix(".gz")
    for name in (str(ran), f'"{gethostname()}"'):
        assert name in next((ran / "torch_train_memory").glob("*.pt.trace.json")).read_text()
        assert name not in text
    assert len(answer(tmp_path, "overview").result.tables["steps"]["step"]) == 8
