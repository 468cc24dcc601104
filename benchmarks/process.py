"""Takes a command, runs it in a fresh process, gives its seconds, its peak memory and what it printed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

#: `ru_maxrss` is in kilobytes on Linux, in bytes on macOS.
MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Ran:
    """seconds: start to end of the process. peak_bytes: its largest resident set; a child begins with its parent's."""

    seconds: float
    peak_bytes: int
    output: bytes


def run(command: Sequence[str], errors: IO[bytes], **environment: str) -> Ran:
    """Raises RuntimeError, with what the process wrote on its error stream, when it fails.

    Modules are compiled once and kept, as an installation has them, whatever the shell says.
    """
    environment = {"PYTHONDONTWRITEBYTECODE": "", **environment}
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **environment})
    assert process.stdout
    with process.stdout:
        output = process.stdout.read()
    peak_bytes = reap(process)
    seconds = time.perf_counter() - began
    if process.returncode:
        errors.seek(0)
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}: {errors.read().decode()[-2000:]}")
    return Ran(seconds, peak_bytes, output)


def reap(process: subprocess.Popen[bytes]) -> int:
    """Waits for the end of a process; its peak memory in bytes."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * MAXRSS_BYTES
