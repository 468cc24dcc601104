"""The innermost events around some others: climbed from each, or by a pass over all, alike."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

from tensorboard_perfplugin.timeline import nesting
from tensorboard_perfplugin.timeline.nesting import enclosing, enclosing_of, outermost
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space
from tests.timeline.timelines import row, timeline

ROWS = ("train", "layer", "relu", "relu ", "other")


def three_deep() -> Timeline:
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python")
    for name, start, duration in (("train", 0, 90), ("layer", 10, 50), ("relu", 20, 9), ("relu ", 30, 9)):
        line.event(name, start_ps=start, duration_ps=duration)
    space.plane("/host:CPU").line(2, "worker").event("other", start_ps=25, duration_ps=2)
    return timeline(space)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (("train",), [-1, "train", "train", "train", -1]),
        (("train", "layer"), [-1, "train", "layer", "layer", -1]),
        (("relu",), [-1, -1, -1, -1, -1]),
        ((), [-1, -1, -1, -1, -1]),
    ],
)
def test_the_innermost_wanted_event_around_each(wanted: tuple[str, ...], expected: list[int | str]) -> None:
    of = three_deep()
    rows = np.array([row(of, name) for name in ROWS])
    flags = np.zeros(len(of.capture.events), bool)
    flags[[row(of, name) for name in wanted]] = True
    around = [row(of, each) if isinstance(each, str) else each for each in expected]
    assert enclosing(of, flags)[rows].tolist() == around
    for steps in (0, 100):
        with patch.object(nesting, "_STEPS", steps):
            assert enclosing_of(of, flags, rows).tolist() == around


def test_of_those_that_lie_in_each_other_the_outer_ones() -> None:
    of = three_deep()
    flags = np.zeros(len(of.capture.events), bool)
    flags[[row(of, name) for name in ("layer", "relu", "relu ", "other")]] = True
    assert outermost(of, flags).tolist() == sorted(row(of, name) for name in ("layer", "other"))
