"""When GPUs and their streams stood still, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..patterns import regex
from ..tables import EMPTY, I64, Intervals, PlaneKind, among, intervals, numbered
from ..threshold import Threshold
from ..timeline.causes import launches_of
from ..timeline.devices import devices_of, units_at_work_of
from ..timeline.loops.loops import coverage, gaps
from ..timeline.names.kernels import SYNCHRONIZES
from ..timeline.names.ops import python_name
from ..timeline.nesting import outermost
from ..timeline.ops.ops import ops_of
from ..timeline.split.device import device_sets
from ..timeline.split.sets import union
from ..timeline.steps.model import Steps
from ..timeline.timeline import CATEGORIES, Timeline, derived, windows_of
from ..timeline.tracks import device_rows

# A timeline → when a host waits for devices that show no work: what they do then is not in the capture.

LONG = Threshold(
    "a wait for nothing that is seen",
    10**9,
    "ps",
    "a call that waits for a device returns some µs after its work ended; one that goes on for so much longer waits "
    "for work that was launched before the capture, or that the profiler lost",
)
_SYNCHRONIZES = regex(SYNCHRONIZES)


@derived
def silent_waits(timeline: Timeline) -> Intervals:
    """Of all threads together, the parts of such calls in which no device ran anything; short ones left out."""
    rows = waiting_calls(timeline)
    devices = [device.busy for device in devices_of(timeline) if device.events]
    if not len(rows) or not devices:
        return EMPTY
    events = timeline.capture.events
    waits = intervals.union(events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows])
    busy = union(devices)
    silent = intervals.subtraction(waits, busy)
    long = silent.end - silent.begin >= LONG.value
    return Intervals(silent.begin[long], silent.end[long])


def waiting_calls(timeline: Timeline) -> I64:
    """The rows of the driver's calls that wait for a device, and take long enough."""
    rows = timeline.capture.events_named(_SYNCHRONIZES)
    return rows[timeline.capture.events.duration_ps[rows] >= LONG.value]


# A timeline → when each GPU, and each of its streams, stood still between two pieces of work, and why.

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
MOST = Threshold("filled gap", 0.5, "share", "what other streams did is the cause of a gap if it fills this part of it")
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


# Stretches of a program's threads without an event → after what each lies, and which are none of the program's.
#
# Where others want the processor, or a group of processes may have but a part of it, a thread stands still for some ms
# wherever it is; so it does when Python collects garbage by itself. Such pauses are long where the same two operators
# of a step else follow each other at once, and lie at many places. What the program does, a checkpoint every some
# steps, comes back at one place, or lasts each time. It takes PyTorch's operators to tell places apart: events of other
# frameworks have one name for many things.

PAUSE_PS = Threshold(
    "pause",
    500_000_000,
    "ps",
    "calling an op takes Python some µs, a compiled function some 100 µs: what lasts longer is a pause, or work",
)
OFTEN = Threshold(
    "often at one place",
    1 / 3,
    "share",
    "of the times that one event follows another; a pause that comes so often is work of the program's",
)
ONE_PLACE = Threshold(
    "one place of pauses",
    0.5,
    "share",
    "of the time of rare pauses; if one place has more, the program does something there now and then",
)
STEPS = Threshold("steps that are compared", 5, "steps", "in fewer nothing comes so seldom that it is rare")
PLACES = Threshold("places of pauses", 3, "places", "rare pauses at fewer places say nothing of the processor")
READS = Threshold(
    "tensors whose data is read",
    4,
    "calls",
    "of `aten::detach` in a row, right before a stretch without an op: `state_dict()` makes one for each tensor of a "
    "model, which is then written",
)
_DETACHES = regex(r"aten::detach")


class Pauses(NamedTuple):
    """when: stretches of at least `PAUSE_PS`. after: the row of the event that ended last before each, or -1.
    interrupted: those that are no work of the program's. saves: those before which a model's state was read."""

    when: Intervals
    after: I64
    interrupted: NDArray[np.bool_]
    saves: NDArray[np.bool_]


def pauses(timeline: Timeline, steps: Steps, stretches: Intervals) -> Pauses:
    """stretches: without an event on the threads that mark the steps."""
    length = stretches.end - stretches.begin
    long = length >= PAUSE_PS.value
    rows = _rows(timeline, steps) if long.any() else np.empty(0, np.int64)
    begin, end = stretches.begin[long], stretches.end[long]
    if not len(rows):
        nothing = np.zeros(len(begin), bool)
        return Pauses(Intervals(begin, end), np.full(len(begin), -1), nothing, nothing)
    if timeline.capture.capabilities.has_operators:
        ended = _before(timeline, rows, stretches.begin)
        kind = _pair(timeline, ended, _after(timeline, rows, stretches.end))
        before, rare = ended[long], seldom(kind, stretches.begin, length, long, steps)[long]
    else:
        before, rare = _before(timeline, rows, begin), np.zeros(len(begin), bool)
    return Pauses(Intervals(begin, end), before, rare, _reads_state(timeline, rows, before))


def _rows(timeline: Timeline, steps: Steps) -> I64:
    """Events of the threads that mark the steps, but for these marks and functions of Python."""
    events, strings = timeline.capture.events, timeline.capture.strings
    rows = np.flatnonzero(among(events.track, np.unique(steps.lane[steps.lane >= 0])))
    python = np.zeros(len(strings), bool)
    for i in timeline.capture.names_used.tolist():
        python[i] = strings[i].startswith("$") or bool(python_name(strings[i]))
    marks = np.unique(events.name[steps.row[steps.row >= 0]])
    kept = ~python[events.name[rows]] & ~among(events.name[rows], marks) & (events.duration_ps[rows] > 0)
    return rows[kept]


def _before(timeline: Timeline, rows: I64, instants: I64) -> I64:
    """The row that ends last before each instant, the outermost of several; or -1. instants: ascending."""
    events = timeline.capture.events
    place = _last(events.start_ps[rows] + events.duration_ps[rows], events.duration_ps[rows], instants)
    return np.where(place >= 0, rows[place], -1)


def _after(timeline: Timeline, rows: I64, instants: I64) -> I64:
    """The row that begins first after each instant, the outermost of several; or -1. instants: ascending."""
    events, rows = timeline.capture.events, rows[::-1]
    place = _last(-events.start_ps[rows], events.duration_ps[rows], -instants[::-1])[::-1]
    return np.where(place >= 0, rows[place], -1)


def _last(at: I64, length: I64, instants: I64) -> I64:
    """The place of the last of some times up to each instant, of equal ones the longest, then the last; or -1.

    Sorting the times of millions of events for a few instants takes seconds.
    """
    n = len(instants)
    place = np.searchsorted(instants, at)
    latest = np.full(n + 1, np.iinfo(np.int64).min)
    np.maximum.at(latest, place, at)
    some = np.flatnonzero((at == latest[place]) & (place < n))
    some = some[np.argsort(length[some], kind="stable")]
    found = np.full(n, -1)
    found[place[some]] = some
    # Where no time lies between two instants, what is the last up to the one is so up to the other.
    filled = np.maximum.accumulate(np.where(found >= 0, np.arange(n), -1))
    return np.where(filled >= 0, found[filled], -1)


def seldom(kind: I64, begin: I64, length: I64, long: NDArray[np.bool_], steps: Steps) -> NDArray[np.bool_]:
    """Of what a program does again and again, which long ones are none of its own: they come seldom where they are, at
    many places. A place is the kind, and how many of it the step had before."""
    if len(steps) < STEPS.value or not long.any():
        return np.zeros(len(long), bool)
    place = _places(kind, begin, steps)
    times, at_length = np.bincount(place), np.bincount(place[long], minlength=place.max() + 1)
    rare = long & (at_length < OFTEN.value * times)[place]
    of_place = np.bincount(place, np.where(rare, length, 0))
    largest = int(of_place.argmax())
    if of_place[largest] > ONE_PLACE.value * of_place.sum():
        rare &= place != largest
    return rare if len(np.unique(place[rare])) >= PLACES.value else np.zeros(len(rare), bool)


def _places(kind: I64, begin: I64, steps: Steps) -> I64:
    step = np.searchsorted(np.sort(steps.begin_ps), begin, side="right")
    group = numbered(kind * (len(steps) + 1) + step)
    order = np.lexsort((begin, group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    nth = np.empty(len(group), np.int64)
    nth[order] = np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))
    return numbered(kind * (len(group) + 1) + nth)


def _pair(timeline: Timeline, before: I64, following: I64) -> I64:
    """Of each stretch a number for the names around it."""
    name, n = timeline.capture.events.name, len(timeline.capture.strings) + 1
    named = [np.where(rows >= 0, name[rows], n - 1).astype(np.int64) for rows in (before, following)]
    return numbered(named[0] * n + named[1])


def _reads_state(timeline: Timeline, rows: I64, before: I64) -> NDArray[np.bool_]:
    """Whether calls of `aten::detach` by the program itself, and nothing else, come right before."""
    events, detaches = timeline.capture.events, timeline.capture.events_named(_DETACHES)
    if len(detaches) < READS.value:
        return np.zeros(len(before), bool)
    ops = ops_of(timeline).host.rows
    is_op = np.zeros(len(events), bool)
    is_op[ops[among(events.track[ops], np.unique(events.track[rows]))]] = True
    outer = outermost(timeline, is_op)
    is_detach = among(outer, detaches)
    run = np.arange(len(outer)) - np.maximum.accumulate(np.where(is_detach, -1, np.arange(len(outer))))
    place = np.searchsorted(outer, before, side="right") - 1
    found: NDArray[np.bool_] = (place >= 0) & (run[np.maximum(place, 0)] >= READS.value)
    return found
