"""The real programs: each run once, in as few processes as there are frameworks; their captures and clocks."""

from __future__ import annotations

import functools
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.tools import Answer
from tests.conftest import ROOT
from tests.integration.test_frameworks import GIVEN, PYTHON

#: A folder of programs' captures to use instead of running those that are there.
KEPT = "PERFPLUGIN_PROGRAMS"


def run_programs(out: Path, specs: list[str]) -> None:
    """Run the programs, one process a framework. Skips where the frameworks are missing."""
    if not PYTHON.exists():
        pytest.skip(f"no {PYTHON}: name a Python that has TensorFlow and JAX in {GIVEN}")
    for family in ({"keras_fit", "tf_loop"}, {"jax_loop"}, {"two_workers"}):
        mine = [spec for spec in specs if spec.split(":")[0] in family and not folder_of(out, spec).is_dir()]
        if not mine:
            continue
        command = [str(PYTHON.absolute()), "-m", "tests.programs", str(out), *mine]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-5000:]


def folder_of(out: Path, spec: str) -> Path:
    return out / spec.replace(":", "_")


@dataclass(frozen=True)
class Ran:
    """A program that ran: its folder, and what tools say about it."""

    folder: Path

    @functools.cached_property
    def profile(self) -> tensorboard_perfplugin.api.Profile:
        return tensorboard_perfplugin.open(str(self.folder))

    @functools.cached_property
    def overview(self) -> Answer:
        return self.answer("overview")

    def answer(self, tool: str) -> Answer:
        answer = self.profile.tool(tool)
        answer.check()
        return answer

    def begins_ns(self, name: str = "stopwatch.json") -> dict[int, int]:
        """Step → when it began by the program's clock, since the epoch."""
        log: dict[str, Any] = json.loads((self.folder / name).read_text())
        return {step["step"]: step["begin_ns"] for step in log["steps"]}
