"""Takes databases of Nsight Systems in a folder, gives those of each session: ranks begin together, other runs do not.

Names do not tell: `report1`, `report2` are what the profiler calls files of ranks and of one run after another. So one
cell of each database is read, when its session began; nothing else of it, and only for so long.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from .model import CaptureFile

#: Processes of one program start within so long of each other.
APART_NS = 120 * 10**9
_TABLE, _COLUMN = "TARGET_INFO_SESSION_START_TIME", "utcEpochNs"
#: Instructions of SQLite's: the table has one row.
_MOST_STEPS = 10_000
_MOST_NS = 1 << 62
_REMEMBERED = 10_000


def sessions(files: Iterable[CaptureFile]) -> list[tuple[CaptureFile, ...]]:
    """The files by session, in the order of their begins; those whose begin is not known are of the first."""
    begun = sorted(((begin_ns(file), file.path, file) for file in files), key=lambda each: each[:2])
    parts: list[list[CaptureFile]] = []
    before_ns = 0
    for ns, _, file in begun:
        if not parts or (ns and before_ns and ns - before_ns > APART_NS):
            parts.append([])
        parts[-1].append(file)
        before_ns = ns
    return [tuple(sorted(part, key=lambda file: file.path)) for part in parts]


def begin_ns(file: CaptureFile) -> int:
    """When the session of a database began, since the epoch; 0 where that is not known."""
    return _read(file.path, file.size_bytes, file.modified_ns)


@lru_cache(_REMEMBERED)
def _read(path: str, size_bytes: int, modified_ns: int) -> int:
    """When the session of a database began, since the epoch; 0 where that is not known."""
    if not os.path.isfile(path) or path.endswith(".gz"):
        return 0
    # Some builds of Python lack it, and TensorBoard starts without.
    import sqlite3

    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        uri = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.set_authorizer(lambda action, table, *_: 0 if _reads(action, table) else 1)
            steps = iter(range(1))
            connection.set_progress_handler(lambda: next(steps, None) is None, _MOST_STEPS)
            row = connection.execute(f"SELECT {_COLUMN} FROM {_TABLE} LIMIT 1").fetchone()
        if row and isinstance(row[0], int) and 0 < row[0] < _MOST_NS:
            return row[0]
    return 0


def _reads(action: int, table: str | None) -> bool:
    """Whether SQLite asks to select something (21), or to read a column of that table (20)."""
    return action == 21 or (action == 20 and table == _TABLE)
