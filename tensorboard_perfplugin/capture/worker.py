"""One worker from the first question to its file in the session: check, wait, record, write, ask again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from ..units import seconds
from .progress import HostOutcome, HostState, Phase
from .request import Address, Allowed, Options, WorkerError
from .server.client import Client, checked, unused_id
from .server.reach import Reached, began_ns
from .session import Session

#: A recorder that is busy is asked again after so long, and after twice the time each time, up to the last.
BACK_OFF_S, MAX_BACK_OFF_S = 1.0, 8.0
#: What an answer is given beyond what it records: to stop the tracers and gather what they hold, and to send it. The
#: slowest connection on which the whole budget may come.
GATHER_S = 30.0
SLOWEST_BYTES_PER_S = 20e6
#: What asking again may change.
_AGAIN = ("busy", "empty")


class Worker:
    """One address. Its methods are called one after the other, from any thread; state and outcome from another."""

    def __init__(self, address: Address, options: Options, allowed: Allowed | None, stop: threading.Event) -> None:
        self.address = address
        self.outcome: HostOutcome | None = None
        self.started_ns = self.ended_ns = self.server_started_ns = 0
        #: On the clock time.monotonic: when it will have recorded, as far as is known now.
        self.recorded_s = 0.0
        self._options = options
        self._allowed = allowed
        self._stop = stop
        self._reached: Reached | None = None
        self._attempts = 1
        self._state = HostState(str(address), "checking")

    @property
    def state(self) -> HostState:
        """What it does now. While it records nothing is reported: that the time is over is all there is to report."""
        state, left_s = self._state, self.recorded_s - time.monotonic()
        if state.kind == "recording" and left_s <= 0:
            return replace(state, kind="receiving")
        return replace(state, left_s=max(0.0, left_s)) if state.kind in ("waiting", "recording") else state

    def check(self, patient: bool) -> None:
        """Ask whether it can record; where it is busy, again and again if `patient`, else that is left to `record`."""
        self._guarded(lambda: self._check(patient))

    @property
    def server(self) -> tuple[str, int] | None:
        """What was reached: the same for two addresses of one server. None where nothing was, or it is busy."""
        return self._reached.server if self._reached else None

    def leave_out(self, other: Address) -> None:
        """Do not record: the same server is asked under another address."""
        message = f"{self.address}: the same server as {other}, which is captured. Remove one of the two addresses"
        self._end(HostOutcome(str(self.address), "same", message, attempts=self._attempts))

    def record(self, session: Session, start_ns: int) -> None:
        """Record, and write the file. start_ns: when to begin, in ns since the epoch by its own clock; 0 for now."""
        if self.outcome is None:
            self._guarded(lambda: self._record(session, start_ns))

    def ended(self) -> HostOutcome:
        """How it ended. A thread that an error of ours ended has printed that, and loses no other worker's capture."""
        if self.outcome is None:
            message = f"{self.address}: perfplugin failed while capturing; details are in its output"
            self._end(HostOutcome(str(self.address), "failed", message, attempts=self._attempts))
        assert self.outcome
        return self.outcome

    def _guarded(self, work: Callable[[], None]) -> None:
        self.started_ns = self.started_ns or time.time_ns()
        try:
            work()
        except WorkerError as error:
            self._end(HostOutcome(str(self.address), error.kind, error.message, attempts=self._attempts))

    def _end(self, outcome: HostOutcome) -> None:
        self.ended_ns = time.time_ns()
        self.outcome = replace(outcome, seconds=round(max(0, self.ended_ns - self.started_ns) / 1e9, 3))
        self._state = HostState(
            outcome.address, outcome.kind, outcome.message, received_bytes=outcome.size_bytes, attempts=outcome.attempts
        )

    def _now(self, phase: Phase, message: str = "", received_bytes: int = 0) -> None:
        if self._stop.is_set():
            raise WorkerError("cancelled", f"{self.address}: the capture was cancelled")
        self._state = HostState(
            str(self.address), phase, message, received_bytes=received_bytes, attempts=self._attempts
        )

    def _check(self, patient: bool) -> None:
        while self._reached is None:
            self._now("checking")
            try:
                self._reached = checked(self.address, allowed=self._allowed)
            except WorkerError as error:
                if not patient and self._may_help(error):
                    self._now("waiting", "busy")
                    return
                self._back_off(error)
        self._now("waiting")

    def _may_help(self, error: WorkerError) -> bool:
        """Whether asking again may, and was not done often enough."""
        return error.kind in _AGAIN and self._attempts <= self._options.retries

    def _back_off(self, error: WorkerError) -> None:
        """Wait until it may be asked again. Raises the error where that would not help."""
        if not self._may_help(error):
            raise error
        wait_s = min(BACK_OFF_S * 2 ** (self._attempts - 1), MAX_BACK_OFF_S)
        self.recorded_s = time.monotonic() + wait_s + self._options.duration_ms / 1000
        self._now("waiting", f"{error.kind}; next attempt in {seconds(wait_s)}")
        if self._stop.wait(wait_s):
            raise WorkerError("cancelled", f"{self.address}: the capture was cancelled")
        self._attempts += 1

    def _record(self, session: Session, start_ns: int) -> None:
        if self._reached is None:
            self._back_off(WorkerError("busy", "busy when it was checked"))
            self._check(patient=True)
        data = self._recorded(start_ns)
        size = data.nbytes
        self.server_started_ns = began_ns(data)
        self._now("writing", received_bytes=size)
        try:
            file = session.write(self.address.stem, data, self._stop.is_set)
        except WorkerError as error:
            raise WorkerError(error.kind, f"{self.address}: {error.message}") from None
        self._end(HostOutcome(str(self.address), "ok", file=file, size_bytes=size, attempts=self._attempts))

    def _recorded(self, start_ns: int) -> memoryview:
        while True:
            try:
                return self._profile(start_ns)
            except WorkerError as error:
                if error.kind == "deadline" and start_ns:
                    raise WorkerError("deadline", error.message + _CLOCK) from None
                self._back_off(error)
                start_ns = 0

    def _profile(self, start_ns: int) -> memoryview:
        assert self._reached
        options, ahead_s = self._options, max(0.0, start_ns / 1e9 - time.time()) if start_ns else 0.0
        self.recorded_s = time.monotonic() + ahead_s + options.duration_ms / 1000
        self._now("recording")
        with Client(self._reached, options.budget_bytes) as client:
            timeout_s = ahead_s + deadline_s(options)
            return client.profile(options, unused_id(), timeout_s, start_ns=start_ns, cancel=self._stop)


_CLOCK = ". All workers were to start at the same time by their own clocks: this worker's clock may be behind"


def deadline_s(options: Options) -> float:
    """How long an answer may take from the moment at which the recording begins."""
    recorded_s = options.duration_ms / 1000
    return recorded_s + max(GATHER_S, recorded_s) + options.budget_bytes / SLOWEST_BYTES_PER_S
