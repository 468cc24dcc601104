"""One step number on several devices: of one worker's devices one step, of several workers' one each. Times in µs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps import host_steps, step_means
from tensorboard_perfplugin.timeline import INDEX, Timeline, split_of
from tests.build_capture import Line, Space
from tests.timeline.steps.steps_of import put, rows, steps_of
from tests.timeline.timelines import timeline


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
