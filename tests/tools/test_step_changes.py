"""Steps of two runs → whether they differ, from both sides of each limit."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.compare.changes import difference
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.tools import find_tool, step_change, typical_steps
from tensorboard_perfplugin.tools.step_changes import MOST_STEPS
from tests.build_capture import Space
from tests.conftest import MakeLogdir

MS = 10**9


def capture(*steps_ms: float) -> Space:
    space = Space()
    line, begin = space.plane("/host:CPU").line(1, "python"), 0
    for number, ms in enumerate([*steps_ms, 10.0]):
        line.event("train", begin, int(ms * MS), {"step_num": number, "_r": 1})
        begin += int(ms * MS)
    return space


@pytest.mark.parametrize(
    ("new", "verdict"),
    [(10.29, "noise"), (9.71, "noise"), (10.31, "slower"), (9.69, "faster"), (10.0, "noise")],
)
def test_three_per_cent_are_noise_between_single_captures(new: float, verdict: str) -> None:
    change = step_change([10.0] * 5, [new] * 5)
    assert change is not None
    assert change.share == pytest.approx(new / 10 - 1)
    assert change.verdict == verdict == difference([np.full(5, 10.0)], [np.full(5, new)]).verdict


def test_steps_that_vary_as_much_are_noise_and_one_step_says_nothing() -> None:
    change = step_change([5.0, 15.0, 8.0, 12.0], [6.0, 16.0, 9.0, 13.0])
    assert change is not None
    assert change.verdict == "noise"
    alone = step_change([10.0], [20.0, 20.0])
    assert alone is not None
    assert (alone.share, alone.verdict) == (1.0, "unknown")
    assert step_change([], [1.0]) is step_change([1.0], []) is step_change([0.0], [1.0]) is None


@pytest.mark.parametrize("count", [MOST_STEPS, MOST_STEPS + 1])
def test_typical_steps_have_the_mean_that_the_overview_says(count: int, make_logdir: MakeLogdir) -> None:
    """Of many steps, means of neighbours; the slow one is left out."""
    steps = [10.0 + 0.1 * (i % 3) for i in range(count)]
    (run,) = runs_at(str(make_logdir({"r/h.xplane.pb": capture(50.0, *steps)})))
    overview = Library().answer(find_tool("overview"), run, None, {})
    found = typical_steps(overview)
    assert len(found) == min(count, MOST_STEPS)
    assert np.mean(found) == pytest.approx(overview.result.summary["step_time_typical_ms"], rel=2e-4)
