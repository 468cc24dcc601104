"""Hosts' works → what was made of each, by the workers of a Dask cluster: files are read where the workers are.

Dask's scheduler gives a work to another worker when one dies, some times; the extra `[cluster]` installs it. The
captures must have the same paths on all machines, as in a shared folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

from ..._version import __version__
from ...errors import ArgumentError, RemoteError
from ...work import check
from .work import Done, Failed, Work, done
from .worker import read_here

#: Until a scheduler that does not answer is given up.
CONNECT_S = 10.0
#: Until works that no worker is there for are given up: one that is started anew takes some seconds.
NO_WORKERS_S = 10.0
#: A cancelled request, and a scheduler that has gone, are noticed so late.
_POLL_S = 0.2
#: How often the scheduler is asked for its workers while none brings anything, and how long it may take.
_WORKERS_S = 2.0


class Made(NamedTuple):
    """What a worker gives back, and which version of this package made it."""

    version: str
    done: Done


def make(work: Work) -> Made:
    """Runs on a worker."""
    return Made(__version__, done(work, read_here))


class Cluster:
    """Works by the workers of a Dask cluster. where: the address of its scheduler, or a `distributed.Client`."""

    name = "cluster"

    def __init__(self, where: Any) -> None:
        self._where = where

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        """Each work's place, and what was made of it, as they come; ends early when `stop` is set.

        Raises ArgumentError without Dask, RemoteError where the scheduler does not answer, or has gone, and where it
        has had no worker for NO_WORKERS_S.
        """
        client = connected(self._where)
        staff = _Staff(client)
        come: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        left = len(works)
        futures = client.map(make, works, pure=False, key="perfplugin-host")
        try:
            for place, future in enumerate(futures):
                future.add_done_callback(lambda future, place=place: come.put((place, future)))
            while left and not stop.is_set():
                try:
                    place, future = come.get(timeout=_POLL_S)
                except queue.Empty:
                    if client.status != "running":
                        raise _gone(self._where, len(works) - left, len(works)) from None
                    if staff.has_left():
                        raise _deserted(self._where, len(works) - left, len(works)) from None
                    check()
                    continue
                yield place, _result(future, self._where, len(works) - left, len(works))
                future.release()
                left -= 1
        except (OSError, CancelledError) as error:
            # Dask calls off the works of a scheduler that it has lost.
            raise _gone(self._where, len(works) - left, len(works)) from error
        finally:
            # The scheduler may stop meanwhile.
            with contextlib.suppress(OSError, CancelledError):
                if client.status == "running":
                    client.cancel(futures)
            if client is not self._where:
                client.close(timeout=1)


class _Staff:
    """The workers of a cluster, counted now and then."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._counted_s = self._seen_s = time.monotonic()

    def has_left(self) -> bool:
        """Whether there has been no worker for NO_WORKERS_S. A scheduler that does not answer is no reason."""
        now_s = time.monotonic()
        if now_s - self._counted_s >= _WORKERS_S:
            self._counted_s = now_s
            if self._is_there():
                self._seen_s = now_s
        return now_s - self._seen_s > NO_WORKERS_S

    def _is_there(self) -> bool:
        with contextlib.suppress(OSError, CancelledError, asyncio.TimeoutError):
            return bool(self._client.sync(self._client.scheduler.ncores, callback_timeout=_WORKERS_S))
        return True


def connected(where: Any) -> Any:
    """A client of the cluster. Raises ArgumentError, RemoteError."""
    if not isinstance(where, str):
        return where
    try:
        import distributed
    except ImportError as error:
        remedy = "run `pip install 'tensorboard-perfplugin[cluster]'`"
        raise ArgumentError(f"a cluster needs Dask, which is not installed ({error}): {remedy}") from error
    try:
        # Its functions have no types.
        client: Any = distributed.Client
        return client(where, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        remedy = "start one with `dask scheduler`, and give its address"
        raise RemoteError(f"no Dask scheduler answers at {where[:200]}: {reason}; {remedy}") from error


def _result(future: Any, where: Any, come: int, count: int) -> Done:
    """What a worker made of a host, or why that failed."""
    if future.status not in ("finished", "error"):
        raise _gone(where, come, count)
    if future.status == "error":
        error = future.exception()
        if isinstance(error, ImportError):
            raise RemoteError(f"a worker of the cluster cannot import this package ({error}): install it there")
        return Done((), Failed("unreadable", f"{type(error).__name__} on the cluster: {str(error)[:300]}"), None)
    made: Made = future.result()
    if made.version != __version__:
        raise RemoteError(
            f"a worker of the cluster has version {made.version} of this package, here is {__version__}: "
            "install the same everywhere"
        )
    return made.done


def _gone(where: Any, come: int, count: int) -> RemoteError:
    return RemoteError(
        f"the Dask scheduler at {_address(where)} has gone after {come} of {count} hosts; what came is kept: ask again"
    )


def _deserted(where: Any, come: int, count: int) -> RemoteError:
    return RemoteError(
        f"the Dask scheduler at {_address(where)} has had no worker for {NO_WORKERS_S:g} s, after {come} of {count} "
        "hosts; what came is kept: start workers with `dask worker`, and ask again"
    )


def _address(where: Any) -> str:
    return where if isinstance(where, str) else "the client given"
