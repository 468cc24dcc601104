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


@pytest.mark.parametrize(("part_us", "count"), [(50, 20), (51, 0)])
def test_an_operator_whose_part_computes_is_none(tmp_path: Path, part_us: float, count: int) -> None:
    """A layer of 90 µs that makes nine more calls, one of which multiplies matrices."""
    events = calls(10, 90, inner=8)
    parts = [on_host("aten::addmm", event["ts"] + 20, part_us) for event in events if event["name"] == "aten::add"]
    assert summary(tmp_path, *events, *parts).all_short_calls.times == count


@pytest.mark.parametrize("late_us", [0, 4000])
def test_what_others_had_of_the_processor_is_no_part_of_short_ops(tmp_path: Path, late_us: float) -> None:
    """Each fifth of 200 calls a step lasts 4 ms longer: of what is left of a step they take what they take anyway."""
    events: list[Event] = []
    at = 0.0
    for number in range(2):
        begin = at
        for i in range(200):
            length = 6 + (late_us if i % 5 == 3 else 0)
            events.append(on_host("aten::add", at, length))
            at += length + 1
        events.append(on_host("aten::mm", at, 1000))
        at += 1001
        events.append(step(number, begin, at - begin))
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert (first["code"], first["share"]) == ("short_ops", pytest.approx(1.4 / 2.4, abs=0.01))


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


@pytest.mark.parametrize(("count", "code"), [(100, "short_ops"), (99, "python_bound")])
def test_a_step_of_many_is_named_by_them(tmp_path: Path, count: int, code: str) -> None:
    events = [e for e in calls(count, op_us=18, gap_us=48) if e["ts"] < 30_000]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert first["code"] == code


def test_fetching_numbers_is_said_to_be_that(tmp_path: Path) -> None:
    events = [event | {"name": "aten::item"} if event["name"] == "aten::add" else event for event in calls(400, 4, 20)]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert (first["code"], first["params"]["op"], first["params"]["fetches"]) == ("short_ops", "aten::item", True)
    assert first["share"] == pytest.approx(0.98, abs=0.01)
    assert "tolist()" in first["action"]


@pytest.mark.parametrize(("name", "updates"), [("aten::mul_", 20), ("aten::zero_", 0), ("aten::mul", 0)])
def test_arithmetic_in_place_updates_a_tensor(tmp_path: Path, name: str, updates: int) -> None:
    events = [event | {"name": name} if event["name"] == "aten::add" else event for event in calls(10)]
    assert summary(tmp_path, *events).short_updates.times == updates


def test_parameters_updated_one_by_one_are_told_with_what_does_it_at_once(tmp_path: Path) -> None:
    """Of 300 calls 200 change a tensor in place and 50 fetch one number: an optimizer written by hand."""
    names = ["aten::mul_", "aten::add_", "aten::mul_", "aten::add_", "aten::norm", "aten::item"]
    events = calls(300, op_us=5, gap_us=20)
    for i, event in enumerate(e for e in events if e["name"] == "aten::add"):
        event["name"] = names[i % len(names)]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert first["code"] == "short_ops"
    assert "200 change a tensor in place" in first["title"]
    assert "50 are `aten::item`, which fetches one number" in first["title"]
    assert "`foreach=True` or `fused=True`" in first["action"]
    assert "`torch.nn.utils.clip_grad_norm_`" in first["action"]
