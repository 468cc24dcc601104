"""What servers of Cloud TPUs do beyond others: their master records all workers into a bucket, and they report on their
devices between captures. After the calls ProfileAnalysis.NewSession and ProfilerService.Monitor, which no others have.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from ...errors import ArgumentError, RemoteError
from ..request import Address, Allowed, Options, WorkerError
from .client import Client
from .reach import reach
from .status import Monitored

BUCKET = "gs://"
CONNECT_S = 4.0
#: What gathering, and writing to the bucket, may take beyond the recording.
GATHER_S = 90.0


def capture_pod(
    address: Address,
    workers: Sequence[str],
    logdir: str,
    options: Options,
    *,
    cancel: threading.Event | None = None,
    allowed: Allowed | None = None,
) -> str:
    """Ask a TPU's master to record its workers; gives the session's path, which they write to by themselves.

    workers: their names or IP addresses as the master knows them. logdir: `gs://bucket/logs`, which they can write to.
    An empty result is asked for again, up to `options.retries` times. Raises ArgumentError for a logdir that is no
    bucket, RemoteError where the master did not do it.
    """
    if not logdir.startswith(BUCKET) or not logdir.strip("/").removeprefix("gs:"):
        raise ArgumentError(f"logdir {logdir[:200]!a}: a TPU's workers write to a bucket: give gs://BUCKET/FOLDER")
    session = options.session or time.strftime("%Y_%m_%d_%H_%M_%S")
    root = f"{logdir.rstrip('/')}/plugins/profile"
    try:
        _recorded(address, options, workers=tuple(workers), session=session, root=root, cancel=cancel, allowed=allowed)
    except WorkerError as error:
        raise RemoteError(error.message) from None
    return f"{root}/{session}"


def _recorded(
    address: Address,
    options: Options,
    *,
    workers: tuple[str, ...],
    session: str,
    root: str,
    cancel: threading.Event | None,
    allowed: Allowed | None,
) -> None:
    timeout_s = (options.delay_ms + 2 * options.duration_ms) / 1000 + GATHER_S
    for again in range(options.retries, -1, -1):
        try:
            with Client(reach(address, allowed, CONNECT_S)) as client:
                client.new_session(
                    options, session=session, root=root, workers=workers, timeout_s=timeout_s, cancel=cancel
                )
            break
        except WorkerError as error:
            if error.kind != "empty" or not again:
                raise


def monitor(address: Address, duration_ms: int = 1000, level: int = 1, *, allowed: Allowed | None = None) -> Monitored:
    """What a TPU's devices do for some time. level: 1 or 2, how detailed. Raises RemoteError."""
    try:
        with Client(reach(address, allowed, CONNECT_S)) as client:
            return client.monitor(duration_ms, level)
    except WorkerError as error:
        raise RemoteError(error.message) from None
