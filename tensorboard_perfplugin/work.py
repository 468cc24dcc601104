"""How far the answer to a question is, and whether anybody still waits for it.

The work of a thread is found without being passed on. Where there is none, nothing is reported and nothing stops.
Threads that wait for one another do so at a `Gate`, so that what one makes is not dropped while others wait for it.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

#: waiting: for memory, or for another question that makes the same.
Stage = Literal["waiting", "reading", "analysing", "combining"]
#: How often a thread that waits for another looks whether its own client is still there.
POLL_S = 0.2
#: How often a thread that computes does: a look costs 2 µs, and some facts are derived in less.
LOOK_S = 0.1


class StoppedError(Exception):
    """No client waits for the answer any more. No failure of what was asked for, so it is no PerfpluginError."""


class Work(msgspec.Struct):
    """One question. hosts, size_bytes: what it is about; hosts_done, done_bytes: of these what was gone through.

    has_left: whether the client has gone. gates: what other threads may wait for, made by this one.
    """

    stage: Stage = "waiting"
    host: str = ""
    hosts: int = 0
    hosts_done: int = 0
    size_bytes: int = 0
    done_bytes: int = 0
    started_s: float = msgspec.field(default_factory=time.monotonic)
    stopped: threading.Event = msgspec.field(default_factory=threading.Event)
    has_left: Callable[[], bool] = bool
    gates: list[Gate] = msgspec.field(default_factory=list)
    _looked_s: float = 0.0

    def is_unwanted(self) -> bool:
        """Whether it was called off or its client has gone, and no other thread waits for what it makes."""
        if not self.stopped.is_set() and (now_s := time.monotonic()) - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            if self.has_left():
                self.stopped.set()
        return self.stopped.is_set() and not any(gate.waiting for gate in self.gates)


class Gate:
    """A lock, held while a value is made that several threads ask for. waiting: how many wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = threading.Lock()
        self.waiting = 0

    def __enter__(self) -> None:
        """Raises StoppedError when the client has gone before its turn came."""
        if not self._lock.acquire(blocking=False):
            self._count(1)
            try:
                wait_for(self._lock.acquire)
            finally:
                self._count(-1)
        if work := _current.get():
            work.gates.append(self)

    def __exit__(self, *_: object) -> None:
        if work := _current.get():
            work.gates.remove(self)
        self._lock.release()

    def _count(self, change: int) -> None:
        with self._counts:
            self.waiting += change


_current: contextvars.ContextVar[Work | None] = contextvars.ContextVar("work", default=None)


@contextlib.contextmanager
def at(work: Work) -> Iterator[None]:
    """What is done within is of the work."""
    token = _current.set(work)
    try:
        yield
    finally:
        _current.reset(token)


def check() -> None:
    """A place where work may end. Raises StoppedError."""
    work = _current.get()
    if work is not None and work.is_unwanted():
        raise StoppedError


def wait_for(acquire: Callable[..., bool]) -> None:
    """Until a lock's `acquire`, or a condition's `wait`, succeeds. Raises StoppedError."""
    while not acquire(timeout=POLL_S):
        check()


def followed() -> Work | None:
    """The work of this thread."""
    return _current.get()


def plan(hosts: int, size_bytes: int) -> None:
    """What will be gone through."""
    if work := _current.get():
        work.hosts, work.size_bytes = hosts, size_bytes


def set_stage(stage: Stage, host: str = "") -> None:
    """What is done now, of which host. Raises StoppedError."""
    check()
    if work := _current.get():
        work.stage, work.host = stage, host


def host_done(size_bytes: int) -> None:
    """A host was gone through. Raises StoppedError."""
    check()
    if work := _current.get():
        work.hosts_done += 1
        work.done_bytes += size_bytes
