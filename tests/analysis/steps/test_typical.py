"""The typical step of a run: its parts, the slow steps beside it, and where to look."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec import structs

from tensorboard_perfplugin.analysis.steps.alignment import clocks
from tensorboard_perfplugin.analysis.steps.means import are_typical, are_warm_up, slow
from tensorboard_perfplugin.analysis.steps.summary import DeviceCompute, device_compute, slow_steps, typical_step
from tensorboard_perfplugin.timeline.timeline import INDEX
from tests.advice.rules.steps.cases import MS, means
from tests.tools.host_steps import steps

USUAL, SLOW = {"compute_16bit": 30.0, "input_wait": 10.0}, {"compute_16bit": 30.0, "input_wait": 970.0}


def test_one_slow_step_of_ten_is_not_typical() -> None:
    step = typical_step(means([[SLOW if i == 3 else USUAL for i in range(11)]], "gpu"))
    assert step is not None
    assert (step.step_ps, step.device, step.of_all) == (40 * MS, True, False)
    assert (step.ps(("compute_16bit", "input_wait")), step.share(("input_wait",))) == (40 * MS, 0.25)
    assert [e.end_ps - e.start_ps for e in step.evidence(("input_wait",), 2)] == [40 * MS, 40 * MS]


@pytest.mark.parametrize(("after_ms", "of_all"), [(146.0, False), (147.0, True)])
def test_long_steps_are_few_though_those_after_them_are_slow(after_ms: float, of_all: bool) -> None:
    """Two of eleven steps evaluate, for 960 ms, and the next are slow, too: four are more than a fourth.

    What the two take is 90 % of what all four take more, up to steps of 146.7 ms after them.
    """
    after = {"compute_16bit": after_ms}
    step = typical_step(means([[{2: SLOW, 3: after, 7: SLOW, 8: after}.get(i, USUAL) for i in range(12)]], "gpu"))
    assert step is not None
    assert step.of_all is of_all


@pytest.mark.parametrize(("often", "of_all"), [(2, False), (3, True)])
def test_steps_of_two_kinds_are_how_the_program_runs(often: int, of_all: bool) -> None:
    """Of eleven steps one compiles, and two or three are slow in their own way."""
    slow = {"compute_16bit": 90.0}
    run = [SLOW if i == 0 else slow if i in range(2, 2 + often) else USUAL for i in range(12)]
    step = typical_step(means([run], "gpu"))
    assert step is not None
    assert step.of_all is of_all


def test_the_slowest_step_has_more_of_a_category_than_the_median() -> None:
    slow = slow_steps(means([[SLOW if i == 3 else USUAL for i in range(11)]]), 1)
    assert slow is not None
    assert (slow.steps, slow.of, slow.number, slow.wall_ps, slow.median_ps) == (1, 10, 3, 1000 * MS, 40 * MS)
    assert (slow.category, slow.more_ps, slow.share, slow.first) == ("input_wait", 960 * MS, 960 / 1360, False)
    assert [(e.start_ps, e.end_ps) for e in slow.places] == [(120 * MS, 1120 * MS)]
    assert slow_steps(means([[USUAL] * 5]), 1) is None


@pytest.mark.parametrize(("first_ms", "cold"), [(80.0, False), (80.1, True)])
def test_of_two_steps_the_first_is_cold_where_it_takes_more_than_twice_as_long(first_ms: float, cold: bool) -> None:
    """The last of three is no whole one. What the first has more of is compute, beside the second's 30 ms."""
    cold_one = {"compute_16bit": first_ms - 10, "input_wait": 10.0}
    run = means([[cold_one, USUAL, USUAL]])
    step, slow = typical_step(run), slow_steps(run, 1)
    assert step is not None
    assert step.step_ps == pytest.approx(40 * MS if cold else 60 * MS)
    assert (slow is not None) is cold is (run.slow.tolist() == [True, False, False])
    if slow is not None:
        assert (slow.steps, slow.of, slow.number, slow.two, slow.first) == (1, 2, 0, True, True)
        assert (slow.category, slow.median_ps) == ("compute_16bit", 40 * MS)
        assert slow.more_ps == pytest.approx((first_ms - 40) * MS)
        assert slow.share == pytest.approx((first_ms - 40) / (first_ms + 40))


def test_of_two_steps_the_second_is_never_slow() -> None:
    """Which of them is usual cannot be known."""
    run = means([[USUAL, SLOW, USUAL]])
    assert (bool(run.slow.any()), run.typical.tolist()) == (False, [True, True, False])


def test_a_step_is_not_cold_beside_one_that_takes_no_time() -> None:
    assert slow_steps(means([[USUAL, {"python": 0.0}, USUAL]]), 1) is None


def test_how_long_each_device_computes() -> None:
    assert device_compute(means([[USUAL] * 3, [{"copy_in": 40.0}] * 3], "gpu")) == [DeviceCompute(30 * MS, "gpu0", "h")]


def test_steps_that_take_no_time_have_no_typical_one() -> None:
    assert typical_step(means([[{"python": 0.0}] * 3])) is None


#: Walls of steps, and how many are slow and left out of what is typical.
FEW: dict[str, tuple[list[int], int]] = {
    "a fifth": ([10] * 16 + [21] * 4, 4),
    "22.5 %": ([10] * 31 + [21] * 9, 9),
    "each fourth": ([10] * 15 + [21] * 5, 5),
    "more than a quarter": ([10] * 28 + [21] * 10, 0),
    "two of five": ([10] * 3 + [21] * 2, 0),
    "one alone": ([10] * 2 + [21], 1),
    "less than twice the median": ([10] * 6 + [19], 0),
    "each fourth from the first on": ([21, 10, 10, 10] * 3 + [21, 10, 10], 4),
    "each third": ([21, 10, 10] * 3, 0),
    "twice": ([21, 10, 10, 10, 21], 0),
    "at uneven distances": ([21] + [10] * 3 + [21] + [10] * 4 + [21], 0),
}


def test_few_slow_steps_are_not_typical() -> None:
    assert {
        name: int((~are_typical(np.array(walls), np.ones(len(walls), bool))).sum()) for name, (walls, _) in FEW.items()
    } == {name: left_out for name, (_, left_out) in FEW.items()}
    assert slow(np.array([10, 21]), np.ones(2, bool)).tolist() == [False, False]


@pytest.mark.parametrize(("others", "stretches"), [((), [(3, 9)]), (("launch",), [(0, 40 * MS)])])
def test_causes_of_three_categories_are_proved_by_stretches_of_time(
    others: tuple[str, ...], stretches: list[tuple[int, int]]
) -> None:
    """Of more by steps."""
    of = means([[{"compute_16bit": 30.0, "input_wait": 10.0}] * 4], "gpu")
    [part] = of.parts
    longest: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {(0, INDEX["input_wait"]): ((3, 9),)}
    of = structs.replace(of, parts=(structs.replace(part, split=structs.replace(part.split, longest=longest)),))
    step = typical_step(of)
    assert step is not None
    found = step.evidence(("input_wait", "copy_in", "output", *others), 1)
    assert [(place.start_ps, place.end_ps) for place in found] == stretches


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


@pytest.mark.parametrize(
    ("wall_ms", "first"),
    [
        ((500, 10, 10, 10, 10, 10, 10, 10), 1),
        ((500, 90, 10, 10, 10, 10, 10, 10), 2),
        # Half of 490 ms more than usual is 245.
        ((500, 10, 10, 10, 10, 254, 10, 10), 1),
        ((500, 10, 10, 10, 10, 255, 10, 10), 0),
        # Of two, what comes again is paid for; what begins the run is not.
        ((500, 90, 10, 10, 10, 90, 10, 10), 1),
        # Slow steps that are not few are typical, and what compiles before them is not.
        ((500, 10, 40, 10, 40, 10, 40, 10, 10, 10, 10), 1),
        ((10, 10, 500, 10, 10, 10), 0),
        ((50, 10), 1),
        ((10, 50), 0),
        ((10,), 0),
        ((), 0),
    ],
)
def test_first_steps_that_no_later_one_is_like(wall_ms: Sequence[int], first: int) -> None:
    wall, whole = np.array(wall_ms, np.int64), np.ones(len(wall_ms), bool)
    assert are_warm_up(wall, whole).tolist() == [i < first for i in range(len(wall_ms))]


def test_first_steps_count_from_the_first_whole_one() -> None:
    whole = np.array([False, True, True, True, True, True])
    assert np.flatnonzero(are_warm_up(np.array([10, 500, 10, 10, 10, 10]), whole)).tolist() == [1]
