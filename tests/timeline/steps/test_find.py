"""The rules in their order, what is said where none holds, bounds, real captures, and marks of several loops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.steps import model
from tensorboard_perfplugin.timeline.steps.find import RULES, find
from tensorboard_perfplugin.timeline.steps.model import Steps
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, steps_of, thread

SAMPLES = Path(__file__).parents[2] / "samples"

#: Capture → rule, confidence, number of steps, first and last name, mean wall time of whole steps in µs (0: none).
REAL = {
    "custom_loop": ("markers", "certain", 20, "train 0", "train 19", 1218),
    "jax_cpu": ("markers", "certain", 30, "train 0", "train 29", 1819),
    "jax_python": ("markers", "certain", 40, "train 0", "train 39", 424),
    "keras_compute_bound": ("numbers", "certain", 11, "Profiled batch 9", "Profiled batch 19", 72641),
    "keras_input_bound": ("numbers", "certain", 11, "Profiled batch 9", "Profiled batch 19", 44427),
    "mirrored": ("numbers", "certain", 11, "Profiled batch 9", "Profiled batch 19", 3652),
    "remote_capture": ("markers", "certain", 172, "train 286", "train 457", 11635),
    "remote_multi": ("markers", "certain", 171, "train 461", "train 631", 11703),
    "synth_gpu_small": ("markers", "certain", 20, "train 0", "train 19", 311),
    "tfprofiler-demo-gpu-multi-worker": ("markers", "likely", 2, "0 on GPU:4", "0 on GPU:6", 0),
    "xprof-tpu-inference-2": ("device_steps", "likely", 100, "jit_f 0", "jit_f 99", 784172),
    "jax-rocm-mi300-tracelens/plugins/profile/jax08_attention": (
        ("calls", "likely", 3, "transformer_block 0", "transformer_block 2", 13820)
    ),
    "jax-rocm-mi300-tracelens/plugins/profile/jax08_conv": (
        ("calls", "likely", 5, "forward_3d_conv 0", "forward_3d_conv 4", 34144)
    ),
    "jax-rocm-mi300-tracelens/plugins/profile/jax08_elementwise": (
        ("calls", "likely", 5, "elementwise_ops 0", "elementwise_ops 4", 2120)
    ),
    "jax-rocm-mi300-tracelens/plugins/profile/jax08_gemm": ("calls", "guess", 18, "dot 0", "dot 17", 500),
    "jax-rocm-mi300-tracelens/plugins/profile/jax_conv_minimal": (
        ("calls", "likely", 10, "forward_3d_conv 0", "forward_3d_conv 9", 3470)
    ),
}


@pytest.mark.parametrize("name", REAL)
def test_real_captures(shared_captures: Path, name: str) -> None:
    path = min((shared_captures / "xplane" / name).rglob("*.xplane.pb"))
    found = find(Timeline(decode.read(str(path)), "h"))
    found.check()
    wall = found.wall_ps[found.whole]
    mean_us = int(wall.mean()) // 1_000_000 if len(wall) else 0
    assert (found.rule, found.confidence, len(found), found.name[0], found.name[-1], mean_us) == REAL[name]


@pytest.mark.parametrize(
    ("sample", "rules"), [("keras_fit", ("numbers", "calls", "input")), ("jax_train", ("markers", "numbers", "calls"))]
)
def test_several_rules_agree_with_a_stopwatch(sample: str, rules: tuple[str, ...]) -> None:
    watch = json.loads((SAMPLES / sample / "stopwatch.json").read_text())
    timeline = Timeline(decode.read(str(next((SAMPLES / sample).rglob("*.xplane.pb")))), "h")
    begins = [step["begin_ns"] for step in watch["steps"]]
    mean_ps = (begins[-1] - begins[0]) / (len(begins) - 1) * 1000
    for rule in rules:
        found = find(timeline, rule)
        found.check()
        assert len(found) == len(begins), rule
        assert abs(found.wall_ps[found.whole].mean() / mean_ps - 1) < 0.02, rule


def test_the_first_rule_that_holds_wins() -> None:
    """All seven hold; what the winner needs is taken away, one after the other."""
    for first, winner in enumerate(("markers", "numbers", "annotations", "device_steps", "calls", "input", "kernels")):
        assert steps_of(everything(without=first)).rule == winner


def everything(without: int) -> Space:
    space = Space()
    python = thread(space)
    gpu = space.plane("/device:GPU:0")
    steps, stream = gpu.line(9, "Steps"), gpu.line(1, "Stream #1")
    for i in range(4):
        at = 100 * i
        if without < 1:
            put(python, "marked", at, 90, _r=1)
        if without < 2:
            put(python, "numbered", at + 1, 88, step_num=i)
        if without < 3:
            put(python, f"train {i}", at + 2, 86)
        if without < 4:
            put(steps, str(i), at + 3, 84)
        if without < 5:
            put(python, "PjitFunction(f)", at + 4, 40)
        if without < 6:
            put(python, "IteratorGetNextOp::DoCompute", at + 50, 5)
        put(stream, "a", at + 5, 10)
        put(stream, "b", at + 20, 10)
    return space


def test_without_steps_it_is_said_what_was_looked_for() -> None:
    space = Space()
    put(thread(space), "something", 0, 10)
    assert steps_of(space).reason == message("no_steps.by_any_rule", needs=tuple(rule.needs for rule in RULES))


def test_an_empty_capture() -> None:
    assert steps_of(Space()).reason == Message("no_steps.no_events")


def test_more_steps_than_are_kept_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MAX_STEPS", 3)
    space = Space()
    for i in range(5):
        put(thread(space), "train", 10 * i, 5, _r=1, step_num=i)
    found = steps_of(space)
    assert (found.name, found.others) == (
        ("train 0", "train 1", "train 2"),
        {message("not_steps.beyond_limit", limit=3): 2},
    )
    assert found.next_ps.tolist()[-1] == -1


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


def test_every_rule_on_every_real_capture(xplane_files: list[Path]) -> None:
    for path in xplane_files:
        capture = decode.read(str(path))
        for rule in RULES:
            find(Timeline(capture, "h"), rule.name).check()
