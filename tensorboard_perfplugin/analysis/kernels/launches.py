"""Kernels → how long each took from its launch call to its begin, and how much of that it waited for its stream.

Latency is the kernel's begin less the begin of the host's call that launched it. Queueing is that part of it in which
the call had ended and the stream was still busy with what came before: from the call's end to the end of the event
before on the stream, never more than up to the kernel's begin. What is left is the call itself and the way to the
device. Where a kernel's stream was idle when its call ended, the device waited for the host. Clocks of host and device
differ by microseconds: where a kernel begins before its call, neither is known. Nor is it for nodes of a graph,
which one call launches together: the last of them begins later by all that the others take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import I64, at_once
from ...timeline import Timeline, graph_nodes, launches_of
from .groups import F64
from .work import Work

#: Up to so many values are kept as they are; of more, how many there are in each 256th of a power of two.
_EXACT = 1 << 14
_DROPPED = 52 - 8
_CHUNK = 1 << 17


class Launched(NamedTuple):
    """By kernel: latency and queueing in ps, -1 unknown. misfits: kernels that begin before their call."""

    latency_ps: I64
    queue_ps: I64
    starved: int
    misfits: int


def launched(timeline: Timeline, work: Work) -> Launched:
    chunks = [_some(timeline, work, at, at + _CHUNK) for at in range(0, max(len(work.rows), 1), _CHUNK)]
    latency, queue = (np.concatenate([p[i] for p in chunks]) for i in range(2))
    return Launched(latency, queue, sum(p.starved for p in chunks), sum(p.misfits for p in chunks))


def _some(timeline: Timeline, work: Work, begin: int, end: int) -> Launched:
    """Of some kernels: arrays that fit the processor's cache are made in no time."""
    events, rows, before = timeline.capture.events, work.rows[begin:end], work.before_ps[begin:end]
    at = at_once(rows)
    call, start = launches_of(timeline).rows[at], events.start_ps[at]
    began = events.start_ps[call]
    ended = began + events.duration_ps[call]
    latency = start - began
    single = (call >= 0) & ~graph_nodes(timeline, rows)
    known = single & (latency >= 0)
    queue = np.clip(before - ended, 0, np.maximum(start - ended, 0))
    return Launched(
        np.where(known, latency, -1),
        np.where(known, queue, -1),
        int(np.count_nonzero(known & (before <= ended))),
        int(np.count_nonzero(single & (latency < 0))),
    )


class Spread(NamedTuple):
    """Values, and how often each was seen."""

    values: F64
    times: I64

    @property
    def total(self) -> int:
        return int(self.times.sum())


def spread(values: I64) -> Spread:
    """Of the values that are known, 0 and more: exact for few, to 0.4 % for many."""
    known = values[values >= 0]
    if len(known) <= _EXACT:
        exact, times = np.unique(known, return_counts=True)
        return Spread(exact.astype(np.float64), times.astype(np.int64))
    # The upper bits of a float: its exponent and the first bits of its fraction.
    times = np.bincount((known + 1.0).view(np.int64) >> _DROPPED)
    used = np.flatnonzero(times)
    middle = ((used << _DROPPED) + (1 << _DROPPED - 1)).view(np.float64) - 1.0
    return Spread(middle, times[used])


def percentile(spreads: Sequence[Spread], part: float) -> float | None:
    """The least value that at least `part` of all values do not exceed; None without values."""
    values = np.concatenate([np.empty(0), *(s.values for s in spreads)])
    times = np.concatenate([np.empty(0, np.int64), *(s.times for s in spreads)])
    if not len(values):
        return None
    order = np.argsort(values, kind="stable")
    so_far = np.cumsum(times[order])
    return float(values[order[np.searchsorted(so_far, part * so_far[-1] * (1 - 1e-12))]])
