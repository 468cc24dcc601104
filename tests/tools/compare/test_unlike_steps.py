"""Two built programs whose steps are not of one kind, or only look so → whether their times are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, Condition, judged, quantities
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.compare.sides import US, compared
from tests.tools.kineto import on_device, on_host, saved, step


def ran(*ops: str, mark: str = "train", numbered: bool = True, op_us: int = 10, steps: int = 12) -> Timeline:
    """Steps of these ops one after another, and some µs of Python. numbered: by `step_num`, else by name alone."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_Compute/1")
    step_us = op_us * len(ops) + 10
    for number in range(steps + 1):
        at = number * step_us * US
        if numbered:
            python.event(mark, at, (step_us - 5) * US, {"step_num": number, "_r": 1})
        else:
            python.event(f"{mark} {number}", at, (step_us - 5) * US)
        for i, op in enumerate(ops):
            of_xla: dict[str, StatValue] = {"hlo_op": op, "hlo_module": "jit_step"} if op.startswith("jit(") else {}
            pool.event(op, at + i * op_us * US, op_us * US, of_xla)
    return timeline(space, "h")


def reasons(answer: Answer) -> list[str]:
    first = answer.result.findings[0]
    found = first.params.get("reasons", ())
    assert isinstance(found, tuple)
    assert (first.code == "compare.unlike_steps") == (answer.result.summary["verdict"] == "unlike") == bool(found)
    return [each.code.rpartition(".")[2] for each in found if isinstance(each, Message)]


UNLIKE = "the steps of both sides are not alike, as the first finding says"
FORWARD = ("dense/MatMul:MatMul", "dense/Add:Add", "head/MatMul:MatMul")
BACKWARD = ("gradient_tape/head/MatMul:MatMul", "gradient_tape/dense/MatMul:MatMul")
JAX = ("jit(step)/jvp(net)/dot_general", "jit(step)/transpose(jvp(net))/dot_general")


@pytest.mark.parametrize(
    ("inference", "training"),
    [(FORWARD, FORWARD + BACKWARD), (("jit(step)/net/dot_general",), JAX)],
    ids=["TensorFlow", "JAX"],
)
def test_inference_is_not_training(inference: tuple[str, ...], training: tuple[str, ...]) -> None:
    """It was called 40 % faster."""
    answer = compared([ran(*training)], [ran(*inference)])
    assert reasons(answer) == ["backward"]
    summary, unknown = answer.result.summary, answer.result.unknown
    assert summary["step_time_base_ms"] is not None
    assert summary["step_time_new_ms"] is not None
    for name in ("step_time_change_ms", "step_time_change_share", "typical_step_change_ms", "change_low_ms"):
        assert (summary[name], unknown[name]) == (None, UNLIKE)
    assert "%" not in answer.result.findings[0].title
    assert reasons(compared([ran(*inference)], [ran(*training)])) == ["backward"]


def test_ops_without_names_show_no_backward_pass() -> None:
    assert reasons(compared([ran(*FORWARD, *BACKWARD)], [ran("MatMul:MatMul", "Add:Add")])) == []


def test_a_faster_program_of_the_same_loop_is_compared() -> None:
    """Ops that are fused into one change counts and names, not what marks a step."""
    assert reasons(compared([ran(*FORWARD * 4)], [ran("cluster_0/fused:Fused", op_us=60)])) == []


@pytest.mark.parametrize(("times", "expected"), [(3, ["ops", "loop"]), (2, [])])
def test_another_loop_of_several_times_the_ops(times: int, expected: list[str]) -> None:
    assert reasons(compared([ran(*FORWARD * times)], [ran(*FORWARD, mark="evaluate")])) == expected


def test_another_rule_of_several_times_the_ops() -> None:
    more = ran(*FORWARD * 3, numbered=False)
    assert reasons(compared([more], [ran(*FORWARD)])) == ["ops", "rule"]
    assert reasons(compared([ran(*FORWARD, numbered=False)], [ran(*FORWARD)])) == []


def test_a_loop_of_another_name_with_other_ops() -> None:
    """Of a renamed loop the ops are the same, though each is in another scope."""
    renamed = tuple(op.replace("dense", "layer_1") for op in FORWARD)
    assert reasons(compared([ran(*FORWARD)], [ran(*renamed, mark="fit")])) == []
    others = ("table/Gather:Gather", "table/Unique:Unique", "table/Sort:Sort")
    assert reasons(compared([ran(*FORWARD)], [ran(*others, mark="fit")])) == ["common", "loop"]


@pytest.mark.parametrize("condition", ["step_time > +3 %", "typical_step < -1 us", "op_compute > +1 ms", "ops > +1"])
def test_a_gate_cannot_decide_on_a_change_of_unlike_steps(condition: str) -> None:
    answer = compared([ran(*FORWARD, *BACKWARD)], [ran(*FORWARD)])
    outcome = judged(Condition.parse(condition), quantities(answer), ())
    assert (outcome.state, outcome.fails) == ("unknown", True)
    assert outcome.detail == UNLIKE


def test_a_gate_decides_on_the_step_itself() -> None:
    answer = compared([ran(*FORWARD, *BACKWARD)], [ran(*FORWARD)])
    states = [judged(Condition.parse(f"step_time > {us} us"), quantities(answer), ()).state for us in (30, 50)]
    assert states == ["failed", "passed"]


def test_inference_with_pytorch_is_not_training(tmp_path: Path) -> None:
    """Both are marked alike; a program that replays what it recorded shows no op of either."""
    forward = ("aten::linear", "aten::relu")
    sides = {"training": (*forward, "AddmmBackward0"), "inference": forward, "replay": ("aten::copy_",)}
    paths = {}
    for side, ops in sides.items():
        events = []
        for number in range(8):
            at = number * 100.0
            events.append(step(number, at, 95))
            events += [on_host(op, at + 10 + 20 * i, 15) for i, op in enumerate(ops)]
            if side == "replay":
                call = on_host("cudaGraphLaunch", at + 60, 1, "cuda_runtime", correlation=number + 1)
                events += [call, on_device("gemm", at + 62, 20, correlation=number + 1)]
        (tmp_path / side).mkdir()
        paths[side] = saved(tmp_path / side, *events)
    answers = {side: tensorboard_perfplugin.compare(paths["training"], path) for side, path in paths.items()}
    assert {side: reasons(answer) for side, answer in answers.items()} == {
        "training": [],
        "inference": ["backward"],
        "replay": [],
    }
