"""A timeline → when each GPU, and each of its streams, stood still between two pieces of work, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Intervals, PlaneKind, at_once, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import CATEGORIES, Timeline, device_rows, launches_of, units_at_work_of, windows_of
from ...timeline.split import device_sets
from .silent import LONG, silent_waits

#: Why, in the order in which it is asked. HolisticTraceAnalysis has the first two, and calls all others `other`.
CAUSES = ("host_wait", "kernel_wait", "collective_wait", "copy_wait", "stream_wait", "unattributed")
#: Those that HolisticTraceAnalysis calls `other`.
OTHER = CAUSES[2:]
#: What a gap is called in the trace.
TITLES = (
    "Host launched late",
    "Launch latency",
    "Collective ran",
    "Copy ran",
    "Other stream ran",
    "Unattributed",
)
_HOST, _KERNEL, _COLLECTIVE, _COPY, _STREAM, _UNATTRIBUTED = range(len(CAUSES))
SHORT = Threshold(
    "launch latency",
    30_000_000,
    "ps",
    "what was launched in time and begins so soon waits for nothing else",
    "HolisticTraceAnalysis",
)
MOST = Threshold(
    "filled gap", 0.5, "share", "what other streams did is the cause of a gap if it fills this part of it", CHOSEN
)
#: Stands where a stream's name would.
WHOLE = "all streams"
#: Streams of one device that are looked at, those with the most events.
MAX_STREAMS = 200


class Gaps(NamedTuple):
    """The gaps of a stream, or of a device, in order; times in ps.

    track: -1 for the device as a whole. span_ps: from the begin of the first event to the end of the last one.
    cause: places in CAUSES. late_ps: how much of each gap had passed when the call that launched what ended it
    returned.
    """

    track: int
    span_ps: int
    when: Intervals
    cause: I64
    late_ps: I64


class StoodStill(NamedTuple):
    """The gaps of some events, without their causes; as in `Gaps`. ended: rows of the events that ended each."""

    span_ps: int
    when: Intervals
    late_ps: I64
    ended: I64


class Idle(NamedTuple):
    """Of one stream, or of a device as a whole, times in ps. unit: place of the device in the split's units. stream:
    its name, empty for the whole device. by_cause: as in CAUSES.
    """

    unit: int
    stream: str
    gaps: int
    span_ps: int
    by_cause: tuple[int, ...]

    @property
    def idle_ps(self) -> int:
        return sum(self.by_cause)


def idle_causes(timeline: Timeline) -> tuple[Idle, ...]:
    """Of all GPUs that ran something: of each, then of its streams. What launched a TPU's ops is not recorded."""
    capture, streams = timeline.capture, []
    for unit, device in enumerate(units_at_work_of(timeline)):
        if capture.planes.kind[device.plane] == PlaneKind.TPU:
            continue
        for one in gaps_of(timeline, device.plane):
            length = one.when.end - one.when.begin
            by_cause = np.bincount(one.cause, length, len(CAUSES)).astype(np.int64)
            stream = capture.strings[int(capture.tracks.name[one.track])] if one.track >= 0 else ""
            streams.append(Idle(unit, stream, len(length), one.span_ps, tuple(by_cause.tolist())))
    return tuple(streams)


def gaps_of(timeline: Timeline, plane: int, rows: I64 | None = None) -> Iterator[Gaps]:
    """Of the device as a whole, then of each stream. rows: only of these events, ascending."""
    events = timeline.capture.events
    rows = device_rows(timeline, plane) if rows is None else rows
    if not len(rows):
        return
    others = _others(timeline, plane)
    yield _gaps(timeline, -1, _by_begin(timeline, rows), others)
    streams = np.split(rows, np.flatnonzero(np.diff(events.track[rows])) + 1)
    fewest = sorted((len(one) for one in streams), reverse=True)[:MAX_STREAMS][-1]
    for one in [one for one in streams if len(one) >= fewest][:MAX_STREAMS]:
        yield _gaps(timeline, int(events.track[one[0]]), one, others)


def stood_still(timeline: Timeline, plane: int) -> StoodStill | None:
    """When a device as a whole ran nothing; None of one without events."""
    rows = device_rows(timeline, plane)
    return _between(timeline, _by_begin(timeline, rows)) if len(rows) else None


def _by_begin(timeline: Timeline, rows: I64) -> I64:
    start = timeline.capture.events.start_ps[rows]
    return rows if (start[1:] >= start[:-1]).all() else rows[np.argsort(start, kind="stable")]


def _between(timeline: Timeline, rows: I64) -> StoodStill:
    """rows: by begin."""
    events = timeline.capture.events
    begin = events.start_ps[at_once(rows)]
    reach = np.maximum.accumulate(begin + events.duration_ps[at_once(rows)])
    at = np.flatnonzero(begin[1:] > reach[:-1]) + 1
    window = windows_of(timeline).device
    when = Intervals(_in_window(window, reach[at - 1], begin[at]), begin[at])
    launch = launches_of(timeline).rows[rows[at]].astype(np.int64)
    returned = np.where(launch >= 0, events.start_ps[launch] + events.duration_ps[launch], -1)
    late_ps = np.clip(returned, when.begin, when.end) - when.begin
    span = intervals.clip(window, int(begin[0]), int(reach[-1]))
    return StoodStill(span.total, when, late_ps, rows[at])


def _in_window(window: Intervals, begin: I64, end: I64) -> I64:
    """Where gaps begin whose end is known: in that part of the window, if it is in parts."""
    if len(window.begin) < 2:
        return begin
    return np.maximum(begin, window.begin[np.maximum(np.searchsorted(window.begin, end) - 1, 0)])


def _gaps(timeline: Timeline, track: int, rows: I64, others: dict[int, Intervals]) -> Gaps:
    """rows: by begin."""
    span_ps, when, late_ps, ended = _between(timeline, rows)
    launch = launches_of(timeline).rows[ended].astype(np.int64)
    launched = np.where(launch >= 0, timeline.capture.events.start_ps[launch], -1)
    waits = intervals.coverage(silent_waits(timeline), *when)
    unseen = waits >= np.maximum(MOST.value * (when.end - when.begin), LONG.value)
    return Gaps(track, span_ps, when, _causes(launched, unseen, when, others), late_ps)


def _causes(launched: I64, unseen: NDArray[np.bool_], when: Intervals, others: dict[int, Intervals]) -> I64:
    """launched: when what ran next was, -1 unknown. unseen: whether the host waited for what the capture lacks."""
    length = when.end - when.begin
    filled = np.stack([intervals.coverage(others[cause], *when) for cause in (_COLLECTIVE, _COPY, _STREAM)])
    most = filled.argmax(axis=0)
    busy = np.take_along_axis(filled, most[None], axis=0)[0] >= MOST.value * length
    rest = np.where(busy, _COLLECTIVE + most, _UNATTRIBUTED)
    cause: I64 = np.where((launched > when.begin) & ~unseen, _HOST, np.where(length < SHORT.value, _KERNEL, rest))
    return cause


def _others(timeline: Timeline, plane: int) -> dict[int, Intervals]:
    """When a device's streams run collectives, copies, and anything else."""
    parts: dict[int, list[Intervals]] = {_COLLECTIVE: [], _COPY: [], _STREAM: []}
    for category, when in device_sets(timeline, plane).items():
        group = "copy" if category >= len(CATEGORIES) else CATEGORIES[category].group
        parts[{"collective": _COLLECTIVE, "copy": _COPY}.get(group, _STREAM)].append(when)
    return {
        cause: intervals.union(*map(np.concatenate, zip(*whens, strict=True))) if whens else intervals.EMPTY
        for cause, whens in parts.items()
    }


def causes_of(column: str) -> tuple[int, ...]:
    """The places in CAUSES that a column of the table sums up."""
    name = column.removesuffix("_ms")
    names = {"idle": CAUSES, "other_wait": OTHER}.get(name, (name,) if name in CAUSES else ())
    return tuple(map(CAUSES.index, names))
