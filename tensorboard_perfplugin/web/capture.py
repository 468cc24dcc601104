"""The routes of a capture: what can be asked for, whether a profiler answers, begin, what it is at, call it off.

Importing it is light. Everything that acts is POST and passes the guard.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from werkzeug.wrappers import Request, Response

from ..errors import ArgumentError, NotFoundError
from ..logdir import Logdir, Root
from .guard import Guard, RefusedError
from .jobs import BusyError, Jobs
from .respond import Query, respond_error, respond_json

if TYPE_CHECKING:
    from ..capture import Address, Allowed

SCHEMA = 1
ALLOW_FLAG = "--perfplugin_capture_allow"
#: Addresses that are allowed where the operator says nothing.
LOOPBACK = "loopback"
#: Looked at while a person types; each takes 5 s at the most, and a thread.
CHECKS_AT_A_TIME = 4
CHECK_THREADS = 32


@dataclasses.dataclass(frozen=True)
class CaptureRules:
    """What the operator allows. allow: addresses, as the flag has them; empty for no capture at all.

    origins: what TensorBoard is called behind proxies. host: what it listens as.
    """

    allow: str = LOOPBACK
    origins: tuple[str, ...] = ()
    host: str = ""


class Capturing:
    """The captures of one site. Constructing it does nothing."""

    def __init__(self, logdir: Logdir, rules: CaptureRules) -> None:
        self._logdir = logdir
        self._rules = rules
        self._guard = Guard(rules.origins, rules.host)
        self._checks = threading.BoundedSemaphore(CHECKS_AT_A_TIME)
        self._jobs = Jobs(self._named)

    def options(self, request: Request) -> Response:
        self._guard.addressed(request)
        Query(request).end(())
        from ..capture import PRESETS, RANGES, Options

        why = self._why_not()
        roots = [{"name": root.name, "path": root.path, "why": _not_written(root)} for root in self._logdir.roots]
        body = {
            "schema": SCHEMA,
            "enabled": not why,
            "why": why,
            "allowed": self._rules.allow,
            "flag": ALLOW_FLAG,
            "roots": roots,
            "defaults": Options().as_dict(),
            "ranges": RANGES,
            "presets": [
                {"name": each.name, "title": each.title, "help": each.help, "options": each.options.as_dict()}
                for each in PRESETS
            ],
            "job": self._jobs.running(),
        }
        return respond_json(request, json.dumps(body, default=dict))

    def check(self, request: Request) -> Response:
        given, allowed = self._guard.body(request, ("addresses",)), self._allowed()
        try:
            addresses = _addresses(given)
        except ArgumentError as error:
            # What was asked was whether it is one: while a person types, it is none yet.
            return respond_json(request, json.dumps({"schema": SCHEMA, "hosts": [], "problem": str(error)}))
        from ..capture import check

        with contextlib.ExitStack() as turn:
            if not self._checks.acquire(blocking=False):
                message = f"{CHECKS_AT_A_TIME} address checks are running, the maximum: retry in a second"
                return respond_error(request, "busy", message, HTTPStatus.SERVICE_UNAVAILABLE, Retry_After="1")
            turn.callback(self._checks.release)
            pool = turn.enter_context(ThreadPoolExecutor(min(len(addresses), CHECK_THREADS)))
            checks = list(pool.map(lambda address: check(address, allowed=allowed), addresses))
        hosts = [dataclasses.asdict(each) for each in checks]
        return respond_json(request, json.dumps({"schema": SCHEMA, "hosts": hosts, "problem": ""}))

    def start(self, request: Request) -> Response:
        given = self._guard.body(request, ("addresses", "options", "root"))
        addresses, allowed = _addresses(given), self._allowed()
        from ..capture import Options, run

        chosen = given.get("options", {})
        if not isinstance(chosen, dict):
            raise ArgumentError("options must be a JSON object")
        options, root = Options.from_mapping(chosen), self._root(given.get("root"))
        job = self._jobs.start(
            tuple(map(str, addresses)),
            lambda progress, cancel: run(
                addresses, root.path, options, progress=progress, cancel=cancel, allowed=allowed
            ),
        )
        return respond_json(request, json.dumps({"schema": SCHEMA, "job": job.id}))

    def state(self, request: Request) -> Response:
        self._guard.addressed(request)
        query = Query(request)
        job = query.single("job")
        query.end(("job",))
        return respond_json(request, json.dumps({"schema": SCHEMA, **self._jobs.state(job)}))

    def cancel(self, request: Request) -> Response:
        job = self._guard.body(request, ("job",)).get("job")
        if not isinstance(job, str):
            raise ArgumentError("job is missing or not a string")
        return respond_json(request, json.dumps({"schema": SCHEMA, **self._jobs.cancel(job)}))

    def _named(self, folder: str) -> str:
        run = self._logdir.run_at(folder)
        return run.name if run else ""

    def _allowed(self) -> Allowed:
        """What may be asked. Raises RefusedError where no capture is possible."""
        if why := self._why_not():
            raise RefusedError(why)
        from ..capture import Allowed

        return Allowed.parse(self._rules.allow)

    def _why_not(self) -> str:
        """Why no capture is possible here; empty where one is."""
        if not self._rules.allow.strip():
            return f"capturing is disabled: TensorBoard was started with an empty {ALLOW_FLAG}"
        if not self._logdir.roots:
            return "TensorBoard was started without a logdir, into which captures are written: start it with --logdir"
        reasons = [_not_written(root) for root in self._logdir.roots]
        if all(reasons):
            return f"captures are written into TensorBoard's logdir, which is not writable: {'; '.join(reasons)}"
        if importlib.util.find_spec("grpc") is None:
            return "the package grpcio is not installed: run `pip install grpcio`, then restart TensorBoard"
        return ""

    def _root(self, name: Any) -> Root:
        """The root of that name; without one the first that can be written. Raises NotFoundError, ArgumentError."""
        if name is None:
            return next(root for root in self._logdir.roots if not _not_written(root))
        if not isinstance(name, str):
            raise ArgumentError("root must be a string")
        root = next((root for root in self._logdir.roots if root.name == name), None)
        if root is None:
            names = ", ".join(repr(root.name) for root in self._logdir.roots)
            raise NotFoundError(f"the logdir has no root {name[:80]!r}; roots: {names}")
        if why := _not_written(root):
            raise ArgumentError(f"captures cannot be written there: {why}")
        return root


def rules_of(allow: str, origins: str, host: str = "") -> CaptureRules:
    """The rules in the flags' values. Raises ArgumentError for a value that nothing can be allowed by."""
    if allow != LOOPBACK:
        from ..capture import Allowed

        Allowed.parse(allow)
    return CaptureRules(allow.strip(), tuple(part.strip() for part in origins.split(",") if part.strip()), host)


def _addresses(given: dict[str, Any]) -> tuple[Address, ...]:
    from ..capture import addresses

    texts = given.get("addresses")
    if isinstance(texts, str) or (isinstance(texts, list) and all(isinstance(each, str) for each in texts)):
        return addresses(texts)
    raise ArgumentError("addresses is missing, or neither a string nor a list of strings")


def _not_written(root: Root) -> str:
    """Why nothing can be written into a root of the logdir; empty where it can, as far as is known before."""
    path = root.path
    if "://" in path:
        return f"{path} is not a local folder"
    while path and not os.path.lexists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    if not os.path.isdir(path):
        return f"{path} is not a folder"
    return "" if os.access(path, os.W_OK | os.X_OK) else f"{path} is not writable by the user who runs TensorBoard"


def refused(request: Request, error: RefusedError | BusyError) -> Response:
    """What the guard refused, with its own status; a capture that is in the way, 409."""
    if isinstance(error, BusyError):
        return respond_error(request, "busy", str(error), HTTPStatus.CONFLICT)
    return respond_error(request, "forbidden", str(error), error.status)
