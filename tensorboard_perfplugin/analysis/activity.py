"""Timelines → activity over time: a capture cut into equal buckets, and how busy devices and threads are in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import msgspec
import numpy as np

from ..tables import I64, Capture, Cells, Column, Intervals, TableSpec, intervals
from ..timeline.devices import devices_of
from ..timeline.ops.ops import device_waits_of, host_waits_of, ops_of
from ..timeline.timeline import Timeline, windows_of
from ..timeline.tracks import threads_of
from ..units import PS_PER_MS
from .steps.alignment import APART_MAX

#: Buckets of one answer; a power of two long, so that those of several hosts fit into each other.
BUCKETS = 240
#: Room for ps that are added up in 64 bits.
_FAR = 1 << 62

ACTIVITY = TableSpec(
    "activity",
    "Activity over time",
    f"A row is a stretch of time, at most {BUCKETS} of one length; the first and the last are cut to where events are.",
    (
        Column.ms(
            "start_ms",
            "Begin, from the start of the earliest host's capture; where a host does not record its start, from each "
            "host's own.",
        ),
        Column.ms("duration_ms", "Length."),
        Column.share(
            "device_busy_share",
            "Part of it in which a device ran something (union of intervals, on the host's clock); mean over the "
            "devices that ran something in captures that cover it, null where there is none.",
        ),
        Column.share(
            "device_wait_share",
            "Part of it in which a device ran an op that only waits, for a copy, a collective or the host; mean over "
            "the same devices, null where the captures do not record it.",
        ),
        Column(
            "host_op_threads",
            "float64",
            "count",
            "Mean number of host threads that are in an op, all hosts together; null without ops on hosts.",
        ),
        Column(
            "input_wait_threads",
            "float64",
            "count",
            "Mean number of host threads that are in an op that waits for input, what it runs meanwhile included; "
            "null where no op of the captures does.",
        ),
    ),
)


class Grid(msgspec.Struct, frozen=True):
    """One host's time in cells of 2**shift ps, counted from an instant that other hosts may share.

    first: number of the first cell. span_ps: of the host's events, from that instant; recorded: from their
    begin, the time that figures are of. devices: how many ran something.
    covered: ps a cell, summed over devices or threads, of each thing that the capture has: `busy`, `device_waits`,
    `ops`, `input_waits`.
    """

    shift: int
    first: int
    span_ps: tuple[int, int]
    recorded: Intervals
    devices: int
    covered: dict[str, I64]


class OverTime(msgspec.Struct, frozen=True):
    """One host's activity, in cells counted from its start, and from the epoch where it knows it."""

    by_start: Grid
    clock: Grid | None


def activity(timeline: Timeline) -> OverTime | None:
    """None where the events span no time, or none is of a thread or a device."""
    begin, end = timeline.capture.span_ps
    if begin >= end or not (len(threads_of(timeline)) or any(d.events for d in devices_of(timeline))):
        return None
    parts = _parts(timeline)
    start_ns = timeline.capture.start_ns
    window = _window(timeline)
    clock = None if start_ns is None else _grid((begin, end), start_ns * 1000, parts, window)
    return OverTime(_grid((begin, end), 0, parts, window), clock)


def _window(timeline: Timeline) -> Intervals:
    host, device = windows_of(timeline)
    return intervals.union(np.concatenate((host.begin, device.begin)), np.concatenate((host.end, device.end)))


def _parts(timeline: Timeline) -> dict[str, list[Intervals]]:
    """What is summed up: intervals of each device or thread, none twice in one of them."""
    capture, host = timeline.capture, ops_of(timeline).host
    waits = host.rows[host_waits_of(timeline)[host.op]] if len(host.rows) else host.rows
    return {
        "busy": [d.busy for d in devices_of(timeline) if d.events],
        "device_waits": _device_waits(timeline),
        "ops": list(_by_thread(capture, host.rows)),
        "input_waits": list(_by_thread(capture, waits)),
    }


def _device_waits(timeline: Timeline) -> list[Intervals]:
    waits, known = device_waits_of(timeline)
    if not known.any():
        return []
    events, rows = timeline.capture.events, ops_of(timeline).device.rows[waits]
    plane = timeline.capture.tracks.plane[events.track[rows]]
    by_device = (rows[plane == d.plane] for d in devices_of(timeline) if d.events)
    return [intervals.union(events.start_ps[r], events.start_ps[r] + events.duration_ps[r]) for r in by_device]


def _by_thread(capture: Capture, rows: I64) -> Iterator[Intervals]:
    """For each thread the union of some events' intervals; of as many threads at once as 64 bits can keep apart."""
    events, (begin, end) = capture.events, capture.span_ps
    if not len(rows):
        return
    track, start = events.track[rows], events.start_ps[rows] - begin
    rank = np.concatenate(([0], np.cumsum(track[1:] != track[:-1])))
    room = end - begin + 1
    at_once = max(1, _FAR // room)
    for first in range(0, int(rank[-1]) + 1, at_once):
        part = slice(*np.searchsorted(rank, (first, first + at_once)).tolist())
        low = start[part] + (rank[part] - first) * room
        union = intervals.union(low, low + events.duration_ps[rows[part]])
        apart = union.begin // room * room - begin
        yield Intervals(union.begin - apart, union.end - apart)


def _grid(span: tuple[int, int], start_ps: int, parts: dict[str, list[Intervals]], window: Intervals) -> Grid:
    begin, end = start_ps + span[0], start_ps + span[1]
    shift = _shift(begin, end)
    first = begin >> shift
    count = (end - 1 >> shift) - first + 1
    zero = (first << shift) - start_ps
    covered = {name: _covered(some, zero, shift, count) for name, some in parts.items() if some}
    recorded = Intervals(window.begin - span[0], window.end - span[0])
    return Grid(shift, first, (begin, end), recorded, len(parts["busy"]), covered)


def _shift(begin: int, end: int) -> int:
    """The shortest cells of which so few hold [begin, end)."""
    shift = max(0, (end - begin).bit_length() - BUCKETS.bit_length())
    while (end - 1 >> shift) - (begin >> shift) >= BUCKETS:
        shift += 1
    return shift


def _covered(parts: Iterable[Intervals], zero: int, shift: int, count: int) -> I64:
    """How much of each cell the intervals cover, together. Sums may pass 64 bits on the way; what is left fits."""
    length = 1 << shift
    rest, running = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    for part in parts:
        for instants, sign in ((part.begin - zero, 1), (part.end - zero, -1)):
            cell = instants >> shift
            inside = np.zeros(count + 1, np.int64)
            np.add.at(inside, cell, length - (instants & (length - 1)))
            rest += sign * inside
            running += sign * np.bincount(cell, minlength=count + 1)
    covered: I64 = (rest + length * (np.cumsum(running) - running))[:count]
    return covered


def columns(hosts: Sequence[OverTime | None], starts_ns: Sequence[int | None]) -> dict[str, Cells]:
    """All hosts: on one clock where all record their start, else each from its start, as the trace has it."""
    known = [h for h in hosts if h is not None]
    if not known:
        return {c.name: [] for c in ACTIVITY.columns}
    clocks = [h.clock for h in known if h.clock is not None]
    starts = [s for s in starts_ns if s is not None]
    if len(hosts) > 1 and len(starts) == len(hosts) and max(starts) - min(starts) <= APART_MAX.value:
        return _table(clocks, min(starts) * 1000)
    return _table([h.by_start for h in known], 0)


def _table(grids: Sequence[Grid], zero: int) -> dict[str, Cells]:
    begin, end = min(g.span_ps[0] for g in grids), max(g.span_ps[1] for g in grids)
    shift = max(_shift(begin, end), max(g.shift for g in grids))
    first = begin >> shift
    edges = np.array([(first + i << shift) - zero for i in range((end - 1 >> shift) - first + 2)], np.int64)
    edges[0], edges[-1] = begin - zero, end - zero
    low, high = edges[:-1], edges[1:]
    spans = [_moved(g.recorded, g.span_ps[0] - zero) for g in grids]
    devices = sum(g.devices * intervals.coverage(s, low, high) for g, s in zip(grids, spans, strict=True))
    anyone = intervals.union(*(np.concatenate(column) for column in zip(*spans, strict=True)))
    recorded = intervals.coverage(anyone, low, high)
    total = partial(_total, grids, shift, first, len(low))
    return {
        "start_ms": low / PS_PER_MS,
        "duration_ms": (high - low) / PS_PER_MS,
        "device_busy_share": _ratio(total("busy"), np.asarray(devices)),
        "device_wait_share": _ratio(total("device_waits"), np.asarray(devices)),
        "host_op_threads": _ratio(total("ops"), recorded),
        "input_wait_threads": _ratio(total("input_waits"), recorded),
    }


def _moved(a: Intervals, by_ps: int) -> Intervals:
    return Intervals(a.begin + by_ps, a.end + by_ps)


def _total(grids: Sequence[Grid], shift: int, first: int, count: int, name: str) -> I64 | None:
    """One thing of the grids in longer cells, summed over those that describe it."""
    total = None
    for grid in grids:
        cells = grid.covered.get(name)
        if cells is not None:
            place = [(grid.first + i >> shift - grid.shift) - first for i in range(len(cells))]
            total = np.zeros(count, np.int64) if total is None else total
            np.add.at(total, place, cells)
    return total


def _ratio(part: I64 | None, whole: I64) -> list[float | None]:
    if part is None:
        return [None] * len(whole)
    return [p / w if w else None for p, w in zip(part.tolist(), whole.tolist(), strict=True)]
