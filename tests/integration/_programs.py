"""The real programs: each run once, in as few processes as there are frameworks; their captures and clocks."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.tools import Answer
from tests.commands import output
from tests.conftest import ROOT

GIVEN = "PERFPLUGIN_FRAMEWORKS_PYTHON"
PYTHON = Path(os.environ.get(GIVEN) or ROOT / ".venv-frameworks" / "bin" / "python")


class Case(NamedTuple):
    """says: what the overview's first finding must match. stage: what the input pipeline's bottleneck must be."""

    spec: str
    says: str
    stage: str = ""


COMPUTE, INPUT, BETWEEN = "comput", "input", "Python|between steps|callback"
SMALL = "small|short|tiny|overhead|runtime|op by op|one by one"
CASES = (
    Case("keras_fit:none", COMPUTE),
    Case("keras_fit:map_sleep", INPUT, "Map|PyFunc"),
    Case("keras_fit:generator_sleep", INPUT, "Generator|PyFunc"),
    Case("keras_fit:interleave_sleep", INPUT, "Interleave"),
    Case("keras_fit:read_slow", INPUT, "TFRecord"),
    Case("keras_fit:batch", INPUT, "Batch"),
    Case("keras_fit:shuffle_fill", INPUT, "Shuffle"),
    Case("keras_fit:callback_sleep", BETWEEN),
    Case("keras_fit:validation", ""),
    Case("keras_fit:convolution", "(?i)conv"),
    Case("keras_fit:eager", "(?i)eager"),
    Case("keras_fit:tiny_ops", SMALL),
    Case("keras_fit:retrace", "trac|compil"),
    Case("keras_fit:recompile", "compil"),
    Case("keras_fit:none:unmarked", COMPUTE),
    Case("keras_fit:map_sleep:unmarked", INPUT, "Map|PyFunc"),
    Case("keras_fit:callback_sleep:unmarked", BETWEEN),
    Case("keras_fit:eager:unmarked", "(?i)eager"),
    Case("tf_loop:none", COMPUTE),
    Case("tf_loop:map_sleep", INPUT, "Map|PyFunc"),
    Case("tf_loop:retrace", "trac|compil"),
    Case("tf_loop:tiny_ops", SMALL),
    Case("tf_loop:eager", f"(?i)eager|{COMPUTE}"),
    Case("tf_loop:while_loop", f"{COMPUTE}|matmul"),
    Case("tf_loop:print_sleep", BETWEEN),
    Case("tf_loop:accumulate", COMPUTE),
    Case("tf_loop:none:unmarked", COMPUTE),
    Case("tf_loop:map_sleep:unmarked", INPUT, "Map|PyFunc"),
    Case("tf_loop:retrace:unmarked", "trac|compil"),
    Case("tf_loop:eager:unmarked", f"(?i)eager|{COMPUTE}"),
    Case("tf_loop:while_loop:unmarked", f"{COMPUTE}|matmul"),
    Case("tf_loop:two_functions:unmarked", COMPUTE),
    Case("tf_loop:accumulate:unmarked", COMPUTE),
    Case("tf_loop:print_sleep:unmarked", BETWEEN),
    Case("jax_loop:none", COMPUTE),
    Case("jax_loop:generator_sleep", f"{INPUT}|{BETWEEN}"),
    Case("jax_loop:recompile", "compil"),
    Case("jax_loop:convolution", "(?i)conv"),
    Case("jax_loop:tiny_ops", f"{SMALL}|jit|launch|Python"),
    Case("jax_loop:print_sleep", BETWEEN),
    Case("jax_loop:host_callback", "(?i)callback"),
    Case("jax_loop:several", COMPUTE),
    Case("jax_loop:scan", COMPUTE),
    Case("jax_loop:ahead", COMPUTE),
    Case("jax_loop:scan:unmarked", COMPUTE),
    Case("jax_loop:ahead:unmarked", COMPUTE),
    Case("jax_loop:none:unmarked", COMPUTE),
    Case("jax_loop:generator_sleep:unmarked", f"{INPUT}|{BETWEEN}"),
    Case("jax_loop:several:unmarked", COMPUTE),
    Case("jax_loop:recompile:unmarked", "compil"),
    Case("jax_loop:tiny_ops:unmarked", f"{SMALL}|jit|launch|Python"),
    Case("jax_loop:none:python", COMPUTE),
    Case("jax_loop:generator_sleep:python", "sleep|batches|generator"),
    Case("jax_loop:generator_sleep:unmarked:python", "sleep|batches|generator"),
    Case("jax_loop:print_sleep:python", "sleep|log"),
)
WORKERS = ("two_workers:none", "two_workers:straggler")
#: Of these each kind of cause and each framework has one; the others run where every test does.
USUAL = (
    "keras_fit:none",
    "keras_fit:map_sleep",
    "keras_fit:eager",
    "keras_fit:callback_sleep:unmarked",
    "tf_loop:map_sleep",
    "tf_loop:retrace:unmarked",
    "jax_loop:none",
    "jax_loop:recompile",
    "jax_loop:tiny_ops:unmarked",
    "jax_loop:generator_sleep:unmarked:python",
    "two_workers:straggler",
)
#: A folder of programs' captures to use instead of running those that are there.
KEPT = "PERFPLUGIN_PROGRAMS"


def frameworks_python() -> Path:
    """A Python that has TensorFlow and JAX. Skips where there is none."""
    if not PYTHON.exists():
        pytest.skip(f"no {PYTHON}: name a Python that has TensorFlow and JAX in {GIVEN}")
    return PYTHON.absolute()


def run_programs(out: Path, specs: list[str]) -> None:
    """Run the programs that are not there, one process a framework. Skips where the frameworks are missing."""
    for family in ({"keras_fit", "tf_loop", "keras_memory", "tf_data"}, {"jax_loop"}, {"two_workers"}, {"xla_buffers"}):
        mine = [spec for spec in specs if spec.split(":")[0] in family and not folder_of(out, spec).is_dir()]
        if not mine:
            continue
        command = [str(frameworks_python()), "-m", "tests.programs", str(out), *mine]
        output(command, timeout=600)


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

    def stopwatch(self, name: str = "stopwatch.json") -> dict[int, tuple[int, int]]:
        """Step → when it began and ended by the program's clock, in ns since the epoch."""
        log: dict[str, Any] = json.loads((self.folder / name).read_text())
        return {step["step"]: (step["begin_ns"], step["end_ns"]) for step in log["steps"]}


class Programs(dict[str, Ran]):
    """Program → what it wrote: kept from before, or run when it is first asked for."""

    def __init__(self, make_folder: Callable[[], Path]) -> None:
        super().__init__()
        kept = os.environ.get(KEPT)
        self._make_folder = make_folder
        self._out = Path(kept) if kept else make_folder()

    def __missing__(self, spec: str) -> Ran:
        run_programs(self._out, [spec])
        self[spec] = Ran(folder_of(self._out, spec))
        return self[spec]

    def again(self) -> None:
        """What is asked for from here on is run anew."""
        self.clear()
        self._out = self._make_folder()
