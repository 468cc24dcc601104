"""Reads what `format=columns` gives, as its description in `http_api.md` says."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np


def read_columns(data: bytes) -> dict[str, Any]:
    """The answer as JSON would give it."""
    magic, length = struct.unpack_from("<4sI", data)
    assert magic == b"PPC1"
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    body = memoryview(data)[8 + length :]
    assert (8 + length) % 8 == 0
    for table in header["tables"].values():
        columns = table["columns"]
        table["columns"] = {name: _cells(cells, body) for name, cells in columns.items()}
    return header


def _cells(cells: Any, body: memoryview) -> list[Any]:
    if isinstance(cells, list):
        return cells
    assert cells["at"] % 8 == 0
    numbers = np.frombuffer(body, f"<{cells['dtype']}", cells["n"], cells["at"])
    if "step" not in cells:
        return list(numbers.tolist())
    bits = 8 * numbers.itemsize
    numbers = numbers.astype(np.int64)
    if "high" in cells:
        bits += 16
        numbers += np.frombuffer(body, "<u2", cells["n"], cells["high"]).astype(np.int64) << 32
    if cells.get("delta"):
        numbers = np.cumsum(numbers) & ((1 << bits) - 1)
    return [cells["from"] + cells["step"] * number for number in numbers.tolist()]
