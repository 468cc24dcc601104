"""The hosts of a run and a tool → what each gives to the answer: from the cache, else made by an executor, and kept."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from ... import work
from ...errors import ArgumentError, PerfpluginError
from ...logdir import CaptureFile
from ...tables import Scalar
from ...tools import Tool
from .cluster import Cluster
from .codec import InternPool, decoded
from .processes import Processes
from .store import Store
from .work import Ask, Done, HostPartial, Use, Work, done
from .worker import read_here


class Executor(Protocol):
    """Where hosts are read: in this process, in others of this machine, or on a cluster."""

    @property
    def name(self) -> str: ...

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        """Each work's place, and what was made of it, as they come; ends early when `stop` is set."""


class Progress(msgspec.Struct, frozen=True):
    """How far a run's hosts are. hosts: of how many; done: those that came, failed ones and those of the cache
    included; cached: of the cache. size_bytes, read_bytes: of the files that are not in the cache. seconds: so far."""

    hosts: int
    done: int
    cached: int
    failed: int
    size_bytes: int
    read_bytes: int
    seconds: float

    @property
    def left_s(self) -> float | None:
        """How long the rest takes at this pace."""
        if not self.read_bytes or self.seconds <= 0:
            return None
        return (self.size_bytes - self.read_bytes) * self.seconds / self.read_bytes


Watch: TypeAlias = Callable[[Progress], None]
#: By host what it gives, or why it gives nothing.
Gathered: TypeAlias = Mapping[str, HostPartial | PerfpluginError]


class Gather:
    """What hosts of one run give to one tool. more: what else to keep of a host that is read, for the next pages."""

    def __init__(self, store: Store | None, watch: Watch | None = None, stop: threading.Event | None = None) -> None:
        self._store, self._watch = store, watch or (lambda progress: None)
        self._stop = stop or threading.Event()
        self._shared = InternPool()

    def cached(self, tool: Tool, options: Mapping[str, Scalar], files: Sequence[CaptureFile]) -> dict[str, HostPartial]:
        """By host what the cache has."""
        ask, found = Ask.from_options(tool, options), dict[str, HostPartial]()
        for file in files if self._store else ():
            identity = file.known_identity
            given = self._store.load(file, identity, ask, self._shared) if self._store and identity else None
            if given:
                found[file.label] = given
                work.host_done(file.size_bytes)
        return found

    def computed(
        self,
        executor: Executor,
        asks: tuple[Ask, ...],
        files: Sequence[CaptureFile],
        cached: int,
    ) -> dict[str, HostPartial | PerfpluginError]:
        """By host what it gives to the first of what is asked, or why it does not. Raises what an executor raises."""
        found: dict[str, HostPartial | PerfpluginError] = {}
        began, read_bytes, failed = time.monotonic(), 0, 0
        size_bytes = sum(file.size_bytes for file in files)
        works = [Work(file, asks) for file in files]
        work.set_stage("reading")
        with contextlib.closing(executor.map(works, self._stop)) as each:
            for place, done in each:
                file = files[place]
                found[file.label] = done.failed.error() if done.failed else decoded(done.parts[0], self._shared)
                self._keep(file, asks, done)
                read_bytes, failed = read_bytes + file.size_bytes, failed + bool(done.failed)
                count, seconds = cached + len(files), time.monotonic() - began
                self._watch(Progress(count, cached + len(found), cached, failed, size_bytes, read_bytes, seconds))
                work.host_done(file.size_bytes)
        if self._store and found:
            self._store.trim()
        return found

    def _keep(self, file: CaptureFile, asks: Sequence[Ask], done: Done) -> None:
        """Keep what a host gave, if its file is still what was read."""
        identity = file.known_identity
        if self._store and not done.failed and done.identity and identity and identity[1:3] == done.identity[1:3]:
            for ask, part in zip(asks, done.parts, strict=True):
                if part:
                    self._store.store(file, identity, ask, part)


# Hosts' works → what was made of each, one after another in this process.


class Serial:
    """Works one after another. use: opens a file, as the process that asks has it."""

    name = "serial"

    def __init__(self, use: Use) -> None:
        self._use = use

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        for place, asked in enumerate(works):
            if stop.is_set():
                return
            yield place, done(asked, self._use)


# What a person says of where hosts are to be read → an `Executor`.

#: In this process, one after another; in others of this machine.
SERIAL, PROCESSES = "serial", "processes"


def executor_of(given: Any) -> Executor | None:
    """None for the default; `serial`, `processes`; the address of a Dask scheduler, `tcp://host:8786`; a
    `distributed.Client`; or an executor. Raises ArgumentError."""
    if given is None or given == "":
        return None
    if given == PROCESSES:
        return Processes()
    if given == SERIAL:
        return Serial(read_here)
    if isinstance(given, str):
        if "://" not in given:
            wanted = f"give the address of a Dask scheduler, as tcp://host:8786, {SERIAL} or {PROCESSES}"
            raise ArgumentError(f"{given[:80]!r} is no cluster: {wanted}")
        return Cluster(given)
    if hasattr(given, "scheduler_info"):
        return Cluster(given)
    if hasattr(given, "map") and hasattr(given, "name"):
        executor: Executor = given
        return executor
    raise ArgumentError(
        f"a {type(given).__name__} is no executor: give a distributed.Client, or its scheduler's address"
    )
