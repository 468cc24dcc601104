"""`python -m tests.truth.programs OUT NAME`: runs one program under its framework's profiler, with all of its costs and
without each. `OUT/<framework>.<name>` holds the capture, and `truth.json`, written last.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.truth.programs.declared import PROGRAMS, Kit, Program, Step

#: Steps before the profiler starts, and steps that it records.
WARM, STEPS = 4, 12
MODULES = {"torch": "torch_programs", "jax": "jax_programs", "tensorflow": "tf_programs"}


def main() -> None:
    out, name = sys.argv[1:]
    framework = name.partition("/")[0]
    importlib.import_module(f"tests.truth.programs.{MODULES[framework]}")
    program = PROGRAMS[name]
    lib = _library(program)
    folder = Path(out) / name.replace("/", ".")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    every = frozenset(range(len(program.costs)))
    truth: dict[str, Any] = {"steps_ns": _run(program, Kit(lib, every), folder), "without_ns": []}
    for cost in sorted(every):
        with tempfile.TemporaryDirectory() as thrown_away:
            truth["without_ns"].append(_run(program, Kit(lib, every - {cost}), Path(thrown_away)))
    (folder / "truth.json").write_text(json.dumps(truth) + "\n")


def _library(program: Program) -> Any:
    if program.framework == "jax":
        flags = f"--xla_force_host_platform_device_count={program.processors}" if program.processors > 1 else ""
        os.environ.update(JAX_PLATFORMS="cpu", XLA_FLAGS=flags)
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    lib: Any = importlib.import_module(program.framework)
    if program.framework == "torch":
        lib.manual_seed(0)
        lib.set_num_threads(1)
    if program.framework == "tensorflow" and program.processors > 1:
        logical = [lib.config.LogicalDeviceConfiguration()] * program.processors
        lib.config.set_logical_device_configuration(lib.config.list_physical_devices("CPU")[0], logical)
    return lib


def _run(program: Program, kit: Kit, folder: Path) -> list[int]:
    """What the recorded steps took, from the begin of each to the next one's: after the last, profilers write."""
    step = program.make(kit)
    for number in range(WARM):
        step(number)
    begins = []
    with PROFILED[program.framework](program, kit.lib, folder) as marked:
        for number in range(WARM, WARM + STEPS):
            begins.append(time.time_ns())
            marked(step, number)
    return [after - before for before, after in itertools.pairwise(begins)]


@contextlib.contextmanager
def _torch(program: Program, torch: Any, folder: Path) -> Iterator[Callable[[Step, int], None]]:
    write = torch.profiler.tensorboard_trace_handler(str(folder), worker_name="trainer")
    options = {"activities": [torch.profiler.ProfilerActivity.CPU], "with_stack": True, "on_trace_ready": write}
    if program.marked:  # a schedule is what marks steps
        options["schedule"] = torch.profiler.schedule(wait=0, warmup=1, active=STEPS, repeat=1)
    with torch.profiler.profile(**options) as profile:
        if program.marked:
            profile.step()

        def marked(step: Step, number: int) -> None:
            step(number)
            if program.marked:
                profile.step()

        yield marked


@contextlib.contextmanager
def _jax(program: Program, jax: Any, folder: Path) -> Iterator[Callable[[Step, int], None]]:
    def marked(step: Step, number: int) -> None:
        mark = jax.profiler.StepTraceAnnotation("train", step_num=number)
        with mark if program.marked else contextlib.nullcontext():
            step(number)

    with jax.profiler.trace(str(folder)):
        yield marked


@contextlib.contextmanager
def _tensorflow(program: Program, tf: Any, folder: Path) -> Iterator[Callable[[Step, int], None]]:
    def marked(step: Step, number: int) -> None:
        mark = tf.profiler.experimental.Trace("train", step_num=number, _r=1)
        with mark if program.marked else contextlib.nullcontext():
            step(number)

    tf.profiler.experimental.start(str(folder), tf.profiler.experimental.ProfilerOptions(2, 1, 1))
    try:
        yield marked
    finally:
        tf.profiler.experimental.stop()


PROFILED: dict[str, Callable[..., Any]] = {"torch": _torch, "jax": _jax, "tensorflow": _tensorflow}


if __name__ == "__main__":
    main()
