"""Small captures of PyTorch and of XLA programs → which of their events compute in 64 bits, or a second time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.path.modifiers import Modifier, modifiers_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.kineto import Event, launched, on_host, saved, step


def names_of(timeline: Timeline, modifier: Modifier) -> list[str]:
    capture = timeline.capture
    rows = np.flatnonzero(modifiers_of(timeline, np.arange(len(capture.events)))[:, modifier])
    return sorted(capture.strings[i] for i in capture.events.name[rows].tolist())


def of_events(folder: Path, modifier: Modifier, *events: Event) -> list[str]:
    return names_of(Timeline(decode.read(str(saved(folder, *events))), "h"), modifier)


def op(name: str, begin: float, length: float, *arrays: tuple[str, list[int]]) -> Event:
    facts: dict[str, Any] = {"Input type": [each for each, _ in arrays], "Input Dims": [each for _, each in arrays]}
    return on_host(name, begin, length, **facts)


def test_an_operator_is_wide_that_takes_an_array_of_doubles_and_not_for_a_number(tmp_path: Path) -> None:
    found = of_events(
        tmp_path,
        Modifier.WIDE,
        step(0, 0, 100),
        op("aten::mm", 1, 20, ("double", [64, 64]), ("double", [64, 64])),
        op("aten::fft", 22, 20, ("c10::complex<double>", [64])),
        op("aten::mul", 43, 20, ("float", [64]), ("double", [])),
        op("aten::index", 64, 20, ("float", [64]), ("long int", [64])),
        *launched("void dgemm_kernel<double>", 85, 86, 5, 1),
        *launched("void sgemm_kernel<float>", 92, 93, 5, 2),
    )
    assert found == ["aten::fft", "aten::mm", "void dgemm_kernel<double>"]


def test_an_instruction_is_wide_by_what_it_multiplies_or_gives() -> None:
    entry = computation(
        1,
        [
            instruction(1, "a", "parameter", shape("f64")),
            instruction(2, "dot.1", "dot", shape("f64"), (1, 1)),
            instruction(3, "convert.1", "convert", shape("f32"), (2,)),
            instruction(4, "sine.1", "sine", shape("f32"), (3,)),
            instruction(5, "iota.1", "iota", shape("s64")),
        ],
    )
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program(entry)})
    thread = space.plane("/host:CPU").line(1, "tf_XLAEigen")
    for i, name in enumerate(["dot.1", "convert.1", "sine.1", "iota.1"]):
        facts: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5}
        thread.event(name, 100 * i, 50, facts)
    assert names_of(timeline(space), Modifier.WIDE) == ["dot.1"]


_NODE = "autograd::engine::evaluate_function: AddmmBackward0"


def test_what_runs_forward_in_a_backward_pass_computes_again(tmp_path: Path) -> None:
    """With the engine's own checkpoint, and with the functions of Python that a saved tensor's hook calls."""
    found = of_events(
        tmp_path,
        Modifier.AGAIN,
        step(0, 0, 100),
        on_host("aten::tanh", 1, 5),
        on_host("CheckpointFunctionBackward", 10, 30),
        on_host("aten::mm", 11, 9),
        on_host(_NODE, 21, 10),
        on_host("aten::addmm", 22, 8),
        on_host("autograd::engine::evaluate_function: TanhBackward0", 45, 40),
        on_host("train/torch/utils/checkpoint.py(1657): recompute_fn", 46, 20, "python_function"),
        on_host("aten::exp", 50, 10),
        on_host("app/checkpoint.py(16): recompute_fn", 70, 10, "python_function"),
        on_host("aten::sin", 72, 5),
        on_host(_NODE, 90, 5),
    )
    assert [name for name in found if name.startswith("aten")] == ["aten::exp", "aten::mm"]


def test_a_scope_of_jax_computes_again() -> None:
    space = Space()
    marks = space.plane("/host:CPU").line(1, "python")
    marks.event("train", 0, 100, {"step_num": 0, "_r": 1})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, scope in enumerate(("rematted_computation", "checkpoint")):
        stream.event(f"kernel_{i}", 100 * i, 50, {"tf_op": f"jit(f)/transpose(jvp(checkpoint))/{scope}/dot_general"})
    assert names_of(timeline(space), Modifier.AGAIN) == ["kernel_0"]


@pytest.mark.parametrize(("wide_us", "share"), [(80, 0.4), (20, 0.1)])
def test_the_first_finding_names_wide_ops_that_cost_enough(tmp_path: Path, wide_us: float, share: float) -> None:
    """Half of what they take is counted, beside an answer that no longer says that all is as it should be."""
    events: list[Event] = []
    for number in range(3):
        at = 100 * number
        events += [
            step(number, at, 100),
            op("aten::mm", at, wide_us, ("double", [64, 64])),
            op("aten::tanh", at + wide_us, 99 - wide_us, ("float", [64, 64])),
        ]
    first = tensorboard_perfplugin.open(str(saved(tmp_path, *events))).overview().to_dict()["findings"][0]
    assert first["code"] == "computes"
    if share > 0.125:
        assert (first["severity"], first["share"]) == ("note", pytest.approx(share))
        assert first["title"].endswith(
            "ops on floats of 64 bits (float64, double) hold 80 % of the critical path (80 µs), `aten::mm` most of that"
        )
        assert "as it should be" not in first["detail"]
        assert first["action"].startswith("Where 32 bits suffice")
    else:
        assert (first["severity"], "64 bits" in first["title"]) == ("info", False)
        assert "as it should be" in first["detail"]


def grown(folder: Path, *lengths: float) -> dict[str, Any]:
    """The first finding on steps in which `app.py` remembers for so long, in µs, before an op of 20."""
    events, at = list[Event](), 0.0
    for number, length in enumerate(lengths):
        events += [
            step(number, at, length + 30),
            on_host("app.py(4): remember", at + 1, length, "python_function") | {"tid": 100},
            on_host("aten::mm", at + length + 5, 20),
        ]
        at += length + 30
    first: dict[str, Any] = tensorboard_perfplugin.open(str(saved(folder, *events))).overview().to_dict()["findings"][0]
    return first


def test_steps_that_grow_are_named_with_the_function_that_does(tmp_path: Path) -> None:
    """From 50 to 140 µs, one of them late."""
    first = grown(tmp_path, 20, 30, 40, 50, 150, 60, 70, 80, 90, 100, 110)
    assert first["severity"] == "warning"
    assert first["title"].endswith("steps grow from 60 µs to 130 µs, most of that in `remember` (app.py:4)")
    assert first["action"].startswith("See what is kept from step to step")


@pytest.mark.parametrize(
    "lengths", [(20, 30, 40, 50, 60, 70), (20,) * 6 + (80,) * 6, (100, 101, 102, 103, 104, 105, 106, 107, 108)]
)
def test_few_steps_a_leap_and_a_little_are_no_growth(tmp_path: Path, lengths: tuple[float, ...]) -> None:
    assert "steps grow" not in grown(tmp_path, *lengths)["title"]
