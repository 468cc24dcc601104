"""Correlation ids → the host event that launched each kernel or copy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture, among
from ..timeline import Timeline, derived, is_integer
from ..tracks.tracks import device_planes, device_tracks, host_tracks
from ..tracks.work import at_work

#: A table by id is smaller than sorting as long as ids are this dense.
_CELLS_PER_ID = 8
_CHUNK = 1 << 18
#: Of so many the launches are found one device after the other; of more by sorting.
_FEW_DEVICES = 16
#: Calls of the driver and the runtime: collectors give them all a correlation id …
_CALL = re.compile(r"(?:cu(?:da)?|hip)[A-Z]\w*|Memory(?:Alloc|Free)|Host(?:Un)?[Rr]egister")
#: … though only these run something on a device.
_RUNS = re.compile(r"\w*(?:Launch(?!HostFunc)|Memcpy|Memset)\w*")
#: Between these a thread's launches go into a graph, and run nothing until that is launched.
_CAPTURE = re.compile(r"(?:cu(?:da)?|hip)Stream(Begin|End)Capture(?!Info)\w*")


class Launches(NamedTuple):
    """Kernels and copies joined to the host events that launched them.

    rows: for each event of the capture the row of the host event that launched it, -1 where there is none.
    host: how many host events launched something; calls that only wait or allocate are left out.
    device: how many device events ran (kernels and copies).
    unmatched_device: how many of these found no partner. lost: rows of host events that found none.
    """

    rows: I32
    host: int
    device: int
    unmatched_device: int
    lost: I64

    @property
    def unmatched_host(self) -> int:
        """How many of the host events found no partner."""
        return len(self.lost)


@derived
def launches_of(timeline: Timeline) -> Launches:
    """Kernels and copies joined to the host events that launched them, by correlation id.

    By device as well where the launch names one of the capture's (`device_id`).
    ROCm writes agent ids there, which are no device's number: such a launch may be for any device.
    Of several host events with one id the first counts. An id of 0 is none.
    """
    capture = timeline.capture
    rows = np.full(len(capture.events), -1, np.int32)
    calls = list(_chunks(capture, host_tracks(capture)))
    launches, ids, device, kind = timeline.numbered("correlation_id", calls, "device_id")
    planes = device_planes(capture)
    numbers = np.unique(capture.planes.ordinal[planes])
    named = is_integer(kind) & among(device, numbers)
    of = _by_device(device, named, numbers)
    nameless = _Rows(ids[~named], launches[~named]) if not named.all() else None
    ran = 0
    for plane in planes:
        here = of.get(int(capture.planes.ordinal[plane]))
        tables = [_Rows(ids[here], launches[here])] if here is not None else []
        tables += [nameless] if nameless else []
        for chunk in _chunks(capture, device_tracks(capture, plane)):
            events = at_work(timeline, plane, np.arange(*chunk))
            ran += len(events)
            kernels, wanted = _with_id(timeline, events)
            for table in tables:
                rows[kernels] = np.where(rows[kernels] < 0, table.find(wanted), rows[kernels])
    used = np.zeros(len(rows) + 1, bool)
    used[rows] = True
    lost = _launching(capture, launches[~used[launches]])
    matched = int(np.count_nonzero(used[:-1]))
    return Launches(rows, matched + len(lost), ran, ran - int(np.count_nonzero(rows >= 0)), lost)


def _by_device(device: I64, named: NDArray[np.bool_], numbers: I64) -> dict[int, I64 | slice]:
    """By the number of a device the launches, in order, that name it."""
    if len(numbers) == 1 and len(named) and named.all():
        return {int(numbers[0]): slice(None)}
    if len(numbers) <= _FEW_DEVICES:
        found = {number: np.flatnonzero(named & (device == number)) for number in numbers.tolist()}
        return {number: rows for number, rows in found.items() if len(rows)}
    rows = np.flatnonzero(named)
    rows = rows[np.argsort(device[rows], kind="stable")]
    distinct, first = np.unique(device[rows], return_index=True)
    return dict(zip(distinct.tolist(), np.split(rows, first[1:]), strict=bool(len(distinct))))


def _launching(capture: Capture, rows: I32) -> I64:
    """Which of these calls of the driver should have run something on a device."""
    rows = np.sort(rows)
    name, which = np.unique(capture.events.name[rows], return_inverse=True)
    texts = capture.strings.of(name)
    idle = np.array([_CALL.match(text) is not None and _RUNS.match(text) is None for text in texts], bool)
    sides = [match[1] if (match := _CAPTURE.match(text)) else "" for text in texts]
    begins, ends = (rows[np.array([each == side for each in sides], np.bool_)[which]] for side in ("Begin", "End"))
    return rows[~idle[which] & ~_within(capture, rows, begins, ends)].astype(np.int64)


def _within(capture: Capture, rows: I32, begins: I32, ends: I32) -> NDArray[np.bool_]:
    """Which of some rows lie between a row of `begins` and the next of `ends` on its track. All in order."""
    if not len(begins):
        return np.zeros(len(rows), bool)
    tracks_end = np.sort(capture.tracks.events_end)
    stop = np.append(ends, len(capture.events))[np.searchsorted(ends, begins)]
    stop = np.minimum(stop, tracks_end[np.searchsorted(tracks_end, begins, "right")])
    last = np.searchsorted(begins, rows, "right") - 1
    inside: NDArray[np.bool_] = (last >= 0) & (rows < stop[np.maximum(last, 0)])
    return inside


def _chunks(capture: Capture, tracks: I64) -> Iterator[tuple[int, int]]:
    """First event row of some tracks and one past the last, many at a time: arrays that fit the processor's cache are
    made in no time."""
    tracks = tracks[capture.tracks.events_end[tracks] > capture.tracks.events_begin[tracks]]
    begins, ends = capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks]
    apart = begins[1:] != ends[:-1]
    first, last = begins[np.append(True, apart)[: len(tracks)]], ends[np.append(apart, True)[: len(tracks)]]
    for begin, end in zip(first.tolist(), last.tolist(), strict=True):
        yield from ((low, min(low + _CHUNK, end)) for low in range(begin, end, _CHUNK))


def _with_id(timeline: Timeline, rows: I64) -> tuple[I32, I64]:
    """Those of some events that carry a correlation id, and their ids."""
    value, kind = timeline.stat_of("correlation_id", rows)
    has = np.flatnonzero(is_integer(kind) & (value != 0))
    return rows[has].astype(np.int32), value[has]


class _Rows:
    """The first row of each key: a table where the keys are dense, else sorted keys."""

    def __init__(self, keys: I64, rows: I32) -> None:
        self.low, self.high = int(keys.min()), int(keys.max())
        self.dense = self.high - self.low < _CELLS_PER_ID * len(keys) + 4096
        if self.dense:
            self.rows = np.full(self.high - self.low + 1, -1, np.int32)
            self.rows[keys[::-1] - self.low] = rows[::-1]
        else:
            order = np.argsort(keys, kind="stable")
            self.keys, self.rows = keys[order], rows[order]

    def find(self, wanted: I64) -> I32:
        """The row of each wanted key, or -1."""
        if self.dense:
            inside = (wanted >= self.low) & (wanted <= self.high)
            return np.where(inside, self.rows[np.where(inside, wanted - self.low, 0)], np.int32(-1))
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, self.rows[place], np.int32(-1))
