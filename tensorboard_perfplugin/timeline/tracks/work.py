"""What of a device's events is work: kernels, copies, fills, ops; not the overhead of who collected them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...tables import I64, PlaneKind, among, at_once
from ..loops.loops import mark
from ..timeline import Timeline, derived, is_integer
from .tracks import device_tracks, rows_of

#: What CUPTI reports on a GPU's lines beside kernels, copies and fills: its own overhead, faults of unified memory …
_NO_WORK = (
    "COMPILER",
    "BUFFER_FLUSH",
    "INSTRUMENTATION",
    "RESOURCE",
    "<UNKNOWN>",
    "UM_CPU_PAGE_FAULT",
    "UM_GPU_PAGE_FAULT",
    "UM_THRASHING",
    "UM_THROTTLING",
    "UM_REMOTE_MAP",
    # Of an MTIA's streams.
    "event_wait",
    "event_record",
)
#: … and how long each allocation lived, and those that the driver puts on a stream.
_ALLOCATIONS = ("MemoryResidency_details", "memalloc_details", "MemFree_details", "memfree_details")
_GRAPH_EVENT = re.compile(r"CudaGraphExec\D{0,3}(\d{1,18})?")


def at_work(timeline: Timeline, plane: int, rows: I64) -> I64:
    """Those of some events of a device's tracks that are work: kernels, copies, fills, ops."""
    capture = timeline.capture
    if capture.planes.kind[plane] != PlaneKind.GPU:
        return rows
    names, keys = _idle(timeline)
    if names:
        rows = rows[~among(capture.events.name[at_once(rows)], names)]
    for key in keys:
        rows = rows[timeline.stat_of(key, rows)[1] == 0]
    whole = graphs_of_nodes(timeline, plane)
    return rows[~among(rows, whole)] if len(whole) else rows


@derived
def _idle(timeline: Timeline) -> tuple[list[int], list[str]]:
    """String ids of events of GPUs that are no work, and keys of stats that only such events have."""
    ids = map(timeline.capture.strings.find, _NO_WORK)
    return [i for i in ids if i >= 0], [key for key in _ALLOCATIONS if timeline.has_stat(key)]


def graphs_of_nodes(timeline: Timeline, plane: int) -> I64:
    """The events of a device that stand for whole launches of CUDA graphs whose nodes were traced, too."""
    return timeline.remember(
        (graphs_of_nodes, plane), lambda: timeline.instead(graphs_of_nodes, _graphs_of_nodes)(timeline, plane)
    )


def _graphs_of_nodes(timeline: Timeline, plane: int) -> I64:
    capture = timeline.capture
    if not timeline.has_stat("cuda_graph_id"):
        return np.empty(0, np.int64)
    rows = rows_of(capture, device_tracks(capture, plane))
    names = capture.events.name[at_once(rows)]
    used = np.unique(names).tolist()
    numbers = {i: match[1] for i in used if (match := _GRAPH_EVENT.match(capture.strings[i]))}
    launch = among(names, list(numbers))
    graph, kind = timeline.stat_of("cuda_graph_id", rows)
    graph = np.where(is_integer(kind), graph, 0)
    table = np.zeros(len(capture.strings), np.int64)
    table[list(numbers)] = [int(number or 0) for number in numbers.values()]
    nodes, graphs = np.unique(graph[~launch]), np.where(graph != 0, graph, table[names])
    launches: I64 = rows[launch & (graphs != 0) & among(graphs, nodes)]
    return launches


def device_rows(timeline: Timeline, plane: int) -> I64:
    """The event rows of what a device did, ascending."""
    return timeline.remember((device_rows, plane), lambda: _device_rows(timeline, plane))


def device_names(timeline: Timeline, plane: int) -> list[int]:
    """The ids of the strings that are names of what a device did, ascending."""
    return timeline.remember((device_names, plane), lambda: _device_names(timeline, plane))


def _device_names(timeline: Timeline, plane: int) -> list[int]:
    used = np.zeros(len(timeline.capture.strings), bool)
    mark(timeline.capture.events.name[at_once(device_rows(timeline, plane))], used)
    return np.flatnonzero(used).tolist()


def device_rows_named(timeline: Timeline, plane: int, names: Sequence[int]) -> I64:
    """The event rows of what a device did under some names, given by the ids of their strings; ascending."""
    rows = device_rows(timeline, plane)
    return rows[among(timeline.capture.events.name[at_once(rows)], names)] if names else rows[:0]


def _device_rows(timeline: Timeline, plane: int) -> I64:
    rows = at_work(timeline, plane, rows_of(timeline.capture, device_tracks(timeline.capture, plane)))
    rows.flags.writeable = False
    return rows
