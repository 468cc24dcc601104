"""Kernels of the forward pass that run again in the backward pass, and both sides of the threshold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.model import recomputed
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.tools.kineto import saved

from .calls import Calls
from .test_findings import about, kernels

NODE = "autograd::engine::evaluate_function: "


def reentrant(calls: Calls, length: float) -> None:
    """Forward again, then a node of the part, inside of the checkpoint's backward call."""
    begin = calls.at
    calls.call("aten::addmm", length)
    node = calls.at
    calls.call("aten::mm")
    calls.around(f"{NODE}AddmmBackward0", node)
    calls.around("CheckpointFunctionBackward", begin)
    calls.around(f"{NODE}CheckpointFunctionBackward", begin)


def by_node(calls: Calls, length: float, node: str = "AddmmBackward0", forward: str = "aten::linear") -> None:
    """Forward again inside of a node, before its own work."""
    begin = calls.at
    calls.call("aten::addmm", length)
    calls.around(forward, begin)
    calls.call("aten::mm")
    calls.around(node, begin)
    calls.around(f"{NODE}{node}", begin)


@pytest.mark.parametrize(("length", "said"), [(50, True), (49.9, False)])
@pytest.mark.parametrize("way", [reentrant, by_node])
def test_what_runs_forward_again(
    tmp_path: Path, way: Callable[[Calls, float], None], length: float, said: bool
) -> None:
    calls = Calls()
    calls.call("aten::addmm", 250 - length)
    calls.call("aten::mm", 50)
    way(calls, length)
    calls.call("aten::mm")
    found = calls.said(tmp_path).get("forward_again")
    assert (found.params if found else None) == ({"total_ps": 50e6, "share": 0.1, "times": 1} if said else None)
    if found:
        assert (found.severity, len(found.evidence)) == ("info", 1)


@pytest.mark.parametrize(
    ("node", "forward"), [("FlashFuncBackward", "aten::linear"), ("AddmmBackward0", "aten::matmul")]
)
def test_what_a_node_runs_of_its_own(tmp_path: Path, node: str, forward: str) -> None:
    """A program's own function may compute again on purpose; products are what backward passes are made of."""
    calls = Calls()
    by_node(calls, 100, node, forward)
    assert "forward_again" not in calls.said(tmp_path)


def test_forward_calls_outside_of_nodes(tmp_path: Path) -> None:
    calls = Calls()
    calls.call("aten::addmm")
    calls.around("aten::linear", 0)
    by_node(calls, 100, forward="aten::mm")
    assert "forward_again" not in calls.said(tmp_path)


@pytest.mark.parametrize(
    ("op", "again"),
    [
        ("jit(f)/transpose(jvp())/checkpoint/rematted_computation/dot_general", True),
        ("jit(f)/transpose(jvp())/checkpoint/dot_general", False),
    ],
)
def test_what_jax_runs_again(op: str, again: bool) -> None:
    finding = about(kernels(("gemm", 1000), tf_op=f"{op}:dot_general"), "forward_again")
    assert (finding.params if finding else None) == ({"total_ps": 1e6, "share": 1.0, "times": None} if again else None)


def test_the_longest_three_are_places(tmp_path: Path) -> None:
    """Each of four is longer than the one before."""
    calls, ends = Calls(), []
    for i in range(4):
        begin = calls.at
        for _ in range(i + 1):
            calls.call("aten::addmm")
        calls.around("CheckpointFunctionBackward", begin)
        ends.append(round(calls.at * 10**6))
    found = recomputed(Timeline(decode.read(str(saved(tmp_path, *calls.events))), "h"))
    assert (found.times, [place.end_ps for place in found.places]) == (4, ends[:0:-1])
