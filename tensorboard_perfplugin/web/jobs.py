"""One capture at a time → what it is at, for pages that ask again and again. Threads; knows nothing of HTTP."""

from __future__ import annotations

import atexit
import dataclasses
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, NotFoundError, PerfpluginError
from ..units import seconds

if TYPE_CHECKING:
    from ..capture import Captured, Progress

log = logging.getLogger("tensorboard.perfplugin")

#: A page that was asleep still learns how its capture ended.
REMEMBERED = 8
#: How long TensorBoard's end waits for a capture to be called off: its server notified, its temporary folder removed.
END_S = 3.0

#: Does the capture: reports its progress, ends early when the event is set. Raises PerfpluginError.
Work = Callable[[Callable[["Progress"], None], threading.Event], "Captured"]
#: The run of the capture in a folder, for the page to open; empty where the logdir does not know it yet.
Named = Callable[[str], str]


class BusyError(ArgumentError):
    """A capture is running."""


@dataclass
class Job:
    """A capture that was asked for. `state` is what a page sees of it, replaced as a whole."""

    addresses: tuple[str, ...]
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    cancel: threading.Event = field(default_factory=threading.Event)
    state: dict[str, Any] = field(default_factory=dict)
    thread: threading.Thread | None = None

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        unknown = {"kind": "checking", "message": "", "received_bytes": 0, "attempts": 0, "left_s": 0.0}
        hosts = [{"address": address, **unknown} for address in self.addresses]
        self.state = {"job": self.id, "phase": "checking", "elapsed_s": 0.0, "total_s": 0.0, "hosts": hosts}
        self.state |= {"done": False, "run": "", "path": "", "error": None}

    def update(self, progress: Progress) -> None:
        """What comes after the end is ignored."""
        with self._lock:
            if not self.state["done"]:
                self.state = {**self.state, **dataclasses.asdict(progress)}

    def end(self, phase: str, **more: Any) -> None:
        with self._lock:
            self.state = {**self.state, "phase": phase, **more, "done": True}


class Jobs:
    """The captures of one site. Constructing it does nothing."""

    def __init__(self, named: Named) -> None:
        self._named = named
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}

    def start(self, addresses: tuple[str, ...], work: Work) -> Job:
        """Begins, and returns at once. Raises BusyError while another capture runs."""
        with self._lock:
            if running := self._running():
                elapsed, total = running.state["elapsed_s"], running.state["total_s"]
                raise BusyError(f"a capture is running ({seconds(elapsed)} of {seconds(total)}): wait or cancel it")
            job = Job(addresses)
            job.thread = threading.Thread(target=self._run, args=(job, work), name="perfplugin-capture", daemon=True)
            self._jobs = {**dict(list(self._jobs.items())[1 - REMEMBERED :]), job.id: job}
        # Once, however many captures there were.
        atexit.unregister(self.stop)
        atexit.register(self.stop)
        job.thread.start()
        return job

    def running(self) -> str:
        """The id of the capture that runs, or nothing."""
        with self._lock:
            job = self._running()
            return job.id if job else ""

    def state(self, job_id: str) -> dict[str, Any]:
        """What a capture is at. Raises NotFoundError."""
        return self._job(job_id).state

    def cancel(self, job_id: str) -> dict[str, Any]:
        """Calls it off; one that has ended stays as it is. Raises NotFoundError."""
        job = self._job(job_id)
        job.cancel.set()
        return job.state

    def stop(self) -> None:
        """Calls off the one that runs, and waits for its end, END_S at most."""
        atexit.unregister(self.stop)
        with self._lock:
            job = self._running()
        if job and job.thread:
            job.cancel.set()
            job.thread.join(END_S)

    def _running(self) -> Job | None:
        return next((job for job in self._jobs.values() if not job.state["done"]), None)

    def _job(self, job_id: str) -> Job:
        with self._lock:
            if job_id not in self._jobs:
                raise NotFoundError(
                    f"no capture {job_id[:40]!r}: TensorBoard was restarted, or {REMEMBERED} captures followed"
                )
            return self._jobs[job_id]

    def _run(self, job: Job, work: Work) -> None:
        try:
            captured = work(job.update, job.cancel)
            hosts = [dataclasses.asdict(host) for host in captured.hosts]
            job.end("done", run=self._named(captured.path), path=captured.path, hosts=hosts)
        except PerfpluginError as error:
            job.end("cancelled" if job.cancel.is_set() else "failed", **_failure(error))
        except Exception as error:
            # Whatever it was, the page must not wait for ever; the log has the details.
            log.exception("a capture of %s failed", ", ".join(job.addresses))
            message = f"{type(error).__name__} while capturing: details are in TensorBoard's log"
            job.end("failed", hosts=[], error={"kind": "internal", "message": message})


def _failure(error: PerfpluginError) -> dict[str, Any]:
    kind = "bad_argument" if isinstance(error, ArgumentError) else "remote"
    hosts = [dataclasses.asdict(host) for host in getattr(error, "hosts", ())]
    return {"error": {"kind": kind, "message": str(error)}, "hosts": hosts}
