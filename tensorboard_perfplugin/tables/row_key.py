"""The words that name a number of another page ↔ its tool, table, column, and the key of its row.

`kernel_stats.graphs.total_us?device=%2Fdevice%3AGPU%3A0&graph=7`. The values are those of the columns that the table
declares as its `key`; a null has none. Of a long text stand its first characters and a digest. Tracks are `3.5-7`.
"""

from __future__ import annotations

import math
import re
from array import array
from typing import NamedTuple
from urllib.parse import quote, unquote

import numpy as np

from ..errors import ArgumentError
from .arrays import I64

#: UTF-16 units of a text that stand for themselves: names of kernels have thousands.
_HEAD = 100
#: Characters that are looked at of what anybody may have typed.
_MOST = 8192
_ROW = re.compile(r"([a-z_]{1,40})\.([a-z_]{1,40})\.(\w{1,60})(?:\?(.*))?", re.DOTALL)
#: Ranges of tracks that are written out; of more it is all tracks of the host.
_RANGES = 200
#: FNV-1a of 32 bits.
_BASIS, _PRIME = 0x811C9DC5, 0x01000193


class RowKey(NamedTuple):
    """A cell of a table. values: by column of the key, as text."""

    tool: str
    table: str
    column: str
    values: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.tool}.{self.table}"

    def holds(self, column: str, value: float | str | None) -> bool:
        """Whether that is the row's value; no value is null."""
        given = self.values.get(column)
        if given is None or value is None:
            return given is None and value is None
        if isinstance(value, float):
            return _number(given) == value
        return given == word(value)

    def number(self, column: str) -> float:
        """The row's value as a number, NaN where it is none."""
        return _number(self.values.get(column, ""))

    def allows(self, column: str, value: float | str | None) -> bool:
        """The same, where a null stands for all."""
        return column not in self.values or self.holds(column, value)


def row_key(text: str) -> RowKey:
    """Raises ArgumentError for a text that names no cell."""
    match = _ROW.fullmatch(text[:_MOST])
    if match is None:
        raise ArgumentError(f"search={text[:80]!r}: with match=row, use `TOOL.TABLE.COLUMN?KEY=VALUE&…`")
    pairs = [pair.partition("=") for pair in (match[4] or "").split("&") if pair]
    return RowKey(match[1], match[2], match[3], {name: unquote(value) for name, _, value in pairs})


def row_text(cell: str, **values: float | str | None) -> str:
    """`cell`: TOOL.TABLE.COLUMN."""
    key_words = {name: word(value) for name, value in values.items() if value is not None}
    pairs = (f"{name}={quote(text, safe='', errors='replace')}" for name, text in key_words.items())
    return f"{cell}?{'&'.join(pairs)}"


def word(value: float | str) -> str:
    """A value as it stands in a key: as JavaScript writes it."""
    if isinstance(value, str):
        return value if len(value) <= _HEAD // 2 else _shortened(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if float(value).is_integer() and abs(value) < 1 << 53 else repr(value)


def _shortened(text: str) -> str:
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * _HEAD:
        return text
    digest = _BASIS
    for unit in array("H", units):
        digest = (digest ^ unit) * _PRIME & 0xFFFFFFFF
    return f"{units[: 2 * _HEAD].decode('utf-16-le', 'ignore')}…{digest:08x}"


def _number(text: str) -> float:
    try:
        return float(text[:40])
    except ValueError:
        return math.nan


def ranges(tracks: I64) -> str:
    """`3.5-7`; empty for all, and for more ranges than an answer should hold."""
    rows = np.unique(tracks)
    ends = np.flatnonzero(np.diff(rows) > 1)
    first, last = np.append(rows[:1], rows[ends + 1]), np.append(rows[ends], rows[-1:])
    if len(first) > _RANGES:
        return ""
    return ".".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(first.tolist(), last.tolist(), strict=True))
