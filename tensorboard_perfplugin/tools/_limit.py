"""How many rows of a long table to give. No table is cut silently: the summary tells how many rows there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ._tool import Option, Options

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


def limited(rows: Sequence[T], options: Options) -> Sequence[T]:
    """The first rows, as many as were asked for."""
    limit = options["limit"]
    return rows[:limit] if isinstance(limit, int) and limit else rows
