"""A timeline → of each op that GPUs ran the kernel that takes most of its time, and what is known of ops of kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ...tables import I32, I64, PlaneKind, at_once
from ...timeline import Op, Ops, Timeline, distinct, grouped_ops_of, kernel_name, ops_of, uses_graphs
from .rows import Key, OpRow, device_part, sum_of
from .used import by_device, uses_tensor_cores, vendor_of

#: Of fewer pairs of an op and a name, a table of all is quicker than sorting.
_TABLE = 1 << 22


class OpKernel(NamedTuple):
    """The kernel by name that takes most of an op's time on GPUs. uses_tensor_cores: None where its name does not show
    it. is_amd: whether an AMD device ran it."""

    total_ps: float
    name: str
    uses_tensor_cores: bool | None
    is_amd: bool


class OpsOfKernels(NamedTuple):
    """What is known of the ops of kernels. called: of each op of a kernel what tables of ops call it. graphs: whether a
    program launches graphs."""

    rows: dict[Key, OpRow]
    kernels: dict[Op, OpKernel]
    called: dict[Op, Op]
    graphs: bool


def ops_of_kernels(timeline: Timeline) -> OpsOfKernels:
    """As the page of ops has them without being asked for more."""
    ops, mine = grouped_ops_of(timeline, "op"), ops_of(timeline)
    return OpsOfKernels(
        device_part(timeline, ops), op_kernels(timeline, ops), _called(mine, ops), uses_graphs(timeline)
    )


def _called(mine: Ops, ops: Ops) -> dict[Op, Op]:
    """Of one that several ops stand for in the other, the one that comes last."""
    if mine is ops:
        return {}
    named = ((mine.device.op, ops.device.op), (mine.device_aggregates.op, ops.device_aggregates.op))
    n = len(ops.ops)
    pairs = [distinct(one.astype(np.int64) * n + other, len(mine.ops) * n)[0].tolist() for one, other in named]
    return {mine.ops[pair // n]: ops.ops[pair % n] for each in pairs for pair in each}


def together(parts: Iterable[OpsOfKernels]) -> OpsOfKernels:
    """All hosts' as one: times are summed; of an op's kernels the one that takes most on a host."""
    rows: dict[Key, OpRow] = {}
    hosts = list(parts)
    for part in hosts:
        for key, row in part.rows.items():
            rows[key] = sum_of(rows[key], row) if key in rows else row
    return OpsOfKernels(
        rows,
        largest_kernels(part.kernels for part in hosts),
        {op: called for part in hosts for op, called in part.called.items()},
        any(part.graphs for part in hosts),
    )


def largest_kernels(parts: Iterable[Mapping[Op, OpKernel]]) -> dict[Op, OpKernel]:
    """Of each op the one that takes most of its time on a host."""
    found: dict[Op, OpKernel] = {}
    for op, kernel in (pair for part in parts for pair in part.items()):
        found[op] = max(found.get(op, kernel), kernel, key=lambda one: one.total_ps)
    return found


def op_kernels(timeline: Timeline, ops: Ops) -> dict[Op, OpKernel]:
    """Of each op the kernel that takes most of its time on one GPU."""
    found: dict[Op, OpKernel] = {}
    for plane, names, op, duration_ps in _by_gpu(timeline, ops):
        for which, name, total_ps in _largest(names, op, duration_ps, len(timeline.capture.strings)):
            one = found.get(ops.ops[which])
            if one is None or one.total_ps < total_ps:
                found[ops.ops[which]] = _kernel(timeline, plane, name, total_ps)
    return found


def _by_gpu(timeline: Timeline, ops: Ops) -> Iterable[tuple[int, I32, I32, I64]]:
    """Plane, and of what it ran string ids of names, op indices and durations in ps; sums over executions, too."""
    capture = timeline.capture
    for plane, rows, op, duration_ps in by_device(timeline, ops):
        if capture.planes.kind[plane] == PlaneKind.GPU:
            yield plane, capture.events.name[at_once(rows)], op, duration_ps
    rows, op = ops.device_aggregates
    table = capture.aggregates
    planes = capture.tracks.plane[table.track[rows]]
    for plane in np.unique(planes).tolist():
        if capture.planes.kind[plane] == PlaneKind.GPU:
            here = rows[planes == plane]
            yield plane, table.name[here], op[planes == plane], table.duration_ps[here]


def _largest(names: I32, op: I32, duration_ps: I64, strings: int) -> Iterable[tuple[int, int, float]]:
    """Of each op the name that takes most of its time, and that time."""
    used, which = distinct(names, strings)
    pair, size = op.astype(np.int64) * len(used) + which, (int(op.max(initial=-1)) + 1) * len(used)
    if size <= _TABLE:
        total, pairs = np.bincount(pair, duration_ps, size), np.arange(size)
    else:
        pairs, pair = np.unique(pair, return_inverse=True)
        total = np.bincount(pair, duration_ps, len(pairs))
    order = np.argsort(-total, kind="stable")
    order = order[total[order] > 0]
    of = pairs[order] // max(len(used), 1)
    _, first = np.unique(of, return_index=True)
    for i in first.tolist():
        yield int(of[i]), int(used[int(pairs[order[i]]) % len(used)]), float(total[order[i]])


def _kernel(timeline: Timeline, plane: int, name: int, total_ps: float) -> OpKernel:
    text, facts = timeline.capture.strings[name], timeline.capture.plane_values(plane)
    return OpKernel(total_ps, kernel_name(text), uses_tensor_cores(facts, text), vendor_of(facts) == "amd")
