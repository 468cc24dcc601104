"""Real programs that train while their profiler servers listen, and the steps that they log."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.steps.model import Steps
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import ROOT
from tests.integration._programs import frameworks_python
from tests.programs.two_workers import free_ports


@dataclass(frozen=True)
class Served:
    """A program of `tests.programs.served` that trains. log: its steps so far. folder: where it runs."""

    port: int
    log: Path
    folder: Path
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return f"localhost:{self.port}"

    def hears(self, answer: str) -> None:
        """Waits for a line of it. Fails when it says anything else, or ends."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line == f"{answer}\n", f"waited for {answer!r}, got {line!r}; exit code {self.process.poll()}"

    def tell(self, order: str) -> None:
        """`trace` begins a trace of its own, `untrace` ends it. Back when it did."""
        assert self.process.stdin
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()
        self.hears("done")

    def steps(self) -> dict[int, tuple[int, int]]:
        """Step → when it began and ended by the program's clock, in ns since the epoch."""
        rows = (map(int, line.split()) for line in self.log.read_text().splitlines(keepends=True) if "\n" in line)
        return {step: (begin, end) for step, begin, end in rows}


@contextlib.contextmanager
def served(out: Path, *programs: str) -> Iterator[list[Served]]:
    """Programs of `tests.programs.served`, begun all at once, warm, and ended with the block."""
    with contextlib.ExitStack() as stack:
        started = [
            stack.enter_context(_started(out, program, port))
            for program, port in zip(programs, free_ports(len(programs)), strict=True)
        ]
        for each in started:
            each.hears("ready")
        yield started


@contextlib.contextmanager
def _started(out: Path, program: str, port: int) -> Iterator[Served]:
    command = [str(frameworks_python()), "-m", "tests.programs.served", program, str(port), str(out)]
    folder = out / f"folder.{port}"
    folder.mkdir(parents=True)
    with (
        (out / f"log.{port}").open("wb") as log,
        subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        try:
            yield Served(port, out / f"steps.{port}.txt", folder, process)
        finally:
            process.kill()


def clock_steps(file: Path) -> tuple[Steps, int]:
    """The steps of a capture, and when it began, in ns since the epoch."""
    capture = decode.read(str(file))
    capture.check()
    assert capture.start_ns is not None
    steps = steps_of(Timeline(capture, "h"))
    steps.check()
    return steps, capture.start_ns


def wall_ns(file: Path, watch: dict[int, tuple[int, int]]) -> tuple[float, float]:
    """The mean step of a capture, by its whole steps and by the stopwatch.

    A step of the stopwatch is one of the capture's when it began while that one ran, or at most half a step before.
    """
    steps, start_ns = clock_steps(file)
    assert steps.whole.sum() > 2, f"{len(steps)} steps, found by {steps.rule!r}: {steps.reason or steps.evidence}"
    begins = np.array([begin for begin, _ in watch.values()]) - start_ns
    ours = np.append(steps.begin_ps[steps.whole], steps.begin_ps[steps.whole][-1:] + steps.wall_ps[steps.whole][-1:])
    ours_ns = ours / 1e3
    nearest = np.abs(begins[:, None] - ours_ns[None, :]).argmin(axis=0)
    assert (np.diff(nearest) == 1).all(), "steps of the capture are not the stopwatch's, one by one"
    return float(np.diff(ours_ns).mean()), float(np.diff(begins[nearest]).mean())
