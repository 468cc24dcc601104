"""The innermost events around some others: climbed from each, or by a pass over all, alike."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

from tensorboard_perfplugin.tables import ranked
from tensorboard_perfplugin.timeline import nesting
from tensorboard_perfplugin.timeline.nesting import enclosing, enclosing_of, outermost
from tensorboard_perfplugin.timeline.ranks import distinct_rows
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


@pytest.mark.parametrize("largest", [3, 1 << 40], ids=["a table", "sorted"])
def test_distinct_rows_are_those_of_numpy_in_its_order(largest: int) -> None:
    columns = np.random.default_rng(3).integers(-1, largest, (3, 500)) // (largest // 3) * (largest // 3)
    first, which = distinct_rows(list(columns))
    rows, places = np.unique(columns, axis=1, return_inverse=True)
    assert (columns[:, first] == rows).all()
    assert (which == places.reshape(-1)).all()
    assert len(first) < 200


@pytest.mark.parametrize("apart", [65_521, 1 << 40], ids=["of one remainder", "of several"])
def test_few_numbers_far_apart_are_numbered_in_their_order(apart: int) -> None:
    """By a table of remainders; where two numbers have the same one, by sorting."""
    keys = np.array([3, -2, 3, 0, -2], np.int64) * apart + (1 << 26) * np.array([1, 0, 1, 0, 0])
    which, count = ranked(np.tile(keys, 1 << 14))
    assert (which[:5].tolist(), count) == ([2, 0, 2, 1, 0], 3)
    assert ranked(keys)[0].tolist() == [2, 0, 2, 1, 0]


def test_no_rows_are_none() -> None:
    first, which = distinct_rows([np.empty(0, np.int64)] * 2)
    assert (len(first), len(which)) == (0, 0)
