"""Equal keys get equal numbers, whichever way they are numbered."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.tables import AnyArray, distinct, distinct_rows, grouped, numbered, numbering, pooled


@given(st.lists(st.integers(-3, 3), max_size=12))
def test_equal_keys_get_equal_numbers(keys: list[int]) -> None:
    expected = sorted(set(keys))
    for limit in (0, 100):
        with patch.object(numbering, "_MAX_TABLE", limit):
            values, which = distinct(np.array(keys, np.int64))
            assert (values.tolist(), which.tolist()) == (expected, [expected.index(k) for k in keys])


@pytest.mark.parametrize("apart", [65_521, 1 << 40], ids=["of one remainder", "of several"])
def test_few_numbers_far_apart_are_numbered_in_their_order(apart: int) -> None:
    """By a table of remainders; where two numbers have the same one, by sorting."""
    keys = np.array([3, -2, 3, 0, -2], np.int64) * apart + (1 << 26) * np.array([1, 0, 1, 0, 0])
    values, which = distinct(np.tile(keys, 1 << 14))
    assert (values.tolist(), which[:5].tolist()) == (sorted(set(keys.tolist())), [2, 0, 2, 1, 0])
    assert numbered(keys).tolist() == [2, 0, 2, 1, 0]


def test_many_numbers_of_which_the_first_differ_little_are_sorted() -> None:
    keys = np.concatenate((np.zeros(1 << 16, np.int64), np.arange(1 << 16) << 40))
    values, which = distinct(keys)
    assert (values[which] == keys).all()
    assert len(values) == 1 << 16


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_distinct_keys_are_of_the_type_of_keys_to_its_limits(dtype: type) -> None:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    for some in ([low, high, low + 9, high - 9], [high, high - 1], []):
        keys: AnyArray = np.array(some, dtype)
        values, which = distinct(keys)
        assert values.dtype == dtype
        assert values.tolist() == sorted(some)
        assert values[which].tolist() == some


@pytest.mark.parametrize("largest", [3, 1 << 40], ids=["a table", "sorted"])
def test_distinct_rows_are_those_of_numpy_in_its_order(largest: int) -> None:
    columns = np.random.default_rng(3).integers(-1, largest, (3, 500)) // (largest // 3) * (largest // 3)
    which, first = grouped(*columns)
    rows, index, places = np.unique(columns, axis=1, return_index=True, return_inverse=True)
    assert (first == index).all()
    assert (which == places.reshape(-1)).all()
    assert (distinct_rows(*columns)[0] == rows.T).all()
    assert len(first) < 200


def test_no_rows_are_none() -> None:
    which, first = grouped(*[np.empty(0, np.int64)] * 2)
    assert (len(first), len(which)) == (0, 0)


def test_groups_sum_what_floats_cannot_hold() -> None:
    groups = grouped(np.array([7, -1, 7]), np.array([True, False, True]))
    values = np.array([1 << 60, 5, 1])
    assert groups.size().tolist() == [1, 2]
    assert groups.exact_sum(values).tolist() == [5, (1 << 60) + 1]
    assert groups.sum(values).tolist() == [5.0, 2.0**60]
    assert (groups.minimum(values).tolist(), groups.maximum(values).tolist()) == ([5, 1], [5, 1 << 60])


def test_items_of_several_lists_have_one_number_each() -> None:
    items, places = pooled([["b", "a", "b"], [], ["c", "a"]])
    assert (items, [place.tolist() for place in places]) == (["b", "a", "c"], [[0, 1, 0], [], [2, 1]])
