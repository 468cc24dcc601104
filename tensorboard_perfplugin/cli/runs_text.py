"""`perfplugin runs PATH --table`: a row a run, as text, CSV or JSON."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import ArgumentError
from ..units import instant, unit_of, value
from .text import printable, table

if TYPE_CHECKING:
    from ..tables import Column, Scalar

#: What says when a run was captured: text shows it as a time.
_MOMENT = "captured_ms"
#: Longer than a line, and what the first finding says.
_LEFT_OUT = ("findings", "failed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", action="store_true", help="read the runs: step time, change, first finding, memory")
    parser.add_argument("--baseline", default="", metavar="RUN", help="a run that all are compared with")
    parser.add_argument("--sort", default="", metavar="COLUMN", help="a column to sort by")
    parser.add_argument("--reverse", action="store_true", help="largest first")
    parser.add_argument("--grep", default="", metavar="TEXT", help="only runs whose name or findings hold the text")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the columns as JSON")
    form.add_argument("--csv", action="store_true", help="as CSV, all columns")


def wants_table(args: argparse.Namespace) -> bool:
    return bool(args.table or args.baseline or args.sort or args.grep or args.json or args.csv)


def table_text(args: argparse.Namespace, width: int) -> str:
    """Raises NotFoundError, and ArgumentError for a column that is none."""
    from ..answers import RUNS, columns_to_csv, to_json
    from ..api import runs

    columns = _sorted(runs(args.path, args.baseline, args.grep), args.sort, args.reverse)
    if args.json:
        return to_json({"columns": columns}) + "\n"
    if args.csv:
        return columns_to_csv(RUNS, columns, "\n")
    some = [c for c in RUNS.columns if c.name not in _LEFT_OUT and set(columns[c.name]) - {None, ""}]
    rows = list(zip(*([_cell(cell, c) for cell in columns[c.name]] for c in some), strict=True))
    return table([c.title for c in some], rows, [c.dtype == "text" for c in some], width)[0] + "\n"


def _sorted(columns: dict[str, list[Scalar]], name: str, reverse: bool) -> dict[str, list[Scalar]]:
    """Rows without a value last."""
    if not name:
        return columns
    if name not in columns:
        raise ArgumentError.with_choices(f"no column {name[:80]!r}", columns)
    known = [i for i, cell in enumerate(columns[name]) if cell is not None]
    known.sort(key=lambda i: columns[name][i], reverse=reverse)  # type: ignore[arg-type,return-value]
    order = [*known, *(i for i, cell in enumerate(columns[name]) if cell is None)]
    return {each: [cells[i] for i in order] for each, cells in columns.items()}


def _cell(cell: Scalar, column: Column) -> str:
    if isinstance(cell, str):
        return printable(cell)
    if column.name == _MOMENT and isinstance(cell, int):
        return instant(cell / 1e3)
    return value(cell, unit_of(column.name, column.unit, is_memory=True))
