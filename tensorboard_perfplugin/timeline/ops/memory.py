"""Allocations and frees of PyTorch's allocators → the memory that each call took and gave back, by PyTorch's own rule.

`key_averages()` adds up the bytes of the `[memory]` events from the begin of a call to its end, both included; of its
own are those that are in no call within it. It looks at the events of all threads, here those of the call's thread
count: what runs beside a call is not its.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, among
from ..loops.loops import nest
from ..timeline import Timeline, is_integer

#: `MemoryAllocation` and `MemoryDeallocation` are what the decoder calls PyTorch's `[memory]` events.
_NAMES = ("MemoryAllocation", "MemoryDeallocation")
#: Types of devices (c10/core/DeviceType.h) whose memory is the host's: CPU, MKLDNN, IDEEP; and what has none: Meta.
_HOSTS, _NOTHING = (0, 2, 5), 14
#: So many bytes in all are not believed; up to here sums of floats are exact, too.
_MOST = float(1 << 53)


class CallMemory(NamedTuple):
    """Bytes allocated less bytes freed: of the host's memory (row 0) and of that of devices (row 1).

    total: of shape (2, calls), within each call. own: the same without what is in calls within it. outside: of shape
    (2,), in no call.
    """

    total: I64
    own: I64
    outside: I64


def call_memory(timeline: Timeline, calls: I64) -> CallMemory | None:
    """Of some host events, rows ascending. None where PyTorch recorded no memory, or more than there can be."""
    rows, size = _events(timeline)
    if not len(rows) or np.abs(size.astype(np.float64)).sum() >= _MOST:
        return None
    first, last = _ranges(timeline, rows, calls)
    upto = np.concatenate((np.zeros((2, 1), np.int64), np.cumsum(size, axis=1)), axis=1)
    total = upto[:, last] - upto[:, first]
    n = len(rows) + 1
    running = np.cumsum(np.bincount(first, minlength=n) - np.bincount(last, minlength=n))[:-1]
    return CallMemory(total, _net_of_calls(timeline, calls, total, last > first), size[:, running == 0].sum(axis=1))


def _events(timeline: Timeline) -> tuple[I64, I64]:
    """The rows of the memory events, and their bytes, below 0 where freed, of shape (2, rows)."""
    capture = timeline.capture
    ids = [i for i in map(capture.strings.find, _NAMES) if i >= 0]
    if not capture.capabilities.has_operators or not ids or not timeline.has_stat("Bytes"):
        return np.empty(0, np.int64), np.empty((2, 0), np.int64)
    rows = np.flatnonzero(among(capture.events.name, ids))
    (size, size_kind), (device, known) = (timeline.stat_of(key, rows) for key in ("Bytes", "Device Type"))
    complete = is_integer(size_kind) & is_integer(known)
    rows, size, device = rows[complete], size[complete], device[complete]
    on_host = among(device, _HOSTS)
    return rows, np.stack((np.where(on_host, size, 0), np.where(on_host | (device == _NOTHING), 0, size)))


def _ranges(timeline: Timeline, rows: I64, calls: I64) -> tuple[I64, I64]:
    """Which of the memory events lie in each call, as first place and the one after the last."""
    events = timeline.capture.events
    first, last = np.zeros((2, len(calls)), np.int64)
    track_of_call, track = events.track[calls], events.track[rows]
    for one in np.unique(track).tolist():
        on_track = slice(*np.searchsorted(track_of_call, (one, one + 1)).tolist())
        begin, end = np.searchsorted(track, (one, one + 1)).tolist()
        at, start = events.start_ps[rows[begin:end]], events.start_ps[calls[on_track]]
        first[on_track] = begin + np.searchsorted(at, start, "left")
        last[on_track] = begin + np.searchsorted(at, start + events.duration_ps[calls[on_track]], "right")
    return first, last


def _net_of_calls(timeline: Timeline, calls: I64, total: I64, holds: NDArray[np.bool_]) -> I64:
    """What is not in calls within: of those that hold any, since what is around one holds some, too."""
    events = timeline.capture.events
    at = np.flatnonzero(holds)
    rows = calls[at]
    parent = nest(events.track[rows], events.start_ps[rows], events.duration_ps[rows]).parent
    inner = np.flatnonzero(parent >= 0)
    net = total.copy()
    for side, whole in zip(net, total, strict=True):
        np.subtract.at(side, at[parent[inner]], whole[at[inner]])
    return net
