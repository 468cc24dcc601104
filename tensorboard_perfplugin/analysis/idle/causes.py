"""A timeline → when each GPU, and each of its streams, stood still between two pieces of work, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Intervals, PlaneKind, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import CATEGORIES, Timeline, coverage, device_rows, gaps, launches_of, units_at_work_of, windows_of
from ...timeline.split import device_sets, union
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
#: Gaps whose causes are found at a time.
_AT_A_TIME = 1 << 14
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
    found = gaps(rows, events.start_ps, events.duration_ps, launches_of(timeline).rows)
    window = windows_of(timeline).device
    when = Intervals(_in_window(window, *found.when), found.when.end)
    late_ps = np.maximum(found.when.begin + found.late_ps - when.begin, 0)
    span = intervals.clip(window, int(events.start_ps[rows[0]]), found.until_ps)
    return StoodStill(span.total, when, late_ps, found.ended)


def _in_window(window: Intervals, begin: I64, end: I64) -> I64:
    """Where gaps begin whose end is known: in that part of the window, if it is in parts."""
    if len(window.begin) < 2:
        return begin
    return np.maximum(begin, window.begin[np.maximum(np.searchsorted(window.begin, end) - 1, 0)])


def _gaps(timeline: Timeline, track: int, rows: I64, others: dict[int, Intervals]) -> Gaps:
    """rows: by begin."""
    span_ps, when, late_ps, ended = _between(timeline, rows)
    cause = np.empty(len(ended), np.int64)
    # A million at once takes ten arrays of as many, each of new memory.
    for low in range(0, len(ended), _AT_A_TIME):
        part = slice(low, low + _AT_A_TIME)
        cause[part] = _of_some(timeline, Intervals(when.begin[part], when.end[part]), ended[part], others)
    return Gaps(track, span_ps, when, cause, late_ps)


def _of_some(timeline: Timeline, when: Intervals, ended: I64, others: dict[int, Intervals]) -> I64:
    """The causes of some gaps, in order, at least one."""
    launch = launches_of(timeline).rows[ended].astype(np.int64)
    launched = np.where(launch >= 0, timeline.capture.events.start_ps[launch], -1)
    waits = coverage(silent_waits(timeline), *when)
    unseen = waits >= np.maximum(MOST.value * (when.end - when.begin), LONG.value)
    return _causes(launched, unseen, when, {cause: _near(one, when) for cause, one in others.items()})


def _near(a: Intervals, when: Intervals) -> Intervals:
    """Those intervals of a set that reach into what lies between the first begin and the last end of others."""
    part = slice(*(int(np.searchsorted(*at)) for at in ((a.end, when.begin[0], "right"), (a.begin, when.end[-1]))))
    return Intervals(a.begin[part], a.end[part])


def _causes(launched: I64, unseen: NDArray[np.bool_], when: Intervals, others: dict[int, Intervals]) -> I64:
    """launched: when what ran next was, -1 unknown. unseen: whether the host waited for what the capture lacks."""
    length = when.end - when.begin
    filled = [coverage(others[cause], *when) for cause in (_COLLECTIVE, _COPY, _STREAM)]
    largest = np.maximum(np.maximum(filled[0], filled[1]), filled[2])
    # Of equal ones the first.
    most = np.where(filled[0] == largest, _COLLECTIVE, np.where(filled[1] == largest, _COPY, _STREAM))
    rest = np.where(largest >= MOST.value * length, most, _UNATTRIBUTED)
    cause: I64 = np.where((launched > when.begin) & ~unseen, _HOST, np.where(length < SHORT.value, _KERNEL, rest))
    return cause


def _others(timeline: Timeline, plane: int) -> dict[int, Intervals]:
    """When a device's streams run collectives, copies, and anything else."""
    parts: dict[int, list[Intervals]] = {_COLLECTIVE: [], _COPY: [], _STREAM: []}
    for category, when in device_sets(timeline, plane).items():
        group = "copy" if category >= len(CATEGORIES) else CATEGORIES[category].group
        parts[{"collective": _COLLECTIVE, "copy": _COPY}.get(group, _STREAM)].append(when)
    return {cause: union(whens) for cause, whens in parts.items()}


def causes_of(column: str) -> tuple[int, ...]:
    """The places in CAUSES that a column of the table sums up."""
    name = column.removesuffix("_ms")
    names = {"idle": CAUSES, "other_wait": OTHER}.get(name, (name,) if name in CAUSES else ())
    return tuple(map(CAUSES.index, names))
