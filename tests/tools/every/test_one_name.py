"""What two pages call by one name is one number: scalars of a run, and columns of the rows that two tables share."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tensorboard_perfplugin.tools import TOOLS
from tensorboard_perfplugin.tools.declaration import Tool
from tests.tools.every.pages import SAMPLES, Page, all_pages, pages_of

#: Of what a page shows by its own choice: the program that is looked at, and how much of a table or window is shown.
OF_THE_PAGE = {"program", "shown_count"}
#: The place in a table's own order.
PLACE = "rank"
#: Ends of names of times → in ps.
_UNITS = {"_ps": 1, "_ns": 1e3, "_us": 1e6, "_ms": 1e9}


class Table(NamedTuple):
    """A page's table; key: columns that say which row is which; given: the values that all its rows have."""

    tool: str
    name: str
    key: tuple[str, ...]
    given: tuple[str, ...] = ()


#: Tables of which a row is the same thing where their keys are.
SAME_ROWS = (
    (
        Table("overview", "steps", ("step", "name", "start_ms")),
        Table("input_pipeline", "steps", ("step", "name", "start_ms")),
    ),
    (
        Table("overview", "device_ops", ("name", "type", "module"), ("device",)),
        Table("op_stats", "ops", ("name", "type", "module", "side")),
    ),
    (
        Table("overview", "host_ops", ("name", "type", "module"), ("host",)),
        Table("op_stats", "ops", ("name", "type", "module", "side")),
    ),
    (Table("overview", "devices", ("host", "device")), Table("kernel_stats", "devices", ("host", "device"))),
    (Table("overview", "programs", ("program",)), Table("hlo_stats", "programs", ("program",))),
    (
        Table("hlo_stats", "instructions", ("program", "instruction", "side")),
        Table("op_profile", "profile", ("program", "instruction", "side")),
    ),
    (
        Table("hlo_stats", "instructions", ("program", "instruction")),
        Table("roofline", "ops", ("program", "name")),
    ),
    (Table("input_pipeline", "ops", ("op",)), Table("tf_data", "bottlenecks", ("stage_name",))),
    *(
        (Table("hlo_stats", "programs", ("program",)), Table(tool, "programs", ("program",)))
        for tool in ("op_profile", "roofline", "memory_viewer", "graph_viewer")
    ),
)


def of_its_own(tool: Tool) -> set[str]:
    """Names of scalars that count a page's own rows, or say what it shows."""
    return {spec.count or f"{spec.name}_rows" for spec in tool.tables} | OF_THE_PAGE


def is_same(one: Any, other: Any) -> bool:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other))
    return math.isclose(one, other, rel_tol=1e-9) if numbers else bool(one == other)


def differing_scalars(pages: Mapping[str, Page]) -> Iterator[str]:
    """Names of one run's scalars that are not the same on two pages; what one does not know, none does."""
    values: dict[str, dict[str, Any]] = defaultdict(dict)
    for tool in TOOLS:
        if tool.name in pages:
            for name, value in pages[tool.name].result.summary.items():
                if name not in of_its_own(tool):
                    values[name][tool.name] = value
    for name, on in values.items():
        first = next(iter(on.values()))
        if not all(is_same(first, value) for value in on.values()):
            yield f"{name}: {on}"


def rows(page: Page, table: Table) -> dict[tuple[Any, ...], dict[str, Any]]:
    """By key, those whose key no other has; times in ps, under their names without a unit."""
    columns = page.result.tables.get(table.name, {})
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for cells in zip(*columns.values(), strict=True):
        row = dict(zip(columns, (cell.item() if hasattr(cell, "item") else cell for cell in cells), strict=True))
        key = (*(row[name] for name in table.key), *table.given)
        found[key].append(dict(_in_ps(name, value) for name, value in row.items() if name not in table.key))
    return {key: each[0] for key, each in found.items() if len(each) == 1}


def _in_ps(name: str, value: Any) -> tuple[str, Any]:
    for ending, factor in _UNITS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), None if value is None else value * factor
    return name, value


def differing_cells(pages: Mapping[str, Page]) -> Iterator[str]:
    """Of rows that two tables share the columns that are not the same in both, where both know them."""
    for one, other in SAME_ROWS:
        if one.tool not in pages or other.tool not in pages:
            continue
        here, there = rows(pages[one.tool], one), rows(pages[other.tool], other)
        for key in here.keys() & there.keys():
            for name in (here[key].keys() & there[key].keys()) - {PLACE}:
                values = here[key][name], there[key][name]
                if None not in values and not is_same(*values):
                    yield f"{one.tool}.{one.name} and {other.tool}.{other.name} of {key}: {name} is {values}"


def check(*roots: Path) -> tuple[list[str], int]:
    """What has one name and two values, and of how many files."""
    wrong, seen = [], 0
    for pages in all_pages(*roots):
        seen += len(pages) > 1
        file = next(iter(pages.values())).file
        wrong += [f"{file}: {each}" for each in (*differing_scalars(pages), *differing_cells(pages))]
    return wrong, seen


def test_a_name_that_pages_share_is_declared_once() -> None:
    """Sentences that differ are of two things; pages of Python functions never stand beside the others."""
    declared = defaultdict(set)
    for tool in TOOLS:
        if not tool.of_functions_alone:
            for column in tool.summary:
                if column.name not in of_its_own(tool):
                    declared[column.name].add(column)
    assert {name: columns for name, columns in declared.items() if len(columns) > 1} == {}
    assert len(declared) > 200


def test_of_samples() -> None:
    wrong, seen = check(SAMPLES)
    assert wrong == []
    assert seen > 6


def test_of_two_hosts() -> None:
    pages = pages_of(*sorted((SAMPLES / "two_hosts").rglob("*.xplane.pb")))
    assert pages["overview"].result.summary["host_count"] == 2
    assert [*differing_scalars(pages), *differing_cells(pages)] == []


def test_tables_share_rows() -> None:
    """Where no key of one table were a key of the other, nothing would be compared."""
    shared = {
        (one.tool, other.tool)
        for pages in all_pages(SAMPLES)
        for one, other in SAME_ROWS
        if one.tool in pages and other.tool in pages
        if rows(pages[one.tool], one).keys() & rows(pages[other.tool], other).keys()
    }
    assert shared >= {
        ("overview", "input_pipeline"),
        ("overview", "op_stats"),
        ("overview", "kernel_stats"),
        ("hlo_stats", "op_profile"),
        ("hlo_stats", "roofline"),
        ("input_pipeline", "tf_data"),
    }


@pytest.mark.slow
def test_of_shared_captures(shared_captures: Path) -> None:
    wrong, seen = check(shared_captures)
    assert wrong == []
    assert seen > 80


@pytest.mark.slow
def test_of_shared_captures_of_several_hosts(shared_captures: Path) -> None:
    runs = ("remote_multi", "tfprofiler-demo-gpu-multi-worker")
    for run in runs:
        pages = pages_of(*sorted((shared_captures / "xplane" / run).rglob("*.xplane.pb")))
        assert len(pages) > 3
        assert [*differing_scalars(pages), *differing_cells(pages)] == [], run


@pytest.mark.parametrize(("name", "other"), [("overview", "kernel_stats"), ("overview", "input_pipeline")])
def test_two_values_are_seen(name: str, other: str) -> None:
    """Of a page whose scalars are another's, but for one."""
    pages = pages_of(SAMPLES / "gpu_streams/plugins/profile/2026_11_20_09_00_00/trainer.xplane.pb")
    pages = {tool: pages[tool] for tool in (name, other)}
    assert list(differing_scalars(pages)) == []
    shared = "host_count"
    for i, page in enumerate(pages.values()):
        page.result.summary[shared] = i
    assert list(differing_scalars(pages)) == [f"{shared}: {{'{name}': 0, '{other}': 1}}"]
