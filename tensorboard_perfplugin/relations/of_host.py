"""A host's timeline → rows of what its capture holds: events and their stats, tracks, launches, flows, memory …

What only some of them need is imported there: a query is of few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import I32, I64, AnyArray, Capture, Column, Launches, PlaneKind, StatKind, TrackKind
from ..timeline.causes import flows_of, launches_of
from ..timeline.nesting import nesting_of
from ..timeline.timeline import Timeline
from .arrow import Cells, Encoded, Texts

#: What owns stats.
OWNERS = ("event", "kind", "plane", "aggregate")


class OfHost(NamedTuple):
    """A relation that is made of each host's timeline alone. columns: without run and host, which all have."""

    name: str
    help: str
    columns: tuple[Column, ...]
    rows: Callable[[Timeline, Encoded], Mapping[str, Cells]]
    coded: tuple[str, ...] = ()


def _texts(ids: AnyArray, pool: Encoded) -> Texts:
    """String ids; the empty text is unknown."""
    return Texts(np.where(ids == 0, -1, ids).astype(np.int32), pool)


def _known(values: NDArray[Any]) -> Cells:
    """Numbers of which a negative one, or NaN, is unknown."""
    unknown = ~(values >= 0)
    return np.ma.MaskedArray(values, unknown) if unknown.any() else values


def _events(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    capture, nesting = timeline.capture, nesting_of(timeline)
    events, tracks = capture.events, capture.tracks
    return {
        "event": np.arange(len(events), dtype=np.int64),
        "plane": _texts(capture.planes.name[tracks.plane][events.track], pool),
        "track": _texts(tracks.name[events.track], pool),
        "track_id": events.track,
        "name": _texts(events.name, pool),
        "start_ps": events.start_ps,
        "duration_ps": events.duration_ps,
        "self_ps": nesting.self_ps,
        "depth": nesting.depth,
        "parent": _known(nesting.parent),
        "kind": _known(events.kind),
    }


EVENTS = OfHost(
    "events",
    "A row is something that ran, or happened; what only sums are known of is in `aggregates`.",
    (
        Column.id("event", "Number of the event on its host, as the trace has it."),
        Column.text("plane", "Name of its plane: a device or a host."),
        Column.text("track", "Name of its track: a thread, a stream, a derived line."),
        Column("track_id", "int32", "id", "Number of its track, as in `tracks`."),
        Column.text("name", "Full name."),
        Column.ps("start_ps", "Begin, from the start of its host's capture."),
        Column.ps("duration_ps", "Length; 0 is an instant."),
        Column.ps("self_ps", "Time in which it is the last begun of its track's running events."),
        Column("depth", "int32", "", "How many events of its track it lies in."),
        Column("parent", "int32", "id", "The innermost event of its track that contains it; unknown where none does."),
        Column(
            "kind",
            "int32",
            "id",
            "What its executions have in common, in `stats` by owner `kind`; unknown without.",
        ),
    ),
    _events,
    ("plane", "track", "name"),
)


def _aggregates(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    capture = timeline.capture
    rows, tracks = capture.aggregates, capture.tracks
    return {
        "aggregate": np.arange(len(rows), dtype=np.int64),
        "plane": _texts(capture.planes.name[tracks.plane][rows.track], pool),
        "track_id": rows.track,
        "name": _texts(rows.name, pool),
        "occurrences": rows.occurrences,
        "duration_ps": rows.duration_ps,
    }


AGGREGATES = OfHost(
    "aggregates",
    "A row is many executions of which only number and total time are known: it has no place on a timeline.",
    (
        Column.id("aggregate", "Its number on its host, in `stats` by owner `aggregate`."),
        Column.text("plane", "Name of its plane."),
        Column("track_id", "int32", "id", "Number of its track, as in `tracks`."),
        Column.text("name", "Full name."),
        Column.count("occurrences", "How many executions."),
        Column.ps("duration_ps", "Their total length."),
    ),
    _aggregates,
    ("plane", "name"),
)


def _planes(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    planes = timeline.capture.planes
    return {
        "plane_id": np.arange(len(planes), dtype=np.int32),
        "plane": _texts(planes.name, pool),
        "kind": [PlaneKind(kind).name.lower() for kind in planes.kind.tolist()],
        "vendor": _texts(planes.vendor, pool),
        "ordinal": _known(planes.ordinal),
    }


PLANES = OfHost(
    "planes",
    "A row is a device or a host.",
    (
        Column("plane_id", "int32", "id", "Its number on its host."),
        Column.text("plane", "Name as in the file."),
        Column.text("kind", "`cpu`, `gpu`, `tpu`, `python`, or `other`."),
        Column.text("vendor", "Vendor of the device; unknown where the capture does not say."),
        Column.integer("ordinal", "Number of the device among its kind; unknown where it has none."),
    ),
    _planes,
    ("plane", "vendor"),
)


def _tracks(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    capture = timeline.capture
    tracks = capture.tracks
    return {
        "track_id": np.arange(len(tracks), dtype=np.int32),
        "track": _texts(tracks.name, pool),
        "plane_id": tracks.plane,
        "plane": _texts(capture.planes.name[tracks.plane], pool),
        "kind": [TrackKind(kind).name.lower() for kind in tracks.kind.tolist()],
        "thread_id": tracks.id,
        "event_count": tracks.events_end - tracks.events_begin,
    }


TRACKS = OfHost(
    "tracks",
    "A row is a thread, a stream, a line that is derived from others, or a line of counters.",
    (
        Column("track_id", "int32", "id", "Its number on its host."),
        Column.text("track", "Its name."),
        Column("plane_id", "int32", "id", "Number of its plane, as in `planes`."),
        Column.text("plane", "Name of its plane."),
        Column.text("kind", "`thread`, `stream`, `derived`, `counter`, or `other`; what is derived counts twice."),
        Column.id("thread_id", "Thread id, stream id or derived id, as in the file."),
        Column.count("event_count", "Its events."),
    ),
    _tracks,
    ("track", "plane"),
)


def _owned(capture: Capture) -> Iterator[tuple[I64, I64, I64]]:
    """Of each kind of owner: the rows of `stats`, their owners, and the owner's place among `OWNERS`."""
    owners: tuple[Any, ...] = (capture.events, capture.kinds, capture.planes, capture.aggregates)
    for place, owner in enumerate(owners):
        counts = owner.stats_end - owner.stats_begin
        total = int(counts.sum())
        first = np.repeat(owner.stats_begin - (np.cumsum(counts) - counts), counts)
        yield first + np.arange(total), np.repeat(np.arange(len(owner)), counts), np.full(total, place)


def _stats(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    capture = timeline.capture
    rows, owners, places = (np.concatenate(each) for each in zip(*_owned(capture), strict=True))
    stats = capture.stats
    key, kind, value = stats.key[rows], stats.kind[rows], stats.value[rows]
    number = np.where(kind == StatKind.UINT, value.view(np.uint64).astype(np.float64), value.astype(np.float64))
    number = np.where(kind == StatKind.DOUBLE, value.view(np.float64), number)
    is_number = np.isin(kind, (StatKind.INT, StatKind.UINT, StatKind.DOUBLE))
    return {
        "owner": Texts(places.astype(np.int32), Encoded(OWNERS)),
        "owner_id": owners,
        "key": _texts(key, pool),
        "text": Texts(np.where(kind == StatKind.TEXT, value, -1).astype(np.int32), pool),
        "number": np.where(is_number, number, np.nan),
    }


STATS = OfHost(
    "stats",
    "A row is a key and its value, of an event, of all events of a kind, of a plane, or of an aggregate.",
    (
        Column.text("owner", "`event`, `kind`, `plane`, or `aggregate`."),
        Column.id("owner_id", "Number of the event, kind, plane or aggregate."),
        Column.text("key", "Name of the stat."),
        Column.text("text", "Its value, where that is a text."),
        Column.number("number", "Its value, where that is a number; beyond 2⁵³ the nearest."),
    ),
    _stats,
    ("owner", "key", "text"),
)


def _launches(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    capture, caller = timeline.capture, launches_of(timeline).rows
    events, recorded = capture.events, capture.kernel_launches
    rows = np.union1d(np.flatnonzero(caller >= 0), recorded.events.row)
    call, launch = caller[rows], recorded.events.launch_of(rows)
    latency = events.start_ps[rows] - events.start_ps[call]
    return {
        "event": rows,
        "name": _texts(events.name[rows], pool),
        "duration_ps": events.duration_ps[rows],
        "call": _known(call),
        "call_name": _texts(np.where(call < 0, 0, events.name[call]), pool),
        "latency_ps": np.ma.MaskedArray(latency, call < 0),
        **{name: _known(_of_launch(values, launch)) for name, values in recorded.launches.columns().items()},
    }


def _of_launch(values: AnyArray, launch: I32) -> AnyArray:
    return np.append(values, np.asarray(-1, values.dtype))[launch]


LAUNCHES = OfHost(
    "launches",
    "A row is a kernel or a copy that a host event launched, or of which the capture shows how it was launched.",
    (
        Column.id("event", "Number of the kernel or copy in `events`."),
        Column.text("name", "Its name."),
        Column.ps("duration_ps", "Its length."),
        Column("call", "int32", "id", "Number of the host event that launched it, in `events`."),
        Column.text("call_name", "Name of that."),
        Column.ps("latency_ps", "From the begin of that to its own; negative where the clocks differ."),
        *Launches.COLUMNS,
    ),
    _launches,
    ("name", "call_name"),
)


def _flows(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    flows = flows_of(timeline)
    causes = (launches_of(timeline).rows, flows.producer, flows.region, flows.module)
    effects = [np.flatnonzero(cause >= 0) for cause in causes]
    return {
        "kind": Texts(np.repeat(np.arange(len(causes)), [len(each) for each in effects]), Encoded(_FLOWS)),
        "cause": np.concatenate([cause[rows] for cause, rows in zip(causes, effects, strict=True)]),
        "event": np.concatenate(effects),
    }


_FLOWS = ("launch", "producer", "region", "program")
_FLOW_KINDS = (
    "`launch`: a host event launched a kernel or copy; `producer`: it made the context that the other consumes; "
    "`region`: a thread pool's region that it runs in; `program`: a run of a program on a TPU that it is part of."
)

FLOWS = OfHost(
    "flows",
    "A row is an event, and one that caused it.",
    (
        Column.text("kind", _FLOW_KINDS),
        Column("cause", "int32", "id", "Number of the one that caused it, in `events`."),
        Column.id("event", "Number of the event, in `events`."),
    ),
    _flows,
    ("kind",),
)


def _counters(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    from ..trace.counters import counters_of

    counters = counters_of(timeline)
    capture, place = timeline.capture, np.repeat(np.arange(len(counters)), [len(each.time_ps) for each in counters])
    return {
        "plane": Texts(place, Encoded(capture.strings[int(capture.planes.name[each.plane])] for each in counters)),
        "counter": Texts(place, Encoded(each.name for each in counters)),
        "unit": Texts(place, Encoded(each.unit for each in counters)),
        "time_ps": np.concatenate([np.empty(0, np.int64), *(each.time_ps for each in counters)]),
        "value": np.concatenate([np.empty(0), *(each.value for each in counters)]),
    }


COUNTERS = OfHost(
    "counters",
    "A row is a value that holds until the counter's next one; memory in use is a counter, too.",
    (
        Column.text("plane", "Name of the plane that it belongs to."),
        Column.text("counter", "Its name."),
        Column.text("unit", "`bytes`, or empty where the capture does not say."),
        Column.ps("time_ps", "From when on, from the start of its host's capture."),
        Column.number("value", "The value."),
    ),
    _counters,
    ("plane", "counter", "unit"),
)


def _allocations(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    from ..analysis.memory.events import memory_events

    found = memory_events(timeline)
    systems = [(name, events) for name, events in found.systems if len(events)]
    if not systems:
        return {each.name: np.empty(0, np.int32 if each.dtype == "text" else each.dtype) for each in _OF_MEMORY}
    names, events = zip(*systems, strict=True)

    def column(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(each, name) for each in events])

    return {
        "system": Texts(
            np.repeat(np.arange(len(events)), list(map(len, events))), Encoded(each.id or "memory" for each in names)
        ),
        "event": column("row"),
        "time_ps": column("time_ps"),
        "is_allocation": column("is_allocation"),
        "size_bytes": _known(column("size")),
        "requested_bytes": _known(column("requested")),
        "address": np.ma.MaskedArray(column("address"), ~column("has_address")),
        "op_name": Texts(column("op"), Encoded(found.names.name)),
        "region": _texts(column("region"), pool),
        "shape": _texts(column("shape"), pool),
    }


_OF_MEMORY = (
    Column.text("system", "The memory system: an allocator and its device."),
    Column.id("event", "Number of the event in `events`."),
    Column.ps("time_ps", "When, from the start of its host's capture."),
    Column.flag("is_allocation", "Whether it allocates; else it frees."),
    Column.bytes("size_bytes", "What was allocated or freed."),
    Column.bytes("requested_bytes", "What was asked for."),
    Column.id("address", "Where, as 64 bits."),
    Column.text("op_name", "The op that it was for; empty where none is known."),
    Column.text("region", "What the memory is for: `output`, `temp`, `persist` …"),
    Column.text("shape", "Shape of the tensor."),
)

ALLOCATIONS = OfHost(
    "allocations",
    "A row is memory that was allocated or freed.",
    _OF_MEMORY,
    _allocations,
    ("system", "op_name", "region", "shape"),
)


def _hosts(timeline: Timeline, pool: Encoded) -> Mapping[str, Cells]:
    capture = timeline.capture
    begin, end = capture.span_ps
    return {
        "hostname": [capture.hostname or None],
        "format": [str(capture.format)],
        "start_ns": [capture.start_ns],
        "span_ps": [end - begin],
        "event_count": [len(capture.events)],
        "dropped_count": [sum(capture.quality.dropped.values())],
        "warning_count": [len(capture.quality.warnings)],
    }


HOSTS = OfHost(
    "hosts",
    "A row is a host's capture.",
    (
        Column.text("hostname", "What the capture calls it; unknown where it does not."),
        Column.text("format", "Format of the file."),
        Column("start_ns", "int64", "ns", "Start of the capture since the epoch; unknown where times are relative."),
        Column.ps("span_ps", "First begin to last end of its events."),
        Column.count("event_count", "Events that are shown."),
        Column.count("dropped_count", "Events of the file that are not."),
        Column.count("warning_count", "What was noted about the file."),
    ),
    _hosts,
)

OF_HOSTS = (HOSTS, PLANES, TRACKS, EVENTS, AGGREGATES, STATS, LAUNCHES, FLOWS, COUNTERS, ALLOCATIONS)
