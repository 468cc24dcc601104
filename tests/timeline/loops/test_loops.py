"""Nesting, nearest ancestors, first stats and shared time: compiled and numpy alike, against brute force."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Intervals, intervals
from tensorboard_perfplugin.timeline.loops import vectorised
from tensorboard_perfplugin.timeline.loops.loops import (
    COMPILED,
    Nesting,
    caused,
    coverage,
    extent,
    first_of_key,
    first_of_key_at,
    gaps,
    inherit,
    mark,
    nearest,
    nest,
    numbered,
    share,
)

Rows = list[tuple[int, int, int]]
NOT_COMPILED = pytest.mark.skipif(not COMPILED, reason="the loops are not compiled here")
BOTH = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=NOT_COMPILED)])
WAYS = [False, True] if COMPILED else [False]


def nested(rows: Rows | NDArray[np.int64], compiled: bool) -> Nesting:
    """Rows are (track, start, end)."""
    a = np.array(rows, np.int64).reshape(-1, 3)
    return nest(a[:, 0].astype(np.int32), a[:, 1].copy(), a[:, 2] - a[:, 1], compiled)


def table(rows: Rows, compiled: bool) -> list[tuple[int, int, int]]:
    """(depth, parent, self) of each row."""
    n = nested(rows, compiled)
    assert [str(column.dtype) for column in n] == ["int32", "int32", "int64"]
    return list(zip(n.depth.tolist(), n.parent.tolist(), n.self_ps.tolist(), strict=True))


#: (track, start, end) → (depth, parent, self).
NESTED: dict[str, dict[int, tuple[tuple[int, int, int], tuple[int, int, int]]]] = {
    "children, grandchildren and a second track": {
        0: ((0, 0, 100), (0, -1, 20)),
        1: ((0, 10, 40), (1, 0, 10)),
        2: ((0, 10, 20), (2, 1, 10)),
        3: ((0, 20, 30), (2, 1, 10)),  # touches 2, does not nest in it
        4: ((0, 50, 100), (1, 0, 50)),  # ends with 0
        5: ((0, 100, 110), (0, -1, 10)),  # touches 0
        6: ((1, 5, 50), (0, -1, 45)),  # the same time on another track
    },
    "of equal intervals the first is outer": {
        0: ((0, 0, 10), (0, -1, 0)),
        1: ((0, 0, 10), (1, 0, 0)),
        2: ((0, 0, 10), (2, 1, 10)),
    },
    "instants": {
        0: ((0, 0, 10), (0, -1, 10)),
        1: ((0, 0, 0), (1, 0, 0)),  # at the begin of 0: inside
        2: ((0, 0, 0), (1, 0, 0)),  # beside 1
        3: ((0, 5, 5), (1, 0, 0)),
        4: ((0, 10, 10), (0, -1, 0)),  # at the end of 0: outside
    },
    "what overlaps another without nesting in it is on the next lane, and its time is its own": {
        0: ((0, 0, 10), (0, -1, 4)),
        1: ((0, 2, 5), (1, 0, 2)),
        2: ((0, 4, 8), (2, 0, 4)),
    },
    # As `ProfilerStep#1`, `#2`, `#3`: each begins within the call of `step()` that ends the one before.
    "a row that outlasts what began before it lies no deeper each time": {
        0: ((0, 0, 100), (0, -1, 20)),
        1: ((0, 10, 31), (1, 0, 20)),
        2: ((0, 30, 34), (2, 0, 2)),
        3: ((0, 32, 61), (1, 0, 18)),  # step 1 is over, so its lane is free
        4: ((0, 40, 50), (2, 3, 10)),
        5: ((0, 60, 64), (2, 0, 2)),
        6: ((0, 62, 90), (1, 0, 28)),
    },
}


@BOTH
@pytest.mark.parametrize("name", NESTED)
def test_nesting(name: str, compiled: bool) -> None:
    rows, expected = zip(*NESTED[name].values(), strict=True)
    assert table(list(rows), compiled) == [*expected]


@BOTH
def test_nothing(compiled: bool) -> None:
    assert table([], compiled) == []
    assert nearest(np.empty(0, np.int32), np.empty(0, bool), compiled).tolist() == []


@BOTH
def test_hostile_shapes_end(compiled: bool) -> None:
    """Deep nests and staircases are linear work: a walk down the stack that forgets what it passed would not end."""
    n = 50_000
    i = np.arange(n)
    deep = np.stack((i * 0, i, 2 * n - i), axis=1)
    stairs = np.stack((i * 0, i, n + i), axis=1)
    after = np.stack((i * 0, 2 * n + 2 * i, 2 * n + 2 * i + 1), axis=1)
    for rows, covered in ((deep, 2 * n), (stairs, 2 * n - 1), (np.concatenate((deep, after)), 3 * n)):
        got = nested(rows, compiled)
        assert got.depth[n - 1] == n - 1
        assert got.self_ps.sum() == covered


@st.composite
def some_rows(draw: st.DrawFn) -> Rows:
    triples = st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(0, 12))
    given_rows = draw(st.lists(triples, max_size=14))
    return sorted(((t, s, s + d) for t, s, d in given_rows), key=lambda r: (r[0], r[1], -r[2]))


def owner(rows: Rows, track: int, cell: int) -> int:
    return max(i for i, (t, begin, end) in enumerate(rows) if t == track and begin <= cell < end)


@given(some_rows())
def test_nesting_against_brute_force(rows: Rows) -> None:
    parents = [
        max((j for j, (u, b, e) in enumerate(rows[:i]) if u == t and e > begin and e >= end), default=-1)
        for i, (t, begin, end) in enumerate(rows)
    ]
    covered = {(t, cell) for t, begin, end in rows for cell in range(begin, end)}
    owners = [owner(rows, t, cell) for t, cell in covered]
    for compiled in WAYS:
        got = nested(rows, compiled)
        assert got.parent.tolist() == parents
        assert got.self_ps.tolist() == [owners.count(i) for i in range(len(rows))]
        assert lanes_are_free(rows, got.depth.tolist(), parents)
        with patch.object(vectorised, "ROUNDS", 0):
            alike = nested(rows, False)
        assert [column.tolist() for column in alike] == [column.tolist() for column in got]


def lanes_are_free(rows: Rows, depth: list[int], parents: list[int]) -> bool:
    """No two that overlap share a lane; who has a parent lies above it; who overlaps nobody lies at 0."""
    for i, (t, begin, _) in enumerate(rows):
        running = [j for j in range(i) if rows[j][0] == t and rows[j][2] > begin]
        if any(depth[j] == depth[i] for j in running) or (parents[i] >= 0 and depth[parents[i]] >= depth[i]):
            return False
        if not running and depth[i] != 0:
            return False
    return True


@given(some_rows(), st.lists(st.booleans(), min_size=14, max_size=14))
def test_nearest_against_brute_force(rows: Rows, flags: list[bool]) -> None:
    parent = nested(rows, False).parent
    expected = []
    for i in range(len(rows)):
        j = int(parent[i])
        while j >= 0 and not flags[j]:
            j = int(parent[j])
        expected.append(j)
    for compiled in WAYS:
        assert nearest(parent, np.array(flags[: len(rows)], bool), compiled).tolist() == expected


@given(some_rows(), st.lists(st.integers(-1, 2), min_size=14, max_size=14))
def test_inherit_against_brute_force(rows: Rows, labels: list[int]) -> None:
    parent = nested(rows, False).parent
    expected: list[int] = []
    for i, label in enumerate(labels[: len(rows)]):
        expected.append(label if label >= 0 or parent[i] < 0 else expected[parent[i]])
    for compiled in WAYS:
        assert inherit(parent, np.array(labels[: len(rows)], np.int32), compiled).tolist() == expected


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), max_size=8),
)
def test_first_of_key_against_brute_force(stats: list[tuple[int, int]], ranges: list[tuple[int, int]]) -> None:
    key, kind = np.array([k for k, _ in stats], np.int32), np.array([k for _, k in stats], np.uint8)
    value = np.arange(100, 100 + len(stats))
    spans = [(min(b, len(stats)), min(b + n, len(stats))) for b, n in ranges]
    begin, end = np.array([b for b, _ in spans], np.int64), np.array([e for _, e in spans], np.int64)
    rows = [next((j for j in range(b, e) if stats[j][0] == 2), None) for b, e in spans]
    for compiled in WAYS:
        values, kinds = first_of_key(begin, end, key, kind, value, 2, compiled)
        assert values.tolist() == [0 if j is None else 100 + j for j in rows]
        assert kinds.tolist() == [0 if j is None else stats[j][1] for j in rows]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 10)), max_size=10))
def test_shared_time_against_brute_force(pairs: list[tuple[int, int]]) -> None:
    spans = [(b, b + n) for b, n in pairs]
    running = [sum(b <= cell < e for b, e in spans) for cell in range(31)]
    expected = [sum(1 / running[cell] for cell in range(b, e)) for b, e in spans]
    begin, end = np.array([b for b, _ in spans], np.int64), np.array([e for _, e in spans], np.int64)
    for compiled in WAYS:
        assert share(begin, end, compiled).tolist() == pytest.approx(expected)


@pytest.mark.skipif(not COMPILED, reason="the loops are not compiled here")
def test_both_ways_agree_on_every_real_capture(xplane_files: list[Path]) -> None:
    for file in xplane_files:
        e = decode.read(str(file)).events
        ways = [nest(e.track, e.start_ps, e.duration_ps, compiled) for compiled in (False, True)]
        for column in zip(*ways, strict=True):
            assert np.array_equal(*column), file


@pytest.mark.parametrize(("free", "depth"), [(7, 7), (8, 10)])
@pytest.mark.parametrize("compiled", WAYS)
def test_eight_lanes_are_looked_at_for_a_free_one(free: int, depth: int, compiled: bool) -> None:
    """Of ten rows that begin one after the other one has ended when the last begins."""
    rows = [(i, 12 if i == free else 100) for i in range(10)] + [(30, 200)]
    start, duration = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    assert nest(np.zeros(11, np.int32), start, duration, compiled).depth[-1] == depth


STATS = (
    np.array([7, 5, 7, 5, 9, 7, 7, 7, 5], np.int32),
    np.array([1, 4, 2, 1, 1, 4, 1, 1, 2], np.uint8),
    np.array([3, 8, 4, 6, 1, 2, 0, 9, 5], np.int64),
)
RANGES = np.array([[0, 2], [2, 5], [5, 6], [6, 7], [7, 7], [7, 9]]).T.copy()


@BOTH
def test_ranges_with_a_number_of_one_key_and_what_another_says_beside_it(compiled: bool) -> None:
    """Of the third the value is a text, of the fourth 0; the fifth has no stats."""
    begin, end = RANGES
    found = numbered([(0, 1), (1, 6)], begin, end, STATS, 7, 5, compiled)
    assert [str(column.dtype) for column in found] == ["int32", "int64", "int64", "uint8"]
    assert [column.tolist() for column in found] == [[0, 1, 5], [3, 4, 9], [8, 6, 5], [4, 1, 2]]
    alone = numbered([(0, 2)], begin, end, STATS, 7, -1, compiled)
    assert [column.tolist() for column in alone] == [[0, 1], [3, 4], [0, 0], [0, 0]]


@BOTH
def test_the_first_stat_of_some_ranges(compiled: bool) -> None:
    value, kind = first_of_key_at(np.array([5, 2, 1]), RANGES[0], RANGES[1], *STATS, 7, compiled)
    assert (value.tolist(), kind.tolist()) == ([9, 2, 4], [1, 4, 2])


@BOTH
def test_rows_without_a_label_take_their_cause_s(compiled: bool) -> None:
    label = np.array([4, -1, -1, 7, -1], np.int32)
    caused(np.array([-1, 0, -1, 0, 2], np.int32), label, compiled)
    assert label.tolist() == [4, 4, -1, 7, -1]


@BOTH
def test_values_that_occur_are_marked(compiled: bool) -> None:
    used = np.zeros(5, bool)
    mark(np.array([3, 1, 3], np.int32), used, compiled)
    assert used.tolist() == [False, True, False, True, False]


@BOTH
def test_some_events_span_from_the_first_begin_to_the_last_end(compiled: bool) -> None:
    start, duration = np.array([5, 0, 9, 7], np.int64), np.array([90, 8, 1, 4], np.int64)
    assert extent(np.array([1, 2, 3]), start, duration, compiled) == (0, 11)
    assert extent(np.array([0]), start, duration, compiled) == (5, 95)


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=30),
    st.lists(st.tuples(st.integers(0, 150), st.integers(-2, 99)), max_size=8),
    st.booleans(),
)
def test_coverage_by_one_pass_and_by_searching(
    pieces: list[tuple[int, int]], spans: list[tuple[int, int]], in_order: bool
) -> None:
    ends = np.cumsum(np.array(pieces, np.int64).reshape(-1, 2).reshape(-1))
    a = Intervals(ends[0::2], ends[1::2])
    begin, length = np.array(spans, np.int64).reshape(-1, 2).T.copy()
    end = begin + length
    if in_order:
        begin, end = np.sort(begin), np.sort(end)
    expected = intervals.coverage(a, begin, end).tolist()
    for compiled in WAYS:
        assert coverage(a, begin, end, compiled).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6), st.integers(-1, 3)), min_size=1, max_size=8))
def test_gaps_against_brute_force(given_events: list[tuple[int, int, int]]) -> None:
    """The call that launched an event is any of the first four."""
    events = sorted(given_events)
    start, duration, call = (np.array(column, np.int64) for column in zip(*events, strict=True))
    call = np.minimum(call, len(events) - 1)
    busy = {t for at, length, _ in events for t in range(at, at + length)}
    until = max(at + length for at, length, _ in events)
    expected = []
    for row in range(1, len(events)):
        low = max(at + length for at, length, _ in events[:row])
        if events[row][0] > low:
            assert not busy & set(range(low, events[row][0]))
            done = int(start[call[row]] + duration[call[row]]) if call[row] >= 0 else -1
            expected.append([low, events[row][0], min(max(done, low), events[row][0]) - low, row])
    for compiled in WAYS:
        found = gaps(np.arange(len(events)), start, duration, call.astype(np.int32), compiled)
        columns = (*found.when, found.late_ps, found.ended)
        assert [list(one) for one in zip(*(c.tolist() for c in columns), strict=True)] == expected
        assert found.until_ps == until
