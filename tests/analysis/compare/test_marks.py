"""What programs mark around events, of PyTorch's, JAX's and NVTX's captures in a few lines."""

from __future__ import annotations

import json
from typing import Any

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.compare.marks import scopes_of
from tensorboard_perfplugin.timeline import Timeline, steps_of
from tests.build_capture import Space, StatValue
from tests.decode.databases import Nsys
from tests.decode.test_nsys import KERNEL, opened
from tests.timeline.timelines import timeline

US = 10**6


def marked(of: Timeline) -> dict[str, set[str]]:
    """By name of an event the paths of marks around those of that name."""
    scopes = scopes_of(of, steps_of(of))
    found: dict[str, set[str]] = {}
    for i, name in enumerate(of.capture.strings.of(of.capture.events.name)):
        found.setdefault(name, set()).add("/".join(scopes.paths[int(scopes.of[i])]))
    return found


def torch(*events: tuple[str, str, float, float, dict[str, Any]]) -> Timeline:
    """Name, category, begin and duration in µs; arguments, with the thread. Kernels lie on stream 7."""
    written = []
    for name, category, begin, duration, more in events:
        thread = more.pop("tid", 1)
        at = {"pid": 0, "tid": 7} if category == "kernel" else {"pid": 1, "tid": thread}
        written.append({"name": name, "cat": category, "ph": "X", "ts": begin, "dur": duration, "args": more, **at})
    text = json.dumps({"schemaVersion": 1, "traceEvents": written})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "h")


def test_marks_of_pytorch_hold_what_is_launched_in_them_and_what_autograd_does_meanwhile() -> None:
    of = torch(
        *((f"ProfilerStep#{i}", "user_annotation", 1000 * i, 900, {}) for i in range(2)),
        ("encoder.layer.3", "user_annotation", 100, 300, {}),
        ("attention", "user_annotation", 150, 100, {}),
        ("aten::mm", "cpu_op", 160, 50, {"External id": 1}),
        ("cudaLaunchKernel", "cuda_runtime", 170, 10, {"correlation": 1, "External id": 1}),
        ("gemm", "kernel", 500, 50, {"correlation": 1, "External id": 1, "device": 0, "stream": 7}),
        ("aten::relu", "cpu_op", 300, 50, {}),
        ("aten::add", "cpu_op", 450, 20, {}),
        ("backward", "user_annotation", 500, 300, {}),
        ("MulBackward0", "cpu_op", 550, 50, {"tid": 2}),
        ("LateBackward0", "cpu_op", 850, 20, {"tid": 2}),
    )
    found = marked(of)
    assert found["aten::mm"] == found["gemm"] == {"encoder.layer.3/attention"}
    assert found["aten::relu"] == {"encoder.layer.3"}
    assert found["MulBackward0"] == {"backward"}
    assert found["aten::add"] == found["LateBackward0"] == {""}
    assert found["ProfilerStep#0"] == {""}


def test_modules_are_marks_as_they_are_nested_with_annotations() -> None:
    of = torch(
        ("ProfilerStep#0", "user_annotation", 0, 900, {}),
        ("nn.Module: Net_0", "python_function", 100, 300, {}),
        ("encoder", "user_annotation", 110, 200, {}),
        ("nn.Module: Linear_1", "python_function", 120, 100, {}),
        ("aten::mm", "cpu_op", 130, 50, {}),
        ("aten::relu", "cpu_op", 320, 20, {}),
    )
    found = marked(of)
    assert found["aten::mm"] == {"nn.Module: Net_0/encoder/nn.Module: Linear_1"}
    assert found["aten::relu"] == {"nn.Module: Net_0"}


def test_what_is_numbered_on_is_one_mark_and_what_repeats_is_not() -> None:
    """`batch 0` and `batch 1` are each in one step, `layer.0` and `layer.1` in both."""
    events: list[tuple[str, str, float, float, dict[str, Any]]] = []
    for step in range(3):
        at = 1000 * step
        events += [
            (f"ProfilerStep#{step}", "user_annotation", at, 900, {}),
            (f"batch {step}", "user_annotation", at + 10, 500, {}),
            ("layer.0", "user_annotation", at + 20, 100, {}),
            ("aten::mm", "cpu_op", at + 30, 50, {}),
            ("layer.1", "user_annotation", at + 200, 100, {}),
            ("aten::relu", "cpu_op", at + 230, 50, {}),
        ]
    found = marked(torch(*events))
    assert found["aten::mm"] == {"batch */layer.0"}
    assert found["aten::relu"] == {"batch */layer.1"}


def test_marks_of_jax_are_what_its_own_thread_names_itself() -> None:
    """What a context leads to on another thread is in it; what a runtime or Python writes is no mark."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_XLAEigen/1")
    for step in range(2):
        at = 1000 * US * step
        python.event("train", at, 900 * US, {"step_num": step, "_r": 1})
        python.event("encoder", at + 100 * US, 300 * US)
        python.event("$model.py:3 call", at + 110 * US, 200 * US)
        python.event("PjitFunction(f)", at + 120 * US, 100 * US, {"_pt": 1, "_p": step + 5})
        caused: dict[str, StatValue] = {"_ct": 1, "_c": step + 5, "hlo_op": "dot.1"}
        pool.event("dot.1", at + 450 * US, 100 * US, caused)
        pool.event("loose.2", at + 600 * US, 100 * US, {"hlo_op": "loose.2"})
    found = marked(timeline(space))
    assert found["dot.1"] == found["PjitFunction(f)"] == {"encoder"}
    assert found["train"] == found["loose.2"] == {""}


def test_ranges_of_nvtx_hold_what_is_launched_in_them() -> None:
    """A kernel that runs later is in the range of its launch; a library's ranges, of a domain, are no marks."""
    made = Nsys(2025)
    made.range("lib", -9, None, eventType=75, domainId=2)
    for step in range(2):
        at = 2_000_000 * step
        made.range(f"iteration {step}", at, at + 1_500_000)
        made.range("encoder", at + 1000, at + 100_000)
        made.range("inside", at + 2000, at + 90_000, domainId=2)
        made.call("cudaLaunchKernel_v7000", at + 10_000, at + 16_000, 100 + step)
        made.kernel(KERNEL, at + 200_000, at + 600_000, 100 + step)
    found = marked(Timeline(opened(made), "h"))
    kernels = {name: paths for name, paths in found.items() if name.startswith(KERNEL.partition("(")[0])}
    assert list(kernels.values()) == [{"encoder"}]
    assert found["iteration 0"] == {""}


def test_without_marks_nothing_is_in_one() -> None:
    of = torch(("ProfilerStep#0", "user_annotation", 0, 900, {}), ("aten::mm", "cpu_op", 160, 50, {}))
    assert set.union(*marked(of).values()) == {""}
