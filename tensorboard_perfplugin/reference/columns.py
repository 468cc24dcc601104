"""The tools' declarations → an entry a tool, and the site's page of all columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..answers.table_of_runs import RUNS
from ..errors import NotFoundError, suggestion
from ..tables import Column, Option, TableSpec
from ..tools import ASKED, Tool, find_tool, listed
from .text import rows

_HEAD = """# Columns and options of every tool

Generated from the tools' declarations; `perfplugin columns TOOL` prints the same. The reason for a null is in
`unknown`. Names end in the unit: `ps` `ns` `us` `ms` are times, `share` is 0 to 1, `count` is a number of items. Terms
are defined in the [glossary](glossary.md)."""


class Entry(NamedTuple):
    """What a tool declares for its reader; the table of runs has no question, options or summary."""

    name: str
    question: str
    help: str
    aliases: tuple[str, ...]
    options: tuple[Option, ...]
    summary: tuple[Column, ...]
    tables: tuple[TableSpec, ...]

    def groups(self) -> list[tuple[str, str, tuple[Column, ...]]]:
        """Name, title and columns of the summary, where there is one, and of each table."""
        summary = [("summary", "Summary", self.summary)] if self.summary else []
        return summary + [(table.name, table.title, table.columns) for table in self.tables]


_RUNS = Entry("runs", "", f"The table of all runs. {RUNS.help}", (), (), (), (RUNS,))


def entries() -> list[Entry]:
    return [*map(_of_tool, (*listed(), *map(find_tool, ASKED))), _RUNS]


def entry(name: str) -> Entry:
    """By name or alias. Raises NotFoundError that names similar tools."""
    if name == _RUNS.name:
        return _RUNS
    try:
        return _of_tool(find_tool(name))
    except NotFoundError as error:
        known = [each for tool in entries() for each in (tool.name, *tool.aliases)]
        raise NotFoundError(f"{error}{suggestion(name, known)}") from None


def _of_tool(tool: Tool) -> Entry:
    return Entry(tool.name, tool.question, tool.help, tool.aliases, tool.options, tool.summary, tool.tables)


def page() -> str:
    return "\n".join([_HEAD, *(line for each in entries() for line in _section(each))]) + "\n"


def _section(tool: Entry) -> Iterator[str]:
    question = f"*{tool.question}* " if tool.question else ""
    aliases = f" Also called {', '.join(f'`{alias}`' for alias in tool.aliases)}." if tool.aliases else ""
    yield from ("", f"## {tool.name}", "", f"{question}{tool.help}{aliases}")
    if tool.options:
        options = [(f"`{o.name}`", ", ".join(o.choices) or o.kind, str(o.default), o.help) for o in tool.options]
        yield from ("", "### Options", "", *rows(("option", "values", "default", "meaning"), options))
    if tool.summary:
        yield from ("", "### Summary", "", *_columns(tool.summary, tool.name))
    for table in tool.tables:
        yield from ("", f"### Table `{table.name}`: {table.title}", "", table.help, "")
        yield from _columns(table.columns, f"{tool.name}.{table.name}")


def _columns(declared: Sequence[Column], place: str) -> Iterator[str]:
    """place: what anchors of these columns begin with; a page's help leads to them."""
    body = [(f'<a id="{place}.{c.name}"></a>`{c.name}`', c.unit, c.help) for c in declared]
    return rows(("column", "unit", "meaning"), body)
