"""`perfplugin sql` and `table`: relations of runs → a table in the terminal, CSV, JSON, Parquet, Arrow."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..errors import ArgumentError
from ..units import picoseconds, unit_of, value, written_bytes
from .show import printable, table

if TYPE_CHECKING:
    from ..api import Profile
    from ..relations import Relation, Relations
    from ..tables import Column, Scalar

#: What writes to standard output.
Say: TypeAlias = Callable[[str], None]
#: Rows that the terminal shows of more.
_SHOWN = 100
_PS_PER_S = 10**12
_FORMS = (
    ("csv", "as CSV"),
    ("json", "as JSON: a list of rows"),
    ("parquet", "as a Parquet file (needs duckdb)"),
    ("arrow", "as an Arrow file (needs pyarrow)"),
)


def add_sql_arguments(parser: argparse.ArgumentParser) -> None:
    what = "runs, each as PATH of other commands; then one statement that reads, or - for that of standard input"
    parser.add_argument("given", metavar="PATH … QUERY", nargs="+", help=what)
    parser.add_argument("--all-runs", action="store_true", help="all runs at PATH: the column `run` has their names")
    parser.add_argument("--schema", action="store_true", help="list the tables and their columns; with --json as JSON")
    parser.add_argument("--timeout", metavar="TIME", default="", help="the most a query may take: 30s; default: any")
    help = "how much memory a query may take, beside the captures; default: %(default)s"
    parser.add_argument("--query-memory", metavar="SIZE", default="4GiB", help=help)
    _add_forms(parser)


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    help = "a table of `perfplugin sql --schema`: ops, kernels, memory_profile.peak"
    parser.add_argument("name", metavar="NAME", help=help)
    _add_forms(parser)


def _add_forms(parser: argparse.ArgumentParser) -> None:
    forms = parser.add_mutually_exclusive_group()
    for name, help in _FORMS:
        forms.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=help)
    help = f"at most so many rows; default: all, and in the terminal {_SHOWN}"
    parser.add_argument("--rows", metavar="N", type=int, default=0, help=help)
    where = "a file, by whose name the format is chosen, too: .csv .json .parquet .arrow"
    parser.add_argument("-o", "--output", metavar="FILE", help=where)


def split_query(args: argparse.Namespace) -> tuple[list[str], str]:
    """The paths and the query. Raises ArgumentError where one is missing."""
    if args.schema:
        return args.given, ""
    if len(args.given) < 2:
        raise ArgumentError("give a PATH, then a QUERY: perfplugin sql logs 'select name, self_us from ops limit 10'")
    *paths, query = args.given
    return paths, sys.stdin.read() if query == "-" else query


def sql(
    args: argparse.Namespace, profiles: Sequence[Profile], query: str, width: int, say: Callable[[str], None]
) -> int:
    """What a query gives of some runs."""
    from ..api import relations_of
    from ..relations import Limits, answered

    seconds = picoseconds(args.timeout) if args.timeout else 0
    memory = written_bytes(args.query_memory)
    if seconds is None or memory is None:
        raise ArgumentError("--timeout takes a time with its unit, 30s, and --query-memory a size, 500MB")
    relations = relations_of(profiles)
    shown = args.rows or (0 if args.form or args.output else _SHOWN)
    found = answered(relations, query, Limits(memory, shown, seconds / _PS_PER_S))
    _give(args, found.rows, width, say, [path for profile in profiles for path in profile.files])
    more = "there are more rows: --rows N, or --csv, gives them"
    _warn([more] if found.is_cut and not args.rows else [], relations)
    return 0


def table_of(args: argparse.Namespace, profile: Profile, width: int, say: Say) -> int:
    """One table of a run."""
    from ..api import relations_of

    relations = relations_of([profile])
    rows = relations[args.name]
    shown = args.rows or (len(rows) if args.form or args.output else _SHOWN)
    count = len(rows)
    _give(args, rows[:shown] if shown < count else rows, width, say, profile.files)
    _warn([f"{shown} of {count:,} rows: --rows N, or --csv, gives more"] if shown < count else [], relations)
    return 0


def _warn(notes: Sequence[str], relations: Relations) -> None:
    left_out = (f"{host} is left out: {why}" for host, why in relations.left_out.items())
    for note in (*notes, *left_out):
        sys.stderr.write(f"perfplugin: {printable(note)}\n")


def _give(args: argparse.Namespace, rows: Relation, width: int, say: Say, captures: Sequence[str]) -> None:
    from ..relations import file_format, text_of, write

    if args.output and args.output != "-":
        if os.path.realpath(args.output) in map(os.path.realpath, captures):
            raise ArgumentError(f"{printable(args.output)} is one of the captures: choose another file with -o")
        try:
            write(rows, args.output, file_format(args.form or "", args.output))
        except OSError as error:
            raise ArgumentError(f"{printable(args.output)} cannot be written: {error.strerror or error}") from None
        say(f"{printable(args.output)}  {value(os.path.getsize(args.output), 'bytes')}, {len(rows):,} rows\n")
    elif args.form in ("csv", "json") or args.output == "-":
        for text in text_of(rows, args.form or "csv"):
            say(text)
    elif args.form:
        raise ArgumentError(f"--{args.form} needs a file: -o FILE.{args.form}")
    else:
        say(_text(rows, width) + "\n")


def _text(rows: Relation, width: int) -> str:
    """Aligned columns; of many those at the end are left out, and named."""
    listed = list(rows)
    cells = [[_cell(row[column.name], column) for column in rows.columns] for row in listed]
    names = [column.name for column in rows.columns]
    text, fit = table(names, cells, [column.dtype == "text" for column in rows.columns], width)
    hidden = f"\nhidden, since they do not fit: {', '.join(map(printable, names[fit:]))}" if fit < len(names) else ""
    return text + hidden


def _cell(cell: Scalar, column: Column) -> str:
    if isinstance(cell, str):
        return printable(cell)
    return value(cell, unit_of(column.name, column.unit))


def schema(as_json: bool) -> Iterator[str]:
    """The tables, their columns with types and units, and the views."""
    from ..relations import VIEWS, names, shape_of

    if as_json:
        yield json.dumps({name: _declared(name) for name in names()}, separators=(",", ":"))
        return
    for name in names():
        shape = shape_of(name)
        yield f"{name}: {shape.help}"
        for column in shape.columns:
            unit = f", {column.unit}" if column.unit else ""
            yield f"  {column.name} ({column.dtype}{unit}): {column.help}"
    for view in VIEWS:
        yield f"{view.name} (view): {view.help}\n  {view.query}"


def _declared(name: str) -> dict[str, object]:
    from ..relations import shape_of

    shape = shape_of(name)
    columns = [{"name": c.name, "dtype": c.dtype, "unit": c.unit, "help": c.help} for c in shape.columns]
    return {"help": shape.help, "columns": columns}
