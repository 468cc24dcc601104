"""PyTorch's calls on the host → the time of what they launched on devices, by op, as in `key_averages()`."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from ...tables import I32, I64
from ...timeline import Ops, Timeline, device_calls_of, enclosing_of


class DeviceTime(NamedTuple):
    """Sums of the durations of kernels, copies and fills, in ps: of what calls of an op launched themselves (self_ps),
    and with what the calls within them launched."""

    total_ps: int
    self_ps: int

    def plus(self, other: DeviceTime) -> DeviceTime:
        return DeviceTime(self.total_ps + other.total_ps, self.self_ps + other.self_ps)


def device_times(timeline: Timeline, ops: Ops) -> dict[int, DeviceTime]:
    """By index of op, of those that ran on the host; nothing where PyTorch or a device is missing."""
    calls, op = ops.host.rows, ops.host.op
    if not timeline.capture.capabilities.has_operators or not len(ops.device.rows) or not len(calls):
        return {}
    own = _own_ps(timeline, ops)
    total = _with_inner(timeline, calls, own)
    sums = [np.bincount(op, weights=ps, minlength=len(ops.ops)) for ps in (total, own)]
    present = np.flatnonzero(np.bincount(op)).tolist()
    return {i: DeviceTime(int(sums[0][i]), int(sums[1][i])) for i in present}


def _own_ps(timeline: Timeline, ops: Ops) -> I64:
    """Of each call the durations of what it launched, and no call within it."""
    events, calls = timeline.capture.events, ops.host.rows
    called = device_calls_of(timeline).astype(np.int64)
    known = called >= 0
    called, duration = called[known], events.duration_ps[ops.device.rows[known]]
    is_call = np.zeros(len(events), bool)
    is_call[calls] = True
    repeats = ~is_call[called]
    if repeats.any():
        # A call that only repeats the one around it is none: what it launched is that one's.
        called[repeats] = enclosing_of(timeline, is_call, called[repeats])
    of_call = called >= 0
    by_event = np.bincount(called[of_call], duration[of_call], len(events))
    return by_event[calls].astype(np.int64)


def _with_inner(timeline: Timeline, calls: I64, own: I64) -> I64:
    """Of each call its own with that of all calls that begin within it, on its thread."""
    events = timeline.capture.events
    start, track = events.start_ps[calls], events.track[calls]
    end, last = start + events.duration_ps[calls], np.arange(1, len(calls) + 1)
    for first, until in _tracks(track):
        at = first + np.searchsorted(start[first:until], end[first:until], "left")
        last[first:until] = np.maximum(last[first:until], at)
    upto = np.concatenate(([0], np.cumsum(own)))
    total: I64 = upto[last] - upto[: len(calls)]
    return total


def _tracks(track: I32) -> list[tuple[int, int]]:
    return list(itertools.pairwise([0, *(np.flatnonzero(np.diff(track)) + 1).tolist(), len(track)]))
