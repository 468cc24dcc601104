"""Jitted functions of one name: what Python's lambdas are, and what one function compiled for several shapes is not."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import message
from tests.build_capture import Line, Space
from tests.timeline.steps.steps_of import put, rows, steps_of, thread

#: What the programs of a case run, by program.
OTHERS = {7: ("dot", "tanh"), 8: ("subtract",), 9: ("dot", "transpose", "add")}
ALIKE = {7: ("dot", "tanh", "add", "exp", "max"), 8: ("dot", "tanh", "add", "exp", "max"), 9: ("dot",)}


def call(line: Line, worker: Line, begin: int, program: int, run: int, ops: tuple[str, ...]) -> None:
    """A call as long as its program's number, whose ops run later on another thread; ids of runs count by program."""
    put(line, "PjitFunction(<lambda>)", begin, program)
    for i, op in enumerate(ops):
        name = f"jit(<lambda>)/{op}"
        stats = {"hlo_op": name, "hlo_module": "jit__lambda", "program_id": program, "run_id": 100 * program + run}
        put(worker, name, begin + 3 + 4 * i, 4, **stats)


def program_of(turn: tuple[int, ...], turns: int, ops: dict[int, tuple[str, ...]]) -> Space:
    space = Space()
    python, worker = thread(space), thread(space, "tf_XLAEigen", 2)
    for i in range(turns):
        for j, program in enumerate(turn):
            call(
                python,
                worker,
                100 * i + 20 * j,
                program,
                i * turn.count(program) + turn[:j].count(program),
                ops[program],
            )
    return space


def test_lambdas_that_run_in_turn_are_several_functions() -> None:
    """Each turn of three begins with the first of them; the one that runs most is what is called the step."""
    found = steps_of(program_of((7, 8, 9), 4, OTHERS))
    assert [row[1:] for row in rows(found)] == [
        (100 * i, 100 * i + 49, 100 * i + 100 if i < 3 else -1) for i in range(4)
    ]
    assert found.others == {message("not_steps.calls", name="PjitFunction(<lambda>)", thread="python"): 8}


def test_one_that_is_called_twice_a_turn_is_part_of_the_step() -> None:
    assert len(steps_of(program_of((7, 7, 9), 5, OTHERS))) == 5


def test_an_evaluation_after_four_trainings_ends_no_turn() -> None:
    """What each of two lambdas does is told by its own ops."""
    ops = {7: ("dot", "transpose(jvp())/dot", "add"), 8: ("dot", "reduce_sum")}
    assert len(steps_of(program_of((7, 7, 7, 7, 8), 4, ops))) == 16


@pytest.mark.parametrize(("common", "steps"), [(5, 8), (3, 4)])
def test_a_function_compiled_for_two_shapes_stays_one(common: int, steps: int) -> None:
    """The names of its ops tell: most of them are the same."""
    ops = {**ALIKE, 8: (*ALIKE[7][:common], *("sort", "iota")[: 5 - common])}
    assert len(steps_of(program_of((7, 8), 4, ops))) == steps


@pytest.mark.parametrize(("last", "steps"), [((7, 8), 5), ((8, 7), 10)])
def test_programs_out_of_turn_are_one_function(last: tuple[int, ...], steps: int) -> None:
    """Nine of ten must come in the order of the turn before."""
    space = Space()
    python, worker = thread(space), thread(space, "tf_XLAEigen", 2)
    for i, program in enumerate((7, 8) * 3 + last + (7, 8)):
        call(python, worker, 50 * i, program, i, OTHERS[program])
    assert len(steps_of(space)) == steps


def test_more_runs_than_calls_say_nothing_of_a_call() -> None:
    """Of a capture that began while programs still ran."""
    space = program_of((7, 8), 4, OTHERS)
    put(thread(space, "tf_XLAEigen", 2), "dot", 0, 1, hlo_op="dot", hlo_module="jit__lambda", program_id=7, run_id=1)
    assert len(steps_of(space)) == 8
