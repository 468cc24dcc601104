"""A timeline → the kernels that the overview may have to name, of millions mostly few, and the time of the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, PlaneKind, at_once
from ...timeline import (
    OpEvents,
    Timeline,
    copy_op,
    devices_of,
    graph_nodes,
    kernel_name,
    ops_of,
    remembered,
    tensor_core_rule,
)
from ..model import attention_in_scopes, attention_ops, model_work
from .alignment import odd_calls, whole_pieces
from .copies import copy_rows
from .families import says_double
from .host import OCTAVES, HostKernels, kernel_device
from .launches import Launched, spread
from .layouts import may_convert
from .rows import kernel_rows, summed_rows
from .work import GRAPH_EVENT, Work

#: Kernels of a name that together take less of the kernel time change no share that decides something.
_LEAST = 1e-4


def chosen_kernels(timeline: Timeline) -> HostKernels | None:
    """As `host_kernels`, of what rules on layouts, sizes and types look at; None without a GPU."""
    capture = timeline.capture
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    if not gpus:
        return None
    ran = _on_gpus(timeline)
    at = at_once(ran.rows)
    names, duration = capture.events.name[at], capture.events.duration_ps[at]
    taken_ps = _by_name(timeline, names, duration)
    wanted = np.zeros(len(capture.strings), bool)
    wanted[list(_chosen(timeline, taken_ps))] = True
    by_op = attention_ops(ops_of(timeline).ops) | attention_in_scopes(ops_of(timeline).ops)
    mine = np.flatnonzero(wanted[names] | by_op[ran.op] if by_op.any() else wanted[names])
    kernels, duration, nothing = _work(timeline, ran, mine), duration[mine], np.empty(0, np.int64)
    in_graph = graph_nodes(timeline, kernels.rows)
    return HostKernels(
        devices=[kernel_device(timeline, plane, kernels, duration, in_graph) for plane in gpus],
        tables=(kernel_rows(timeline, kernels, _unknown(kernels), gpus), summed_rows(timeline, gpus)),
        copies=copy_rows(timeline, _work(timeline, ran, nothing), kernels, gpus),
        graphs=[],
        octave_count=np.zeros(OCTAVES, np.int64),
        octave_ps=np.zeros(OCTAVES),
        latency=spread(nothing),
        queue=spread(nothing),
        starved=0,
        misfits=0,
        unavailable=None,
        odd_calls=odd_calls(timeline, kernels),
        model=remembered(timeline, model_work),
        other_ps=max(float(taken_ps.sum() - duration.sum(dtype=np.float64)), 0.0),
    )


def _on_gpus(timeline: Timeline) -> OpEvents:
    ran, planes = ops_of(timeline).device, timeline.capture.planes
    is_gpu = planes.kind == PlaneKind.GPU
    if all(is_gpu[device.plane] for device in devices_of(timeline) if device.events):
        return ran
    on_gpu = is_gpu[timeline.capture.tracks.plane[timeline.capture.events.track[ran.rows]]]
    return OpEvents(ran.rows[on_gpu], ran.op[on_gpu])


def _work(timeline: Timeline, ran: OpEvents, which: I64) -> Work:
    """Some of what ran; what came before each is left out."""
    capture, rows = timeline.capture, ran.rows[which]
    plane, unknown = capture.tracks.plane[capture.events.track[rows]], np.full(len(rows), -1)
    # Launches of millions of kernels are long to read.
    launch = capture.kernel_launches.events.of(rows) if len(rows) else unknown
    return Work(rows, ran.op[which], plane, unknown, launch, np.zeros(len(rows), np.int64))


def _by_name(timeline: Timeline, names: I32, duration_ps: I64) -> NDArray[np.float64]:
    """By string id the time of kernels of that name; of copies, fills and whole graphs 0."""
    strings = timeline.capture.strings
    taken: NDArray[np.float64] = np.zeros(len(strings))
    taken += np.bincount(names, duration_ps, len(taken))
    for i in np.flatnonzero(taken).tolist():
        name = strings[i]
        if copy_op(name) or name.startswith(GRAPH_EVENT):
            taken[i] = 0.0
    return taken


def _chosen(timeline: Timeline, taken_ps: NDArray[np.float64]) -> Iterator[int]:
    """String ids of names of which some rule may want to know."""
    capture = timeline.capture
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    vendors = {str(capture.plane_values(plane).get("device_vendor") or "") for plane in gpus}
    for i in np.flatnonzero(taken_ps >= max(_LEAST * taken_ps.sum(), 1)).tolist():
        name = kernel_name(capture.strings[i])
        rules = [tensor_core_rule(name, vendor) for vendor in vendors]
        missed = any(rule and rule.multiplies and rule.uses is False for rule in rules)
        if missed or may_convert(name) or whole_pieces(name) or says_double(name):
            yield i


def _unknown(kernels: Work) -> Launched:
    unknown: I64 = np.full(len(kernels.rows), -1)
    return Launched(unknown, unknown, 0, 0)
