"""The tools' declarations → frontend/src/generated/columns.ts: the names of answers as types; `tsc` finds wrong ones.

`make lint`, `make test-frontend` and `make build` make the file anew when a source of the package has changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from tensorboard_perfplugin.answers.table_of_runs import RUNS
from tensorboard_perfplugin.tables import TableSpec
from tensorboard_perfplugin.tools import listed

HEAD = """// Made by frontend/make_columns.py from the tools' declarations. Types only: nothing of it is in the bundle.

/** Tool → its options, what its summary holds, and its tables with their columns. */
export interface Declared {"""

TAIL = """}

export type ToolName = keyof Declared;
export type TableOf<T extends ToolName> = keyof Declared[T]["tables"] & string;
export type ColumnOf<T extends ToolName, N extends TableOf<T>> = Declared[T]["tables"][N] & string;
export type SummaryOf<T extends ToolName> = Declared[T]["summary"];

type ColumnsOf<T extends ToolName> = { [N in TableOf<T>]: ColumnOf<T, N> }[TableOf<T>];

/** Of any tool. */
export type TableName = { [T in ToolName]: TableOf<T> }[ToolName];
export type ColumnName = { [T in ToolName]: ColumnsOf<T> }[ToolName];
export type SummaryName = { [T in ToolName]: SummaryOf<T> }[ToolName];
export type OptionName = { [T in ToolName]: Declared[T]["options"] }[ToolName];
"""


def union(members: Iterable[str]) -> str:
    return " | ".join(f'"{member}"' for member in members) or "never"


def lines(name: str, options: Iterable[str], summary: Iterable[str], tables: Iterable[TableSpec]) -> Iterator[str]:
    yield f"  {name}: {{"
    yield f"    options: {union(options)};"
    yield f"    summary: {union(summary)};"
    yield "    tables: {"
    yield from (f"      {table.name}: {union(column.name for column in table.columns)};" for table in tables)
    yield from ("    };", "  };")


def text() -> str:
    declared = [
        lines(tool.name, (o.name for o in tool.options), (c.name for c in tool.summary), tool.tables)
        for tool in listed()
    ]
    # The table of runs is no tool's.
    runs = lines("runs", (), (), [RUNS])
    return "\n".join([HEAD, *(line for tool in [*declared, runs] for line in tool), TAIL])


if __name__ == "__main__":
    sys.stdout.write(text())
