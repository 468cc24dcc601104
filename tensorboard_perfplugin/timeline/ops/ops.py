"""A capture → which of its events are executions of ops, and of which op. Every distinct name is parsed once."""

from __future__ import annotations

import numpy as np

from ...tables import I32, I64
from ..causes.launches import launches_of
from ..nesting import enclosing, self_among
from ..timeline import Timeline, derived
from .device import device_ops
from .external import places_by_external_id
from .host import host_ops
from .model import Ops, Pool, mask
from .tpu import aggregate_ops


@derived
def ops_of(timeline: Timeline) -> Ops:
    """Which events are executions of ops, and of which op."""
    pool = Pool()
    host = host_ops(timeline, pool)
    device = device_ops(timeline, pool, host)
    aggregates = aggregate_ops(timeline.capture, pool)
    return Ops(tuple(pool.index), host, device, aggregates)


@derived
def op_around_of(timeline: Timeline) -> I32:
    """For each event the row of the innermost host op event that contains it, or -1."""
    return enclosing(timeline, mask(timeline, ops_of(timeline).host))


@derived
def device_calls_of(timeline: Timeline) -> I32:
    """For each event of `Ops.device` the row of the host op event that launched it, or -1.

    By its launch, else by its external id.
    """
    host, rows = ops_of(timeline).host, ops_of(timeline).device.rows
    launch = launches_of(timeline).rows[rows]
    launching = np.where(launch >= 0, op_around_of(timeline)[launch], np.int32(-1))
    bare = np.flatnonzero(launching < 0)
    launching[bare] = np.append(host.rows, -1)[places_by_external_id(timeline, host, rows[bare])]
    return launching


@derived
def host_self_ps_of(timeline: Timeline) -> I64:
    """Self time of each event of `Ops.host`, in which only these count."""
    return self_among(timeline, ops_of(timeline).host.rows)
