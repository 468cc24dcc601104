"""Interval arithmetic against pictures that one can check by eye, and against sets of small integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.tables.intervals import Intervals

Pairs = list[tuple[int, int]]


def arrays(pairs: Pairs) -> Intervals:
    values = np.array(pairs, np.int64).reshape(-1, 2)
    return Intervals(values[:, 0].copy(), values[:, 1].copy())


def listed(a: Intervals) -> Pairs:
    return list(zip(a.begin.tolist(), a.end.tolist(), strict=True))


def picture(text: str) -> Intervals:
    """`##..#` is [0, 2) and [4, 5)."""
    begin = [i for i, c in enumerate(text) if c == "#" and (i == 0 or text[i - 1] != "#")]
    end = [i + 1 for i, c in enumerate(text) if c == "#" and text[i + 1 : i + 2] != "#"]
    return Intervals(np.array(begin, np.int64), np.array(end, np.int64))


A = picture("..####....###..#")
B = picture(".##.##.####.....")


def test_union_of_unsorted_overlapping_touching_empty_and_negative() -> None:
    a = arrays([(12, 15), (0, 5), (3, 7), (7, 9), (10, 10), (20, 18)])
    assert listed(intervals.union(*a)) == [(0, 9), (12, 15)]


def test_intersection() -> None:
    assert listed(intervals.intersection(A, B)) == listed(picture("..#.##....#....."))


def test_subtraction() -> None:
    assert listed(intervals.subtraction(A, B)) == listed(picture("...#.......##..#"))
    assert listed(intervals.subtraction(B, A)) == listed(picture(".#.....###......"))


def test_clip() -> None:
    assert listed(intervals.clip(A, 4, 12)) == listed(picture("....##....##...."))


def test_gaps() -> None:
    assert listed(intervals.gaps(A, 0, 16)) == listed(picture("##....####...##."))


def test_coverage_of_windows_in_any_order() -> None:
    #             ..####....###..#
    windows = arrays([(0, 16), (3, 11), (6, 10), (12, 12), (9, 4)])
    assert intervals.coverage(A, *windows).tolist() == [8, 4, 0, 0, 0]


def test_nothing() -> None:
    nothing = intervals.EMPTY
    assert listed(intervals.union(*nothing)) == []
    assert listed(intervals.intersection(A, nothing)) == []
    assert listed(intervals.subtraction(nothing, A)) == []
    assert listed(intervals.subtraction(A, nothing)) == listed(A)
    assert listed(intervals.gaps(nothing, 3, 5)) == [(3, 5)]
    assert intervals.coverage(nothing, *A).tolist() == [0, 0, 0]
    assert nothing.total == 0


def test_64_bits() -> None:
    top = (1 << 63) - 1
    assert intervals.union(*arrays([(0, top), (5, top)])).total == top


small = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12)


def cells(pairs: Pairs) -> set[int]:
    return {i for begin, end in pairs for i in range(begin, end)}


@given(small, small, st.integers(0, 30), st.integers(0, 30))
def test_against_sets_of_integers(p: Pairs, q: Pairs, low: int, high: int) -> None:
    a, b, window = intervals.union(*arrays(p)), intervals.union(*arrays(q)), set(range(low, high))
    expected = {
        "union": (a, cells(p)),
        "intersection": (intervals.intersection(a, b), cells(p) & cells(q)),
        "subtraction": (intervals.subtraction(a, b), cells(p) - cells(q)),
        "clip": (intervals.clip(a, low, high), cells(p) & window),
        "gaps": (intervals.gaps(a, low, high), window - cells(p)),
    }
    for name, (got, cell_set) in expected.items():
        assert cells(listed(got)) == cell_set, name
        assert got.total == len(cell_set), name
        assert listed(got) == listed(intervals.union(*got)), f"{name} is not a set"
    assert intervals.coverage(a, *arrays(q)).tolist() == [len(cells(p) & cells([w])) for w in q]
