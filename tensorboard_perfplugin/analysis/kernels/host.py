"""One host's timeline → the partial of `kernel_stats`: its devices, kernels, copies, graphs, durations and launches."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import I64, PlaneKind, at_once, side_by_side
from ...threshold import CHOSEN, Threshold
from ...timeline import Timeline, graph_nodes, launches_of, ops_of, remembered
from ..devices import Attributes, device
from ..model import ModelWork, model_work
from .alignment import OddCall, odd_calls
from .copies import CopyRows, copy_rows
from .graphs import GraphRow, graph_rows
from .groups import F64
from .launches import Spread, launched, spread
from .rows import KernelRows, kernel_rows, summed_rows
from .unavailable import unavailable_reason
from .work import COPY, GRAPH, KERNEL, Work, gpu_work

SHORT_KERNEL = Threshold(
    "short kernel",
    10_000_000,
    "ps",
    "launching a kernel takes the host and the device together about so long",
    CHOSEN,
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


@dataclasses.dataclass(frozen=True, eq=False)
class HostKernels:
    """What one host contributes. Each device of a row is a place in `devices`.

    tables: kernels by their executions, and those of which only sums are known. octave_count, octave_ps: kernels and
    their time by range of duration. unavailable: why there is no GPU work, None where there is some.
    odd_calls: of kernels that read their operands in small pieces. other_ps: of kernels that are left out of tables.
    model: how it is written, as far as kernels show it.
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
    odd_calls: list[OddCall] = dataclasses.field(default_factory=list)
    other_ps: float = 0.0
    model: ModelWork = dataclasses.field(default_factory=ModelWork)


def host_kernels(timeline: Timeline) -> HostKernels:
    capture = timeline.capture
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    side_by_side(len(capture.events), lambda: ops_of(timeline), lambda: launches_of(timeline))
    work = gpu_work(timeline)
    kernels, copies, graphs = work[KERNEL], work[COPY], work[GRAPH]
    calls = launched(timeline, kernels)
    duration, in_graph = capture.events.duration_ps[at_once(kernels.rows)], graph_nodes(timeline, kernels.rows)
    tables, copied, devices, (octave_count, octave_ps), latency, queue = side_by_side(
        len(kernels.rows),
        lambda: (kernel_rows(timeline, kernels, calls, gpus), summed_rows(timeline, gpus)),
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
        model=remembered(timeline, model_work),
    )


def _by_octave(duration: I64) -> tuple[I64, F64]:
    """How many kernels there are in each range of durations, and their time."""
    octave = octaves(duration)
    return np.bincount(octave, minlength=OCTAVES), np.bincount(octave, duration, OCTAVES).astype(np.float64)


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
