"""An answer → JSON text, or one of its tables → CSV text."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import NotFoundError, suggestion
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
    alike = suggestion(name, (spec.name for spec in specs))
    raise NotFoundError(f"{answer.tool.name} has no table {name[:80]!r}: its tables are {there}{alike}")


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


# An answer → bytes: its JSON, with the columns of numbers as arrays that a browser takes as they are.
#
# `PPC1`, the header's length as little-endian u32, the header, the arrays. The header is the JSON answer, padded with
# spaces to a multiple of 8 bytes; in place of a list of numbers it has `{"dtype", "at", "n"}`: kind and bytes of one
# number, where the first one lies counted from the header's end, how many they are. Everything is little-endian and
# aligned to 8 bytes. Where `step` is given a value is `from` + `step` × the number; where `high` is, the number has 16
# more bits, which lie there as u2; where `delta` is true, it is the sum of all so far, modulo 2 to the power of its
# bits.

Cells: TypeAlias = Sequence[Any] | NDArray[Any]

MAGIC = b"PPC1"
#: Up to here JavaScript's numbers are exact.
EXACT = 1 << 53
_ALIGN = 8
_NARROW = ("u1", "u2", "u4", "i4")
#: Steps of 48 bits are a u4 and a u2: the upper halves of most are alike, and compress to nothing.
_BITS = (8, 16, 32, 48)
#: In a shorter column nothing is to be saved.
_MANY = 64


class _Body:
    """The arrays so far."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.length = 0

    def add(self, values: NDArray[Any], dtype: str) -> dict[str, Any]:
        data = values.astype(f"<{dtype}").tobytes()
        place = {"dtype": dtype, "at": self.length, "n": len(values)}
        data += b"\0" * (-len(data) % _ALIGN)
        self.parts.append(data)
        self.length += len(data)
        return place


def to_columns(answer: Answer) -> bytes:
    """The answer for a program that reads arrays; nothing is lost that JSON keeps."""
    body = _Body()
    bare = dataclasses.replace(answer, result=dataclasses.replace(answer.result, tables={}))
    header = bare.to_dict()
    numbers = {t.name: {c.name for c in t.columns if c.dtype not in ("text", "bool")} for t in answer.tool.tables}
    for name, columns in answer.result.tables.items():
        header["tables"][name] = {"columns": _placed(columns, numbers[name], body)}
    text = to_json(header).encode("ascii")
    text += b" " * (-len(text) % _ALIGN)
    return b"".join((MAGIC, struct.pack("<I", len(text)), text, *body.parts))


def _placed(columns: Mapping[str, Cells], numbers: set[str], body: _Body) -> dict[str, Any]:
    return {
        name: _column(cells, body) if name in numbers else cells if isinstance(cells, list) else _listed(cells)
        for name, cells in columns.items()
    }


def _listed(cells: Cells) -> list[Any]:
    return cells.tolist() if isinstance(cells, np.ndarray) else list(cells)


def _column(cells: Cells, body: _Body) -> Any:
    """Where the numbers lie; a list where one is unknown, or beyond what a browser counts exactly."""
    values = _numbers(cells)
    if values is None:
        return [str(c) if isinstance(c, int) and abs(c) >= EXACT else c for c in _listed(cells)]
    if values.dtype.kind == "f":
        return body.add(values, "f8")
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    dtype = _narrowest(low, high)
    if dtype == "u1" or (dtype and len(values) < _MANY):
        return body.add(values, dtype)
    if max(-low, high) >= EXACT:
        return [str(value) for value in values.tolist()]
    return _packed(values, low, high, body)


def _packed(values: NDArray[Any], low: int, high: int, body: _Body) -> dict[str, Any]:
    """Steps from the lowest value, or from one value to the next where most of those are much smaller."""
    # Narrow integers would wrap.
    steps = values.astype(np.int64) - low
    step = int(np.gcd.reduce(steps)) or 1
    span = (high - low) // step
    bits = next((bits for bits in _BITS if span < 1 << bits), 0)
    if not bits:
        return body.add(values, "f8")
    steps = steps // step if step > 1 else steps
    header: dict[str, Any] = {"from": low, "step": step}
    if len(steps) >= _MANY:
        apart = np.diff(steps, prepend=0)
        if np.count_nonzero(np.abs(apart) < (steps >> 2)) * 2 > len(steps):
            steps, header = apart & ((1 << bits) - 1), {**header, "delta": True}
    if bits <= 32:
        return {**body.add(steps, f"u{bits // 8}"), **header}
    place = body.add(steps & 0xFFFF_FFFF, "u4")
    return {**place, **header, "high": body.add(steps >> 32, "u2")["at"]}


def _numbers(cells: Cells) -> NDArray[Any] | None:
    """An array of integers or of finite doubles, or None."""
    if not isinstance(cells, np.ndarray):
        kinds = set(map(type, cells))
        if not kinds <= {int, float}:
            return None
        try:
            cells = np.array(cells, np.float64 if float in kinds else np.int64)
        except OverflowError:
            return None
    if cells.dtype.kind == "f":
        return cells if bool(np.isfinite(cells).all()) else None
    return cells if cells.dtype.kind in "iu" else None


def _narrowest(low: int, high: int) -> str:
    """The first of the dtypes that holds all from low to high; empty where none does."""
    return next((d for d in _NARROW if np.iinfo(d).min <= low and high <= np.iinfo(d).max), "")
