"""Args of three events: none, `a` twice and `b`, and `b`."""

import numpy as np
import pytest

from tensorboard_perfplugin.decode.common import launches
from tensorboard_perfplugin.decode.common.launches import Args, copy_args, first_of_key

A, B = 1, 2
ARGS = Args(
    np.array([0, 0, 3, 4]),
    np.array([A, B, A, B], np.int32),
    np.array([1, 4, 3, 1], np.uint8),
    np.array([10, 20, 30, 40]),
)
BOTH = pytest.mark.parametrize(
    "compiled",
    [False, pytest.param(True, marks=pytest.mark.skipif(not launches.COMPILED, reason="nothing is compiled"))],
)


@BOTH
@pytest.mark.parametrize(
    ("key", "values", "kinds"),
    [(A, [0, 10, 0, 10], [0, 1, 0, 1]), (B, [40, 20, 0, 20], [1, 4, 0, 4]), (3, [0, 0, 0, 0], [0, 0, 0, 0])],
)
def test_the_first_of_a_key_is_found(key: int, values: list[int], kinds: list[int], compiled: bool) -> None:
    found, of_kind = first_of_key(ARGS, np.array([2, 1, 0, 1]), key, compiled)
    assert (found.tolist(), of_kind.tolist()) == (values, kinds)


@BOTH
def test_args_are_copied_with_other_keys_and_leave_room_where_others_stand(compiled: bool) -> None:
    made = Args(np.array([0, 1, 6]), np.zeros(6, np.int32), np.zeros(6, np.uint8), np.zeros(6, np.int64))
    copy_args(ARGS, np.array([2, 1], np.int32), np.array([0, 7, 8], np.int32), np.array([0, 3]), made, compiled)
    assert made.keys.tolist() == [8, 0, 0, 7, 8, 7]
    assert made.kinds.tolist() == [1, 0, 0, 1, 4, 3]
    assert made.values.tolist() == [40, 0, 0, 10, 20, 30]
