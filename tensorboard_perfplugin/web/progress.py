"""Questions that are being answered: how far each is, for the page that waits for it; and how to call one off.

One whose client has gone is called off as well: the server gives each request its connection, which has an end then.
"""

from __future__ import annotations

import contextlib
import functools
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

from werkzeug.wrappers import Request, Response

from ..errors import ArgumentError
from ..patterns import regex
from ..work import Work, at, followed
from .guard import Guard
from .respond import Query, respond_json

SCHEMA = 1
#: By which a page names its question, so that it can ask how far it is.
HEADER = "X-Perfplugin-Work"
_NAME = regex("[0-9A-Za-z_-]{1,64}")
#: Questions that are followed at a time; more are answered, and not followed.
MOST = 256


class Progress:
    """The questions of one site, by the names that pages give them."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._lock = threading.Lock()
        self._works: dict[str, Work] = {}

    @contextlib.contextmanager
    def tracking(self, request: Request) -> Iterator[None]:
        """What is done within answers the request, as `followed_by_client` has begun; pages can ask how far it is."""
        name, work = request.headers.get(HEADER, ""), followed()
        with self._lock:
            is_followed = bool(_NAME.fullmatch(name)) and name not in self._works and len(self._works) < MOST
            if is_followed and work:
                self._works[name] = work
        try:
            yield
        finally:
            if is_followed:
                with self._lock:
                    self._works.pop(name, None)

    def state(self, request: Request) -> Response:
        query = Query(request)
        name = query.single("work")
        query.end(("work",))
        return respond_json(request, json.dumps(self._state(name)))

    def cancel(self, request: Request) -> Response:
        name = self._guard.body(request, ("work",)).get("work")
        if not isinstance(name, str):
            raise ArgumentError("work is missing or not a string")
        with self._lock:
            if name in self._works:
                self._works[name].stopped.set()
        return respond_json(request, json.dumps(self._state(name)))

    def _state(self, name: str) -> dict[str, Any]:
        """One that has ended, or has not come yet, is at nothing."""
        with self._lock:
            work = self._works.get(name)
        if work is None:
            return {"schema": SCHEMA, "stage": None}
        return {
            "schema": SCHEMA,
            "stage": work.stage,
            "host": work.host,
            "hosts": work.hosts,
            "hosts_done": work.hosts_done,
            "size_bytes": work.size_bytes,
            "done_bytes": work.done_bytes,
            "elapsed_s": time.monotonic() - work.started_s,
        }


@contextlib.contextmanager
def followed_by_client(request: Request) -> Iterator[None]:
    """What is done within ends when the request's client has gone and no other waits for the same."""
    connection: socket.socket | None = request.environ.get("werkzeug.socket")
    work = Work()
    if connection is not None and hasattr(socket, "MSG_DONTWAIT"):
        work.has_left = functools.partial(has_ended, connection)
    with at(work):
        yield


def has_ended(connection: socket.socket) -> bool:
    """Whether the other side has closed a connection: then there is an end to be read, and nothing before it."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except (BlockingIOError, InterruptedError):
        return False
    except ValueError:
        # Of an encrypted connection nothing can be read without taking it.
        return False
    except OSError:
        return True
