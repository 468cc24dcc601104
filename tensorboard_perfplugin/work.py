"""How far the answer to a question is, and whether anybody still waits for it.

The work of a thread is found without being passed on. Where there is none, nothing is reported and nothing stops.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
import time
from collections.abc import Iterator
from typing import Literal

import msgspec

#: waiting: for memory, or for another question that makes the same.
Stage = Literal["waiting", "reading", "analysing", "combining"]


class StoppedError(Exception):
    """No client waits for the answer any more. No failure of what was asked for, so it is no PerfpluginError."""


class Work(msgspec.Struct):
    """One question. hosts, size_bytes: what it is about; hosts_done, done_bytes: of these what was gone through."""

    stage: Stage = "waiting"
    host: str = ""
    hosts: int = 0
    hosts_done: int = 0
    size_bytes: int = 0
    done_bytes: int = 0
    started_s: float = msgspec.field(default_factory=time.monotonic)
    stopped: threading.Event = msgspec.field(default_factory=threading.Event)


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
    if work is not None and work.stopped.is_set():
        raise StoppedError


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
