"""`python -m tests.promised > tests/promised.json`: what users may build on, from the declarations, at a release."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

import tensorboard_perfplugin
from tensorboard_perfplugin._version import __version__
from tensorboard_perfplugin.cli.commands import FIXED
from tensorboard_perfplugin.tools import OF_TWO, TOOLS, Tool, find_tool
from tensorboard_perfplugin.web.routes import ROUTES


def promised() -> dict[str, Any]:
    """version: of the release. names: each a path of words, of which none may go before the next major version."""
    return {"version": __version__, "names": sorted(names())}


def names() -> Iterator[str]:
    yield from (f"command {name}" for name in FIXED)
    yield from (f"route {name}" for name in ROUTES)
    for tool in (*TOOLS, *map(find_tool, OF_TWO)):
        yield from (f"tool {tool.name} {name}" for name in of_tool(tool))
    for name in tensorboard_perfplugin.__all__:
        yield f"python {name}"
        yield from (f"python {name} {parameter}" for parameter in parameters(name))


def of_tool(tool: Tool) -> Iterator[str]:
    yield from (f"alias {name}" for name in tool.aliases)
    yield from (f"option {option.name}" for option in tool.options)
    yield from (f"summary {column.name} {column.unit}".rstrip() for column in tool.summary)
    for table in tool.tables:
        yield from (f"table {table.name} {column.name} {column.unit}".rstrip() for column in table.columns)


def parameters(name: str) -> list[str]:
    """Of a function; of a class what it has."""
    given = getattr(tensorboard_perfplugin, name)
    if inspect.isclass(given) and name == "Profile":
        return [each for each in dir(given) if not each.startswith("_")]
    return list(inspect.signature(given).parameters) if callable(given) else []


if __name__ == "__main__":
    print(json.dumps(promised(), indent=0))  # noqa: T201 - its purpose
