"""A timeline → what ran on its GPUs, sorted into kernels, copies with fills, and whole CUDA graphs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, PlaneKind, StatKind, among, at_once, side_by_side
from ...timeline import Timeline, copy_op, is_integer, ops_of

GRAPH_EVENT = "CudaGraphExec"
#: The second with CUPTI's capital letter.
COPY_DETAILS = ("memcpy_details", "Memset_details", "memset_details")
#: Allocations that the driver puts on a stream: no work.
_NO_WORK = ("memalloc_details", "MemFree_details", "memfree_details")
KERNEL, COPY, GRAPH, OTHER = range(4)


class Work(NamedTuple):
    """Some of the events on a timeline's GPUs, ascending.

    rows: of `events`. op: index in `ops.ops`. plane: row of `planes`. before_ps: the end of what ran before it on its
    stream, -1 for the first. launch: of a kernel, row of `kernel_launches.launches`, -1 unknown. details: of a copy or
    fill, string id of the text that describes it, 0 where there is none.
    """

    rows: I64
    op: I32
    plane: I32
    before_ps: I64
    launch: I64
    details: I64

    def only(self, which: NDArray[np.bool_]) -> Work:
        if which.all():
            return self
        at = np.flatnonzero(which)
        return Work(self.rows[at], self.op[at], self.plane[at], self.before_ps[at], self.launch[at], self.details[at])


def gpu_work(timeline: Timeline) -> dict[int, Work]:
    """KERNEL, COPY and GRAPH → their events."""
    capture, ran = timeline.capture, ops_of(timeline).device
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU)
    plane = capture.tracks.plane[capture.events.track[at_once(ran.rows)]]
    on_gpu = among(plane, gpus)
    rows, op, plane = (ran.rows, ran.op, plane) if on_gpu.all() else (ran.rows[on_gpu], ran.op[on_gpu], plane[on_gpu])
    (launch, details, kind), before = side_by_side(
        len(rows), lambda: _sorted_out(timeline, rows), lambda: _before(timeline, rows)
    )
    work = Work(rows, op, plane, before, launch, details)
    return {which: work.only(kind == which) for which in (KERNEL, COPY, GRAPH)}


def _sorted_out(timeline: Timeline, rows: I64) -> tuple[I64, I64, NDArray[np.uint8]]:
    """Each event's launch, a copy's text, and what it is: what was launched as a kernel is one, whatever its name."""
    capture = timeline.capture
    launch, details = capture.kernel_launches.events.of(rows), np.zeros(len(rows), np.int64)
    is_kernel = launch >= 0
    kind = _by_name(timeline, rows)
    kind[timeline.stat_of("cuda_graph_exec_id", rows)[1] > 0] = GRAPH
    for key in _NO_WORK:
        kind[timeline.stat_of(key, rows)[1] > 0] = OTHER
    for key in (key for key in COPY_DETAILS if capture.strings.find(key) >= 0):
        text, stat_kind = timeline.stat_of(key, rows)
        present = (stat_kind == StatKind.TEXT) & ~is_kernel & (details == 0)
        details[present], kind[present] = text[present], COPY
    kind[is_kernel] = KERNEL
    return launch, details, kind


def _by_name(timeline: Timeline, rows: I64) -> NDArray[np.uint8]:
    strings, names = timeline.capture.strings, timeline.capture.events.name[at_once(rows)]
    used = np.zeros(len(strings), bool)
    used[names] = True
    table = np.full(len(strings), KERNEL, np.uint8)
    for i in np.flatnonzero(used).tolist():
        name = strings[i]
        if copy_op(name):
            table[i] = COPY
        elif name.startswith(GRAPH_EVENT):
            table[i] = GRAPH
    return table[names]


def _before(timeline: Timeline, rows: I64) -> I64:
    """End of the event before each, on its track; -1 where there is none."""
    events = timeline.capture.events
    if not len(rows):
        return np.empty(0, np.int64)
    at = at_once(rows)
    end, track = events.start_ps[at] + events.duration_ps[at], events.track[at]
    before = np.empty(len(rows), np.int64)
    before[0], before[1:] = -1, np.where(track[1:] == track[:-1], end[:-1], -1)
    return before


def whole(timeline: Timeline, key: str, rows: I64) -> I64:
    """An integer stat of some events; 0 where it is absent or none."""
    value, kind = timeline.stat_of(key, rows)
    return np.where(is_integer(kind), value, 0)
