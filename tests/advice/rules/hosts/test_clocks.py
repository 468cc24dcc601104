"""Rules on the clocks of several hosts."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.rules.hosts import DRAWN_APART, clock_difference
from tensorboard_perfplugin.advice.text.catalogue import sentence
from tensorboard_perfplugin.analysis.steps.alignment import NO_COMMON_CLOCK, Clocks


@pytest.mark.parametrize(
    ("clocks", "said"),
    [
        (Clocks(), None),
        (Clocks((0,), (None,), (0,), ("",)), None),
        (
            Clocks((0, 5 * 10**9), (None, 10**9), (0, 9), ("", "step_begins")),
            "the clocks of a and b differ by 5 ms ± 1 ms, estimated from 9 begins of steps",
        ),
        (
            Clocks((0, 5 * 10**9), (None, None), (0, 1), ("", "step_begins")),
            "the clocks of a and b differ by 5 ms, estimated from 1 begin of steps",
        ),
        (
            Clocks((0, 10**9, -(10**9) + 1), (None, 10**9, 0), (0, 9, 9), ("", "collective_ends", "collective_ends")),
            "the clocks of a and b agree within 2 ms, estimated from 9 ends of collectives",
        ),
    ],
)
def test_the_largest_difference_of_clocks(clocks: Clocks, said: str | None) -> None:
    message = clock_difference(clocks, ["a", "b", "c"])
    assert (message and sentence(message)) == said


def test_hosts_without_a_common_clock() -> None:
    (found,) = DRAWN_APART.findings(2, NO_COMMON_CLOCK)
    assert (found.code, found.params, found.severity) == (
        "hosts_drawn_apart",
        {"hosts": 2, "reason": NO_COMMON_CLOCK},
        "warning",
    )
