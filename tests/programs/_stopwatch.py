"""A clock in the training loop: begins and ends of steps → `stopwatch.json`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.samples._neutral import log_steps


class Stopwatch:
    """When each step began and ended, in ns since the epoch."""

    def __init__(self) -> None:
        self.begins: dict[int, int] = {}
        self.ends: dict[int, int] = {}

    def begin(self, step: int) -> None:
        self.begins[step] = time.time_ns()

    def end(self, step: int) -> None:
        self.ends[step] = time.time_ns()

    def write(self, folder: Path, name: str = "stopwatch.json", **producer: Any) -> None:
        """The steps that ended, as `folder/name`."""
        rows = [(step, self.begins[step], self.ends[step]) for step in sorted(self.ends)]
        log_steps(folder / name, rows, **producer)
