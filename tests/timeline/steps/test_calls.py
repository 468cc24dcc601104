"""Steps by the call that a program makes once an iteration."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.steps.find import find
from tests.build_capture import Line, Space
from tests.timeline.ops.test_calls import event, pytorch
from tests.timeline.steps.steps_of import none_by, put, rows, steps_of, thread


def jitted(line: Line, function: str, begin: int, length: int) -> None:
    """JAX writes two events a call, one inside the other."""
    put(line, f"PjitFunction({function})", begin, length)
    put(line, f"PjitFunction({function})", begin + 1, length - 1)


def traced(line: Line, function: str, begin: int, length: int, graph: int, count: int = 1) -> None:
    """A call of a tf.function, and within it the run of its graph."""
    put(line, function, begin, length, tf_function_call="notTraced-nonXla", tracing_count=count)
    put(line, f"EagerLocalExecute: __inference_{function}_{graph}", begin + 1, length - 2)


def test_a_jitted_function_called_again_and_again() -> None:
    space = Space()
    for i in range(3):
        jitted(thread(space), "train_step", 50 * i, 40)
    found = steps_of(space)
    assert rows(found) == [("train_step 0", 0, 40, 50), ("train_step 1", 50, 90, 100), ("train_step 2", 100, 140, -1)]
    assert (found.rule, found.confidence, found.others) == ("calls", "likely", {})
    assert found.evidence == message(
        "steps_seen.calls", name="PjitFunction(train_step)", times=3, thread="python", percent=86
    )


def test_helpers_evaluations_and_a_first_call_that_compiles_do_not_mislead() -> None:
    space = Space()
    python, at = thread(space), 0
    for i in range(12):
        jitted(python, "convert_element_type", at, 2000 if i == 0 else 5)
        at += 2000 if i == 0 else 5
        jitted(python, "<lambda>", at, 3)
        jitted(python, "<lambda>", at + 3, 3)
        jitted(python, "train_step", at + 10, 9000 if i == 0 else 40)
        at += 9020 if i == 0 else 60
        if i % 4 == 3:
            jitted(python, "eval_step", at, 100)
            at += 120
    found = steps_of(space)
    assert (found.rule, {name.split()[0] for name in found.name}, len(found)) == ("calls", {"train_step"}, 12)
    assert found.others == {
        message("not_steps.calls", name="PjitFunction(eval_step)", thread="python"): 3,
        message("not_steps.calls", name="PjitFunction(<lambda>)", thread="python"): 24,
        message("not_steps.calls", name="PjitFunction(convert_element_type)", thread="python"): 12,
    }


def test_what_a_call_costs_elsewhere_counts() -> None:
    """Calls only issue: the short one's module runs long on another thread."""
    space = Space()
    python, worker = thread(space), thread(space, "tf_XLAEigen/1", 2)
    for i in range(3):
        jitted(python, "prepare", 100 * i, 20)
        jitted(python, "train_step", 100 * i + 30, 5)
        put(worker, "dot", 100 * i + 32, 60, hlo_op="dot", hlo_module="jit_train_step")
        put(worker, "add", 100 * i + 5, 2, hlo_op="add", hlo_module="jit_prepare")
    assert steps_of(space).name == ("train_step 0", "train_step 1", "train_step 2")


def test_a_step_begins_with_what_is_always_called_before() -> None:
    """The first time it compiles: from one `train_step` to the next that would be lost."""
    space = Space()
    python = thread(space)
    for i, begin in enumerate((0, 500, 600)):
        late = 400 if i == 0 else 0
        jitted(python, "add", begin, 10 + late)
        jitted(python, "train_step", begin + late + 20, 60)
        jitted(python, "norm", begin + late + 85, 5)
    assert [row[1] for row in rows(steps_of(space))] == [0, 500, 600]


def test_a_step_begins_with_the_ask_for_its_input() -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, "EagerLocalExecute: IteratorGetNext", 100 * i, 40)
        traced(python, "step", 100 * i + 45, 40, graph=1)
    assert rows(steps_of(space)) == [("step 0", 0, 85, 100), ("step 1", 100, 185, 200), ("step 2", 200, 285, -1)]


def test_calls_that_gather_what_another_applies_are_one_step() -> None:
    space = Space()
    python = thread(space)
    for i in range(4):
        for j in range(3):
            jitted(python, "slopes", 100 * i + 20 * j, 18)
        jitted(python, "apply_updates", 100 * i + 60, 5)
    found = steps_of(space)
    assert rows(found) == [
        ("slopes 0", 0, 58, 100),
        ("slopes 1", 100, 158, 200),
        ("slopes 2", 200, 258, 300),
        ("slopes 3", 300, 358, -1),
    ]
    assert found.evidence == message(
        "steps_seen.calls_a_turn", name="PjitFunction(slopes)", calls=3, turns=4, thread="python"
    )


@pytest.mark.parametrize(("others", "calls", "steps"), [(2, 4, 11), (3, 4, 33 + 3), (2, 2, 11), (3, 2, 33 - 3)])
def test_eight_of_ten_turns_hold_as_many_calls(others: int, calls: int, steps: int) -> None:
    """Of the ten after the first some have one more than three, or one less; else each call is a step."""
    space = Space()
    python = thread(space)
    for i in range(11):
        for j in range(calls if 0 < i <= others else 3):
            jitted(python, "slopes", 100 * i + 20 * j, 18)
        jitted(python, "apply_updates", 100 * i + 90, 5)
    assert len(steps_of(space)) == steps


@pytest.mark.parametrize(("others", "begin"), [(1, 0), (2, 20)])
def test_what_comes_before_four_of_five_steps_begins_them(others: int, begin: int) -> None:
    """Between some of the steps it is called twice."""
    space = Space()
    python = thread(space)
    for i in range(6):
        for j in range(2 if 0 < i <= others else 1):
            jitted(python, "add", 100 * i + 8 * j, 5)
        jitted(python, "train_step", 100 * i + 20, 60)
    assert rows(steps_of(space))[0][1] == begin


def test_as_many_calls_for_each_input_are_one_step() -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, "EagerLocalExecute: IteratorGetNext", 100 * i, 10)
        for j in range(4):
            traced(python, "part", 100 * i + 10 + 20 * j, 18, graph=1)
    assert rows(steps_of(space)) == [("part 0", 0, 88, 100), ("part 1", 100, 188, 200), ("part 2", 200, 288, -1)]


def test_one_turn_of_several_calls_is_no_step_of_them() -> None:
    space = Space()
    python = thread(space)
    put(python, "EagerLocalExecute: IteratorGetNext", 0, 10)
    for j in range(2):
        traced(python, "part", 10 + 20 * j, 18, graph=1)
    put(python, "EagerLocalExecute: IteratorGetNext", 100, 10)
    assert rows(steps_of(space)) == [("part 0", 10, 28, 30), ("part 1", 30, 48, -1)]


def test_the_programs_first_thread_counts_more() -> None:
    """What another thread calls beside it, more often and for longer, is no step."""
    space = Space()
    for i in range(4):
        jitted(thread(space, "python", 10), "train_step", 100 * i, 30)
    for i in range(20):
        jitted(thread(space, "python", 11), "eval_step", 20 * i, 18)
    assert steps_of(space).name == ("train_step 0", "train_step 1", "train_step 2", "train_step 3")


def test_of_threads_whose_numbers_are_hashes_the_dearest_counts() -> None:
    """A session's runs that fill a queue go on beside those that train."""
    space = Space()
    for i in range(4):
        put(thread(space, "python", 6122887203924128246), "SessionRun", 100 * i, 90)
    for i in range(3):
        put(thread(space, "python", -4962971899861605856), "SessionRun", 110 * i, 100)
    assert len(steps_of(space)) == 4


def test_a_function_on_many_threads_is_taken_on_the_one_that_has_most_of_it() -> None:
    space = Space()
    for i in range(3):
        jitted(thread(space, "a", 1), "f", 50 * i, 40)
    for i in range(5):
        jitted(thread(space, "b", 2), "f", 50 * i, 10)
    found = steps_of(space)
    assert (len(found), found.others) == (3, {message("not_steps.calls", name="PjitFunction(f)", thread="b"): 5})


def test_operations_one_by_one_are_divided_by_the_pauses_between_turns() -> None:
    space = Space()
    python, at = thread(space), 0
    for _ in range(5):
        for name in ("tanh", "add", "tanh", "add", "mean"):
            jitted(python, name, at, 4)
            at += 5
        at += 30
    found = steps_of(space)
    assert rows(found)[:2] == [
        ("5 calls of 3 functions 0", 0, 24, 55),
        ("5 calls of 3 functions 1", 55, 79, 110),
    ]
    assert (len(found), found.confidence) == (5, "guess")
    assert found.evidence == message("steps_seen.turns", calls=5, functions=3, thread="python", times=5)


def test_a_pause_within_every_second_turn_does_not_make_one_of_two() -> None:
    space = Space()
    python, at = thread(space), 0
    for i in range(16):
        for j, name in enumerate(("tanh", "add", "tanh", "add", "tanh", "mean")):
            jitted(python, name, at, 4)
            at += 25 if j == 2 and i % 2 else 5
        at += 30
    assert len(steps_of(space)) == 16


def test_two_pauses_around_all_but_two_operations_divide_nothing() -> None:
    space = Space()
    python = thread(space)
    for i in range(12):
        jitted(python, "add", 5 * i + 1000 * (i >= 1) + 1000 * (i >= 11), 5)
    assert len(steps_of(space)) == 12


#: What a program calls in a turn, waiting for each result. A product's op takes 200 times as long as its call.
WAITS = {
    "layers, and a pause for input after each turn": (["dot", "add", "tanh"] * 10, 700, 30),
    "layers, and what follows them": (["dot", "add", "tanh"] * 10 + ["mean"], 0, 31),
    "layers alone": (["dot", "add", "tanh"] * 10, 0, 3),
}


@pytest.mark.parametrize("case", WAITS)
def test_a_wait_for_a_result_is_no_pause_between_turns(case: str) -> None:
    """JAX's `block_until_ready` after each operation: the first of three takes long, after some it wakes up late."""
    turn, pause, calls = WAITS[case]
    space, at = Space(), 0
    python, worker = thread(space), thread(space, "tf_XLAEigen/1", 2)
    for i in range(8):
        for j, name in enumerate(turn):
            took = 400 if name == "dot" else 20
            jitted(python, name, at, 2)
            put(worker, name, at + 2, took, hlo_op=name, hlo_module=f"jit_{name}")
            at += took + 5 + 40 * (7 * j % 11 == i)
        at += pause
    assert steps_of(space).evidence == message(
        "steps_seen.turns", calls=calls, functions=len(set(turn)), thread="python", times=8 * len(turn) // calls
    )


@pytest.mark.parametrize(("frame", "step"), [("apply", "apply"), ("train_epoch", "layer")])
def test_a_step_s_frame_calls_layers_and_an_epoch_s_steps(frame: str, step: str) -> None:
    space = Space()
    python = thread(space)
    for i in range(3):
        put(python, f"$train.py:9 {frame}", 200 * i, 190)
        for j in range(4):
            put(python, "$train.py:5 layer", 200 * i + 10 + 45 * j, 40)
            for k in range(2):
                jitted(python, "add", 200 * i + 12 + 45 * j + 10 * k, 8)
    assert steps_of(space).name[0] == f"{step} 0"


def test_a_python_frame_around_operations_is_the_step() -> None:
    space = Space()
    python = thread(space)
    put(python, "$train.py:1 main", 0, 400)
    put(python, "$train.py:9 epoch", 1, 199)
    put(python, "$train.py:9 epoch", 201, 100)
    for i in range(3):
        put(python, "$train.py:20 train_step", 100 * i + 10, 80)
        put(python, "$array.py:5 add", 100 * i + 15, 30)
        for j in range(4):
            jitted(python, "add", 100 * i + 20 + 10 * j, 8)
    found = steps_of(space)
    assert rows(found) == [
        ("train_step 0", 10, 90, 110),
        ("train_step 1", 110, 190, 210),
        ("train_step 2", 210, 290, -1),
    ]


def test_functions_that_python_calls() -> None:
    space = Space()
    for i in range(3):
        traced(thread(space), "multi_step_on_iterator", 50 * i, 40, graph=77)
    found = steps_of(space)
    assert found.name == ("multi_step_on_iterator 0", "multi_step_on_iterator 1", "multi_step_on_iterator 2")


def test_training_and_validation_by_functions_of_one_name_are_two_functions() -> None:
    """Keras calls both `multi_step_on_iterator`."""
    space = Space()
    python = thread(space)
    for i in range(4):
        traced(python, "multi_step_on_iterator", 50 * i, 40, graph=77)
    for i in range(6):
        traced(python, "multi_step_on_iterator", 200 + 10 * i, 8, graph=99)
    traced(python, "multi_step_on_iterator", 270, 40, graph=77)
    found = steps_of(space)
    assert rows(found)[-2:] == [("multi_step_on_iterator 3", 150, 190, 270), ("multi_step_on_iterator 4", 270, 310, -1)]
    assert found.others == {message("not_steps.calls", name="multi_step_on_iterator", thread="python"): 6}


def test_a_function_that_is_traced_again_stays_one() -> None:
    space = Space()
    for i in range(4):
        traced(thread(space), "step", 50 * i, 40, graph=70 + i, count=1 + i)
    assert len(steps_of(space)) == 4


def test_graphs_of_one_name_that_are_run_in_turn_are_several_functions() -> None:
    """Two models that are trained side by side, each traced twice; the dearer one's call begins the step."""
    space = Space()
    for i in range(4):
        traced(thread(space), "one_step_on_data", 50 * i, 30, graph=7, count=2)
        traced(thread(space), "one_step_on_data", 50 * i + 32, 10, graph=8, count=2)
    found = steps_of(space)
    assert [row[1] for row in rows(found)] == [0, 50, 100, 150]
    assert found.others == {message("not_steps.calls", name="one_step_on_data", thread="python"): 4}


def test_graphs_called_without_python_and_runs_of_sessions() -> None:
    for name in ("EagerLocalExecute: __inference_f_12", "SessionRun", "jit_f:XLA GPU module", "$train.py:3 step"):
        space = Space()
        for i in range(3):
            put(thread(space), name, 50 * i, 40)
        found = steps_of(space)
        assert (found.rule, len(found)) == ("calls", 3), name


def test_functions_of_an_input_pipeline_are_no_steps() -> None:
    space = Space()
    for i in range(3):
        put(thread(space), "InstantiatedCapturedFunction::Run", 50 * i, 40, id=i)
        put(thread(space), "FunctionRun", 50 * i + 5, 30, id=i)
    assert steps_of(space, "calls").reason == none_by("calls")


@pytest.mark.parametrize("pool", ["tf_data_private_threadpool", "tf_data_iterator_resource"])
def test_what_an_input_pipeline_calls_on_its_threads_is_no_step(pool: str) -> None:
    """A `py_function` calls a tf.function: more often than the program its own, and for longer."""
    space = Space()
    for i in range(4):
        traced(thread(space), "step", 100 * i + 60, 30, graph=1)
        for j in range(4):
            traced(thread(space, pool, 2), "augment", 100 * i + 25 * j, 24, graph=2)
    found = steps_of(space)
    assert (found.name[0], len(found), found.others) == ("step 0", 4, {})


def evaluated(training: str, *evaluations_at: int) -> Space:
    """Short calls that train, and between them long ones that only evaluate."""
    space = Space()
    python = thread(space)
    for i in range(6):
        put(python, "step", 100 * i, 10, tf_function_call="notTraced-nonXla", tracing_count=1)
        put(python, training, 100 * i + 2, 3)
    for at in evaluations_at:
        for i in range(8):
            begin = at + 10 * i
            put(python, "evaluate", begin, 9, tf_function_call="notTraced-nonXla", tracing_count=1)
            put(python, "matmul:MatMul", begin + 2, 3)
    return space


@pytest.mark.parametrize(
    "training", ["gradient_tape/matmul/MatMul:MatMul", "AssignSubVariableOp:AssignSubVariableOp", "a/ResourceApplyAdam"]
)
def test_a_function_that_trains_is_the_step_where_an_evaluation_takes_longer(training: str) -> None:
    found = steps_of(evaluated(training, 115, 315))
    assert (found.name[0], len(found)) == ("step 0", 6)
    assert found.others == {message("not_steps.calls", name="evaluate", thread="python"): 16}


#: JAX's calls, of which only names are known, in a turn or up to an evaluation, how often these come, the calls after
#: them, and how many steps that is of which function. A capital's calls cost ten times as much.
LOOPS = {
    "halves of a turn": ("aab", 16, "", "a", 16),
    "halves of a turn, the dearer one once": ("aaB", 16, "", "B", 16),
    "halves of a turn, cut": ("aab", 16, "aa", "a", 17),
    "what comes now and then": ("aaab", 6, "", "a", 18),
    "an evaluation": ("aaaaaEEE", 4, "aa", "a", 22),
    "an evaluation of one call": ("aaaaaE", 4, "aa", "a", 22),
    "a longer loop after a shorter one": ("aaEEE", 4, "aa", "E", 12),
    "turns that end with the dearest": ("aaaaaE", 4, "", "E", 4),
}


@pytest.mark.parametrize("case", LOOPS)
def test_the_step_is_what_comes_once_a_turn(case: str) -> None:
    turn, times, rest, name, steps = LOOPS[case]
    space, at = Space(), 0
    for call in turn * times + rest:
        jitted(thread(space), call, at, 50 if call.isupper() else 5)
        at += 60
    found = steps_of(space)
    assert (found.name[0], len(found)) == (f"{name} 0", steps)


@pytest.mark.parametrize(("training", "steps"), [("train", 6), ("step", 2)])
def test_names_tell_a_training_from_its_evaluation(training: str, steps: int) -> None:
    """Where nothing else is known of them: one dear evaluation after three of the others."""
    space = Space()
    for i in range(6):
        jitted(thread(space), training, 100 * i, 5)
        if i % 3 == 2:
            jitted(thread(space), "eval_step", 100 * i + 10, 80)
    assert len(steps_of(space)) == steps


def test_several_updates_in_a_row_end_one_turn() -> None:
    """TensorFlow: five of one half, which trains, and three of the other, which does."""
    space = Space()
    for i, function in enumerate("aaaaabbb" * 4):
        put(thread(space), function, 100 * i, 90, tf_function_call="notTraced-nonXla", tracing_count=1)
        put(thread(space), "AssignSubVariableOp:AssignSubVariableOp", 100 * i + 2, 3)
    assert len(steps_of(space)) == 4


def test_a_function_that_counts_does_not_train() -> None:
    found = steps_of(evaluated("AssignAddVariableOp:AssignAddVariableOp", 115, 315))
    assert (found.name[0], len(found)) == ("evaluate 0", 16)


def test_what_comes_after_all_training_may_be_another_program() -> None:
    found = steps_of(evaluated("gradient_tape/matmul/MatMul:MatMul", 1000, 1200))
    assert (found.name[0], len(found)) == ("evaluate 0", 16)


def test_steps_are_likely_by_three_calls_with_half_of_the_time() -> None:
    few = [Space() for _ in range(2)]
    for calls, space in enumerate(few, 2):
        for i in range(calls):
            jitted(thread(space), "train_step", 50 * i, 40)
    shared = [Space() for _ in range(2)]
    for length, space in zip((52, 48), shared, strict=True):
        for i in range(4):
            jitted(thread(space), "train_step", 200 * i, length)
            for j in range(2):
                jitted(thread(space), f"other{j}", 200 * i + 60 + 30 * j, (100 - length) // 2)
    assert [steps_of(space).confidence for space in few] == ["guess", "likely"]
    assert [steps_of(space).confidence for space in shared] == ["likely", "guess"]
    assert {steps_of(space).name[0] for space in shared} == {"train_step 0"}


@pytest.mark.parametrize(("length", "name"), [(30, "train_step 0"), (20, "eval_step 0")])
def test_the_main_thread_s_calls_are_steps_with_a_quarter_of_the_time(length: int, name: str) -> None:
    space = Space()
    for i in range(4):
        jitted(thread(space, "python", 10), "train_step", 200 * i, length)
        jitted(thread(space, "python", 11), "eval_step", 200 * i, 100)
    assert steps_of(space).name[0] == name


@pytest.mark.parametrize(
    ("functions", "calls", "outside", "name"),
    [(4, 1, 0, "f0 0"), (6, 1, 0, "step 0"), (1, 5, 4, "step 0"), (1, 5, 6, "f0 0")],
    ids=["a quarter of the time", "a sixth of it", "holds 20 of 24 calls", "holds 20 of 26"],
)
def test_a_frame_is_the_step_of_functions_with_less_than_a_fifth_of_the_time_or_if_it_holds_four_fifths_of_their_calls(
    functions: int, calls: int, outside: int, name: str
) -> None:
    space = Space()
    python = thread(space)
    names = [f"f{j}" for j in range(functions)] if calls == 1 else ["add"] * calls
    for i in range(4):
        put(python, "$train.py:20 step", 200 * i, 190)
        for j, function in enumerate(names):
            jitted(python, function, 200 * i + 20 + 20 * j, 18)
    for i in range(outside):
        jitted(python, "add", 1000 + 20 * i, 18)
    assert steps_of(space).name[0].startswith("step ") is name.startswith("step ")


def test_kinds_of_others_beyond_seven_are_told_together() -> None:
    space = Space()
    python = thread(space)
    for i in range(4):
        jitted(python, "train_step", 200 * i, 100)
        for j in range(10):
            jitted(python, f"f{j}", 200 * i + 110 + 8 * j, 7)
    others = steps_of(space).others
    assert others.pop(Message("not_steps.further")) == 16
    assert others == {message("not_steps.calls", name=f"PjitFunction(f{j})", thread="python"): 4 for j in range(6)}


@pytest.mark.parametrize(("meanwhile", "steps"), [(5, 4), (4, 0)])
def test_calls_that_launch_a_twentieth_of_what_runs_on_devices_are_steps(meanwhile: int, steps: int) -> None:
    """Of PyTorch; of 100 launches so many lie in the calls, the others come later."""
    events = []
    for i in range(4):
        frame = event("python_function", "train.py(20): train_step", 100 * i, 80)
        events += [frame, event("cpu_op", "aten::mm", 100 * i + 10, 20)]
    for i in range(100):
        at, joined = 10 + 3 * i if i < meanwhile else 5000 + 10 * i, {"correlation": i + 1}
        events.append(event("cuda_runtime", "cudaLaunchKernel", at, 1, joined, tid=3))
        on_stream = {"device": 0, "stream": 7, **joined}
        events.append(event("kernel", f"k{i}", 9000 + 10 * i, 5, on_stream, tid=7, pid=0))
    assert len(find(pytorch(events), "calls")) == steps


#: PyTorch's programs with Python's frames, as (name, begin, length) in a turn of 100 µs, and how many steps five turns
#: are by which event.
FRAMES = {
    "a frame around all that runs": (
        [("train.py(20): train_step", 0, 80), ("aten::linear", 5, 20), ("aten::linear", 30, 20)],
        "train_step 0",
        5,
    ),
    "frames of the profiler": ([("torch/profiler/profiler.py(264): add_metadata_json", 0, 30)], "", 0),
    "frames of threads": ([("threading.py(1453): current_thread", 0, 30)], "", 0),
    "backward, twice a turn": (
        [
            *(("aten::linear", 0, 5), ("torch/_tensor.py(566): backward", 10, 20), ("aten::mm", 12, 5)),
            *(("aten::tanh", 35, 5), ("torch/_tensor.py(566): backward", 40, 20), ("aten::mm", 42, 5)),
        ],
        "period 0",
        5,
    ),
    "a frame around a part of what runs": (
        [("train.py(3): <lambda>", 0, 10), ("aten::linear", 1, 5), ("aten::tanh", 20, 5), ("aten::sum", 30, 5)],
        "period 0",
        5,
    ),
    "micro-batches, then an update": (
        [
            *(("train.py(9): gradients", 20 * i, 18) for i in range(4)),
            *((f"aten::{name}", 20 * i + at, 3) for i in range(4) for at, name in ((1, "mm"), (6, "tanh"), (11, "mm"))),
            ("aten::sub_", 90, 5),
        ],
        "gradients 0",
        5,
    ),
    "batches, and a mean of some": (
        [
            *(("train.py(9): infer", 20 * i, 18) for i in range(4)),
            *((f"aten::{name}", 20 * i + at, 3) for i in range(4) for at, name in ((1, "mm"), (6, "tanh"), (11, "mm"))),
            ("aten::mean", 90, 5),
        ],
        "infer 0",
        20,
    ),
}


@pytest.mark.parametrize("case", FRAMES)
def test_a_frame_is_the_step_that_holds_what_pytorch_runs(case: str) -> None:
    turn, name, steps = FRAMES[case]
    kinds = {"aten": "cpu_op"}
    found = find(
        pytorch(
            [
                event(kinds.get(name.partition("::")[0], "python_function"), name, 100 * i + at, length)
                for i in range(5)
                for name, at, length in turn
            ]
        )
    )
    assert (found.name[:1], len(found)) == ((name,) if name else (), steps)


def test_layers_of_one_call_of_a_model_are_no_steps() -> None:
    layers = [event("cpu_op", f"aten::{name}", 10 + 10 * i, 8) for i, name in enumerate(["linear", "gelu"] * 20)]
    model = event("python_function", "nn.Module: Model_0", 0, 500)
    assert not len(find(pytorch([model, *layers])))
    assert len(find(pytorch(layers))) == 20
