"""Stretches of Python without an event: pauses of the processor, checkpoints, and after what they lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.steps.summary import StepSummary, step_summary
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.tools.kineto import Event, ask, on_host, saved, step

US = 10**6
OPS = ("aten::mm", "aten::relu", "aten::add", "aten::mul")


def summary(folder: Path, events: list[Event]) -> StepSummary:
    timeline = Timeline(decode.read(str(saved(folder, *events))), "h")
    return step_summary(timeline, split_of(timeline))


def steps_of(
    pauses: dict[tuple[int, int], float], count: int = 6, ops: int = 12, last: tuple[str, ...] = ()
) -> list[Event]:
    """Steps of four kinds of op in turn, each of 100 µs and 10 after the one before; at the end of each `last`.

    pauses: µs more after an op, by step and its place among the ops."""
    events, at = [], 0.0
    for number in range(count):
        begin = at
        for i in range(ops):
            events.append(on_host(OPS[i % len(OPS)], at, 100))
            at += 110 + pauses.get((number, i), 0)
        for name in last:
            events.append(on_host(name, at, 5))
            at += 7
        at += pauses.get((number, -1), 0)
        events.append(step(number, begin, at - begin))
        at += 1
    return events


WRITTEN = "(`state_dict`), as while a checkpoint is written"
#: Three pauses of 600 µs, each after another op, of which each step has three.
THREE = {(1, 0): 600.0, (2, 5): 600.0, (4, 2): 600.0}


@pytest.mark.parametrize(
    ("pauses", "interrupted_us"),
    [
        pytest.param(THREE, 3 * 610, id="three places"),
        pytest.param({(1, 0): 600, (2, 5): 600}, 0, id="two places"),
        pytest.param(dict.fromkeys(THREE, 489.0), 0, id="short"),
        pytest.param(
            {**THREE, **dict.fromkeys(((0, 8), (2, 8), (3, 4), (4, 4), (5, 0)), 600.0)},
            0,
            id="a third of the times at one place",
        ),
        pytest.param({(number, 4): 600 for number in range(6)}, 0, id="each step"),
    ],
)
def test_long_gaps_where_others_are_short_at_three_places_are_none_of_the_programs(
    tmp_path: Path, pauses: dict[tuple[int, int], float], interrupted_us: float
) -> None:
    found = summary(tmp_path, steps_of(pauses))
    assert found.interrupted_ps == pytest.approx(interrupted_us * US)


def test_where_one_place_of_a_step_has_most_the_program_does_something_there(tmp_path: Path) -> None:
    """What one of six steps does at its end, 2 ms, is no pause; the other three are."""
    found = summary(tmp_path, steps_of({**THREE, (3, -1): 2000}, last=("aten::sum",)))
    assert found.interrupted_ps == pytest.approx(3 * 610 * US)
    assert found.stretches_ps == pytest.approx((3 * 610 + 2002) * US, abs=2 * US)


def test_pauses_of_the_processor_do_not_make_a_step_python_bound(tmp_path: Path) -> None:
    """Others interrupt a step of 1.2 ms of ops for a third of its time, which was told to be Python's."""
    pauses = dict.fromkeys(enumerate((0, 5, 2, 3, 6, 1)), 600.0)
    first, *rest = ask(saved(tmp_path, *steps_of(pauses)), "overview").to_dict()["findings"]
    assert first["code"] == "computes"
    [python] = [f for f in rest if f["code"] == "python_bound"]
    assert "; 610 µs of it in pauses where there is none as a rule: others had the processor" in python["title"]


@pytest.mark.parametrize(("ms", "told"), [(1.4, True), (1.1, False)])
def test_a_stretch_of_each_step_of_which_nothing_is_recorded_is_said_to_be_that(
    tmp_path: Path, ms: float, told: bool
) -> None:
    """Arrays that are written at a step's end leave no event; beside gaps of 0.1 ms after eleven ops it is most."""
    gaps = {(number, i): 100.0 for number in range(6) for i in range(11)}
    events = steps_of({**gaps, **{(number, 11): 1000 * ms for number in range(6)}})
    [first, *_] = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert first["code"] == "python_bound"
    assert (
        "of it in a stretch of which no thread shows an op or annotation, after `aten::mul`" in first["title"]
    ) is told
    assert "`torch.profiler.profile(with_stack=True)` shows which function it is" in first["action"]


@pytest.mark.parametrize(("reads", "checkpoint"), [(4, True), (3, False)])
def test_what_follows_on_reading_a_state_is_a_checkpoint(tmp_path: Path, reads: int, checkpoint: bool) -> None:
    events = steps_of({(number, -1): 4000 for number in range(6)}, last=("aten::detach",) * reads)
    found = summary(tmp_path, events)
    assert ("checkpoint" in found.kinds) is checkpoint
    first = ask(saved(tmp_path, *events), "overview").to_dict()["findings"][0]
    assert (first["code"], "as while a checkpoint is written" in first["title"]) == ("python_bound", checkpoint)
    assert first["action"].startswith("Save less often") is checkpoint


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        ((), "; 4.01 ms pass in a stretch without an op or annotation, after `aten::mul`"),
        (("aten::detach",) * 4, "; 4 ms pass in a stretch without an op, after a model's state was read " + WRITTEN),
    ],
)
def test_of_slow_steps_it_is_told_where_their_python_lies(tmp_path: Path, last: tuple[str, ...], sentence: str) -> None:
    """A checkpoint every sixth step, of which only reading the state is recorded: they were slow for Python."""
    events = steps_of(dict.fromkeys(((3, -1), (9, -1)), 4000.0), count=12, last=last)
    first = ask(saved(tmp_path, *events), "overview").to_dict()["findings"][0]
    assert first["code"] == "slow_steps"
    assert first["title"].endswith(sentence)
    assert first["action"].startswith("Write less often") is bool(last)


def test_calls_that_others_interrupt_are_short_all_the_same(tmp_path: Path) -> None:
    """Of 120 operators a step, each of 10 µs, one in each of six steps takes 6 ms, wherever it is: the step was told to
    compute. Of what the step takes without that, which is a third, calling them takes nearly all."""
    events: list[Event] = []
    for number in range(6):
        begin = at = number * 7400.0
        for i in range(120):
            length = 6000.0 if i == 10 * number else 10.0
            events.append(on_host("aten::add", at, length))
            at += length + 1
        events.append(step(number, begin, at - begin))
    found = summary(tmp_path, events)
    assert found.all_short_calls.times == 720
    # Beside that the pauses after five steps are 91 µs, where 1 is usual.
    assert found.short_over_ps == (6 * (6000 - 10) + 5 * 90) * US
    first = ask(saved(tmp_path, *events), "overview").to_dict()["findings"][0]
    assert first["code"] == "short_ops"
    assert first["share"] == pytest.approx(1, abs=0.01)


def test_what_takes_long_at_one_place_of_each_step_is_no_short_op(tmp_path: Path) -> None:
    events: list[Event] = []
    for number in range(6):
        begin = at = number * 7400.0
        for i in range(120):
            length = 6000.0 if i == 50 else 10.0
            events.append(on_host("aten::add", at, length))
            at += length + 1
        events.append(step(number, begin, at - begin))
    found = summary(tmp_path, events)
    assert (found.all_short_calls.times, found.short_over_ps) == (714, 5 * 90 * US)
    assert ask(saved(tmp_path, *events), "overview").to_dict()["findings"][0]["code"] == "computes"
