"""Steps on device planes: as a collector put them there, or as several workers ran them."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps.means import host_steps, step_means
from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.steps.find import find
from tensorboard_perfplugin.timeline.timeline import INDEX, Timeline
from tests.build_capture import Line, Space
from tests.timeline.ops.test_calls import event, pytorch
from tests.timeline.steps.steps_of import put, rows, steps_of
from tests.timeline.timelines import timeline


def test_pieces_of_a_step_on_several_gpus_are_one_step() -> None:
    """Where groups interleave, one group has several events; a reference implementation takes the longest of them."""
    space = Space()
    for gpu, shift in ((0, 0), (1, 3)):
        line = space.plane(f"/device:GPU:{gpu}").line(9, "Steps")
        for group, begin, length in ((4, 0, 40), (5, 40, 5), (4, 45, 5), (5, 60, 35)):
            put(line, str(group), begin + shift, length, group_id=group)
    found = steps_of(space, "device_steps")
    assert rows(found) == [("4", 0, 53, 40), ("5", 40, 98, -1)]
    assert (found.rule, found.confidence, found.on_device) == ("device_steps", "likely", True)
    assert found.evidence == message("steps_seen.line", device="/device:GPU:0", more=1, steps=2, one=False)
    assert found.others == {Message("not_steps.pieces"): 4}
    assert found.lane.tolist() == [-1, -1]


def test_steps_of_a_tpu_are_numbered_by_name() -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(1, "Steps")
    for i in range(3):
        put(line, str(20 + i), 10 * i, 9)
    found = steps_of(space)
    assert rows(found) == [("20", 0, 9, 10), ("21", 10, 19, 20), ("22", 20, 29, -1)]
    assert (found.confidence, found.number.tolist()) == ("certain", [20, 21, 22])


def test_steps_of_a_tpu_without_numbers_are_by_place() -> None:
    space = Space()
    for tpu in range(2):
        line = space.plane(f"/device:TPU:{tpu}").line(1, "Steps")
        for i in range(3):
            put(line, "step", 10 * i + tpu, 8)
    found = steps_of(space)
    assert rows(found) == [("step", 0, 9, 10), ("step", 10, 19, 20), ("step", 20, 29, -1)]
    assert found.number.tolist() == [0, 1, 2]


def test_cut_steps_are_kept_and_flagged() -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(1, "Steps")
    for i, (begin, length) in enumerate(((0, 4), (5, 9), (15, 9), (25, 9), (35, 2))):
        put(line, str(i), begin, length)
    found = steps_of(space)
    assert (len(found), found.cut.tolist()) == (5, [1, 0, 0, 0, 2])


def test_the_module_that_repeats_is_the_step_of_a_tpu_without_a_line_of_steps() -> None:
    space = Space()
    for tpu in range(2):
        line = space.plane(f"/device:TPU:{tpu}").line(2, "XLA Modules")
        put(line, "jit_init(11)", 0, 500)
        for i in range(4):
            put(line, "jit_step(12)" if i % 2 else "jit_step(13)", 500 + 100 * i, 80 + tpu)
            put(line, "jit_norm(14)", 590 + 100 * i, 5)
    found = steps_of(space)
    assert rows(found) == [
        ("jit_step 0", 500, 581, 600),
        ("jit_step 1", 600, 681, 700),
        ("jit_step 2", 700, 781, 800),
        ("jit_step 3", 800, 881, -1),
    ]
    assert (found.rule, found.confidence, found.on_device) == ("device_steps", "guess", True)
    assert found.evidence == message(
        "steps_seen.module", module="jit_step", times=4, device="/device:TPU:1", percent=38
    )
    runs = {"jit_norm": 4, "jit_init": 1}
    assert found.others == {message("not_steps.module_runs", module=name): count for name, count in runs.items()}


def test_a_module_that_ran_once_is_no_step() -> None:
    space = Space()
    put(space.plane("/device:TPU:0").line(2, "XLA Modules"), "jit_f(1)", 0, 50)
    assert not len(steps_of(space))


def test_module_names_of_all_sorts() -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(2, "XLA Modules")
    for i, name in enumerate(("", ")", "(", "()", "x" * 100_000, "x" * 100_000)):
        put(line, name, 10 * i, 9)
    assert len(steps_of(space)) == 2


def test_a_step_is_cut_that_is_shorter_than_four_fifths_and_a_module_with_half_of_the_time_is_likely() -> None:
    cut, confidence = [], []
    for first in (79, 81):
        space = Space()
        line = space.plane("/device:TPU:0").line(1, "Steps")
        for i, length in enumerate((first, 100, 100, 100, 100)):
            put(line, str(i), 200 * i, length)
        cut.append(int(steps_of(space).cut[0]))
    for length in (52, 48):
        space = Space()
        line = space.plane("/device:TPU:0").line(2, "XLA Modules")
        for i in range(4):
            put(line, "jit_step(1)", 200 * i, length)
            for j in range(2):
                put(line, f"jit_other{j}(1)", 200 * i + 60 + 30 * j, (100 - length) // 2)
        confidence.append(steps_of(space).confidence)
    assert (cut, confidence) == ([1, 0], ["likely", "guess"])


def streams(space: Space, *gpus: int) -> list[Line]:
    return [space.plane(f"/device:GPU:{gpu}").line(7, "Stream #7") for gpu in gpus]


def two_workers(late: int) -> Space:
    """Group 0 has 20 µs on one device and, from `late` on, 10 on another, each half at work; a third device copies."""
    space = Space()
    a, b, c = streams(space, 0, 1, 2)
    put(a, "kernel", 0, 5, group_id=0)
    put(a, "kernel", 15, 5, group_id=0)
    put(b, "kernel", late, 5, group_id=0)
    put(b, "kernel", late + 9, 1, group_id=0)
    put(c, "MemcpyH2D", late + 500, 400, group_id=0)
    return space


def test_devices_at_work_one_after_the_other_are_workers_with_steps_of_their_own() -> None:
    """Two workers of 20 and 21 ms were one step of 669 ms, of which the devices stood still 94 %."""
    assert rows(steps_of(two_workers(1000))) == [("0 on GPU:0", 0, 20, -1), ("0 on GPU:1", 1000, 1010, -1)]


def test_devices_at_work_together_have_one_step() -> None:
    assert rows(steps_of(two_workers(12))) == [("0", 0, 22, -1)]


@pytest.fixture
def of() -> Timeline:
    return timeline(two_workers(1000))


def test_a_worker_s_step_is_divided_for_its_own_device(of: Timeline) -> None:
    split = split_of(of)
    split.check()
    computes = (split.exposed_ps[:, :, INDEX["compute_other"]] // 1_000_000).tolist()
    assert [unit.name for unit in split.units] == ["/device:GPU:0", "/device:GPU:1"]
    assert (computes, split.ran.tolist()) == ([[10, 0], [0, 6]], [[True, False], [False, True]])


def test_the_mean_step_is_over_the_workers_that_run_it(of: Timeline) -> None:
    means = step_means([host_steps(of, {"steps_from": "auto"})])
    means.check()
    assert (means.exposed_ps[:, INDEX["compute_other"]] / 1e6).tolist() == [10, 6]


def test_lines_of_steps_tell_workers_apart_by_most_of_their_numbers() -> None:
    space = Space()
    for gpu, shift in ((0, 0), (1, 50)):
        plane = space.plane(f"/device:GPU:{gpu}")
        steps, stream = plane.line(9, "Steps"), plane.line(7, "Stream #7")
        for number in range(3):
            put(steps, str(number), 100 * number + shift, 40, group_id=number)
            put(stream, "kernel", 100 * number + shift, 40)
    found = steps_of(space, "device_steps")
    assert [(name, begin, after) for name, begin, _, after in rows(found)] == [
        ("0 on GPU:0", 0, 100),
        ("0 on GPU:1", 50, 150),
        ("1 on GPU:0", 100, 200),
        ("1 on GPU:1", 150, 250),
        ("2 on GPU:0", 200, -1),
        ("2 on GPU:1", 250, -1),
    ]


def test_a_device_that_only_copied_has_no_step() -> None:
    space = Space()
    for gpu, name in ((0, "kernel"), (1, "MemcpyH2D")):
        plane = space.plane(f"/device:GPU:{gpu}")
        put(plane.line(9, "Steps"), "0", 10 * gpu, 40, group_id=0)
        put(plane.line(7, "Stream #7"), name, 10 * gpu, 40)
    assert rows(steps_of(space, "device_steps")) == [("0", 0, 40, -1)]


@pytest.mark.parametrize(("apart", "workers"), [(5, 1), (6, 2)])
def test_devices_are_workers_where_most_steps_are_apart(apart: int, workers: int) -> None:
    space = Space()
    a, b = streams(space, 0, 1)
    for i in range(10):
        put(a, "kernel", 1000 * i, 100, group_id=i)
        put(b, "kernel", 1000 * i + (500 if i < apart else 50), 100, group_id=i)
    assert len(steps_of(space)) == 10 * workers


@pytest.mark.parametrize("on_host", [False, True])
def test_marks_on_devices_alone_keep_their_numbers(on_host: bool) -> None:
    """PyTorch's, of a capture without the CPU: on two streams, one of which has no work of the last step."""
    on_stream = [{"device": 0, "stream": stream} for stream in (7, 9)]
    events = []
    for i in range(3):
        for at, stream in ((0, 0), (20, 1))[: 1 if i == 2 else 2]:
            begin, tid = 100 * i + at, on_stream[stream]["stream"]
            events.append(event("gpu_user_annotation", f"ProfilerStep#{i + 7}", begin, 60, on_stream[stream], tid, 0))
            events.append(event("kernel", f"k{i}", begin, 60, on_stream[stream], tid, 0))
        if on_host:
            events.append(event("user_annotation", f"ProfilerStep#{i + 7}", 100 * i, 99))
    found = find(pytorch(events))
    found.check()
    assert (found.rule, found.number.tolist()) == ("markers" if on_host else "device_steps", [7, 8, 9])
    assert on_host or rows(found) == [
        ("ProfilerStep#7", 0, 80, 100),
        ("ProfilerStep#8", 100, 180, 200),
        ("ProfilerStep#9", 200, 260, -1),
    ]
