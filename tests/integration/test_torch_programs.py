"""A real training loop of PyTorch: what is summed of its trace is as `key_averages()` says, steps as its stopwatch."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.commands import output
from tests.conftest import slow_but
from tests.integration._programs import PYTHON
from tests.tools.torch_answers import check_key_averages, check_memory, check_steps, scopes

GIVEN = "PERFPLUGIN_TORCH_PYTHON"


def torch_python() -> str:
    """A Python that has PyTorch. Skips where there is none."""
    python = os.environ.get(GIVEN) or str(PYTHON)
    if not Path(python).exists():
        pytest.skip(f"no {python}: name a Python that has PyTorch in {GIVEN}")
    found = "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"
    if subprocess.run([python, "-c", found]).returncode:
        pytest.skip(f"{python} has no PyTorch: name a Python that has it in {GIVEN}")
    return python


@pytest.fixture(scope="module", params=slow_but(("stack",), ("plain", "stack")))
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp(request.param)
    command = [torch_python(), "-m", "tests.programs.torch_loop", str(out), request.param]
    output(command)
    return out


@pytest.mark.parametrize("by", ["op", "shape"])
def test_key_averages(ran: Path, by: str) -> None:
    check_key_averages(ran, by)


@pytest.mark.parametrize("by", ["op", "shape"])
def test_memory_of_key_averages(ran: Path, by: str) -> None:
    check_memory(ran, by)


def test_steps_are_those_of_the_stopwatch(ran: Path) -> None:
    check_steps(ran)


def test_modules_are_told_with_the_stack(ran: Path) -> None:
    named = {scope for scope in scopes(ran) if scope.startswith("Net_0")}
    assert bool(named) == ran.name.startswith("stack")
