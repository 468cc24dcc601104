"""Steps of TensorFlow that runs ops one by one: they end where weights are updated."""

from __future__ import annotations

import pytest

from tests.build_capture import Line, Space, StatsGiven
from tests.timeline.steps.steps_of import rows, steps_of, thread

FORWARD = ("ReadVariableOp", "MatMul", "Tanh", "Mean")
BACKWARD = ("Mul", "TanhGrad", "MatMul")
UPDATE = ("Mul", "AssignSubVariableOp", "Mul", "AssignSubVariableOp")
STEP = (*FORWARD, *BACKWARD, *UPDATE)


def run(line: Line, begin: int, *ops: str) -> int:
    """Ops one by one, each 8 of 10 µs; where they end."""
    for i, op in enumerate(ops):
        line.event(f"EagerLocalExecute: {op}", (begin + 10 * i) * 1_000_000, 8_000_000)
    return begin + 10 * len(ops)


def loop(*turns: tuple[str, ...]) -> Space:
    space, at = Space(), 0
    for ops in turns:
        at = run(thread(space), at, *ops)
    return space


def test_each_step_ends_with_its_last_update_and_an_evaluation_is_of_the_step_before() -> None:
    evaluated = (*STEP, *FORWARD, "Abs", *FORWARD, "Abs")
    found = steps_of(loop(*(evaluated if i % 3 == 2 else STEP for i in range(6))))
    assert [row[1:] for row in rows(found)] == [
        (0, 108, 110),
        (110, 218, 220),
        (220, 328, 430),
        (430, 538, 540),
        (540, 648, 650),
        (650, 758, -1),
    ]
    assert (found.rule, found.confidence) == ("calls", "likely")


def test_gradients_of_several_batches_are_one_step() -> None:
    accumulated = (*FORWARD, *BACKWARD, "AddV2", *FORWARD, *BACKWARD, "AddV2", *UPDATE)
    assert len(steps_of(loop(*(accumulated for _ in range(4))))) == 4


def test_a_function_that_computes_gradients_is_part_of_the_step() -> None:
    ops = ("__inference_slopes_7", "__inference_slopes_7", "AddV2", *UPDATE)
    assert len(steps_of(loop(*(ops for _ in range(4))))) == 4


def test_two_models_that_are_updated_in_turn_are_one_step() -> None:
    """The second judges by a convolution more; its weights are as many."""
    other = (*FORWARD, "Conv2D", *BACKWARD, *UPDATE)
    assert len(steps_of(loop(*((*STEP, *STEP, *other) for _ in range(4))))) == 4


@pytest.mark.parametrize(("times", "rule"), [(3, "calls"), (2, "")])
def test_two_updates_may_be_a_set_up(times: int, rule: str) -> None:
    assert steps_of(loop(*(STEP for _ in range(times)))).rule == rule


def test_an_average_that_is_kept_beside_a_compiled_step_makes_no_steps() -> None:
    space, at = Space(), 0
    python = thread(space)
    for i in range(9):
        for begin, name in ((at, "train_step"), (at + 1, "EagerLocalExecute: __inference_train_step_7")):
            called: dict[str, int | str] = {"tf_function_call": "notTraced-nonXla", "tracing_count": 1}
            stats: StatsGiven = called if begin == at else {}
            python.event(name, begin * 1_000_000, 50_000_000, stats)
        python.event("a/b:AssignSubVariableOp", (at + 20) * 1_000_000, 5_000_000)
        at = run(python, at + 60, *(UPDATE if i % 3 == 2 else ()))
    assert len(steps_of(space)) == 9
