"""PyTorch's calls, written down in a few lines, and how they are named and summed by op, module, shape and stack."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.ops.rows import op_table
from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.ops.pytorch import call_memory, grouped_ops_of, stacks
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.trace.event import facts
from tests.timeline.timelines import row


def event(cat: str, name: str, ts: float, dur: float, args: Any = None, tid: int = 1, pid: int = 1) -> dict[str, Any]:
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args or {}}


A, B = [[2, 3], [3, 4]], [[2, 4], [4, 4]]
FORWARD = [
    event("user_annotation", "ProfilerStep#4", 0, 100),
    event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, 10),
    event("cpu_op", "aten::stack", 2, 3),
    event("python_function", "train.py(7): <module>", 0, 100),
    event("python_function", "nn.Module: Net_0", 20, 40),
    event("python_function", "model.py(12): forward", 21, 38),
    event("python_function", "nn.Module: Linear_0", 22, 18),
    event("python_function", "torch/nn/modules/linear.py(9): forward", 23, 16),
    event("cpu_op", "aten::linear", 24, 14, {"External id": 5, "Sequence number": 1, "Input Dims": A}),
    event("cpu_op", "aten::mm", 25, 10, {"External id": 6, "Input Dims": A}),
    event("cuda_runtime", "cudaLaunchKernel", 30, 2, {"correlation": 9, "External id": 6}),
    event("cpu_op", "aten::mm", 45, 4, {"External id": 7, "Input Dims": B}),
    event("cpu_op", "aten::is_leaf", 62, 1),
    event("cpu_op", "LinearBackward0", 70, 20, tid=2, args={"Sequence number": 1, "External id": 8}),
    event("cpu_op", "aten::mm", 72, 8, tid=2, args={"External id": 9, "Input Dims": B}),
    event("kernel", "gemm", 40, 30, tid=7, pid=0, args={"device": 0, "stream": 7, "correlation": 9, "External id": 6}),
    event("kernel", "gemm", 80, 5, tid=7, pid=0, args={"device": 0, "stream": 7, "correlation": 11, "External id": 9}),
]


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    document = {"schemaVersion": 1, "traceEvents": FORWARD}
    capture = read_bytes(json.dumps(document).encode(), "rank0.pt.trace.json")
    capture.check()
    return Timeline(capture, "rank0")


def rows(timeline: Timeline, by: str, side: str = "host") -> dict[str, tuple[int, float, float]]:
    """Name → executions, total and self time in µs."""
    table = op_table(timeline, by).rows
    return {
        op.name: (r.occurrences, r.total_ps / 1e6, r.self_ps / 1e6) for (where, op), r in table.items() if where == side
    }


def test_by_op_is_a_row_a_key_of_key_averages(timeline: Timeline) -> None:
    assert rows(timeline, "op") == {
        "ProfilerStep*": (1, 100, 72),
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__": (1, 10, 7),
        "aten::stack": (1, 3, 3),
        "aten::linear": (1, 14, 4),
        "aten::mm": (3, 22, 20),
        "cudaLaunchKernel": (1, 2, 2),
        "LinearBackward0": (1, 20, 12),
    }
    assert rows(timeline, "op", "device") == {"aten::mm": (2, 35, 35)}


def test_by_module_forward_and_backward(timeline: Timeline) -> None:
    found = rows(timeline, "module")
    assert {name: row for name, row in found.items() if "/" in name} == {
        "Net_0/Linear_0/aten::linear": (1, 14, 4),
        "Net_0/Linear_0/aten::mm": (1, 10, 10),
        "Net_0/aten::mm": (1, 4, 4),
        "Net_0/Linear_0/backward/LinearBackward0": (1, 20, 12),
        "Net_0/Linear_0/backward/aten::mm": (1, 8, 8),
    }
    assert rows(timeline, "module", "device") == {
        "Net_0/Linear_0/aten::mm": (1, 30, 30),
        "Net_0/Linear_0/backward/aten::mm": (1, 5, 5),
    }


def test_by_shape(timeline: Timeline) -> None:
    found = rows(timeline, "shape")
    assert {name: row for name, row in found.items() if name.startswith("aten::mm")} == {
        "aten::mm [[2, 3], [3, 4]]": (1, 10, 8),
        "aten::mm [[2, 4], [4, 4]]": (2, 12, 12),
    }
    assert rows(timeline, "shape", "device") == {
        "aten::mm [[2, 3], [3, 4]]": (1, 30, 30),
        "aten::mm [[2, 4], [4, 4]]": (1, 5, 5),
    }


def test_by_stack_frames_of_pytorch_are_left_out(timeline: Timeline) -> None:
    found = rows(timeline, "stack")
    main = "← train.py(7): <module>"
    inside = f"← model.py(12): forward ← nn.Module: Net_0 {main}"
    assert {name: row for name, row in found.items() if name.startswith("aten::")} == {
        f"aten::stack {main}": (1, 3, 3),
        f"aten::linear ← nn.Module: Linear_0 {inside}": (1, 14, 4),
        # The one that the forward pass calls, and one in the backward pass of the line that calls it.
        f"aten::mm ← nn.Module: Linear_0 {inside}": (2, 18, 16),
        f"aten::mm {inside}": (1, 4, 4),
    }


def test_an_event_tells_its_modules_and_stack_and_so_does_its_kernel(timeline: Timeline) -> None:
    names = [timeline.capture.event_name(row) for row in range(len(timeline.capture.events))]
    kernel = next(row for row, name in enumerate(names) if name == "gemm")
    told = {key: value for _, key, value in facts(timeline, kernel)}
    assert told["nn_module"] == "Net_0/Linear_0"
    assert told["python_stack"] == (
        "nn.Module: Linear_0 ← model.py(12): forward ← nn.Module: Net_0 ← train.py(7): <module>"
    )


def test_stacks_as_the_first_versions_wrote_them() -> None:
    stack = "torch/nn/functional.py(1): linear;model.py(3): forward;train.py(1): <module>"
    one = event("Operator", "aten::mm", 0, 2, {"Call stack": stack, "Input dims": A})
    capture = read_bytes(json.dumps({"schemaVersion": 1, "traceEvents": [one]}).encode(), "w.pt.trace.json")
    old = Timeline(capture, "w")
    assert rows(old, "stack") == {"aten::mm ← model.py(3): forward ← train.py(1): <module>": (1, 2, 2)}
    assert rows(old, "shape") == {"aten::mm [[2, 3], [3, 4]]": (1, 2, 2)}


def test_without_operators_of_pytorch_nothing_has_another_name() -> None:
    plain = {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
    other = Timeline(read_bytes(json.dumps([plain]).encode(), "trace.json"), "h")
    assert all(grouped_ops_of(other, by) is ops_of(other) for by in ("op", "module", "shape", "stack", "host", "?"))


def test_shapes_of_a_list_of_tensors_are_left_out_as_key_averages_does() -> None:
    one = event("cpu_op", "aten::cat", 0, 2, {"Input Dims": [[[32], [32]], [], [2, 3]]})
    capture = read_bytes(json.dumps({"schemaVersion": 1, "traceEvents": [one]}).encode(), "w.pt.trace.json")
    assert rows(Timeline(capture, "w"), "shape") == {"aten::cat [[], [], [2, 3]]": (1, 2, 2)}


def test_the_program_annotates_what_an_operator_is_called_and_each_has_a_row() -> None:
    events = [
        event("user_annotation", "aten::mm", 0, 9),
        event("cpu_op", "aten::mm", 1, 4),
        event("cpu_op", "aten::t", 6, 1),
    ]
    assert named(*events) == {
        ("aten::mm", "user_annotation"): (1, 9, 4),
        ("aten::mm", "aten::mm"): (1, 4, 4),
        ("aten::t", "aten::t"): (1, 1, 1),
    }


def named(*events: dict[str, Any], side: str = "host") -> dict[tuple[str, str], tuple[int, float, float]]:
    """Name and type → executions, total and self time in µs."""
    capture = read_bytes(json.dumps({"schemaVersion": 1, "traceEvents": events}).encode(), "w.pt.trace.json")
    table = op_table(Timeline(capture, "w")).rows
    return {
        (op.name, op.type): (r.occurrences, r.total_ps / 1e6, r.self_ps / 1e6)
        for (where, op), r in table.items()
        if where == side
    }


def test_a_call_that_only_calls_one_of_its_own_name_counts_once_as_key_averages_does() -> None:
    chain = [event("cpu_op", "aten::sub_", at, 20 - 2 * at) for at in range(3)]
    within = event("cpu_op", "aten::copy_", 4, 5)
    launch = event("cuda_runtime", "cudaLaunchKernel", 5, 1, {"correlation": 9})
    kernel = event("kernel", "sub", 30, 7, tid=7, pid=0, args={"device": 0, "stream": 7, "correlation": 9})
    found = named(*chain, within, launch, kernel)
    assert found["aten::sub_", "aten::sub_"] == (1, 20, 15)
    assert found["aten::copy_", "aten::copy_"] == (1, 5, 4)
    # Of two inner calls each counts, and so does one that Python called.
    assert named(chain[0], chain[1], event("cpu_op", "aten::t", 19, 1))["aten::sub_", "aten::sub_"] == (2, 38, 19)
    frame = event("python_function", "hook.py(3): convert", 0.5, 19)
    assert named(chain[0], frame, chain[1])["aten::sub_", "aten::sub_"] == (2, 38, 20)
    in_kernel = event("cuda_runtime", "cudaLaunchKernel", 2.5, 1, {"correlation": 9})
    assert named(*chain[:2], in_kernel, kernel, side="device") == {("aten::sub_", "aten::sub_"): (1, 7, 7)}


def in_thread(tid: int, at: float, module: str, *numbered: tuple[str, int]) -> list[dict[str, Any]]:
    """A module's forward calls, of 1 µs each, and their backward calls; each thread counts from 0 on."""
    thread = {"tid": tid, "args": {"Python id": tid}}
    events = [event("python_function", f"nn.Module: {module}_0", at, 20) | thread]
    for i, (name, number) in enumerate(numbered):
        args = {"Sequence number": number, "Fwd thread id": 0}
        events.append(event("cpu_op", f"aten::{name}", at + 2 * i, 1, args, tid))
        args = {"Sequence number": number, "Fwd thread id": tid + 1}
        events.append(event("cpu_op", f"{name.title()}Backward0", at + 50 - 2 * i, 1, args, tid))
    return events


def arrow(begin: float, end: float, tid: int) -> list[dict[str, Any]]:
    shared = {"cat": "fwdbwd", "name": "fwdbwd", "pid": 1, "tid": tid, "id": 10 * tid}
    return [shared | {"ph": "s", "ts": begin}, shared | {"ph": "f", "ts": end, "bp": "e"}]


@pytest.mark.parametrize("arrows", [False, True])
def test_threads_that_count_alike_have_their_own_backward_calls(arrows: bool) -> None:
    """Where two threads number their calls from 0 arrows tell them apart, else the numbers that only one has."""
    begin = 0 if arrows else 1
    first = in_thread(1, 0, "Conv", ("conv", 0), ("sin", 1))
    second = in_thread(2, 100, "Linear", ("t", begin), ("addmm", begin + 1))
    events = first + second + (arrow(0, 50, 1) + arrow(100, 150, 2) if arrows else [])
    document = {"schemaVersion": 1, "traceEvents": events}
    capture = read_bytes(json.dumps(document).encode(), "w.pt.trace.json")
    found = rows(Timeline(capture, "w"), "module")
    assert {name for name in found if "backward" in name} == {
        *("Linear_0/backward/TBackward0", "Linear_0/backward/AddmmBackward0"),
        *("Conv_0/backward/ConvBackward0", "Conv_0/backward/SinBackward0"),
    }


def test_the_last_call_with_a_number_made_the_backward_call_also_outside_of_modules() -> None:
    """`detach` makes no node: it has the number of the next call that does, which is in no module."""
    numbered = {"Sequence number": 7, "Fwd thread id": 0}
    events = [
        event("python_function", "nn.Module: Net_0", 0, 10),
        event("cpu_op", "aten::detach", 1, 1, numbered),
        event("cpu_op", "aten::mul", 20, 1, numbered),
        event("cpu_op", "MulBackward0", 50, 1, numbered | {"Fwd thread id": 1}),
    ]
    document = {"schemaVersion": 1, "traceEvents": events}
    found = rows(Timeline(read_bytes(json.dumps(document).encode(), "w.pt.trace.json"), "w"), "module")
    assert set(found) == {"Net_0/aten::detach", "aten::mul", "MulBackward0"}


def pytorch(events: list[dict[str, Any]]) -> Timeline:
    document = {"schemaVersion": 1, "traceEvents": events}
    return Timeline(read_bytes(json.dumps(document).encode(), "rank0.pt.trace.json"), "rank0")


def test_memory_is_the_host_s_or_a_device_s_by_its_type() -> None:
    found = {}
    for device in (2, 4, 5, 10, 14):
        told = {"Bytes": 8, "Device Type": device}
        memory = event("cpu_instant_event", "[memory]", 5, 0, told) | {"ph": "i"}
        of = pytorch([event("cpu_op", "aten::mm", 0, 10), memory])
        calls = call_memory(of, np.array([row(of, "aten::mm")]))
        assert calls is not None
        found[device] = tuple(calls.total[:, 0].tolist())
    assert found == {2: (8, 0), 4: (0, 8), 5: (8, 0), 10: (0, 8), 14: (0, 0)}


def test_five_frames_of_a_stack_are_shown() -> None:
    frames = [event("python_function", f"train.py({i}): f{i}", i, 200 - 2 * i) for i in range(12)]
    of = pytorch([*frames, event("cpu_op", "aten::mm", 90, 1)])
    which, texts = stacks(of, np.array([row(of, "aten::mm")]))
    assert texts[which[0]] == " ".join(f"← train.py({i}): f{i}" for i in (11, 10, 9, 8, 7))
