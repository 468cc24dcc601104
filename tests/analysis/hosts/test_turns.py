"""Devices of one host that take turns or begin late, on both sides of every number that decides."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.build_capture import Space, Uint
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

US = 10**6


def run(*devices: tuple[float, float], step_us: int = 1000, steps: int = 5, threads: int = 1, swap: int = 0) -> Space:
    """Steps in which each device computes from one instant to another, µs. threads: that launch. swap: in so many
    steps, the first ones, devices change places. The last step does not count: nothing tells when the next begins."""
    space = Space()
    cpu = space.plane("/host:CPU")
    lines = [cpu.line(i + 1, f"thread {i}") for i in range(threads)]
    streams = [space.plane(f"/device:GPU:{i}", id=i + 1).line(7, "Stream #7") for i in range(len(devices))]
    for step in range(steps):
        at = step * step_us * US
        lines[0].event("train", at, step_us * US, stats={"step_num": step, "_r": 1})
        for i, (begin, end) in enumerate(devices[::-1] if step < swap else devices):
            joined = {"correlation_id": Uint(10 * step + i + 1)}
            lines[i % threads].event(
                "cuLaunchKernel", at + int(US * begin) - US, 1000, stats=joined | {"device_id": Uint(i)}
            )
            streams[i].event("gemm", at + int(US * begin), int(US * (end - begin)), stats=joined)
    return space


def said(space: Space, code: str = "devices_") -> list[tuple[str, Any]]:
    of_page = answered(POD_VIEWER, timeline(space)).to_dict()["findings"]
    found = [(f["code"], pytest.approx(f["share"])) for f in of_page if f["code"].startswith(code)]
    of_all = answered(OVERVIEW, timeline(space)).to_dict()["findings"]
    assert [(f["code"], f["share"]) for f in of_all if f["code"].startswith(code)] == found
    return found


def test_one_computes_after_the_other() -> None:
    """800 µs of 1 ms, of which half would do."""
    assert said(run((100, 500), (500, 900))) == [("devices_take_turns", 0.4)]


def test_what_is_said_of_turns() -> None:
    finding = answered(POD_VIEWER, timeline(run((100, 500), (500, 900)))).to_dict()["findings"][0]
    params: dict[str, Any] = finding["params"]
    assert (params["devices"], params["ps"], finding["severity"]) == (2, 400 * US, "warning")
    assert [(e["start_ps"], e["end_ps"]) for e in finding["evidence"]][:1] == [(0, 1000 * US)]


@pytest.mark.parametrize(("end", "turns"), [(580, True), (581, False)])
def test_a_fifth_may_be_at_once(end: int, turns: bool) -> None:
    """Of the second one's 400 µs."""
    found = said(run((100, end), (500, 900), threads=2), "devices_take_turns")
    assert (found != []) is turns


@pytest.mark.parametrize(("step_us", "turns"), [(4000, True), (4010, False)])
def test_a_tenth_of_a_step_must_be_lost(step_us: int, turns: bool) -> None:
    assert (said(run((100, 500), (500, 900), step_us=step_us, threads=2), "devices_take_turns") != []) is turns


@pytest.mark.parametrize(("steps", "times"), [(3, 0), (4, 1)])
def test_two_steps_show_no_order(steps: int, times: int) -> None:
    assert len(said(run((100, 500), (500, 900), steps=steps))) == times
    assert len(said(run((100, 500), (200, 600), steps=steps))) == times


def test_all_at_once_is_as_it_should_be() -> None:
    assert said(run((100, 900), (110, 910))) == []
    assert said(run((100, 900))) == []


@pytest.mark.parametrize(("late", "said_so"), [(50, [("devices_begin_late", 0.05)]), (49, [])])
def test_one_thread_launches_one_device_after_the_other(late: int, said_so: list[tuple[str, Any]]) -> None:
    assert said(run((100, 800), (100 + late, 800 + late))) == said_so


def test_late_is_as_far_as_it_ends_later() -> None:
    assert said(run((100, 800), (300, 860))) == [("devices_begin_late", pytest.approx(0.06))]
    assert said(run((100, 800), (300, 800))) == []


def test_one_of_two_threads_launches_late_in_each_step() -> None:
    assert said(run((100, 800), (200, 900), threads=2)) == [("devices_begin_late.apart", 0.1)]
    assert said(run((100, 800), (149, 849), threads=2)) == []


@pytest.mark.parametrize(("steps", "swap", "times"), [(4, 1, 1), (4, 2, 0), (5, 2, 0)])
def test_in_three_of_four_steps_the_same_is_late(steps: int, swap: int, times: int) -> None:
    """Of so many steps that count."""
    assert len(said(run((100, 700), (300, 900), steps=steps + 1, swap=swap))) == times
