"""Which tracks of a capture show threads and devices at work, and the rows of their events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..patterns import regex
from ..tables import I64, Capture, PlaneKind, TrackKind, among, at_once
from .loops.loops import mark
from .names.ops import python_name
from .timeline import Timeline, derived, derived_by_plane, is_integer

# Whether a capture holds the functions of Python that its program called.


@derived
def records_python(timeline: Timeline) -> bool:
    """By names of such functions, or since PyTorch's profiler says that it recorded stacks (`with_stack`)."""
    capture = timeline.capture
    hosts = [i for i, kind in enumerate(capture.planes.kind.tolist()) if kind == PlaneKind.CPU]
    if any(capture.plane_values(plane).get("with_stack") for plane in hosts):
        return True
    names = (capture.strings[i] for i in capture.names_used.tolist())
    return any(name.startswith("$") or bool(python_name(name)) for name in names)


# Which tracks of a capture are threads of a host, which show a device at work, and the rows of their events.

#: The lines of a TPU plane whose events are ops that ran on its cores; the later ones repeat the first two's time.
_TPU_OP_LINES = (("XLA Ops", "Sparse Core Ops"), ("Framework Ops",), ("TensorFlow Ops",))
_SPARSE_CORE = regex(r"(/device:TPU:\d+) (?:\w+ )?SparseCore \d+$")
#: Looked up once: they are compared track by track.
_DERIVED, _COUNTER = int(TrackKind.DERIVED), int(TrackKind.COUNTER)


def host_tracks(capture: Capture) -> I64:
    """The tracks of a capture that are threads of a host."""
    on_device = among(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[capture.tracks.plane]
    counted = ~among(capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER, TrackKind.STREAM))
    return np.flatnonzero(counted & ~on_device)


def device_tracks(capture: Capture, plane: int) -> I64:
    """The tracks of a device whose events show it at work: a GPU's streams, a TPU's op lines."""
    tracks = capture.tracks_of(plane)
    if capture.planes.kind[plane] == PlaneKind.TPU:
        names = capture.strings.texts(capture.tracks.name[tracks])
        lines = next((lines for lines in _TPU_OP_LINES if not set(lines).isdisjoint(names)), ())
        return tracks[[name in lines for name in names]]
    kind = capture.tracks.kind[tracks]
    working: I64 = tracks[(kind != _DERIVED) & (kind != _COUNTER)]
    return working


def device_planes(capture: Capture) -> list[int]:
    """The planes that are devices, in file order."""
    return np.flatnonzero(among(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))).tolist()


def sparse_cores(capture: Capture) -> dict[int, int]:
    """The planes of SparseCores, `/device:TPU:0 SparseCore 1`, and the plane of the TensorCore of the same chip."""
    names = {plane: capture.strings[int(capture.planes.name[plane])] for plane in device_planes(capture)}
    plane_of = {name: plane for plane, name in names.items()}
    chips = {plane: _SPARSE_CORE.match(name) for plane, name in names.items()}
    return {plane: plane_of[chip[1]] for plane, chip in chips.items() if chip and chip[1] in plane_of}


def rows_of(capture: Capture, tracks: I64) -> I64:
    """The event rows of some tracks, ascending."""
    begin, end = capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks]
    if not len(tracks) or (begin[1:] == end[:-1]).all():
        return np.arange(begin[0], end[-1]) if len(tracks) else np.empty(0, np.int64)
    some = end > begin
    return np.concatenate([np.empty(0, np.int64), *map(np.arange, begin[some].tolist(), end[some].tolist())])


def rows_by_track(capture: Capture, rows: I64) -> I64:
    """Where the rows of each track that has some begin among these, which ascend, and at last how many there are."""
    first: I64 = np.unique(np.searchsorted(rows, np.append(capture.tracks.events_begin, len(capture.events))))
    return first


@derived
def threads_of(timeline: Timeline) -> I64:
    """The tracks that are host threads and hold events."""
    tracks = host_tracks(timeline.capture)
    return tracks[timeline.capture.tracks.events_end[tracks] > timeline.capture.tracks.events_begin[tracks]]


# What of a device's events is work: kernels, copies, fills, ops; not the overhead of their collector.

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
_GRAPH_EVENT = regex(r"CudaGraphExec\D{0,3}(\d{1,18})?")


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


@derived_by_plane
def graphs_of_nodes(timeline: Timeline, plane: int) -> I64:
    """The events of a device that stand for whole launches of CUDA graphs whose nodes were traced, too."""
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


@derived_by_plane
def device_rows(timeline: Timeline, plane: int) -> I64:
    """The event rows of what a device did, ascending."""
    rows = at_work(timeline, plane, rows_of(timeline.capture, device_tracks(timeline.capture, plane)))
    rows.flags.writeable = False
    return rows


@derived_by_plane
def device_names(timeline: Timeline, plane: int) -> list[int]:
    """The ids of the strings that are names of what a device did, ascending."""
    names, strings = timeline.capture.events.name[at_once(device_rows(timeline, plane))], timeline.capture.strings
    if len(names) < len(strings):
        distinct: list[int] = np.unique(names).tolist()
        return distinct
    used = np.zeros(len(strings), bool)
    mark(names, used)
    return np.flatnonzero(used).tolist()


def device_rows_named(timeline: Timeline, plane: int, names: Sequence[int]) -> I64:
    """The event rows of what a device did under some names, given by the ids of their strings; ascending."""
    rows = device_rows(timeline, plane)
    return rows[among(timeline.capture.events.name[at_once(rows)], names)] if names else rows[:0]
