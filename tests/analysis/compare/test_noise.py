"""Step times of two sides: what is a change and what is noise."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.compare.changes import Compared, Difference, Verdict, by_mean, difference

STEPS = np.array([100.0, 101, 99, 102, 98, 100, 101, 99, 100, 100]) * 1e9


def test_a_side_against_itself_is_zero() -> None:
    found = difference([STEPS], [STEPS])
    assert (found.ps, found.share, found.verdict) == (0, 0, "noise")
    assert found.low_ps is not None
    assert found.high_ps is not None
    assert found.low_ps < 0 < found.high_ps


def test_swapped_sides_flip_signs() -> None:
    one, other = difference([STEPS], [STEPS * 1.5]), difference([STEPS * 1.5], [STEPS])
    assert one.ps == pytest.approx(50e9, rel=0.01)
    assert [one.verdict, other.verdict] == ["slower", "faster"]
    assert other.ps == -one.ps


def test_the_same_question_has_the_same_answer() -> None:
    assert difference([STEPS], [STEPS + 1e9]) == difference([STEPS], [STEPS + 1e9])


@pytest.mark.parametrize(("more", "verdict"), [(1 - 1e-6, "noise"), (1 + 1e-6, "slower")])
def test_one_capture_a_side_does_not_show_how_runs_differ(more: float, verdict: str) -> None:
    """Steps that hardly vary: the interval is far above 0, and the change as large as that of two runs, or more."""
    even = np.linspace(100e9, 100e9 + 4e4, 40)
    found = difference([even], [even + more * 0.03 * even.mean()])
    assert found.low_ps is not None
    assert found.low_ps > 0
    assert found.verdict == verdict


def test_repeats_show_smaller_changes() -> None:
    runs = [STEPS + shift for shift in (0, 0.2e9, -0.2e9, 0.1e9, -0.1e9)]
    assert difference(runs, [run * 1.02 for run in runs]).verdict == "slower"
    assert difference(runs, [run * 1.001 for run in runs]).verdict == "noise"


def test_repeats_that_differ_more_than_the_sides_do() -> None:
    """Within each run steps hardly vary; runs do."""
    runs = [STEPS / 100 + base for base in (100e9, 120e9, 90e9)]
    assert difference(runs, [run + 10e9 for run in runs]).verdict == "noise"


def test_few_steps() -> None:
    assert difference([STEPS[:1]], [STEPS[:1]]).verdict == "unknown"
    assert difference([], [STEPS]).verdict == "unknown"
    one_step = difference([STEPS[:1]], [STEPS])
    assert one_step.ps == pytest.approx(STEPS.mean() - STEPS[0])


@pytest.mark.parametrize("repeats", [1, 3])
def test_no_change_is_called_none(repeats: int) -> None:
    """Of 200 pairs of draws from one program's steps, which have a long tail, at most 5 % are said to differ."""
    random = np.random.default_rng(3)
    steps = 100e9 * (1 + 0.1 * random.gamma(1.0, size=100))
    tries = [[[random.choice(steps, 11) for _ in range(repeats)] for _ in range(2)] for _ in range(200)]
    told = [difference(*pair).verdict == "noise" for pair in tries]
    assert np.mean(told) >= 0.95


def test_steps_that_are_like_their_neighbours_widen_the_interval() -> None:
    """Each ten alike: draws one by one would give 0.20, in pairs 0.27, in eights 0.48."""
    steps = np.repeat(100 + np.random.default_rng(1).normal(size=100), 10) * 1e9
    found = difference([steps], [steps])
    assert found.low_ps is not None
    assert found.high_ps is not None
    assert 0.33e9 < found.high_ps - found.low_ps < 0.41e9


def test_the_interval_holds_99_of_100_differences() -> None:
    """Of a thousand steps that differ by a hundredth: 5.15 standard errors; 98 of 100 would be in 0.202."""
    steps = (100 + np.random.default_rng(2).normal(size=1000)) * 1e9
    found = difference([steps], [steps])
    assert found.low_ps is not None
    assert found.high_ps is not None
    assert 0.215e9 < found.high_ps - found.low_ps < 0.232e9


def differs(ps: float, verdict: Verdict, low_ps: float | None = None, repeated: bool = False) -> Difference:
    return Difference(1000.0, 1000.0 + ps, ps - 10 if low_ps is None else low_ps, ps + 10, verdict, repeated)


@pytest.mark.parametrize(
    ("mean_ps", "repeated", "typical", "expected"),
    [
        (40.0, False, "slower", "slower"),
        (40.0, False, "faster", "noise"),
        (40.0, False, "noise", "noise"),
        (-40.0, False, "faster", "faster"),
        # 3 % of 1000 are noise from run to run; of repeats they are not.
        (30.0, False, "slower", "noise"),
        (30.0, True, "slower", "slower"),
    ],
)
def test_typical_steps_decide_where_slow_ones_leave_the_mean_unsure(
    mean_ps: float, repeated: bool, typical: Verdict, expected: Verdict
) -> None:
    mean = Difference(1000.0, 1000.0 + mean_ps, -500.0, 500.0, "noise", repeated)
    assert by_mean(mean, differs(100.0, typical)).verdict == expected


def test_a_mean_that_is_sure_decides_alone() -> None:
    mean = differs(100.0, "slower")
    assert by_mean(mean, differs(-100.0, "faster")) == mean
    small = differs(20.0, "noise")
    assert by_mean(small, differs(100.0, "slower")) == small


@pytest.mark.parametrize(
    ("mean_ps", "typical_ps", "verdicts", "expected"),
    [
        (100.0, 51.0, ("slower", "slower"), False),
        (100.0, 50.0, ("slower", "slower"), True),
        (50.0, 100.0, ("slower", "slower"), True),
        (-100.0, -51.0, ("faster", "faster"), False),
        (10.0, -10.0, ("slower", "faster"), True),
        (10.0, -20.0, ("noise", "noise"), False),
        (11.0, -20.0, ("noise", "noise"), True),
        (0.0, 0.0, ("noise", "noise"), False),
    ],
)
def test_where_the_mean_changed_otherwise_than_typical_steps(
    mean_ps: float, typical_ps: float, verdicts: tuple[Verdict, Verdict], expected: bool
) -> None:
    """By half of the larger change, and by more than runs differ by, or in the other direction."""
    steps, typical = differs(mean_ps, verdicts[0]), differs(typical_ps, verdicts[1])
    assert Compared((), (), steps, typical, np.zeros((2, 1)), (), ()).is_uneven is expected
