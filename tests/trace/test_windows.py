"""For any window and any resolution: what overlaps it is shown once, alone or merged, whatever way it is computed."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.answers.encode import to_columns
from tensorboard_perfplugin.tables.capture import Strings
from tensorboard_perfplugin.timeline.nesting import nesting_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.trace import lanes as trace_lanes
from tests.build_capture import Space
from tests.columns import read_columns
from tests.trace.test_viewer import BOTH, NOT_COMPILED, ask, opened, rows, shown

#: Track, begin, length.
Events = list[tuple[int, int, int]]
MINUTES = 600 * 10**12
FAR = 1 << 62


def capture_of(events: Events, tracks: int = 3) -> Timeline:
    space = Space()
    plane = space.plane("/host:CPU")
    lines = [plane.line(i + 1, f"t{i}") for i in range(tracks)]
    for track, at, long in events:
        lines[track].event("abc"[(at + long) % 3], at, long)
    return opened(space)


@contextmanager
def computed(way: str) -> Iterator[None]:
    """`plain`: numpy alone; `merged`: from the events; `levels`: from levels of all lengths, whatever they take."""
    with pytest.MonkeyPatch.context() as patch:
        if way == "plain":
            patch.setattr(trace_lanes, "_compiled", None)
        if way == "levels":
            patch.setattr(trace_lanes, "DIRECT_MAX", -1)
            patch.setattr(trace_lanes, "INDEX_SHARE", 1000)
        yield


def asked(events: Timeline, way: str, **options: Any) -> Answer:
    with computed(way):
        timeline = Timeline(events.capture, events.host)
        if way == "levels":
            # The second time a window misses a level it is built.
            ask(timeline, **options)
        return ask(timeline, **options)


def check(timeline: Timeline, answer: Answer, start: int, end: int) -> None:
    """Every event that overlaps the window is in exactly one slice, and the slice says of it what is so."""
    e, names = timeline.capture.events, timeline.capture.strings.texts(timeline.capture.events.name)
    columns = zip(
        e.track.tolist(), nesting_of(timeline).depth.tolist(), e.start_ps.tolist(), e.duration_ps.tolist(), strict=True
    )
    left = {
        row: (track, depth, at, long)
        for row, (track, depth, at, long) in enumerate(columns)
        if at < end and (at >= start or at + long > start)
    }
    total = Counter(track for track, *_ in left.values())
    sent = {t: s + m for t, s, m in rows(answer, "window_tracks", "track", "shown", "merged") if s + m}
    assert sent == total
    summary = answer.result.summary
    pixel, begin = int(summary["resolution_ps"] or 0), int(summary["window_start_ps"] or 0)
    tracks = [track for (track,) in rows(answer, "window_tracks", "track")]
    texts = [name for (name,) in rows(answer, "names", "name")]
    for place, depth, at, long, idle, name, count, row in rows(answer, "slices"):
        at += begin
        lane = [(r, a, n) for r, (t, d, a, n) in left.items() if (t, d) == (tracks[place], depth)]
        mine = [(r, a, n) for r, a, n in lane if (r == row if count == 1 else at <= a <= at + long and n < pixel)]
        mine = [(r, a, n) for r, a, n in mine if count == 1 or a // pixel == at // pixel]
        assert len(mine) == count
        assert (min(a for _, a, _ in mine), max(a + n for _, a, n in mine)) == (at, at + long)
        assert long - idle == sum(n for *_, n in mine)
        busy: Counter[str] = Counter()
        for r, _, n in mine:
            busy[names[r]] += n
        assert busy[texts[name]] == max(busy.values())
        assert names[row] == texts[name]
        for r, *_ in mine:
            del left[r]
    assert left == {}


EVENTS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 400), st.integers(0, 120) | st.integers(0, 3)), max_size=60
)
WAYS = ("plain", "merged", "levels") if trace_lanes._compiled else ("plain",)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(EVENTS, st.integers(-50, 500), st.integers(1, 600), st.sampled_from([1, 3, 10, 100, 8192]))
@example([(0, 10, 30), (0, 20, 40), (0, 25, 0)], 15, 10, 1)
@example([(0, 5, 0), (0, 5, 0), (0, 5, 1), (0, 5, 1)], 5, 1, 8192)
def test_nothing_is_lost_or_counted_twice(events: Events, start: int, length: int, width: int) -> None:
    timeline = capture_of(events)
    options = {"start_ps": start, "end_ps": start + length, "width": width, "tracks": "0-2"}
    answers = [asked(timeline, way, **options) for way in WAYS]
    check(timeline, answers[0], start, start + length)
    for answer in answers[1:]:
        assert answer.to_dict() == answers[0].to_dict()
    assert read_columns(to_columns(answers[0]))["tables"] == answers[0].to_dict()["tables"]


BIG = st.tuples(
    st.integers(0, 2), st.integers(0, 1 << 61) | st.integers(0, 1000), st.integers(0, 1 << 61) | st.integers(0, 1)
)


@settings(max_examples=100, deadline=None)
@given(st.lists(BIG, max_size=30), st.integers(-FAR, FAR), st.integers(1, FAR), st.sampled_from([1, 1000, 8192]))
@example([(0, 0, 1 << 61), (0, (1 << 61) - 1, 1)], (1 << 61) - 1, 1, 8192)
def test_nothing_is_lost_at_any_magnitude(events: Events, start: int, length: int, width: int) -> None:
    timeline = capture_of(events)
    start, end = max(start, -FAR), min(start + length, FAR)
    if start >= end:
        return
    answers = [asked(timeline, way, start_ps=start, end_ps=end, width=width, tracks="0-2") for way in WAYS]
    check(timeline, answers[0], start, end)
    for answer in answers[1:]:
        assert answer.to_dict() == answers[0].to_dict()


@pytest.mark.parametrize("way", WAYS)
def test_a_slice_as_long_as_the_capture_lies_under_all_others(way: str) -> None:
    timeline = capture_of([(0, 0, MINUTES), *((0, i * (MINUTES // 300), 1 + i % 3) for i in range(300))])
    for start, end in ((0, MINUTES), (MINUTES // 2, MINUTES // 2 + 1), (7, 8), (MINUTES - 1, MINUTES)):
        answer = asked(timeline, way, start_ps=start, end_ps=end, width=100)
        check(timeline, answer, start, end)
        assert (-start, MINUTES) in rows(answer, "slices", "start_ps", "duration_ps")


@pytest.mark.parametrize("way", WAYS)
def test_a_picosecond_of_ten_minutes(way: str) -> None:
    """A billion-fold zoom is exact: each of the three neighbouring picoseconds shows its own event."""
    events = [(0, 0, MINUTES), *((0, MINUTES - 5 + i, 1) for i in range(3))]
    timeline = capture_of(events)
    for i in range(3):
        at = MINUTES - 5 + i
        answer = asked(timeline, way, start_ps=at, end_ps=at + 1, width=8192)
        assert answer.result.summary["resolution_ps"] == 1
        assert [(s, d) for s, d in rows(answer, "slices", "start_ps", "duration_ps")] == [(-at, MINUTES), (0, 1)]


@pytest.mark.parametrize("way", WAYS)
def test_five_hundred_deep(way: str) -> None:
    timeline = capture_of([(0, i, 10_000 - 2 * i) for i in range(500)])
    for start, end, width in ((0, 10_000, 1000), (499, 500, 1), (250, 9_000, 8192), (0, 10_000, 1)):
        answer = asked(timeline, way, start_ps=start, end_ps=end, width=width)
        check(timeline, answer, start, end)
    assert [depth for (depth,) in rows(answer, "slices", "depth")] == list(range(500))


@pytest.mark.parametrize("way", WAYS)
def test_a_thousand_instants_at_one_time(way: str) -> None:
    timeline = capture_of([(0, 50, 0)] * 1000 + [(0, 0, 100)])
    for start, end in ((0, 100), (50, 51)):
        answer = asked(timeline, way, start_ps=start, end_ps=end, width=8192)
        check(timeline, answer, start, end)
        assert answer.result.summary["merged_count"] == 1000
    assert shown(asked(timeline, way, start_ps=51, end_ps=52)) == [(0, 0, -51, 100, "b", 1)]


@pytest.fixture(scope="module")
def many_tracks() -> Timeline:
    """100,000 threads with one event each."""
    count = 100_000
    c = capture_of([(0, i, 10) for i in range(count)], tracks=1).capture
    row = np.arange(count)
    tracks = replace(
        c.tracks.take(np.zeros(count, np.int64)),
        order=row.astype(c.tracks.order.dtype),
        events_begin=row.astype(c.tracks.events_begin.dtype),
        events_end=(row + 1).astype(c.tracks.events_end.dtype),
    )
    capture = replace(c, tracks=tracks, events=replace(c.events, track=row.astype(np.int32)))
    capture.check()
    return Timeline(capture, "h")


@BOTH
def test_a_hundred_thousand_tracks(many_tracks: Timeline, compiled: bool) -> None:
    way = "merged" if compiled else "plain"
    first = asked(many_tracks, way)
    assert first.result.summary["track_count"] == 100_000
    assert len(rows(first, "window_tracks")) <= 128
    page = asked(many_tracks, way, start_ps=49_000, end_ps=52_000, width=8192, tracks="45000-99999")
    taken = rows(page, "window_tracks", "track", "shown", "merged")
    assert [track for track, *_ in taken] == list(range(45_000, 45_000 + 30_000 // 5))
    with_slices = {track for track, alone, merged in taken if alone + merged}
    assert with_slices == set(range(48_991, 45_000 + 30_000 // 5))


@NOT_COMPILED
@pytest.mark.parametrize("width", [1000, 8192])
def test_a_window_of_random_picoseconds_is_at_most_300_kb(width: int) -> None:
    """Half a million events of 500 names on 20 threads at random times over ten minutes, to the picosecond."""
    count, tracks, chance = 500_000, 20, np.random.default_rng(1)
    c = capture_of([(i, 0, 1) for i in range(tracks)], tracks).capture
    start = chance.integers(0, MINUTES, (tracks, count // tracks))
    start.sort(axis=1)
    gap = np.diff(start, axis=1, append=MINUTES)
    length = np.minimum((chance.random(start.shape) ** 8 * 10**10).astype(np.int64), gap)
    text = [f"jit_train_step/transformer/layer_{i % 48}/fusion.{i * 7919 % 10_007}" for i in range(500)]
    strings = Strings([*c.strings, *text])
    row = np.arange(tracks) * (count // tracks)
    events = replace(
        c.events.take(np.zeros(count, np.int64)),
        track=np.repeat(np.arange(tracks), count // tracks).astype(np.int32),
        start_ps=start.ravel(),
        duration_ps=length.ravel(),
        name=chance.integers(len(c.strings), len(strings), count).astype(np.int32),
    )
    moved = replace(c.tracks, events_begin=row, events_end=row + count // tracks)
    timeline = Timeline(replace(c, events=events, tracks=moved, strings=strings), "h")
    answer = asked(timeline, "merged", width=width, tracks=f"0-{tracks - 1}")
    assert len(rows(answer, "slices", "row")) > 8_000
    assert len(gzip.compress(to_columns(answer), 1)) <= 300_000


def test_names_that_are_alike_on_both_sides_have_a_category_each() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("MemcpyH2D", 0, 10).event("$f.py:1 f", 20, 10)
    space.plane("/device:GPU:0").line(7, "Stream #7").event("MemcpyH2D", 5, 10).event("ncclKernel_x", 20, 10)
    answer = ask(opened(space), width=8192)
    names = rows(answer, "names", "name", "category")
    assert sorted((name, category) for name, category in names) == [
        ("$f.py:1 f", "python"),
        ("MemcpyH2D", "copy_in"),
        ("MemcpyH2D", "launch"),
        ("ncclKernel_x", "collective"),
    ]
    by_track = {(track, names[place]) for track, place in rows(answer, "slices", "track", "name")}
    assert (0, ("MemcpyH2D", "copy_in")) in by_track
    assert (1, ("MemcpyH2D", "launch")) in by_track


def spread(count: int) -> Timeline:
    """Short events, one in each 100 ps."""
    return capture_of([(0, i * 100, 5) for i in range(count)], tracks=1)


@NOT_COMPILED
def test_levels_are_kept_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level of 256 ps has a slice for 2.5 events."""
    monkeypatch.setattr(trace_lanes, "INDEX_SHARE", 2)
    levels = trace_lanes.Lanes(spread(400)).levels
    assert levels is not None
    first = levels.build(8)
    assert first is not None
    assert len(first.row) == 156
    assert levels.get(8) is first
    assert levels.get(9) is None
    monkeypatch.setattr(levels, "_room", 200 * 24)
    assert levels.build(9, drop=False) is None
    assert levels.build(0) is None
    assert levels.build(9) is not None
    assert (levels.has(8), levels.has(9)) == (False, True)
    assert levels.build(10, drop=False) is not None
    assert (levels.has(9), levels.has(10)) == (True, True)


@NOT_COMPILED
def test_what_zooming_needs_is_prepared_from_the_coarsest_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_lanes, "DIRECT_MAX", 10)
    monkeypatch.setattr(trace_lanes, "PIXELS", (10, 50))
    monkeypatch.setattr(trace_lanes, "INDEX_SHARE", 1.2)
    lanes = trace_lanes.Lanes(spread(400))
    assert lanes.levels is not None
    # The whole, 40,000 ps, at 10 pixels: buckets of 2^11 ps; a part with 10 events, at 50 pixels: 2^4 ps.
    lanes.prepare(trace_lanes.Window(0, 40_000))
    assert [shift for shift in range(62) if lanes.levels.has(shift)] == list(range(8, 12))
    assert lanes.levels.build(7, drop=False) is None


@NOT_COMPILED
def test_a_level_is_used_as_soon_as_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_lanes, "DIRECT_MAX", 10)
    monkeypatch.setattr(trace_lanes, "INDEX_SHARE", 2)
    timeline = spread(400)
    before = ask(timeline, width=40).to_dict()
    levels = trace_lanes.lanes_of(timeline).levels
    assert levels is not None
    shift = (before["summary"]["resolution_ps"]).bit_length() - 1
    assert not levels.has(shift)
    with levels._building:
        # Somebody builds another level: nobody waits for that.
        assert ask(timeline, width=40).to_dict() == before
    assert not levels.has(shift)
    assert ask(timeline, width=40).to_dict() == before
    assert levels.has(shift)
    assert ask(timeline, width=40).to_dict() == before


def test_the_index_takes_at_most_six_tenths_of_the_columns(shared_captures: Path) -> None:
    """Nesting, lanes and levels, after everything was prepared and looked at."""
    for path in sorted((shared_captures / "xplane").rglob("*.xplane.pb")):
        timeline = Timeline(decode.read(str(path)), "h")
        if len(timeline.capture.events) < 1000:
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trace_lanes, "DIRECT_MAX", -1)
            first, end = timeline.capture.span_ps
            for width in (1, 10, 100, 1000, 8192) * 2:
                ask(timeline, width=width)
            trace_lanes.lanes_of(timeline).prepare(trace_lanes.Window(first, end + 1))
        nesting = (
            nesting_of(timeline).depth.nbytes + nesting_of(timeline).parent.nbytes + nesting_of(timeline).self_ps.nbytes
        )
        assert trace_lanes.lanes_of(timeline).nbytes + nesting <= 0.6 * timeline.capture.nbytes, path
