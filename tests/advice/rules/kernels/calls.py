"""PyTorch's calls one after another, each of which launches a kernel, and what the page of kernels says of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from tensorboard_perfplugin.advice.finding import Finding
from tests.tools.kineto import Event, ask, launched, on_host, saved


@dataclasses.dataclass
class Calls:
    """Times in µs. A call takes 10 on the host; kernels run one after another, none before its launch."""

    events: list[Event] = dataclasses.field(default_factory=list)
    at: float = 0
    device_at: float = 0
    count: int = 0

    def call(self, name: str, length: float = 100, dims: Any = None, kernel: str = "k") -> None:
        args = {"Input Dims": dims} if dims else {}
        self.events.append(on_host(name, self.at, 10, **args))
        self.count += 1
        self.device_at = max(self.device_at, self.at + 9)
        self.events += launched(kernel, self.at + 5, self.device_at, length, self.count)
        self.device_at += length
        self.at += 10

    def around(self, name: str, begin: float, category: str = "cpu_op") -> None:
        """A call, or a mark, around all since `begin`."""
        self.events.append(on_host(name, begin, self.at - begin, category))

    def said(self, folder: Path, tool: str = "kernel_stats") -> dict[str, Finding]:
        answer = ask(saved(folder, *self.events), tool)
        return {finding.code: finding for finding in answer.result.findings}
