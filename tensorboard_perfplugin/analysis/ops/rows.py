"""A timeline → one row an op and side: executions, kernels, total and self time, and how much of it ran eagerly."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import (
    F64,
    I32,
    I64,
    RECORDED_SELF_PS,
    RECORDED_SIDE,
    RECORDED_TYPE,
    Intervals,
    PlaneKind,
    at_once,
    interned,
    intervals,
    numbered,
    side_by_side,
)
from ...timeline.causes import graph_nodes, launches_of, uses_graphs
from ...timeline.devices import device_spans_of, host_busy_of, workers_of
from ...timeline.names.ops import UNATTRIBUTED, Op, is_tensorflow
from ...timeline.nesting import enclosing_of, nesting_of, self_among
from ...timeline.ops.executions import continues_of, kernel_begins_of
from ...timeline.ops.ops import (
    Ops,
    device_calls_of,
    device_waits_of,
    host_self_ps_of,
    host_waits_of,
    is_eager,
    kind_waits,
    ops_of,
    reported_eager,
)
from ...timeline.ops.pytorch import RUNTIMES, STEPS, CallMemory, call_memory, grouped_ops_of
from ...timeline.programs.reader import instructions_of
from ...timeline.timeline import Timeline, windows_of
from ...units import clipped
from .use import OpUse, device_use, host_use, peaks

# Device events → how often each op ran: an op may be several kernels, or several instructions of an XLA program.

#: Up to this many cells, counting in a table of ops × names is cheaper than sorting the pairs.
_MAX_CELLS = 1 << 22
#: What makes an instruction's name unique in its program.
_NUMBER = regex(r"(?:\.\d+)+$")


def executions(timeline: Timeline, ops: Ops, around: I32) -> I64:
    """By op: distinct host executions that launched its kernels; of what no launch is known, the largest count of one
    kernel name, or one kind of XLA instruction, in a program. around: row of the host op around each launch, -1 none.

    Instructions that differ only in their number are of one kind: four additions are four executions, a product and
    the transposition of what it gives are one.
    """
    rows, op = ops.device
    host_rows, host_op = ops.host
    op_of = np.full(len(timeline.capture.events) + 1, -1, np.int32)
    op_of[host_rows] = host_op
    same = op_of[around] == op
    launching = np.zeros(len(op_of), bool)
    launching[around[same]] = True
    n = len(ops.ops)
    counted = np.bincount(op_of[np.flatnonzero(launching)], minlength=n)
    if same.all():
        return counted
    rest = np.flatnonzero(~same)
    begins, what = _what_ran(timeline, rows[rest])
    if begins.any():
        rest = rest[begins]
        counted += _largest_count(op[rest], _programs(timeline, rows[rest]), what[begins], n)
    return counted


def _what_ran(timeline: Timeline, rows: I64) -> tuple[NDArray[np.bool_], I64]:
    """Which events begin an execution of what they ran, and a number for that: a kernel's name, a kind of instruction.

    Of kernels that name no instruction each begins one.
    """
    capture, which = timeline.capture, instructions_of(timeline).named_index(rows)
    begins, what = np.ones(len(rows), bool), capture.events.name[at_once(rows)].astype(np.int64)
    on_tpu = capture.planes.kind[capture.tracks.plane[capture.events.track[at_once(rows)]]] == PlaneKind.TPU
    kernels, others = np.flatnonzero((which >= 0) & ~on_tpu), np.flatnonzero(on_tpu)
    stems: dict[str, int] = {}
    if len(kernels):
        begins[kernels] = kernel_begins_of(timeline)[rows[kernels]]
        named = (one.instruction.rpartition("::")[2].lstrip("%") for one in instructions_of(timeline).named)
        what[kernels] = _numbered(named, stems)[which[kernels]] + len(capture.strings)
    if len(others):
        kind = capture.events.kind[rows[others]]
        used = np.unique(kind[kind >= 0])
        table = np.zeros(len(capture.kinds) + 1, np.int64)
        texts = (
            capture.strings[int(capture.kinds.label[i])] or capture.strings[int(capture.kinds.name[i])] for i in used
        )
        table[used] = _numbered((text.partition(" = ")[0].lstrip("%") for text in texts), stems) + len(capture.strings)
        what[others] = table[kind]
    return begins, what


def _numbered(names: Iterable[str], stems: dict[str, int]) -> I64:
    """Names that are alike but for their number have one number."""
    return interned((_NUMBER.sub("", name) for name in names), stems)


def _programs(timeline: Timeline, rows: I64) -> I64:
    """Instructions of one name in different XLA programs are different: a number for each program."""
    value, kind = timeline.stat_of("program_id", rows)
    if not kind.any():
        return np.zeros(len(rows), np.int64)
    return numbered(value)


def _largest_count(op: I32, program: I64, what: I64, n: int) -> I64:
    """For each of n ops, how often that ran which ran most often, summed over programs."""
    programs, kinds = int(program.max()) + 1, int(what.max()) + 1
    group = op * np.int64(programs) + program
    if n * programs * kinds <= _MAX_CELLS:
        counts = np.bincount(group * kinds + what, minlength=n * programs * kinds)
        by_op: I64 = counts.reshape(n, programs, kinds).max(axis=2).sum(axis=1)
        return by_op
    groups, group = np.unique(group, return_inverse=True)
    pairs, count = np.unique(group * np.int64(kinds) + what, return_counts=True)
    largest = np.zeros(len(groups), np.int64)
    np.maximum.at(largest, pairs // kinds, count)
    total = np.zeros(n, np.int64)
    np.add.at(total, groups // programs, largest)
    return total


# PyTorch's calls on the host → the time of what they launched on devices, by op, as in `key_averages()`.


class DeviceTime(NamedTuple):
    """Sums of the durations of kernels, copies and fills, in ps: of what calls of an op launched themselves (self_ps),
    and with what the calls within them launched."""

    total_ps: int
    self_ps: int

    def plus(self, other: DeviceTime) -> DeviceTime:
        return DeviceTime(self.total_ps + other.total_ps, self.self_ps + other.self_ps)


def device_times(timeline: Timeline, ops: Ops) -> dict[int, DeviceTime]:
    """By index of op, of those that ran on the host; nothing where PyTorch or a device is missing."""
    calls, op = ops.host.rows, ops.host.op
    if not timeline.capture.capabilities.has_operators or not len(ops.device.rows) or not len(calls):
        return {}
    own = _own_ps(timeline, ops)
    total = _with_inner(timeline, calls, own)
    sums = [np.bincount(op, weights=ps, minlength=len(ops.ops)) for ps in (total, own)]
    present = np.flatnonzero(np.bincount(op)).tolist()
    return {i: DeviceTime(int(sums[0][i]), int(sums[1][i])) for i in present}


def _own_ps(timeline: Timeline, ops: Ops) -> I64:
    """Of each call the durations of what it launched, and no call within it."""
    events, calls = timeline.capture.events, ops.host.rows
    called = device_calls_of(timeline).astype(np.int64)
    known = called >= 0
    called, duration = called[known], events.duration_ps[ops.device.rows[known]]
    is_call = np.zeros(len(events), bool)
    is_call[calls] = True
    repeats = ~is_call[called]
    if repeats.any():
        # A call that only repeats the one around it is none: what it launched is that one's.
        called[repeats] = enclosing_of(timeline, is_call, called[repeats])
    of_call = called >= 0
    by_event = np.bincount(called[of_call], duration[of_call], len(events))
    return by_event[calls].astype(np.int64)


def _with_inner(timeline: Timeline, calls: I64, own: I64) -> I64:
    """Of each call its own with that of all calls that begin within it, on its thread."""
    events = timeline.capture.events
    start, track = events.start_ps[calls], events.track[calls]
    end, last = start + events.duration_ps[calls], np.arange(1, len(calls) + 1)
    for first, until in _tracks(track):
        at = first + np.searchsorted(start[first:until], end[first:until], "left")
        last[first:until] = np.maximum(last[first:until], at)
    upto = np.concatenate(([0], np.cumsum(own)))
    total: I64 = upto[last] - upto[: len(calls)]
    return total


def _tracks(track: I32) -> list[tuple[int, int]]:
    return list(itertools.pairwise([0, *(np.flatnonzero(np.diff(track)) + 1).tolist(), len(track)]))


# Memory that calls took and gave back → that of ops; of PyTorch's profiler with `profile_memory`.

#: What a column of 64 bits holds.
_MAX = 1 << 63


class OpMemory(NamedTuple):
    """Bytes allocated less bytes freed, in calls of an op and (self) in no op within them."""

    cpu: int
    self_cpu: int
    device: int
    self_device: int

    def plus(self, other: OpMemory) -> OpMemory:
        return OpMemory(*map(sum, zip(self, other, strict=True)))


def representable(size: int) -> int | None:
    """A size that a column of 64 bits holds, else None."""
    return size if abs(size) < _MAX else None


def of_ops(memory: CallMemory, ops: Ops) -> dict[int, OpMemory]:
    """By index of op, of those that ran on the host."""
    op, n = ops.host.op, len(ops.ops)
    (cpu, device), (self_cpu, self_device) = memory.total, memory.own
    sums = [np.bincount(op, weights=part, minlength=n) for part in (cpu, self_cpu, device, self_device)]
    present = np.unique(op).tolist()
    return {i: OpMemory(*(int(part[i]) for part in sums)) for i in present}


# Kernels that belong to no op → how much of their time there is for each cause that the capture shows.


class UnattributedTime(NamedTuple):
    """Self time of the kernels of one host that belong to no op, in ps.

    graphs: launched as a graph. outside: launched by a call around which no op ran. unseen: the call is not there,
    though other calls are. untraced: no call that launched anything is there. unrecorded: of the host only such calls
    are.
    """

    graphs: float = 0.0
    outside: float = 0.0
    unseen: float = 0.0
    untraced: float = 0.0
    unrecorded: float = 0.0


def unattributed_time(timeline: Timeline) -> UnattributedTime:
    ops = ops_of(timeline)
    nameless = np.array([op.type == UNATTRIBUTED for op in ops.ops], bool)
    kernels = np.flatnonzero(nameless[ops.device.op]) if nameless.any() else np.empty(0, np.int64)
    if not len(kernels):
        return UnattributedTime()
    launch = launches_of(timeline).rows[ops.device.rows[kernels]]
    self_ps = device_spans_of(timeline).self_ps[kernels].astype(np.float64)
    graph = graph_nodes(timeline, ops.device.rows[kernels])
    unseen = float(self_ps[(launch < 0) & ~graph].sum())
    traced = bool(launches_of(timeline).host)
    outside = float(self_ps[(launch >= 0) & ~graph].sum())
    recorded = any(ops.ops[op].type not in RUNTIMES for op in np.unique(ops.host.op).tolist())
    return UnattributedTime(
        graphs=float(self_ps[graph].sum()),
        outside=outside if recorded else 0.0,
        unseen=unseen if traced else 0.0,
        untraced=0.0 if traced else unseen,
        unrecorded=0.0 if recorded else outside,
    )


def main_cause(parts: Iterable[UnattributedTime]) -> str:
    """Name of the cause of most of that time, of all hosts."""
    total = UnattributedTime(*map(sum, zip(UnattributedTime(), *parts, strict=True)))
    return max(UnattributedTime._fields, key=lambda cause: float(getattr(total, cause)))


# Ops → those by which a program is judged to run eagerly: in steps, without what asks for input, logs and saves.

#: Types of ops that run one by one whatever runs the steps: they ask for input, hand over constants, log and save. A
#: summary is asked for whether it is to be written, and passed on, by ops of logic and identity.
_AROUND_STEPS = regex(
    r"(?:MultiDevice)?IteratorGetNext\w*|Optional\w+|_EagerConst|\w*Summar(?:y|ies)\w*|(?:Save|Restore)(?:V2|Slices)?|"
    r"MergeV2Checkpoints|ShardedFilename|StaticRegexFullMatch|StringJoin|VarIsInitializedOp|DisableCopyOnRead|"
    r"Identity(?:N)?|Logical(?:And|Or|Not)"
)

#: Where less of the op time of which it is known runs eagerly, no rule asks how much of that is in steps, and finding
#: steps takes longer than all else about ops.
_LEAST = 0.1


class EagerTime(NamedTuple):
    """Self time of ops in steps: the part that ran eagerly, and the part of which that is known; in ps."""

    eager_ps: float
    known_ps: float

    def plus(self, other: EagerTime) -> EagerTime:
        return EagerTime(self.eager_ps + other.eager_ps, self.known_ps + other.known_ps)


def is_of_model(type: str) -> bool:
    """Whether ops of a type are work that a compiled function could hold."""
    return not _AROUND_STEPS.fullmatch(type)


def in_steps(
    timeline: Timeline, rows: I64, self_ps: F64, eager: NDArray[np.bool_], known: NDArray[np.bool_]
) -> NDArray[np.bool_] | None:
    """By event whether it begins in a step, of marked ones in what the mark holds; None without steps, and where too
    little ran eagerly."""
    if not (eager & known).any() or self_ps[eager & known].sum() < _LEAST * self_ps[known].sum():
        return None
    windows = _windows(timeline)
    if windows is None or not len(windows.begin):
        return None
    at = timeline.capture.events.start_ps[rows]
    row = np.searchsorted(windows.begin, at, side="right") - 1
    inside: NDArray[np.bool_] = (row >= 0) & (at < windows.end[row])
    return inside


def _windows(timeline: Timeline) -> Intervals | None:
    # Here, since pages on ops of programs that no Python runs op by op find no steps.
    from ...timeline.assignment import steps_of
    from ...timeline.steps.model import MARKED

    steps = steps_of(timeline)
    if not len(steps):
        return None
    return intervals.union(steps.begin_ps, steps.end_ps if steps.rule in MARKED else steps.until_ps)


# Ops that somebody else summed up, in a capture without a timeline → their sums.


class RecordedOp(NamedTuple):
    """All executions of an op. side: `host`, `device`, or `input`: of an input pipeline, whose ops TensorFlow counts
    by themselves.
    """

    side: str
    op: Op
    occurrences: int
    total_ps: int
    self_ps: int


def recorded_ops(timeline: Timeline) -> Iterator[RecordedOp]:
    """In the file's order; nothing where the capture has a timeline."""
    capture = timeline.capture
    if capture.strings.find(RECORDED_SIDE) < 0:
        return
    table = capture.aggregates
    for row in range(len(table)):
        facts = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        side, kind, self_ps = (facts.get(key) for key in (RECORDED_SIDE, RECORDED_TYPE, RECORDED_SELF_PS))
        if isinstance(side, str) and isinstance(kind, str) and isinstance(self_ps, int):
            op = Op(capture.strings[int(table.name[row])], kind)
            yield RecordedOp(side, op, int(table.occurrences[row]), int(table.duration_ps[row]), self_ps)


SIDES = ("device", "host")
#: The row that stands for time in which nothing ran.
IDLE = Op("IDLE", "IDLE")


class PathTime(NamedTuple):
    """What the critical path holds of something in typical steps, the time of these, and how long it ran in them: its
    self time on the device of its host on which that is most, 0 on hosts and where the path leads past devices.
    slack_ps: the least of its executions; None if unknown."""

    ps: int
    steps_ps: int
    ran_ps: int
    slack_ps: int | None

    def plus(self, other: PathTime) -> PathTime:
        known = [each.slack_ps for each in (self, other) if each.slack_ps is not None]
        return PathTime(
            self.ps + other.ps, self.steps_ps + other.steps_ps, self.ran_ps + other.ran_ps, min(known, default=None)
        )


class OpRow(NamedTuple):
    """What one host's capture says about one op on one side; times in ps, kernels 0 on a host.

    eager_ps is the part of self_ps that ran eagerly, known_ps the part of which that is known. wait_ps is the part that
    only waited, wait_known_ps the part of which that is known. use: of FLOPs, bytes and tensor cores, memory and
    device_time: of calls on the host; None if unknown. in_steps: of what ran in steps, None where all did or nothing is
    known of steps. path: None if unknown.
    """

    occurrences: int
    kernels: int
    total_ps: float
    self_ps: float
    eager_ps: float
    known_ps: float
    wait_ps: float
    wait_known_ps: float
    use: OpUse | None = None
    memory: OpMemory | None = None
    in_steps: EagerTime | None = None
    device_time: DeviceTime | None = None
    path: PathTime | None = None

    @staticmethod
    def of_time(ps: float) -> OpRow:
        """Time that is no execution of an op."""
        return OpRow(0, 0, ps, ps, 0.0, 0.0, 0.0, 0.0)

    @property
    def of_steps(self) -> EagerTime:
        """What ran in steps, or all where these are not known."""
        return self.in_steps or EagerTime(self.eager_ps, self.known_ps)

    @property
    def eager_share(self) -> float | None:
        return self.eager_ps / self.known_ps if self.known_ps else None

    @property
    def wait_share(self) -> float | None:
        return self.wait_ps / self.wait_known_ps if self.wait_known_ps else None

    @property
    def tensor_missed_self_ps(self) -> float:
        """Self time in kernels that could have used tensor cores, as their part of the total time."""
        return self.self_ps * self.use.tensor_missed_ps / self.total_ps if self.use and self.total_ps else 0.0


Key = tuple[str, Op]


class OpTable(msgspec.Struct, frozen=True):
    """One host's ops. window_ps: the capture's span, or what of it was chosen; devices: how many ran something.

    busy_ps and idle_ps are sums over these devices; host_op_ps is the wall time with at least one op on a thread.
    peaks: 10¹² FLOP/s and GB/s of these devices, the distinct ones, None for what is unknown.
    unattributed: the self time of kernels without an op. graphs: whether the program launches graphs. outside: bytes
    of memory of hosts and of devices that no op allocated, less those freed; None if unknown.
    """

    host: str
    rows: dict[Key, OpRow]
    window_ps: int
    devices: int
    busy_ps: int
    idle_ps: int
    host_op_ps: int
    peaks: frozenset[tuple[float | None, float | None]]
    unattributed: UnattributedTime
    outside: tuple[int, int] | None = None
    graphs: bool = False

    def with_rows(self, rows: dict[Key, OpRow]) -> OpTable:
        return structs.replace(self, rows=rows)

    def without_steps(self) -> OpTable:
        """PyTorch's steps hold all that ran in them: what is theirs alone is time in which no op ran."""
        if ("host", STEPS) not in self.rows:
            return self
        return self.with_rows({key: row for key, row in self.rows.items() if key[1] != STEPS})


def op_table(timeline: Timeline, by: str = "op") -> OpTable:
    """The ops of one host, with PyTorch's calls named as `Timeline.grouped` says."""
    prepare(timeline)
    active, ops = workers_of(timeline), grouped_ops_of(timeline, by)
    host, device = side_by_side(
        len(timeline.capture.events), lambda: _host_part(timeline, ops), lambda: device_part(timeline, ops)
    )
    memory = call_memory(timeline, ops.host.rows)
    for i, known in of_ops(memory, ops).items() if memory else ():
        host["host", ops.ops[i]] = host["host", ops.ops[i]]._replace(memory=known)
    for i, time in device_times(timeline, ops).items():
        host["host", ops.ops[i]] = host["host", ops.ops[i]]._replace(device_time=time)
    return OpTable(
        host=timeline.host,
        rows=host | device | _recorded_rows(timeline),
        window_ps=windows_of(timeline).host.total,
        devices=len(active),
        busy_ps=sum(d.busy_ps for d in active),
        idle_ps=sum(d.idle_ps for d in active),
        host_op_ps=host_busy_of(timeline).total,
        peaks=peaks(timeline),
        unattributed=unattributed_time(timeline),
        outside=(int(memory.outside[0]), int(memory.outside[1])) if memory else None,
        graphs=uses_graphs(timeline),
    )


def prepare(timeline: Timeline) -> None:
    """What tables of ops and kernels need of a timeline, and what needs nothing of each other."""
    parts = (ops_of, launches_of, device_spans_of, nesting_of)
    side_by_side(len(timeline.capture.events), *(partial(part, timeline) for part in parts))


def _host_part(timeline: Timeline, ops: Ops) -> dict[Key, OpRow]:
    return _used(ops, _host_rows(timeline, ops), "host", host_use(timeline, ops))


def device_part(timeline: Timeline, ops: Ops) -> dict[Key, OpRow]:
    """The rows of one host's devices."""
    rows = _added(_device_rows(timeline, ops), aggregated_rows(timeline, ops))
    return _used(ops, rows, "device", device_use(timeline, ops))


def _used(ops: Ops, rows: dict[Key, OpRow], side: str, use: Mapping[int, OpUse]) -> dict[Key, OpRow]:
    for i, known in use.items():
        key = (side, ops.ops[i])
        if key in rows:
            rows[key] = _with(rows[key], known)
    return rows


def has_ops(table: OpTable, side: str) -> bool:
    """Whether any op ran on that side of a host."""
    return any(where == side for where, _ in table.rows)


def sums_only(tables: Iterable[OpTable]) -> bool:
    """Whether ops took time on hosts, and yet none ran at any time that is known."""
    hosts = list(tables)
    took = any(row.total_ps for table in hosts for (side, _), row in table.rows.items() if side == "host")
    return took and not any(table.host_op_ps for table in hosts)


def merged(tables: Iterable[OpTable]) -> dict[Key, OpRow]:
    """The rows of several hosts, summed by side and op."""
    given = [table.rows for table in tables]
    if len(given) < 2:
        return given[0] if given else {}
    found: dict[Key, list[OpRow]] = {}
    for rows in given:
        for key, row in rows.items():
            found.setdefault(key, []).append(row)
    return {key: sum_of(*rows) for key, rows in found.items()}


def _added(a: dict[Key, OpRow], b: dict[Key, OpRow]) -> dict[Key, OpRow]:
    return a | {key: sum_of(a[key], row) if key in a else row for key, row in b.items()}


def sum_of(*rows: OpRow) -> OpRow:
    if len(rows) == 1:
        return rows[0]
    *sums, uses, memory, in_steps, device_time, path = zip(*rows, strict=True)
    totals: list[Any] = list(map(sum, sums))
    return OpRow(*totals)._replace(
        use=OpUse.summed(_known(uses)),
        memory=_plus(memory),
        in_steps=_plus([row.of_steps for row in rows]) if _known(in_steps) else None,
        device_time=_plus(device_time),
        path=_plus(path),
    )


def _known(parts: Iterable[Any]) -> list[Any]:
    return [part for part in parts if part is not None]


def _plus(parts: Iterable[Any]) -> Any:
    """The sum of those that are known; None without any."""
    known = _known(parts)
    return reduce(lambda a, b: a.plus(b), known) if known else None


def _with(row: OpRow, use: OpUse | None) -> OpRow:
    return row._replace(use=use) if use else row


def ranked(rows: Mapping[Key, OpRow], side: str) -> list[tuple[Op, OpRow]]:
    """The rows of one side, largest self time first, then by name."""
    of_side = [(op, row) for (where, op), row in rows.items() if where == side]
    of_side.sort(key=itemgetter(0))
    self_ps = np.array([row.self_ps for _, row in of_side])
    return [of_side[i] for i in np.argsort(-self_ps, kind="stable").tolist()]


class _Executed(NamedTuple):
    """Op events of one side, column by column: op index, duration, self time, ran eagerly, whether that is known, only
    waited, whether that is known; in a step, None where nothing ran eagerly or no step is known.
    """

    op: I32
    total_ps: I64
    self_ps: NDArray[np.float64]
    eager: NDArray[np.bool_]
    known: NDArray[np.bool_]
    waits: NDArray[np.bool_]
    wait_known: NDArray[np.bool_]
    in_steps: NDArray[np.bool_] | None


def _host_rows(timeline: Timeline, ops: Ops) -> dict[Key, OpRow]:
    rows, op = ops.host
    self_ps = host_self_ps(timeline, ops).astype(np.float64)
    total, waits = timeline.capture.events.duration_ps[at_once(rows)], host_waits_of(timeline, ops)[op]
    known = _tensorflow(timeline, ops)[op]
    eager = is_eager(timeline, rows)
    inside = in_steps(timeline, rows, self_ps, eager, known)
    executed = _Executed(op, total, self_ps, eager, known, waits, np.ones(len(rows), bool), inside)
    occurrences = np.bincount(op[~continues_of(timeline)[at_once(rows)]], minlength=len(ops.ops))
    return _rows(ops, "host", executed, occurrences, np.zeros_like(occurrences))


def host_self_ps(timeline: Timeline, ops: Ops) -> I64:
    """Self time of each event of `ops.host`."""
    return host_self_ps_of(timeline) if ops is ops_of(timeline) else self_among(timeline, ops.host.rows)


def _device_rows(timeline: Timeline, ops: Ops) -> dict[Key, OpRow]:
    rows, op = ops.device
    if not len(rows):
        return {}
    around = _host_op_around_launch(timeline, ops)
    total, self_ps = device_spans_of(timeline)
    reported, is_reported = reported_eager(timeline, rows)
    eager = np.where(is_reported, reported, _eager_around(timeline, around))
    known = ((around >= 0) | is_reported) & _tensorflow(timeline, ops)[op]
    begun_by = np.where(around >= 0, around, rows)
    inside = in_steps(timeline, begun_by, self_ps.astype(np.float64), eager, known)
    executed = _Executed(op, total, self_ps, eager, known, *device_waits_of(timeline), inside)
    kernels = np.bincount(op, minlength=len(ops.ops))
    return _rows(ops, "device", executed, executions(timeline, ops, around), kernels)


def aggregated_rows(timeline: Timeline, ops: Ops) -> dict[Key, OpRow]:
    """Ops of which the collector kept only number and total time; without a self time of theirs it is the total."""
    table, capture = timeline.capture.aggregates, timeline.capture
    rows: dict[Key, OpRow] = {}
    for row, op in zip(*(column.tolist() for column in ops.device_aggregates), strict=True):
        facts = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        count, total = int(table.occurrences[row]), float(table.duration_ps[row])
        recorded = facts.get("self_duration_ps")
        self_ps = min(float(recorded), total) if isinstance(recorded, int) and recorded >= 0 else total
        wait_ps = self_ps if kind_waits(capture, int(table.kind[row])) else 0.0
        one = OpRow(max(count, 1), max(count, 1), total, self_ps, 0.0, 0.0, wait_ps, self_ps)
        key = ("device", ops.ops[op])
        rows[key] = sum_of(rows[key], one) if key in rows else one
    return rows


def _recorded_rows(timeline: Timeline) -> dict[Key, OpRow]:
    """A row an op; of kernels, eager mode and waiting the sums give no information."""
    rows: dict[Key, OpRow] = {}
    for side, op, occurrences, total, self_ps in recorded_ops(timeline):
        if side in ("host", "device"):
            one = OpRow(occurrences, 0, float(total), float(self_ps), 0.0, 0.0, 0.0, 0.0)
            rows[side, op] = sum_of(rows[side, op], one) if (side, op) in rows else one
    return rows


def _host_op_around_launch(timeline: Timeline, ops: Ops) -> I32:
    """Row of the host op event that launched each device event, -1 where the capture does not show it."""
    rows = ops.device.rows
    if not len(ops.host.rows):
        return np.full(len(rows), -1, np.int32)
    return device_calls_of(timeline)


def _eager_around(timeline: Timeline, around: I32) -> NDArray[np.bool_]:
    flags = np.zeros(len(timeline.capture.events) + 1, bool)
    host = ops_of(timeline).host.rows
    flags[host] = is_eager(timeline, host)
    return flags[around]


def _tensorflow(timeline: Timeline, ops: Ops) -> NDArray[np.bool_]:
    """Ops of which it is known whether TensorFlow ran them one by one: its own, and what XLA compiled for it."""
    eager = timeline.capture.strings.find("EagerExecute") >= 0
    return np.array([is_tensorflow(op) or (eager and bool(op.module)) for op in ops.ops], bool)


def _rows(ops: Ops, side: str, executed: _Executed, occurrences: I64, kernels: I64) -> dict[Key, OpRow]:
    n = len(ops.ops)
    op, total, self_ps, eager, known, waits, wait_known, inside = executed
    parts = [eager & known, known, waits, wait_known]
    if inside is not None:
        parts += [eager & known & inside, known & inside]
    of_all = np.bincount(op, weights=self_ps, minlength=n)
    sums: list[NDArray[np.generic]] = [np.bincount(op, weights=total, minlength=n), of_all]
    for part in parts:
        some = np.flatnonzero(part)
        sums.append(of_all if len(some) == len(part) else np.bincount(op[some], self_ps[some], n))
    present = np.flatnonzero(np.bincount(op, minlength=n))
    columns = [column[present].tolist() for column in (occurrences, kernels, *sums)]
    numbers = zip(present.tolist(), zip(*columns, strict=True), strict=True)
    made = ((i, OpRow(*row[:8]), row[8:]) for i, row in numbers)
    return {(side, ops.ops[i]): one._replace(in_steps=EagerTime(*of)) if of else one for i, one, of in made}


class Listed(NamedTuple):
    """The ops of a side, of one host or (host empty) of all, largest self time first."""

    side: str
    host: str
    rows: Sequence[tuple[Op, OpRow]]
    #: How PyTorch's calls are named, where not as they are without being asked.
    by: str | None = None

    @property
    def self_ps(self) -> float:
        """The whole that shares are of. PyTorch's steps are no ops: their self time is time in which none ran."""
        return sum(row.self_ps for op, row in self.rows if op != STEPS)

    def of_ops(self) -> Listed:
        """Without the time in which nothing ran, and without PyTorch's steps, which hold all that ran in them."""
        return self._replace(rows=[pair for pair in self.rows if pair[0] not in (IDLE, STEPS)])


def called(op: Op) -> str:
    """Its name, and its type where the name does not say it."""
    name = clipped(op.name)
    return name if op.type.removeprefix("Dataset::") in op.name else f"{name} ({clipped(op.type)})"
