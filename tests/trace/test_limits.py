"""Answers of the trace just within and just beyond the numbers that bound them."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import I64
from tensorboard_perfplugin.timeline import INDEX
from tensorboard_perfplugin.trace import counters as trace_counters
from tensorboard_perfplugin.trace import shortened
from tensorboard_perfplugin.trace.area import compare
from tensorboard_perfplugin.trace.area import gaps as trace_gaps
from tensorboard_perfplugin.trace.area.flame import Events, Tree, bottom_up, top_down
from tensorboard_perfplugin.trace.event import Near, peers
from tensorboard_perfplugin.trace.event.event import details, text
from tensorboard_perfplugin.trace.event.links import related
from tensorboard_perfplugin.trace.event.peers import Collectives, OfDevice
from tensorboard_perfplugin.trace.event.why import why_then
from tensorboard_perfplugin.trace.hosts import given_shifts
from tensorboard_perfplugin.trace.kinds import KEYS, categories_of
from tensorboard_perfplugin.trace.lanes import Window, _too_large, encoded_bytes, lanes_of
from tensorboard_perfplugin.trace.proof.row import merged_marks
from tests.build_capture import Space
from tests.timeline.ops.test_calls import event, pytorch
from tests.timeline.timelines import row
from tests.trace.test_counters import COUNTERS
from tests.trace.test_viewer import ask, opened, rows


def numbered(count: int, lines: int = 1, every: int = 10, lasts: int = 5) -> Space:
    """Events of as many names, one after the other on each of some threads."""
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(lines):
        line = plane.line(i + 1, f"t{i:04}")
        for n in range(count):
            line.event(f"n{n}", n * every, lasts)
    return space


def test_an_area_gives_1000_names_and_3000_rows_of_each_tree() -> None:
    timeline = opened(numbered(3300))
    answer = ask(timeline, area=True)
    tables = ("area_names", "area_flame", "area_bottom_up")
    assert [len(rows(answer, table, "count")) for table in tables] == [1000, 3000, 3000]
    compared = ask(timeline, area=True, start_ps=0, end_ps=20_000, compare="20000-40000")
    assert len(rows(compared, "compare_names", "name")) == 1000


def test_a_search_gives_100_hits_and_1000_names() -> None:
    answer = ask(opened(numbered(1100)), search="n")
    assert [len(rows(answer, table, "name")) for table in ("hits", "hit_names")] == [100, 1000]


def test_a_comparison_looks_at_20_000_names(monkeypatch: pytest.MonkeyPatch) -> None:
    every = np.arange(50_000)
    of = SimpleNamespace(name=every, category=0 * every, duration_ps=every + 1, self_ps=every + 1)
    monkeypatch.setattr(sys.modules[compare.__module__], "clipped", lambda *_: of)
    timeline: Any = SimpleNamespace(capture=SimpleNamespace(strings=[str(i) for i in every.tolist()]))
    found = compare(timeline, every, Window(0, 1), Window(1, 2))
    assert (len(found.names), found.name_count) == (20_000, 50_000)


def chain(depth: int) -> Tree:
    at = np.arange(depth)
    return top_down(Events(at - 1, at, at, at + 1, np.ones(depth, np.int64)))


def test_512_levels_are_told_apart() -> None:
    assert [len(chain(depth).label) for depth in (512, 600)] == [512, 512]


def test_64_callers_are_told_apart() -> None:
    """Below each of the names what called it: of the n-th n − 1, at most 64."""
    tree = bottom_up(chain(200))
    assert len(tree.label) == sum(1 + min(n, 64) for n in range(200))


def test_200_000_rows_of_callers_are_made() -> None:
    """25,000 stacks of four names each: the rows of a level are made whole."""
    at: I64 = np.arange(100_000)
    parent = np.where(at % 4 == 0, -1, at - 1)
    tree = bottom_up(Tree(parent, at, at + 1, at + 1, np.ones_like(at)))
    assert len(tree.label) == 100_000 + 75_000 + 50_000


def longest(*of_tracks: tuple[int, int]) -> dict[int, int]:
    """By track how many of its gaps are kept; given are its scope and how many it has, the first's the longest."""
    count = [n for _, n in of_tracks]
    track = np.repeat(np.arange(len(of_tracks)), count)
    every = trace_gaps._Every(track, np.arange(len(track)), len(of_tracks) - track)
    kept = trace_gaps._longest(every, np.array([scope for scope, _ in of_tracks], np.uint8))
    return {i: int((track[kept] == i).sum()) for i in range(len(of_tracks))}


def test_gaps_are_shared_among_tracks() -> None:
    compute, stream, thread = (trace_gaps.SCOPES.index(name) for name in ("compute", "stream", "thread"))
    assert longest((thread, 400)) == {0: 150}
    assert longest((compute, 400)) == {0: 100}
    # A fair share of each of three is 50; streams have what streams that compute leave of 100, threads of 150.
    assert longest((compute, 400), (stream, 400), (thread, 400)) == {0: 50, 1: 50, 2: 50}
    # A track of thirty may have ten.
    assert longest((thread, 40), *[(thread, 1)] * 29) == {0: 10, **dict.fromkeys(range(1, 30), 1)}


def test_fifty_gaps_of_a_device_are_shown() -> None:
    space = Space()
    plane = space.plane("/device:GPU:0")
    for stream in (7, 8):
        line = plane.line(stream, f"Stream #{stream}")
        for i in range(120):
            line.event("gemm", 100 * i, 50)
    scopes = [scope for (scope,) in rows(ask(opened(space), area=True), "area_gaps", "scope")]
    assert scopes.count("device") == 50


@pytest.mark.parametrize(("place", "cause"), [(99, "other stream"), (100, "no work")])
def test_100_other_streams_are_looked_at_for_what_fills_a_gap(place: int, cause: str) -> None:
    space = Space()
    plane = space.plane("/device:GPU:0")
    plane.line(7, "Stream #7").event("gemm", 0, 10).event("gemm", 1000, 10)
    for i in range(101):
        line = plane.line(8 + i, f"Stream #{8 + i}").event("relu", 0, 1)
        if i == place:
            line.event("softmax", 10, 990)
    answer = ask(opened(space), area=True, start_ps=0, end_ps=1010, tracks="0")
    assert rows(answer, "area_gaps", "cause")[0] == (cause,)


@pytest.mark.parametrize(("count", "letters"), [(1, 200), (1250, 200), (2500, 100), (100_000, 16)])
def test_names_of_an_answer_have_200_letters_and_250_000_in_all(count: int, letters: int) -> None:
    assert {len(name) for name in shortened(["x" * 300] * count)} == {letters}


def test_an_answer_lists_5000_tracks_and_128_lanes_of_what_nobody_named() -> None:
    timeline = opened(numbered(1, 5100))
    answer = ask(timeline)
    assert [len(rows(answer, table, "track")) for table in ("tracks", "window_tracks")] == [5000, 128]


def test_counters_are_1000_and_their_rows_20_000() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(COUNTERS, "_counters_")
    for i in range(1100):
        for at in range(22):
            line.event(f"c{i}", at * 10, 0, stats={f"c{i}": at})
    answer = ask(opened(space), width=8192)
    assert len(rows(answer, "counter_tracks")) == 1000
    # Each has room for 20 pixels, and the value before.
    assert len(rows(answer, "counters")) == 20_000


class Rows(SimpleNamespace):
    """Columns of so many rows."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def __len__(self) -> int:
        return self._count


@pytest.mark.parametrize(("events", "is_told"), [(300_000, False), (300_001, True)])
def test_memory_events_beyond_300_000_are_not_put_together(
    monkeypatch: pytest.MonkeyPatch, events: int, is_told: bool
) -> None:
    of: Any = Rows(events)
    of.time_ps, of.heap, of.stack = np.arange(events), np.ones(events, np.int64), np.zeros(events, np.int64)
    put_together = SimpleNamespace(events=of, total=np.full(events, 7))
    monkeypatch.setattr(trace_counters, "series", lambda *_: put_together)
    system: Any = None
    _, total = trace_counters._in_use(system, of)
    assert bool(total[0] == 1) is is_told


def test_details_are_1000_rows() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    line.event("e", 0, 5, {f"s{i}": i for i in range(1500)})
    found = details(opened(space), 0, 0)
    assert len(found) == 1001
    assert found[-1][1:] == ("…", f"{1500 - (1000 - sum(group == 'event' for group, *_ in found))} more")


def test_details_are_four_million_letters() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    line.event("e", 0, 5, {f"s{i}": f"{i}" + "x" * 900_000 for i in range(10)})
    stats = [value for group, _, value in details(opened(space), 0, 0) if group == "stat"]
    assert len(stats) == 6
    assert stats[-1] == "5 more"


def test_a_value_is_a_million_letters_or_256_bytes() -> None:
    assert text("x" * 1_000_000) == "x" * 1_000_000
    assert text("x" * 1_000_001) == "x" * 1_000_000 + "… (1 more characters)"
    assert text(b"a" * 256) == "256 bytes: " + " ".join(["61"] * 256)
    assert text(b"a" * 257) == "257 bytes: " + " ".join(["61"] * 256) + "…"


def nested(depth: int) -> Space:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(depth):
        line.event(f"f{i}", i, 10 * depth - 2 * i)
    return space


def test_a_stack_has_1000_frames() -> None:
    timeline = opened(nested(1200))
    assert [len(related(timeline, row, 0).stack) for row in (900, 1150)] == [900, 1000]


def test_100_consumers_and_100_kernels_are_linked() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1, "t").event("call", 0, 10_000, {"_pt": 2, "_p": 7})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i in range(150):
        plane.lines[0].event("cuLaunchKernel", 10 * i + 1, 2, {"correlation_id": i + 1})
        plane.line(2, "pool").event(f"c{i}", 10 * i + 1, 5, {"_ct": 2, "_c": 7})
        stream.event("k", 20_000 + 10 * i, 5, {"correlation_id": i + 1})
    kinds = [link.kind for link in related(opened(space), 0, 0).links]
    assert (kinds.count("kernel"), kinds.count("consumer")) == (100, 100)


def test_the_same_collective_is_looked_for_on_100_devices() -> None:
    """Its own is one."""
    space = Space()
    for i in range(120):
        space.plane(f"/device:GPU:{i}", id=i).line(7, "Stream #7").event("ncclDevKernel_AllReduce", 0, 10)
    kinds = [link.kind for link in related(opened(space), 0, 0).links]
    assert kinds.count("peer") == 99


def test_of_other_hosts_200_devices_take_part() -> None:
    one = np.zeros(1, np.int64)
    devices = [OfDevice(str(i), one, one, one, one + 5, one, one) for i in range(500)]
    parts = [("a", 0, Collectives({"x": 0}, devices[:1])), ("b", 0, Collectives({"x": 0}, devices))]
    assert len(peers(parts, "a", 0, True)[1]) == 200


def test_a_device_s_first_262_144_collectives_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[peers.__module__]
    n = 600_000
    zero = np.zeros(n, np.int64)
    columns = SimpleNamespace(track=zero, start_ps=zero, duration_ps=zero)
    tracks, planes = SimpleNamespace(plane=np.zeros(1, np.int64)), SimpleNamespace(name=np.zeros(1, np.int64))
    capture = SimpleNamespace(events=columns, tracks=tracks, planes=planes, strings=["x"])
    collective = np.full(n, KEYS.index("collective"))
    monkeypatch.setattr(module, "ops_of", lambda _: SimpleNamespace(device=SimpleNamespace(rows=np.arange(n))))
    monkeypatch.setattr(module, "categories_of", lambda _: SimpleNamespace(of=lambda rows: collective))
    monkeypatch.setattr(module, "shown_ids", lambda *_: zero)
    monkeypatch.setattr(module, "nesting_of", lambda _: SimpleNamespace(depth=zero))
    timeline: Any = SimpleNamespace(capture=capture)
    assert len(module.collectives(timeline).devices[0].rows) == 262_144


def test_20_frames_of_a_stack_are_told() -> None:
    frames = [event("python_function", f"a.py({i}): f{i}", i, 200 - 2 * i) for i in range(30)]
    timeline = pytorch([*frames, event("cpu_op", "aten::mm", 90, 1)])
    told = {key: value for _, key, value in details(timeline, row(timeline, "aten::mm"), 0)}
    assert told["python_stack"] == " ← ".join(f"a.py({i}): f{i}" for i in range(29, 9, -1))


@pytest.mark.parametrize(("between", "is_found"), [(4999, True), (5000, False)])
def test_the_start_of_an_op_is_looked_for_5000_events_back(between: int, is_found: bool) -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(2, "XLA Ops")
    line.event("%all-reduce-start.3 = f32[8] all-reduce-start(%p)", 0, 5)
    for i in range(between):
        line.event("%add.1 = f32[8] add(%p)", 10 + i, 1)
    line.event("%all-reduce-done.3 = f32[8] all-reduce-done(%all-reduce-start.3)", 10_000, 5)
    message = why_then(opened(space), between + 1).message
    assert message is not None
    assert (message.code == "why.asynchronous") is is_found


def near(*lanes: int) -> Near:
    """A thread with so many events at each depth, of which those above the first lie in those below."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for depth, count in enumerate(lanes):
        length = 1_000_000 // count
        for i in range(count):
            line.event(f"d{depth}", i * length, length - depth)
    return Near(opened(space))


def test_of_20_000_events_of_a_window_all_are_looked_at() -> None:
    """Of more, those that the others lie in."""
    assert [len(near(1, count).within(0, 0, 1_000_000)) for count in (19_999, 20_000)] == [20_000, 1]


def test_of_the_outermost_200_000_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    of = near(1)
    order = np.arange(500_000)
    monkeypatch.setattr(
        of,
        "lanes",
        SimpleNamespace(
            first=np.array([0, 1]), order=order, cut=lambda lanes, window: (np.array([0]), np.array([500_000]))
        ),
    )
    assert len(of.within(0, 0, 1)) == 200_000


def test_2000_lanes_are_looked_at() -> None:
    of = Near(opened(numbered(1, 2100)))
    assert len(of.overlapping(np.arange(2100), 0, 10, 1)) == 2000


def test_shifts_of_hosts_are_100_000_letters() -> None:
    item = "h:1,"
    assert given_shifts({"shifts": (item * 25_000)[:-1]}) == {"h": 1}
    with pytest.raises(ArgumentError, match="100004 characters; the maximum is 100000"):
        given_shifts({"shifts": item * 25_001})


def test_20_000_names_of_a_question_are_put_into_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    found = categories_of(opened(numbered(1)))
    monkeypatch.setattr(found, "_one", lambda side, i: INDEX["launch"])
    known = found._looked_up(1, np.full(50_000, 255, np.uint8), np.arange(50_000, dtype=np.int32))
    assert int((known == INDEX["launch"]).sum()) == 20_000


def test_a_bucket_is_at_most_2_to_the_62() -> None:
    assert [Window(0, 1 << bits).shift(1) for bits in (61, 62, 63, 64)] == [61, 62, 62, 62]


@pytest.mark.parametrize(("events", "slices"), [(30_000, 30_000), (30_001, 15_001)])
def test_a_window_shows_30_000_slices(events: int, slices: int) -> None:
    """Of more, two are merged."""
    lanes = lanes_of(opened(numbered(events, every=1 << 10, lasts=1 << 9)))
    low, high = lanes.cut(np.array([0]), Window(0, events << 10))
    assert len(lanes.slices(np.array([0]), low, high, 0).row) == slices


@pytest.mark.parametrize(("slices", "is_too_large"), [(22_400, False), (22_600, True)])
def test_slices_take_270_kb(slices: int, is_too_large: bool) -> None:
    """Each has two times of 40 bits, and two bytes."""
    long = (1 << 40) - 1
    start = np.cumsum([0, 1, *[long] * (slices - 2)])
    out = np.column_stack((start, start, start + long, start, np.full(slices, long), start))
    assert _too_large(out, 0) is is_too_large


def test_what_slices_take() -> None:
    """Two bytes beside the bits of the times."""
    at = np.arange(1000) * 1024
    assert encoded_bytes(at, at + 1024, np.full(1000, 1024)) == pytest.approx((999 + 1000) / 8 + 2000)


def test_6000_lanes_of_named_tracks_are_shown() -> None:
    """Of one lane five slices may remain."""
    timeline = opened(numbered(1, 6100))
    assert len(rows(ask(timeline, tracks="0-6099"), "window_tracks", "track")) == 30_000 // 5


@pytest.mark.parametrize(("marks", "merged"), [(4000, 4000), (4001, 2001)])
def test_4000_marks_are_outlined(marks: int, merged: int) -> None:
    begin = np.arange(marks) * 16
    found = merged_marks(np.zeros(marks, np.int64), begin, begin + 1, Window(0, 16 * marks), 16 * marks)
    assert len(found.start_ps) <= merged
    assert (len(found.start_ps) == marks) is (marks == merged)
