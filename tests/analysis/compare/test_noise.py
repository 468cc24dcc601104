"""Step times of two sides: what is a change and what is noise."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.compare.changes import difference

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
