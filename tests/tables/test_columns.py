"""Columns: what is taken from them at once."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.tables import at_once


@pytest.mark.parametrize(
    ("rows", "taken"),
    [([], None), ([7], slice(7, 8)), ([3, 4, 5], slice(3, 6)), ([3, 5], None), ([0, 2, 1, 3], None), ([3, 3], None)],
)
def test_rows_that_follow_one_another_are_a_slice(rows: list[int], taken: slice | None) -> None:
    found = at_once(np.array(rows, np.int64))
    assert found == taken if isinstance(found, slice) else taken is None
