"""What ran as a node of a CUDA or HIP graph, and whether a program launches graphs at all."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, at_once
from ..timeline import Timeline, derived, is_integer
from .launches import launches_of

#: The call that launches a graph, whatever collector wrote its name: `cudaGraphLaunch`, `cuGraphLaunch (CudaGraph:12)`.
_LAUNCH = re.compile(r"(?:cu|cuda|hip)GraphLaunch(?![a-z])")
#: That call, the one that begins to record one, or on the device the event of a graph that was traced as a whole. What
#: is only instantiated may never be launched.
_USED = re.compile(rf"{_LAUNCH.pattern}|(?:cu|cuda|hip)StreamBeginCapture|CudaGraphExec\b")


def graph_nodes(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which of some events of devices are nodes of graphs: the capture names their graph, or one's launch started them.

    Kineto before 2025 and ROCm's collectors name no graph.
    """
    graph, kind = timeline.stat_of("cuda_graph_id", rows)
    found: NDArray[np.bool_] = is_integer(kind) & (graph != 0)
    called = np.zeros(len(timeline.capture.strings) + 1, bool)
    called[_named(timeline, _LAUNCH)] = True
    if called.any():
        call = launches_of(timeline).rows[at_once(rows)]
        found |= called[np.where(call >= 0, timeline.capture.events.name[call], -1)]
    return found


@derived
def uses_graphs(timeline: Timeline) -> bool:
    """Whether the program launches graphs."""
    if _named(timeline, _USED):
        return True
    if not timeline.has_stat("cuda_graph_id"):
        return False
    graph, kind = timeline.stat("cuda_graph_id")
    return bool((is_integer(kind) & (graph != 0)).any())


def _named(timeline: Timeline, pattern: re.Pattern[str]) -> list[int]:
    """The string ids of events' names that begin so."""
    strings = timeline.capture.strings
    return [i for i in timeline.capture.names_used.tolist() if pattern.match(strings[i])]
