"""Steps that a collector put on device planes."""

from __future__ import annotations

from tensorboard_perfplugin.messages import Message, message
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, rows, steps_of


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
