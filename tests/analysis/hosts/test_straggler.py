"""The host that is late, just below and just above each number that decides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.analysis.hosts.straggler import straggler
from tensorboard_perfplugin.analysis.hosts.workers import pod
from tensorboard_perfplugin.analysis.steps import HostSteps
from tests.tools.host_steps import host, steps


def took(name: str, walls_ms: Sequence[float]) -> HostSteps:
    """Steps so long, and one more that does not count."""
    begins = [sum(walls_ms[:i]) for i in range(len(walls_ms) + 1)]
    return host(name, steps(begins, begins[-1] + 100))


@pytest.mark.parametrize(
    ("walls_ms", "late"),
    [
        ({"a": [103] * 4, "b": [100] * 4}, "a"),
        ({"a": [101.5] * 4, "b": [100] * 4}, None),
        ({"a": [140, 140, 140, 100], "b": [100, 100, 100, 110]}, "a"),
        ({"a": [140, 140, 100, 100], "b": [100, 100, 110, 110]}, None),
        ({"a": [140, 140, 100, 100], "b": [100, 100, 110, 100], "c": [100, 100, 100, 110]}, "a"),
        ({"a": [140, 140, 100, 100, 100], "b": [100, 100, 110, 110, 100], "c": [100, 100, 100, 100, 110]}, None),
    ],
    ids=["late", "hardly", "in 3 of 4 steps", "in 2 of 4 steps", "of three in 2 of 4", "of three in 2 of 5"],
)
def test_a_straggler_is_late_by_two_percent_in_half_of_the_steps_of_two_hosts_in_three_quarters(
    walls_ms: dict[str, list[float]], late: str | None
) -> None:
    found = straggler(pod([took(name, walls) for name, walls in walls_ms.items()]))
    assert (found and found.name) == late
