"""A device's events → the ops that they executed."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from ...tables import I32, I64, PlaneKind, StatKind
from ..causes.launches import launches_of
from ..loops.loops import nearest
from ..names.kernels import kernel_name
from ..names.op_names import UNATTRIBUTED, Op, copy_op, device_op, host_op_of
from ..nesting import nesting_of
from ..programs.instructions import instructions_of
from ..timeline import Timeline
from ..tracks.tracks import device_planes
from ..tracks.work import device_rows
from .external import ops_by_external_id
from .model import OpEvents, Pool, mask
from .tpu import tpu_ops
from .xla import text_ids, xla_ops


def device_ops(timeline: Timeline, pool: Pool, host: OpEvents) -> OpEvents:
    capture = timeline.capture
    parts = [OpEvents(np.empty(0, np.int64), np.empty(0, np.int32))]
    around = functools.cache(lambda: nearest(nesting_of(timeline).parent, mask(timeline, host)))
    for plane in device_planes(capture):
        rows = device_rows(timeline, plane)
        if capture.planes.kind[plane] == PlaneKind.TPU:
            parts.append(OpEvents(rows, tpu_ops(capture, pool, capture.events.kind[rows])))
        else:
            parts.append(OpEvents(rows, _gpu(timeline, pool, rows, host, around)))
    # Tracks of a plane are adjacent in the tables of every decoder, planes are in order: rows ascend.
    parts = [part for part in parts if len(part.rows)] or parts[:1]
    return parts[0] if len(parts) == 1 else OpEvents(*map(np.concatenate, zip(*parts, strict=True)))


def _gpu(timeline: Timeline, pool: Pool, rows: I64, host: OpEvents, around: Callable[[], I32]) -> I32:
    """By what says it best: XLA instruction, annotation, name of a copy, host op around the launch, kernel's name.

    TensorFlow before 2.5 wrote its annotation as `level 0`, with what is no op's name in it, `MakeTensorFromProto`.
    """
    capture = timeline.capture
    which = instructions_of(timeline).of(rows)
    if len(which) and which.min() >= 0:
        return xla_ops(timeline, pool, rows, which)
    op = np.full(len(rows), -1, np.int32)
    hlo = np.flatnonzero(which >= 0)
    op[hlo] = xla_ops(timeline, pool, rows[hlo], which[hlo])
    bare = np.flatnonzero(op < 0)
    annotation, kinds = timeline.stat_of("tf_op", rows[bare])
    tf = np.flatnonzero(kinds == StatKind.TEXT)
    op[bare[tf]] = pool.by_string(capture, annotation[tf], device_op)
    if timeline.has_stat("level 0"):
        bare = np.flatnonzero(op < 0)
        op[bare] = pool.by_string(
            capture, text_ids(timeline, "level 0", rows[bare]), host_op_of(capture.capabilities.framework_names)
        )
    bare = np.flatnonzero(op < 0)
    op[bare] = pool.by_string(capture, capture.events.name[rows[bare]], copy_op)
    bare = bare[op[bare] < 0]
    if len(bare):
        op[bare] = _launched_in(timeline, host, rows[bare], around)
        bare = bare[op[bare] < 0]
        op[bare] = ops_by_external_id(timeline, host, rows[bare])
        bare = bare[op[bare] < 0]
        op[bare] = pool.by_string(capture, capture.events.name[rows[bare]], _unattributed)
    return op


def _launched_in(timeline: Timeline, host: OpEvents, rows: I64, op_around: Callable[[], I32]) -> I32:
    """The op of the host op event around each kernel's launch, or -1. op_around: by event its row."""
    launched = launches_of(timeline).rows[rows]
    around = np.where(launched >= 0, op_around()[launched], -1)
    op = np.append(host.op, np.int32(-1))
    place = np.searchsorted(host.rows, around)
    return np.where(around >= 0, op[place], -1).astype(np.int32)


def _unattributed(kernel: str) -> Op:
    return Op(kernel_name(kernel), UNATTRIBUTED)
