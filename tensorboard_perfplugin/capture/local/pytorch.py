"""PyTorch in this process → `*.pt.trace.json.gz`, named as PyTorch's own handler for TensorBoard names it."""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from ..request.options import Options
from .recorder import MANY

#: A trace that is larger holds events; one of none takes 1 kB.
LARGE_BYTES = 64 << 10


class TorchRecorder:
    name = "pytorch"

    @property
    def end(self) -> str:
        return f".{time.time_ns()}.pt.trace.json.gz"

    def start(self, folder: str, options: Options, device: bool) -> str:
        self._folder = folder
        profiler = _torch().profiler
        activities = [profiler.ProfilerActivity.CPU]
        there = profiler.supported_activities() if hasattr(profiler, "supported_activities") else ()
        if device and options.device_tracer_level:
            activities += [each for each in there if each not in activities]
        self._profile = profiler.profile(activities=activities, with_stack=bool(options.python_tracer_level))
        self._profile.start()
        return ""

    def mark(self, number: int) -> AbstractContextManager[Any]:
        # The name by which readers of these traces know a step.
        marks: AbstractContextManager[Any] = _torch().profiler.record_function(f"ProfilerStep#{number}")
        return marks

    def settle(self) -> None:
        """PyTorch's profiler waits for the GPU when it stops."""

    def stop(self) -> Mapping[str, int]:
        self._profile.stop()
        path = os.path.join(self._folder, "trace.json.gz")
        self._profile.export_chrome_trace(path)
        return {path: _events(path)}


def _torch() -> Any:
    return sys.modules["torch"]


def _events(path: str) -> int:
    """How many events of a trace lasted; the others say what the file is."""
    if os.path.getsize(path) > LARGE_BYTES:
        return MANY
    with gzip.open(path) as file:
        trace = json.loads(file.read(LARGE_BYTES << 10))
    return sum(event.get("ph") == "X" and event.get("cat") != "Trace" for event in trace["traceEvents"])
