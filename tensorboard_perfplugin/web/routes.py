"""The routes. Each is one method: parse the query, call, respond. `http_api.md` shows each with a sample body."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import math
import os
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from werkzeug.wrappers import Request, Response

from ..errors import ArgumentError, PerfpluginError
from ..logdir import CaptureFile, Logdir, Run, kind_of, missing_workers, own_name
from ..work import StoppedError
from . import respond as documentation
from .capture import CaptureRules, Capturing, refused
from .guard import HOSTS_FLAG, Guard, RefusedError
from .jobs import BusyError
from .progress import Progress, followed_by_client
from .queries import Queries
from .report import Report, Subject, file_name, report
from .respond import (
    Query,
    respond,
    respond_csv,
    respond_download,
    respond_error,
    respond_file,
    respond_gzip,
    respond_json,
    respond_problem,
)

if TYPE_CHECKING:
    from ..answers.library import Library, Side
    from ..answers.table_of_runs import RunRows
    from ..tools import Answer, Tool

log = logging.getLogger("tensorboard.perfplugin")

STATIC = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "static")
SCHEMA = 1
#: A logdir of some thousand folders is known by then; a larger one fills the list while the page is already there.
RUNS_WAIT_S = 0.25
#: A page without runs asks again and again; looking at 10,000 folders takes a second each time.
DIAGNOSIS_TTL_S = 10.0
#: What `data` answers in.
FORMATS = ("json", "csv", "columns")
ROW_FORMATS = ("json", "csv")
#: Each holds a capture for as long as its reader takes.
EXPORTS_AT_A_TIME = 4
#: Names of runs that a page may want before others: a screen of them.
MAX_FIRST = 200
#: Runs a side of a comparison.
MAX_BASES = 64
WsgiApp = Callable[[Any, Any], Iterable[bytes]]


class TooManyError(Exception):
    """As many exports run as may."""


class Site:
    """Everything that the browser may ask of one logdir. Constructing it does nothing."""

    def __init__(
        self,
        logdir: Logdir,
        static: str = STATIC,
        rules: CaptureRules | None = None,
        cluster: str = "",
        max_bytes: int | None = None,
        hosts: Collection[str] = (),
        sql: bool = False,
        library: Library | None = None,
    ) -> None:
        """cluster: what reads hosts where there are many: the address of a Dask scheduler. max_bytes: of captures that
        stay open, None for the default. hosts: names that requests may be addressed to, beside those of this machine;
        any where there is none. sql: whether queries are answered. library: what answers, None for one of its own."""
        self._logdir = logdir
        rules = rules or CaptureRules()
        self._capturing = Capturing(logdir, rules)
        self._progress = Progress(Guard(rules.origins, rules.host))
        self._queries = Queries(logdir, Guard(rules.origins, rules.host), sql, self._library)
        self._hosts = Guard(hosts, rules.host) if hosts else None
        self._static, self._cluster, self._max_bytes = static, cluster, max_bytes
        self._lock = threading.Lock()
        self._diagnosing = threading.Lock()
        self._exports = threading.BoundedSemaphore(EXPORTS_AT_A_TIME)
        self._made = library
        self._rows: RunRows | None = None
        #: Requests that are being answered.
        self._answering = 0
        self._diagnosed: tuple[float, list[dict[str, Any]]] = (-math.inf, [])

    def _library(self) -> Library:
        """One for all requests, made by the first that needs it."""
        from ..answers.disk import Disk
        from ..answers.library import Library
        from ..answers.many import hosts_of

        with self._lock:
            if self._made is None:
                hosts = hosts_of(self._cluster, ahead=True)
                self._made = Library(self._max_bytes, disk=Disk(), ahead=True, hosts=hosts)
            return self._made

    def _run_rows(self) -> RunRows:
        """One for all requests, made by the first that needs it. It reads no run while one is asked for elsewhere."""
        from ..answers.disk import Disk
        from ..answers.table_of_runs import RunRows

        with self._lock:
            self._rows = self._rows or RunRows(Disk(), busy=lambda: self._answering > 0)
            return self._rows

    def apps(self) -> dict[str, WsgiApp]:
        """Route → WSGI application, as TensorBoard wants it."""
        return {route: self._app(handler, route in POSTED) for route, handler in ROUTES.items()}

    def _app(self, handler: Callable[[Site, Request], Response], acts: bool) -> WsgiApp:
        def app(environ: Any, start_response: Any) -> Iterable[bytes]:
            return self.handle(handler, Request(environ), acts)(environ, start_response)

        return app

    def handle(self, handler: Callable[[Site, Request], Response], request: Request, acts: bool = False) -> Response:
        """The handler's response, or its error as JSON. What was not expected is logged, and not shown.

        acts: it makes something happen, so it is not asked by GET.
        """
        methods = ("POST",) if acts else ("GET", "HEAD")
        if request.method not in methods:
            message = f"allowed methods: {', '.join(methods)}"
            return respond_error(request, "bad_argument", message, 405, Allow=", ".join(methods))
        try:
            if self._hosts:
                self._hosts.addressed(request, HOSTS_FLAG)
            with self._counted(), followed_by_client(request):
                return handler(self, request)
        except (RefusedError, BusyError) as error:
            return refused(request, error)
        except StoppedError:
            return respond_error(request, "cancelled", "cancelled by the page that asked", HTTPStatus.CONFLICT)
        except TooManyError as error:
            return respond_error(request, "busy", str(error), HTTPStatus.SERVICE_UNAVAILABLE, Retry_After="10")
        except PerfpluginError as error:
            return respond_problem(request, error)
        except ImportError as error:
            log.exception("%r cannot be answered", request.path)
            return respond_error(request, "internal", _broken(error), 500)
        except Exception as error:
            log.exception("%r failed", request.path)
            message = f"{type(error).__name__} while answering {request.path}: details are in TensorBoard's log"
            return respond_error(request, "internal", message, 500)

    def runs(self, request: Request) -> Response:
        Query(request).end(())
        snapshot = self._logdir.snapshot(wait_s=RUNS_WAIT_S)
        body: dict[str, Any] = {
            "schema": SCHEMA,
            "scanning": snapshot.scanning,
            "folders": snapshot.folders,
            "roots": [{"name": root.name, "path": root.path} for root in snapshot.roots],
            "notes": list(snapshot.notes),
            "runs": [_run(run) for run in snapshot.runs],
        }
        if snapshot.scanned and not snapshot.runs:
            body["diagnosis"] = self._recent_diagnosis()
        return respond_json(request, json.dumps(body))

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        with self._lock:
            self._answering += 1
        try:
            yield
        finally:
            with self._lock:
                self._answering -= 1

    def runs_table(self, request: Request) -> Response:
        query = Query(request)
        after, baseline, first = query.single("after", "0"), query.single("baseline", ""), query.many("first")
        form = query.single("format", "json")
        query.end(("after", "baseline", "first", "format"))
        if form not in ROW_FORMATS:
            raise ArgumentError.with_choices(f"format={form[:80]!r}", ROW_FORMATS)
        if not re.fullmatch("[0-9]{1,18}", after, re.ASCII):
            raise ArgumentError(f"after={after[:80]!r} is no whole number: give the `serial` of an answer, or 0")
        if len(first) > MAX_FIRST:
            raise ArgumentError(f"first is given {len(first)} times; the maximum is {MAX_FIRST}")
        from ..answers.encode import columns_to_csv, to_json
        from ..answers.table_of_runs import RUNS

        seen = self._run_rows().look(self._logdir.snapshot().runs, first, baseline, int(after))
        if form == "csv":
            return respond_csv(request, columns_to_csv(RUNS, seen.columns), ("runs",))
        counts = {"runs": seen.runs, "read": seen.read, "failed": seen.failed, "working": seen.working}
        body: dict[str, Any] = {"schema": SCHEMA, "serial": seen.serial, **counts}
        if after == "0":
            body["table"] = _plain(RUNS)
        return respond_json(request, to_json({**body, "columns": seen.columns}))

    def tools(self, request: Request) -> Response:
        query = Query(request)
        run, hosts = query.single("run", ""), query.many("host")
        only = query.single("only", "")
        query.end(("run", "host", "only"))
        if only not in ("", "missing"):
            raise ArgumentError.with_choices(f"only={only[:80]!r}", ("missing",))
        from ..answers.encode import to_json
        from ..tools import listed

        missing = self._library().missing(self._logdir.run(run), hosts) if run else {}
        unpaired = self._unpaired(self._logdir.run(run)) if run else None
        reasons = [(tool, unpaired if tool.sided else missing.get(tool.name)) for tool in listed()]
        declared = _missing if only else _declared
        tools = [declared(tool, reason) for tool, reason in reasons]
        return respond_json(request, to_json({"schema": SCHEMA, "tools": tools}))

    def _unpaired(self, run: Run) -> str | None:
        """Why a run cannot be compared with another, or None."""
        if all(file.format.capabilities.is_moment for file in run.every_file):
            return "a device memory profile has no timeline"
        known = self._logdir.snapshot()
        is_alone = known.scanned and len(known.runs) == 1
        return "the logdir holds one run, and a comparison needs two: capture the program again" if is_alone else None

    def data(self, request: Request) -> Response:
        query = Query(request)
        run, tool_name, hosts = query.single("run"), query.single("tool"), query.many("host")
        form, table = query.single("format", "json"), query.single("table", "")
        if form not in FORMATS:
            raise ArgumentError.with_choices(f"format={form[:80]!r}", FORMATS)
        if table and form != "csv":
            raise ArgumentError("table requires format=csv")
        from ..answers.encode import table_of, to_columns, to_csv, to_json
        from ..tools import find_tool

        tool = find_tool(tool_name)
        with self._progress.tracking(request):
            if tool.sided:
                answer = self._compared(tool, self._logdir.run(run), hosts, query)
            else:
                answer = self._library().answer(tool, self._logdir.run(run), hosts, query.rest())
        if form == "json":
            return respond_json(request, to_json(answer.to_dict()))
        if form == "columns":
            return respond(request, to_columns(answer), "application/octet-stream")
        name = table_of(answer, table).name
        return respond_csv(request, to_csv(answer, name), (answer.tool.name, name, answer.run))

    def _compared(self, tool: Tool, run: Run, hosts: Sequence[str], query: Query) -> Answer:
        """Of a run and its repeats, to one or several that are repeats of one program; each of the hosts named."""
        bases, repeats = (list(dict.fromkeys(query.many(name))) for name in ("base", "repeat"))
        if not any(bases):
            raise ArgumentError("base is missing: choose a run to compare with")
        for name, given in (("base", bases), ("repeat", repeats)):
            if len(given) > MAX_BASES:
                raise ArgumentError(f"{name} is given {len(given)} times; the maximum is {MAX_BASES}")
        from ..answers.ranges import NAMES, ranges_of_sides

        ranges = ranges_of_sides(
            {side + name: query.single(side + name, "") for side in ("", "base_") for name in NAMES}
        )
        news = (run, *(self._logdir.run(each) for each in repeats if each != run.name))
        base, new = (
            [_side(each, hosts).within(of) for each in runs]
            for runs, of in zip((map(self._logdir.run, bases), news), ranges, strict=True)
        )
        return self._library().compared(tool, base, new, query.rest(), f"{base[0].name} → {new[0].name}")

    def progress(self, request: Request) -> Response:
        return self._progress.state(request)

    def progress_cancel(self, request: Request) -> Response:
        return self._progress.cancel(request)

    def trace(self, request: Request) -> Response:
        query = Query(request)
        run, hosts = self._logdir.run(query.single("run")), query.many("host")
        from ..answers.export import export

        with self._turn() as turn:
            made = export(self._library(), run, hosts, query.rest())
            if request.method == "HEAD":
                return respond_gzip((), made.name)
            # The turn ends when the last byte was sent, or the client left.
            return respond_gzip(made.gzipped(), made.name, turn.pop_all().close)

    def program(self, request: Request) -> Response:
        query = Query(request)
        run, hosts = self._logdir.run(query.single("run")), query.many("host")
        from ..answers.export import program_file

        with self._turn() as turn:
            made = program_file(self._library(), run, hosts, query.rest())
            ends = bool if request.method == "HEAD" else turn.pop_all().close
            return respond_download(request, made, ends)

    def report(self, request: Request) -> Response:
        query = Query(request)
        run, hosts = self._logdir.run(query.single("run")), query.many("host")
        of = {name: query.single(name, "") for name in ("steps", "time")}
        query.end(("run", "host", *of))
        subject = Subject(run.name, hosts, of)
        if request.method == "HEAD":
            return respond_download(request, Report(file_name(subject), ""), bool)
        with self._turn():
            made = reported((run,), subject, self._library(), self._static)
        return respond_download(request, made, bool)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[contextlib.ExitStack]:
        """One of the exports at a time. Raises TooManyError."""
        with contextlib.ExitStack() as turn:
            if not self._exports.acquire(blocking=False):
                raise TooManyError(f"{EXPORTS_AT_A_TIME} exports are running, the maximum: retry when one has ended")
            turn.callback(self._exports.release)
            yield turn

    def doctor(self, request: Request) -> Response:
        Query(request).end(())
        return respond_json(request, json.dumps({"schema": SCHEMA, "diagnosis": self._diagnosis()}))

    def finding(self, request: Request) -> Response:
        query = Query(request)
        code = query.single("code")
        query.end(("code",))
        from ..answers.encode import to_json
        from ..tools import explained

        found = explained(code)
        limits = [limit._asdict() for limit in found.limits]
        body = {**found._asdict(), "limits": limits, "documentation": documentation.finding(found.code)}
        return respond_json(request, to_json({"schema": SCHEMA, **body}))

    def capture_options(self, request: Request) -> Response:
        return self._capturing.options(request)

    def capture_check(self, request: Request) -> Response:
        return self._capturing.check(request)

    def capture_start(self, request: Request) -> Response:
        return self._capturing.start(request)

    def capture_state(self, request: Request) -> Response:
        return self._capturing.state(request)

    def capture_cancel(self, request: Request) -> Response:
        return self._capturing.cancel(request)

    def sql(self, request: Request) -> Response:
        return self._queries.answer(request)

    def sql_schema(self, request: Request) -> Response:
        return self._queries.schema(request)

    def static(self, request: Request) -> Response:
        return respond_file(request, self._static, request.path.partition("/static/")[2])

    def _recent_diagnosis(self) -> list[dict[str, Any]]:
        with self._diagnosing:
            if time.monotonic() - self._diagnosed[0] > DIAGNOSIS_TTL_S:
                self._diagnosed = (time.monotonic(), self._diagnosis())
            return self._diagnosed[1]

    def _diagnosis(self) -> list[dict[str, Any]]:
        from ..doctor import diagnose

        return [dataclasses.asdict(each) for root in self._logdir.roots for each in diagnose(root.path)]


#: Route → handler. `*` matches everything below.
ROUTES: dict[str, Callable[[Site, Request], Response]] = {
    "/runs": Site.runs,
    "/runs_table": Site.runs_table,
    "/tools": Site.tools,
    "/data": Site.data,
    "/progress": Site.progress,
    "/progress/cancel": Site.progress_cancel,
    "/trace": Site.trace,
    "/program": Site.program,
    "/report": Site.report,
    "/doctor": Site.doctor,
    "/finding": Site.finding,
    "/capture/options": Site.capture_options,
    "/capture/check": Site.capture_check,
    "/capture/start": Site.capture_start,
    "/capture/state": Site.capture_state,
    "/capture/cancel": Site.capture_cancel,
    "/sql": Site.sql,
    "/sql/schema": Site.sql_schema,
    "/static/*": Site.static,
}
#: Those that make something happen.
POSTED = frozenset({"/sql", "/progress/cancel", "/capture/check", "/capture/start", "/capture/cancel"})


def reported(runs: tuple[Run, ...], subject: Subject, library: Library, static: str = STATIC) -> Report:
    """The report of one of some runs, which may be compared with another: what its pages ask the routes below.

    Raises ArgumentError, NotFoundError, UnreadableError.
    """
    site = Site(Logdir.of_runs(runs), static, library=library)
    return report(lambda route, request: ROUTES[f"/{route}"](site, request), subject, static)


def _side(run: Run, hosts: Sequence[str]) -> Side:
    from ..answers.library import Side, chosen

    return Side(run.name, chosen(run, hosts), missing_workers(run))


def _run(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "captured_ms": run.captured_ns // 10**6,
        "modified_ms": run.modified_ns // 10**6,
        "size_bytes": run.size_bytes,
        "kind": kind_of(run.files[0]),
        "hosts": [_host(file) for file in run.files],
    }


def _host(file: CaptureFile) -> dict[str, Any]:
    """A host with its first file; where it has several, each under the name that chooses it."""
    files = [
        {
            "name": own_name(each),
            "kind": kind_of(each),
            "format": each.format,
            "file": each.name,
            "size_bytes": each.size_bytes,
        }
        for each in (file.every if file.aside else ())
    ]
    size_bytes = sum(each.size_bytes for each in file.every)
    return {"name": file.host, "format": file.format, "size_bytes": size_bytes, "files": files}


def _missing(tool: Tool, reason: str | None) -> dict[str, Any]:
    """What of a declaration depends on the run: the rest is 140 kB that a page has already."""
    return {"name": tool.name, "missing": reason}


def _declared(tool: Tool, missing: str | None) -> dict[str, Any]:
    names = "name title question help aliases group summary tables views options in_range"
    plain = {name: _plain(getattr(tool, name)) for name in names.split()}
    return {**plain, "missing": missing, "documentation": documentation.columns_of(tool.name)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


def _broken(error: ImportError) -> str:
    module = (error.name or "").split(".")[0]
    package = {"google": "protobuf", "": "tensorboard-perfplugin"}.get(module, module.replace("_", "-"))
    # Some name the file, with the folder it is installed in.
    reason = re.sub(r"[^\s()'\":]*[\\/]", "", str(error))
    remedy = f"run `pip install --force-reinstall {package}`, then restart TensorBoard"
    return f"a package that perfplugin needs cannot be imported ({reason}): {remedy}"
