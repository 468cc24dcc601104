"""Steps of several calls: what comes once a turn is the step, unless it trains less than what comes between. In µs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.messages import message
from tests.build_capture import Line, Space
from tests.timeline.steps.steps_of import put, rows, steps_of, thread
from tests.timeline.steps.test_calls import jitted, traced

#: Ops of functions: of a step that trains, of one that only computes gradients, of a forward pass, of an update.
FIT = ("jvp()/dot_general", "transpose(jvp())/mul", "sub")
SLOPES = ("jvp()/dot_general", "transpose(jvp())/mul")
FORWARD = ("dot_general", "tanh", "add")
UPDATE = ("mul", "sub")
MEAN = ("reduce_sum", "div")


def jax(*turns: Sequence[tuple[str, Sequence[str], int]]) -> Space:
    """Turns of calls of 10 µs: a function, its ops, which run on another thread, and how often it is called."""
    space = Space()
    python, worker, at = thread(space), thread(space, "tf_XLAEigen/1", 2), 0
    for turn in turns:
        for function, ops, times in turn:
            for _ in range(times):
                jitted(python, function, at, 6)
                for i, op in enumerate(ops):
                    stats = {"hlo_op": f"jit({function})/{op}", "hlo_module": f"jit_{function}"}
                    put(worker, op, at + 2 + i, 1, **stats)
                at += 10
    return space


def begins(space: Space) -> list[int]:
    return [row[1] for row in rows(steps_of(space))]


def test_a_cell_is_no_step() -> None:
    """Of 15 in each of ten turns, with one update at the end."""
    turn = [("cell", FORWARD, 15), ("step", UPDATE, 1)]
    space = jax(*[turn] * 10)
    assert begins(space) == [160 * i for i in range(10)]
    assert steps_of(space).evidence == message(
        "steps_seen.calls_a_turn", name="PjitFunction(cell)", calls=15, turns=10, thread="python"
    )


@pytest.mark.parametrize(
    ("inner", "outer", "steps"),
    [
        (FIT, FORWARD, 20),  # an evaluation
        (FIT, MEAN, 20),
        (FIT, UPDATE, 5),  # the others' weights
        (FIT, FIT, 5),  # a GAN
        (SLOPES, UPDATE, 5),  # micro-batches
        (SLOPES, FORWARD, 20),
        (FORWARD, FORWARD, 5),  # steps of a diffusion, and a decoder
    ],
    ids=["evaluates", "reckons", "updates others", "both train", "gathers", "checks", "infers"],
)
def test_what_comes_every_fourth_call_is_the_step_if_it_trains_as_much(
    inner: tuple[str, ...], outer: tuple[str, ...], steps: int
) -> None:
    assert len(steps_of(jax(*[[("often", inner, 4), ("once", outer, 1)]] * 5))) == steps


@pytest.mark.parametrize(("name", "steps"), [("evaluate", 20), ("predict", 20), ("decode", 5)])
def test_a_function_that_is_called_an_evaluation_is_one(name: str, steps: int) -> None:
    assert len(steps_of(jax(*[[("often", FORWARD, 4), (name, FORWARD, 1)]] * 5))) == steps


@pytest.mark.parametrize(("inner", "outer", "steps"), [("slopes", "apply", 5), ("step", "check", 20)])
def test_without_ops_a_name_must_tell(inner: str, outer: str, steps: int) -> None:
    assert len(steps_of(jax(*[[(inner, (), 4), (outer, (), 1)]] * 5))) == steps


def test_jaxs_own_operations_end_no_turn() -> None:
    """A mean that is printed after every fourth."""
    assert len(steps_of(jax(*[[("forward", FORWARD, 4), ("_mean", MEAN, 1)]] * 5))) == 20


def test_a_function_that_trains_is_the_step_where_another_takes_longer() -> None:
    assert begins(jax(*[[("policy", FORWARD, 20), ("fit", FIT, 1)]] * 5)) == [210 * i for i in range(5)]


def graph(line: Line, function: str, begin: int, op: str, number: int) -> None:
    traced(line, function, begin, 8, graph=number)
    put(line, op, begin + 3, 2, tf_op=op)


UPDATES, SLOPE = "Adam/ResourceApplyAdam:ResourceApplyAdam", "gradient_tape/MatMul:MatMul"
ADDS, PRODUCT = "AssignAddVariableOp:AssignAddVariableOp", "MatMul:MatMul"


@pytest.mark.parametrize(
    ("inner", "outer", "steps"),
    [
        (SLOPE, UPDATES, 5),
        (UPDATES, UPDATES, 5),
        (UPDATES, PRODUCT, 15),
        (UPDATES, SLOPE, 15),
        (SLOPE, ADDS, 15),
        (PRODUCT, ADDS, 5),
    ],
    ids=["micro-batches", "a GAN", "evaluates", "looks at gradients", "counts", "a cell"],
)
def test_ops_within_a_call_of_tensorflows_tell(inner: str, outer: str, steps: int) -> None:
    space = Space()
    python = thread(space)
    for i in range(5):
        for j in range(3):
            graph(python, "inner", 100 * i + 10 * j, inner, 1)
        graph(python, "outer", 100 * i + 30, outer, 2)
    assert len(steps_of(space)) == steps


def test_two_functions_of_one_name_are_told_by_what_they_train() -> None:
    """Keras' `train_on_batch` and `test_on_batch` call a function of one name; one of them was traced again."""
    space = Space()
    python = thread(space)
    for i in range(6):
        traced(python, "one_step_on_data", 100 * i, 8, graph=1, count=2)
        put(python, SLOPE, 100 * i + 3, 2)
        for j in range(5 if i % 3 == 2 else 0):
            traced(python, "one_step_on_data", 100 * i + 10 * (j + 1), 8, graph=2)
            put(python, PRODUCT, 100 * i + 10 * (j + 1) + 3, 2)
    assert begins(space) == [100 * i for i in range(6)]
