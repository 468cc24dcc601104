"""Producers and consumers of contexts, thread-pool regions, program runs → what caused each event, across threads.

Ids are compared as 64-bit patterns; either integer kind is accepted. Where planes name their process, ids of one
process say nothing about another's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture, PlaneKind, among
from ...threshold import CHOSEN, Threshold
from ..loops.loops import caused, inherit, nearest, spread
from ..nesting import nesting_of
from ..timeline import Timeline, derived, is_integer
from ..tracks.tracks import device_planes, device_tracks, rows_of
from .launches import launches_of
from .regions import regions_of

CROWD = Threshold(
    "shared context", 64, "events", "a context with as many producers and as many consumers is no cause", CHOSEN
)
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
    thread-pool region it lies in; what runs there belongs to the one who submitted it, the region's producer.
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

    Nobody is the cause of itself.
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
    if not (region >= 0).any():
        return region
    return np.where(region != np.where(parent >= 0, region[parent], -1), region, -1)


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
    near = np.where(is_node, place[:-1], place[around])
    return np.where((label < 0) & (near >= 0), spread_label[near], label)
