"""A capture → which of its events are executions of ops, and of which op. Every distinct name is parsed once."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import Capture, PlaneKind, StatKind, TrackKind, at_once
from ..tables.capture import I32, I64
from . import _external, _loops, _operators
from ._op_names import UNATTRIBUTED, Op, copy_op, device_op, eager_op, host_op_of, names_an_op, xla_op

if TYPE_CHECKING:
    from ._instructions import Named
    from ._timeline import Timeline

#: The lines of a TPU plane whose events are ops that ran on its cores; the later ones repeat the first two's time.
_TPU_OP_LINES = (("XLA Ops", "Sparse Core Ops"), ("Framework Ops",), ("TensorFlow Ops",))
#: Up to this many cells a table is quicker than sorting.
_MAX_TABLE = 1 << 24
INTEGER = (StatKind.INT, StatKind.UINT)
#: What CUPTI reports on a GPU's lines beside kernels, copies and fills: its own overhead, faults of unified memory …
_NO_WORK = (
    "COMPILER",
    "BUFFER_FLUSH",
    "INSTRUMENTATION",
    "RESOURCE",
    "<UNKNOWN>",
    "UM_CPU_PAGE_FAULT",
    "UM_GPU_PAGE_FAULT",
    "UM_THRASHING",
    "UM_THROTTLING",
    "UM_REMOTE_MAP",
    # Of an MTIA's streams.
    "event_wait",
    "event_record",
)
#: … and how long each allocation lived, and those that the driver puts on a stream.
_ALLOCATIONS = ("MemoryResidency_details", "memalloc_details", "MemFree_details", "memfree_details")
_GRAPH_EVENT = re.compile(r"CudaGraphExec\D{0,3}(\d{1,18})?")
#: Looked up once: they are compared track by track.
_DERIVED, _COUNTER = int(TrackKind.DERIVED), int(TrackKind.COUNTER)
_64_BITS = (1 << 64) - 1


class OpEvents(NamedTuple):
    """Executions: rows of `events`, ascending, and for each the index of its op in `Ops.ops`."""

    rows: I64
    op: I32


class Ops(NamedTuple):
    """The distinct ops of a capture, and the events that executed them.

    host: by op events on host threads. device: kernels, copies and XLA ops on devices. One op that ran on both sides
    has one index. device_aggregates: the same as device, of rows of `aggregates`, which have no place in time.
    """

    ops: tuple[Op, ...]
    host: OpEvents
    device: OpEvents
    device_aggregates: OpEvents


class _Pool:
    """Distinct ops, numbered as they come."""

    def __init__(self) -> None:
        self.index: dict[Op, int] = {}

    def add(self, op: Op | None) -> int:
        return -1 if op is None else self.index.setdefault(op, len(self.index))

    def by_string(self, capture: Capture, ids: NDArray[np.integer], parse: Callable[[str], Op | None]) -> I32:
        """The op of each string id, parsed once each; -1 where there is none."""
        used, which = distinct(ids, len(capture.strings))
        ops = [self.add(parse(capture.strings[i])) for i in used.tolist()]
        return np.array(ops, np.int32)[which]


def distinct(ids: NDArray[np.integer], count: int) -> tuple[I64, I64]:
    """Those of `count` ids that occur, ascending, and the place of each among them."""
    if len(ids) < count // 16:
        few, which = np.unique(ids, return_inverse=True)
        return few, which.reshape(-1)
    used = np.zeros(count, bool)
    used[ids] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[ids]


def find(timeline: Timeline) -> Ops:
    """All executions of ops in a timeline."""
    pool = _Pool()
    host = _host(timeline, pool)
    device = _device(timeline, pool, host)
    aggregates = _device_aggregates(timeline.capture, pool)
    return Ops(tuple(pool.index), host, device, aggregates)


def host_tracks(capture: Capture) -> I64:
    """The tracks of a capture that are threads of a host."""
    on_device = np.isin(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[capture.tracks.plane]
    counted = ~np.isin(capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER, TrackKind.STREAM))
    return np.flatnonzero(counted & ~on_device)


def device_tracks(capture: Capture, plane: int) -> I64:
    """The tracks of a device whose events show it at work: a GPU's streams, a TPU's op lines."""
    tracks = capture.tracks_of(plane)
    if capture.planes.kind[plane] == PlaneKind.TPU:
        names = capture.strings.of(capture.tracks.name[tracks])
        lines = next((lines for lines in _TPU_OP_LINES if not set(lines).isdisjoint(names)), ())
        return tracks[[name in lines for name in names]]
    kind = capture.tracks.kind[tracks]
    found: I64 = tracks[(kind != _DERIVED) & (kind != _COUNTER)]
    return found


def at_work(timeline: Timeline, plane: int, rows: I64) -> I64:
    """Those of some events of a device's tracks that are work: kernels, copies, fills, ops."""
    capture = timeline.capture
    if capture.planes.kind[plane] != PlaneKind.GPU:
        return rows
    names, keys = timeline.derived(_idle)
    if names:
        rows = rows[~np.isin(capture.events.name[at_once(rows)], names)]
    for key in keys:
        rows = rows[timeline.stat_of(key, rows)[1] == 0]
    whole = timeline.graphs_of_nodes(plane)
    return rows[~np.isin(rows, whole)] if len(whole) else rows


def _idle(timeline: Timeline) -> tuple[list[int], list[str]]:
    """String ids of events of GPUs that are no work, and keys of stats that only such events have."""
    found = map(timeline.capture.strings.find, _NO_WORK)
    return [i for i in found if i >= 0], [key for key in _ALLOCATIONS if timeline.has_stat(key)]


def graphs_of_nodes(timeline: Timeline, plane: int) -> I64:
    """The events of a device that stand for whole launches of CUDA graphs whose nodes were traced, too."""
    capture = timeline.capture
    if not timeline.has_stat("cuda_graph_id"):
        return np.empty(0, np.int64)
    rows = rows_of(capture, device_tracks(capture, plane))
    names = capture.events.name[at_once(rows)]
    used = np.unique(names).tolist()
    numbers = {i: match[1] for i in used if (match := _GRAPH_EVENT.match(capture.strings[i]))}
    launch = np.isin(names, list(numbers))
    graph, kind = timeline.stat_of("cuda_graph_id", rows)
    graph = np.where(np.isin(kind, INTEGER), graph, 0)
    table = np.zeros(len(capture.strings), np.int64)
    table[list(numbers)] = [int(number or 0) for number in numbers.values()]
    nodes, graphs = np.unique(graph[~launch]), np.where(graph != 0, graph, table[names])
    found: I64 = rows[launch & (graphs != 0) & np.isin(graphs, nodes)]
    return found


def device_rows(timeline: Timeline, plane: int) -> I64:
    """The event rows of what a device did, ascending."""
    return at_work(timeline, plane, rows_of(timeline.capture, device_tracks(timeline.capture, plane)))


def devices(capture: Capture) -> list[int]:
    """The planes that are devices, in file order."""
    return np.flatnonzero(np.isin(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))).tolist()


def rows_of(capture: Capture, tracks: I64) -> I64:
    """The event rows of some tracks, ascending."""
    begin, end = capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks]
    if not len(tracks) or (begin[1:] == end[:-1]).all():
        return np.arange(begin[0], end[-1]) if len(tracks) else np.empty(0, np.int64)
    some = end > begin
    return np.concatenate([np.empty(0, np.int64), *map(np.arange, begin[some].tolist(), end[some].tolist())])


def _host(timeline: Timeline, pool: _Pool) -> OpEvents:
    """A host event that carries a correlation id is a launch: part of an op, not one."""
    capture = timeline.capture
    rows = rows_of(capture, host_tracks(capture))
    op = pool.by_string(capture, capture.events.name[rows], host_op_of(capture.format))
    which = timeline.instructions.of(rows)
    hlo = np.flatnonzero(which >= 0)
    hlo = hlo[~_starts_with(capture, capture.events.name[rows[hlo]], "end: ")]
    op[hlo] = _xla(timeline, pool, rows[hlo], which[hlo])
    called = np.flatnonzero(op < 0)
    op[called] = _operators.ops_of(timeline, pool, rows[called])
    found = np.flatnonzero(op >= 0)
    found = found[timeline.stat_of("correlation_id", rows[found])[1] == 0]
    return _with_eager(timeline, pool, OpEvents(rows[found], op[found]), rows)


def _with_eager(timeline: Timeline, pool: _Pool, named: OpEvents, rows: I64) -> OpEvents:
    """Added are the calls that run one op by itself, where no event within names that op."""
    capture = timeline.capture
    eager = pool.by_string(capture, capture.events.name[rows], eager_op)
    call = np.flatnonzero(eager >= 0)
    if not len(call):
        return named
    calls = OpEvents(rows[call], eager[call])
    around = _loops.nearest(timeline.nesting.parent, mask(timeline, calls))[named.rows]
    within = np.flatnonzero(around >= 0)
    place = np.searchsorted(calls.rows, around[within])
    codes = np.unique([text for op in pool.index for text in (op.name, op.type)], return_inverse=True)[1].reshape(-1, 2)
    # Its kernel's type may be another, `_MklMatMul`.
    told = place[(codes[named.op[within]] == codes[calls.op[place], 1:]).any(axis=1)]
    alone = np.delete(np.arange(len(call)), told)
    all_rows = np.concatenate((named.rows, calls.rows[alone]))
    order = np.argsort(all_rows, kind="stable")
    return OpEvents(all_rows[order], np.concatenate((named.op, calls.op[alone]))[order])


def _starts_with(capture: Capture, names: I32, prefix: str) -> NDArray[np.bool_]:
    ids = np.unique(names)
    found = [capture.strings[i].startswith(prefix) for i in ids.tolist()]
    return np.isin(names, ids[np.array(found, bool)])


def _xla(timeline: Timeline, pool: _Pool, rows: I64, which: I64) -> I32:
    """The op of events that ran XLA instructions, by their index, and by the name that some of the events tell."""
    strings, named = timeline.capture.strings, timeline.instructions.named
    name, prefix = _texts(timeline, "name", rows), _texts(timeline, "prefix", rows)
    pair = _ranked(which * len(strings) + name)
    if prefix.any():
        pair = _ranked(pair * len(strings) + prefix)
    first = np.zeros(int(pair.max()) + 1 if len(rows) else 0, np.int64)
    first[pair] = np.arange(len(rows))
    ops = [
        pool.add(_instruction_op(timeline, named[int(which[i])], strings[int(name[i])], strings[int(prefix[i])]))
        for i in first.tolist()
    ]
    return np.array(ops, np.int32)[pair]


def _instruction_op(timeline: Timeline, one: Named, name: str, prefix: str) -> Op:
    """The program is read only where the event does not tell. Its name is relative to its prefix, if it has one."""
    program = None if names_an_op(name) and not prefix else timeline.programs.program(one.module, one.program)
    found = program.named(one.instruction) if program else None
    says = (found.op_name, found.op_type) if found else ("", "")
    if prefix and name:
        name = says[0] if f"/{says[0]}".endswith(f"/{name}") else f"{prefix.rstrip('/')}/{name}"
    return xla_op(one.instruction, one.module, name, *says)


def _ranked(keys: I64) -> I64:
    """Equal keys → equal numbers from 0 on. By a table where it is small; sorting millions of events takes a second."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, 0)
    if high - low >= _MAX_TABLE:
        return np.unique(keys, return_inverse=True)[1].reshape(-1)
    used = np.zeros(high - low + 1, bool)
    used[keys - low] = True
    ranks: I64 = np.cumsum(used)[keys - low] - 1
    return ranks


def _texts(timeline: Timeline, key: str, rows: I64) -> I64:
    """String id of a stat of some events, 0 (the empty text) where it is no text."""
    value, kind = timeline.stat_of(key, rows)
    return np.where(kind == StatKind.TEXT, value, 0)


def _device(timeline: Timeline, pool: _Pool, host: OpEvents) -> OpEvents:
    capture = timeline.capture
    parts = [OpEvents(np.empty(0, np.int64), np.empty(0, np.int32))]
    around = functools.cache(lambda: _loops.nearest(timeline.nesting.parent, mask(timeline, host)))
    for plane in devices(capture):
        rows = device_rows(timeline, plane)
        if capture.planes.kind[plane] == PlaneKind.TPU:
            parts.append(OpEvents(rows, _tpu(capture, pool, capture.events.kind[rows])))
        else:
            parts.append(OpEvents(rows, _gpu(timeline, pool, rows, host, around)))
    # Tracks of a plane are adjacent in the tables of every decoder, planes are in order: rows ascend.
    return OpEvents(np.concatenate([p.rows for p in parts]), np.concatenate([p.op for p in parts]))


def _gpu(timeline: Timeline, pool: _Pool, rows: I64, host: OpEvents, around: Callable[[], I32]) -> I32:
    """By what says it best: XLA instruction, annotation, name of a copy, host op around the launch, kernel's name.

    TensorFlow before 2.5 wrote its annotation as `level 0`, with what is no op's name in it, `MakeTensorFromProto`.
    """
    capture = timeline.capture
    op = np.full(len(rows), -1, np.int32)
    which = timeline.instructions.of(rows)
    hlo = np.flatnonzero(which >= 0)
    op[hlo] = _xla(timeline, pool, rows[hlo], which[hlo])
    annotation, kinds = timeline.stat_of("tf_op", rows)
    tf = np.flatnonzero((op < 0) & (kinds == StatKind.TEXT))
    op[tf] = pool.by_string(capture, annotation[tf], device_op)
    if timeline.has_stat("level 0"):
        bare = np.flatnonzero(op < 0)
        op[bare] = pool.by_string(capture, _texts(timeline, "level 0", rows[bare]), host_op_of(capture.format))
    bare = np.flatnonzero(op < 0)
    op[bare] = pool.by_string(capture, capture.events.name[rows[bare]], copy_op)
    bare = bare[op[bare] < 0]
    if len(bare):
        op[bare] = _launched_in(timeline, host, rows[bare], around)
        bare = bare[op[bare] < 0]
        op[bare] = _external.ops_of(timeline, host, rows[bare])
        bare = bare[op[bare] < 0]
        op[bare] = pool.by_string(capture, capture.events.name[rows[bare]], _unattributed)
    return op


def _launched_in(timeline: Timeline, host: OpEvents, rows: I64, op_around: Callable[[], I32]) -> I32:
    """The op of the host op event around each kernel's launch, or -1. op_around: by event its row."""
    launched = timeline.launch[rows]
    around = np.where(launched >= 0, op_around()[launched], -1)
    op = np.append(host.op, np.int32(-1))
    place = np.searchsorted(host.rows, around)
    return np.where(around >= 0, op[place], -1).astype(np.int32)


def mask(timeline: Timeline, events: OpEvents) -> NDArray[np.bool_]:
    """True at the rows of some op events, aligned to the events of the capture."""
    flags = np.zeros(len(timeline.capture.events), bool)
    flags[events.rows] = True
    return flags


def _unattributed(kernel: str) -> Op:
    return Op(kernel or "(unnamed)", UNATTRIBUTED)


def _device_aggregates(capture: Capture, pool: _Pool) -> OpEvents:
    """Only TPU collectors aggregate."""
    tpus = [plane for plane in devices(capture) if capture.planes.kind[plane] == PlaneKind.TPU]
    tracks = [track for plane in tpus for track in device_tracks(capture, plane).tolist()]
    rows = np.flatnonzero(np.isin(capture.aggregates.track, tracks))
    return OpEvents(rows, _tpu(capture, pool, capture.aggregates.kind[rows]))


def _tpu(capture: Capture, pool: _Pool, kinds: I32) -> I32:
    """On a TPU everything is said by the kind of the event."""
    modules = _modules(capture)
    table = np.full(len(capture.kinds) + 1, -1, np.int32)
    for kind in np.unique(kinds).tolist():
        table[kind] = pool.add(_tpu_op(capture, kind, modules))
    return table[kinds]


def _tpu_op(capture: Capture, kind: int, modules: dict[int, str]) -> Op:
    if kind < 0:
        return Op("", "Unknown")
    begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
    facts = dict(reversed(capture.values(begin, end)))
    program = facts.get("program_id")
    module = modules.get(program & _64_BITS, "") if isinstance(program, int) else ""
    name = capture.strings[int(capture.kinds.label[kind])] or capture.strings[int(capture.kinds.name[kind])]
    annotation, category = facts.get("tf_op"), facts.get("hlo_category")
    if isinstance(annotation, str) and annotation:
        return device_op(annotation)._replace(module=module)
    return Op(name, category if isinstance(category, str) and category else "Unknown", module)


def _modules(capture: Capture) -> dict[int, str]:
    """Program id → name of the XLA module, from the plane that lists them as `name(program id)`."""
    found: dict[int, str] = {}
    for plane in np.flatnonzero(capture.planes.name == capture.strings.find("/host:metadata")).tolist():
        for name in capture.strings.of(capture.kinds.name[capture.kinds.plane == plane]):
            module, _, number = name.rpartition("(")
            if number[-1:] == ")" and number[:-1].isdecimal() and len(number) < 25:
                found[int(number[:-1]) & _64_BITS] = module
    return found
