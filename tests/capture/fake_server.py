"""Servers to capture from: one that behaves as TensorFlow's and JAX's do, and sockets that misbehave as they are told.

with serving(FakeProfiler()) as address: ...        # gRPC
with listening(lambda sock: sock.sendall(b"SSH-2.0-x")) as address: ...
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import grpc
from google.protobuf.message import Message

from tensorboard_perfplugin.capture import Address
from tensorboard_perfplugin.capture.server.status import messages
from tests.build_capture import Space

from .http2 import ClosedError, Stream

#: When the small capture was recorded, in ns since the epoch; picoseconds in a millisecond.
NS, MS = 1_700_000_000 * 10**9, 10**9


def small_xspace(hostname: str = "trainer", steps: int = 3) -> bytes:
    """Steps of 10 ms, of which an op takes 4 ms."""
    space = Space(hostnames=[hostname])
    cpu = space.plane("/host:CPU")
    marks, ops = cpu.line(1, "python", timestamp_ns=NS), cpu.line(2, "tf_Compute", timestamp_ns=NS)
    for step in range(steps):
        marks.event("train", step * 10 * MS, 10 * MS, {"step_num": step, "_r": 1})
        ops.event("MatMul:MatMul", (step * 10 + 3) * MS, 4 * MS)
    return space.bytes()


SMALL, EMPTY = small_xspace(), b"\n\x0b\x12\t/host:CPU"
BUSY = "Another profiling session active."
Script = Callable[[socket.socket], None]


class FakeProfiler:
    """A profiler's server: one recording at a time, which lasts as long as asked for or until it is terminated.

    xspace: what a recording gives. faults: what the first recordings give instead: `busy`, `empty`, `crash`, bytes as
    the whole answer, or (status, text). Probes, which ask for no time, meet no fault but `busy`, and what is true.
    old: writes on its own side, whatever is asked for: `here`, or `elsewhere`, where our folders are not.
    requests: (method, message), as they came.
    """

    def __init__(
        self, xspace: bytes = b"", *, faults: Sequence[str | bytes | tuple[str, str]] = (), old: str = ""
    ) -> None:
        self.xspace = xspace or SMALL
        self.faults = list(faults)
        self.old = old
        self.requests: list[tuple[str, Any]] = []
        self._lock = threading.Lock()
        self._ended: dict[str, threading.Event] = {}

    @property
    def recorded(self) -> list[Any]:
        """The requests that asked for time."""
        return [request for method, request in self.requests if method == "Profile" and request.opts.duration_ms]

    @property
    def terminated(self) -> list[str]:
        return [request.session_id for method, request in self.requests if method == "Terminate"]

    def finish(self) -> None:
        """What is being recorded is recorded for long enough."""
        for ended in list(self._ended.values()):
            ended.set()

    def service(self, details: Any) -> Any:
        service, _, method = details.method.rpartition("/")
        answers = {"Profile": self._profile, "Terminate": self._terminate}
        if service != "/tensorflow.ProfilerService" or method not in answers:
            return None
        answer = answers[method]
        return grpc.unary_unary_rpc_method_handler(
            answer,
            request_deserializer=lambda data: messages()[f"{method}Request"].FromString(data),
            response_serializer=lambda reply: reply.SerializeToString() if isinstance(reply, Message) else reply,
        )

    def _terminate(self, request: Any, context: Any) -> bytes:
        self.requests.append(("Terminate", request))
        self._ended.setdefault(request.session_id, threading.Event()).set()
        return b""

    def _profile(self, request: Any, context: Any) -> Any:
        self.requests.append(("Profile", request))
        if not self._lock.acquire(blocking=False):
            context.abort(grpc.StatusCode.INTERNAL, BUSY)
        try:
            return self._recorded(request, context)
        finally:
            self._lock.release()

    def _recorded(self, request: Any, context: Any) -> Any:
        asked = request.opts
        fault = self.faults.pop(0) if self.faults and (asked.duration_ms or self.faults[0] == "busy") else ""
        if fault == "busy":
            context.abort(grpc.StatusCode.INTERNAL, BUSY)
        if isinstance(fault, tuple):
            context.abort(grpc.StatusCode[fault[0]], fault[1])
        if isinstance(fault, bytes):
            return fault
        self._wait(request, context)
        if self.old or not request.emit_xspace:
            return self._written(request, context)
        levels = (asked.host_tracer_level, asked.device_tracer_level, asked.python_tracer_level)
        if fault == "empty" or not asked.duration_ms or (asked.version and not any(levels)):
            return messages()["ProfileResponse"](empty_trace=True, xspace=EMPTY)
        return messages()["ProfileResponse"](xspace=self.xspace)

    def _wait(self, request: Any, context: Any) -> None:
        asked = request.opts
        ended = self._ended.setdefault(request.session_id, threading.Event())
        context.add_callback(ended.set)
        ended.wait(max(0.0, asked.start_timestamp_ns / 1e9 - time.time()) + asked.duration_ms / 1000)

    def _written(self, request: Any, context: Any) -> Any:
        if request.repository_root.startswith("/dev/null"):
            context.abort(grpc.StatusCode.INTERNAL, "/dev/null is not a directory")
        if self.old != "here":
            context.abort(grpc.StatusCode.NOT_FOUND, f"{request.repository_root}; No such file or directory")
        folder = Path(request.repository_root, request.session_id)
        try:
            folder.mkdir(parents=True)
            name = request.host_name.replace(":", "_")
            (folder / f"{name}.xplane.pb").write_bytes(self.xspace if request.opts.duration_ms else b"")
        except OSError as error:
            context.abort(grpc.StatusCode.NOT_FOUND, str(error))
        return messages()["ProfileResponse"](empty_trace=not request.opts.duration_ms)


class Handler(Protocol):
    """What gRPC's library asks for the method of a call."""

    def service(self, details: Any) -> Any: ...


class NoProfiler:
    """A gRPC server of something else."""

    def service(self, details: Any) -> Any:
        return None


@contextmanager
def serving(handler: Handler, host: str = "127.0.0.1") -> Iterator[Address]:
    """A gRPC server on a free port of loopback."""
    server = grpc.server(futures.ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port(f"[{host}]:0" if ":" in host else f"{host}:0")
    server.start()
    try:
        yield Address(host, port)
    finally:
        server.stop(0).wait()


@contextmanager
def listening(script: Script, host: str = "127.0.0.1") -> Iterator[Address]:
    """A socket at a free port of loopback; each connection is handed to the script, in a thread, and then closed."""
    taken: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def serve() -> None:
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            taken.append(sock)
            threads.append(threading.Thread(target=_scripted, args=(script, sock)))
            threads[-1].start()

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with closing(socket.create_server((host, 0), family=family)) as listener:
        accepting = threading.Thread(target=serve)
        accepting.start()
        try:
            yield Address(host, listener.getsockname()[1])
        finally:
            # Only a shutdown wakes a thread that waits in accept or recv.
            for sock in [listener, *taken]:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
            for thread in [accepting, *threads]:
                thread.join()


def _scripted(script: Script, sock: socket.socket) -> None:
    with closing(sock), suppress(OSError, ClosedError):
        script(sock)


def answering(script: Callable[[Stream], None]) -> Script:
    """For `listening`: a server of HTTP/2 that answers probes as it should, and a recording as the script does."""

    def run(sock: socket.socket) -> None:
        stream = Stream(sock)
        stream.greet()
        stream.wait_for_call()
        if messages()["ProfileRequest"].FromString(stream.request).opts.duration_ms:
            script(stream)
        else:
            stream.answer(messages()["ProfileResponse"](empty_trace=True, xspace=EMPTY).SerializeToString())
        stream.wait_for_end()

    return run


def silent(sock: socket.socket) -> None:
    """Takes what is sent and says nothing."""
    while sock.recv(4096):
        pass
