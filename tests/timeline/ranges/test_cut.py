"""Which events belong to chosen steps or to a stretch of time, as far as they do; facts that only the whole shows."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tensorboard_perfplugin.timeline import ranges
from tensorboard_perfplugin.timeline.assignment import assignment_of, steps_of
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.devices import devices_of, units_at_work_of
from tensorboard_perfplugin.timeline.ops.ops import device_calls_of, host_self_ps_of, ops_of
from tensorboard_perfplugin.timeline.ranges import Selection, cut_to
from tensorboard_perfplugin.timeline.split.split import split_of, time_outside_steps
from tensorboard_perfplugin.timeline.timeline import Timeline, windows_of
from tests.build_capture import Space, Uint
from tests.timeline.ranges.training import training
from tests.timeline.timelines import timeline

MS = 10**9


def cut(of: Timeline, *steps: tuple[int, int], span_ms: tuple[int, int] | None = None) -> Timeline:
    """Checked as a capture is; the quality is that of the file."""
    span = span_ms and (span_ms[0] * MS, span_ms[1] * MS)
    found = cut_to(of, Selection(steps, span))
    count = len(found.capture.events)
    quality = dataclasses.replace(found.capture.quality, events_in_file=count, events_kept=count, dropped={})
    dataclasses.replace(found.capture, quality=quality).check()
    assignment_of(found).check()
    steps_of(found).check()
    split_of(found).check()
    return found


def events(of: Timeline, name: str = "") -> list[tuple[str, float, float]]:
    """Name, begin and end in ms."""
    capture = of.capture
    names = capture.strings.texts(capture.events.name)
    begin = capture.events.start_ps / MS
    end = (capture.events.start_ps + capture.events.duration_ps) / MS
    rows = zip(names, begin.tolist(), end.tolist(), strict=True)
    return [row for row in rows if name in ("", row[0])]


def looped() -> Timeline:
    """Steps of 10 ms; a function around all, a wait that goes on into the next step, and marks at begins."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, other = plane.line(1, "python"), plane.line(2, "pool")
    other.event("serve", 0, 60 * MS)
    for step in range(6):
        python.event("train", step * 10 * MS, 10 * MS, {"step_num": step, "_r": 1})
        other.event("wait", (step * 10 + 8) * MS, 4 * MS)
        other.event("tick", step * 10 * MS, 0)
    return timeline(space)


def test_a_step_keeps_its_time_and_its_split() -> None:
    whole = timeline(training())
    found, rows = cut(whole, (3, 7)), slice(3, 8)
    assert steps_of(found).wall_ps.tolist() == steps_of(whole).wall_ps[rows].tolist()
    assert steps_of(found).whole.all()
    assert np.array_equal(split_of(found).exposed_ps, split_of(whole).exposed_ps[:, rows])


def late() -> Timeline:
    """Steps of 10 ms whose kernel runs 8 ms, from 5 ms on: into the next step. Launches tell whose it is."""
    space = Space()
    python = space.plane("/host:CPU").line(1, "python")
    stream = space.plane("/device:GPU:0", id=1).line(7, "Stream #7(Compute)")
    for step in range(6):
        python.event("train", step * 10 * MS, 10 * MS, {"step_num": step, "_r": 1})
        python.event("dense/MatMul:MatMul", (step * 10 + 4) * MS, MS)
        python.event("cuLaunchKernel", (step * 10 + 4) * MS, MS, {"correlation_id": Uint(step + 1)})
        stream.event("gemm", (step * 10 + 5) * MS, 8 * MS, {"correlation_id": Uint(step + 1)})
    return timeline(space)


def test_a_kernel_belongs_to_the_step_that_launched_it_also_when_it_ends_later() -> None:
    found = cut(late(), (2, 3))
    assert events(found, "gemm") == [("gemm", 25, 33), ("gemm", 35, 43)]
    assert (launches_of(found).rows[ops_of(found).device.rows] >= 0).all()
    assert (launches_of(found).device, launches_of(found).unmatched_device, launches_of(found).unmatched_host) == (
        2,
        0,
        0,
    )
    (device,) = devices_of(found)
    # What the device did for them is part of their time.
    assert (device.busy_ps, device.window.total, device.idle_ps) == (16 * MS, 23 * MS, 7 * MS)


def test_a_stretch_of_time_cuts_kernels_too_and_knows_what_launched_them() -> None:
    found = cut(late(), span_ms=(26, 36))
    assert events(found, "gemm") == [("gemm", 26, 33), ("gemm", 35, 36)]
    # The first was launched before; its op is known, the call is not there.
    assert [ops_of(found).ops[i].name for i in ops_of(found).device.op.tolist()] == ["dense/MatMul"] * 2
    assert device_calls_of(found).tolist()[0] == -1
    assert launches_of(found).unmatched_device == 0


def test_steps_that_a_stretch_of_time_cuts_count_in_no_mean() -> None:
    steps = steps_of(cut(late(), span_ms=(15, 45)))
    assert steps.number.tolist() == [1, 2, 3, 4]
    assert (steps.wall_ps // MS).tolist() == [5, 10, 10, 5]
    assert steps.whole.tolist() == [False, True, True, False]


def ahead() -> Timeline:
    """A host that issues a step in 2 ms, of which the device needs 10: devices time the steps."""
    space = Space()
    python = space.plane("/host:CPU").line(1, "python")
    stream = space.plane("/device:GPU:0", id=1).line(7, "Stream #7(Compute)")
    for step in range(6):
        python.event("train", step * 2 * MS, 2 * MS, {"step_num": step, "_r": 1})
        python.event("dense/MatMul:MatMul", step * 2 * MS, MS)
        python.event("cuLaunchKernel", step * 2 * MS, MS, {"correlation_id": Uint(step + 1)})
        stream.event("gemm", (1 + step * 10) * MS, 10 * MS, {"correlation_id": Uint(step + 1)})
    return timeline(space)


def test_of_a_host_that_runs_ahead_its_own_marks_count() -> None:
    whole = ahead()
    assert steps_of(whole).on_device
    found = cut(whole, (2, 3))
    assert events(found, "gemm") == [("gemm", 21, 31), ("gemm", 31, 41)]
    assert events(found, "train") == [("train", 4, 6), ("train", 6, 8)]
    assert len(events(found, "dense/MatMul:MatMul")) == 2
    host, device = windows_of(found)
    assert (host.total, device.total) == (4 * MS, 20 * MS)
    assert devices_of(found)[0].idle_ps == 0


def test_a_device_that_ran_nothing_in_the_range_stood_still() -> None:
    space = Space()
    python = space.plane("/host:CPU").line(1, "python")
    streams = [space.plane(f"/device:GPU:{i}", id=i + 1).line(7, "Stream #7(Compute)") for i in range(2)]
    for step in range(4):
        python.event("train", step * 10 * MS, 10 * MS, {"step_num": step, "_r": 1})
        streams[step // 2].event("gemm", step * 10 * MS, 5 * MS)
    found = cut(timeline(space), (0, 1))
    assert [device.events for device in units_at_work_of(found)] == [2, 0]
    assert len(split_of(found).units) == 2


def test_a_counter_keeps_its_value() -> None:
    found = cut(timeline(training()), span_ms=(45, 65))
    assert [begin for _, begin, _ in events(found, "use")] == [45, 51, 61]


def test_a_part_is_kept_with_its_whole_and_counts_only_what_it_adds() -> None:
    whole = timeline(training())
    found = cut(whole, (3, 7))
    assert cut_to(whole, Selection(((3, 7),))) is found
    assert 0 < found.nbytes < whole.nbytes


@pytest.mark.parametrize("chunk", [1, 2, 3])
def test_events_are_cut_alike_however_many_are_cut_at_a_time(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = events(cut(looped(), (1, 1), (3, 4)))
    monkeypatch.setattr(ranges, "_CHUNK", chunk)
    assert events(cut(looped(), (1, 1), (3, 4))) == whole


def test_threads_are_cut_to_the_time_of_the_steps() -> None:
    found = cut(looped(), (2, 3))
    assert events(found, "train") == [("train", 20, 30), ("train", 30, 40)]
    assert events(found, "serve") == [("serve", 20, 40)]
    assert events(found, "wait") == [("wait", 20, 22), ("wait", 28, 32), ("wait", 38, 40)]
    assert events(found, "tick") == [("tick", 20, 20), ("tick", 30, 30)]
    # Other ways to find steps give what begins in the range.
    assert (steps_of(cut(looped(), (1, 2)), "wait").begin_ps // MS).tolist() == [18, 28]


def test_steps_apart_have_a_piece_each_of_what_goes_on_and_parts_add_up() -> None:
    whole = looped()
    found = cut(whole, (1, 1), (4, 5))
    assert events(found, "serve") == [("serve", 10, 20), ("serve", 40, 60)]
    assert steps_of(found).number.tolist() == [1, 4, 5]
    assert [window.total for window in windows_of(found)] == [30 * MS, 30 * MS]
    assert time_outside_steps(cut(whole, (0, 0), (5, 5))).outside_ps == 0
    parts = [cut(whole, part) for part in ((0, 1), (2, 4), (5, 5))]
    assert sum(int(host_self_ps_of(part).sum()) for part in parts) == int(host_self_ps_of(whole).sum())
    runs = [Selection.of_rows(np.array(rows)).steps for rows in ([0], [3, 4, 5], [0, 2, 3, 9])]
    assert runs == [((0, 0),), ((3, 5),), ((0, 0), (2, 3), (9, 9))]
