"""How many rows of a long table to give. No table is cut silently: the summary shows how many rows there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .columns import Column
from .declared import Option, Options

#: Rows that a browser sorts and filters without a pause, in some megabytes of JSON.
_ROWS = 20_000

LIMIT = Option(
    "limit",
    "integer",
    _ROWS,
    "How many rows of each long table to give, the largest first; 0 gives all.",
    low=0,
    high=1 << 40,
)

T = TypeVar("T")


def all_rows(table: str) -> Column:
    """The summary's count for a table that may be cut: `ops` → `ops_rows`, so that a page can say `N of M`."""
    return Column.count(f"{table}_rows", f"Rows of the table `{table}` without a limit.")


def row_limit(options: Options) -> int | None:
    """How many rows to give; None gives all."""
    limit = options["limit"]
    return limit if isinstance(limit, int) and limit else None


def limited(rows: Sequence[T], options: Options) -> Sequence[T]:
    """The first rows, as many as were asked for."""
    return rows[: row_limit(options)]
