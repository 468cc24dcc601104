"""The peer: captures → what it says of them, where it is installed; of samples elsewhere what it said (`record`)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.commands import output
from tests.conftest import ROOT

WHERE = "PERFPLUGIN_PEER"
PEER = Path(os.environ.get(WHERE) or "~/.cache/peer").expanduser() / "bin" / "python"
HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
#: Of its table of ops what is recorded.
OPS = (
    *("host_or_device", "type", "operation", "occurrences", "total_time", "total_self_time"),
    *("host_total_self_time_percent", "gpu_tensorcore_utilization", "eager"),
)


@dataclass(frozen=True)
class PeerSteps:
    """marks: its steps on host threads, (name, begin µs, duration µs). fragments: on devices. rows: (name, ms)."""

    marks: tuple[tuple[str, float, float], ...]
    fragments: tuple[tuple[str, float, float], ...]
    rows: tuple[tuple[str, float | None], ...]


def peer_steps(files: Sequence[Path]) -> dict[Path, PeerSteps]:
    """What the peer sees in each file. Skips where it is not installed."""
    return {file: _steps(found) for file, found in _asked("xprof_steps.py", files).items()}


def peer_kernels(files: Sequence[Path]) -> dict[Path, list[tuple[Any, ...]]]:
    """The peer's kernels in each file: name, grid, block, occurrences, total, min and max µs. Skips likewise."""
    return {file: [tuple(row) for row in found] for file, found in _asked("xprof_kernels.py", files).items()}


def peer_ops(files: Sequence[Path]) -> dict[Path, list[dict[str, Any]]]:
    """The peer's table of ops in each file, rows by its own column ids. Skips likewise."""
    return _asked("xprof_ops.py", files)


def peer_buffers(asked: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Its memory viewer's answers to `FILE=PROGRAM@SPACE`. Skips likewise."""
    return _answered("xprof_buffers.py", asked)


def peer_lines(files: Sequence[Path]) -> dict[Path, list[tuple[str, str, int, int, str]]]:
    """What the peer derives in its trace of each file: device, line, begin and end ps, name. Skips likewise."""
    return {file: [tuple(row) for row in found] for file, found in _asked("xprof_lines.py", files).items()}


def tensorflow_stats(files: Sequence[Path]) -> dict[Path, list[dict[str, Any]]]:
    """The rows of TensorFlow's own `*.tensorflow_stats.pb`, as the peer's message classes read them. Skips likewise."""
    return _asked("tf_stats.py", files)


def _asked(script: str, files: Sequence[Path]) -> dict[Path, Any]:
    return {Path(name): found for name, found in _answered(script, [str(file) for file in files]).items()}


def _answered(script: str, asked: Sequence[str]) -> dict[str, Any]:
    if not PEER.exists():
        known = json.loads(RECORDED.read_text()).get(script, {})
        of_samples = {
            name: Path(name).relative_to(ROOT).as_posix() for name in asked if Path(name).is_relative_to(ROOT)
        }
        if all(of_samples.get(name) in known for name in asked):
            return {name: _rows(script, known[of_samples[name]]) for name in asked}
        pytest.skip(f"no {PEER}: name an environment that has xprof in {WHERE}")
    found: dict[str, Any] = json.loads(output([str(PEER), str(HERE / script), *asked]))
    return found


def _rows(script: str, recorded: Any) -> Any:
    return [dict(zip(OPS, row, strict=True)) for row in recorded] if script == "xprof_ops.py" else recorded


def _steps(found: dict[str, list[list[object]]]) -> PeerSteps:
    return PeerSteps(**{key: tuple(tuple(row) for row in rows) for key, rows in found.items()})  # type: ignore[arg-type]


def peer_instructions(files: Sequence[Path]) -> dict[Path, tuple[list[dict[str, Any]], dict[str, Any]]]:
    """The peer's table of XLA instructions in each file, rows by its own column ids, and its tree. Skips likewise."""
    return _asked("xprof_hlo.py", files)


def peer_graphs(files: Sequence[Path]) -> dict[Path, dict[str, tuple[str, dict[str, list[list[str]]]]]]:
    """In each file, by program: the peer's text, and operands and users of each instruction. Skips likewise."""
    return _asked("xprof_graph.py", files)


def peer_roofline(files: Sequence[Path]) -> dict[Path, list[dict[str, Any]]]:
    """The peer's roofline of each file, rows by its own column ids. Skips likewise."""
    return _asked("xprof_roofline.py", files)
