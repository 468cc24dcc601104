"""Captures with the marks of several loops. Times in µs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.steps import Steps
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, steps_of, thread


def marked(loops: list[tuple[str, int, str]], first: int = 0, span: int = 100) -> Steps:
    """Loops one after another, each (name, steps, op that it runs), numbered from 0 on."""
    space, at = Space(), first
    for name, count, op in loops:
        for i in range(count):
            put(thread(space), name, at, span, _r=1, step_num=i)
            put(thread(space, "worker", 2), f"{op}:{op.capitalize()}", at + 10, 50)
            at += span + 20
    return steps_of(space)


@pytest.mark.parametrize(("evaluated", "taken"), [(2, 12), (3, 10)])
def test_a_loop_has_three_marks(evaluated: int, taken: int) -> None:
    found = marked([("train", 10, "matmul"), ("eval", evaluated, "matmul")])
    assert len(found) == taken
    assert [(loop.name, loop.steps, loop.unrelated) for loop in found.loops] == [("eval", 3, False)] * (taken == 10)


def test_the_last_step_before_another_loop_ends_with_its_mark() -> None:
    found = marked([("train", 4, "matmul"), ("eval", 3, "matmul"), ("train", 4, "matmul")])
    assert (found.wall_ps // 1_000_000).tolist() == [120, 120, 120, 100, 120, 120, 120, 100]


@pytest.mark.parametrize(("in_a_row", "taken"), [(1, 12), (2, 12), (3, 6)])
def test_loops_that_take_turns_are_parts_of_one(in_a_row: int, taken: int) -> None:
    turns = [("generator", in_a_row, "matmul"), ("discriminator", in_a_row, "add")] * (6 // in_a_row)
    assert len(marked(turns)) == taken


@pytest.mark.parametrize(("shared", "unrelated"), [(19, True), (20, False)])
def test_loops_with_a_fifth_of_their_op_time_in_common_are_related(shared: int, unrelated: bool) -> None:
    space = Space()
    for loop, op in enumerate(("matmul", "conv")):
        for i in range(4):
            at = 1000 * loop + 200 * i
            put(thread(space), f"fit{loop and '_other'}", at, 150, _r=1, step_num=i)
            put(thread(space, "worker", 2), f"{op}:{op.capitalize()}", at, 100 - shared)
            put(thread(space, "worker", 2), "add:Add", at + 100 - shared, shared)
    assert [loop.unrelated for loop in steps_of(space).loops] == [unrelated]


@pytest.mark.parametrize(("second", "taken", "unrelated"), [("matmul", 8, []), ("conv", 5, [True])])
def test_numbers_that_begin_anew_are_an_epoch_or_another_program(
    second: str, taken: int, unrelated: list[bool]
) -> None:
    found = marked([("train", 5, "matmul"), ("train", 3, second)])
    assert len(found) == taken
    assert [loop.unrelated for loop in found.loops] == unrelated


def test_an_evaluation_of_another_model_s_ops_is_no_other_program() -> None:
    assert [loop.unrelated for loop in marked([("train", 5, "matmul"), ("validation", 3, "conv")]).loops] == [False]


def test_a_choice_is_of_what_was_chosen() -> None:
    space = Space()
    for i in range(6):
        put(thread(space), "train" if i < 3 else "eval", 100 * i, 90, _r=1, step_num=i % 3)
    assert len(steps_of(space, "markers")) == 6
