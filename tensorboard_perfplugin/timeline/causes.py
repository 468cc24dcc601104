"""What caused each event: launches, contexts, regions of thread pools, runs of programs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..messages import Message, message
from ..patterns import regex
from ..tables import I32, I64, LAUNCHES_FOR, Capture, PlaneKind, alike, among, at_once
from ..threshold import Threshold
from .loops.loops import caused, inherit, nearest, nest, spread
from .nesting import nesting_of
from .timeline import Timeline, derived, is_integer
from .tracks import at_work, device_planes, device_rows, device_tracks, host_tracks, rows_by_track, rows_of

# Correlation ids → the host event that launched each kernel or copy.

#: A table by id is smaller than sorting as long as ids are this dense.
_CELLS_PER_ID = 8
_CHUNK = 1 << 18
#: Of so many the launches are found one device after the other; of more by sorting.
_FEW_DEVICES = 16
#: Calls of the driver and the runtime: collectors give them all a correlation id …
_CALL = regex(r"(?:cu(?:da)?|hip|musa|ur|zes?|aclrt)[A-Z]\w*|Memory(?:Alloc|Free)|Host(?:Un)?[Rr]egister")
#: … though only these run something on a device.
_RUNS = regex(
    r"\w*(?:Launch(?!HostFunc)|Memcpy|Memset)\w*|urEnqueue(?!Events)\w*|zeCommandListAppend(?:Launch|Memory)\w*"
)
#: Between these a thread's launches go into a graph, and run nothing until that is launched.
_CAPTURE = regex(r"(?:cu(?:da)?|hip)Stream(Begin|End)Capture(?!Info)\w*")

#: What the calls of each vendor's runtime and driver begin with.
_VENDORS = (
    ("nvidia", regex(r"cu(?:da)?[A-Z]")),
    ("amd", regex(r"hip[A-Z]")),
    ("intel", regex(r"(?:ur|zes?)[A-Z]")),
    ("ascend", regex(r"aclrt[A-Z]|AscendCL@")),
)


def vendor_of_launches(capture: Capture, rows: I64) -> str:
    """Whose runtime these calls are of, empty where their names do not show it."""
    names = capture.strings.texts(np.unique(capture.events.name[rows]))
    return next((vendor for vendor, pattern in _VENDORS if any(map(pattern.match, names))), "")


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
    if timeline.has_stat(LAUNCHES_FOR):
        lost = np.union1d(lost, np.flatnonzero(timeline.stat(LAUNCHES_FOR)[1]))
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
    texts = capture.strings.texts(name)
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


# Begin and end marks of thread-pool regions → in which region each event of a thread lies.

_START, _STOP = "ThreadpoolListener::StartRegion", "ThreadpoolListener::StopRegion"


def regions_of(capture: Capture) -> I32:
    """Row of the `StartRegion` event of the innermost region in which each event begins, or -1.

    A region ends at the `StopRegion` of its thread that belongs to it as brackets do; where none does, at the next
    mark of the thread. One that nothing ends lasts to the end of the thread's events.
    """
    n = len(capture.events)
    start, stop = capture.strings.find(_START), capture.strings.find(_STOP)
    marks = np.flatnonzero(among(capture.events.name, (start, stop))) if start >= 0 else np.empty(0, np.int64)
    opens = capture.events.name[marks] == start
    if not opens.any():
        return np.broadcast_to(np.int32(-1), n)
    closed = _closed_at(capture.events.track[marks], opens)
    first = _first_of_instant(capture, marks)
    low = first[opens]
    until = capture.tracks.events_end[capture.events.track[marks[opens]]]
    high = np.where(closed >= 0, first[closed], until)
    order = np.lexsort((-high, low))
    return _innermost(n, low[order], high[order], marks[opens][order])


def _closed_at(track: I32, opens: NDArray[np.bool_]) -> I64:
    """For each mark that opens a region the place of the one that ends it, or -1."""
    n = len(opens)
    place = np.arange(n)
    same = np.append(track[1:] == track[:-1], False)
    level = _levels(track, opens)
    closed = np.where(same, place + 1, -1)
    order = np.lexsort((place, level, track))
    pairs = np.flatnonzero(opens[order[:-1]] & ~opens[order[1:]] & (np.diff(level[order]) == 0) & same[order[:-1]])
    pairs = pairs[track[order[pairs]] == track[order[pairs + 1]]]
    closed[order[pairs]] = order[pairs + 1]
    return closed[opens]


def _levels(track: I32, opens: NDArray[np.bool_]) -> I64:
    """How many regions of the thread are open within each bracket, itself counted; an end without begin is ignored."""
    count = np.cumsum(np.where(opens, 1, -1))
    new = np.flatnonzero(np.diff(track, prepend=track[0] - 1))
    nth = np.searchsorted(new, np.arange(len(track)), side="right") - 1
    count -= np.where(new > 0, count[new - 1], 0)[nth]
    apart = nth * (2 * len(track) + 2)
    lowest = np.minimum(np.minimum.accumulate(count - apart) + apart, 0)
    level: I64 = count - lowest + ~opens
    return level


def _first_of_instant(capture: Capture, rows: I64) -> I64:
    """Of some rows the first row of the track that begins at the same instant."""
    track, start = capture.events.track[rows], capture.events.start_ps
    first = np.empty(len(rows), np.int64)
    for here in alike(track):
        one = int(track[here[0]])
        low, high = int(capture.tracks.events_begin[one]), int(capture.tracks.events_end[one])
        first[here] = low + np.searchsorted(start[low:high], start[rows[here]])
    return first


def _innermost(n: int, low: I64, high: I64, rows: I64) -> I32:
    """By row of n the one of `rows` whose range [low, high) is the innermost around it; outer ranges come first.

    A range does not hold its own row.
    """
    around = nest(np.zeros(len(low), np.int32), low, high - low).parent
    outside = len(rows)
    held = np.flatnonzero(high > low)
    at = np.concatenate(([0], high[held][::-1], low[held]))
    inside = np.concatenate(([outside], np.where(around >= 0, around, outside)[held][::-1], held))
    # What is last of those that change at one row counts.
    order = np.argsort(at, kind="stable")
    named = np.append(rows, -1).astype(np.int32)
    region: I32 = np.repeat(named[inside[order]], np.diff(at[order], append=n))
    region[rows] = named[around]
    return region


# Producers and consumers of contexts, thread-pool regions, program runs → what caused each event, across threads.
#
# Ids are compared as 64-bit patterns; either integer kind is accepted. Where planes name their process, ids of one
# process say nothing about another's.

CROWD = Threshold("shared context", 64, "events", "a context with as many producers and as many consumers is no cause")
_PROCESS = "ExecutorState::Process"
#: Lines of a TPU that show each run of a program as one event.
_MODULE_LINES = ("XLA Modules", "Sparse Core Modules")
#: Host events and devices' lines write the number of a run with different widths; these bits they have in common.
_RUN_BITS = (1 << 27) - 1
_64_BITS = (1 << 64) - 1


class _Link(NamedTuple):
    """Events of these names cause those of the others that have equal values of all these stats."""

    producers: tuple[str, ...]
    consumers: tuple[str, ...]
    keys: tuple[str, ...]


_RUN_KEYS = ("device_ordinal", "queue_id", "run_id", "core_type")
_LINKS = (
    _Link(
        (_PROCESS,),
        ("IteratorGetNextOp::DoCompute", "IteratorGetNextAsOptionalOp::DoCompute", "TpuExecuteOp"),
        ("id", "iter_num"),
    ),
    _Link(
        ("EnqueueRequestLocked",),
        (
            *("RunProgramRequest", "HostCallbackRequest", "TransferH2DRequest", "TransferPreprocessedH2DRequest"),
            *("TransferD2HRequest", "OnDeviceSendRequest", "OnDeviceSendRequestMulti", "OnDeviceRecvRequest"),
            *("OnDeviceRecvRequestMulti", "OnDeviceSendRecvLocalRequest", "CustomWait", "PjrtAsyncWait"),
        ),
        ("request_id", "queue_addr"),
    ),
    _Link(("DoEnqueueProgram",), ("CompleteCallbacks",), _RUN_KEYS),
)
#: Stats that count as 0 where an event has none.
_OPTIONAL = ("core_type",)


class Flows(NamedTuple):
    """What caused each event, by row of `events`; -1 where nothing did.

    producer: row of the event that produced the context it consumes, or that is linked to it by other ids; of several
    the latest that began before it did, else the first. region: row of the `StartRegion` event of the innermost
    thread-pool region it lies in; what runs there belongs to the thread that submitted it, the region's producer.
    module: row of the run of a program in which an op ran on a TPU. ignored: contexts that are no cause, since very
    many events produce and consume them.
    """

    producer: I32
    region: I32
    module: I32
    ignored: int


class _Keyed(NamedTuple):
    """Events and, column by column, the keys by which they are joined."""

    rows: I64
    keys: tuple[I64, ...]


@derived
def flows_of(timeline: Timeline) -> Flows:
    """What caused each event across threads and devices, launches by correlation id apart."""
    capture = timeline.capture
    pids = _pids(capture)
    producer = np.full(len(capture.events), -1, np.int32)
    for link in _LINKS:
        produced = _linked(timeline, link, link.producers, pids)
        _join(capture, produced, _linked(timeline, link, link.consumers, pids), producer)
    _join(capture, *_runs(timeline, pids), producer)
    produced, consumed = (_contexts(timeline, keys, pids) for keys in (("_pt", "_p"), ("_ct", "_c")))
    ignored = _join(capture, produced, consumed, producer, CROWD.value)
    if not (producer >= 0).any():
        producer = np.broadcast_to(np.int32(-1), len(producer))
    return Flows(producer, regions_of(capture), _modules(capture), ignored)


def _pids(capture: Capture) -> I64:
    """By plane its process; a plane that does not say belongs to the only one that others name, else to -1."""
    given = [capture.plane_values(plane).get("process_id") for plane in range(len(capture.planes))]
    known = {pid for pid in given if isinstance(pid, int)}
    other = known.pop() if len(known) == 1 else -1
    pids = [(pid if isinstance(pid, int) else other) & _64_BITS for pid in given]
    return np.array(pids, np.uint64).view(np.int64)


def _pid(capture: Capture, rows: I64, pids: I64) -> I64:
    pid: I64 = pids[capture.tracks.plane[capture.events.track[rows]]]
    return pid


def _integers(timeline: Timeline, key: str, rows: I64 | None) -> tuple[I64, NDArray[np.bool_]]:
    value, kind = timeline.stat_of(key, rows)
    return value, is_integer(kind)


def _contexts(timeline: Timeline, keys: tuple[str, str], pids: I64) -> _Keyed:
    """The events with a context's type and id. A consumer may name another process."""
    rows = np.flatnonzero(_integers(timeline, keys[1], None)[1])
    kind, has = _integers(timeline, keys[0], rows)
    rows, kind = rows[has], kind[has]
    pid = _pid(timeline.capture, rows, pids)
    if keys[0] == "_ct":
        named, has_pid = _integers(timeline, "_pid", rows)
        pid = np.where(has_pid, named, pid)
    return _Keyed(rows, (kind, _integers(timeline, keys[1], rows)[0], pid))


def _linked(timeline: Timeline, link: _Link, names: tuple[str, ...], pids: I64) -> _Keyed:
    """The events of some names that have all stats of a link."""
    capture = timeline.capture
    ids = [i for i in map(capture.strings.find, names) if i >= 0]
    rows = np.flatnonzero(among(capture.events.name, ids)) if ids else np.empty(0, np.int64)
    keys, has = _stats(timeline, link.keys, rows)
    return _Keyed(rows[has], (*(key[has] for key in keys), _pid(capture, rows[has], pids)))


def _stats(timeline: Timeline, names: tuple[str, ...], rows: I64) -> tuple[list[I64], NDArray[np.bool_]]:
    """Values of some stats, and which events have all of them."""
    columns = [_integers(timeline, name, rows) for name in names]
    has = np.all([has | (name in _OPTIONAL) for name, (_, has) in zip(names, columns, strict=True)], axis=0)
    return [v & _RUN_BITS if name == "run_id" else v for name, (v, _) in zip(names, columns, strict=True)], has


def _runs(timeline: Timeline, pids: I64) -> tuple[_Keyed, _Keyed]:
    """What enqueues programs, and the runs of programs on TPUs. A device serves the one process that holds it."""
    capture = timeline.capture
    enqueued = _linked(timeline, _LINKS[-1], _LINKS[-1].producers, pids)
    tracks = [_module_tracks(capture, plane, lines) for plane in _tpus(capture) for lines in _MODULE_LINES]
    rows = rows_of(capture, np.concatenate([np.empty(0, np.int64), *tracks]))
    keys, has = _stats(timeline, _RUN_KEYS[1:], rows)
    ordinal = capture.planes.ordinal[capture.tracks.plane[capture.events.track[rows]]]
    return enqueued._replace(keys=enqueued.keys[:-1]), _Keyed(rows[has], tuple(k[has] for k in (ordinal, *keys)))


def _tpus(capture: Capture) -> list[int]:
    return [plane for plane in device_planes(capture) if capture.planes.kind[plane] == PlaneKind.TPU]


def _module_tracks(capture: Capture, plane: int, name: str) -> I64:
    return np.flatnonzero((capture.tracks.plane == plane) & (capture.tracks.name == capture.strings.find(name)))


def _modules(capture: Capture) -> I32:
    """Row of the run of a program in which each op on a TPU's op lines began, or -1."""
    tpus, n = _tpus(capture), len(capture.events)
    module = np.full(n, -1, np.int32) if len(tpus) else np.broadcast_to(np.int32(-1), n)
    events = capture.events
    for plane in tpus:
        for track in device_tracks(capture, plane).tolist():
            sparse = capture.strings[int(capture.tracks.name[track])].startswith("Sparse Core")
            runs = rows_of(capture, _module_tracks(capture, plane, _MODULE_LINES[sparse]))
            if not len(runs):
                continue
            runs = runs[np.argsort(events.start_ps[runs], kind="stable")]
            ops = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
            begin = events.start_ps[ops]
            run = runs[np.searchsorted(events.start_ps[runs], begin, side="right") - 1]
            within = (begin >= events.start_ps[run]) & (begin < events.start_ps[run] + events.duration_ps[run])
            module[ops] = np.where(within, run, -1)
    return module


def _join(capture: Capture, produced: _Keyed, consumed: _Keyed, producer: I32, crowd: int = 0) -> int:
    """Write the producer of each consumer that has one; how many keys have a crowd on both sides and are left out."""
    if not len(produced.rows) or not len(consumed.rows):
        return 0
    rows = np.concatenate((produced.rows, consumed.rows))
    keys = [np.concatenate(pair) for pair in zip(produced.keys, consumed.keys, strict=True)]
    consumes = np.arange(len(rows)) >= len(produced.rows)
    order = np.lexsort((consumes, capture.events.start_ps[rows], *keys))
    rows, consumes = rows[order], consumes[order]
    new = np.any([np.diff(key[order], prepend=~key[order[:1]]) != 0 for key in keys], axis=0)
    group = np.cumsum(new) - 1
    crowded = np.zeros(int(group[-1]) + 1, bool)
    if crowd:
        crowded = np.minimum(np.bincount(group, consumes), np.bincount(group, ~consumes)) >= crowd
    chosen = _chosen(rows, consumes, group)
    takes = np.flatnonzero(consumes & (chosen >= 0) & ~crowded[group])
    producer[rows[takes]] = rows[chosen[takes]]
    return int(np.count_nonzero(crowded))


def _chosen(rows: I64, consumes: NDArray[np.bool_], group: I64) -> I64:
    """By place the place of the last producer of the group before it, else of the first after it, else -1.

    No event is the cause of itself.
    """
    n = len(rows)
    place = np.arange(n)
    before = np.maximum.accumulate(np.where(consumes, -1, place))
    after = np.minimum.accumulate(np.where(consumes, n, place)[::-1])[::-1]
    before, after = np.append(before, -1), np.append(after, n)
    group = np.append(group, -1)
    last, first = before[:-1], after[:-1]
    itself = (last >= 0) & (rows[last] == rows)
    last = np.where(itself, before[last - 1], last)
    itself = (first < n) & (rows[np.minimum(first, n - 1)] == rows)
    first = np.where(itself, after[np.minimum(first + 1, n)], first)
    wanted = group[:-1]
    return np.where(group[last] == wanted, last, np.where(group[first] == wanted, first, -1))


def inherited(timeline: Timeline, label: I32) -> I32:
    """Each event's label: its own, else that of the innermost labelled event around it, else that of its cause.

    label: by row of `events`, -1 where there is none. The cause is what produced the context that the event, or one
    around it, consumes; the submitter of the thread-pool region around it; the launch of a kernel; the run of the
    program that an op of a TPU belongs to. Causes are followed through as many threads as it takes; of several ways
    to a label the shortest counts. -1 where no way leads to one.
    """
    flows, parent = flows_of(timeline), nesting_of(timeline).parent
    label = inherit(parent, label)
    causes = [column for column in (flows.producer, _entered(flows.region, parent)) if (column >= 0).any()]
    if causes:
        label = _through(parent, label, causes)
    for cause in (launches_of(timeline).rows, flows.module):
        caused(cause, label)
    return label


def _entered(region: I32, parent: I32) -> I32:
    """Each event's region where the event around it is not in the same one, else -1."""
    inside = np.flatnonzero(region >= 0)
    if not len(inside):
        return region
    up, own = parent[inside], region[inside]
    entered = np.full(len(region), -1, np.int32)
    entered[inside] = np.where((own != region[up]) | (up < 0), own, -1)
    return entered


def _through(parent: I32, label: I32, causes: list[I32]) -> I32:
    """Labels after following causes. Nodes are the events that have a cause, and their causes."""
    is_node = np.zeros(len(label), bool)
    for column in causes:
        has = np.flatnonzero(column >= 0)
        is_node[has] = is_node[column[has]] = True
    nodes = np.flatnonzero(is_node)
    around = nearest(parent, is_node)
    place = np.full(len(label) + 1, -1, np.int32)
    place[nodes] = np.arange(len(nodes), dtype=np.int32)
    links = np.stack([place[column[nodes]] for column in (*causes, around)], axis=1)
    spread_label = spread(links, label[nodes])
    lost = np.flatnonzero(label < 0)
    near = place[np.where(is_node[lost], lost, around[lost])]
    led = near >= 0
    found = label.copy()
    found[lost[led]] = spread_label[near[led]]
    return found


# What ran as a node of a CUDA or HIP graph, and whether a program launches graphs at all.

#: The call that launches a graph, whatever collector wrote its name: `cudaGraphLaunch`, `cuGraphLaunch (CudaGraph:12)`.
_LAUNCH = regex(r"(?:cu|cuda|hip)GraphLaunch(?![a-z])")
#: That call, the one that begins to record one, or on the device the event of a graph that was traced as a whole. What
#: is only instantiated may never be launched.
_USED = regex(rf"{_LAUNCH.pattern}|(?:cu|cuda|hip)StreamBeginCapture|CudaGraphExec\b")


def graph_nodes(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which of some events of devices are nodes of graphs: the capture names their graph, or one's launch started them.

    Kineto before 2025 and ROCm's collectors name no graph.
    """
    graph, kind = timeline.stat_of("cuda_graph_id", rows)
    found: NDArray[np.bool_] = is_integer(kind) & (graph != 0)
    called = np.zeros(len(timeline.capture.strings) + 1, bool)
    called[_named(timeline, _LAUNCH)] = True
    if called.any():
        call = launches_of(timeline).rows[at_once(rows)]
        found |= called[np.where(call >= 0, timeline.capture.events.name[call], -1)]
    return found


@derived
def uses_graphs(timeline: Timeline) -> bool:
    """Whether the program launches graphs."""
    if _named(timeline, _USED):
        return True
    if not timeline.has_stat("cuda_graph_id"):
        return False
    graph, kind = timeline.stat("cuda_graph_id")
    return bool((is_integer(kind) & (graph != 0)).any())


def _named(timeline: Timeline, pattern: re.Pattern[str]) -> list[int]:
    """The string ids of events' names that begin so."""
    strings = timeline.capture.strings
    return [i for i in timeline.capture.names_used.tolist() if pattern.match(strings[i])]


# A capture → its timeline, with the clocks of its GPUs moved where they are off the host's by more than launches take.
#
# Nothing runs before its launch. Nor does a kernel of an idle device begin long after it, and each time by the same.

MISFIT = Threshold("clock of a device before the host's", 10**9, "ps", "clocks that are fitted agree within 0.1 ms")
LATE = Threshold(
    "clock of a device after the host's", 10**10, "ps", "a launch on an idle device takes 10 µs, at most ms"
)
STEADY = Threshold(
    "spread of that", 0.1, "share", "what a kernel waits for differs from time to time, a clock does not"
)
#: So many launches at least; of a device that was idle before for so long.
_LEAST, _IDLE_PS = 3, 10**8


#: Calls that start something on a device.
_STARTS = regex(r"(?:cu|cuda|hip)\w*(?:Launch|Memcpy|Memset)\w*")


def timeline_of(capture: Capture, host: str) -> Timeline:
    timeline = Timeline(capture, host)
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    if not gpus or not timeline.has_stat("correlation_id"):
        return timeline
    calls = capture.events_named(_STARTS)
    suspect = [plane for plane in gpus if _may_differ(timeline, plane, calls)]
    offsets = {plane: offset for plane in suspect if (offset := _offset_ps(timeline, plane))}
    return Timeline(_moved(capture, offsets), host) if offsets else timeline


def _may_differ(timeline: Timeline, plane: int, calls: I64) -> bool:
    """Whether the device begins, or goes on, where no call may have launched what it runs: most clocks agree, and which
    call launched what is not worth looking up for these."""
    rows = device_rows(timeline, plane)
    if not len(calls) or not len(rows):
        return True
    (first, last), (called, last_called) = (_begins_ps(timeline.capture, each) for each in (rows, calls))
    return bool(first - called < -MISFIT.value or max(first - called, last - last_called) > LATE.value)


def _begins_ps(capture: Capture, rows: I64) -> tuple[int, int]:
    """When the first and the last of some events begin, which ascend, as begins do on each track."""
    first = rows_by_track(capture, rows)
    start = capture.events.start_ps
    return int(start[rows[first[:-1]]].min()), int(start[rows[first[1:] - 1]].max())


def _offset_ps(timeline: Timeline, plane: int) -> int:
    """How far the device's events begin from where they would by the host's clock; 0 where that is not clear."""
    events, rows = timeline.capture.events, device_rows(timeline, plane)
    calls = launches_of(timeline).rows[at_once(rows)]
    rows, calls = rows[calls >= 0], calls[calls >= 0]
    single = ~graph_nodes(timeline, rows)
    rows, calls = rows[single], calls[single]
    if len(rows) < _LEAST:
        return 0
    latency = events.start_ps[rows] - events.start_ps[calls]
    if np.quantile(latency, 0.1) < -MISFIT.value:
        return int(latency.min())
    late = latency[_begins_idle(events.start_ps[rows], events.duration_ps[rows])]
    if len(late) < _LEAST or late.min() < LATE.value or np.ptp(late) > STEADY.value * late.min():
        return 0
    return int(latency.min())


def _begins_idle(start_ps: I64, duration_ps: I64) -> I64:
    """Which of a device's events begin when nothing has run for a while."""
    order = np.argsort(start_ps, kind="stable")
    before = np.maximum.accumulate((start_ps + duration_ps)[order])[:-1]
    idle: I64 = order[np.append(True, start_ps[order][1:] - before > _IDLE_PS)]
    return idle


def _moved(capture: Capture, offsets: dict[int, int]) -> Capture:
    by_plane = np.zeros(len(capture.planes), np.int64)
    by_plane[list(offsets)] = list(offsets.values())
    moved = by_plane[capture.tracks.plane][capture.events.track]
    events = dataclasses.replace(
        capture.events,
        start_ps=np.where(moved, np.maximum(capture.events.start_ps - moved, 0), capture.events.start_ps),
    )
    names = capture.strings.texts(capture.planes.name)
    warnings: list[Message] = [
        message("device_clock_moved", device=names[plane], offset=abs(offset), late=offset > 0)
        for plane, offset in offsets.items()
    ]
    quality = dataclasses.replace(capture.quality, warnings=(*warnings, *capture.quality.warnings))
    return dataclasses.replace(capture, events=events, quality=quality)
