"""SQL over the relations of runs, by DuckDB (the extra `[sql]`): it reads them, and nothing else.

A query is one statement that reads. DuckDB opens no file, no network, no extension and no other database, spills
nothing to disk, and a query cannot change that.
"""

from __future__ import annotations

import math
import re
import threading
import time
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ArgumentError
from ..patterns import regex
from ..tables import Column
from ..units import memory
from ..work import POLL_S, StoppedError, followed
from .of_run import Relations, is_own, names, shape_of
from .relation import Relation

if TYPE_CHECKING:
    import duckdb

#: Characters of a query.
_LONGEST = 100_000
#: What a query may be. What reads but makes types of its own on the way, PIVOT, is neither.
_READING = ("SELECT", "EXPLAIN")
_CONFIG: dict[str, Any] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    # Else a name that is no table would be looked for among Python's variables.
    "python_enable_replacements": False,
    "temp_directory": "",
}
#: DuckDB's type → a column's; what is none of these is a text.
_DTYPES = {
    "BOOLEAN": "bool",
    "TINYINT": "int64",
    "SMALLINT": "int64",
    "INTEGER": "int64",
    "BIGINT": "int64",
    "UTINYINT": "int64",
    "USMALLINT": "int64",
    "UINTEGER": "int64",
    "FLOAT": "float64",
    "DOUBLE": "float64",
    "DECIMAL": "float64",
    # Sums of whole numbers; beyond 2⁵³ the nearest, where one is beyond 64 bits.
    "HUGEINT": "int64",
    "UBIGINT": "int64",
}
_AT_A_TIME = 10_000
#: Characters of an error of DuckDB's, which may repeat the query.
_MOST_WORDS = 2000


#: What asks which tables there are.
_CATALOGUE = regex(r"\b(show|information_schema|pg_\w+|sqlite_\w+|duckdb_\w+|pragma_\w+)\b", re.IGNORECASE)


class Limits(NamedTuple):
    """memory_bytes: of DuckDB, beside the captures. rows: of the result, 0 for all. seconds: 0 for any time."""

    memory_bytes: int = 4 << 30
    rows: int = 0
    seconds: float = 0.0


class Answered(NamedTuple):
    """rows: what the query gives. is_cut: whether there are more rows than the limit."""

    rows: Relation
    is_cut: bool


def imported(what: str = "SQL") -> ModuleType:
    """DuckDB. what: needs it. Raises ArgumentError where it is not installed."""
    try:
        import duckdb
    except ImportError:
        raise ArgumentError(f"{what} needs DuckDB: pip install 'tensorboard-perfplugin[sql]', or duckdb") from None
    return duckdb


def answered(relations: Relations, text: str, limits: Limits) -> Answered:
    """What one reading statement gives. Raises ArgumentError for one that is wrong, or exceeds a limit; StoppedError
    where the client has gone; else as the relations it reads."""
    duckdb = imported()
    if len(text) > _LONGEST:
        raise ArgumentError(f"the query has {len(text):,} characters; the most is {_LONGEST:,}")
    with duckdb.connect(":memory:", config={**_CONFIG, "memory_limit": f"{limits.memory_bytes}B"}) as connection:
        watch = _Watch(connection, limits.seconds)
        try:
            _check(connection, text)
            _prepare(relations, connection, text)
            connection.execute("SET lock_configuration = true")
            with watch:
                return _fetched(connection, text, limits)
        except duckdb.Error as error:
            if watch.has_left:
                raise StoppedError from None
            raise relations.failed or _explained(error, limits) from None


def _check(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    statements = connection.extract_statements(text)
    kinds = [statement.type.name for statement in statements]
    if len(kinds) != 1:
        raise ArgumentError(f"{len(kinds)} statements: give one")
    if kinds[0] not in _READING:
        allowed = "SELECT, WITH, FROM, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN"
        raise ArgumentError(f"{kinds[0]}: a query only reads, so it begins with one of {allowed}")


def _prepare(relations: Relations, connection: duckdb.DuckDBPyConnection, text: str) -> None:
    """The relations that a query names get their rows. Where it asks what there is, or names what is not there, all are
    there by their columns: to import their declarations takes longer than most queries."""
    named = _named(connection, text)
    views = [view for view in VIEWS if view.name in named]
    named |= {used for view in views for used in view.reads}
    known = {name for name in named if is_own(name)}
    if _CATALOGUE.search(text) or named - known - {view.name for view in views}:
        known, views = set(names()), list(VIEWS)
    schemas = sorted({name.partition(".")[0] for name in known if "." in name})
    statements = [f'CREATE SCHEMA "{schema}"' for schema in schemas]
    for name in sorted(known):
        if name in named:
            connection.register(f"@{name}", relations[name])
            statements.append(f'CREATE VIEW {_quoted(name)} AS FROM "@{name}"')
        else:
            statements.append(_declared(name))
    connection.execute(";".join((*statements, *(f"CREATE VIEW {view.name} AS {view.query}" for view in views))))


def _named(connection: duckdb.DuckDBPyConnection, text: str) -> set[str]:
    """The relations and views that a query may read. DuckDB's own list of them fails for a join with USING; then it is
    all whose names are among the query's words."""
    try:
        return {_plain(name) for name in connection.get_table_names(text, qualified=True)}
    except imported().Error:
        words = re.findall(r"\w+(?:\.\w+)?", text.lower().replace('"', ""))
        return {name for word in words for name in (word, word.rpartition(".")[0])}


def _plain(name: str) -> str:
    """A table's name as a query has it → as the relation is called."""
    return name.partition(" AS ")[0].replace('"', "").lower()


def _quoted(name: str) -> str:
    return ".".join(f'"{part}"' for part in name.split("."))


_SQL_TYPES = {"text": "VARCHAR", "bool": "BOOLEAN", "float64": "DOUBLE", "int64": "BIGINT", "int32": "INTEGER"}


def _declared(name: str) -> str:
    columns = ", ".join(f'"{column.name}" {_SQL_TYPES[column.dtype]}' for column in shape_of(name).columns)
    return f"CREATE TABLE {_quoted(name)} ({columns})"


class View(NamedTuple):
    """A query with a name. reads: the relations that it reads. like: has all its columns, or those that are named."""

    name: str
    help: str
    query: str
    reads: tuple[str, ...]
    like: str
    named: tuple[str, ...] = ()

    def columns(self) -> tuple[Column, ...]:
        """In their order."""
        columns = {column.name: column for column in shape_of(self.like).columns}
        known = {**columns, "event": _EVENT}
        return tuple(known[name] for name in self.named) or tuple(columns.values())


_EVENT = next(column for column in shape_of("events").columns if column.name == "event")

_ON_TRACKS = "SELECT events.* FROM events JOIN tracks USING (run, host, track_id) WHERE tracks.kind = "
VIEWS = (
    View(
        "device_events",
        "The events of streams of devices: kernels, copies, instructions; what is derived from them is left out.",
        f"{_ON_TRACKS}'stream'",
        ("events", "tracks"),
        "events",
    ),
    View("host_events", "The events of threads of hosts.", f"{_ON_TRACKS}'thread'", ("events", "tracks"), "events"),
    View(
        "event_stats",
        "The stats of each event: its own, and those that all events of its kind have.",
        "SELECT run, host, owner_id AS event, key, text, number FROM stats WHERE owner = 'event' UNION ALL "
        "SELECT events.run, events.host, event, key, text, number FROM events JOIN stats ON stats.owner = 'kind' "
        "AND stats.run = events.run AND stats.host = events.host AND stats.owner_id = events.kind",
        ("events", "stats"),
        "stats",
        ("run", "host", "event", "key", "text", "number"),
    ),
)


def _fetched(connection: duckdb.DuckDBPyConnection, text: str, limits: Limits) -> Answered:
    found = connection.execute(text)
    heads = [(str(name), str(kind)) for name, kind, *_ in found.description or ()]
    rows: list[tuple[Any, ...]] = []
    while part := found.fetchmany(_AT_A_TIME):
        rows += part
        if limits.rows and len(rows) > limits.rows:
            break
    is_cut = bool(limits.rows) and len(rows) > limits.rows
    cells = list(zip(*(rows[: limits.rows] if is_cut else rows), strict=True)) or [()] * len(heads)
    columns = [
        _column(name, kind.partition("(")[0], each) for (name, kind), each in zip(_distinct(heads), cells, strict=True)
    ]
    part_of = {
        column.name: [_cell(cell, column.dtype) for cell in each] for column, each in zip(columns, cells, strict=True)
    }
    return Answered(Relation("result", "Rows of a query.", columns, lambda: [part_of]), is_cut)


def _distinct(heads: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Columns of one name get numbers."""
    seen: dict[str, int] = {}
    found = []
    for name, kind in heads:
        seen[name] = seen.get(name, 0) + 1
        found.append((name if seen[name] == 1 else f"{name}_{seen[name]}", kind))
    return found


def _column(name: str, kind: str, cells: tuple[Any, ...]) -> Column:
    """With the unit that the name's end shows."""
    dtype = _DTYPES.get(kind, "text")
    if dtype == "int64" and any(cell is not None and not -_BEYOND <= cell < _BEYOND for cell in cells):
        dtype = "float64"
    ending = name.rpartition("_")[2]
    return Column(name, dtype, ending if ending in _UNITS and dtype != "text" else "", "")


def _cell(cell: Any, dtype: str) -> Any:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return None
    return {"float64": float, "text": str}.get(dtype, lambda value: value)(cell)


_BEYOND = 1 << 63
_UNITS = ("ps", "ns", "us", "ms", "bytes", "share", "percent", "count")


class _Watch:
    """Ends what a connection does after some seconds, 0 for any time, or when no client waits for it any more.

    has_left: whether that was why.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self._connection, self._seconds, self._work = connection, seconds or math.inf, followed()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True) if seconds or self._work else None
        self.has_left = False

    def _look(self) -> None:
        end_s = time.monotonic() + self._seconds
        while not self._done.wait(max(0.0, min(POLL_S, end_s - time.monotonic()))):
            self.has_left = self._work is not None and self._work.is_unwanted()
            if self.has_left or time.monotonic() >= end_s:
                self._connection.interrupt()
                return

    def __enter__(self) -> None:
        if self._thread:
            self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._done.set()
        if self._thread:
            self._thread.join()


def _explained(error: Exception, limits: Limits) -> ArgumentError:
    """In one sentence what a limit was; else DuckDB's own words, which show the place."""
    kind = type(error).__name__
    if kind == "InterruptException":
        return ArgumentError(f"the query took longer than {limits.seconds:g} s: ask for less, or allow more time")
    if kind == "OutOfMemoryException":
        limit = memory(limits.memory_bytes)
        return ArgumentError(f"the query needs more memory than the {limit} allowed: ask for less, or allow more")
    return ArgumentError(str(error)[:_MOST_WORDS])
