"""One memory system and a window of time → its use over time, a row a pixel, with the lowest and the highest."""

from __future__ import annotations

import numpy as np

from ...tables import Cells, Scalar
from ...tables.capture import I64
from .columns import TIMELINE
from .host import Host, op_codes
from .series import Series
from .words import PS_PER_MS, addresses, fractions, told, type_name

ALLOCATES, FREES = "allocation", "deallocation"


def time_table(host: Host, of: Series, begin_ps: int, end_ps: int, pixels: int) -> dict[str, Cells]:
    """The table `timeline` of [begin, end]. With no more events than pixels every event is a row of its own."""
    time = of.events.time_ps
    low = int(np.searchsorted(time, begin_ps))
    high = max(int(np.searchsorted(time, end_ps, side="right")), low)
    begins, length = _stretches(time[low:high], begin_ps, end_ps, pixels)
    first = begins + low
    last = np.append(first, high)[1:] - 1 if len(first) else first
    found = _cells(host, of, first, last, high)
    start = time[first] if not length else begin_ps + (time[first] - begin_ps) // length * length
    until = np.append(start[1:], end_ps) if not length else np.minimum(start + length, max(end_ps, begin_ps))
    found["start_ms"] = (start / PS_PER_MS).tolist()
    found["duration_ms"] = (np.maximum(until - start, 0) / PS_PER_MS).tolist()
    head = _level(of, low, begin_ps, int(start[0]) if len(start) else end_ps)
    return {c.name: [head[c.name], *found[c.name]] for c in TIMELINE.columns}


def _stretches(time: I64, begin_ps: int, end_ps: int, pixels: int) -> tuple[I64, int]:
    """The first event of each stretch that has any, and its length; length 0: each event is a stretch."""
    if len(time) <= pixels:
        return np.arange(len(time)), 0
    length = max(-(-(end_ps - begin_ps + 1) // pixels), 1)
    bucket = (time - begin_ps) // length
    return np.flatnonzero(np.concatenate(([True], bucket[1:] != bucket[:-1]))), length


def _cells(host: Host, of: Series, first: I64, last: I64, high: int) -> dict[str, list[Scalar]]:
    """All cells but the stretch's own time."""
    events, total = of.events, of.total
    if not len(first):
        return {c.name: [] for c in TIMELINE.columns}
    shown = total[int(first[0]) : high]
    most = np.maximum.reduceat(shown, first - first[0])
    highest = np.flatnonzero(shown == np.repeat(most, last - first + 1)) + first[0]
    at = highest[np.searchsorted(highest, first)]
    return {
        "events": (last - first + 1).tolist(),
        "min_bytes": np.minimum.reduceat(shown, first - first[0]).tolist(),
        "max_bytes": most.tolist(),
        "last_bytes": total[last].tolist(),
        "time_ms": (events.time_ps[at] / PS_PER_MS).tolist(),
        "stack_bytes": of.stack[at].tolist(),
        "heap_bytes": of.heap[at].tolist(),
        "free_bytes": told(events.free[at]),
        "fragmentation_share": fractions(events.fragmentation[at]),
        "activity": [ALLOCATES if a else FREES for a in events.is_allocation[at].tolist()],
        "op": host.ops(op_codes(of)[at]),
        "step": host.step_names(events.row[at]),
        "address": addresses(events.address[at], events.has_address[at]),
        "requested_bytes": told(_own(of, events.requested, at)),
        "allocation_bytes": of.size[at].tolist(),
        "region": host.texts(_own(of, events.region, at)),
        "data_type": [type_name(n) for n in _own(of, events.data_type, at).tolist()],
        "shape": host.texts(_own(of, events.shape, at)),
    }


def _own(of: Series, values: I64, at: I64) -> I64:
    """A value of some events, of a deallocation that of its allocation where that is there."""
    return values[np.where(of.freed[at] >= 0, of.freed[at], at)]


def _level(of: Series, low: int, begin_ps: int, until_ps: int) -> dict[str, Scalar]:
    """The row of the window's begin: the level that the event before it left."""
    heap, stack = (int(of.heap[low - 1]), int(of.stack[low - 1])) if low else (of.heap_at_begin, int(of.stack[0]))
    names = ("activity", "op", "step", "address", "region", "data_type", "shape")
    row: dict[str, Scalar] = {c.name: "" if c.name in names else None for c in TIMELINE.columns}
    level = dict.fromkeys(("min_bytes", "max_bytes", "last_bytes"), heap + stack)
    start = begin_ps / PS_PER_MS
    row |= {"start_ms": start, "time_ms": start, "duration_ms": max(until_ps - begin_ps, 0) / PS_PER_MS, "events": 0}
    return row | level | {"heap_bytes": heap, "stack_bytes": stack}
