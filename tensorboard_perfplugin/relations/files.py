"""A relation → a file: CSV, JSON, Parquet, Arrow; piece by piece where the format allows it."""

from __future__ import annotations

import json
import math
import os
import secrets
from collections.abc import Iterator
from typing import Any

from ..answers.encode import columns_to_csv
from ..errors import ArgumentError
from ..tables import TableSpec
from .relation import Relation
from .sql import imported

#: Names of formats, by the ends of files' names; the first is the default.
FORMATS = {"csv": (".csv",), "json": (".json",), "parquet": (".parquet",), "arrow": (".arrow", ".feather")}
#: Rows that are written at a time.
_ROWS = 10_000


def format_of(name: str, path: str) -> str:
    """A format by its name, else by a file's. Raises ArgumentError."""
    ends = (form for form, suffixes in FORMATS.items() if path.endswith(suffixes))
    found = name or next(ends, "csv")
    if found not in FORMATS:
        raise ArgumentError.with_choices(f"format={found[:80]!r}", FORMATS)
    return found


def text_of(relation: Relation, form: str) -> Iterator[str]:
    """As CSV (RFC 4180, unknown cells empty), or as JSON: a list of rows, an object each."""
    if form == "csv":
        yield from _csv(relation)
        return
    yield "["
    for begin in range(0, len(relation), _ROWS):
        rows = (json.dumps(_finite(row), separators=(",", ":")) for row in relation[begin : begin + _ROWS])
        yield ("," if begin else "") + "\n" + ",\n".join(rows)
    yield "\n]\n"


def _csv(relation: Relation) -> Iterator[str]:
    spec = TableSpec("rows", "", "", relation.columns)
    for begin in range(0, max(len(relation), 1), _ROWS):
        part = relation[begin : begin + _ROWS]
        text = columns_to_csv(spec, {column.name: part[column.name] for column in relation.columns}, "\n")
        yield text.partition("\n")[2] if begin else text


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}


def write(relation: Relation, path: str, form: str) -> None:
    """A file that appears when it is complete. Raises ArgumentError where what writes it is not installed, OSError."""
    part = os.path.join(os.path.dirname(path) or ".", f".{os.path.basename(path)[:80]}.{secrets.token_hex(8)}.part")
    try:
        if form in ("csv", "json"):
            with open(part, "x", encoding="utf-8", newline="") as file:
                file.writelines(text_of(relation, form))
        elif form == "parquet":
            _write_parquet(relation, part)
        else:
            _write_arrow(relation, part)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)


def _write_parquet(relation: Relation, path: str) -> None:
    with imported("Parquet").connect(":memory:") as connection:
        connection.register("rows", relation)
        connection.execute(f"COPY rows TO '{path.replace(chr(39), 2 * chr(39))}' (FORMAT parquet)")


def _write_arrow(relation: Relation, path: str) -> None:
    try:
        import pyarrow
    except ImportError:
        raise ArgumentError(
            "Arrow files need pyarrow: pip install 'tensorboard-perfplugin[arrow]', or pyarrow"
        ) from None
    table = relation.to_arrow()
    # Hosts have dictionaries of their own; a file has one a column.
    options = pyarrow.ipc.IpcWriteOptions(unify_dictionaries=True)
    with pyarrow.ipc.new_file(path, table.schema, options=options) as writer:
        writer.write_table(table)
