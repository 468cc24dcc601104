"""A timeline and what is chosen of it → which events are of that, and as far as they lie in it.

What devices do belongs to the step that caused it, and is kept whole, also where it ends later. Hosts' threads are cut
to the time of the steps, by the host's own marks where the work on devices comes later; so is what of devices belongs
to no step. Of a stretch of time all is cut to it. A counter keeps the value that it had.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import EMPTY, I64, Capture, Events, Intervals, PlaneKind, TrackKind, intervals
from ..assignment.assignment import assignment_of
from ..steps.find import find
from ..steps.model import Steps
from ..timeline import Timeline
from ..windows import Windows
from .selection import Selection

Mask = NDArray[np.bool_]
#: Events that are clipped at a time: arrays that fit the processor's cache are made in no time.
_CHUNK = 1 << 16


class Pieces(NamedTuple):
    """By track, start, longer first: rows of the whole's events, and as far as they are kept. An event that lies in
    several parts of what is chosen has a piece in each. windows: the time that is chosen."""

    row: I64
    start_ps: I64
    duration_ps: I64
    windows: Windows


def pieces_of(timeline: Timeline, selection: Selection) -> Pieces:
    """Raises ArgumentError for a choice of steps that cannot be read."""
    capture, events = timeline.capture, timeline.capture.events
    on_device, counts = _kinds(capture)
    if selection.span_ps is not None:
        begin, end = selection.span_ps
        window = Intervals(np.array([begin]), np.array([end]))
        windows, whole, beyond = Windows(window, window), np.zeros(0, np.int64), np.ones(len(events), bool)
    else:
        found = assignment_of(timeline, selection.choice)
        windows = _windows(timeline, selection, found.steps)
        chosen = np.zeros(len(found.steps) + 1, bool)
        chosen[selection.rows(found.steps)] = True
        worked = on_device & ~counts
        whole, beyond = np.flatnonzero(worked & chosen[found.step]), ~worked | (found.step < 0)
    beyond &= ~counts
    parts = [
        (whole, events.start_ps[whole], events.duration_ps[whole]),
        _clipped(events, np.flatnonzero(beyond & ~on_device), windows.host),
        _clipped(events, np.flatnonzero(beyond & on_device), windows.device),
        _samples(events, np.flatnonzero(counts & ~on_device), windows.host),
        _samples(events, np.flatnonzero(counts & on_device), windows.device),
    ]
    row, start, duration = _in_order(events.track, *(np.concatenate(column) for column in zip(*parts, strict=True)))
    return Pieces(row, start, duration, _recorded(windows, on_device[row] & ~counts[row], start, duration))


def _kinds(capture: Capture) -> tuple[Mask, Mask]:
    """By event whether it is of a device, and whether it is a counter's."""
    of_device = np.isin(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[capture.tracks.plane]
    counts = capture.tracks.kind == TrackKind.COUNTER
    return of_device[capture.events.track], counts[capture.events.track]


def _windows(timeline: Timeline, selection: Selection, steps: Steps) -> Windows:
    """When hosts and devices were at the chosen steps."""
    device = _walls(selection.of(steps))
    if not steps.on_device or not len(device.begin):
        return Windows(device, device)
    marks = find(timeline, selection.choice)
    same = not marks.on_device and len(marks) == len(steps)
    return Windows(_walls(selection.of(marks)) if same else device, device)


def _walls(steps: Steps) -> Intervals:
    return intervals.union(steps.begin_ps, steps.until_ps)


def _clipped(events: Events, rows: I64, window: Intervals) -> tuple[I64, I64, I64]:
    """What of some events lies in a window; an instant does when it is in it."""
    if not len(window.begin):
        return EMPTY.begin, EMPTY.begin, EMPTY.begin
    some = (_chunk_clipped(events, rows[low : low + _CHUNK], window) for low in range(0, len(rows), _CHUNK))
    row, start, duration = zip(*some, (EMPTY.begin,) * 3, strict=True)
    return np.concatenate(row), np.concatenate(start), np.concatenate(duration)


def _chunk_clipped(events: Events, rows: I64, window: Intervals) -> tuple[I64, I64, I64]:
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    # Of a long capture most are nowhere near.
    near = np.flatnonzero((end >= window.begin[0]) & (begin <= window.end[-1]))
    rows, begin, end = rows[near], begin[near], end[near]
    first = np.searchsorted(window.end, begin, side="right")
    last = np.where(end > begin, np.searchsorted(window.begin, end), np.searchsorted(window.begin, begin, side="right"))
    count = np.maximum(last - first, 0)
    at = np.repeat(np.arange(len(rows)), count)
    part = np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count) + first[at]
    start = np.maximum(begin[at], window.begin[part])
    return rows[at], start, np.minimum(end[at], window.end[part]) - start


def _samples(events: Events, rows: I64, window: Intervals) -> tuple[I64, I64, I64]:
    """A counter's samples in a window, and at the begin of each part of it the one before."""
    inside, start, _ = _clipped(events, rows, window)
    names = events.track[rows].astype(np.int64) << 32 | events.name[rows]
    order = np.lexsort((events.start_ps[rows], names))
    rows, names = rows[order], names[order]
    before = [(inside, start)]
    for first, last in zip(*_runs(names), strict=True):
        times = events.start_ps[rows[first:last]]
        place = np.searchsorted(times, window.begin, side="right") - 1
        is_new = (place >= 0) & (times[place] < window.begin)
        before.append((rows[first:last][place[is_new]], window.begin[is_new]))
    row, start = (np.concatenate(column) for column in zip(*before, strict=True))
    return row, start, np.zeros(len(row), np.int64)


def _runs(keys: I64) -> tuple[list[int], list[int]]:
    """Where each run of equal keys begins and ends."""
    begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return begins.tolist(), [*begins[1:].tolist(), len(keys)][: len(begins)]


def _in_order(track: NDArray[np.int32], row: I64, start: I64, duration: I64) -> tuple[I64, I64, I64]:
    """By track, start, longer first. Most are in order by their rows."""
    if (row[1:] < row[:-1]).any():
        order = np.argsort(row, kind="stable")
        row, start, duration = row[order], start[order], duration[order]
    of = track[row]
    same, later = of[1:] == of[:-1], start[1:] > start[:-1]
    tie = (start[1:] == start[:-1]) & (duration[1:] <= duration[:-1])
    if (~same | later | tie).all():
        return row, start, duration
    order = np.lexsort((-duration, start, of))
    return row[order], start[order], duration[order]


def _recorded(windows: Windows, worked: Mask, start: I64, duration: I64) -> Windows:
    """The windows as far as there are events, of devices as long as they worked."""
    if not len(start):
        return Windows(EMPTY, EMPTY)
    first, last = int(start.min()), int((start + duration).max())
    begin, end = start[worked], start[worked] + duration[worked]
    device = intervals.union(*map(np.concatenate, zip(windows.device, (begin, end), strict=True)))
    return Windows(intervals.clip(windows.host, first, last), intervals.clip(device, first, last))
