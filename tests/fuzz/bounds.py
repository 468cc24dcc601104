"""One file after another in a process of its own → what each did: read or refused, or what it may not do.

It may not end the process, take long, or take much memory. Time is the process's own, so that other programs do not
count; what waits without working is ended by the one that watches.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

_MB = 1 << 20
#: What a file may take beyond this process as it was before: so many times its size, and so much.
TIMES, BYTES = 8, 200 * _MB
#: Of address space there is so much more, that the machine lives on.
_ROOM = 4096 * _MB
#: What waits longer waits for ever.
_WAITS = 120.0


class Given(NamedTuple):
    """size: of the file in bytes. run: reads it; whether it could be read."""

    size: int
    run: Callable[[], bool]


class Result(NamedTuple):
    """problem: what went wrong, empty where nothing did."""

    is_read: bool
    problem: str


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Watched:
    """made: by number a file, made in that process, too. seconds: of work that each may take."""

    def __init__(self, made: Callable[[int], Given], seconds: float) -> None:
        self.made, self.seconds = made, seconds
        self._context = multiprocessing.get_context("fork")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def tried(self, number: int) -> Result:
        pipe = self._pipe or self._started()
        pipe.send(number)
        try:
            if not pipe.poll(_WAITS):
                return self._ended(f"waits for more than {_WAITS:.0f} s")
            result: Result = pipe.recv()
        except (EOFError, ConnectionResetError):
            return self._ended("")
        if result.problem:
            # The peak of a process never falls.
            self.close()
        return result

    def close(self) -> None:
        if self._process:
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _started(self) -> Connection:
        here, there = self._context.Pipe()
        self._process = self._context.Process(target=_works, args=(there, self.made, self.seconds), daemon=True)
        self._process.start()
        there.close()
        self._pipe = here
        return here

    def _ended(self, problem: str) -> Result:
        assert self._process
        if not problem:
            self._process.join()
            code = self._process.exitcode
            is_late = code == -signal.SIGPROF
            problem = f"works for more than {self.seconds:g} s" if is_late else f"ended the process: {code}"
        self.close()
        return Result(False, problem)


def _works(pipe: Connection, made: Callable[[int], Given], seconds: float) -> None:
    room = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + _ROOM
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    while True:
        try:
            number = pipe.recv()
        except EOFError:
            return
        given = made(number)
        before, problem, is_read = resident_bytes(), "", False
        # Its signal ends a process, wherever it works.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            is_read = given.run()
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            problem = traceback.format_exc(limit=-4)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        taken = peak_bytes() - before
        if not problem and taken > TIMES * given.size + BYTES:
            problem = f"took {taken // _MB} MB for {given.size:,} bytes"
        pipe.send(Result(is_read, problem))
