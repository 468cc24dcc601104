"""A timeline → its CUDA graphs: what ran in them, and those of which only the launches were traced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import I64
from ...timeline import Timeline, graph_nodes, uses_graphs
from .groups import group
from .work import GRAPH_EVENT, Work, whole

_NUMBER = re.compile(GRAPH_EVENT + r"\D{0,3}(\d{1,18})")


class GraphRow(NamedTuple):
    """A graph on a device. graph: its id, None where the capture does not give it; nodes: None there, too.

    nodes and kernels are None where only its launches were traced.
    """

    device: int
    graph: int | None
    level: str
    launches: int
    nodes: int | None
    kernels: int | None
    total_ps: float


def graph_rows(timeline: Timeline, kernels: Work, copies: Work, graphs: Work, devices: Sequence[int]) -> list[GraphRow]:
    """By device and graph; of one whose nodes were traced, its launches' own events count nothing."""
    nodes = _of_nodes(timeline, kernels, copies, devices)
    traced = {(row.device, row.graph) for row in nodes}
    return nodes + [row for row in _of_launches(timeline, graphs, devices) if (row.device, row.graph) not in traced]


def _of_nodes(timeline: Timeline, kernels: Work, copies: Work, devices: Sequence[int]) -> list[GraphRow]:
    if not uses_graphs(timeline):
        return []
    rows, plane = np.concatenate((kernels.rows, copies.rows)), np.concatenate((kernels.plane, copies.plane))
    is_kernel = np.arange(len(rows)) < len(kernels.rows)
    inside = np.flatnonzero(graph_nodes(timeline, rows))
    rows, plane, is_kernel = rows[inside], plane[inside], is_kernel[inside]
    graph = whole(timeline, "cuda_graph_id", rows)
    of_graph = group((plane, graph), len(rows))
    node = group((of_graph.of, whole(timeline, "cuda_graph_node_id", rows)), len(rows))
    call = group((of_graph.of, whole(timeline, "correlation_id", rows)), len(rows))
    nodes = np.bincount(of_graph.of[node.first], minlength=len(of_graph.first))
    calls = np.bincount(of_graph.of[call.first], minlength=len(of_graph.first))
    total, count = of_graph.sum(timeline.capture.events.duration_ps[rows]), of_graph.sum(is_kernel)
    return [
        GraphRow(
            devices.index(int(plane[first])),
            int(graph[first]) or None,
            "node",
            int(calls[i]),
            int(nodes[i]) if graph[first] else None,
            int(count[i]),
            float(total[i]),
        )
        for i, first in enumerate(of_graph.first.tolist())
    ]


def _of_launches(timeline: Timeline, graphs: Work, devices: Sequence[int]) -> list[GraphRow]:
    graph = graph_of_launches(timeline, graphs)
    groups = group((graphs.plane, graph), len(graphs.rows))
    total, count = groups.sum(timeline.capture.events.duration_ps[graphs.rows]), groups.size()
    return [
        GraphRow(
            devices.index(int(graphs.plane[f])), int(graph[f]), "graph", int(count[i]), None, None, float(total[i])
        )
        for i, f in enumerate(groups.first.tolist())
    ]


def graph_of_launches(timeline: Timeline, graphs: Work) -> I64:
    """The graph of each launch: `cuda_graph_id`, or what stands in the event's name."""
    events, strings = timeline.capture.events, timeline.capture.strings
    name, given = events.name[graphs.rows], whole(timeline, "cuda_graph_id", graphs.rows)
    distinct, place = np.unique(name, return_inverse=True)
    named = [_NUMBER.match(strings[i]) for i in distinct.tolist()]
    numbers = np.array([int(match[1]) if match else 0 for match in named], np.int64)
    return np.where(given != 0, given, numbers[place] if len(name) else given)
