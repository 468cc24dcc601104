"""How much later a host's clock is, just below and just above each number that decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.steps.clocks import clocks
from tests.tools.host_steps import MS, steps

#: Ends of collectives in ms, 1,000 ms and up to 250 more or less apart.
ENDS = np.cumsum(1000 + np.random.default_rng(5).integers(-250, 251, 1200))
LATE = 37


def late_ms(
    one: np.ndarray[tuple[int], np.dtype[np.int64]],
    other: np.ndarray[tuple[int], np.dtype[np.int64]],
    behind: int = 0,
    sure: bool = False,
    hosts: int = 2,
) -> float | None:
    """How much later the second host's clock is. behind: by so many collectives its steps are put side by side wrong.

    A step begins before every hundredth collective. Hosts beyond two share no step.
    """
    first = np.arange(min(behind + 3, 100) if behind < 0 else 0, len(one) - max(behind, 0), 100 if len(one) > 99 else 3)
    two = [
        steps([float(ms) - 0.001 for ms in ends[at]], float(ends[-1]) + 1)
        for ends, at in ((one, first), (other, first + behind))
    ]
    rows = np.full((hosts, len(first)), -1)
    rows[:2] = np.arange(len(first))
    ends = [one.astype(np.int64) * MS, other.astype(np.int64) * MS]
    more = hosts - 2
    found = clocks([*two, *two[:1] * more], [*ends, *ends[:1] * more], rows, [0] * hosts, sure)
    ps = found.offset_ps[1]
    return None if ps is None else ps / MS


@pytest.mark.parametrize(
    ("behind", "sure", "hosts", "is_found"),
    [
        (64, False, 2, True),
        (65, False, 2, False),
        (50, False, 400, True),
        (51, False, 400, False),
        (1, True, 2, True),
        (2, True, 2, False),
    ],
)
def test_so_many_collectives_steps_may_be_put_side_by_side_wrong(
    behind: int, sure: bool, hosts: int, is_found: bool
) -> None:
    assert (late_ms(ENDS, ENDS + LATE, behind, sure, hosts) == LATE) is is_found


def strayed(by_ms: int, first: int = 0) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The second host's ends, which stray by up to so much from one on."""
    stray = np.random.default_rng(6).integers(-by_ms, by_ms + 1, len(ENDS))
    return ENDS + LATE + np.where(np.arange(len(ENDS)) >= first, stray, 0)


@pytest.mark.parametrize(("stray_ms", "is_found"), [(35, True), (65, False)])
def test_collectives_fit_that_leave_a_fifth_of_the_spread(stray_ms: int, is_found: bool) -> None:
    found = late_ms(ENDS, strayed(stray_ms), 1)
    assert found is not None
    assert (abs(found - LATE) < 20) is is_found


@pytest.mark.parametrize(("first", "is_found"), [(515, True), (300, False)])
def test_512_collectives_show_whether_they_fit(first: int, is_found: bool) -> None:
    found = late_ms(ENDS[:1028], strayed(900, first)[:1028], 1)
    assert found is not None
    assert (abs(found - LATE) < 200) is is_found


@pytest.mark.parametrize(("shared", "is_found"), [(8, True), (7, False)])
def test_eight_collectives_are_enough(shared: int, is_found: bool) -> None:
    """Each host has ten; of the second's the first ones are the first's last ones."""
    found = late_ms(ENDS[:10], ENDS[10 - shared : 20 - shared] + LATE, 0)
    assert (found == LATE) is is_found


@pytest.mark.parametrize(("stray_ms", "is_known"), [(24, True), (26, False)])
def test_begins_that_stray_by_a_quarter_of_a_step_tell_nothing(stray_ms: int, is_known: bool) -> None:
    begins: Sequence[float] = range(0, 1000, 100)
    other = [ms + stray_ms * (i % 3 - 1) for i, ms in enumerate(begins)]
    two = [steps(begins, 1000), steps(other, 1100)]
    none = np.empty(0, np.int64)
    found = clocks(two, [none, none], np.tile(np.arange(10), (2, 1)), [0, 0], False)
    assert (found.offset_ps[1] is not None) is is_known
