"""The peer, where it is installed: captures → the steps that it sees."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

WHERE = "PERFPLUGIN_PEER"
PEER = Path(os.environ.get(WHERE) or "~/.cache/peer").expanduser() / "bin" / "python"
SCRIPT = Path(__file__).with_name("xprof_steps.py")


@dataclass(frozen=True)
class PeerSteps:
    """marks: its steps on host threads, (name, begin µs, duration µs). fragments: on devices. rows: (name, ms)."""

    marks: tuple[tuple[str, float, float], ...]
    fragments: tuple[tuple[str, float, float], ...]
    rows: tuple[tuple[str, float | None], ...]


def peer_steps(files: Sequence[Path]) -> dict[Path, PeerSteps]:
    """What the peer sees in each file. Skips where it is not installed."""
    if not PEER.exists():
        pytest.skip(f"no {PEER}: name an environment that has xprof in {WHERE}")
    command = [str(PEER), str(SCRIPT), *(str(file) for file in files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return {Path(name): _steps(found) for name, found in json.loads(done.stdout).items()}


def _steps(found: dict[str, list[list[object]]]) -> PeerSteps:
    return PeerSteps(**{key: tuple(tuple(row) for row in rows) for key, rows in found.items()})  # type: ignore[arg-type]
