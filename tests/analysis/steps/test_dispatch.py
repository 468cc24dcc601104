"""Short operators of PyTorch that a program calls one by one, and what calling them takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.steps import step_summary
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.timeline import Timeline, split_of
from tests.tools.kineto import Event, ask, on_host, saved, step

US = 10**6


def calls(count: int, op_us: float = 5, gap_us: float = 3, inner: int = 0) -> list[Event]:
    """Two steps of 10 ms with so many calls of an operator each, and a gap after each."""
    events: list[Event] = []
    for number in range(2):
        events.append(step(number, 10_000 * number, 10_000))
        for i in range(count):
            at = 10_000 * number + 100 + i * (op_us + gap_us)
            events.append(on_host("aten::add", at, op_us))
            events += [on_host("aten::to", at + 0.1 + j * 0.2, 0.1) for j in range(inner)]
    return events


def summary(folder: Path, *events: Event) -> StepSummary:
    timeline = Timeline(decode.read(str(saved(folder, *events))), "h")
    return step_summary(timeline, split_of(timeline))


@pytest.mark.parametrize(("op_us", "inner", "count"), [(20, 0, 20), (20.5, 0, 0), (40, 1, 20), (41, 1, 0)])
def test_calls_are_short_by_what_they_call(tmp_path: Path, op_us: float, inner: int, count: int) -> None:
    found = summary(tmp_path, *calls(10, op_us, inner=inner)).all_short_calls
    assert (found.times, found.ps) == (count, round(count * op_us * US))


@pytest.mark.parametrize(("gap_us", "counted_us"), [(50, 50 * 18), (51, 0)])
def test_gaps_between_them_are_their_dispatch_while_short(tmp_path: Path, gap_us: float, counted_us: float) -> None:
    assert summary(tmp_path, *calls(10, gap_us=gap_us)).short_gaps_ps == pytest.approx(counted_us * US)


@pytest.mark.parametrize(("late_us", "counted_us"), [(5000, 5000 + 3 * 17), (5001, 3 * 17)])
def test_a_call_that_was_interrupted_once_is_as_short(tmp_path: Path, late_us: float, counted_us: float) -> None:
    events = calls(10)
    for event in events[-5:]:
        event["ts"] += late_us - 3
    assert summary(tmp_path, *events).short_gaps_ps == pytest.approx(counted_us * US)


def test_what_a_loader_calls_is_none(tmp_path: Path) -> None:
    name = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    found = summary(tmp_path, *calls(10), on_host(name, 50, 9000))
    assert found.all_short_calls.times == 10


@pytest.mark.parametrize(("count", "code"), [(200, "short_ops"), (199, "python_bound")])
def test_a_step_of_many_is_named_by_them(tmp_path: Path, count: int, code: str) -> None:
    events = [e for e in calls(count, op_us=8, gap_us=40) if e["ts"] < 30_000]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert first["code"] == code


def test_fetching_numbers_is_said_to_be_that(tmp_path: Path) -> None:
    events = [event | {"name": "aten::item"} if event["name"] == "aten::add" else event for event in calls(400, 4, 20)]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert (first["code"], first["params"]["op"], first["params"]["fetches"]) == ("short_ops", "aten::item", True)
    assert first["share"] == pytest.approx(0.98, abs=0.01)
    assert "tolist()" in first["action"]
