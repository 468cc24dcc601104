"""CUDA and HIP graphs in PyTorch's captures, of which most only name the call that launched them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.tables import row_text
from tests.tools.kineto import Event, ask, launched, on_device, on_host, rows, saved

GRAPHS = ("graph", "level", "launches", "nodes", "kernels", "total_us", "average_us")


def graph(call: str, at: float, number: int, nodes: int = 2, **more: Any) -> list[Event]:
    """A call of 5 µs, and kernels of 4 µs each, 1 µs apart, from 10 µs after its begin on."""
    ran = [on_device("node", at + 10 + 5 * i, 4, correlation=number, **more) for i in range(nodes)]
    return [on_host(call, at, 5, "cuda_runtime", correlation=number), *ran]


@pytest.mark.parametrize("call", ["cudaGraphLaunch", "cudaGraphLaunch_v10000", "cuGraphLaunch", "hipGraphLaunch"])
def test_what_a_graph_s_launch_started_is_a_graph_s(tmp_path: Path, call: str) -> None:
    """Without any graph's id: none of 544 kernels of a server that launches graphs was taken for one's."""
    events = [*graph(call, 0, 1), *graph(call, 100, 2), *launched("alone", 200, 207, 4, 3)]
    path = saved(tmp_path, *events)
    answer = ask(path, "kernel_stats")
    assert rows(answer, "kernels", "short_name", "in_graph", "occurrences", "latency_us", "queue_us") == [
        ("node", True, 4, None, None),
        ("alone", False, 1, 7.0, 0.0),
    ]
    assert rows(answer, "graphs", *GRAPHS) == [(None, "node", 2, None, 4, 16.0, 8.0)]
    row = row_text("kernel_stats.graphs.total_us", host=answer.hosts[0], device="/device:GPU:0", level="node")
    marked = ask(path, "trace_viewer", search=row, match="row").result.summary
    assert (marked["hit_count"], marked["hit_ps"]) == (4, 16_000_000)
    summary = answer.result.summary
    assert (summary["graph_kernel_share"], summary["latency_count"], summary["starved_share"]) == (0.8, 1, 1.0)


def test_a_graph_that_newer_profilers_name(tmp_path: Path) -> None:
    named = {"graph id": 7, "graph node id": 3}
    events = [*graph("cudaGraphLaunch", 0, 1, 1, **named), *launched("alone", 20, 30, 1, 2, **{"graph id": 0})]
    assert rows(ask(saved(tmp_path, *events), "kernel_stats"), "graphs", *GRAPHS) == [
        (7, "node", 1, 1, 1, 4.0, 4.0),
    ]


def test_where_all_kernels_are_nodes_their_latency_is_unknown(tmp_path: Path) -> None:
    answer = ask(saved(tmp_path, *graph("hipGraphLaunch", 0, 1)), "kernel_stats").to_dict()
    assert answer["summary"]["starved_share"] is None
    assert answer["unknown"]["starved_share"] == "all kernels are nodes of graphs, which are launched as a whole"


def test_a_graph_s_copies_are_its_nodes(tmp_path: Path) -> None:
    copy = on_device("Memcpy DtoD (Device -> Device)", 30, 2, "gpu_memcpy", correlation=1, bytes=64)
    answer = ask(saved(tmp_path, *graph("hipGraphLaunch", 0, 1), copy), "kernel_stats")
    assert rows(answer, "graphs", *GRAPHS) == [(None, "node", 1, None, 2, 10.0, 10.0)]


def test_short_kernels_are_those_that_the_host_launches(tmp_path: Path) -> None:
    """120 nodes of a graph of 4 µs each and 20 kernels outside are no program that launches too many short kernels."""
    alone = [event for i in range(20) for event in launched("k", 1000 + 10 * i, 1003 + 10 * i, 4, 10 + i)]
    many = [event for i in range(120) for event in launched("k", 2000 + 10 * i, 2003 + 10 * i, 4, 50 + i)]
    in_graph = saved(tmp_path, *graph("cudaGraphLaunch", 0, 1, 120), *alone)
    assert "kernels_short" not in [f.code for f in ask(in_graph, "kernel_stats").result.findings]
    both = saved(tmp_path, *graph("cudaGraphLaunch", 0, 1, 120), *many)
    short = next(f for f in ask(both, "kernel_stats").result.findings if f.code == "kernels_short")
    assert short.title == (
        "100 % of 120 kernels outside of graphs run for less than 10 µs, in 50 % of kernel time: the GPU waits for the "
        "host to launch"
    )


@pytest.mark.parametrize("uses_graphs", [False, True])
@pytest.mark.parametrize("tool", ["overview", "op_stats", "kernel_stats"])
def test_graphs_are_not_advised_where_they_are_used(tmp_path: Path, tool: str, uses_graphs: bool) -> None:
    """Each of ten steps launches 20 short kernels one by one; one kernel of its own is a graph's, or not."""
    events: list[Event] = []
    for i in range(10):
        at = 1000 * i
        events.append(on_host(f"ProfilerStep#{i}", at, 990, "user_annotation"))
        for j in range(20):
            events += launched("k", at + 40 * j + 5, at + 40 * j + 20, 4, 1000 * i + j + 1)
        call = "cudaGraphLaunch" if uses_graphs else "cudaLaunchKernel"
        events += graph(call, at + 900, 1000 * i + 500, 1)
    actions = " ".join(f.action for f in ask(saved(tmp_path, *events), tool).result.findings)
    assert ("CUDA graph" in actions) is not uses_graphs


def test_a_graph_that_is_only_made_is_not_used(tmp_path: Path) -> None:
    """A server that records its graphs before it serves was told nothing of them, as if it had them already."""
    events = [
        on_host("hipGraphInstantiate", 1, 5, "cuda_runtime"),
        on_host("ProfilerStep#0", 0, 990, "user_annotation"),
    ]
    for j in range(20):
        events += launched("k", 40 * j + 25, 40 * j + 40, 4, j + 1)
    actions = " ".join(f.action for f in ask(saved(tmp_path, *events), "overview").result.findings)
    assert "CUDA graph" in actions
