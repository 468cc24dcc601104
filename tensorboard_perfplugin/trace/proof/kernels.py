"""The rows of `kernel_stats` → the kernels, copies and launches of graphs that each sums up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...analysis.kernels.host import copy_kinds, graph_of_launches, octaves
from ...analysis.kernels.merged import joined
from ...analysis.kernels.rows import (
    COPY,
    GRAPH,
    KERNEL,
    LaunchConfiguration,
    Work,
    configurations,
    gpu_work,
    short_name,
    whole,
)
from ...tables import RowKey
from ...timeline.causes import graph_nodes
from ...timeline.names.kernels import kernel_name
from ...timeline.names.ops import UNATTRIBUTED
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline
from .proof import Marked, of_durations

Bools = NDArray[np.bool_]


def kernels(timeline: Timeline, key: RowKey) -> Marked:
    """Of one name, op and launch configuration, inside or outside of a graph."""
    work = _here(timeline, gpu_work(timeline)[KERNEL], key)
    work = work.only(_by_name(timeline, work, lambda name: key.holds("name", kernel_name(name))))
    work = work.only(_by_op(timeline, work, key))
    work = work.only(_by_launch(timeline, work, key))
    graph = graph_nodes(timeline, work.rows)
    return of_durations(timeline, work.rows[graph == key.holds("in_graph", True)])


def names(timeline: Timeline, key: RowKey) -> Marked:
    work = _here(timeline, gpu_work(timeline)[KERNEL], key)
    return of_durations(
        timeline,
        work.rows[_by_name(timeline, work, lambda name: key.holds("short_name", short_name(kernel_name(name))))],
    )


def copies(timeline: Timeline, key: RowKey) -> Marked:
    work = _here(timeline, gpu_work(timeline)[COPY], key)
    kinds, kind = copy_kinds(timeline, work)
    columns = ("kind", "source", "destination", "async", "to_device")
    wanted = [all(key.holds(name, value) for name, value in zip(columns, one, strict=True)) for one in kinds]
    return of_durations(timeline, work.rows[np.array(wanted, bool)[kind]])


def graphs(timeline: Timeline, key: RowKey) -> Marked:
    """What ran in it, or where only launches were traced, these."""
    works = gpu_work(timeline)
    if key.holds("level", "graph"):
        work = _here(timeline, works[GRAPH], key)
        graph = graph_of_launches(timeline, work)
    else:
        some = [_here(timeline, works[kind], key).rows for kind in (KERNEL, COPY)]
        rows = np.sort(np.concatenate(some))
        rows = rows[graph_nodes(timeline, rows)]
        graph = whole(timeline, "cuda_graph_id", rows)
        return of_durations(timeline, rows[_each(graph, lambda i: key.holds("graph", i or None))])
    return of_durations(timeline, work.rows[_each(graph, lambda i: key.holds("graph", i))])


def durations(timeline: Timeline, key: RowKey) -> Marked:
    """Kernels that ran so long."""
    rows = gpu_work(timeline)[KERNEL].rows
    octave = octaves(timeline.capture.events.duration_ps[rows])
    return of_durations(timeline, rows[_each(octave, lambda i: key.holds("from_us", 2.0 ** (i - 1) if i else 0.0))])


def devices(timeline: Timeline, key: RowKey) -> Marked:
    """All kernels of a device, or its copies."""
    work = gpu_work(timeline)[COPY if key.column == "copy_us" else KERNEL]
    return of_durations(timeline, _here(timeline, work, key).rows)


def _here(timeline: Timeline, work: Work, key: RowKey) -> Work:
    """What ran on the devices that the row is of."""
    capture = timeline.capture
    names = capture.strings.of(capture.planes.name)
    is_host = key.allows("host", timeline.host)
    wanted = np.array([is_host and key.allows("device", name) for name in names], bool)
    return work.only(wanted[work.plane])


def _each(values: NDArray[np.integer], is_wanted: Callable[[int], bool]) -> Bools:
    """Each distinct value is asked for once."""
    distinct, place = np.unique(values, return_inverse=True)
    wanted: Bools = np.array([is_wanted(i) for i in distinct.tolist()], bool)[place.reshape(-1)]
    return wanted


def _by_name(timeline: Timeline, work: Work, is_wanted: Callable[[str], bool]) -> Bools:
    strings = timeline.capture.strings
    return _each(timeline.capture.events.name[work.rows], lambda i: is_wanted(strings[i]))


def _by_op(timeline: Timeline, work: Work, key: RowKey) -> Bools:
    ops = ops_of(timeline).ops

    def is_wanted(i: int) -> bool:
        known = ops[i].type != UNATTRIBUTED
        columns = {"op_name": ops[i].name, "op_type": ops[i].type, "module": ops[i].module}
        return all(key.holds(name, value if known else None) for name, value in columns.items())

    return _each(work.op, is_wanted)


def _by_launch(timeline: Timeline, work: Work, key: RowKey) -> Bools:
    launches = timeline.capture.kernel_launches.launches
    rows, place = np.unique(work.launch, return_inverse=True)
    wanted: Bools = np.array([_is_launch(key, each) for each in configurations(launches, rows)], bool)
    return wanted[place.reshape(-1)]


def _is_launch(key: RowKey, launch: LaunchConfiguration) -> bool:
    numbers = {
        "registers": launch.registers,
        "static_shared_bytes": launch.static_shared,
        "dynamic_shared_bytes": launch.dynamic_shared,
        "shared_bytes": launch.shared,
        "grid": joined(launch.grid),
        "block": joined(launch.block),
    }
    return all(key.holds(name, value) for name, value in numbers.items())
