"""One host's timeline → the partial of `kernel_stats`: its devices, kernels, copies, graphs, durations and launches."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...patterns import regex
from ...tables import (
    F64,
    I64,
    LAUNCHES_FOR,
    Capture,
    Intervals,
    PlaneKind,
    TrackKind,
    among,
    at_once,
    grouped,
    intervals,
    pooled,
    side_by_side,
)
from ...threshold import Threshold
from ...timeline.causes import graph_nodes, launches_of, uses_graphs
from ...timeline.loops.loops import coverage
from ...timeline.names.kernels import CopyDetails, copy_details, kernel_name, tensor_core_rule
from ...timeline.names.ops import copy_op
from ...timeline.ops.ops import op_around_of, ops_of
from ...timeline.split.device import precision_of_kernel
from ...timeline.timeline import Timeline, cached
from ...timeline.tracks import device_planes
from ..devices.peaks import Attributes, device, latest_generation
from ..model import ModelWork, dims_of, has_shapes, model_work, sizes_of, strides_of
from ..path.replay import EventTimes
from .rows import (
    COPY,
    GRAPH,
    GRAPH_EVENT,
    KERNEL,
    KernelRows,
    Spread,
    Work,
    gpu_work,
    integer_stat,
    kernel_rows,
    launched,
    spread,
    summed_rows,
)

# A timeline → what its copies and fills moved, how fast, and whether kernels ran meanwhile.

#: Type of the op of a copy → what the table calls it.
_KINDS = {
    "MemcpyHToD": "H2D",
    "MemcpyDToH": "D2H",
    "MemcpyDToD": "D2D",
    "MemcpyPToP": "P2P",
    "MemcpyHToH": "H2H",
    "Memset": "fill",
}
#: Memory → whose it is.
_SIDES = {"pageable": "H", "pinned": "H", "host": "H", "device": "D", "array": "D"}


class CopyKind(NamedTuple):
    """What tells two rows apart."""

    kind: str
    source: str | None
    destination: str | None
    is_async: bool | None
    to_device: int | None


class CopyRows(msgspec.Struct, frozen=True, eq=False):
    """Copies, a row each: `kind` and `device` are indices; sums over their executions.

    sized: how many have a size; sized_ps: their time. no_bytes: how many of the others say 0 bytes.
    compute_ps: time in which the device also ran kernels.
    """

    kinds: list[CopyKind]
    kind: I64
    device: I64
    occurrences: I64
    total_ps: F64
    min_ps: I64
    max_ps: I64
    size: F64
    sized: I64
    sized_ps: F64
    no_bytes: I64
    compute_ps: F64

    def __len__(self) -> int:
        return len(self.kind)


def copy_rows(timeline: Timeline, work: Work, kernels: Work, devices: Sequence[int]) -> CopyRows:
    """The rows of the events that are copies or fills. devices: planes, in the order that numbers devices."""
    kinds, kind, size = _kinds_and_sizes(timeline, work)
    duration = timeline.capture.events.duration_ps[work.rows]
    groups = grouped(kind, work.plane)
    sized = size > 0
    number = np.zeros(len(timeline.capture.planes), np.int64)
    number[list(devices)] = np.arange(len(devices))
    return CopyRows(
        kinds,
        kind[groups.first],
        number[work.plane[groups.first]],
        groups.size(),
        groups.sum(duration),
        groups.minimum(duration),
        groups.maximum(duration),
        groups.sum(np.where(sized, size, 0).astype(np.float64)),
        groups.sum(sized).astype(np.int64),
        groups.sum(np.where(sized, duration, 0)),
        groups.sum(size == 0).astype(np.int64),
        groups.sum(_computing(timeline, work, kernels)),
    )


def copy_kinds(timeline: Timeline, work: Work) -> tuple[list[CopyKind], I64]:
    """The distinct kinds of some copies and fills, and the place of each one's among them."""
    kinds, kind, _ = _kinds_and_sizes(timeline, work)
    return kinds, kind


def _kinds_and_sizes(timeline: Timeline, work: Work) -> tuple[list[CopyKind], I64, I64]:
    """The kinds, the place of each event's among them, and its size: -1 where the capture gives none."""
    name, text = timeline.capture.events.name[work.rows].astype(np.int64), work.details
    says = grouped(name, text, work.plane)
    amd = {plane: _is_amd(timeline, plane) for plane in np.unique(work.plane).tolist()}
    parsed = [_kind(timeline, int(name[i]), int(text[i]), amd[int(work.plane[i])]) for i in says.first.tolist()]
    kinds, [place] = pooled([[kind for kind, _ in parsed]])
    sizes = np.array([size for _, size in parsed], np.int64)
    return kinds, place[says.of], sizes[says.of]


def _between(details: CopyDetails) -> str:
    """What a copy is by the memories that it says: an array's is a device's."""
    sides = [_SIDES.get(side or "") for side in (details.source, details.destination)]
    return f"{sides[0]}2{sides[1]}" if all(sides) else "copy"


def _kind(timeline: Timeline, name: int, text: int, is_amd: bool) -> tuple[CopyKind, int]:
    """What a copy is, and its size: -1 where the capture gives none."""
    strings = timeline.capture.strings
    details = copy_details(strings[text]) if text else CopyDetails()
    op = copy_op(strings[name])
    kind = _KINDS.get(op.type if op else "") or _between(details)
    # ROCm writes a handle of its own, not a device's number.
    to_device = None if is_amd else details.device
    return (
        CopyKind(kind, details.source, details.destination, details.is_async, to_device),
        -1 if details.size is None else details.size,
    )


def _is_amd(timeline: Timeline, plane: int) -> bool:
    return str(timeline.capture.plane_values(plane).get("device_vendor") or "").lower() == "amd"


def _computing(timeline: Timeline, work: Work, kernels: Work) -> I64:
    """For each copy, how long its device ran kernels at the same time."""
    events = timeline.capture.events
    begin, end = events.start_ps[work.rows], events.start_ps[work.rows] + events.duration_ps[work.rows]
    computing = np.zeros(len(work.rows), np.int64)
    for plane in np.unique(work.plane).tolist():
        here = work.plane == plane
        at = np.searchsorted(kernels.plane, (plane, plane + 1))
        copying = intervals.union(begin[here], end[here])
        rows = _near(timeline, kernels.rows[at[0] : at[1]], copying)
        start = events.start_ps[rows]
        meanwhile = intervals.union(start, start + events.duration_ps[rows])
        computing[here] = coverage(meanwhile, begin[here], end[here])
    return computing


def _near(timeline: Timeline, rows: I64, copying: Intervals) -> I64:
    """Those of a device's kernels that may overlap a copy, of millions mostly few. rows: by stream, then begin."""
    events = timeline.capture.events
    track = events.track[at_once(rows)]
    ends = np.append(np.flatnonzero(track[1:] != track[:-1]) + 1, len(rows)).tolist()
    near = [np.empty(0, np.int64)]
    for low, high in itertools.pairwise([0, *ends]):
        of_stream = rows[low:high]
        at = at_once(of_stream)
        start = events.start_ps[at]
        reach = np.maximum.accumulate(start + events.duration_ps[at])
        first = np.searchsorted(reach, copying.begin, side="right")
        last = np.searchsorted(start, copying.end)
        within = first < last
        edges = np.bincount(first[within], minlength=high - low + 1) - np.bincount(
            last[within], minlength=high - low + 1
        )
        near.append(of_stream[np.cumsum(edges[:-1]) > 0])
    return np.concatenate(near)


def bus_gb_s(kind: str, attributes: Attributes, bandwidth_gb_s: float | None) -> float | None:
    """What the way of such a copy can carry; None where the capture does not show it, as between devices."""
    if kind in ("D2D", "fill"):
        return None if bandwidth_gb_s is None else bandwidth_gb_s / (2 if kind == "D2D" else 1)
    generation = latest_generation(attributes) if kind in ("H2D", "D2H") else None
    return generation.pcie_gb_s if generation else None


_SUMS = ("occurrences", "total_ps", "size", "sized", "sized_ps", "no_bytes", "compute_ps")


def merged(parts: Sequence[CopyRows], where: Sequence[I64]) -> CopyRows:
    """One table of several. where: for each part its rows' place (host, device); rows of one place are merged."""
    kinds, places = pooled([p.kinds for p in parts])
    columns = {
        name: np.concatenate([getattr(p, name) for p in parts])
        for name in CopyRows.__struct_fields__
        if name != "kinds"
    }
    columns["kind"] = np.concatenate([at[p.kind] for p, at in zip(parts, places, strict=True)])
    place = np.concatenate(list(where))
    groups = grouped(columns["kind"], place)
    together = {name: column[groups.first] for name, column in columns.items()}
    together |= {name: np.minimum(groups.sum(columns[name]), 2.0**62).astype(columns[name].dtype) for name in _SUMS}
    together |= {"min_ps": groups.minimum(columns["min_ps"]), "max_ps": groups.maximum(columns["max_ps"])}
    return CopyRows(kinds, **together)


# A timeline → its CUDA graphs: what ran in them, and those of which only the launches were traced.

_NUMBER = regex(GRAPH_EVENT + r"\D{0,3}(\d{1,18})")


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
    graph = integer_stat(timeline, "cuda_graph_id", rows)
    of_graph = grouped(plane, graph)
    node = grouped(of_graph.of, integer_stat(timeline, "cuda_graph_node_id", rows))
    call = grouped(of_graph.of, integer_stat(timeline, "correlation_id", rows))
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
    groups = grouped(graphs.plane, graph)
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
    name, given = events.name[graphs.rows], integer_stat(timeline, "cuda_graph_id", graphs.rows)
    distinct, place = np.unique(name, return_inverse=True)
    named = [_NUMBER.match(strings[i]) for i in distinct.tolist()]
    numbers = np.array([int(match[1]) if match else 0 for match in named], np.int64)
    return np.where(given != 0, given, numbers[place] if len(name) else given)


# Products on tensor cores whose operands are read in small pieces, since sizes are no multiples of what fits 16
# bytes.
#
# Tensor cores are fed 16 bytes at a time where each row of a matrix begins at a multiple of these. Kernels of CUTLASS,
# which cuBLAS and cuDNN take where sizes allow nothing better, say in their names how many elements they read at once.

#: So much of a name is looked at.
_HEAD = 4000
#: `alignc4` is of the result, which is often wider.
_ALIGN = regex(r"_align(?:ab?|b)?(\d{1,2})(?!\d)")
#: Elements in 16 bytes.
_WHOLE = {"compute_8bit": 16, "compute_16bit": 8, "compute_tf32": 4}
#: Calls by shape that a host looks at, the largest.
_MOST = 16


class OddCall(NamedTuple):
    """Kernels of one op and shape that read less than 16 bytes at once. odd: sizes that are no multiples of `multiple`,
    as many elements as these have.
    """

    op: str
    shapes: str
    odd: tuple[int, ...]
    multiple: int
    total_ps: float


def whole_pieces(name: str) -> int:
    """How many elements a kernel should read at once, where its name says that it reads fewer, else 0."""
    pieces = [int(digits) for digits in _ALIGN.findall(name[:_HEAD])] if "_align" in name else []
    if not pieces or not (rule := tensor_core_rule(name, "")) or not rule.uses:
        return 0
    whole = _WHOLE.get(precision_of_kernel(name) or "", 0)
    return whole if min(pieces) < whole else 0


def odd_calls(timeline: Timeline, work: Work) -> list[OddCall]:
    """Of PyTorch's calls whose shapes are recorded, the largest whose kernels read less than 16 bytes at once."""
    capture = timeline.capture
    if not has_shapes(timeline):
        return []
    name = capture.events.name[at_once(work.rows)]
    used = np.unique(name).tolist()
    wanted = {i: whole for i in used if (whole := whole_pieces(kernel_name(capture.strings[i])))}
    rows = work.rows[among(name, list(wanted))] if wanted else np.empty(0, np.int64)
    launch = launches_of(timeline).rows[rows]
    call = np.where(launch >= 0, op_around_of(timeline)[launch], -1).astype(np.int64)
    rows, call = rows[call >= 0], call[call >= 0]
    return list(_by_shape(timeline, rows, call, wanted))


def _by_shape(timeline: Timeline, rows: I64, call: I64, wanted: dict[int, int]) -> Iterator[OddCall]:
    events, strings = timeline.capture.events, timeline.capture.strings
    dims, strides = dims_of(timeline, call), strides_of(timeline, call)
    groups = grouped(events.name[call], dims, strides, events.name[rows])
    total = groups.sum(events.duration_ps[rows])
    for i in np.argsort(-total, kind="stable")[:_MOST].tolist():
        first = int(groups.first[i])
        shapes, whole = strings[int(dims[first])], wanted[int(events.name[rows[first]])]
        odd = _odd(shapes, strings[int(strides[first])], whole)
        if odd:
            op = strings[int(events.name[call[first]])]
            yield OddCall(op, _matrices_text(shapes), odd, whole, float(total[i]))


def _odd(shapes: str, strides: str, whole: int) -> tuple[int, ...]:
    """Sizes along which matrices lie in memory that are no multiples of `whole`."""
    sizes, steps = sizes_of(shapes), sizes_of(strides)
    along: list[int] = []
    last: list[int] = []
    for i, size in enumerate(sizes):
        if len(size) < 2:
            continue
        step = steps[i] if i < len(steps) and len(steps[i]) == len(size) else []
        along += [n for n, by in zip(size, step, strict=True) if by == 1] if step else size[-2:]
        last = size[-1:]
    return tuple(dict.fromkeys(n for n in [*along, *last] if n > 1 and n % whole))


def _matrices_text(shapes: str) -> str:
    return " × ".join(str(size) for size in sizes_of(shapes) if len(size) > 1)


# A timeline → why it holds no GPU work, as a code of the catalogue with its parameters.


def unavailable_reason(timeline: Timeline) -> Message | None:
    """Why a capture has no GPU work, or None where it has."""
    capture = timeline.capture
    kinds = set(capture.planes.kind.tolist())
    if PlaneKind.GPU not in kinds and not timeline.has_stat(LAUNCHES_FOR):
        return Message("no_gpu.only_tpus" if PlaneKind.TPU in kinds else "no_gpu.only_cpu")
    tracks = np.flatnonzero(capture.planes.kind[capture.tracks.plane] == PlaneKind.GPU)
    ran = tracks[~among(capture.tracks.kind[tracks], (TrackKind.DERIVED, TrackKind.COUNTER))]
    if (capture.tracks.events_end[ran] > capture.tracks.events_begin[ran]).any() or _has_sums(capture, tracks):
        return None
    if capture.capabilities.sums_only:
        return Message("no_gpu_work.file_missing")
    if among(capture.aggregates.track, tracks).any():
        return Message("no_gpu_work.sums_by_op")
    if launches := launches_of(timeline).host:
        return Message("no_gpu_work.not_traced", {"launches": launches})
    devices = len(device_planes(capture))
    return Message("no_gpu_work.idle", {"devices": devices, "several": devices > 1})


def _has_sums(capture: Capture, tracks: I64) -> bool:
    """Whether sums on some tracks are of kernels: the file shows how they were launched."""
    summed = capture.kernel_launches.aggregates.row
    return bool(among(capture.aggregates.track[summed], tracks).any())


SHORT_KERNEL = Threshold(
    "short kernel", 10_000_000, "ps", "launching a kernel takes the host and the device together about so long"
)
#: Ranges of durations: below 1 µs, then each up to twice as long; the last is open.
OCTAVES = 32
_US = 1e6
#: Arrays of so many rows fit the processor's cache.
_CHUNK = 1 << 15
_KEPT = ("device_vendor", "compute_cap_major", "compute_cap_minor", "gpu_device_name")


class KernelDevice(NamedTuple):
    """A GPU, and of the kernels whose single executions are known how many were short, and their time.

    launched, launched_short, launched_short_ps: the same without those in graphs, which the host does not launch one by
    one.
    """

    host: str
    name: str
    vendor: str
    model: str | None
    architecture: str | None
    multiprocessors: int | None
    bandwidth_gb_s: float | None
    attributes: Attributes
    single: int
    short: int
    short_ps: float
    single_ps: float
    launched: int
    launched_short: int
    launched_short_ps: float

    @property
    def capability(self) -> tuple[int, int] | None:
        major, minor = self.attributes.get("compute_cap_major"), self.attributes.get("compute_cap_minor")
        return (major, minor if isinstance(minor, int) else 0) if isinstance(major, int) and major > 0 else None

    @property
    def is_amd(self) -> bool:
        return self.vendor.lower() == "amd"


class HostKernels(msgspec.Struct, frozen=True, eq=False):
    """What one host contributes. Each device of a row is a place in `devices`.

    tables: kernels by their executions, and those of which only sums are known. octave_count, octave_ps: kernels and
    their time by range of duration. unavailable: why there is no GPU work, None where there is some.
    odd_calls: of kernels that read their operands in small pieces. other_ps: of kernels that are left out of tables.
    model: how it is written, as far as kernels show it. steps_ps: of typical steps, 0 where none is known.
    """

    devices: list[KernelDevice]
    tables: tuple[KernelRows, KernelRows]
    copies: CopyRows
    graphs: list[GraphRow]
    octave_count: I64
    octave_ps: F64
    latency: Spread
    queue: Spread
    starved: int
    misfits: int
    unavailable: Message | None
    odd_calls: list[OddCall] = msgspec.field(default_factory=list)
    other_ps: float = 0.0
    model: ModelWork = msgspec.field(default_factory=ModelWork)
    steps_ps: int = 0


def host_kernels(timeline: Timeline, times_of: Callable[[Timeline], EventTimes | None]) -> HostKernels:
    """times_of: what the critical path holds of events in typical steps, which another thread may be at."""
    capture = timeline.capture
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    side_by_side(len(capture.events), lambda: ops_of(timeline), lambda: launches_of(timeline))
    work = gpu_work(timeline)
    kernels, copies, graphs = work[KERNEL], work[COPY], work[GRAPH]
    calls = launched(timeline, kernels)
    duration, in_graph = capture.events.duration_ps[at_once(kernels.rows)], graph_nodes(timeline, kernels.rows)
    times = times_of(timeline)
    tables, copied, devices, (octave_count, octave_ps), latency, queue = side_by_side(
        len(kernels.rows),
        lambda: (kernel_rows(timeline, kernels, calls, gpus, times), summed_rows(timeline, gpus)),
        lambda: copy_rows(timeline, copies, kernels, gpus),
        lambda: [kernel_device(timeline, plane, kernels, duration, in_graph) for plane in gpus],
        lambda: _by_octave(duration),
        lambda: spread(calls.latency_ps),
        lambda: spread(calls.queue_ps),
    )
    return HostKernels(
        devices,
        tables,
        copied,
        graph_rows(timeline, kernels, copies, graphs, gpus),
        octave_count,
        octave_ps,
        latency,
        queue,
        calls.starved,
        calls.misfits,
        unavailable_reason(timeline),
        odd_calls(timeline, kernels),
        model=cached(timeline, model_work),
        steps_ps=times.steps_ps if times else 0,
    )


def _by_octave(duration: I64) -> tuple[I64, F64]:
    """How many kernels there are in each range of durations, and their time."""
    count, ps = np.zeros(OCTAVES, np.int64), np.zeros(OCTAVES)
    for at in range(0, len(duration), _CHUNK):
        some = duration[at : at + _CHUNK]
        octave = octaves(some)
        count += np.bincount(octave, minlength=OCTAVES)
        ps += np.bincount(octave, some, OCTAVES)
    return count, ps


def octaves(duration: I64) -> I64:
    """0 below 1 µs, 1 below 2, 2 below 4 …: the exponent of the number of µs."""
    octave = np.empty(len(duration), np.int64)
    for at in range(0, len(duration), _CHUNK):
        exponent = ((duration[at : at + _CHUNK] / _US).view(np.int64) >> 52) - 1022
        np.clip(exponent, 0, OCTAVES - 1, out=octave[at : at + _CHUNK])
    return octave


def kernel_device(
    timeline: Timeline, plane: int, kernels: Work, duration: I64, in_graph: NDArray[np.bool_]
) -> KernelDevice:
    attributes = timeline.capture.plane_values(plane)
    about = device(PlaneKind.GPU, attributes)
    here = kernels.plane == plane
    launched = duration[here & ~in_graph]
    here = duration[here]
    short, launched_short = here[here < SHORT_KERNEL.value], launched[launched < SHORT_KERNEL.value]
    return KernelDevice(
        timeline.host,
        timeline.capture.strings[int(timeline.capture.planes.name[plane])],
        str(attributes.get("device_vendor") or ""),
        about.model,
        about.architecture,
        about.core_count,
        about.bandwidth_gb_s,
        {key: attributes[key] for key in _KEPT if key in attributes},
        len(here),
        len(short),
        float(short.sum(dtype=np.float64)),
        float(here.sum(dtype=np.float64)),
        len(launched),
        len(launched_short),
        float(launched_short.sum(dtype=np.float64)),
    )
