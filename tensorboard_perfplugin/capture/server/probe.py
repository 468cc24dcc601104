"""Is a profiler there, and free? Asked before anything is recorded, answered within seconds."""

from __future__ import annotations

import contextlib
import os
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..request.address import Address
from ..request.allowed import Allowed
from ..request.failure import Kind, WorkerError
from .beside import Folder, possible
from .client import Client
from .reach import Reached, reach

#: So that the answer is there within 5 s.
TIMEOUT_S = 4.8
#: A state of a socket in /proc/net/tcp.
LISTENS = "0A"
#: As much of a list of sockets, and of what a process has mapped: some thousands of lines.
MAX_BYTES = 16 << 20

TENSORFLOW, JAX = re.compile(rb"/libtensorflow_[^/\n]*\.so"), re.compile(rb"/jaxlib/[^\n]*\.so")


@dataclass(frozen=True)
class Checked:
    """What is at an address. kind: ok, or why not; message: in words; ok: a capture can be taken now."""

    address: str
    kind: Kind
    message: str
    ok: bool


def check(address: Address, timeout_s: float = TIMEOUT_S, allowed: Allowed | None = None) -> Checked:
    """Looks the name up, connects, greets, and asks for an empty profile; a server that is free gives it at once."""
    try:
        reached = checked(address, timeout_s, allowed)
    except WorkerError as error:
        return Checked(str(address), error.kind, error.message, False)
    how = "" if reached.sends else f"; {_WRITES}"
    return Checked(str(address), "ok", f"{address}: profiler server ready{how}", True)


_WRITES = "this release writes captures to a folder of this machine, from which they are read"


def checked(address: Address, timeout_s: float = TIMEOUT_S, allowed: Allowed | None = None) -> Reached:
    """The same, for going on with: where it was reached. Raises WorkerError."""
    end_s = time.monotonic() + timeout_s
    # Half a second is kept for the last question.
    reached = reach(address, allowed, max(0.5, timeout_s - 0.5))
    with Client(reached) as client:
        try:
            client.probe(unused_id(), max(0.5, end_s - time.monotonic()))
        except WorkerError as error:
            if error.kind != "old_server" or not possible():
                raise
            _demand_beside(client, error, max(0.5, end_s - time.monotonic()))
            return replace(reached, sends=False)
    return reached


def _demand_beside(client: Client, old: WorkerError, timeout_s: float) -> None:
    """Raises the error that it is old, unless it can write where we can take it from.

    Not that of JAX, which has the program crash or hang when its recording ends: 0.6 and 0.8 did, whoever asked.
    """
    if not runs_tensorflow_alone(client.address.port):
        raise old
    try:
        with Folder() as folder:
            client.probe(unused_id(), timeout_s, folder.root)
    except WorkerError as error:
        raise (error if error.kind == "busy" else old) from None


def unused_id() -> str:
    """An id of a session that no other has: servers remember those that were terminated."""
    return f"perfplugin-{uuid.uuid4().hex}"


def runs_tensorflow_alone(port: int) -> bool:
    """Whether it is known that TensorFlow, and no JAX, listens at a port of this machine."""
    mapped = [_read(f"/proc/{process}/maps") for process in listeners(port)]
    return bool(mapped) and all(TENSORFLOW.search(each) and not JAX.search(each) for each in mapped)


def listeners(port: int) -> tuple[int, ...]:
    """The processes of this machine and user that have a listening socket of that port, as Linux's `/proc` shows; what
    cannot be read there is passed over.
    """
    sockets = {f"socket:[{inode}]" for name in ("tcp", "tcp6") for inode in _inodes(_read(f"/proc/net/{name}"), port)}
    return tuple(process for process in _processes() if sockets and not sockets.isdisjoint(_open(process)))


def _inodes(table: bytes, port: int) -> Iterator[str]:
    for line in table.decode("ascii", "replace").splitlines()[1:]:
        words = line.split()
        if len(words) > 9 and words[3] == LISTENS and words[1].rpartition(":")[2] == f"{port:04X}":
            yield words[9]


def _processes() -> Iterator[int]:
    with contextlib.suppress(OSError):
        yield from (int(name) for name in os.listdir("/proc") if name.isdigit())


def _open(process: int) -> Iterator[str]:
    """What a process has open, as /proc names it."""
    folder = f"/proc/{process}/fd"
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                yield os.readlink(f"{folder}/{name}")


def _read(path: str) -> bytes:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read(MAX_BYTES)
    return b""
