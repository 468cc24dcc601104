"""One worker's profiler server, spoken to over gRPC: probe, profile, terminate, monitor. Raises WorkerError alone."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from types import TracebackType
from typing import Any, TypeVar

from ...patterns import regex
from ..request import Address, Allowed, Kind, Options, WorkerError
from .beside import Folder, possible
from .reach import Reached, reach
from .status import (
    ANALYSIS,
    NO_MASTER,
    NO_MONITOR,
    NOWHERE,
    SERVICE,
    Monitored,
    Reply,
    capture_in,
    explained,
    monitor_request,
    new_session_request,
    only_tpus,
    probe_failure,
    probe_request,
    profile_request,
    read_monitored,
    read_new_session,
    read_reply,
    terminate_request,
)

# gRPC's library: imported once something is to be sent, its notes kept off stderr, and channels made as is right
# here.
#
# A channel goes to the IP address that was checked, without TLS as profilers' servers are, takes no proxy from the
# environment, nothing compressed, and nothing larger than the budget: that is refused by its length, before it comes.

#: What a server may say in words: a reason can be long.
MAX_TEXT_BYTES = 64 << 10
VERBOSITY = "GRPC_VERBOSITY"

_lock = threading.Lock()


def library() -> Any:
    """The module `grpc`."""
    with _lock:
        return _quiet()


@cache
def _quiet() -> Any:
    """The library notes on stderr that a server went away, or that the program forked: a fault has our message, and
    the rest concerns no one. How loud it is it reads once, when it is imported; what a person set is kept.
    """
    ours = VERBOSITY not in os.environ and "grpc" not in sys.modules
    if ours:
        os.environ[VERBOSITY] = "NONE"
    try:
        import grpc
    except ImportError as error:
        raise WorkerError(
            "failed",
            f"grpcio cannot be imported ({error}); nothing was sent. Run "
            "`pip install --force-reinstall grpcio`, and restart this program",
        ) from error
    finally:
        if ours:
            os.environ.pop(VERBOSITY, None)
    return grpc


def channel(reached: Reached, budget_bytes: int) -> Any:
    """A connection of its own, closed with the channel. Nothing is sent until it is called."""
    return library().insecure_channel(
        reached.target,
        options=[
            ("grpc.max_receive_message_length", budget_bytes),
            ("grpc.max_metadata_size", MAX_TEXT_BYTES),
            ("grpc.absolute_max_metadata_size", MAX_TEXT_BYTES),
            ("grpc.enable_http_proxy", 0),
            ("grpc.enable_retries", 0),
            ("grpc.service_config_disable_resolution", 1),
            ("grpc.default_authority", str(reached.address)),
            ("grpc.use_local_subchannel_pool", 1),
            # Identity alone: a small answer must not grow on its way.
            ("grpc.compression_enabled_algorithms_bitset", 1),
        ],
    )


T = TypeVar("T")

#: An answer is awaited so much longer than what it reports on; that to a terminate no longer, which is no work.
MONITOR_S, TERMINATE_S = 4.0, 2.0
#: How often a wait looks whether it was cancelled.
POLL_S = 0.1
#: The most that anything but a capture is.
MAX_ANSWER_BYTES = 4 << 20


class Client:
    """A context manager. Constructing it does no I/O; one client serves one thread."""

    def __init__(self, reached: Reached, budget_bytes: int = MAX_ANSWER_BYTES) -> None:
        self.address, self._sends = reached.address, reached.sends
        self._channel = channel(reached, budget_bytes)
        self._budget_bytes = budget_bytes

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._channel.close()

    def probe(self, session_id: str, timeout_s: float, root: str = NOWHERE) -> None:
        """Returns where a profiler's server is there and free. Raises: no_profiler, busy, old_server, slow, …

        session_id: one that nothing else uses. root: the folder for a server that sends nothing back.
        """
        try:
            self._read(read_reply, self._call(SERVICE + "Profile", probe_request(session_id, root), timeout_s))
        except WorkerError as error:
            raise probe_failure(self.address, error) from None

    def profile(
        self,
        options: Options,
        session_id: str,
        timeout_s: float,
        *,
        start_ns: int = 0,
        cancel: threading.Event | None = None,
    ) -> memoryview:
        """Records, and gives the capture's bytes. While it waits, setting `cancel` ends the recording there too.

        session_id: one that nothing else ever uses, since a server remembers what was terminated.
        """
        stop = partial(self.terminate, session_id)
        if self._sends:
            request = profile_request(options, session_id, str(self.address), start_ns)
            data = self._call(SERVICE + "Profile", request, timeout_s, cancel, stop)
            return self._read(lambda data: capture_in(read_reply(data), options), data)
        with self._folder() as folder:
            request = profile_request(options, session_id, str(self.address), start_ns, folder.root)
            data = self._call(SERVICE + "Profile", request, timeout_s, cancel, stop)
            return self._read(lambda data: capture_in(self._written(folder, data), options), data)

    def _folder(self) -> Folder:
        try:
            return Folder()
        except WorkerError as error:
            raise WorkerError(error.kind, f"{self.address}: {error.message}") from None

    def _written(self, folder: Folder, data: bytes) -> Reply:
        """What a server answered that writes its capture, with what it wrote."""
        return Reply(folder.capture(self._budget_bytes), read_reply(data).empty)

    def terminate(self, session_id: str) -> None:
        """Ends a recording, if there is one of that id."""
        with contextlib.suppress(WorkerError):
            self._call(SERVICE + "Terminate", terminate_request(session_id), TERMINATE_S)

    def monitor(self, duration_ms: int, level: int = 1) -> Monitored:
        """What the devices do, in some numbers, where a server reports that: those of Cloud TPUs do. level: 1 or 2."""
        try:
            data = self._call(SERVICE + "Monitor", monitor_request(duration_ms, level), duration_ms / 1000 + MONITOR_S)
        except WorkerError as error:
            raise only_tpus(self.address, error, NO_MONITOR) from None
        return self._read(read_monitored, data)

    def new_session(
        self,
        options: Options,
        *,
        session: str,
        root: str,
        workers: tuple[str, ...],
        timeout_s: float,
        cancel: threading.Event | None = None,
    ) -> None:
        """A Cloud TPU's master records its workers, which write to `<root>/<session>` by themselves.

        root: `<logdir>/plugins/profile`, as the TPU's machines see it.
        """
        request = new_session_request(options, session, root, workers)
        try:
            data = self._call(ANALYSIS + "NewSession", request, timeout_s, cancel)
        except WorkerError as error:
            raise only_tpus(self.address, error, NO_MASTER) from None
        self._read(read_new_session, data)

    def _read(self, read: Callable[[bytes], T], data: bytes) -> T:
        """What a reader gives; its problems with the address before them."""
        try:
            return read(data)
        except WorkerError as error:
            raise WorkerError(error.kind, f"{self.address}: {error.message}") from None

    def _call(
        self,
        method: str,
        request: Any,
        timeout_s: float,
        cancel: threading.Event | None = None,
        stop: Callable[[], None] | None = None,
    ) -> bytes:
        """stop: called before the call is given up, by whatever exception."""
        ask = self._channel.unary_unary(method, request_serializer=_to_bytes, response_deserializer=None)
        began_s = time.monotonic()
        future = ask.future(request, timeout=timeout_s)
        try:
            _wait(future, cancel)
            answer = future.result()
        except library().RpcError as error:
            raise explained(self.address, error, time.monotonic() - began_s, self._budget_bytes) from None
        except _CancelledError:
            raise WorkerError("cancelled", f"{self.address}: the recording was cancelled") from None
        finally:
            if not future.done():
                if stop is not None:
                    stop()
                future.cancel()
        # gRPC's library gives None where a call ends well and its message is missing or half there.
        if answer is None:
            raise WorkerError("cut", f"{self.address}: the answer is incomplete. Try again")
        return bytes(answer)


class _CancelledError(Exception):
    pass


def _wait(future: Any, cancel: threading.Event | None) -> None:
    """Until the answer is there. Raises _CancelledError once the event is set."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    while not done.wait(POLL_S):
        if cancel is not None and cancel.is_set():
            raise _CancelledError


def _to_bytes(request: Any) -> bytes:
    return bytes(request.SerializeToString())


# Is a profiler there, and free? Asked before anything is recorded, answered within seconds.

#: So that the answer is there within 5 s.
TIMEOUT_S = 4.8
#: A state of a socket in /proc/net/tcp.
LISTENS = "0A"
#: As much of a list of sockets, and of what a process has mapped: some thousands of lines.
MAX_BYTES = 16 << 20

TENSORFLOW, JAX = regex(rb"/libtensorflow_[^/\n]*\.so"), regex(rb"/jaxlib/[^\n]*\.so")


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

    Not that of JAX, which has the program crash or hang when its recording ends: 0.6 and 0.8 did, for any client.
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
