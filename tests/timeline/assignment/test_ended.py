"""The last step ends with the devices' work that it launched. Times in ms."""

from __future__ import annotations

import dataclasses

import pytest

from tensorboard_perfplugin.timeline import Outside, assignment_of, outside_steps_of, steps_of
from tensorboard_perfplugin.timeline.assignment.ended import less_sure
from tests.timeline.assignment.test_assign import MS, Loop, told
from tests.timeline.timelines import timeline


def marked(loop: Loop, at: int, lasts: int, number: int) -> None:
    loop.main.event("train", at * MS, lasts * MS, {"_r": 1, "step_num": number})


def test_the_only_step_ends_when_devices_have_done_what_it_launched() -> None:
    """A step of a server with one small kernel in its mark and a graph behind it was as short as the mark."""
    loop = Loop()
    loop.step(0, 2)
    loop.work(0, 1, 1, "small")
    loop.work(1, 2, 7, "graph")
    assert loop.times() == (False, [(0, 9, -1)])


def test_what_is_launched_after_the_mark_is_not_the_step_s() -> None:
    loop = Loop()
    marked(loop, 0, 2, 0)
    loop.work(1, 1, 8, "of the step")
    loop.work(3, 4, 2, "meanwhile", loop.copies)
    loop.work(3, 9, 11, "after it")
    of = timeline(loop.space)
    found = told(of, assignment_of(of))
    assert {name: found[f"{name} #0"] for name in ("of the step", "meanwhile", "after it")} == {
        "of the step": (0, "cause"),
        "meanwhile": (-1, "not"),
        "after it": (-1, "not"),
    }
    assert steps_of(of).end_ps.tolist() == [9 * MS]
    # Busy from 1 to 20 ms, of which 1 to 9 lie in the step.
    assert outside_steps_of(of) == Outside(19 * MS, 11 * MS)


def test_of_several_steps_the_last_of_each_thread_ends_with_its_work() -> None:
    loop = Loop()
    for i in range(2):
        loop.step(10 * i, 5)
        loop.work(10 * i + 1, 10 * i + 2, 6)
    loop.other.event("step", 3 * MS, 4 * MS)
    assert loop.times() == (False, [(0, 5, 10), (3, 7, -1), (10, 18, -1)])


def test_a_kernel_on_another_stream_does_not_hide_that_devices_begin_late() -> None:
    loop = Loop()
    loop.step(0, 2)
    loop.work(0, 1, 1, "small", loop.copies)
    loop.work(1, 20, 30, "graph")
    assert loop.times() == (True, [(20, 50, -1)])


def test_of_two_steps_devices_that_fall_behind_tell_the_times() -> None:
    """The device works on the first while the host issues the second; it needs 8 ms for what the host issues in 5."""
    loop = Loop()
    for i in range(2):
        loop.step(5 * i, 5)
        loop.work(5 * i, 8 * i + 1, 8)
    assert loop.times() == (True, [(1, 9, 9), (9, 17, -1)])


def test_steps_that_hold_little_of_what_devices_did_are_less_sure() -> None:
    confidence = {}
    for outside in (2, 3):
        loop = Loop()
        marked(loop, 0, 10, 0)
        loop.work(0, 1, 8)
        loop.work(20, 30, outside)
        confidence[outside] = steps_of(timeline(loop.space)).confidence
    assert confidence == {2: "certain", 3: "likely"}


@pytest.mark.parametrize(("outside_ps", "confidence"), [(20, "likely"), (21, "guess")])
def test_a_fifth_of_the_work_outside_of_steps_makes_them_less_sure(outside_ps: int, confidence: str) -> None:
    loop = Loop()
    loop.step(0, 2)
    steps = dataclasses.replace(steps_of(timeline(loop.space)), confidence="likely")
    assert less_sure(steps, Outside(100, outside_ps)).confidence == confidence
