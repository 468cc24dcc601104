"""Numbers of what is distinct, by a table or by sorting."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.timeline import distinct_rows


@pytest.mark.parametrize("largest", [3, 1 << 40], ids=["a table", "sorted"])
def test_distinct_rows_are_those_of_numpy_in_its_order(largest: int) -> None:
    columns = np.random.default_rng(3).integers(-1, largest, (3, 500)) // (largest // 3) * (largest // 3)
    first, which = distinct_rows(list(columns))
    rows, places = np.unique(columns, axis=1, return_inverse=True)
    assert (columns[:, first] == rows).all()
    assert (which == places.reshape(-1)).all()
    assert len(first) < 200


def test_no_rows_are_none() -> None:
    first, which = distinct_rows([np.empty(0, np.int64)] * 2)
    assert (len(first), len(which)) == (0, 0)
