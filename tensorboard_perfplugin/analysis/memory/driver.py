"""A GPU's allocations as its driver reports them → columns by device.

Collectors write them as text: `memalloc_details` and `MemFree_details` of driver calls, `kind:<k> num_bytes:<n>`, and
`MemoryResidency_details`, an event as long as the allocation lived, with `addr:0x<hex>` too. Where a device has the
latter the calls are left out: they would be the same memory again.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, PlaneKind, StatKind
from ...timeline import Timeline

_RESIDENCY, _ALLOC, _FREE = "MemoryResidency_details", "memalloc_details", "MemFree_details"
_KEYS = (_RESIDENCY, _ALLOC, _FREE)
_BYTES, _ADDRESS = re.compile(r"num_bytes:(\d{1,18})\b"), re.compile(r"addr:0x([0-9a-fA-F]{1,16})\b")
#: Only the begin of such a text is looked at.
_TEXT = 200


class DriverEvents(NamedTuple):
    """Allocations and deallocations by time; address 0 and size -1 are unknown."""

    row: I64
    time_ps: I64
    is_allocation: NDArray[np.bool_]
    address: I64
    size: I64


def has_any(timeline: Timeline) -> bool:
    return any(len(_with(timeline, key)) for key in _KEYS)


def events(timeline: Timeline) -> list[tuple[str, int, DriverEvents]]:
    """For each device its name, its plane and its events."""
    rows = {key: _with(timeline, key) for key in _KEYS}
    if not any(map(len, rows.values())):
        return []
    capture = timeline.capture
    found = []
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist():
        mine = {key: r[capture.tracks.plane[capture.events.track[r]] == plane] for key, r in rows.items()}
        parts = [_residency(timeline, mine[_RESIDENCY])]
        if not len(mine[_RESIDENCY]):
            parts = [_calls(timeline, mine[_ALLOC], _ALLOC, True), _calls(timeline, mine[_FREE], _FREE, False)]
        together = _by_time(parts)
        if len(together.row):
            found.append((f"driver GPU {max(int(capture.planes.ordinal[plane]), 0)}", plane, together))
    return found


def _by_time(parts: list[DriverEvents]) -> DriverEvents:
    order = np.argsort(np.concatenate([part.time_ps for part in parts]), kind="stable")
    columns: list[Any] = [np.concatenate(column)[order] for column in zip(*parts, strict=True)]
    return DriverEvents(*columns)


def _with(timeline: Timeline, key: str) -> I64:
    """Rows of the events that have the stat."""
    if timeline.capture.strings.find(key) < 0:
        return np.empty(0, np.int64)
    return np.flatnonzero(timeline.stat_of(key, None)[1] == StatKind.TEXT)


def _sizes(timeline: Timeline, rows: I64, key: str) -> tuple[I64, I64]:
    """Size and address; every distinct text is read once."""
    ids, at = np.unique(timeline.stat_of(key, rows)[0], return_inverse=True)
    pairs = [_parsed(timeline.capture.strings[i][:_TEXT]) for i in ids.tolist()]
    sizes, addresses = np.array(pairs, np.uint64).reshape(-1, 2).T.astype(np.uint64)
    return sizes.view(np.int64)[at], addresses.view(np.int64)[at]


def _parsed(text: str) -> tuple[int, int]:
    size, address = _BYTES.search(text), _ADDRESS.search(text)
    return int(size[1]) if size else (1 << 64) - 1, int(address[1], 16) if address else 0


def _calls(timeline: Timeline, rows: I64, key: str, is_allocation: bool) -> DriverEvents:
    size, address = _sizes(timeline, rows, key)
    time_ps, n = timeline.capture.events.start_ps[rows], len(rows)
    return DriverEvents(rows, time_ps, np.full(n, is_allocation), address, size)


def _residency(timeline: Timeline, rows: I64) -> DriverEvents:
    """An event is an allocation at its begin and, unless it is an instant, a deallocation at its end."""
    size, address = _sizes(timeline, rows, _RESIDENCY)
    start, duration = timeline.capture.events.start_ps[rows], timeline.capture.events.duration_ps[rows]
    ended = np.flatnonzero(duration > 0)
    return DriverEvents(
        np.concatenate((rows, rows[ended])),
        np.concatenate((start, start[ended] + duration[ended])),
        np.arange(len(rows) + len(ended)) < len(rows),
        np.concatenate((address, address[ended])),
        np.concatenate((size, size[ended])),
    )
