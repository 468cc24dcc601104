"""Addresses, a logdir, options → a session folder with a file a worker, and `capture.json`, which says how it came."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from .. import _version
from .. import logdir as logdirs
from ..errors import ArgumentError
from .progress import PHASES, Captured, CaptureError, HostOutcome, Phase, Progress
from .request import Address, Allowed, Kind, Options, WorkerError
from .request import addresses as parse_addresses
from .session import Session
from .worker import Worker

#: How often waiting callers hear of the progress, and a cancel is looked for.
TICK_S = 0.1
#: Workers that are to begin at one time get the request so long before, at least: calls reach them at different times.
AHEAD_S = 1.0
#: How long workers are waited for after the request to stop: a server has to say that it did. Checking takes up to 5 s.
STOP_S = 8.0
NAME = "perfplugin-capture"
#: Workers that are named in the error when there are many.
MAX_NAMED = 4

Report = Callable[[Progress], None]


def run(
    addresses: str | Sequence[Address | str],
    logdir: str | os.PathLike[str],
    options: Options,
    *,
    progress: Report | None = None,
    cancel: threading.Event | None = None,
    allowed: Allowed | None = None,
    series: str = "",
) -> Captured:
    """Capture all workers at once into one session of a logdir, which need not be there yet.

    addresses: as `addresses` gives them, or a text or texts that it takes.
    progress: called now and then from this thread. cancel: set from another thread, ends it within a second or two.
    allowed: what may be connected to; everything without. series: noted in `capture.json`.

    Workers that fail are named in the result where another gave something. Raises CaptureError where none did, or on
    cancel, ArgumentError where the logdir cannot be written to, or nothing would be recorded. Then nothing is left of
    it, nor on KeyboardInterrupt.
    """
    if not options.records:
        raise ArgumentError(
            "host_tracer_level, device_tracer_level and python_tracer_level are all 0: nothing would be recorded; "
            "set at least one"
        )
    asked = parse_addresses(addresses if isinstance(addresses, str) else list(map(str, addresses)))
    job = _Job(asked, options, allowed, progress, cancel)
    with Session(os.fspath(logdir)) as session:
        job.ask(lambda worker: worker.check(patient=options.together))
        job.leave_out_same()
        start_ns = job.start_ns()
        job.ask(lambda worker: worker.record(session, start_ns))
        return job.finished(session, series)


class _Job:
    """All workers of one capture, and the thread that waits for them."""

    def __init__(
        self,
        addresses: tuple[Address, ...],
        options: Options,
        allowed: Allowed | None,
        progress: Report | None,
        cancel: threading.Event | None,
    ) -> None:
        self._stop = threading.Event()
        self._workers = [Worker(address, options, allowed, self._stop) for address in addresses]
        self._options = options
        self._together = options.together and len(addresses) > 1
        self._delay_s = max(options.delay_ms / 1000, AHEAD_S * self._together)
        self._progress = progress
        self._cancel = cancel or threading.Event()
        self._began_s, self._began_ns = time.monotonic(), time.time_ns()
        self._begins_s, self._begins_ns = 0.0, self._began_ns

    def ask(self, what: Callable[[Worker], None]) -> None:
        """Let every worker do something, and return when all have.

        Whatever ends the wait, an interrupt or a caller's error, ends what the workers are doing. The threads hold up
        no process that ends: those of a pool are waited for before anything can ask them to stop.
        """
        threads = [threading.Thread(target=what, args=(each,), name=NAME, daemon=True) for each in self._workers]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    self._report()
                    thread.join(TICK_S)
        except BaseException:
            self._stop.set()
            end_s = time.monotonic() + STOP_S
            for thread in threads:
                if thread.ident is not None:
                    thread.join(max(0.0, end_s - time.monotonic()))
            raise

    def leave_out_same(self) -> None:
        """A server that is asked under two names would be recorded twice, and counted as two."""
        first: dict[tuple[str, int], Worker] = {}
        for worker in self._workers:
            if worker.server and first.setdefault(worker.server, worker) is not worker:
                worker.leave_out(first[worker.server].address)

    def start_ns(self) -> int:
        """Waits for the delay; then when to begin, in ns since the epoch: 0 for now.

        The wait is here and not there: a server that is to begin later is busy until then, and cannot be cancelled.
        """
        self._begins_s = time.monotonic() + self._delay_s
        self._begins_ns = time.time_ns() + round(self._delay_s * 1e9)
        until_s = self._begins_s - AHEAD_S * self._together
        while (left_s := until_s - time.monotonic()) > 0 and not all(worker.outcome for worker in self._workers):
            self._report()
            if self._stop.wait(min(left_s, TICK_S)):
                break
        return self._begins_ns if self._together else 0

    def _report(self) -> None:
        if self._cancel.is_set():
            self._stop.set()
        if self._progress is not None:
            self._progress(self._now())

    def _now(self) -> Progress:
        states = tuple(worker.state for worker in self._workers)
        going = [PHASES.index(state.kind) for state in states if state.kind in PHASES]
        phase: Phase = PHASES[min(going)] if going else "done"
        elapsed_s = time.monotonic() - self._began_s
        recorded_s = max(worker.recorded_s for worker in self._workers)
        if not recorded_s:
            begins_s = self._begins_s or time.monotonic() + self._delay_s
            recorded_s = begins_s + self._options.duration_ms / 1000
        return Progress(phase, elapsed_s, recorded_s - self._began_s, states)

    def finished(self, session: Session, series: str) -> Captured:
        """The session, made of what came. Raises CaptureError where nothing did."""
        outcomes = tuple(worker.ended() for worker in self._workers)
        if self._cancel.is_set():
            message = "the capture was cancelled; nothing was written"
            raise CaptureError(message, tuple(_lost(each, "cancelled", message) for each in outcomes))
        if not any(outcome.file for outcome in outcomes):
            raise CaptureError(_why_nothing(outcomes), outcomes)
        name = self._options.session or time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(self._begins_ns // 10**9))
        try:
            path = session.finish(name, lambda name: self._record(name, series).to_json())
        except WorkerError as error:
            raise CaptureError(
                error.message, tuple(_lost(each, error.kind, error.message) for each in outcomes)
            ) from None
        self._report()
        return Captured(os.path.basename(path), path, outcomes)

    def _record(self, session: str, series: str) -> logdirs.Record:
        return logdirs.Record(
            session,
            tuple(map(_noted, self._workers)),
            series,
            self._began_ns,
            time.time_ns(),
            self._options.as_dict(),
            {"perfplugin": _version.__version__, "grpcio": _grpc_version(), "python": platform.python_version()},
        )


def _noted(worker: Worker) -> logdirs.Worker:
    outcome = worker.ended()
    message = outcome.message.removeprefix(f"{outcome.address}: ")
    times = (worker.started_ns, worker.ended_ns, worker.server_started_ns)
    named = zip(("started_ns", "ended_ns", "server_started_ns"), times, strict=True)
    return logdirs.Worker(**{**asdict(outcome), "message": message, **dict(named)})


def _lost(outcome: HostOutcome, kind: Kind, message: str) -> HostOutcome:
    """Of a worker that had given something, which is gone."""
    return outcome if outcome.kind != "ok" else replace(outcome, kind=kind, message=message, file="")


def _why_nothing(outcomes: Sequence[HostOutcome]) -> str:
    if len(outcomes) == 1:
        return outcomes[0].message
    reasons = "; ".join(outcome.message for outcome in outcomes[:MAX_NAMED])
    more = f"; and {len(outcomes) - MAX_NAMED} more" if len(outcomes) > MAX_NAMED else ""
    return f"none of {len(outcomes)} workers returned a profile: {reasons}{more}"


def _grpc_version() -> str:
    import grpc

    return str(grpc.__version__)
