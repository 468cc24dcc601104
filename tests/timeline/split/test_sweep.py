"""The loops of the split, compiled and numpy alike, and the whole of it, against a walk through every instant."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline.loops.loops import COMPILED, nest
from tensorboard_perfplugin.timeline.split import sets, split
from tensorboard_perfplugin.timeline.split.split import Split, split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX
from tests.build_capture import Space
from tests.timeline.timelines import timeline

NOT_COMPILED = pytest.mark.skipif(not COMPILED, reason="the loops are not compiled here")
BOTH = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=NOT_COMPILED)])
WAYS = [False, True] if COMPILED else [False]

Event = tuple[int, int, int]
#: Begin, length and class of the events of one track.
EVENTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20), st.integers(0, 3)), max_size=12)
#: Class 0 says nothing; 2 lasts whatever lies within.
WITHIN = np.array([[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 2], [3, 1, 2, 3]], np.uint8)
#: Class 3 is shown as nothing.
SHOWN = np.array([0, 1, 2, 0], np.uint8)
Pieces = list[tuple[int, int, int]]


def painted(events: list[Event], compiled: bool, first: int = 5) -> Pieces:
    rows = np.array(sorted(events, key=lambda e: (e[0], -e[1])), np.int64).reshape(-1, 3)
    start, duration = rows[:, 0].copy(), rows[:, 1].copy()
    parent = nest(np.zeros(len(rows), np.int32), start, duration).parent
    parent = np.where(parent >= 0, parent + first, -1).astype(np.int32)
    own = rows[:, 2].astype(np.uint8)
    begin, end, what = sets.paint(start, duration, parent, first, own, WITHIN, SHOWN, compiled)
    assert [begin.dtype, end.dtype, what.dtype] == ["int64", "int64", "uint8"]
    return list(zip(begin.tolist(), end.tolist(), what.tolist(), strict=True))


def walked(events: list[Event]) -> Pieces:
    """Instant by instant."""
    rows = sorted(events, key=lambda e: (e[0], -e[1]))
    held: list[int] = []
    for i, (begin, length, own) in enumerate(rows):
        around = [j for j in range(i) if rows[j][0] + rows[j][1] > begin and sum(rows[j][:2]) >= begin + length]
        held.append(int(WITHIN[held[around[-1]] if around else 0, own]))
    pieces: Pieces = []
    for now in range(60):
        running = [i for i, (begin, length, _) in enumerate(rows) if begin <= now < begin + length]
        what = int(SHOWN[held[running[-1]]]) if running else 0
        if what and pieces and pieces[-1][1:] == (now, what):
            pieces[-1] = (pieces[-1][0], now + 1, what)
        elif what:
            pieces.append((now, now + 1, what))
    return pieces


@BOTH
def test_the_innermost_class_counts(compiled: bool) -> None:
    events = [(0, 100, 1), (10, 50, 3), (20, 10, 2), (22, 4, 1), (40, 10, 1), (70, 10, 0), (75, 0, 2)]
    assert painted(events, compiled) == [(0, 10, 1), (20, 30, 2), (40, 50, 1), (60, 100, 1)]


@BOTH
def test_of_events_that_overlap_the_last_begun_counts(compiled: bool) -> None:
    assert painted([(0, 10, 2), (5, 10, 1), (12, 1, 2)], compiled) == [(0, 5, 2), (5, 12, 1), (12, 13, 2), (13, 15, 1)]


@BOTH
def test_nothing_gives_nothing(compiled: bool) -> None:
    assert painted([], compiled) == []
    assert painted([(5, 0, 1)], compiled) == []


@pytest.mark.parametrize("compiled", WAYS)
def test_many_events_within_each_other(compiled: bool) -> None:
    n = 3000
    events = [(i, 2 * (n - i), 1 + i % 2) for i in range(n)]
    assert painted(events, compiled) == [(0, 1, 1), (1, 2 * n - 1, 2), (2 * n - 1, 2 * n, 1)]


@given(EVENTS)
def test_paint_is_what_a_walk_finds(events: list[Event]) -> None:
    assert [painted(events, compiled) for compiled in WAYS] == [walked(events)] * len(WAYS)


SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=9)


def as_set(spans: list[tuple[int, int]]) -> intervals.Intervals:
    a = np.array(spans, np.int64).reshape(-1, 2)
    return intervals.union(a[:, 0], a.sum(axis=1))


@given(SPANS, SPANS)
def test_merge_is_the_union(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    expected = as_set(a + b)
    for compiled in WAYS:
        found = sets.merge(as_set(a), as_set(b), compiled)
        assert found.begin.tolist() == expected.begin.tolist()
        assert found.end.tolist() == expected.end.tolist()


@given(SPANS, SPANS)
def test_what_is_in_one_set_and_not_in_another(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    expected = intervals.subtraction(as_set(a), as_set(b))
    for compiled in WAYS:
        found = sets.subtract(as_set(a), as_set(b), compiled)
        assert found.begin.tolist() == expected.begin.tolist()
        assert found.end.tolist() == expected.end.tolist()


@given(st.lists(SPANS, max_size=12))
def test_union_of_any_number(many: list[list[tuple[int, int]]]) -> None:
    found, expected = sets.union(map(as_set, many)), as_set([span for spans in many for span in spans])
    assert found.begin.tolist() == expected.begin.tolist()
    assert found.end.tolist() == expected.end.tolist()


KERNELS = {
    "ampere_fp16_s16816gemm_fp16": "compute_16bit",
    "volta_sgemm_128x64_nn": "compute_32bit",
    "fusion": "compute_other",
    "ncclDevKernel_AllReduce": "collective",
    "MemcpyH2D": "copy_in",
}
HOST = {"IteratorGetNext:IteratorGetNext": "input_wait", "a/Shape:Shape": "host_compute", "cuLaunchKernel": "launch"}
OPS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([*KERNELS, *HOST]), st.integers(0, 60), st.integers(0, 30)))
STEPS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), min_size=1, max_size=5)


def space_of(steps: list[tuple[int, int]], ops: list[tuple[int, str, int, int]]) -> Space:
    """Host events are on threads of their own, so that none lies within another."""
    space = Space()
    plane = space.plane("/host:CPU")
    marks = plane.line(1, "python")
    for number, (begin, duration) in enumerate(sorted(steps)):
        marks.event("train", begin, duration, {"step_num": number, "_r": 1})
    gpu = space.plane("/device:GPU:0")
    streams = [gpu.line(i, f"Stream #{i}") for i in (7, 8, 9)]
    streams[0].event("fusion", 1000, 1)
    for i, (stream, name, begin, duration) in enumerate(ops):
        line = plane.line(100 + i, f"tf_Compute/{i}") if name in HOST else streams[stream]
        line.event(name, begin, duration)
    return space


def brute(found: Split, ops: list[tuple[int, str, int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Instant by instant what holds. The program's own thread is in Python from the first step to the last."""
    steps = found.steps
    exposed = np.zeros((len(steps), len(CATEGORIES)), np.int64)
    whole = np.zeros_like(exposed)
    classes = {**KERNELS, **HOST}
    for i, (begin, until) in enumerate(zip(steps.begin_ps.tolist(), steps.until_ps.tolist(), strict=True)):
        for now in range(begin, until):
            held = {INDEX[classes[name]] for _, name, at, length in ops if at <= now < at + length}
            held.add(INDEX["python"])
            exposed[i, min(held)] += 1
            whole[i, list(held)] += 1
    return exposed, whole


@settings(max_examples=40)
@given(STEPS, OPS)
def test_the_split_is_what_a_walk_finds(steps: list[tuple[int, int]], ops: list[tuple[int, str, int, int]]) -> None:
    found = split_of(timeline(space_of(steps, ops)), "markers")
    found.check()
    exposed, whole = brute(found, ops)
    assert found.exposed_ps[0].tolist() == exposed.tolist()
    assert found.union_ps[0].tolist() == whole.tolist()


def test_of_too_many_steps_the_first_are_divided() -> None:
    steps = [(10 * i, 5) for i in range(7)]
    with patch.object(split, "_MAX_CELLS", 3 * len(CATEGORIES) + 1):
        found = split_of(timeline(space_of(steps, [(0, "fusion", 0, 100)])))
    found.check()
    assert found.left_out == 4
    assert found.exposed_ps[0, :, INDEX["compute_other"]].tolist() == [10, 10, 10]


#: Tracks of pieces, each a begin, a length and a category; whether the track shares.
TRACKS = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12), st.integers(0, 3)), max_size=6), st.booleans()
    ),
    max_size=4,
)


def shared_by_walk(tracks: list[tuple[list[Event], bool]], windows: intervals.Intervals) -> list[float]:
    """Instant by instant: the first category that holds, in equal parts to its pieces on tracks that share."""
    pieces = [(*piece, shares) for of_track, shares in tracks for piece in sorted(of_track)]
    parts = [0.0] * len(pieces)
    for begin, end in zip(windows.begin.tolist(), windows.end.tolist(), strict=True):
        for now in range(begin, end):
            there = [i for i, (at, length, _, _) in enumerate(pieces) if at <= now < at + length]
            first = min((pieces[i][2] for i in there), default=-1)
            mine = [i for i in there if pieces[i][2] == first and pieces[i][3]]
            for i in mine:
                parts[i] += 1 / len(mine)
    return parts


@settings(max_examples=60)
@given(TRACKS, SPANS)
def test_what_counts_is_shared_by_the_pieces_that_show_it(
    tracks: list[tuple[list[Event], bool]], spans: list[tuple[int, int]]
) -> None:
    rows = np.array([piece for of_track, _ in tracks for piece in sorted(of_track)], np.int64).reshape(-1, 3)
    begin, end, category = rows[:, 0].copy(), rows[:, 0] + rows[:, 1], rows[:, 2].astype(np.uint8)
    first = np.cumsum([0, *(len(of_track) for of_track, _ in tracks)])
    sharing, windows = np.array([shares for _, shares in tracks], np.uint8), as_set(spans)
    for compiled in WAYS:
        found = sets.share(begin, end, category, first, sharing, windows, 4, compiled)
        assert found.tolist() == pytest.approx(shared_by_walk(tracks, windows))


@BOTH
def test_pieces_of_rows_are_those_of_classes(compiled: bool) -> None:
    """A row of the same class within another, and the rest of that."""
    start, duration = np.array([0, 10, 40]), np.array([50, 10, 5])
    parent = np.array([-1, 7, 7], np.int32)
    own = np.array([1, 1, 3], np.uint8)
    begin, end, what, row = sets.paint_rows(start, duration, parent, 7, own, WITHIN, SHOWN, compiled)
    found = list(zip(begin.tolist(), end.tolist(), what.tolist(), row.tolist(), strict=True))
    assert found == [(0, 10, 1, 7), (10, 20, 1, 8), (20, 40, 1, 7), (45, 50, 1, 7)]
