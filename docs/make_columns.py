"""The tools' declarations → docs/columns.md. `make docs` runs it, and a test holds the page to what it prints."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from tensorboard_perfplugin.tables import Column
from tensorboard_perfplugin.tools import TOOLS, Option, Tool

HEAD = """# What every tool tells

Made by `make docs` from the tools' declarations; `perfplugin columns TOOL` prints the same. A null has its reason
beside it, in `unknown`. The unit is also in the name: `share` is 0 to 1, `ps` `ns` `us` `ms` are times, `count` is how
many."""


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from ("| " + " | ".join(head) + " |", "|" + "---|" * len(head))
    yield from ("| " + " | ".join(map(cell, row)) + " |" for row in body)


def columns(declared: Sequence[Column]) -> Iterator[str]:
    return rows(("column", "unit", "meaning"), [(f"`{c.name}`", c.unit, c.help) for c in declared])


def options(declared: Sequence[Option]) -> Iterator[str]:
    body = [(f"`{o.name}`", ", ".join(o.choices) or o.kind, str(o.default), o.help) for o in declared]
    return rows(("option", "accepts", "without it", "meaning"), body)


def tool_page(tool: Tool) -> Iterator[str]:
    also = f" Also called {', '.join(f'`{alias}`' for alias in tool.aliases)}." if tool.aliases else ""
    yield from ("", f"## {tool.name}", "", f"*{tool.question}* {tool.help}{also}")
    if tool.options:
        yield from ("", "### Options", "", *options(tool.options))
    if tool.summary:
        yield from ("", "### Summary", "", *columns(tool.summary))
    for table in tool.tables:
        yield from ("", f"### Table `{table.name}`: {table.title}", "", table.help, "", *columns(table.columns))


def page() -> str:
    return "\n".join([HEAD, *(line for tool in TOOLS for line in tool_page(tool))]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
