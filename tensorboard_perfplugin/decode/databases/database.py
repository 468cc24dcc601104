"""The bytes of an SQLite database → columns of its plain tables, as numbers; texts are numbered as they come.

Nothing of the file is executed: only plain tables are read, by columns that are stored, without an index, a sort or a
function but `ifnull` and `hex`; an authorizer refuses all else. What is read is bounded by the file: a damaged or
malicious one may name the same page many times over. Of a damaged table the rows before the damage are read."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from ...messages import Message, message
from ...patterns import regex
from ...tables import F64, I64

#: Value of a number that the file does not have; id of a text that it does not have.
NONE = -1
#: Rows that are fetched together.
_ROWS = 1 << 15
#: Names of kernels have some thousands of letters.
_MOST_TEXT = 1 << 16
#: A row takes so many bytes at least: the place of its cell, its size, its number, and a column.
_ROW_BYTES = 5
#: How long a file is read at most: 100 MB take some three seconds.
_SECONDS, _BYTES_A_SECOND = 3.5, 4 << 20
#: Instructions of SQLite's between two looks at the clock.
_STEPS = 1000
_MOST_TABLES = 5000
_TABLE = regex(r"\s*CREATE\s+TABLE\b", re.IGNORECASE)
_FUNCTIONS = ("ifnull", "hex")
_PRAGMAS = ("table_xinfo",)
#: Of a stored column, in `table_xinfo`.
_STORED = 0
_JOURNAL_MODE = slice(18, 20)


class Row(NamedTuple):
    """A row of a short table, by column."""

    numbers: dict[str, int]
    texts: dict[str, str]


class _TooMuchError(Exception):
    """There is more than the file can hold, or it takes too long."""


class Texts:
    """Distinct texts by id, as bytes."""

    def __init__(self) -> None:
        self.ids: dict[bytes, int] = {}
        self.bytes: list[bytes] = []

    def put(self, text: bytes) -> int:
        index = self.ids.get(text)
        if index is None:
            index = self.ids[text] = len(self.bytes)
            self.bytes.append(text)
        return index

    def add(self, text: str) -> int:
        return self.put(text.encode("utf-8", "surrogatepass"))

    def __getitem__(self, index: int) -> str:
        return self.bytes[index].decode("utf-8", "replace") if index >= 0 else ""


class Database:
    """An open database. texts: all that was read. damaged: tables of which not all rows could be read."""

    def __init__(self, data: memoryview) -> None:
        """Raises sqlite3.Error where not even the list of tables can be read."""
        self.texts = Texts()
        self.damaged: dict[str, None] = {}
        self._size = len(data)
        self._room = 4 * self._size + (1 << 16)
        self._until_s = time.thread_time() + _SECONDS + self._size / _BYTES_A_SECOND
        with contextlib.ExitStack() as opened:
            self._connection = opened.enter_context(contextlib.closing(_opened(data, opened)))
            self._guard()
            self.tables = self._listed()
            self._opened = opened.pop_all()

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def numbers(self, table: str, *columns: str) -> dict[str, I64]:
        """Whole numbers of some columns, by row; NONE where a column, or a value, is missing.

        A name that begins with `'` is a column of texts, whose ids are given; with `#` one of bytes, as the ids of
        what they are in hexadecimal.
        """
        asked = [name for name in columns if name.lstrip("'#") in self.tables.get(table, ())]
        read = self._read(table, [_column(name) for name in asked], np.dtype(np.int64)) if asked else None
        rows = np.empty((0, 0), np.int64) if read is None else read
        found = {name: np.ascontiguousarray(rows[:, i]) for i, name in enumerate(asked)}
        return {name.lstrip("'#"): found.get(name, np.full(len(rows), NONE, np.int64)) for name in columns}

    def reals(self, table: str, column: str, rows: int) -> F64:
        """Decimals of a column by row, nan where there is none."""
        values = np.full(rows, np.nan)
        if column in self.tables.get(table, ()):
            read = self._read(table, [f'ifnull(CAST("{column}" AS REAL), 1e999)'], np.dtype(np.float64))[:rows, 0]
            values[: len(read)] = np.where(np.isfinite(read), read, np.nan)
        return values

    def rows(self, table: str, numbers: Sequence[str] = (), texts: Sequence[str] = (), most: int = 10_000) -> list[Row]:
        """The rows of a table that is short."""
        columns = self.numbers(table, *numbers, *(f"'{name}" for name in texts))
        counts = [len(column) for column in columns.values()]
        return [
            Row(
                {name: int(columns[name][i]) for name in numbers},
                {name: self.texts[int(columns[name][i])] for name in texts},
            )
            for i in range(min([*counts, most]))
        ]

    def has(self, table: str, *columns: str) -> bool:
        return table in self.tables and self.tables[table].issuperset(columns)

    def has_rows(self, table: str) -> bool:
        if table not in self.tables:
            return False
        with contextlib.suppress(sqlite3.Error):
            return self._connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone() is not None
        return False

    def has_values(self, table: str, column: str) -> bool:
        """Whether a row has something in a column."""
        if not self.has(table, column):
            return False
        query = f'SELECT 1 FROM "{table}" WHERE "{column}" IS NOT NULL LIMIT 1'
        with contextlib.suppress(sqlite3.Error):
            return self._connection.execute(query).fetchone() is not None
        return False

    def problems(self) -> list[Message]:
        """What of the tables that were read could not be read."""
        damaged = [name for name in self.damaged if name != "sqlite_master"]
        found = [message("database_damaged", table=damaged[0], more=len(damaged) - 1 or None)] if damaged else []
        return found + [message("database_tables_lost")] * ("sqlite_master" in self.damaged)

    def _guard(self) -> None:
        self._connection.text_factory = self._text
        if hasattr(self._connection, "setlimit"):
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(max(self._size, 1 << 20), 1 << 26))
        self._connection.set_progress_handler(self._is_late, _STEPS)
        self._connection.set_authorizer(_allowed)

    def _text(self, text: bytes) -> int:
        """The id of a text that SQLite gives."""
        self._room -= len(text)
        if self._room < 0:
            raise _TooMuchError
        return self.texts.put(text[:_MOST_TEXT])

    def _is_late(self) -> bool:
        return time.thread_time() > self._until_s

    def _listed(self) -> dict[str, set[str]]:
        """Plain tables, and their stored columns."""
        wanted = 'SELECT CAST(type AS TEXT), CAST(name AS TEXT), CAST(sql AS TEXT), rootpage FROM "sqlite_master"'
        with contextlib.suppress(sqlite3.DatabaseError):
            # Where the schema is damaged the first statement fails, the next sees what of it could be read.
            self._connection.execute(wanted).close()
        tables: dict[str, set[str]] = {}
        cursor = self._connection.execute(wanted)
        try:
            for type, name, sql, root in islice(cursor, _MOST_TABLES):
                text = self.texts[-1 if name is None else name]
                is_plain = type is not None and self.texts[type] == "table" and isinstance(root, int) and root > 0
                if is_plain and sql is not None and _TABLE.match(self.texts[sql]) and re.fullmatch(r"\w{1,200}", text):
                    tables[text] = set()
        except (sqlite3.DatabaseError, _TooMuchError):
            self.damaged["sqlite_master"] = None
        for table in tables:
            with contextlib.suppress(sqlite3.Error, _TooMuchError):
                found = self._connection.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
                tables[table] = {self.texts[row[1]] for row in found if row[6] == _STORED and isinstance(row[1], int)}
        return tables

    def _read(self, table: str, columns: list[str], dtype: np.dtype[np.generic]) -> np.ndarray:
        """Rows × columns, as far as they can be read."""
        query, width = f'SELECT {", ".join(columns)} FROM "{table}"', len(columns)
        try:
            return self._rows(self._connection.execute(query), width, dtype)
        except (sqlite3.Error, _TooMuchError, OverflowError, TypeError):
            self.damaged[table] = None
        # Once more, row by row up to what is damaged: together with it a whole lot was lost.
        with contextlib.suppress(sqlite3.Error, _TooMuchError, OverflowError, TypeError):
            return self._rows(_sound(self._connection.execute(query)), width, dtype)
        return np.empty((0, width), dtype)

    def _rows(self, rows: Iterator[tuple[int | float, ...]], width: int, dtype: np.dtype[np.generic]) -> np.ndarray:
        lots, room = [np.empty((0, width), dtype)], self._size // _ROW_BYTES
        while len(lot := np.fromiter(chain.from_iterable(islice(rows, _ROWS)), dtype)):
            lots.append(lot.reshape(-1, width))
            room -= len(lots[-1])
            if room < 0:
                raise _TooMuchError
        return np.concatenate(lots)


def _sound(cursor: sqlite3.Cursor) -> Iterator[tuple[int | float, ...]]:
    """The rows before an error."""
    with contextlib.suppress(sqlite3.Error, _TooMuchError):
        yield from cursor


def _column(name: str) -> str:
    plain = name.lstrip("'#")
    if name[0] == "'":
        return f'ifnull(CAST("{plain}" AS TEXT), {NONE})'
    return f'ifnull(hex("{plain}"), {NONE})' if name[0] == "#" else f'ifnull(CAST("{plain}" AS INTEGER), {NONE})'


def _allowed(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _opened(data: memoryview, opened: contextlib.ExitStack) -> sqlite3.Connection:
    """A connection to a copy in memory, or, before Python 3.11, to one in a temporary file.

    What is not yet in the database itself but in a log beside it is not looked for: the copy says that it has none.
    `writable_schema` lets SQLite go on where an entry of the schema is damaged, and the file is shorter than it says.
    """
    copy = bytearray(data)
    copy[_JOURNAL_MODE] = b"\1\1"
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False, cached_statements=0)
    if hasattr(connection, "deserialize"):
        connection.deserialize(copy)
    else:
        connection.close()
        connection = _on_disk(copy, opened)
    connection.execute("PRAGMA writable_schema=ON")
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    return connection


def _on_disk(data: bytearray, opened: contextlib.ExitStack) -> sqlite3.Connection:
    folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="perfplugin-"))
    path = os.path.join(folder, "database")
    with open(path, "wb") as file:
        file.write(data)
    uri = f"file:{path}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=0)


class Interned:
    """A table of texts that others refer to by its ids. Called: such ids → ids of the texts themselves; NONE where
    there is none."""

    def __init__(self, database: Database, table: str, id: str, text: str = "value") -> None:
        read = database.numbers(table, id, f"'{text}")
        order = np.argsort(read[id], kind="stable")
        self._known, self._text = read[id][order], read[text][order]

    def __call__(self, ids: I64) -> I64:
        if not len(self._known):
            return np.full(len(ids), NONE, np.int64)
        at = np.minimum(np.searchsorted(self._known, ids), len(self._known) - 1)
        return np.where(self._known[at] == ids, self._text[at], NONE)
