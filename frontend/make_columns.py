"""The tools' declarations → frontend/src/generated/columns.ts: the names of answers as types; `tsc` finds wrong ones.

`make build` runs it, and tests/test_static.py holds the committed file to what it prints.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from tensorboard_perfplugin.answers.table_of_runs import RUNS
from tensorboard_perfplugin.tools import Tool, listed

HEAD = """// Made by frontend/make_columns.py from the tools' declarations, by `make build`. Types only: nothing
// of it is in the bundle.

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
WIDTH = 120


def union(name: str, members: Iterable[str], indent: int) -> Iterator[str]:
    """`name: "a" | "b";`, one member a line where they do not fit into one, as prettier has it."""
    blanks = " " * indent
    quoted = [f'"{member}"' for member in members] or ["never"]
    together = " | ".join(quoted)
    if len(blanks) + len(name) + len(together) + 3 <= WIDTH:
        yield f"{blanks}{name}: {together};"
        return
    yield f"{blanks}{name}:"
    if len(blanks) + len(together) + 3 <= WIDTH:
        yield f"{blanks}  {together};"
        return
    yield from (f"{blanks}  | {one}{';' if i == len(quoted) - 1 else ''}" for i, one in enumerate(quoted))


def lines(tool: Tool) -> Iterator[str]:
    yield f"  {tool.name}: {{"
    yield from union("options", (option.name for option in tool.options), 4)
    yield from union("summary", (column.name for column in tool.summary), 4)
    yield "    tables: {"
    for table in tool.tables:
        yield from union(table.name, (column.name for column in table.columns), 6)
    yield from ("    };", "  };")


def runs_lines() -> Iterator[str]:
    """The table of runs: no tool's, and said as one's."""
    yield from ("  runs: {", "    options: never;", "    summary: never;", "    tables: {")
    yield from union(RUNS.name, (column.name for column in RUNS.columns), 6)
    yield from ("    };", "  };")


def text() -> str:
    return "\n".join([HEAD, *(line for tool in listed() for line in lines(tool)), *runs_lines(), TAIL])


if __name__ == "__main__":
    sys.stdout.write(text())
