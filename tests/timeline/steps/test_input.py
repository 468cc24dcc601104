"""Steps by the cadence of asking for input."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import message
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, rows, steps_of, thread


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
