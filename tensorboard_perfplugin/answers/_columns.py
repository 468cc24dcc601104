"""An answer → bytes: its JSON, with the columns of numbers as arrays that a browser takes as they are.

`PPC1`, the header's length as little-endian u32, the header, the arrays. The header is the JSON answer, padded with
spaces to a multiple of 8 bytes; in place of a list of numbers it has `{"dtype", "at", "n"}`: kind and bytes of one
number, where the first one lies counted from the header's end, how many they are. Everything is little-endian and
aligned to 8 bytes. Where `step` is given a value is `from` + `step` × the number.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..tools import Answer
from ._encode import to_json

Cells: TypeAlias = Sequence[Any] | NDArray[Any]

MAGIC = b"PPC1"
#: Up to here JavaScript's numbers are exact.
EXACT = 1 << 53
_ALIGN = 8
_NARROW = ("u1", "u2", "u4", "i4")
#: So many values tell whether a column has a common step worth looking for.
_TASTE = 64


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
    if dtype:
        return body.add(values, dtype)
    if max(-low, high) >= EXACT:
        return [str(value) for value in values.tolist()]
    step = _step(values, low, high)
    if step is None:
        return body.add(values, "f8")
    return {**body.add((values - low) // step, _narrowest(0, (high - low) // step)), "from": low, "step": step}


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


def _step(values: NDArray[Any], low: int, high: int) -> int | None:
    """The largest number that divides all distances from the lowest, where that makes them fit into 32 bits."""
    least = ((high - low) >> 32) + 1
    if 0 < int(np.gcd.reduce(values[:_TASTE] - low)) < least:
        return None
    step = int(np.gcd.reduce(values - low)) or 1
    return step if step >= least else None
