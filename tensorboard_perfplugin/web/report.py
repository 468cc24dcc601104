"""A run → one HTML file: the pages of the browser over the answers that they ask for at first, with no server.

The file holds the modules of `static` and each answer as the routes give it, packed, in base64: no name of a capture
is markup or script there. Its script, `frontend/src/report.ts`, answers what the pages ask. A policy within the file
allows no request at all.
"""

from __future__ import annotations

import base64
import functools
import gzip
import html
import json
import os
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote, urlencode

from werkzeug.wrappers import Request, Response

from ..errors import NotFoundError, PerfpluginError
from .respond import problem_of

#: Names and values, as an address has them.
Query: TypeAlias = Sequence[tuple[str, str]]
#: A route and a request → the response. Raises PerfpluginError.
Ask: TypeAlias = Callable[[str, Request], Response]

#: Widths of the trace's window that are tried, in pixels, and what it may take, packed; the last is held anyway.
TRACE_WIDTHS = (8192, 4096, 2048, 1024)
TRACE_BYTES = 750_000
#: Hosts whose trace is held: of more not all stay in memory, and each question reads them anew.
TRACE_HOSTS = 16
#: Of more events the trace has no derived tracks, and pages only their first answers: of 4.5 million these take 3 s and
#: 680 MB, and 2 s for each choice of the overview; the rest of a report takes 9 s.
LARGE_EVENTS = 1_000_000
#: Up to so many events the trace is also held in pieces of so many, each of which is in two of them: where the whole
#: draws events together, these show each.
PIECES_EVENTS, PIECE_EVENTS = 60_000, 2_000
#: Switches of pages whose other choices are held, each alone, and what these may take together, in the file.
SWITCHES = {
    "overview": ("split_of",),
    "op_stats": ("side", "idle"),
    "memory_profile": ("moment",),
    "op_profile": ("by", "idle"),
    "hlo_stats": ("side",),
    "graph_viewer": ("fusions",),
}
CHOICES_BYTES = 400_000
#: Of memory in use, as its page asks in a window that is 1440 wide.
PIXELS = "1400"
#: Characters that name tracks, and questions for lists of tracks: of more than these the report has none.
TRACKS_CHARS = 3500
MAX_LISTS = 8
#: Level 9 takes four times as long and saves a hundredth.
GZIP_LEVEL = 6

#: Nothing is fetched; modules come from what the file holds.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
ONE_RUN = "this report is of one run"
#: Kind, message and status, as `frontend/src/report.ts` has them of what is not held.
NO_TRACE = ("not_held", f"A report of more than {TRACE_HOSTS} hosts has no trace: choose some of them.", 404)


class Report(NamedTuple):
    """A file that is about to be written. name: for it, of letters, digits, dots, dashes and underscores."""

    name: str
    text: str
    warnings: tuple[str, ...] = ()
    content_type: str = "text/html; charset=utf-8"

    def chunks(self) -> Iterator[bytes]:
        """The bytes in pieces."""
        yield self.text.encode()

    def gzipped(self) -> Iterator[bytes]:
        yield gzip.compress(self.text.encode(), 1, mtime=0)

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write a file, which appears when it is complete; its size in bytes. Raises OSError."""
        from ..answers.export import written

        return written(path, self.chunks())


class Cell(NamedTuple):
    """A page as a cell of a notebook shows it, in a frame that reaches nothing around it. height: in pixels."""

    text: str
    height: int

    def _repr_html_(self) -> str:
        held = html.escape(self.text)
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884"
        return f'<iframe sandbox="allow-scripts allow-downloads" style="{style}" srcdoc="{held}"></iframe>'


class Subject(NamedTuple):
    """What a report is of. hosts: those chosen, all when none is. of: the chosen range: `steps`, `time`. base: the name
    of the run that it is compared with, or empty. pages: only these, by the names of their tools; all when empty.
    """

    run: str
    hosts: Sequence[str] = ()
    of: Mapping[str, str] = {}
    base: str = ""
    pages: Sequence[str] = ()

    @property
    def selected(self) -> list[tuple[str, str]]:
        return [("run", self.run), *(("host", host) for host in self.hosts)]

    @property
    def range(self) -> list[tuple[str, str]]:
        return [(name, text) for name, text in self.of.items() if text]


def report(ask: Ask, subject: Subject, static: str) -> Report:
    """Raises what the first page's answer raises, and NotFoundError where no page has anything to show."""
    answers = Answers(ask)
    first = answers.of_run(subject)
    tool = "compare" if subject.base else str(first["tool"])
    return Report(file_name(subject), _page(subject, answers.held, first, tool, static))


def file_name(subject: Subject) -> str:
    """Of the report, by its run."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", f"report_{subject.run}")[:100] + ".html"


class Answers:
    """Questions of the pages with their answers, as the report's script reads them: `held`."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.held: list[dict[str, Any]] = []
        self._codes: dict[str, None] = {}

    def of_run(self, subject: Subject) -> Any:
        """What all pages of a run ask at first. Gives the answer of the first page, as JSON."""
        self._add("runs", ())
        self._add("tools", ())
        runs = json.loads(self._get("runs", ()))["runs"]
        hosts = len(subject.hosts) or next(len(run["hosts"]) for run in runs if run["name"] == subject.run)
        reasons = self._missing(subject)
        there = [name for name, why in reasons.items() if why is None]
        if not there:
            raise NotFoundError(f"nothing to report of {subject.run}: {next(iter(reasons.values()))}")
        # What is wrong with the question is wrong with all of them.
        first = json.loads(self._get("data", [*subject.selected, ("tool", there[0]), *subject.range]))
        for name in there:
            if name == "trace_viewer" and hosts > TRACE_HOSTS:
                query = [*subject.selected, ("tool", name), *subject.range, ("format", "columns")]
                self._refuse("data", query, *NO_TRACE)
            elif name == "trace_viewer":
                self._trace(subject)
                if subject.base:
                    # Beside the other's, of which the page of both shows the two.
                    self._trace(subject._replace(run=subject.base))
            else:
                self._add("data", [*subject.selected, ("tool", name), *subject.range, *_more(subject, name)])
        if first["quality"]["events_kept"] <= LARGE_EVENTS and hosts <= TRACE_HOSTS:
            self._choices(subject, there)
        for code in list(self._codes):
            self._add("finding", [("code", code)])
        return first

    def _choices(self, subject: Subject, names: Sequence[str]) -> None:
        """What switches of the pages ask, as far as that fits."""
        from ..tools import find_tool

        left = CHOICES_BYTES
        switches = [(name, o) for name in names for o in find_tool(name).options if o.name in SWITCHES.get(name, ())]
        for name, option in switches:
            query = [*subject.selected, ("tool", name), *subject.range, *_more(subject, name)]
            for choice in ("true",) if option.kind == "flag" else option.choices:
                if choice != option.default and left > 0:
                    self._add("data", [*query, (option.name, choice)])
                    left -= len(self.held[-1]["body"])

    def _get(self, route: str, query: Query) -> bytes:
        return self._ask(route, _request(route, query)).get_data()

    def _add(self, route: str, query: Query) -> None:
        """A question whose answer may be an error, which its page then shows."""
        try:
            response = self._ask(route, _request(route, query))
        except PerfpluginError as error:
            kind, status = problem_of(error)
            return self._refuse(route, query, kind, str(error), status)
        body = response.get_data()
        if route == "data" and response.mimetype == "application/json":
            self._codes |= {finding["code"]: None for finding in json.loads(body)["findings"]}
        return self._hold(route, query, body, response.content_type or "")

    def _refuse(self, route: str, query: Query, kind: str, message: str, status: int) -> None:
        body = json.dumps({"error": {"kind": kind, "message": message}}).encode()
        self._hold(route, query, body, "application/json", status)

    def _hold(self, route: str, query: Query, body: bytes, form: str, status: int = 200, resolution: int = 0) -> None:
        held = {"route": route, "query": list(query), "status": status, "type": form, "body": _packed(body)}
        self.held.append({**held, "resolution": resolution} if resolution else held)

    def _missing(self, subject: Subject) -> dict[str, str | None]:
        """By tool why it has nothing to show."""
        from ..tools import OF_TWO

        query = [*subject.selected, ("only", "missing")]
        body = json.loads(self._get("tools", query))
        for tool in body["tools"]:
            if tool["name"] in OF_TWO:
                tool["missing"] = None if subject.base else ONE_RUN
            if subject.pages and tool["name"] not in subject.pages:
                tool["missing"] = f"only {', '.join(subject.pages)} is shown here: a report has all pages"
        self._hold("tools", query, json.dumps(body).encode(), "application/json")
        return {tool["name"]: tool["missing"] for tool in body["tools"]}

    def _trace(self, subject: Subject) -> None:
        """The whole of it as fine as fits, its steps and tracks, and its derived tracks."""
        of_trace = [*subject.selected, ("tool", "trace_viewer")]
        try:
            first = self._window([*of_trace, *subject.range])
        except PerfpluginError:
            return self._add("data", [*of_trace, *subject.range, ("width", "1"), ("format", "columns")])
        summary = first["summary"]
        axis = _axis(first)
        self._add("data", [*of_trace, ("list_steps", "true"), *axis])
        own = set(self._tracks([*of_trace, *axis]))
        if not summary["event_count"] or summary["event_count"] > LARGE_EVENTS:
            self._tracks([*of_trace, *axis], [("derived", "true")])
            return None
        every = self._tracks([*of_trace, ("derived", "true"), *axis])
        tracks, derived = _ranges(every), _ranges([track for track in every if track not in own])
        span = summary["span_start_ps"], summary["span_end_ps"]
        if derived and len(derived) <= TRACKS_CHARS:
            self._window([*of_trace, *_between(*span), ("tracks", derived), *axis])
        if summary["event_count"] <= PIECES_EVENTS and len(tracks) <= TRACKS_CHARS:
            self._pieces([*of_trace, ("tracks", tracks), *axis], *span, -(-summary["event_count"] // PIECE_EVENTS))
        return None

    def _pieces(self, query: Query, start_ps: int, end_ps: int, count: int) -> None:
        """The whole in so many steps, each with the next, so that a closer look is within one of them; if they fit."""
        before = len(self.held)
        step = -(-(end_ps - start_ps) // max(count, 2))
        for begin in range(start_ps, end_ps - step, step):
            self._window([*query, *_between(begin, min(begin + 2 * step, end_ps))])
        if sum(len(held["body"]) for held in self.held[before:]) > TRACE_BYTES:
            del self.held[before:]

    def _tracks(self, query: Query, held_as: Query = ()) -> list[tuple[str, int]]:
        """The list of tracks by host and row, in as many answers as that takes, which are held.

        held_as: what the page asks besides, and gets the same list for.
        """
        tracks: list[tuple[str, int]] = []
        for _ in range(MAX_LISTS):
            asked = [*query, ("tracks_from", str(len(tracks)))]
            body = self._get("data", asked)
            self._hold("data", [*asked, *held_as], body, "application/json")
            answer = json.loads(body)
            columns, summary = answer["tables"]["tracks"]["columns"], answer["summary"]
            tracks += zip(columns["host"], columns["track"], strict=True)
            count = summary["track_count"] + (summary["derived_track_count"] or 0)
            if not columns["host"] or len(tracks) >= count:
                break
        return tracks

    def _window(self, query: Query) -> Any:
        """The finest window that fits, which is held; its answer without the arrays."""
        for width in TRACE_WIDTHS:
            asked = [*query, ("width", str(width)), ("format", "columns")]
            body = self._get("data", asked)
            packed = gzip.compress(body, GZIP_LEVEL, mtime=0)
            if len(packed) <= TRACE_BYTES:
                break
        head = _head(body)
        # Where no event is drawn together with another it is as fine as any.
        fine = head["summary"]["resolution_ps"] if head["summary"]["merged_count"] else 1
        self._hold("data", asked, body, "application/octet-stream", resolution=fine)
        return head


def _request(route: str, query: Query) -> Request:
    from werkzeug.test import EnvironBuilder

    return Request(EnvironBuilder(path=f"/{route}", query_string=urlencode(query)).get_environ())


def _more(subject: Subject, tool: str) -> list[tuple[str, str]]:
    """What the page of a tool asks beside the options of an address."""
    if tool == "memory_profile":
        return [("pixels", PIXELS)]
    return [("base", subject.base)] if tool == "compare" else []


def _head(columns: bytes) -> Any:
    """The JSON of an answer with arrays, which stand in it as their places."""
    (length,) = struct.unpack_from("<I", columns, 4)
    return json.loads(columns[8 : 8 + length])


def _between(start_ps: int, end_ps: int) -> list[tuple[str, str]]:
    return [("start_ps", str(start_ps)), ("end_ps", str(end_ps))]


def _axis(answer: Any) -> list[tuple[str, str]]:
    """What is asked beside each question for several hosts, so that they share an axis."""
    summary = answer["summary"]
    if len(answer["hosts"]) < 2 or summary["origin_ns"] is None:
        return []
    shifts = summary["shifts"]
    return [("origin_ns", str(summary["origin_ns"])), *([("shifts", str(shifts))] if shifts else [])]


def _ranges(tracks: Iterable[tuple[str, int]]) -> str:
    """As the option `tracks` names them: `host:1.2.5,other:7`."""
    by_host: dict[str, list[str]] = {}
    for host, row in tracks:
        by_host.setdefault(_encoded(host), []).append(str(row))
    return ",".join(f"{host}:{'.'.join(rows)}" for host, rows in by_host.items())


def _packed(body: bytes) -> str:
    return base64.b64encode(gzip.compress(body, GZIP_LEVEL, mtime=0)).decode()


@functools.lru_cache(maxsize=2)
def _modules(static: str) -> str:
    """All modules of the pages by name, each importing the others by their names: there are no addresses."""
    names = {name for name in os.listdir(static) if name.endswith(".js") and name != "report.js"}
    texts = {name: _read(static, name) for name in sorted(names)}
    for name, text in texts.items():
        texts[name] = re.sub(
            r'"\./([\w-]+\.js)"', lambda match: f'"{match[1]}"' if match[1] in names else match[0], text
        )
    return _packed(json.dumps(texts).encode())


def _read(static: str, name: str) -> str:
    with open(os.path.join(static, name), encoding="utf-8") as file:
        return file.read()


def _page(subject: Subject, held: Sequence[dict[str, Any]], first: Any, tool: str, static: str) -> str:
    data = {"modules": _modules(static), "entry": "index.js", "answers": held, "hash": _hash(subject, tool)}
    # Within a script only `<` could end it.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            f"<title>{html.escape(subject.run)} · perfplugin</title>",
            f"<style>{_read(static, 'style.css')}</style></head><body>",
            *_in_words(subject, first),
            f'<script type="application/json" id="report">{text}</script>',
            f"<script>{_read(static, 'report.js')}</script></body></html>",
            "",
        ]
    )


def _in_words(subject: Subject, first: Any) -> Iterator[str]:
    """What is seen where no script runs."""
    yield f"<main><h1>{html.escape(subject.run)}</h1><ul>"
    for finding in first["findings"]:
        yield f"<li><b>{html.escape(finding['title'])}</b> {html.escape(finding['action'])}</li>"
    yield "</ul><p>The pages of this report need a browser of 2023 or later that lets its script run.</p></main>"


def _hash(subject: Subject, tool: str) -> str:
    """The address that is opened at first, as `frontend/src/address.ts` writes it."""
    hosts = ",".join(map(_encoded, subject.hosts))
    base = re.sub("[%,]", lambda match: _encoded(match[0]), subject.base)
    state = [("run", subject.run), ("host", hosts), ("tool", tool), ("base", base), *subject.range]
    parts = (f"p.perfplugin.{name}={_encoded(text)}" for name, text in state if text)
    return "#" + "&".join(["perfplugin", *parts])


def _encoded(text: str) -> str:
    """As JavaScript's `encodeURIComponent`."""
    return quote(text, safe="!*'()")
