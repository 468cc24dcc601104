"""Correlation ids → the host event that launched each kernel or copy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..tables import Capture
from ..tables.capture import I32, I64
from ._ops import INTEGER, device_tracks, devices, host_tracks, rows_of

if TYPE_CHECKING:
    from ._timeline import Timeline

#: A table by id is smaller than sorting as long as ids are this dense.
_CELLS_PER_ID = 8
#: Calls of the driver that carry a correlation id and run nothing on a device.
_RUNS_NOTHING = re.compile(
    r"(?:cu(?:da)?|hip)(?=[A-Z])[A-Za-z]*(?:Synchronize|[Aa]lloc|Free|Event|Query|Wait|Register)|Memory(?:Alloc|Free)"
)


class Launches(NamedTuple):
    """Kernels and copies joined to the host events that launched them.

    rows: for each event of the capture the row of the host event that launched it, -1 where there is none.
    host: how many host events launched something; calls that only wait or allocate are left out.
    device: how many device events ran (kernels and copies).
    unmatched_host, unmatched_device: how many of these found no partner.
    """

    rows: I32
    host: int
    device: int
    unmatched_host: int
    unmatched_device: int


def join(timeline: Timeline) -> Launches:
    """Join by correlation id; by device as well where the launch names one of the capture's (`device_id`).

    ROCm writes agent ids there, which are no device's number: such a launch may be for any device.
    Of several host events with one id the first counts. An id of 0 is none.
    """
    capture = timeline.capture
    rows = np.full(len(capture.events), -1, np.int32)
    launches, ids = with_id(timeline, rows_of(capture, host_tracks(capture)))
    device, kind = timeline.stat_of("device_id", launches)
    planes = devices(capture)
    named = np.isin(kind, INTEGER) & np.isin(device, capture.planes.ordinal[planes])
    ran = 0
    for plane in planes:
        on_plane = rows_of(capture, device_tracks(capture, plane))
        ran += len(on_plane)
        kernels, wanted = with_id(timeline, on_plane)
        for these in (named & (device == capture.planes.ordinal[plane]), ~named):
            if these.any():
                found = _lookup(ids[these], launches[these], wanted)
                rows[kernels] = np.where(rows[kernels] < 0, found, rows[kernels])
    used = np.zeros(len(rows) + 1, bool)
    used[rows] = True
    lost = _launching(capture, launches[~used[launches]])
    matched = int(np.count_nonzero(used[:-1]))
    return Launches(rows, matched + lost, ran, lost, ran - int(np.count_nonzero(rows >= 0)))


def _launching(capture: Capture, rows: I64) -> int:
    """How many of these calls of the driver should have run something on a device."""
    name, count = np.unique(capture.events.name[rows], return_counts=True)
    texts = capture.strings.of(name)
    return sum(n for text, n in zip(texts, count.tolist(), strict=True) if not _RUNS_NOTHING.match(text))


def with_id(timeline: Timeline, rows: I64) -> tuple[I64, I64]:
    """Those of some events that carry a correlation id, and their ids."""
    value, kind = timeline.stat_of("correlation_id", rows)
    has = np.flatnonzero(np.isin(kind, INTEGER) & (value != 0))
    return rows[has], value[has]


def _lookup(keys: I64, rows: I64, wanted: I64) -> I32:
    """The first row of each wanted key, or -1."""
    if not len(keys) or not len(wanted):
        return np.full(len(wanted), -1, np.int32)
    low, high = int(keys.min()), int(keys.max())
    if high - low < _CELLS_PER_ID * len(keys) + 4096:
        table = np.full(high - low + 1, -1, np.int32)
        table[keys[::-1] - low] = rows[::-1]
        inside = (wanted >= low) & (wanted <= high)
        return np.where(inside, table[np.where(inside, wanted - low, 0)], np.int32(-1))
    order = np.argsort(keys, kind="stable")
    ranked = keys[order]
    place = np.minimum(np.searchsorted(ranked, wanted), len(ranked) - 1)
    return np.where(ranked[place] == wanted, rows[order[place]], -1).astype(np.int32)
