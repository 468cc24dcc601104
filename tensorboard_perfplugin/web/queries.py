"""`sql`: a query that the page sends → rows, where the operator allows it; `sql/schema`: what may be asked of.

All that reach the page can make this machine work for as long as a query may take, so queries are off by default.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from werkzeug.wrappers import Request, Response

from ..errors import ArgumentError
from ..logdir import Logdir
from .guard import Guard
from .jobs import BusyError
from .respond import Query, respond_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..answers.library import Library
    from ..tables import Column

SQL_FLAG = "--perfplugin_sql"
#: Of one query, and how many run at a time.
SECONDS, ROWS, MEMORY_BYTES, AT_A_TIME = 30.0, 10_000, 2 << 30, 2
#: Runs that one query may be about.
MAX_RUNS = 64


class Queries:
    """Queries of the page. allowed: whether the operator allows them."""

    def __init__(self, logdir: Logdir, guard: Guard, allowed: bool, library: Callable[[], Library]) -> None:
        self._logdir, self._guard, self._allowed, self._library = logdir, guard, allowed, library
        self._running = threading.BoundedSemaphore(AT_A_TIME)

    def schema(self, request: Request) -> Response:
        """The tables with their columns, views, and examples; whether queries are answered, and why not."""
        Query(request).end(())
        from ..relations import EXAMPLES, VIEWS, names, shape_of

        shapes = ((name, shape_of(name)) for name in names())
        views = [
            {
                "name": view.name,
                "help": view.help,
                "query": view.query,
                "reads": view.reads,
                "columns": _described(view.columns()),
            }
            for view in VIEWS
        ]
        body = {
            "schema": 1,
            "why_not": self._why_not(),
            "tables": [
                {"name": name, "help": shape.help, "columns": _described(shape.columns)} for name, shape in shapes
            ],
            "views": views,
            "examples": [example._asdict() for example in EXAMPLES],
            "limits": {"seconds": SECONDS, "rows": ROWS, "memory_bytes": MEMORY_BYTES},
        }
        return respond_json(request, json.dumps(body))

    def answer(self, request: Request) -> Response:
        """The rows of a query over some runs."""
        given = self._guard.body(request, ("query", "runs", "hosts"))
        if why := self._why_not():
            raise ArgumentError(why)
        query, runs, hosts = _texts(given)
        if not self._running.acquire(blocking=False):
            raise BusyError(f"{AT_A_TIME} queries run already: wait for them")
        try:
            return respond_json(request, self._answered(query, runs, hosts))
        finally:
            self._running.release()

    def _answered(self, query: str, runs: list[str], hosts: tuple[str, ...]) -> str:
        from ..answers.encode import to_json
        from ..relations import Limits, Relations, Source, answered

        sources = [Source(self._logdir.run(run), hosts, {}) for run in runs]
        for source in sources:
            for host in hosts:
                source.run.file(host)
        relations = Relations(self._library(), sources)
        found = answered(relations, query, Limits(MEMORY_BYTES, ROWS, SECONDS))
        rows = found.rows
        body = {
            "schema": 1,
            "columns": [{"name": c.name, "dtype": c.dtype, "unit": c.unit, "title": c.title} for c in rows.columns],
            "cells": [list(rows[column.name]) for column in rows.columns],
            "is_cut": found.is_cut,
            "left_out": [{"host": host, "why": why} for host, why in relations.left_out.items()],
        }
        return to_json(body)

    def _why_not(self) -> str:
        """A sentence, empty where queries are answered."""
        if not self._allowed:
            return f"queries are off: start TensorBoard with {SQL_FLAG} to allow them to all that reach this page"
        from ..relations import imported

        try:
            imported()
        except ArgumentError as error:
            return str(error)
        return ""


def _described(columns: Iterable[Column]) -> list[dict[str, str]]:
    return [{"name": column.name, "unit": column.unit, "help": column.help} for column in columns]


def _texts(given: dict[str, Any]) -> tuple[str, list[str], tuple[str, ...]]:
    """The query, the runs, the hosts. Raises ArgumentError."""
    query, runs, hosts = given.get("query"), given.get("runs"), given.get("hosts", [])
    if not isinstance(query, str) or not query.strip():
        raise ArgumentError("query must be a text with one statement")
    for name, texts in (("runs", runs), ("hosts", hosts)):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ArgumentError(f"{name} must be a list of names")
    if not runs or len(runs) > MAX_RUNS:
        raise ArgumentError(f"runs has {len(runs or [])} names; 1 to {MAX_RUNS} are possible")
    return query, list(dict.fromkeys(runs)), tuple(hosts or ())
