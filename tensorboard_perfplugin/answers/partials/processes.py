"""Hosts' works → what was made of each, by processes of this machine, several hosts at a time.

Workers are fresh interpreters, as `spawn` starts them, but without the parent's main module: under TensorBoard that
would import TensorFlow, in a script or notebook it would run the script again. Each has one host at a time, so a worker
that dies costs that host alone, which another one tries again. Files that would not fit in memory together wait.
"""

from __future__ import annotations

import collections
import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from typing import IO

from ... import heap
from ...tables import usable_cores
from ...work import check
from .work import Done, Failed, Work, done
from .worker import READY, read_here, receive, send

#: What a worker holds at its peak: the interpreter with its libraries, and of a file its bytes, columns and more.
WORKER_BYTES, GROWS = 100 << 20, 6
#: A worker that dies with a host is replaced, and the host tried once more, with nothing beside it.
TRIES = 2
#: A cancelled request is noticed so late.
_POLL_S = 0.2

_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {module} import main; main()"


class Processes:
    """Works by processes of this machine. workers: at most, by default a core each. memory_bytes: for all together, by
    default half of what is free."""

    name = "processes"

    def __init__(self, workers: int | None = None, memory_bytes: int | None = None) -> None:
        self._workers, self._memory_bytes = workers, memory_bytes

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        """Each work's place, and what was made of it, as they come; ends early when `stop` is set."""
        memory = self._memory_bytes or heap.free_bytes() // 2
        count = max(1, min(self._workers or usable_cores(), len(works), memory // WORKER_BYTES))
        pass_ = _Pass(works, stop, memory - count * WORKER_BYTES)
        threads = [threading.Thread(target=pass_.run, name=f"host-worker-{i}", daemon=True) for i in range(count)]
        for thread in threads:
            thread.start()
        try:
            yield from pass_.results()
        finally:
            pass_.end()
            for thread in threads:
                thread.join()


class _Pass:
    """One go through some works: what waits, what has come, and the workers that are there."""

    def __init__(self, works: Sequence[Work], stop: threading.Event, room_bytes: int) -> None:
        self._works, self._stop = works, stop
        self._waiting = collections.deque((i, 1) for i in range(len(works)))
        self._come: queue.SimpleQueue[tuple[int, Done]] = queue.SimpleQueue()
        self._room = _Room(room_bytes)
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def results(self) -> Iterator[tuple[int, Done]]:
        left = len(self._works)
        while left and not self._stop.is_set():
            with contextlib.suppress(queue.Empty):
                yield self._come.get(timeout=_POLL_S)
                left -= 1
            check()

    def end(self) -> None:
        """Nothing more is begun, and what runs is ended."""
        with self._lock:
            self._ended = True
            self._waiting.clear()
            processes = list(self._processes)
        self._room.end()
        for process in processes:
            process.kill()

    def run(self) -> None:
        """Do works until none waits, in a thread of its own: its worker does one at a time."""
        process: subprocess.Popen[bytes] | None = None
        while (next_ := self._next()) is not None:
            place, attempt = next_
            work = self._works[place]
            with self._room.taken(GROWS * work.file.size_bytes if attempt == 1 else None):
                process = process or self._started()
                if self._ended:
                    break
                made = self._asked(process, work) if process else done(work, read_here)
            if made is None and process:
                code = self._closed(process)
                process, made = None, self._again(place, attempt, code)
            if made is not None:
                self._come.put((place, made))
        if process:
            self._closed(process)

    def _next(self) -> tuple[int, int] | None:
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def _started(self) -> subprocess.Popen[bytes] | None:
        """A worker that is ready, None where none can be started: an embedded interpreter is no program."""
        with self._lock:
            if self._ended or not sys.executable:
                return None
            process = subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._processes.add(process)
        with contextlib.suppress(EOFError):
            if receive(_pipe(process.stdout)) == READY:
                return process
        self._closed(process)
        return None

    def _asked(self, process: subprocess.Popen[bytes], work: Work) -> Done | None:
        """What a worker made of a host; None where it has died."""
        try:
            send(_pipe(process.stdin), work)
            made: Done = receive(_pipe(process.stdout))
        except (EOFError, OSError):
            return None
        return made

    def _again(self, place: int, attempt: int, code: int) -> Done | None:
        """The host is tried once more, or named."""
        with self._lock:
            if self._ended:
                return None
            if attempt < TRIES:
                self._waiting.append((place, attempt + 1))
                return None
        return Done((), Failed("unreadable", _why(code)), None)

    def _closed(self, process: subprocess.Popen[bytes]) -> int:
        """The exit code of a worker that has died, or has nothing left to do."""
        with self._lock:
            self._processes.discard(process)
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                _pipe(pipe).close()
        return process.wait()


class _Room:
    """Bytes that works take while they run. One that is larger than all there is runs alone."""

    def __init__(self, size: int) -> None:
        self._all = self._left = max(size, 1)
        self._changed = threading.Condition()
        self._ended = False

    @contextlib.contextmanager
    def taken(self, size: int | None) -> Iterator[None]:
        """size: None for all."""
        wanted = self._all if size is None else min(size, self._all)
        with self._changed:
            self._changed.wait_for(lambda: self._left >= wanted or self._ended)
            self._left -= wanted
        try:
            yield
        finally:
            with self._changed:
                self._left += wanted
                self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def _command() -> list[str]:
    module = f"{__name__.rpartition('.')[0]}.worker"
    return [sys.executable, "-c", _START.format(module=module), json.dumps(sys.path)]


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _why(code: int) -> str:
    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
    remedy = "the machine may be short of memory: open the host alone, or give more memory"
    return f"the process that read it {how}, {TRIES} times; {remedy}"
