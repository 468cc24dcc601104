"""Counters and memory in use in a window: whole tables of small captures."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tensorboard_perfplugin.tools.trace_viewer import window as counters_question
from tensorboard_perfplugin.trace import counters as trace_counters
from tensorboard_perfplugin.trace.lanes import Window
from tests.build_capture import Space, StatValue, Uint
from tests.trace.test_viewer import ask, opened, rows

COUNTERS = (1 << 63) - 1


def power() -> Space:
    space = Space()
    gpu = space.plane("/device:GPU:0")
    gpu.line(7, "Stream #7").event("k", 0, 1000)
    line = gpu.line(COUNTERS, "_counters_")
    for at, watts in ((100, 50.0), (210, 70.0), (240, 30.0), (260, 40.0), (900, 45.0)):
        line.event("power", at, 0, stats={"power": watts})
    line.event("clock", 500, 0, stats={"clock": Uint((1 << 64) - 1)}).event("told nothing", 600, 0)
    return space


def test_a_counter_by_pixel_and_the_value_that_holds_when_the_window_begins() -> None:
    answer = ask(opened(power()), start_ps=200, end_ps=600, width=4)
    tables = answer.to_dict()["tables"]
    assert tables["counter_tracks"]["columns"] == {
        "host": ["h", "h"],
        "track": [1, 2],
        "name": ["power", "clock"],
        "unit": ["", ""],
        "samples": [3, 1],
        "low": [30.0, float((1 << 64) - 1)],
        "high": [70.0, float((1 << 64) - 1)],
    }
    assert tables["counters"]["columns"] == {
        "track": [0, 0, 1],
        "start_ps": [-100, 10, 300],
        "min": [50.0, 30.0, float((1 << 64) - 1)],
        "max": [50.0, 70.0, float((1 << 64) - 1)],
        "last": [50.0, 40.0, float((1 << 64) - 1)],
        "count": [1, 3, 1],
    }


def test_counters_are_no_slices() -> None:
    answer = ask(opened(power()), width=100)
    assert rows(answer, "window_tracks", "track", "shown") == [(0, 1)]
    only = ask(opened(power()), width=100, tracks="1-2")
    assert rows(only, "slices") == []
    assert rows(only, "counter_tracks", "name") == [("power",), ("clock",)]


def test_each_counter_of_a_line_is_a_track() -> None:
    """Of several on one track the page showed the last."""
    answer = ask(opened(power()))
    assert rows(answer, "tracks", "track", "kind", "group", "name", "events") == [
        (0, "stream", "gpu0 streams", "Stream #7", 1),
        (2, "counter", "gpu0 counters", "clock", 1),
        (1, "counter", "gpu0 counters", "power", 5),
    ]
    assert answer.result.summary["track_count"] == 3
    assert rows(ask(opened(power()), width=100, tracks="2"), "counter_tracks", "name") == [("clock",)]


def test_memory_in_use_is_a_track_of_its_own() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for at, name, size, used in ((10, "MemoryAllocation", 100, 100), (20, "MemoryAllocation", 50, 150)):
        stats: dict[str, StatValue] = {"allocator_name": "GPU_0_bfc", "allocation_bytes": size, "bytes_allocated": used}
        line.event(name, at, 0, stats=stats | {"addr": at, "bytes_available": 0})
    freed: dict[str, StatValue] = {
        "allocator_name": "GPU_0_bfc",
        "allocation_bytes": 100,
        "bytes_allocated": 50,
        "addr": 10,
    }
    line.event("MemoryDeallocation", 30, 0, stats=freed)
    space.plane("/device:GPU:0").line(7, "Stream #7").event("k", 0, 40)
    timeline = opened(space)
    answer = ask(timeline, width=41)
    assert answer.result.summary["track_count"] == 3
    columns = ("plane", "process", "track", "name", "kind", "lanes", "events", "group")
    assert rows(answer, "tracks", *columns)[-1] == (1, "/device:GPU:0", 2, "GPU_0_bfc in use", "memory", 0, 3, "memory")
    assert rows(answer, "counter_tracks") == [("h", 2, "GPU_0_bfc in use", "bytes", 3, 50.0, 150.0)]
    assert rows(answer, "counters", "start_ps", "last") == [(10, 100.0), (20, 150.0), (30, 50.0)]
    assert rows(ask(timeline, tracks="2", start_ps=25, end_ps=35), "counters", "start_ps", "last") == [
        (-5, 150.0),
        (5, 50.0),
    ]
    with pytest.MonkeyPatch.context() as patch:
        # Of very many events what the allocator records is taken as it is.
        patch.setattr(trace_counters, "_MATCHED_MAX", 2)
        assert rows(ask(timeline, width=41), "counters") == rows(answer, "counters")
    assert rows(ask(timeline, tracks="2"), "slices") == []
    assert rows(ask(timeline, tracks="2", search="Memory"), "hits") == []
    options = MEMORY_PROFILE.parse({})
    found = MEMORY_PROFILE.combine([MEMORY_PROFILE.per_host(timeline, options)], options)
    assert list(found.tables["systems"]["track"]) == [2], "what the memory page leads to"
    assert [place.track for place in found.findings[0].evidence] == [2]


def test_many_counters_share_the_rows_of_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(COUNTERS, "_counters_")
    for i in range(20):
        for at in range(10):
            line.event(f"c{i}", at * 10, 0, stats={f"c{i}": at})
    monkeypatch.setattr(trace_counters, "COUNTER_ROWS_MAX", 40)
    monkeypatch.setattr(counters_question, "COUNTER_ROWS_MAX", 40)
    monkeypatch.setattr(trace_counters, "COUNTERS_MAX", 10)
    answer = ask(opened(space), width=8192)
    assert len(rows(answer, "counter_tracks")) == 10
    assert len(rows(answer, "counters")) == 40
    assert sum(count for (count,) in rows(answer, "counters", "count")) == 100


def test_values_that_are_no_numbers_are_left_out() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(COUNTERS, "_counters_")
    values: list[StatValue] = [float("nan"), float("inf"), "text", 3]
    for at, value in enumerate(values):
        line.event("c", at, 0, stats={"c": value})
    assert rows(ask(opened(space)), "counters", "last", "count") == [(3.0, 1)]


def test_more_rows_than_fit_are_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters of 64 hosts were half a million rows. The first row is the value that holds when the window begins."""
    space = Space()
    line = space.plane("/device:GPU:0").line(COUNTERS, "_counters_")
    for i in range(10):
        line.event("power", 10 * i, 0, stats={"power": float(i)})
    found = [opened(space), opened(space)]
    parts = [cut for t in found for cut in trace_counters.cut_counters(t, None, Window(0, 100), 10)]
    monkeypatch.setattr(counters_question, "COUNTER_ROWS_MAX", 7)
    tables = counters_question.counter_tables([("a", 0, parts[:1]), ("b", 5, parts[1:])])
    cells = {name: list(column) for name, column in tables["counters"].items()}
    assert cells["track"] == [0] * 4 + [1] * 4
    assert cells["start_ps"] == [0, 30, 60, 90, 5, 35, 65, 95]
    assert cells["min"][:4] == [0.0, 3.0, 6.0, 9.0]
    assert cells["max"][:4] == [2.0, 5.0, 8.0, 9.0]
    assert cells["last"][:4] == [2.0, 5.0, 8.0, 9.0]
    assert cells["count"] == [3, 3, 3, 1] * 2


@pytest.mark.parametrize("plane", ["/device:GPU:0", "/device:TPU:0", "/host:CPU"])
@pytest.mark.parametrize("start_ps", [None, 1 << 63], ids=["no event", "out of range"])
def test_a_counter_line_of_which_no_event_is_shown(plane: str, start_ps: int | None) -> None:
    """The page ended in ValueError: a split of nothing is one part, of no name."""
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("work", 0, 1000)
    line = space.plane(plane).line(COUNTERS, "_counters_")
    if start_ps is not None:
        line.event("power", start_ps, 0, stats={"power": 50.0})
    answer = ask(opened(space), width=10)
    assert "counter_tracks" not in answer.result.tables
    assert answer.result.tables["window_tracks"]["shown"] == [1]
