"""`tensorboard_perfplugin.capture(...)`: the call and the room of the same name are one object."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from . import capturing, progress, request, session
from .local.recording import ProfileWarning as recording_ProfileWarning
from .local.recording import Profiling as recording_Profiling
from .local.recording import profile as recording_profile
from .progress import Captured, Progress
from .request import Value
from .server.client import Checked as client_Checked
from .server.client import check as client_check
from .server.pod import capture_pod as pod_capture_pod
from .server.pod import monitor as pod_monitor


def capture(
    addresses: str | Sequence[str],
    logdir: str | os.PathLike[str],
    *,
    duration_ms: int = 2000,
    delay_ms: int = 0,
    together: bool = False,
    host_tracer_level: int = 2,
    device_tracer_level: int = 1,
    python_tracer_level: int = 0,
    retries: int = 3,
    budget_bytes: int = 512 << 20,
    session: str = "",
    advanced: Mapping[str, Value] | None = None,
    allowed: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
) -> Captured:
    """Ask running programs' profiler servers for a profile; all of them go into one new session of the logdir.

        captured = tensorboard_perfplugin.capture("grpc://trainer:6009,[::1]:6010", "logs", duration_ms=2000)
        profile = tensorboard_perfplugin.open(captured.path)

    addresses: `host:port` each, as one text with commas or several. The programs run
    `tf.profiler.experimental.server.start(port)` or `jax.profiler.start_server(port)`. The keywords are those of
    `Options`, which says what they mean. allowed: what may be connected to, as `loopback,10.0.0.0/8,*.corp:6009`;
    anything without. progress: called now and then with how far it is, from this thread. cancel: set it to give up.

    Captured.hosts says how each worker ended: one that gave nothing is missing from the session, and named there.
    Raises ArgumentError (an address, an option, a logdir that is not written to), CaptureError, a RemoteError, where no
    worker gave anything: its `hosts` say why for each.
    """
    options = request.Options(
        duration_ms=duration_ms,
        delay_ms=delay_ms,
        together=together,
        host_tracer_level=host_tracer_level,
        device_tracer_level=device_tracer_level,
        python_tracer_level=python_tracer_level,
        retries=retries,
        budget_bytes=budget_bytes,
        session=session,
        advanced=advanced or {},
    )
    rules = None if allowed is None else request.Allowed.parse(allowed)
    return capturing.run(
        request.addresses(addresses), os.fspath(logdir), options, progress=progress, cancel=cancel, allowed=rules
    )


class CallableRoom(ModuleType):
    """A module that can be called as its function `capture`.

    A type checker that meets `tensorboard_perfplugin.capture` as an object learns here what the room holds.
    """

    if TYPE_CHECKING:
        PHASES = progress.PHASES
        PRESETS = request.PRESETS
        RANGES = request.RANGES
        Address = request.Address
        Allowed = request.Allowed
        CaptureError = progress.CaptureError
        Captured = progress.Captured
        Checked = client_Checked
        HostOutcome = progress.HostOutcome
        HostState = progress.HostState
        Options = request.Options
        Preset = request.Preset
        ProfileWarning = recording_ProfileWarning
        Profiling = recording_Profiling
        Progress = progress.Progress
        addresses = staticmethod(request.addresses)
        capture_pod = staticmethod(pod_capture_pod)
        check = staticmethod(client_check)
        monitor = staticmethod(pod_monitor)
        profile = staticmethod(recording_profile)
        prune = staticmethod(session.prune)
        run = staticmethod(capturing.run)

    if TYPE_CHECKING:
        __call__ = staticmethod(capture)
    else:

        def __call__(self, *args: object, **options: object) -> Captured:
            return capture(*args, **options)


CallableRoom.__call__.__doc__ = capture.__doc__
# What `help` and editors show of the room as a function.
CallableRoom.__signature__ = inspect.signature(capture)  # type: ignore[attr-defined]
