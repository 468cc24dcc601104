"""A timeline → what each of its kernels cost; several → one table. Columns are arrays, a row is a kernel of an op."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import (
    F64,
    I32,
    I64,
    Groups,
    Launches,
    PlaneKind,
    StatKind,
    among,
    at_once,
    grouped,
    occurring,
    pooled,
    side_by_side,
)
from ...timeline.causes import graph_nodes, launches_of
from ...timeline.names.kernels import multiplies
from ...timeline.names.ops import UNATTRIBUTED, Op, copy_op, device_op
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline, is_integer
from ..path.replay import NO_SLACK, EventTimes, places

# A timeline → what ran on its GPUs, sorted into kernels, copies with fills, and whole CUDA graphs.

GRAPH_EVENT = "CudaGraphExec"
#: The second with CUPTI's capital letter.
COPY_DETAILS = ("memcpy_details", "Memset_details", "memset_details")
#: Allocations that the driver puts on a stream: no work.
_NO_WORK = ("memalloc_details", "MemFree_details", "memfree_details")
KERNEL, COPY, GRAPH, OTHER = range(4)


class Work(NamedTuple):
    """Some of the events on a timeline's GPUs, ascending.

    rows: of `events`. op: index in `ops.ops`. plane: row of `planes`. before_ps: the end of what ran before it on its
    stream, -1 for the first. launch: of a kernel, row of `kernel_launches.launches`, -1 unknown. details: of a copy or
    fill, string id of the text that describes it, 0 where there is none.
    """

    rows: I64
    op: I32
    plane: I32
    before_ps: I64
    launch: I32
    details: I32

    def only(self, which: NDArray[np.bool_]) -> Work:
        if which.all():
            return self
        at = np.flatnonzero(which)
        return Work(self.rows[at], self.op[at], self.plane[at], self.before_ps[at], self.launch[at], self.details[at])


def gpu_work(timeline: Timeline) -> dict[int, Work]:
    """KERNEL, COPY and GRAPH → their events."""
    capture, ran = timeline.capture, ops_of(timeline).device
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU)
    plane = capture.tracks.plane[capture.events.track[at_once(ran.rows)]]
    on_gpu = among(plane, gpus)
    rows, op, plane = (ran.rows, ran.op, plane) if on_gpu.all() else (ran.rows[on_gpu], ran.op[on_gpu], plane[on_gpu])
    (launch, details, kind), before = side_by_side(
        len(rows), lambda: _sorted_out(timeline, rows), lambda: _before(timeline, rows)
    )
    work = Work(rows, op, plane, before, launch, details)
    return {which: work.only(kind == which) for which in (KERNEL, COPY, GRAPH)}


def _sorted_out(timeline: Timeline, rows: I64) -> tuple[I32, I32, NDArray[np.uint8]]:
    """Each event's launch, a copy's text, and what it is: what was launched as a kernel is one, whatever its name."""
    capture = timeline.capture
    launch, details = capture.kernel_launches.events.launch_of(rows), np.zeros(len(rows), np.int32)
    is_kernel = launch >= 0
    kind = _by_name(timeline, rows)
    kind[timeline.stat_of("cuda_graph_exec_id", rows)[1] > 0] = GRAPH
    for key in _NO_WORK:
        kind[timeline.stat_of(key, rows)[1] > 0] = OTHER
    for key in (key for key in COPY_DETAILS if capture.strings.find(key) >= 0):
        text, stat_kind = timeline.stat_of(key, rows)
        present = (stat_kind == StatKind.TEXT) & ~is_kernel & (details == 0)
        details[present], kind[present] = text[present], COPY
    kind[is_kernel] = KERNEL
    return launch, details, kind


def _by_name(timeline: Timeline, rows: I64) -> NDArray[np.uint8]:
    strings, names = timeline.capture.strings, timeline.capture.events.name[at_once(rows)]
    used = np.zeros(len(strings), bool)
    used[names] = True
    table = np.full(len(strings), KERNEL, np.uint8)
    for i in np.flatnonzero(used).tolist():
        name = strings[i]
        if copy_op(name):
            table[i] = COPY
        elif name.startswith(GRAPH_EVENT):
            table[i] = GRAPH
    return table[names]


def _before(timeline: Timeline, rows: I64) -> I64:
    """End of the event before each, on its track; -1 where there is none."""
    events = timeline.capture.events
    if not len(rows):
        return np.empty(0, np.int64)
    before = np.empty(len(rows), np.int64)
    before[0] = -1
    for low in range(0, len(rows) - 1, _CHUNK):
        at = rows[low : low + _CHUNK + 1]
        end, track = events.start_ps[at] + events.duration_ps[at], events.track[at]
        before[low + 1 : low + len(at)] = np.where(track[1:] == track[:-1], end[:-1], -1)
    return before


def integer_stat(timeline: Timeline, key: str, rows: I64) -> I64:
    """An integer stat of some events; 0 where it is absent or none."""
    value, kind = timeline.stat_of(key, rows)
    return np.where(is_integer(kind), value, 0)


# Rows of a capture's launches → launch configurations: what tells two launches of a kernel apart.

Dimensions: TypeAlias = tuple[int, int, int]


class LaunchConfiguration(NamedTuple):
    """How a kernel was launched, None where the file does not say. Bytes are of a block; shared is static and dynamic
    together. Occupancy follows from it, and is no part of it.
    """

    registers: int | None = None
    static_shared: int | None = None
    dynamic_shared: int | None = None
    shared: int | None = None
    grid: Dimensions | None = None
    block: Dimensions | None = None


_SIZES = ("registers", "static_shared_bytes", "dynamic_shared_bytes", "shared_bytes")


def configurations(launches: Launches, rows: I64 | I32) -> list[LaunchConfiguration]:
    """By row of `launches`; -1 is a launch of which nothing is known."""
    known = np.flatnonzero(rows >= 0)
    result = [LaunchConfiguration()] * len(rows)
    if not len(known):
        return result
    some = launches.take(rows[known])
    sizes = [[None if n < 0 else n for n in getattr(some, name).tolist()] for name in _SIZES]
    columns = (
        *sizes,
        _dimensions(some.grid_x, some.grid_y, some.grid_z),
        _dimensions(some.block_x, some.block_y, some.block_z),
    )
    for i, row in zip(known.tolist(), zip(*columns, strict=True), strict=True):
        result[i] = LaunchConfiguration(*row)
    return result


def _dimensions(*axes: I64) -> list[Dimensions | None]:
    return [None if min(shape) < 0 else shape for shape in zip(*(axis.tolist() for axis in axes), strict=True)]


# Kernels → how long each took from its launch call to its begin, and how much of that it waited for its stream.
#
# Latency is the kernel's begin less the begin of the host's call that launched it. Queueing is that part of it in which
# the call had ended and the stream was still busy with what came before: from the call's end to the end of the event
# before on the stream, never more than up to the kernel's begin. What is left is the call itself and the way to the
# device. Where a kernel's stream was idle when its call ended, the device waited for the host. Clocks of host and
# device differ by microseconds: where a kernel begins before its call, neither is known. Nor is it for nodes of a
# graph, which one call launches together: the last of them begins later by all that the others take.

#: Up to so many values are kept as they are; of more, how many there are in each 256th of a power of two.
_EXACT = 1 << 14
_DROPPED = 52 - 8
_CHUNK = 1 << 17


class Launched(NamedTuple):
    """By kernel: latency and queueing in ps, -1 unknown. misfits: kernels that begin before their call."""

    latency_ps: I64
    queue_ps: I64
    starved: int
    misfits: int


def launched(timeline: Timeline, work: Work) -> Launched:
    latency, queue = np.empty((2, len(work.rows)), np.int64)
    starved = misfits = 0
    for at in range(0, len(work.rows), _CHUNK):
        some = _some(timeline, work, at, at + _CHUNK)
        latency[at : at + _CHUNK], queue[at : at + _CHUNK] = some[:2]
        starved, misfits = starved + some.starved, misfits + some.misfits
    return Launched(latency, queue, starved, misfits)


def _some(timeline: Timeline, work: Work, begin: int, end: int) -> Launched:
    """Of some kernels: arrays that fit the processor's cache are made in no time."""
    events, rows, before = timeline.capture.events, work.rows[begin:end], work.before_ps[begin:end]
    at = at_once(rows)
    call, start = launches_of(timeline).rows[at], events.start_ps[at]
    began = events.start_ps[call]
    ended = began + events.duration_ps[call]
    latency = start - began
    single = (call >= 0) & ~graph_nodes(timeline, rows)
    known = single & (latency >= 0)
    queue = np.clip(before - ended, 0, np.maximum(start - ended, 0))
    return Launched(
        np.where(known, latency, -1),
        np.where(known, queue, -1),
        int(np.count_nonzero(known & (before <= ended))),
        int(np.count_nonzero(single & (latency < 0))),
    )


class Spread(NamedTuple):
    """Values, and how often each was seen."""

    values: F64
    times: I64

    @property
    def total(self) -> int:
        return int(self.times.sum())


def spread(values: I64) -> Spread:
    """Of the values that are known, 0 and more: exact for few, to 0.4 % for many."""
    if np.count_nonzero(values >= 0) <= _EXACT:
        exact, times = np.unique(values[values >= 0], return_counts=True)
        return Spread(exact.astype(np.float64), times.astype(np.int64))
    times = np.zeros(1 << 63 - _DROPPED, np.int64)
    for at in range(0, len(values), _CHUNK):
        some = values[at : at + _CHUNK]
        # The upper bits of a float: its exponent and the first bits of its fraction.
        bits = (some[some >= 0] + 1.0).view(np.int64) >> _DROPPED
        count = np.bincount(bits)
        times[: len(count)] += count
    used = np.flatnonzero(times)
    middle = ((used << _DROPPED) + (1 << _DROPPED - 1)).view(np.float64) - 1.0
    return Spread(middle, times[used])


def percentile(spreads: Sequence[Spread], part: float) -> float | None:
    """The least value that at least `part` of all values do not exceed; None without values."""
    values = np.concatenate([np.empty(0), *(s.values for s in spreads)])
    times = np.concatenate([np.empty(0, np.int64), *(s.times for s in spreads)])
    if not len(values):
        return None
    order = np.argsort(values, kind="stable")
    so_far = np.cumsum(times[order])
    return float(values[order[np.searchsorted(so_far, part * so_far[-1] * (1 - 1e-12))]])


I8 = NDArray[np.int8]
UNKNOWN = -1
#: Larger sums are cut: 53 days in ps.
_MOST = 2.0**62


class KernelRows(msgspec.Struct, frozen=True, eq=False):
    """Kernels, a row each: indices into the four lists, flags (-1 unknown), and sums over their executions.

    device: place in the list of devices that the partial has. min_ps and max_ps are -1 where only sums are known.
    occupancy: what fits, achieved: what is estimated, in percent, nan unknown. suggested_block, min_grid: 0 unknown.
    path_ps: on the critical path in typical steps, nan unknown; slack_ps: of their executions the least, `NO_SLACK`
    unknown.
    """

    names: list[str]
    ops: list[Op]
    launches: list[LaunchConfiguration]
    name: I64
    op: I64
    launch: I64
    device: I64
    in_graph: I8
    eligible: I8
    occurrences: I64
    total_ps: F64
    min_ps: I64
    max_ps: I64
    occupancy: F64
    achieved: F64
    suggested_block: I64
    min_grid: I64
    launched: I64
    latency_ps: F64
    queue_ps: F64
    path_ps: F64
    slack_ps: I64

    def __len__(self) -> int:
        return len(self.name)


class _Launches(NamedTuple):
    """The distinct configurations of some launches. place: of each launch among them. In percent, nan unknown."""

    configurations: list[LaunchConfiguration]
    place: I64
    occupancy: F64
    achieved: F64


def kernel_rows(
    timeline: Timeline,
    work: Work,
    launched: Launched,
    devices: Sequence[int],
    times: EventTimes | None = None,
) -> KernelRows:
    """The rows of the events that are kernels. devices: planes, in the order that numbers devices."""
    capture = timeline.capture
    name, graph = capture.events.name[at_once(work.rows)], graph_nodes(timeline, work.rows)
    # One more, for those that are not known: the first place.
    used = occurring(work.launch + 1, len(capture.kernel_launches.launches) + 1)
    launches = _distinct(capture.kernel_launches.launches, used - 1)
    place_of = np.zeros(len(capture.kernel_launches.launches) + 1, np.int32)
    place_of[used] = launches.place
    launch = place_of[work.launch + 1]
    groups = grouped(name, work.op, launch, work.plane, graph)
    first = work.rows[groups.first]
    at = np.searchsorted(used, work.launch[groups.first] + 1)
    names, ops = np.unique(name[groups.first]), np.unique(work.op[groups.first])
    duration = capture.events.duration_ps[at_once(work.rows)]
    place = np.zeros(len(capture.planes), np.int64)
    place[list(devices)] = np.arange(len(devices))
    used_ops = [ops_of(timeline).ops[i] for i in ops.tolist()]
    op = np.searchsorted(ops, work.op[groups.first])
    return KernelRows(
        capture.strings.texts(names),
        used_ops,
        launches.configurations,
        np.searchsorted(names, name[groups.first]),
        op,
        launch[groups.first].astype(np.int64),
        place[work.plane[groups.first]],
        graph[groups.first].astype(np.int8),
        _eligible(timeline, used_ops, op, first),
        groups.size(),
        groups.sum(duration),
        groups.minimum(duration),
        groups.maximum(duration),
        _occupancy(timeline, first, launches.occupancy[at]),
        launches.achieved[at],
        integer_stat(timeline, "occupancy_suggested_block_size", first),
        integer_stat(timeline, "occupancy_min_grid_size", first),
        *_waits(groups, launched),
        *_path(timeline, work.rows, groups, times),
    )


def _path(timeline: Timeline, rows: I64, groups: Groups, times: EventTimes | None) -> tuple[F64, I64]:
    """`KernelRows.path_ps` and `slack_ps`."""
    n = len(groups.first)
    slack_ps = np.full(n, NO_SLACK)
    if times is None:
        return np.full(n, np.nan), slack_ps
    place, here = places(rows, times.rows)
    path_ps = np.bincount(groups.of[place], times.ps[here], n).astype(np.float64, copy=False)
    np.minimum.at(slack_ps, groups.of[place], times.slack_ps[here])
    ran = times.ran(timeline.capture.events, rows)
    if ran is not None:
        path_ps[np.bincount(groups.of[ran], minlength=n) == 0] = np.nan
    return path_ps, slack_ps


def _waits(groups: Groups, launched: Launched) -> tuple[I64, F64, F64]:
    known = launched.latency_ps >= 0
    if known.all():
        return groups.size(), groups.sum(launched.latency_ps), groups.sum(launched.queue_ps)
    count = groups.sum(known).astype(np.int64)
    return count, groups.sum(np.where(known, launched.latency_ps, 0)), groups.sum(np.where(known, launched.queue_ps, 0))


def _distinct(launches: Launches, rows: I64) -> _Launches:
    """rows: of `launches`, -1 unknown. Rows that differ only in what the collector computed are one configuration."""
    distinct_of, [place] = pooled([configurations(launches, rows)])
    percents = (launches.occupancy_percent, launches.achieved_percent)
    occupancy, achieved = (np.append(column, np.nan)[rows] for column in percents)
    return _Launches(distinct_of, place, occupancy, achieved)


def _occupancy(timeline: Timeline, rows: I64, of_launch: F64) -> F64:
    """The number that the collector computed where there is one, else that of the launch."""
    value, kind = timeline.stat_of("theoretical_occupancy_pct", rows)
    number = np.where(kind == StatKind.DOUBLE, value.view(np.float64), np.where(kind == StatKind.INT, value, np.nan))
    known = np.isfinite(number) & (number > 0) & (number <= 100)
    return np.where(known, number, of_launch)


def _eligible(timeline: Timeline, ops: list[Op], op: I64, rows: I64) -> I8:
    """By row: 1, 0 or -1; an Einsum's by its equation."""
    flags = {None: UNKNOWN, False: 0, True: 1}
    of_op = np.array([flags[multiplies(o.type)] for o in ops], np.int8)
    eligible: I8 = of_op[op]
    equation, kind = timeline.stat_of("equation", rows)
    strings = timeline.capture.strings
    for i in np.flatnonzero(kind == StatKind.TEXT).tolist():
        eligible[i] = flags[multiplies(ops[int(op[i])].type, strings[int(equation[i])])]
    return eligible


def summed_rows(timeline: Timeline, devices: Sequence[int]) -> KernelRows:
    """Kernels of which the file gives only sums: aggregates on GPUs of which it shows how they were launched."""
    capture = timeline.capture
    sums, launched = capture.aggregates, capture.kernel_launches.aggregates
    here = capture.planes.kind[capture.tracks.plane[sums.track[launched.row]]] == PlaneKind.GPU
    rows = launched.row[here]
    launches = _distinct(capture.kernel_launches.launches, launched.launch[here].astype(np.int64))
    ranges = zip(sums.stats_begin[rows].tolist(), sums.stats_end[rows].tolist(), strict=True)
    facts = [dict(reversed(capture.values(begin, end))) for begin, end in ranges]
    names, [name] = pooled([capture.strings.texts(sums.name[rows])])
    given = [(f.get("tf_op"), n) for f, n in zip(facts, name.tolist(), strict=True)]
    every = [device_op(op) if isinstance(op, str) and op else Op(names[n], UNATTRIBUTED) for op, n in given]
    ops, [op] = pooled([every])
    eligible = [
        _recorded_eligible(multiplies(o.type), f.get("is_op_tensor_core_eligible"))
        for o, f in zip(every, facts, strict=True)
    ]
    plane = capture.tracks.plane[sums.track[rows]]
    none, zero = np.zeros(len(rows), np.int64), np.zeros(len(rows))
    return KernelRows(
        names,
        ops,
        launches.configurations,
        name,
        op,
        launches.place,
        np.array([list(devices).index(p) for p in plane.tolist()], np.int64),
        np.full(len(rows), UNKNOWN, np.int8),
        np.array(eligible, np.int8),
        sums.occurrences[rows],
        sums.duration_ps[rows].astype(np.float64),
        _bound([f.get("min_duration_ps") for f in facts]),
        _bound([f.get("max_duration_ps") for f in facts]),
        launches.occupancy,
        launches.achieved,
        none,
        none,
        none,
        zero,
        zero,
        np.full(len(rows), np.nan),
        np.full(len(rows), NO_SLACK),
    )


def _recorded_eligible(by_type: bool | None, recorded: object) -> int:
    """What the file says of an op counts where its type does not say yes: the type is a guess from its name."""
    return int(bool(by_type or recorded)) if by_type is not None or isinstance(recorded, int) else UNKNOWN


def _bound(values: Sequence[object]) -> I64:
    return np.array([v if isinstance(v, int) and 0 <= v < 1 << 63 else UNKNOWN for v in values], np.int64)


#: What tells two rows apart, beside host and device.
_KEY = ("name", "op", "launch", "in_graph", "eligible")
_COLUMNS = tuple(name for name in KernelRows.__struct_fields__ if name not in ("names", "ops", "launches"))
_SUMS = ("occurrences", "total_ps", "launched", "latency_ps", "queue_ps")


def merged(parts: Sequence[KernelRows], where: Sequence[I64]) -> KernelRows:
    """One table of several. where: for each part its rows' place (host, device); rows of one place are merged.

    `device` is then the first of those merged.
    """
    parts, where = [p for p in parts if len(p)] or parts[:1], [w for w in where if len(w)] or where[:1]
    if len(parts) == 1:
        return _regrouped(parts[0], where[0])
    names, ops = pooled([p.names for p in parts]), pooled([p.ops for p in parts])
    launches = pooled([p.launches for p in parts])
    places = {"name": names[1], "op": ops[1], "launch": launches[1]}
    columns = {
        name: np.concatenate(
            [places[name][i][getattr(p, name)] if name in places else getattr(p, name) for i, p in enumerate(parts)]
        )
        for name in _COLUMNS
    }
    return _regrouped(KernelRows(names[0], ops[0], launches[0], **columns), np.concatenate(list(where)))


def _regrouped(table: KernelRows, place: I64) -> KernelRows:
    """Rows that are alike, at one place, become one."""
    columns = {name: getattr(table, name) for name in _COLUMNS}
    groups = grouped(*(columns[key] for key in _KEY), place)
    together = {name: column[groups.first] for name, column in columns.items()}
    return structs.replace(table, **together | dict(_summed(groups, columns)))


def _summed(groups: Groups, columns: dict[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in _SUMS:
        yield name, np.minimum(groups.sum(columns[name]), _MOST).astype(columns[name].dtype)
    least, most = groups.minimum(columns["min_ps"]), groups.maximum(columns["max_ps"])
    yield "min_ps", least
    path_ps = columns["path_ps"]
    known = ~np.isnan(path_ps)
    yield "path_ps", np.where(groups.sum(known) > 0, groups.sum(np.where(known, path_ps, 0.0)), np.nan)
    yield "slack_ps", groups.minimum(columns["slack_ps"])
    yield "max_ps", np.where(groups.minimum(columns["max_ps"]) < 0, UNKNOWN, most)


# A kernel's name → a short one.

#: So much of a name is looked at; the longest real ones have some ten thousand letters.
_HEAD = 20_000
_SHORT = 120
#: Functions of libraries that run whatever class their first template argument is …
_RUNS_ANY = ("device_kernel", "kentry", "Kernel", "Kernel2", "kernel_entry")
#: … which may be wrapped by what allows it on some devices only.
_FIRST_ARGUMENT = regex(r"<\s*(?:[\w:]*enable_\w+\s*<\s*)?(?:\d+,\s*|true,\s*|false,\s*)*(?:\w+::)*([A-Za-z_]\w+)")
#: Libraries that put the operation into a template argument or a parameter's name.
_CUTLASS = regex(r"(?:cutlass\w*|cute|device_kernel)\b[^<]*<\s*(?:[\w:]*::)?(cutlass\w*?_\w+)")
_TENSILE = regex(r"(Cijk_\w+?_MT\d+x\d+x\d+)")
_NAMELESS = regex(r"\(anonymous namespace\)|\(anonymous\)")
_LAMBDA = regex(r"\{lambda[^{}]*\}")


def short_name(name: str) -> str:
    """The function's own name, of a name as `kernel_name` gives it: `void at::f<int>(int*)` → `f`."""
    head = name[:_HEAD]
    if match := _TENSILE.search(head) or _CUTLASS.search(head):
        return match[1][:_SHORT]
    if head.isidentifier():
        return head[:_SHORT]
    plain = _flat(_LAMBDA.sub("lambda", _NAMELESS.sub("", head)).replace("operator()", "operator"))
    last = plain.strip().rpartition(" ")[2].rpartition("::")
    base = last[2] or last[0].rpartition("::")[2]
    if base in ("kernel", "Kernel", "operator", "type", "run") and "::" in last[0] + last[1]:
        base = f"{last[0].rpartition('::')[2]}::{base}".removeprefix("::")
    if base in _RUNS_ANY and (match := _FIRST_ARGUMENT.search(head)):
        base = match[1]
    return base[:_SHORT] or head[:_SHORT]


def _flat(name: str) -> str:
    """Without what stands in angle brackets, and from the first parameter on."""
    out: list[str] = []
    depth = 0
    for part in re.split(r"([<>(])", name):
        if part == "<":
            depth += 1
        elif part == ">":
            depth = max(depth - 1, 0)
        elif part == "(" and not depth:
            if "".join(out).strip():
                break
        elif not depth:
            out.append(part)
    return "".join(out)
