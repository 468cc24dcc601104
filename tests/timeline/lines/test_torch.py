"""Kernels of PyTorch's: modules, annotations, phases and source by the calls that launched them. Times are µs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.tools.kineto import Event, launched, on_device, on_host, saved, step

from .drawn import Row, drawn

_US = 1_000_000
#: Args of calls and of their backward calls.
_THIRD: dict[str, Any] = {"Sequence number": 3}
_FOURTH: dict[str, Any] = {"Sequence number": 4}
_BACKWARD: dict[str, Any] = {"Sequence number": 3, "Fwd thread id": 1}


def of(folder: Path, *events: Event) -> dict[str, list[Row]]:
    """In µs."""
    capture = decode.read(str(saved(folder, *events)))
    capture.check()
    begin = int(capture.events.start_ps.min())
    found = drawn(Timeline(capture, "h"))
    base = min(int(e["ts"]) for e in events) - begin // _US
    return {key: [(d, b // _US + base, e // _US + base, n) for d, b, e, n in rows] for key, rows in found.items()}


def frame(name: str, begin: float, length: float) -> Event:
    return on_host(name, begin, length, "python_function")


def training() -> list[Event]:
    """A forward pass of two modules, one in the other, its backward pass on another thread, a step of the optimizer."""
    events = [step(1, 0, 900)]
    events += [frame("train.py(5): main", 1, 898), frame("nn.Module: Net_0", 10, 190)]
    events += [frame("model.py(12): forward", 11, 188), frame("nn.Module: Linear_0", 20, 60)]
    events += [on_host("aten::linear", 30, 40), on_host("aten::addmm", 35, 30, **_THIRD)]
    events += launched("gemm", 40, 1000, 50, 1)
    events += [on_host("aten::relu", 100, 40, **_FOURTH), *launched("relu", 110, 1060, 20, 2)]
    events.append(on_host("train backward", 300, 300, "user_annotation"))
    backward = [
        on_host(
            "autograd::engine::evaluate_function: AddmmBackward0",
            320,
            100,
            **_BACKWARD,
        ),
        on_host("AddmmBackward0", 330, 60, **_BACKWARD),
        on_host("aten::mm", 340, 30),
        on_host("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 430, 50),
        on_host("aten::add_", 440, 30),
    ]
    calls = [*launched("gemm_t", 350, 1100, 60, 3), *launched("add", 450, 1170, 10, 4)]
    events += [one | {"tid": 200} for one in (*backward, *calls[::2])] + calls[1::2]
    events += [on_host("Optimizer.step#SGD.step", 700, 100, "user_annotation"), on_host("aten::_foreach_add_", 710, 60)]
    return events + launched("foreach", 720, 1300, 40, 5)


def test_modules_phases_annotations_and_source(tmp_path: Path) -> None:
    """The backward pass has the modules of the forward pass, and the annotation that its thread is waited for in."""
    assert of(tmp_path, *training()) == {
        "steps": [(0, 1000, 1340, "ProfilerStep#1")],
        "phases": [(0, 1000, 1080, "forward"), (0, 1100, 1180, "backward"), (0, 1300, 1340, "optimizer")],
        "modules": [
            (0, 1000, 1080, "Net_0"),
            (1, 1000, 1050, "Linear_0"),
            (0, 1100, 1160, "Net_0"),
            (1, 1100, 1160, "Linear_0"),
        ],
        "annotations": [
            (0, 1000, 1340, "ProfilerStep#1"),
            (1, 1100, 1180, "train backward"),
            (1, 1300, 1340, "Optimizer.step#SGD.step"),
        ],
        "ops": [
            (0, 1000, 1050, "aten::addmm"),
            (0, 1060, 1080, "aten::relu"),
            (0, 1100, 1160, "aten::mm"),
            (0, 1170, 1180, "aten::add_"),
            (0, 1300, 1340, "aten::_foreach_add_"),
        ],
        "sources": [(0, 1000, 1080, "model.py(12): forward"), (0, 1300, 1340, "train.py(5): main")],
    }


def test_annotations_that_the_profiler_drew_are_not_drawn_again(tmp_path: Path) -> None:
    drawn_ones = on_device("train backward", 1100, 80, "gpu_user_annotation")
    assert "annotations" not in of(tmp_path, *training(), drawn_ones)


def test_a_copy_belongs_to_the_call_that_launched_it(tmp_path: Path) -> None:
    events = [frame("nn.Module: Net_0", 0, 100), on_host("aten::copy_", 10, 40)]
    events += launched("Memcpy DtoD (Device -> Device)", 20, 200, 10, 1, category="gpu_memcpy")
    events += [on_host("aten::mul", 60, 20), *launched("mul", 65, 220, 10, 2)]
    found = of(tmp_path, *events)
    assert found["modules"] == [(0, 200, 230, "Net_0")]
    assert found["ops"] == [(0, 200, 210, "aten::copy_"), (0, 220, 230, "aten::mul")]


def test_nodes_of_a_graph_belong_to_its_launch(tmp_path: Path) -> None:
    events = [frame("nn.Module: Net_0", 0, 100), on_host("replay", 5, 90, "user_annotation"), on_host("run", 8, 80)]
    call = on_host("cudaGraphLaunch", 10, 5, "cuda_runtime", correlation=7)
    node: dict[str, Any] = {"correlation": 7, "graph node id": 1}
    nodes = [on_device(f"k{i}", 200 + 20 * i, 10, **node) for i in range(3)]
    found = of(tmp_path, *events, call, *nodes)
    assert found == {
        "modules": [(0, 200, 250, "Net_0")],
        "annotations": [(0, 200, 250, "replay")],
        "ops": [(0, 200, 250, "run")],
    }


def test_kernels_without_a_call_have_no_place(tmp_path: Path) -> None:
    """Of no launch that is recorded, and of one outside of all calls."""
    events = [on_device("lost", 100, 10, correlation=9), *launched("bare", 20, 130, 10, 1)]
    assert of(tmp_path, *events) == {}


def test_what_the_thread_of_backward_calls_runs_beside_them_is_backward(tmp_path: Path) -> None:
    """Before 2022 no event is around the sum of gradients."""
    events: list[Event] = []
    for i, (name, thread) in enumerate(
        (("aten::mm", 100), ("MulBackward0", 200), ("aten::add_", 200), ("MulBackward0", 200), ("aten::mm", 100))
    ):
        call, kernel = launched(f"k{i}", 100 * i + 10, 1000 + 100 * i, 10, i + 1)
        events += [on_host(name, 100 * i, 50) | {"tid": thread}, call | {"tid": thread}, kernel]
    assert of(tmp_path, *events)["phases"] == [
        (0, 1000, 1010, "forward"),
        (0, 1100, 1310, "backward"),
        (0, 1400, 1410, "forward"),
    ]


def test_annotations_deeper_than_is_kept_keep_the_innermost(tmp_path: Path) -> None:
    events = [on_host(f"level {i}", i, 1000 - 2 * i, "user_annotation") for i in range(80)]
    events += [on_host("aten::mm", 100, 100), *launched("gemm", 110, 2000, 10, 1)]
    found = of(tmp_path, *events)["annotations"]
    assert [(depth, name) for depth, _, _, name in found] == [(i, f"level {80 - 64 + i}") for i in range(64)]
