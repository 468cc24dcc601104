"""A timeline → the sums of each instruction on each side, as rows of ops."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, PlaneKind, at_once
from ...timeline import (
    Ops,
    Timeline,
    device_spans_of,
    device_waits_of,
    host_self_ps_of,
    instructions_as_ops,
    kernel_begins_of,
)
from ..ops import Key, OpRow, aggregated_rows, device_use, host_use, sum_of

Bools = NDArray[np.bool_]


def instruction_rows(timeline: Timeline) -> dict[Key, OpRow]:
    """Of devices and of hosts; what is no instruction is among them, by its op without a module."""
    ops = instructions_as_ops(timeline)
    rows = dict(_device(timeline, ops))
    for key, row in aggregated_rows(timeline, ops).items():
        rows[key] = sum_of(rows[key], row) if key in rows else row
    used = device_use(timeline, ops)
    for i, use in used.items():
        key = ("device", ops.ops[i])
        if key in rows:
            rows[key] = rows[key]._replace(use=use)
    return rows | dict(_host(timeline, ops))


def _device(timeline: Timeline, ops: Ops) -> Iterator[tuple[Key, OpRow]]:
    rows, op = ops.device
    if not len(rows):
        return
    capture, spans = timeline.capture, device_spans_of(timeline)
    waits, known = device_waits_of(timeline)
    on_tpu = (capture.planes.kind == PlaneKind.TPU)[capture.tracks.plane][capture.events.track[at_once(rows)]]
    begins = on_tpu | kernel_begins_of(timeline)[at_once(rows)]
    yield from _rows(ops, "device", op, spans.duration_ps, spans.self_ps, begins, waits, known)


def _host(timeline: Timeline, ops: Ops) -> Iterator[tuple[Key, OpRow]]:
    rows, op = ops.host
    if not len(rows):
        return
    used = host_use(timeline, ops)
    total, own = timeline.capture.events.duration_ps[at_once(rows)], host_self_ps_of(timeline).astype(np.float64)
    every = np.ones(len(rows), bool)
    of = {op: i for i, op in enumerate(ops.ops)}
    for (side, one), row in _rows(ops, "host", op, total, own, every, ~every, every):
        yield (side, one), row._replace(kernels=0, use=used.get(of[one]))


def _rows(
    ops: Ops, side: str, op: I32, total: I64, own: F64, begins: Bools, waits: Bools, known: Bools
) -> Iterator[tuple[Key, OpRow]]:
    n = len(ops.ops)
    events = np.bincount(op, minlength=n)
    columns = (
        np.bincount(op[begins], minlength=n),
        events,
        np.bincount(op, weights=total, minlength=n),
        np.bincount(op, weights=own, minlength=n),
        np.bincount(op[waits], weights=own[waits], minlength=n),
        np.bincount(op[known], weights=own[known], minlength=n),
    )
    present = np.flatnonzero(events)
    for i, (times, kernels, total_ps, self_ps, wait_ps, known_ps) in zip(
        present.tolist(), zip(*(column[present].tolist() for column in columns), strict=True), strict=True
    ):
        yield (side, ops.ops[i]), OpRow(times, kernels, total_ps, self_ps, 0.0, 0.0, wait_ps, known_ps)
