"""Kernels → how long each took from its launch call to its begin, and how much of that it waited for its stream.

Latency is the kernel's begin less the begin of the host's call that launched it. Queueing is that part of it in which
the call had ended and the stream was still busy with what came before: from the call's end to the end of the event
before on the stream, never more than up to the kernel's begin. What is left is the call itself and the way to the
device. Where a kernel's stream was idle when its call ended, the device waited for the host. Clocks of host and device
differ by microseconds: where a kernel begins before its call, neither is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..tables.capture import I64
from ..timeline import Timeline
from ._kernel_groups import F64
from ._kernel_work import Work

#: So many values, evenly spaced in their order, stand for all: a percentile is right to 1/4096 of the values.
_KEPT = 4096


class Launched(NamedTuple):
    """By kernel: latency and queueing in ps, -1 unknown. misfits: kernels that begin before their call."""

    latency_ps: I64
    queue_ps: I64
    starved: int
    misfits: int


def launched(timeline: Timeline, work: Work) -> Launched:
    events, call = timeline.capture.events, timeline.launch[work.rows]
    start = events.start_ps[work.rows]
    began = events.start_ps[call]
    ended = began + events.duration_ps[call]
    latency = start - began
    known = (call >= 0) & (latency >= 0)
    queue = np.clip(work.before_ps - ended, 0, np.maximum(start - ended, 0))
    return Launched(
        np.where(known, latency, -1),
        np.where(known, queue, -1),
        int(np.count_nonzero(known & (work.before_ps <= ended))),
        int(np.count_nonzero((call >= 0) & (latency < 0))),
    )


class Spread(NamedTuple):
    """Values in order, each standing for as many as `count` ÷ their number."""

    values: F64
    count: int


def spread(values: I64) -> Spread:
    """Of the values that are known, 0 and more."""
    known = np.sort(values[values >= 0])
    if len(known) > _KEPT:
        known = known[((np.arange(_KEPT) + 0.5) * (len(known) / _KEPT)).astype(np.int64)]
    return Spread(known.astype(np.float64), int(np.count_nonzero(values >= 0)))


def percentile(spreads: Sequence[Spread], part: float) -> float | None:
    """The least value that at least `part` of all values do not exceed; None without values."""
    used = [s for s in spreads if s.count]
    if not used:
        return None
    values = np.concatenate([s.values for s in used])
    weights = np.concatenate([np.full(len(s.values), s.count / len(s.values)) for s in used])
    order = np.argsort(values, kind="stable")
    so_far = np.cumsum(weights[order])
    at = np.searchsorted(so_far, part * so_far[-1] * (1 - 1e-12))
    return float(values[order[min(int(at), len(order) - 1)]])
