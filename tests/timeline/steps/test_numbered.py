"""Steps by numbers, a stat or in the name, and by the cadence of asking for input."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import message
from tests.build_capture import Space
from tests.timeline.steps.steps_of import none_by, put, rows, steps_of, thread


def test_step_numbers_without_a_root_flag() -> None:
    """What Keras 3 writes; a reference implementation finds no step and tells 0.0 ms."""
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, "Profiled batch", 50 * i, 40, step_num=9 + i)
        put(python, "multi_step_on_iterator", 50 * i + 5, 30)
    found = steps_of(space)
    assert rows(found) == [
        ("Profiled batch 9", 0, 40, 50),
        ("Profiled batch 10", 50, 90, 100),
        ("Profiled batch 11", 100, 140, -1),
    ]
    assert (found.rule, found.confidence) == ("numbers", "certain")
    assert found.evidence == message(
        "steps_seen.numbers", events=3, one=False, name="Profiled batch", names=None, low=9, high=11
    )


def test_numbers_that_begin_again_are_less_sure() -> None:
    space = Space()
    python = thread(space)
    for i, number in enumerate((8, 9, 0, 1)):
        put(python, "Profiled batch", 50 * i, 40, step_num=number)
    found = steps_of(space)
    assert (found.confidence, found.number.tolist()) == ("likely", [8, 9, 0, 1])


def test_numbers_inside_or_after_others_are_told() -> None:
    space = Space()
    python = thread(space)
    for i in range(2):
        put(python, "batch", 100 * i, 80, step_num=i)
        put(python, "forward", 100 * i + 10, 20, step_num=i)
        put(python, "log", 100 * i + 80, 5, step_num=i)
    found = steps_of(space)
    assert found.name == ("batch 0", "batch 1")
    assert found.others == {
        message("not_steps.numbered_inside", name="forward"): 2,
        message("not_steps.numbered_inside", name="log"): 2,
    }


@pytest.mark.parametrize(
    "name",
    ["ProfilerStep#{}", "train {}", "Step {}", "iteration {}", "Iteration_{}", "batch_{}", "train_step:{}", "step[{}]"],
)
def test_names_that_number_themselves(name: str) -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, name.format(12 + i), 50 * i, 40)
        put(python, f"fusion.{i}", 50 * i + 5, 10)
    found = steps_of(space)
    assert rows(found) == [
        (name.format(12), 0, 40, 50),
        (name.format(13), 50, 90, 100),
        (name.format(14), 100, 140, -1),
    ]
    assert (found.rule, found.confidence, found.number.tolist()) == ("annotations", "certain", [12, 13, 14])
    assert found.evidence == message("steps_seen.named", events=3, one=False, thread="python", example=name.format(12))


def test_annotations_without_a_number_are_counted() -> None:
    space = Space()
    for i in range(2):
        put(thread(space), "StepTraceAnnotation", 50 * i, 40)
    found = steps_of(space)
    assert (found.name, found.number.tolist()) == (("StepTraceAnnotation", "StepTraceAnnotation"), [0, 1])


def test_the_word_that_comes_most_often_is_the_step() -> None:
    space = Space()
    python, other = thread(space), thread(space, "loader", 2)
    for i in range(3):
        put(python, f"train {i}", 50 * i, 40)
        put(python, f"batch {i}", 50 * i + 10, 10)
    put(other, "step 1", 0, 20)
    put(other, "step 2", 20, 20)
    found = steps_of(space)
    assert found.name == ("train 0", "train 1", "train 2")
    assert found.others == {message("not_steps.alike", example="step 1", thread="loader"): 2}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("execute_context_1(888)_generation_0(0)", "execute_context_0(0)_generation_1(1)"),
        (
            "execute_8192_context_9(sq8155sk8430)_generation_37(sq37sk34489)",
            "execute_37_context_0(0)_generation_37(37)",
        ),
        ("execute_new_1_cached_0", "execute_new_0_cached_1"),
        ("step[EXTEND bs=15 toks=15360]", "step[DECODE bs=15]"),
    ],
)
def test_servers_of_language_models_name_their_batches(first: str, second: str) -> None:
    """Of one batch its 24 layers were taken for steps."""
    space = Space()
    python = thread(space)
    put(python, first, 0, 60)
    put(python, second, 100, 20)
    found = steps_of(space)
    assert rows(found) == [(first, 0, 60, 100), (second, 100, 120, -1)]
    assert (found.rule, found.confidence) == ("annotations", "certain")
    alone = Space()
    put(thread(alone), first, 0, 60)
    assert steps_of(alone).evidence == message("steps_seen.named", events=1, one=True, thread="python", example=first)


@pytest.mark.parametrize(
    "name",
    [
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
        "IteratorGetNextOp::DoCompute",
        "IteratorGetNextAsOptionalOp::DoCompute",
        "EagerLocalExecute: IteratorGetNext",
        "IteratorGetNext:IteratorGetNext",
        "while/IteratorGetNext:IteratorGetNext",
        "Iterator::Root",
        "Iterator::Model",
    ],
)
def test_from_one_ask_to_the_next(name: str) -> None:
    space = Space()
    for begin in (10, 60, 110):
        put(thread(space), name, begin, 5)
    found = steps_of(space)
    assert rows(found) == [("input 0", 10, 60, 60), ("input 1", 60, 110, 110), ("input 2", 110, 115, -1)]
    assert (found.rule, found.confidence, found.cut.tolist()) == ("input", "guess", [0, 0, 2])
    assert found.evidence == message("steps_seen.asks", times=3, name=name, replicas=None)


def test_replicas_that_ask_for_their_parts_are_one_step() -> None:
    space = Space()
    for i in range(5):
        for replica, late in ((1, 0), (2, 3)):
            line = thread(space, f"tf_data_iterator_get_next/{replica}", replica)
            put(line, "IteratorGetNextOp::DoCompute", 50 * i + late, 5, id=900 + i, iter_num=0)
            put(line, "Iterator::Root", 50 * i + late, 5)
    found = steps_of(space)
    assert [row[1] for row in rows(found)] == [0, 50, 100, 150, 200]
    assert found.evidence == message("steps_seen.asks", times=5, name="IteratorGetNextOp::DoCompute", replicas=2)
    assert found.confidence == "likely"


def test_turns_of_a_loop_inside_of_a_function_each_ask() -> None:
    space = Space()
    for i in range(4):
        put(thread(space), "IteratorGetNextOp::DoCompute", 50 * i, 5, id=900, iter_num=i)
    assert len(steps_of(space)) == 4


def test_a_pipeline_that_reads_ahead_asks_for_nobody() -> None:
    space = Space()
    reader, python = thread(space, "tf_data_iterator_resource/5", 2), thread(space)
    for i in range(9):
        put(reader, "Iterator::Root", 5 * i, 4)
    for i in range(3):
        put(python, "Iterator::Root", 50 * i, 5)
        put(python, "Iterator::Root", 50 * i + 1, 3)
    found = steps_of(space)
    assert (len(found), found.lane.tolist()) == (3, [1, 1, 1])


def test_three_distances_of_which_seven_of_ten_are_alike_are_likely_steps() -> None:
    """They differ by less than half of what is usual."""

    def confidence(*apart: int) -> str:
        space = Space()
        for i in range(len(apart) + 1):
            put(thread(space), "Iterator::Root", sum(apart[:i]), 5)
        return steps_of(space).confidence

    assert [confidence(*[50] * n) for n in (2, 3)] == ["guess", "likely"]
    assert [confidence(*[100] * 5, *[far] * 2) for far in (149, 151)] == ["likely", "likely"]
    assert [confidence(*[100] * 5, *[far] * 3) for far in (149, 151)] == ["likely", "guess"]


def test_not_every_name_with_a_number_is_a_step() -> None:
    for name in ("fusion_{}", "kernel{}", "epoch {}", "step.{}", "batch_{}:BatchDataset", "x/step {}"):
        space = Space()
        for i in range(3):
            put(thread(space, id=i), name.format(i), 50 * i, 40)
        assert steps_of(space, "annotations").reason == none_by("annotations"), name


def test_a_number_that_is_text() -> None:
    """SageMaker's timelines of Python have their steps' numbers as text, which no rule took for steps."""
    for number, found in (("7", True), ("1" * 18, True), ("1" * 19, False), ("seven", False)):
        space = Space()
        put(thread(space), "Step:ModeKeys.TRAIN", 0, 40, step_num=number)
        assert (steps_of(space).rule == "numbers") is found
