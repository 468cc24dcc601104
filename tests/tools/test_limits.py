"""What tools take and give, just within and just beyond the numbers that bound it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.idle import WHOLE
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import Options
from tensorboard_perfplugin.timeline import Op
from tensorboard_perfplugin.tools import find_tool, memory_profile, overview, pod_viewer
from tensorboard_perfplugin.tools.memory_profile.cells import type_name
from tensorboard_perfplugin.tools.op_stats.scopes import _grow, _Growing
from tensorboard_perfplugin.tools.overview.tpu import programs_table
from tensorboard_perfplugin.tools.pod_viewer import idle_table
from tensorboard_perfplugin.tools.pod_viewer.columns import IDLE
from tensorboard_perfplugin.tools.shared.op_tables import use_cells
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tensorboard_perfplugin.tools.trace_viewer.steps import steps_table


@pytest.mark.parametrize(
    ("tool", "option", "default", "low", "high"),
    [
        ("memory_profile", "pixels", 1000, 1, 10_000),
        ("memory_viewer", "points", 4000, 1, 1_000_000),
        ("op_stats", "limit", 20_000, 0, 1_099_511_627_776),
        ("pod_viewer", "step_count", None, 1, 100_000),
        ("tf_data", "execution", -1, -1, 1_099_511_627_776),
        ("trace_viewer", "width", 1000, 1, 8192),
        ("trace_viewer", "offset", 0, 0, 10_000_000),
    ],
)
def test_options_have_bounds(tool: str, option: str, default: int | None, low: int, high: int) -> None:
    parse = find_tool(tool).parse
    assert parse({})[option] == default
    assert [parse({option: str(value)})[option] for value in (low, high)] == [low, high]
    for beyond in (low - 1, high + 1):
        with pytest.raises(ArgumentError, match=option):
            parse({option: str(beyond)})


def test_twenty_memory_systems_are_named() -> None:
    names = [f"s{i}" for i in range(25)]
    with pytest.raises(ArgumentError, match=re.escape(f"use one of {', '.join(names[:20])} and 5 more")):
        memory_profile._refuse("x", names)


def test_a_millisecond_around_a_peak_outside_of_steps_is_shown() -> None:
    none: Any = SimpleNamespace(begin_ps=np.empty(0, np.int64), until_ps=np.empty(0, np.int64))
    assert memory_profile._around(none, 5_000_000_000) == (4_000_000_000, 6_000_000_000)


def test_types_from_101_on_are_references() -> None:
    assert [type_name(number) for number in (1, 100, 101, 102)] == ["float", "100", "float_ref", "double_ref"]


@pytest.mark.parametrize(("known", "added"), [(499_999, ["a", "b"]), (500_000, ["a/b"])])
def test_a_side_has_500_000_scopes(known: int, added: list[str]) -> None:
    """And the ops in them."""
    grown = _Growing({}, [-1] * known, [""] * known)
    _grow(grown, "a/b")
    assert [part for _, part in grown.number] == added


def test_ten_ops_are_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    row = SimpleNamespace(occurrences=1, self_ps=10, eager_share=None, wait_share=None)
    monkeypatch.setattr(overview, "ranked", lambda rows, side: [((f"op{i}", ""), row) for i in range(30)])
    assert len(overview._top({}, "host")) == 10


def test_1000_programs_are_listed() -> None:
    host: Any = SimpleNamespace(programs={f"p{i}": (1, 1) for i in range(3000)}, cores=())
    assert len(programs_table([host])["program"]) == 1000


@pytest.mark.parametrize(("steps", "shown"), [(None, 20_000), (150_000, 100_000), (30_000, 30_000)])
def test_20_000_steps_of_workers_are_shown_and_100_000_where_asked_for(steps: int | None, shown: int) -> None:
    count = 300_000
    run = SimpleNamespace(number=np.arange(count))
    found: Any = SimpleNamespace(work_ps=np.empty((1, count)), workers=[None], means=SimpleNamespace(run=run))
    options: Options = {"step_count": steps, "step": None}
    assert pod_viewer._window(found, options) == (0, shown)


def test_20_000_streams_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {column.name: WHOLE if column.name == "stream" else 0 for column in IDLE.columns}
    monkeypatch.setattr(idle_table, "_rows", lambda *_: [row] * 50_000)
    assert len(idle_table.table([()], [()])["stream"]) == 20_000


@pytest.mark.parametrize(("wait_share", "bound_by"), [(0.9989, "memory"), (0.9991, "")])
def test_an_op_that_waits_for_999_parts_of_1000_is_bound_by_nothing(wait_share: float, bound_by: str) -> None:
    use = SimpleNamespace(cells=lambda: (*range(5), "memory", 0.5, None))
    row: Any = SimpleNamespace(use=use, wait_share=wait_share)
    assert use_cells(Op("a", "Add"), row)[5] == bound_by


def test_slow_calls_are_told_in_microseconds() -> None:
    helps = " ".join(column.help for table in TF_DATA.tables for column in table.columns)
    assert "Calls of more than 50 µs." in helps


def test_20_000_steps_are_drawn() -> None:
    n = 50_000
    numbers = np.arange(n)
    steps = SimpleNamespace(
        number=numbers, name=["s"] * n, begin_ps=numbers, until_ps=numbers, lane=numbers, row=numbers
    )
    part: Any = SimpleNamespace(host="h", split=SimpleNamespace(steps=Sized(n, vars(steps))))
    assert [len(column) for column in steps_table([part], [0]).values()] == [20_000] * 7


class Sized(SimpleNamespace):
    """Columns of so many rows."""

    def __init__(self, count: int, columns: dict[str, Any]) -> None:
        super().__init__(**columns)
        self._count = count

    def __len__(self) -> int:
        return self._count
