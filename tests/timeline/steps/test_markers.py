"""Steps by what the program, or old TensorFlow, marked."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.steps.find import find
from tensorboard_perfplugin.timeline.steps.marks import with_last
from tests.build_capture import Ref, Space, Uint
from tests.timeline.steps.steps_of import US, none_by, put, rows, steps_of, thread
from tests.timeline.timelines import timeline


def marks(name: str, times: int) -> Message:
    """Seen where all marks have one name."""
    mark = message("steps_seen.mark", name=name, times=times)
    return message("steps_seen.marks", names=(mark,), more=None, one=times == 1, processes=None)


def test_marked_steps_have_names_numbers_and_two_times() -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, "train", 100 * i, 60, step_num=7 + i, _r=1)
    found = steps_of(space)
    assert rows(found) == [("train 7", 0, 60, 100), ("train 8", 100, 160, 200), ("train 9", 200, 260, -1)]
    assert (found.rule, found.confidence, found.on_device) == ("markers", "certain", False)
    assert found.evidence == marks("train", 3)
    assert found.number.tolist() == [7, 8, 9]
    assert found.row.tolist() == [0, 1, 2]
    assert (found.wall_ps // US).tolist() == [100, 100, 60]
    assert found.whole.tolist() == [True, True, False]
    assert found.others == {}


def test_one_mark_is_one_step() -> None:
    space = Space()
    put(thread(space), "train", 5, 60, step_num=7, _r=1)
    found = steps_of(space)
    assert rows(found) == [("train 7", 5, 65, -1)]
    assert found.evidence == marks("train", 1)


@pytest.mark.parametrize(
    ("stats", "name"),
    [
        ({"_r": 1, "step_num": Uint(4)}, "train 4"),
        ({"_r": Uint(1), "step_num": 4}, "train 4"),
        ({"_r": 1, "step_num": 4, "iter_num": 2}, "train 2"),
        ({"_r": 1, "step_num": 4, "graph_type": "eval"}, "eval 4"),
        ({"_r": 1, "step_num": 4, "graph_type": Ref("eval")}, "eval 4"),
        ({"_r": 1}, "train 0"),
        ({"_r": 1, "step_num": "4"}, "train 0"),
        ({"_r": 1, "step_num": -3}, "train -3"),
        ({"_r": 1, "step_num": Uint((1 << 64) - 1)}, "train 18446744073709551615"),
    ],
)
def test_what_a_step_is_called(stats: dict[str, int | str], name: str) -> None:
    space = Space()
    thread(space).event("train", 0, US, stats)
    assert steps_of(space).name == (name,)


def test_a_mark_without_number_takes_that_of_what_is_around_it() -> None:
    space = Space()
    python = thread(space)
    for i in range(2):
        put(python, "Profiled batch", 100 * i, 90, step_num=30 + i)
        put(python, "train", 100 * i + 10, 50, _r=1)
    assert rows(steps_of(space)) == [("train 30", 10, 60, 110), ("train 31", 110, 160, -1)]


def test_what_a_runtime_roots_is_no_mark() -> None:
    space = Space()
    python = thread(space)
    for i, name in enumerate(("FunctionRun", "SessionRun", "RunGraph", "ExecutorState::Process")):
        put(python, name, 10 * i, 5, _r=1)
    assert steps_of(space, "markers").reason == none_by("markers")


def test_a_mark_inside_another_is_part_of_its_step() -> None:
    """Of the same level it merges; a batch's requests are a level below."""
    space = Space()
    server = thread(space)
    for i in range(2):
        put(server, "ProcessBatch", 100 * i, 80)
        put(server, "BatchingSessionRun", 100 * i + 10, 20)
        put(server, "BatchingSessionRun", 100 * i + 40, 20)
        put(server, "ProcessBatch", 100 * i + 60, 10)
    found = steps_of(space)
    assert rows(found) == [("ProcessBatch 0", 0, 80, 100), ("ProcessBatch 1", 100, 180, -1)]
    assert found.others == {
        message("not_steps.beside", name="BatchingSessionRun"): 4,
        message("not_steps.beside", name="ProcessBatch"): 2,
    }


def test_loops_inside_of_steps_do_not_replace_them() -> None:
    """A reference implementation drops all marks as soon as one executor's event has an iteration number."""
    space = Space()
    python, executor = thread(space), thread(space, "tf_Compute/1", 2)
    for i in range(3):
        put(python, "train", 100 * i, 90, step_num=i, _r=1)
        for turn in range(4):
            put(executor, "ExecutorState::Process", 100 * i + 20 * turn, 10, id=i, iter_num=turn)
            put(executor, "ExecutorState::Process", 100 * i + 20 * turn + 10, 5, id=i, iter_num=turn)
    found = steps_of(space)
    assert found.name == ("train 0", "train 1", "train 2")
    assert found.others == {Message("not_steps.loop_iterations"): 9}


def test_loops_of_older_functions_and_of_xla_are_counted() -> None:
    space = Space()
    python, pool = thread(space), thread(space, "tf_XLAEigen/1", 2)
    for i in range(2):
        put(python, "train", 100 * i, 90, step_num=i, _r=1)
        for turn in range(3):
            put(python, "WhileOp-StartBody", 100 * i + 10 * turn, 5)
        put(pool, "while.5", 100 * i, 50, hlo_op="while.5")
        put(pool, "while_loop_fusion", 100 * i, 20, hlo_op="while_loop_fusion")
        put(pool, "while", 100 * i + 60, 20)  # a name like it, and no instruction
    space.plane("/device:TPU:0").line(1, "XLA Ops").event("%while.7 = (f32[]) while(%tuple)", 120, 20)
    found = steps_of(space)
    assert found.name == ("train 0", "train 1")
    assert found.others == {Message("not_steps.loop_iterations"): 6, Message("not_steps.compiled_loops"): 3}


def test_several_marks_of_one_number_are_one_iteration() -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, "load", 100 * i, 20, step_num=i, _r=1)
        put(python, "train", 100 * i + 20, 60, step_num=i, _r=1)
    put(python, "eval", 300, 50, step_num=0, _r=1)
    found = steps_of(space)
    assert found.name == ("train 0", "train 1", "train 2", "eval 0")
    assert found.others == {message("not_steps.same_number", name="load"): 3}


def test_threads_have_lanes_of_their_own() -> None:
    space = Space()
    a, b = thread(space, "a", 1), thread(space, "b", 2)
    put(a, "train", 0, 50, step_num=0, _r=1)
    put(b, "train", 10, 50, step_num=0, _r=1)
    put(a, "train", 60, 50, step_num=1, _r=1)
    found = steps_of(space)
    assert rows(found) == [("train 0", 0, 50, 60), ("train 0", 10, 60, -1), ("train 1", 60, 110, -1)]
    assert found.lane.tolist() == [0, 1, 0]


def test_a_mark_that_the_session_cut_is_flagged() -> None:
    """It begins where the capture does, so does another thread's event, and it is shorter than the others."""
    space = Space()
    python, other = thread(space), thread(space, "other", 2)
    for begin, length in ((5, 10), (20, 60), (100, 60), (180, 60)):
        put(python, "train", begin, length, _r=1)
    put(other, "work", 5, 100)
    assert steps_of(space).cut.tolist() == [1, 0, 0, 0]
    assert steps_of(space).whole.tolist() == [False, True, True, False]


def test_long_names_are_cut_and_numbers_kept() -> None:
    space = Space()
    put(thread(space), "x" * 100_000, 0, 5, _r=1, step_num=3)
    found = steps_of(space)
    assert found.name == ("x" * 200 + " 3",)
    assert found.evidence == marks("x" * 79 + "…", 1)


def test_instants_may_mark_steps() -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, "step", 10 * i, 0, _r=1, step_num=i)
    found = steps_of(space)
    assert rows(found) == [("step 0", 0, 0, 10), ("step 1", 10, 10, 20), ("step 2", 20, 20, -1)]


def test_groups_of_old_captures_are_steps_where_something_marks_them() -> None:
    """Group 1 has a marker, group 2 work on two devices, group 3 nothing of either."""
    space = Space()
    python = thread(space)
    put(python, "train", 0, 90, group_id=1, step_name="train 41")
    put(python, "FunctionRun", 10, 20, group_id=1)
    put(python, "FunctionRun", 100, 5, group_id=2)
    put(python, "FunctionRun", 200, 5, group_id=3)
    for gpu, begin in ((0, 110), (1, 115)):
        stream = space.plane(f"/device:GPU:{gpu}").line(1, "Stream #1")
        put(stream, "kernel", begin, 5, group_id=2)
        put(stream, "kernel", begin + 30, 5, group_id=2)
    found = steps_of(space)
    assert rows(found) == [("train 41", 0, 90, -1), ("2", 110, 150, -1)]
    assert (found.rule, found.confidence, found.on_device) == ("markers", "likely", False)
    assert found.evidence == message("steps_seen.groups", groups=2, one=False, marked=True)
    assert found.number.tolist() == [1, 2]
    assert found.lane.tolist() == [0, -1]
    assert found.others == {Message("not_steps.unmarked_groups"): 1}


def test_groups_of_the_host_alone_mark_nothing() -> None:
    space = Space()
    put(thread(space), "FunctionRun", 0, 90, group_id=1)
    assert steps_of(space, "markers").reason == none_by("markers")


def test_a_mark_is_cut_that_is_shorter_than_nine_tenths_of_two_others() -> None:
    """88 and 92 % of three others; beside two others, and beside one."""
    cut = []
    for first, others in ((53, 3), (55, 3), (10, 2), (10, 1)):
        space = Space()
        python, other = thread(space), thread(space, "other", 2)
        put(python, "train", 5, first, _r=1)
        for i in range(others):
            put(python, "train", 100 + 100 * i, 60, _r=1)
        put(other, "work", 5, 100)
        cut.append(int(steps_of(space).cut[0]))
    assert cut == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("marks", "ops", "is_whole"),
    [
        ((100, 100, 100, 50), (), True),
        ((100, 100, 100, 49), (), False),
        # The first step, which loads kernels, may take many times as long as others do.
        ((100, 10), (6, 3), True),
        ((100, 10), (6, 2), False),
        ((100, 50), (6, 0), True),
        ((100, 49), (6, 0), False),
    ],
)
def test_a_last_mark_of_half_a_step_or_of_half_of_its_ops_is_a_step(
    marks: tuple[int, ...], ops: tuple[int, ...], is_whole: bool
) -> None:
    space = Space()
    for i, length in enumerate(marks):
        put(thread(space), "train", 100 * i, length, _r=1)
    for i, n in enumerate(ops):
        for j in range(n):
            put(thread(space), "op", 100 * i + 1 + j, 1)
    of = timeline(space)
    found = with_last(of.capture, find(of, "auto"))
    assert (found.next_ps[-1] == found.end_ps[-1]) == is_whole
