"""A timeline's counters and memory in use → what a window shows of them: least, largest and last value by pixel."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..analysis.memory.events import Events, SystemName, has_any, memory_events
from ..analysis.memory.series import series
from ..tables import F64, I64, PlaneKind, Scalar, StatKind, TrackKind
from ..timeline.timeline import Timeline, cached
from .groups import natural
from .lanes import Window

#: Counters of one host that are distinguished; rows of one window.
COUNTERS_MAX, COUNTER_ROWS_MAX = 1000, 20_000
#: Of more memory events than these, deallocations are not put to their allocations.
_MATCHED_MAX = 300_000
_NUMBERS = (StatKind.INT, StatKind.UINT, StatKind.DOUBLE)


class Counter(msgspec.Struct, frozen=True, eq=False):
    """One counter. time_ps ascends; a value holds until the next. track: of the capture, or beyond them.

    kind: `counter` or `memory`. plane: row of `planes` that it belongs to. line: the track that holds its samples.
    """

    track: int
    line: int
    kind: str
    plane: int
    name: str
    unit: str
    time_ps: I64
    value: F64


class CounterPart(msgspec.Struct, frozen=True, eq=False):
    """A counter in a window; the rest has a row a pixel. samples: in the window. low, high: of the whole capture."""

    track: int
    name: str
    unit: str
    samples: int
    low: float
    high: float
    start_ps: I64
    min: F64
    max: F64
    last: F64
    count: I64


def _counters(timeline: Timeline) -> Iterator[Counter]:
    """What the capture's counter lines hold: an event a sample, its value in the stat of its name."""
    c = timeline.capture
    room = COUNTERS_MAX
    for track in np.flatnonzero(c.tracks.kind == TrackKind.COUNTER).tolist():
        rows = np.arange(c.tracks.events_begin[track], c.tracks.events_end[track])
        names = c.events.name[rows]
        order = np.argsort(names, kind="stable")
        ids, first = np.unique(names[order], return_index=True)
        # Of a line none of whose events can be shown there is no name, and no part.
        bounds = [*first.tolist(), len(rows)]
        for i, name in enumerate(ids.tolist()):
            room -= 1
            if room < 0:
                return
            mine = rows[order[bounds[i] : bounds[i + 1]]]
            value, known = _values(timeline, c.strings[name], mine)
            if known.any():
                plane, at = int(c.tracks.plane[track]), mine[known]
                yield Counter(track, track, "counter", plane, c.strings[name], "", c.events.start_ps[at], value[known])


def _values(timeline: Timeline, name: str, rows: I64) -> tuple[F64, NDArray[np.bool_]]:
    """By the stat that has the counter's name, else by the event's first one."""
    value, kind = timeline.stat_of(name, rows)
    stats, events = timeline.capture.stats, timeline.capture.events
    begin = events.stats_begin[rows]
    other = (kind == 0) & (events.stats_end[rows] > begin)
    if other.any():
        value, kind = value.copy(), kind.copy()
        value[other], kind[other] = stats.value[begin[other]], stats.kind[begin[other]]
    numbers = np.where(kind == StatKind.UINT, value.view(np.uint64).astype(np.float64), value.astype(np.float64))
    numbers = np.where(kind == StatKind.DOUBLE, value.view(np.float64), numbers)
    return numbers, np.isin(kind, _NUMBERS) & np.isfinite(numbers)


def _memory(timeline: Timeline) -> Iterator[Counter]:
    """What is in use of each memory system after each of its events."""
    if not has_any(timeline):
        return
    c = timeline.capture
    cpus = np.flatnonzero(c.planes.kind == PlaneKind.CPU)
    host = int(cpus[0]) if len(cpus) else 0
    for i, (system, events) in enumerate(memory_events(timeline, with_ops=False).systems):
        if not len(events):
            continue
        time, total = _in_use(system, events)
        plane = system.plane if system.plane >= 0 else host
        name = f"{system.id or 'memory'} in use"
        yield Counter(len(c.tracks) + i, -1, "memory", plane, name, "bytes", time, total)


def _in_use(system: SystemName, events: Events) -> tuple[I64, F64]:
    """Of very many events what the allocator records, if it does; else as the memory page has it."""
    if len(events) > _MATCHED_MAX and bool((events.heap >= 0).all()):
        return events.time_ps, (events.heap + np.maximum(events.stack, 0)).astype(np.float64)
    of = series(system, events)
    return of.events.time_ps, of.total.astype(np.float64)


def counters_of(timeline: Timeline) -> tuple[Counter, ...]:
    """The timeline's counters and memory systems, kept as long as it is."""
    return cached(timeline, _all)


def _all(timeline: Timeline) -> tuple[Counter, ...]:
    """Of a line with several counters the first has its track, and each of the others one beyond the capture's."""
    memory = tuple(_memory(timeline))
    free = itertools.count(max([len(timeline.capture.tracks), *(counter.track + 1 for counter in memory)]))
    taken: set[int] = set()
    found = []
    for counter in _counters(timeline):
        found.append(structs.replace(counter, track=next(free)) if counter.line in taken else counter)
        taken.add(counter.line)
    return (*found, *memory)


def track_count(timeline: Timeline) -> int:
    """How many tracks there are, memory systems among them."""
    return max([len(timeline.capture.tracks), *(counter.track + 1 for counter in counters_of(timeline))])


def counters_by_line(timeline: Timeline) -> dict[int, list[Counter]]:
    """By track that holds samples the counters of it, by name."""
    found: dict[int, list[Counter]] = {}
    for counter in counters_of(timeline):
        if counter.kind == "counter":
            found.setdefault(counter.line, []).append(counter)
    return {line: sorted(counters, key=lambda each: natural(each.name)) for line, counters in found.items()}


def memory_tracks(timeline: Timeline) -> dict[str, list[Scalar]]:
    """Rows of `tracks` for memory systems, which are no tracks of the capture."""
    c = timeline.capture
    found = [counter for counter in counters_of(timeline) if counter.kind == "memory"]
    planes = [counter.plane for counter in found]
    return {
        "plane": list(planes),
        "process": [c.strings[int(c.planes.name[plane])] if len(c.planes) else "" for plane in planes],
        "process_kind": [PlaneKind(int(c.planes.kind[p])).name.lower() if len(c.planes) else "" for p in planes],
        "track": [counter.track for counter in found],
        "name": [counter.name for counter in found],
        "kind": ["memory"] * len(found),
        "lanes": [0] * len(found),
        "events": [len(counter.time_ps) for counter in found],
        "group": ["memory"] * len(found),
    }


def cut_counters(timeline: Timeline, tracks: I64 | None, window: Window, width: int) -> list[CounterPart]:
    """What the window shows of the counters on some tracks, None for all."""
    asked = None if tracks is None else set(tracks.tolist())
    found = [counter for counter in counters_of(timeline) if asked is None or counter.track in asked]
    width = max(1, min(width, COUNTER_ROWS_MAX // max(len(found), 1)))
    return [_cut(counter, window, width) for counter in found]


def _cut(of: Counter, window: Window, width: int) -> CounterPart:
    first, end = np.searchsorted(of.time_ps, (window.start_ps, window.end_ps)).tolist()
    low = max(first - 1, 0)
    time, value = of.time_ps[low:end], of.value[low:end]
    pixel = max(-((window.start_ps - window.end_ps) // width), 1)
    bucket = np.maximum((time - window.start_ps) // pixel, -1)
    begins = np.flatnonzero(np.diff(bucket, prepend=-2)) if len(time) else np.empty(0, np.int64)
    nothing = np.empty(0)
    last = np.append(begins[1:], len(time)) - 1 if len(begins) else begins
    return CounterPart(
        of.track,
        of.name,
        of.unit,
        end - first,
        float(of.value.min()),
        float(of.value.max()),
        time[begins] - window.start_ps,
        np.minimum.reduceat(value, begins) if len(begins) else nothing,
        np.maximum.reduceat(value, begins) if len(begins) else nothing,
        value[last],
        last - begins + 1,
    )
