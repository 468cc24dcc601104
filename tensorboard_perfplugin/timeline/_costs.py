"""Executions of ops → how much arithmetic each op did and how many bytes it moved, in all of its executions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import StatKind
from ..tables.capture import I32, I64, U8

if TYPE_CHECKING:
    from ._timeline import Timeline

F64 = NDArray[np.float64]


class OpCosts(NamedTuple):
    """By index of `ops.ops`, over all executions on one side; nan where it is not known of all of them.

    flops: as the hardware ran them, model_flops: as the model asks for; the same where nothing tells them apart.
    bytes: to and from every memory, hbm_bytes: those of the device's main memory. An op that holds others (a TPU's
    `while`) counts what these did, as its total time does.
    """

    flops: F64
    model_flops: F64
    bytes: F64
    hbm_bytes: F64


def costs(timeline: Timeline, side: str) -> OpCosts:
    """Of the side `host` or `device`; ops of which only sums are known count with their device."""
    ops = timeline.ops
    parts = [ops.host] if side == "host" else [ops.device]
    n = len(ops.ops)
    return _summed([(events.op, _told(timeline, events.rows)) for events in parts], n)


def _summed(parts: list[tuple[I32, OpCosts]], n: int) -> OpCosts:
    """Per execution → per op."""
    op = np.concatenate([op for op, _ in parts])
    columns = (np.concatenate(column) for column in zip(*(given for _, given in parts), strict=True))
    return OpCosts(*(_sum(op, column, n) for column in columns))


def _sum(op: I32, values: F64, n: int) -> F64:
    known = np.isfinite(values)
    total = np.bincount(op[known], weights=values[known], minlength=n)
    missing = np.bincount(op[~known], minlength=n) > 0
    nobody = np.bincount(op, minlength=n) == 0
    return np.where(missing | nobody | ~np.isfinite(total), np.nan, total)


def _told(timeline: Timeline, rows: I64) -> OpCosts:
    """What stats of the events, or of their kinds, tell of one execution each."""
    flops = _number(*timeline.stat_of("flops", rows))
    model = _number(*timeline.stat_of("model_flops", rows))
    moved = _number(*timeline.stat_of("bytes_accessed", rows))
    return OpCosts(flops, np.where(np.isfinite(model), model, flops), moved, moved)


def _number(values: I64, kinds: U8) -> F64:
    """Numbers of 0 and more; nan for all else."""
    found = np.full(len(values), np.nan)
    for kind, as_type in ((StatKind.INT, np.int64), (StatKind.UINT, np.uint64), (StatKind.DOUBLE, np.float64)):
        mine = kinds == kind
        if mine.any():
            found[mine] = values[mine].view(as_type)
    return np.where((found >= 0) & np.isfinite(found), found, np.nan)
