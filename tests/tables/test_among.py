from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.tables import AnyArray, among


@pytest.mark.parametrize("wanted", [[], [2], [1, 2, 9, 300], [1, 2, 3, 4, 300]])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64])
def test_few_or_many_values_are_looked_for(wanted: list[int], dtype: type) -> None:
    values: AnyArray = np.array([0, 1, 2, 3, 2], dtype)
    assert among(values, wanted).tolist() == [int(value) in wanted for value in values]
    assert among(values, np.array(wanted, np.int64)).tolist() == [int(value) in wanted for value in values]
    assert among(np.broadcast_to(dtype(2), 3), wanted).tolist() == [2 in wanted] * 3
