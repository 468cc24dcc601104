"""One worker's profiler server, spoken to over gRPC: probe, profile, terminate, monitor. Raises WorkerError alone."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from ..request.failure import WorkerError
from ..request.options import Options
from .beside import Folder
from .channel import channel, library
from .messages import (
    ANALYSIS,
    NOWHERE,
    SERVICE,
    Monitored,
    Reply,
    monitor_request,
    new_session_request,
    probe_request,
    profile_request,
    read_monitored,
    read_new_session,
    read_reply,
    terminate_request,
)
from .reach import Reached
from .status import NO_MASTER, NO_MONITOR, capture_in, explained, only_tpus, probe_failure

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
