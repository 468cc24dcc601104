"""Takes a command, runs it in a fresh process, gives its seconds, its peak memory and what it printed."""

from __future__ import annotations

import os
import resource
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
    """seconds: start to end of the process. peak_bytes: its largest resident set; a child begins with its parent's.

    cpu_s: of it and of those that it started and waited for, of which peak_bytes is the largest.
    """

    seconds: float
    peak_bytes: int
    output: bytes
    cpu_s: float = 0.0


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
    usage = reaped(process)
    seconds = time.perf_counter() - began
    if process.returncode:
        errors.seek(0)
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}: {errors.read().decode()[-2000:]}")
    return Ran(seconds, usage.ru_maxrss * MAXRSS_BYTES, output, usage.ru_utime + usage.ru_stime)


def reap(process: subprocess.Popen[bytes]) -> int:
    """Waits for the end of a process; its peak memory in bytes."""
    return reaped(process).ru_maxrss * MAXRSS_BYTES


def reaped(process: subprocess.Popen[bytes]) -> resource.struct_rusage:
    """Waits for the end of a process; what it used, with the processes that it had started and waited for."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage
