"""SQLite databases of NVIDIA's profilers, nvprof and Nsight Systems → `Capture`."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator

from ... import units
from ...errors import UnreadableError
from ...messages import Message, message
from ...stores import is_url
from ...tables import Capture
from ..common.source import Source
from .database import Database
from .nsys import is_nsys, read_nsys
from .nvprof import is_nvprof, read_nvprof
from .rocpd import is_rocpd, read_rocpd

# An SQLite database → `Capture`, by the tables that it has.

_MOST_NAMED = 8
#: Of an SQLite database's header: bytes of a page, pages, and when it was changed last, and when pages were counted.
_HEADER, _PAGE_SIZE, _PAGES, _CHANGED, _COUNTED_AT = 100, slice(16, 18), slice(28, 32), slice(24, 28), slice(92, 96)


def read(source: Source, decoder: str | None = None) -> Capture:
    """Raises UnreadableError where it is no database of a profiler that is known."""
    try:
        with Database(source.data) as database:
            if is_nvprof(database):
                capture = read_nvprof(database, _warnings(source))
            elif is_nsys(database):
                capture = read_nsys(database, _warnings(source))
            elif is_rocpd(database):
                capture = read_rocpd(database, _warnings(source))
            else:
                raise _unknown(source, database)
    except sqlite3.Error as error:
        raise UnreadableError(
            f"{source.path or 'The data'} ({units.size(source.size_bytes)}) is an SQLite database that cannot be read: "
            f"{error}. Export the report again.",
            is_damaged=True,
        ) from None
    return capture


def _warnings(source: Source) -> list[Message]:
    """Also of a log beside the file that holds what is not yet in it."""
    beside = [ending for ending in ("-wal", "-journal") if _size(source.path + ending)] if source.path else []
    logs = (message("database_log", name=os.path.basename(source.path) + end) for end in beside)
    return [*source.warnings, *logs, *_cut(source.data)]


def _cut(data: memoryview) -> Iterator[Message]:
    """That the end is missing, where the header says how many pages there are; SQLite itself reads what is there."""
    head = bytes(data[:_HEADER])
    page_size = int.from_bytes(head[_PAGE_SIZE], "big")
    is_known = len(head) == _HEADER and head[_CHANGED] == head[_COUNTED_AT]
    expected = int.from_bytes(head[_PAGES], "big") * (1 << 16 if page_size == 1 else page_size)
    if is_known and expected > len(data):
        yield message("database_cut", kept=len(data), size=expected)


def _size(path: str) -> int:
    try:
        return 0 if is_url(path) else os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _unknown(source: Source, database: Database) -> UnreadableError:
    what = f"{source.path or 'The data'} ({units.size(source.size_bytes)}) is"
    names = sorted(name for name in database.tables if not name.startswith("sqlite_"))
    if "rocpd_op" in names:
        return UnreadableError(
            f"{what} a database of ROCm's profiler (rpd, ROCmProfileData), which is not read. Convert it, and open the "
            "trace: rpd2tracing.py FILE.rpd FILE.json"
        )
    named = ", ".join(name[:40] for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    held = f"its tables are {named}{more}" if names else "it has no table"
    return UnreadableError(
        f"{what} an SQLite database, but none of nvprof, Nsight Systems or rocprofv3: {held}. Of Nsight Systems, "
        "export the report: nsys export --type sqlite FILE.nsys-rep"
    )
