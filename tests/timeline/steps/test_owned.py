"""What a host repeats is no step where devices work, but not for it. Times in µs."""

from __future__ import annotations

import pytest

from tests.build_capture import Space
from tests.timeline.steps.steps_of import US, none_by, put, rows, steps_of, thread


def server(begins: tuple[int, int], launched: int | None) -> Space:
    """Two calls of 6 µs, and kernels from 100 on, launched at some time, or nobody knows when."""
    space = Space()
    for begin in begins:
        put(thread(space), "PjitFunction(tokenize)", begin, 6)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i in range(3):
        stats = {} if launched is None else {"correlation_id": 1 + i}
        stream.event(f"kernel {i}", (100 + 10 * i) * US, 9 * US, stats)
        if launched is not None:
            put(thread(space, "runtime", 2), "cuLaunchKernel", launched + i, 1, correlation_id=1 + i)
    return space


def test_a_guess_that_devices_did_nothing_for_is_none() -> None:
    assert not len(steps_of(server((0, 10), launched=50)))
    assert not len(steps_of(server((0, 10), launched=None)))


@pytest.mark.parametrize(("begins", "launched"), [((0, 10), 12), ((0, 200), None)], ids=["launched in it", "ran in it"])
def test_a_guess_that_devices_worked_for_is_steps(begins: tuple[int, int], launched: int | None) -> None:
    assert [row[1] for row in rows(steps_of(server(begins, launched)))] == list(begins)


def test_whoever_asks_for_the_rule_gets_its_steps() -> None:
    assert len(steps_of(server((0, 10), launched=50), "calls")) == 2


def test_what_comes_once_does_not_repeat() -> None:
    space = Space()
    put(thread(space), "PjitFunction(train_step)", 0, 40)
    assert steps_of(space, "calls").reason == none_by("calls")
