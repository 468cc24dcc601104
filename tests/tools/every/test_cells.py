"""A column's cells follow its name: columns declared in another order give the same answer, each under its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Column, evaluate, tabulate
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import listed
from tensorboard_perfplugin.tools.declaration import Result, Tool
from tests.tools.every.pages import SAMPLES, files

CAPTURES = [path for path in files(SAMPLES) if path.suffix != ".json"]


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: "/".join(path.parts[-5:]))
def test_cells_follow_their_names(path: Path) -> None:
    timeline = Timeline(decode.read(str(path)), "host")
    tools = [tool for tool in listed() if not tool.nothing(timeline)]
    expected = {tool.name: _values(_result(tool, timeline)) for tool in tools}
    with _reversed():
        for tool in tools:
            assert _values(_result(tool, timeline)) == expected[tool.name]


def test_a_cell_is_a_function_or_an_attribute() -> None:
    class Row:
        name, total_ps, mean_ps = "a", 3_000_000, None

    columns = (
        Column.text("name", "The attribute of its name."),
        Column.us("sum_us", "Picoseconds, converted.", "total_ps"),
        Column.us("mean_us", "Unknown stays unknown.", "mean_ps"),
        Column.count("letters", "A function.", lambda row: len(row.name)),
    )
    assert evaluate(columns, Row()) == {"name": "a", "sum_us": 3.0, "mean_us": None, "letters": 1}
    assert tabulate(columns[:2], [Row(), Row()]) == {"name": ["a", "a"], "sum_us": [3.0, 3.0]}
    assert tabulate(columns[:2], []) == {"name": [], "sum_us": []}


@contextmanager
def _reversed() -> Iterator[None]:
    """All tables' columns, and all summaries, in the opposite order."""
    specs = {id(spec): spec for tool in listed() for spec in tool.tables}.values()
    modules = [module for name, module in sys.modules.items() if name.startswith("tensorboard_perfplugin.tools.")]
    summaries = [module for module in modules if hasattr(module, "SUMMARY")]
    _turn(specs, summaries)
    try:
        yield
    finally:
        _turn(specs, summaries)


def _turn(specs: Any, modules: list[ModuleType]) -> None:
    for spec in specs:
        object.__setattr__(spec, "columns", spec.columns[::-1])
    for module in modules:
        module.SUMMARY = module.SUMMARY[::-1]  # type: ignore[attr-defined]


def _result(tool: Tool, timeline: Timeline) -> Result:
    options = tool.parse({})
    part = tool.per_host(timeline, options)
    sided = tool.sided
    return tool.combine([sided(part, side, "run") for side in ("base", "new")] if sided else [part], options)


def _values(result: Result) -> tuple[dict[str, Any], dict[str, dict[str, list[Any]]]]:
    """By name, in no order."""
    tables = {
        name: {key: np.asarray(cells, object).tolist() for key, cells in columns.items()}
        for name, columns in result.tables.items()
    }
    return result.summary, tables
