"""Activity over time: the whole table of a small capture, several hosts, and sums that equal those of the summary."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.analysis import activity as overview_activity
from tensorboard_perfplugin.tables import Quality, intervals
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space, Uint
from tests.timeline.timelines import real, timeline

#: A bucket of the small capture.
U = 1 << 20
MS = 10**9
START_NS = 1_795_165_200 * 10**9

Rows = list[tuple[Any, ...]]


def activity(*timelines: Timeline) -> Rows:
    partials = [pickle.loads(pickle.dumps(OVERVIEW.per_host(t, OVERVIEW.parse({})))) for t in timelines]
    hosts = tuple(t.host for t in timelines)
    answer = Answer(OVERVIEW, "run", hosts, OVERVIEW.combine(partials, {}), Quality(), "any")
    answer.check()
    return list(zip(*answer.to_dict()["tables"]["activity"]["columns"].values(), strict=True))


def small(start_ns: int | None = None, unit: int = U) -> Space:
    """Two threads with ops, one GPU of two streams that is busy in four of eight units, one GPU that is not."""
    space = Space()
    cpu = space.plane("/host:CPU")
    cpu.line(1).event("a:MatMul", 0, 4 * unit).event("b:Add", unit, unit).event("not an op", 6 * unit, 2 * unit)
    cpu.line(2).event("Iterator::Root::Prefetch", 2 * unit, 5 * unit // 2)
    gpu = space.plane("/device:GPU:0")
    gpu.line(7).event("gemm", unit, 2 * unit).event("gemm", 6 * unit, 2 * unit)
    gpu.line(8).event("add", 2 * unit, unit // 2)
    space.plane("/device:GPU:1", id=1)
    if start_ns is not None:
        space.plane("Task Environment", stats={"profile_start_time": Uint(start_ns)})
    return space


def test_eight_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview_activity, "BUCKETS", 8)
    assert activity(timeline(small())) == [
        (i * U / MS, U / MS, *row)
        for i, row in enumerate(
            [
                (0.0, None, 1.0, 0.0),
                (1.0, None, 1.0, 0.0),
                (1.0, None, 2.0, 1.0),
                (0.0, None, 2.0, 1.0),
                (0.0, None, 0.5, 0.5),
                (0.0, None, 0.0, 0.0),
                (1.0, None, 0.0, 0.0),
                (1.0, None, 0.0, 0.0),
            ]
        )
    ]


def test_the_first_and_the_last_bucket_end_where_the_events_do() -> None:
    space = Space()
    space.plane("/device:GPU:0").line(1).event("gemm", 5 * MS + 1, 3 * MS)
    table = activity(timeline(space))
    lengths = [round(row[1] * MS) for row in table]
    assert round(table[0][0] * MS) == 5 * MS + 1
    assert 120 <= len(table) <= 240
    assert sum(lengths) == 3 * MS
    assert set(lengths[1:-1]) == {1 << 24}
    assert max(lengths) == 1 << 24
    assert [row[2:] for row in table] == [(1.0, None, None, None)] * len(table)


def test_what_nothing_tells_is_unknown_and_no_time_is_no_row() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1).event("instant", 5)
    assert activity(timeline(space)) == []
    assert activity(timeline(Space())) == []
    line.event("not an op", 5, 1)
    assert activity(timeline(space)) == [(5e-9, 1e-9, None, None, None, None)]


def test_when_the_cores_of_a_tpu_only_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two cores waits for half of the time, the other never."""
    monkeypatch.setattr(overview_activity, "BUCKETS", 4)
    space = Space()
    for core in range(2):
        tpu = space.plane(f"/device:TPU:{core}", id=core)
        tpu.kind("%copy-done = f32[] copy-done(%x)", "copy-done", stats={"hlo_category": "copy-done"}, key=1)
        tpu.kind("%fusion = f32[] fusion()", "fusion", stats={"hlo_category": "loop fusion"}, key=2)
        tpu.line(3, "XLA Ops").event(2, 0, 2 * U).event(1 + core, 2 * U, 2 * U)
    assert [row[2:] for row in activity(timeline(space))] == [
        (1.0, 0.0, None, None),
        (1.0, 0.0, None, None),
        (1.0, 0.5, None, None),
        (1.0, 0.5, None, None),
    ]


def seen(t: Timeline, offset_ps: int, low: int, high: int) -> tuple[int, int, int]:
    """Of [low, high): how much a host's capture covers, its devices' busy time, its threads' time in ops."""
    edges = np.array([low - offset_ps]), np.array([high - offset_ps])
    begin, end = (np.array([x]) for x in t.capture.span_ps)
    events, rows = t.capture.events, ops_of(t).host.rows
    busy = [d.busy for d in devices_of(t) if d.events]
    for track in np.unique(events.track[rows]):
        mine = rows[events.track[rows] == track]
        start = events.start_ps[mine]
        busy.append(intervals.union(start, start + events.duration_ps[mine]))
    covered = [int(intervals.coverage(b, *edges)[0]) for b in (intervals.Intervals(begin, end), *busy)]
    devices = sum(1 for d in devices_of(t) if d.events)
    return covered[0], sum(covered[1 : 1 + devices]), sum(covered[1 + devices :])


def test_hosts_lie_on_one_clock() -> None:
    """b begins 3 ms after a and takes twice as long: each bucket counts the devices that were recorded in it."""
    a, b = timeline(small(START_NS, MS), "a"), timeline(small(START_NS + 3_000_001, 2 * MS), "b")
    offset = 3_000_001_000
    table = activity(a, b)
    assert 120 <= len(table) <= 240
    assert sum(round(row[1] * MS) for row in table) == offset + 16 * MS
    for start_ms, duration_ms, busy, _, threads, _ in table:
        low, high = round(start_ms * MS), round((start_ms + duration_ms) * MS)
        (a_ps, a_busy, a_ops), (b_ps, b_busy, b_ops) = seen(a, 0, low, high), seen(b, offset, low, high)
        assert busy == pytest.approx((a_busy + b_busy) / (a_ps + b_ps))
        assert threads == pytest.approx((a_ops + b_ops) / (high - low))


def test_between_two_captures_nothing_is_known() -> None:
    a, b = timeline(small(START_NS, MS), "a"), timeline(small(START_NS + 10**9, MS), "b")
    table = activity(a, b)
    assert {row[2:] for row in table[3:-3]} == {(None,) * 4}
    assert None not in table[0][:3] + table[-1][:3]


@pytest.mark.parametrize("other", [None, START_NS + 2 * 86_400 * 10**9])
def test_hosts_without_a_common_clock_count_each_from_its_own_start(other: int | None) -> None:
    """As the trace draws them: one does not tell its start, or they are more than a day apart."""
    one = activity(timeline(small(unit=MS)))
    both = activity(timeline(small(START_NS, MS), "a"), timeline(small(other, MS), "b"))
    assert [row[:3] for row in both] == [row[:3] for row in one]
    assert [row[4] for row in both] == [2 * row[4] for row in one]


def test_many_threads_of_a_capture_so_long_that_64_bits_cannot_hold_them_side_by_side() -> None:
    space = Space()
    cpu = space.plane("/host:CPU")
    for thread in range(9):
        cpu.line(thread).event("a:MatMul", 0, 1 << 60)
    assert {row[4] for row in activity(timeline(space))} == {9.0}


@pytest.mark.slow
def test_sums_are_those_of_the_intervals_on_every_real_capture(xplane_files: list[Path]) -> None:
    for file, t in real(xplane_files):
        table, (begin, end) = activity(t), t.capture.span_ps
        devices = [d for d in devices_of(t) if d.events]
        assert sum(round(row[1] * MS) for row in table) == end - begin, file
        for place, total in ((2, sum(d.busy.total for d in devices)), (4, seen(t, 0, begin, end)[2])):
            ps = sum((row[place] or 0) * row[1] * MS for row in table) * (len(devices) if place == 2 else 1)
            assert ps == pytest.approx(total, abs=1, rel=1e-12), file
