"""Operators around launches that take long by themselves, and rarely: the driver starts, a library is loaded."""

from __future__ import annotations

import json

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.steps import Spent, step_summary
from tensorboard_perfplugin.timeline import Timeline, split_of
from tests.tools.kineto import H100, Event, launched, on_device, on_host, step

US, MS = 10**6, 10**9


def ones(number: int, empty_us: float) -> list[Event]:
    """`aten::ones` that makes a tensor, and fills it on the device."""
    at = 10_000 * number
    return [
        step(number, at, 9_900),
        on_host("aten::ones", at + 100, empty_us + 100),
        on_host("aten::empty", at + 110, empty_us),
        *launched("fill", at + 115 + empty_us, at + 120 + empty_us, 50, 1 + number),
    ]


def first_calls(*events: Event) -> dict[str, Spent]:
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": events}
    timeline = Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h")
    return step_summary(timeline, split_of(timeline)).first_calls


@pytest.mark.parametrize(("empty_us", "found"), [(999, {}), (1000, {"aten::empty": Spent(1, MS)})])
def test_an_operator_that_takes_a_millisecond_once(empty_us: float, found: dict[str, Spent]) -> None:
    assert first_calls(*ones(0, 5), *ones(1, empty_us), *ones(2, 5)) == found


@pytest.mark.parametrize(("times", "found"), [(2, {"aten::empty": Spent(2, 4 * MS)}), (3, {})])
def test_what_is_long_in_each_step_is_no_first_call(times: int, found: dict[str, Spent]) -> None:
    assert first_calls(*(event for i in range(3) for event in ones(i, 2000 if i < times else 5))) == found


def test_what_a_device_works_meanwhile_costs_nothing() -> None:
    assert first_calls(*ones(0, 2000), on_device("long", 0, 1610, stream=9)) == {"aten::empty": Spent(1, 500 * US)}


def test_an_operator_that_launches_nothing_is_work_of_the_host() -> None:
    assert first_calls(*ones(0, 5), on_host("aten::sort", 1000, 5000)) == {}
