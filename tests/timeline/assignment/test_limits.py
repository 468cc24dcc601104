"""Hosts and devices just within and just beyond the numbers by which steps are timed. Times in ms."""

from __future__ import annotations

import pytest

from tests.timeline.assignment.test_assign import MS, Loop


def cadence(every: int, first: int, steps: int = 5) -> Loop:
    """A host that issues a step each 100 ms to devices that begin one `every` so often, the first that late."""
    loop = Loop()
    for i in range(steps):
        loop.step(100 * i, 99)
        loop.work(100 * i, first + every * i, 50)
    return loop


@pytest.mark.parametrize(
    ("every", "first", "on_device"),
    [
        # Most work begins before the host is done.
        (124, 20, False),
        (126, 20, True),
        # All comes late.
        (104, 300, False),
        (106, 300, True),
        # Two of five come late, and three of five.
        (110, 75, False),
        (110, 85, True),
    ],
)
def test_how_much_slower_devices_time_steps(every: int, first: int, on_device: bool) -> None:
    assert cadence(every, first).times()[0] is on_device


@pytest.mark.parametrize(("steps", "on_device"), [(2, False), (3, True)])
def test_three_steps_have_a_cadence(steps: int, on_device: bool) -> None:
    """Of the third, which has no work, and of as many as have."""
    loop = cadence(150, 60, steps)
    loop.step(100 * steps, 99)
    assert loop.times()[0] is on_device


@pytest.mark.parametrize(("others", "on_device"), [(4, True), (5, False)])
def test_half_of_the_work_must_be_known(others: int, on_device: bool) -> None:
    loop = Loop()
    for i in range(4):
        loop.step(2 * i, 1)
        loop.work(2 * i, 10 + 20 * i, 15)
    for at in range(others):
        loop.copies.event("of nobody", (20 + at) * MS, MS)
    assert loop.times()[0] is on_device


@pytest.mark.parametrize(("lasts", "begin"), [(1, 12), (3, 5)])
def test_a_tenth_of_the_work_is_on_a_main_stream(lasts: int, begin: int) -> None:
    """Before the kernel of each step of 18 ms another stream runs one."""
    loop = Loop()
    for i in range(4):
        loop.step(2 * i, 1)
        loop.work(2 * i, 5 + 30 * i, lasts, "early", loop.copies)
        loop.work(2 * i, 12 + 30 * i, 18)
    on_device, times = loop.times()
    assert (on_device, times[0][0]) == (True, begin)
