"""Steps of several calls: what comes once a turn, what trains, functions of one name, and ops run one by one. In µs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.messages import message
from tests.build_capture import Line, Space, StatsGiven
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


#: What comes four times a turn, what comes once, and how many steps five turns are.
TURNS = {
    "evaluates": (("often", FIT), ("once", FORWARD), 20),
    "reckons": (("often", FIT), ("once", MEAN), 20),
    "updates the others' weights": (("often", FIT), ("once", UPDATE), 5),
    "both train, as a GAN": (("often", FIT), ("once", FIT), 5),
    "gathers micro-batches": (("often", SLOPES), ("once", UPDATE), 5),
    "checks": (("often", SLOPES), ("once", FORWARD), 20),
    "steps of a diffusion, and a decoder": (("often", FORWARD), ("once", FORWARD), 5),
    # A name tells an evaluation, and must tell where there are no ops; JAX's own operations end no turn.
    "evaluate": (("often", FORWARD), ("evaluate", FORWARD), 20),
    "predict": (("often", FORWARD), ("predict", FORWARD), 20),
    "decode": (("often", FORWARD), ("decode", FORWARD), 5),
    "apply without ops": (("slopes", ()), ("apply", ()), 5),
    "check without ops": (("step", ()), ("check", ()), 20),
    "a mean that is printed": (("often", FORWARD), ("_mean", MEAN), 20),
}


@pytest.mark.parametrize("name", TURNS)
def test_what_comes_every_fourth_call_is_the_step_if_it_trains_as_much(name: str) -> None:
    often, once, steps = TURNS[name]
    assert len(steps_of(jax(*[[(*often, 4), (*once, 1)]] * 5))) == steps


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


FORWARD_OPS = ("ReadVariableOp", "MatMul", "Tanh", "Mean")


BACKWARD_OPS = ("Mul", "TanhGrad", "MatMul")


UPDATE_OPS = ("Mul", "AssignSubVariableOp", "Mul", "AssignSubVariableOp")


STEP = (*FORWARD_OPS, *BACKWARD_OPS, *UPDATE_OPS)


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
    evaluated = (*STEP, *FORWARD_OPS, "Abs", *FORWARD_OPS, "Abs")
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
    accumulated = (*FORWARD_OPS, *BACKWARD_OPS, "AddV2", *FORWARD_OPS, *BACKWARD_OPS, "AddV2", *UPDATE_OPS)
    assert len(steps_of(loop(*(accumulated for _ in range(4))))) == 4


def test_a_function_that_computes_gradients_is_part_of_the_step() -> None:
    ops = ("__inference_slopes_7", "__inference_slopes_7", "AddV2", *UPDATE_OPS)
    assert len(steps_of(loop(*(ops for _ in range(4))))) == 4


def test_two_models_that_are_updated_in_turn_are_one_step() -> None:
    """The second judges by a convolution more; its weights are as many."""
    other = (*FORWARD_OPS, "Conv2D", *BACKWARD_OPS, *UPDATE_OPS)
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
        at = run(python, at + 60, *(UPDATE_OPS if i % 3 == 2 else ()))
    assert len(steps_of(space)) == 9
