"""Numbers of what is distinct, by a table or by sorting."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.tables import ranked
from tensorboard_perfplugin.timeline import distinct_rows


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
