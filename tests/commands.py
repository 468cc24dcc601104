"""Commands of other environments → what they print."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import ROOT


def output(command: Sequence[str | Path], timeout: int = 300) -> str:
    """Run in the checkout. Where it fails the test says the end of its errors."""
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout
