"""An answer → JSON text, or one of its tables → CSV text."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..errors import NotFoundError
from ..tools import Answer, TableSpec

#: A spreadsheet takes a cell that begins with one of these for a formula, or drops it and looks at the next.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def to_json(data: Any) -> str:
    """Compact JSON, ASCII only. A number that is not finite becomes null."""
    try:
        return json.dumps(data, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return json.dumps(_finite(data), allow_nan=False, separators=(",", ":"))


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return data


def table_of(answer: Answer, name: str = "") -> TableSpec:
    """The declaration of a table that the answer has; the first without a name. Raises NotFoundError naming them."""
    specs = [spec for spec in answer.tool.tables if spec.name in answer.result.tables]
    for spec in specs:
        if name in ("", spec.name):
            return spec
    there = ", ".join(spec.name for spec in specs) or "none"
    raise NotFoundError(f"{answer.tool.name} has no table {name[:80]!r}: its tables are {there}")


def to_csv(answer: Answer, name: str = "", line_end: str = "\r\n") -> str:
    """A table as RFC 4180: one header line of column names, unknown cells empty.

    A text cell that a spreadsheet would run as a formula is led by an apostrophe. Raises NotFoundError like `table_of`.
    """
    spec = table_of(answer, name)
    return columns_to_csv(spec, answer.result.tables[spec.name], line_end)


def columns_to_csv(spec: TableSpec, columns: Mapping[str, Iterable[Any]], line_end: str = "\r\n") -> str:
    """As `to_csv`, of columns alone."""
    cells = [_texts(columns[column.name], column.dtype == "text") for column in spec.columns]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerow([column.name for column in spec.columns])
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


def _texts(cells: Iterable[Any], is_text: bool) -> list[str]:
    plain = cells.tolist() if isinstance(cells, np.ndarray) else cells
    return [_guarded(cell) if is_text and isinstance(cell, str) else _number(cell) for cell in plain]


def _guarded(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text


def _number(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell)
