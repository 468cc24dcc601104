"""Steps just below and just above each number that decides."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.steps import step_summary, typical_step
from tensorboard_perfplugin.analysis.steps.align import Aligned
from tensorboard_perfplugin.analysis.steps.clocks import clocks
from tensorboard_perfplugin.analysis.steps.hosts import _side_by_side, run_steps
from tensorboard_perfplugin.analysis.steps.means import are_typical, slow
from tensorboard_perfplugin.analysis.steps.ranking import ranking
from tensorboard_perfplugin.timeline import INDEX, split_of
from tests.advice.rules.steps.cases import means
from tests.analysis.steps.test_summary import program
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.host_steps import MS, host, steps


def test_the_largest_twelve_names_are_kept_with_200_letters() -> None:
    names = [f"{i:02}".ljust(300, "x") for i in range(14)]
    found = ranking(names, np.arange(14), np.arange(1, 15))
    assert list(found) == [name[:200] for name in names[:1:-1]]


@pytest.mark.parametrize(
    ("walls", "left_out"),
    [
        ([10] * 16 + [21] * 4, 4),
        ([10] * 31 + [21] * 9, 9),
        ([10] * 15 + [21] * 5, 5),
        ([10] * 28 + [21] * 10, 0),
        ([10] * 3 + [21] * 2, 0),
        ([10] * 2 + [21], 1),
        ([10] * 6 + [19], 0),
        ([21, 10, 10, 10] * 3 + [21, 10, 10], 4),
        ([21, 10, 10] * 3, 0),
        ([21, 10, 10, 10, 21], 0),
        ([21] + [10] * 3 + [21] + [10] * 4 + [21], 0),
    ],
    ids=[
        "a fifth",
        "22.5 %",
        "each fourth",
        "more than a quarter",
        "two of five",
        "one alone",
        "less than twice the median",
        "each fourth from the first on",
        "each third",
        "twice",
        "at uneven distances",
    ],
)
def test_few_slow_steps_are_not_typical(walls: list[int], left_out: int) -> None:
    wall, whole = np.array(walls), np.ones(len(walls), bool)
    assert (~are_typical(wall, whole)).sum() == left_out
    assert slow(wall[-2:], whole[-2:]).tolist() == [False, False]


@pytest.mark.parametrize(("others", "stretches"), [((), [(3, 9)]), (("launch",), [(0, 40 * MS)])])
def test_causes_of_three_categories_are_proved_by_stretches_of_time(
    others: tuple[str, ...], stretches: list[tuple[int, int]]
) -> None:
    """Of more by steps."""
    of = means([[{"compute_16bit": 30.0, "input_wait": 10.0}] * 4], "gpu")
    [part] = of.parts
    longest: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {(0, INDEX["input_wait"]): ((3, 9),)}
    of = dataclasses.replace(
        of, parts=(dataclasses.replace(part, split=dataclasses.replace(part.split, longest=longest)),)
    )
    step = typical_step(of)
    assert step is not None
    found = step.evidence(("input_wait", "copy_in", "output", *others), 1)
    assert [(place.start_ps, place.end_ps) for place in found] == stretches


def test_three_hosts_without_steps_are_named() -> None:
    run = run_steps([host("a", steps([0, 1], 2)), *(host(f"w{i}", steps([], 0)) for i in range(5))])
    assert run.aligned is not None
    assert (run.aligned.params["left_out"], run.aligned.params["more"]) == (("w0", "w1", "w2"), 2)


@pytest.mark.slow
def test_sixteen_million_steps_of_hosts_are_put_side_by_side() -> None:
    """Of 1,025 steps of 16,384 hosts the first 1,024."""
    rows, places, cut_off = _side_by_side(Aligned([np.arange(1025)] * 16_384, None))
    assert (rows.shape, len(places), cut_off) == ((16_384, (1 << 24) // 16_384), 1024, 1)


@pytest.mark.parametrize(("permille", "told"), [(21, True), (19, False)])
def test_events_are_summed_up_where_the_runtime_takes_two_percent_of_steps(permille: int, told: bool) -> None:
    space = Space()
    program(space).event("TFE_Execute", 10**6, 10**6)
    of = timeline(space)
    split = split_of(of)
    exposed = np.zeros_like(split.exposed_ps)
    exposed[:, :, INDEX["python"]], exposed[:, :, INDEX["runtime"]] = 1000 - permille, permille
    assert bool(step_summary(of, dataclasses.replace(split, exposed_ps=exposed)).events) is told


def between_ops(op_us: int) -> Space:
    """Steps of 2 ms that begin with an op and hold nothing else."""
    space = Space()
    line = program(space, step_us=2000)
    for number in range(3):
        line.event("a/MatMul:MatMul", number * 2000 * 10**6, op_us * 10**6)
    return space


@pytest.mark.parametrize(("op_us", "stretch_us"), [(1500, 500), (1501, 0)])
def test_half_a_millisecond_of_python_is_a_stretch(op_us: int, stretch_us: int) -> None:
    of = timeline(between_ops(op_us))
    summary = step_summary(of, split_of(of))
    assert (summary.steps, summary.stretches_ps) == (2, 2 * stretch_us * 10**6)


@pytest.mark.parametrize(("permille", "looked_at"), [(100, True), (99, False)])
def test_stretches_are_looked_for_where_python_takes_a_tenth_of_steps(permille: int, looked_at: bool) -> None:
    of = timeline(between_ops(1000))
    split = split_of(of)
    exposed = np.zeros_like(split.exposed_ps)
    exposed[:, :, INDEX["python"]], exposed[:, :, INDEX["op_compute"]] = permille, 1000 - permille
    assert bool(step_summary(of, dataclasses.replace(split, exposed_ps=exposed)).stretches_ps) is looked_at


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
