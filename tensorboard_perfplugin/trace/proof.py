"""A number of another page's table: the events that it was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..analysis.collectives.calls import calls
from ..analysis.collectives.negotiations import negotiated
from ..analysis.devices.tpu import program_rows
from ..analysis.devices.tracks import device_tracks
from ..analysis.hosts.workers import device_names
from ..analysis.idle import TITLES, WHOLE, causes_of, gaps_of
from ..analysis.input.bottleneck import Stage
from ..analysis.input.copies import batch_copies
from ..analysis.input.frames import ITERATOR, frames, transformation
from ..analysis.input.other import calls_of_stage
from ..analysis.input.stages import kind_of
from ..analysis.kernels.host import copy_kinds, graph_of_launches, octaves
from ..analysis.kernels.merged import joined
from ..analysis.kernels.rows import (
    COPY,
    GRAPH,
    KERNEL,
    LaunchConfiguration,
    Work,
    configurations,
    gpu_work,
    integer_stat,
    short_name,
)
from ..analysis.ops.rows import IDLE, host_self_ps, ranked
from ..analysis.ops.sides import lies_in
from ..analysis.programs.profile import WAYS, InstructionSide, paths_of, twin_names
from ..analysis.programs.table import instruction_table
from ..analysis.steps.means import SPLIT_OF, STEPS_FROM, HostSteps, StepMeans, host_steps, of_one_program, step_means
from ..analysis.tf_data.host import Host
from ..errors import ArgumentError
from ..messages import Message
from ..tables import EMPTY, I64, Intervals, Options, PlaneKind, RowKey, intervals, row_key
from ..timeline.causes import graph_nodes
from ..timeline.devices import device_spans_of, devices_of, host_busy_of, workers_of
from ..timeline.names.kernels import kernel_name
from ..timeline.names.ops import UNATTRIBUTED, Op
from ..timeline.ops.ops import ops_of
from ..timeline.ops.pytorch import grouped_ops_of
from ..timeline.split.split import Exposed, exposed, units_of
from ..timeline.timeline import CATEGORIES, INDEX, Kept, Timeline, cached, held_bytes
from ..units import PS_PER_MS
from .lanes import Window
from .search import HITS_MAX, HitsPart, part_of

# A timeline and a cell of another page's table → the events, or stretches of time, that its number was made of.


class Marked(NamedTuple):
    """Events of one host. rows: ascending. ps: what of each counts to the number. how: what that is."""

    rows: I64
    ps: NDArray[np.int64] | NDArray[np.float64]
    how: Message


class Stretches(NamedTuple):
    """Time of one host in which something held. Of each part its tracks (none for all) and when; the lengths add up to
    the number. how: what their sum is. name: what to call one. ps: the number, where it is by another clock
    than the trace's. names: of each part, where the parts are of more than one kind.
    """

    parts: list[tuple[I64, Intervals]]
    how: Message
    name: str
    ps: int | None = None
    names: tuple[str, ...] = ()


Proof: TypeAlias = Marked | Stretches
Prover: TypeAlias = Callable[[Timeline, RowKey], Proof]

DURATIONS = Message("proof.durations", {"tpu": False})
SELF_TIMES = Message("proof.self_times", {"tpu": False})
NO_ROWS = np.empty(0, np.int64)


def of_durations(timeline: Timeline, rows: I64) -> Marked:
    """Events whose durations add up to the number."""
    return Marked(rows, timeline.capture.events.duration_ps[rows], DURATIONS)


# The rows of tables of steps → when, on which tracks, the time of a step went to what a column shows.

#: Columns of a step's own time, up to where: the next step's begin, or its own end.
_WALL, _SPAN = ("duration_ms", "mean_ms"), "span_ms"


class StepTime(NamedTuple):
    """One host's part. found: by unit of the split, when the column's categories hold; None for the step itself."""

    steps: HostSteps
    found: list[Exposed] | None


class Shown(NamedTuple):
    """What is to be marked, by host: of some tracks (none for all) when. hits: what makes the number, of each unit what
    to call it and when; several tracks may show one. ps: the number. how: what it is of their lengths, None
    where it is their sum. number: how many make it. name: what to call one.
    """

    parts: dict[str, list[tuple[I64, Intervals]]]
    hits: dict[str, list[tuple[str, Intervals]]]
    ps: float
    how: Message | None
    number: int
    name: str


def step_time(timeline: Timeline, key: RowKey) -> StepTime:
    """Raises ArgumentError for a `steps_from` that cannot be read."""
    steps = host_steps(timeline, {STEPS_FROM.name: key.values.get(STEPS_FROM.name, "auto")[:1000]})
    if key.column in (*_WALL, _SPAN):
        return StepTime(steps, None)
    if key.tool == "input_pipeline" and key.column in ("batch_copy_ms", "rest_ms"):
        return StepTime(steps, _beside_input(timeline, steps, key.column))
    return StepTime(steps, exposed(timeline, steps.split.steps, categories(key)))


def _beside_input(timeline: Timeline, steps: HostSteps, column: str) -> list[Exposed]:
    """The copies that bring input, or all but these and waiting for it; a TPU's copies are its program's."""
    copies = exposed(timeline, steps.split.steps, (INDEX["copy_in"],))
    batches = [_batches(timeline, steps, one) for one in copies]
    if column == "batch_copy_ms":
        return [_cut(one, intervals.intersection, batch) for one, batch in zip(copies, batches, strict=True)]
    rest = tuple(i for i, c in enumerate(CATEGORIES) if c.key != "input_wait")
    others = exposed(timeline, steps.split.steps, rest)
    return [_cut(one, intervals.subtraction, batch) for one, batch in zip(others, batches, strict=True)]


def _batches(timeline: Timeline, steps: HostSteps, copies: Exposed) -> Intervals:
    if copies.unit.kind == "tpu":
        return intervals.EMPTY
    batch = batch_copies(timeline, steps.split.steps, copies.unit)
    return copies.when if batch is None else intervals.intersection(copies.when, batch)


def _cut(one: Exposed, by: Callable[[Intervals, Intervals], Intervals], other: Intervals) -> Exposed:
    return Exposed(one.unit, by(one.when, other), [(tracks, by(when, other)) for tracks, when in one.where])


def categories(key: RowKey) -> tuple[int, ...]:
    """Of a column, or of a row of the split, or several."""
    if key.table == "split":
        return tuple(INDEX[name] for name in key.values.get("category", "").split(",") if name in INDEX)
    name = key.column.removesuffix("_ms")
    return (INDEX[name],) if name in INDEX else ()


def together(parts: Sequence[StepTime], key: RowKey) -> Shown:
    """All hosts' parts: of one step, or of those that count; of all workers, or of one.

    Raises ArgumentError for a choice of steps that is none.
    """
    judged = of_one_program([part.steps for part in parts])
    parts = [part for part, is_mine in zip(parts, judged, strict=True) if is_mine]
    means = step_means([part.steps for part in parts])
    some = [part for part in parts if len(part.steps.split.steps)]
    columns = _columns(means, key)
    total, has = np.zeros(len(columns)), np.zeros(len(columns))
    shown: dict[str, list[tuple[I64, Intervals]]] = {}
    hits: dict[str, list[tuple[str, Intervals]]] = {}
    for part, row in zip(some, means.run.row[:, columns], strict=True):
        units = _units(part.steps, key)
        # Of steps of several workers a device has its own alone.
        ran = part.steps.split.ran[units]
        here = (row >= 0) & ran[:, np.clip(row, 0, ran.shape[1] - 1)].any(axis=0)
        if not here.any() or not key.allows("host", part.steps.host):
            continue
        has += here
        begin, until = _bounds(part.steps, row[here], key)
        if part.found is None:
            steps = part.steps.split.steps
            total[here] += (steps.span_ps if key.column == _SPAN else steps.wall_ps)[row[here]]
            shown[part.steps.host] = _on_lanes(begin, until, part.steps.split.steps.lane[row[here]])
            hits[part.steps.host] = [(_name(key), Intervals(begin, until))]
            continue
        mine = [part.found[unit] for unit in units[: len(part.found)]]
        ran = ran[: len(mine), row[here]]
        within = [intervals.union(begin[its], until[its]) for its in ran]
        for unit, one, its in zip(units, mine, ran, strict=True):
            own_ps = _held(part.steps, unit, row[here], key)
            held = intervals.coverage(one.when, begin, until) if own_ps is None else own_ps
            total[here] += its * held / np.maximum(ran.sum(axis=0), 1)
        names = device_names([one.unit for one in mine]) if len(mine) > 1 else [""]
        hits[part.steps.host] = [
            (_name(key) + (device and f", {device}"), intervals.intersection(one.when, its))
            for one, device, its in zip(mine, names, within, strict=True)
        ]
        shown[part.steps.host] = list(_where(mine, within))
    own = any(part.steps.split.steps.own is not None for part in some)
    number = float((total[has > 0] / has[has > 0]).mean()) if has.any() else 0.0
    count = sum(len(when.begin) for whens in hits.values() for _, when in whens)
    return Shown(
        shown,
        hits,
        number,
        _how(key, int((has > 0).sum()), len(hits) > 1 or any(len(whens) > 1 for whens in hits.values()), own),
        count,
        _name(key),
    )


def _where(found: Sequence[Exposed], within: Sequence[Intervals]) -> Iterator[tuple[I64, Intervals]]:
    """Tracks, and when on these within each one's steps: threads show what several devices wait for."""
    parts: dict[tuple[int, ...], list[Intervals]] = {}
    for one, steps in zip(found, within, strict=True):
        for tracks, when in one.where:
            parts.setdefault(tuple(tracks.tolist()), []).append(intervals.intersection(when, steps))
    for rows, whens in parts.items():
        yield np.array(rows, np.int64), intervals.union(*map(np.concatenate, zip(*whens, strict=True)))


def _name(key: RowKey) -> str:
    found = categories(key)
    if key.column == "rest_ms":
        return "Rest"
    return ", ".join(CATEGORIES[i].title for i in found) or "Step"


def _columns(means: StepMeans, key: RowKey) -> I64:
    """Places in the run of the steps that the row is of: of one all hosts' by its begin, or all that count."""
    run, n = means.run, len(means.exposed_ps)
    if "start_ms" not in key.values:
        return np.flatnonzero(means.chosen(key.values.get(SPLIT_OF.name, "all") if key.table == "split" else "all")[:n])
    if "host" not in key.values:
        begins = run.start_ps
    else:
        hosts = [i for i, name in enumerate(run.hosts) if key.holds("host", name)]
        rows = run.row[hosts[0]] if hosts else np.full(len(run.number), -1)
        steps = [part.split.steps for part in means.parts if len(part.split.steps)]
        begins = np.full(len(rows), np.iinfo(np.int64).min)
        here = rows >= 0
        begins[here] = steps[hosts[0]].begin_ps[rows[here]] + run.offset_ps[hosts[0]] if hosts else 0
    at = np.flatnonzero(begins / PS_PER_MS == key.number("start_ms"))
    return at[[key.allows("step", int(number)) for number in run.number[at].tolist()]]


def _units(part: HostSteps, key: RowKey) -> list[int]:
    """Places of the split's units that the row is of."""
    names = device_names(part.split.units)
    return [i for i, name in enumerate(names) if key.allows("device", name)]


def _bounds(part: HostSteps, rows: I64, key: RowKey) -> tuple[I64, I64]:
    steps = part.split.steps
    return steps.begin_ps[rows], (steps.end_ps if key.column == _SPAN else steps.until_ps)[rows]


def _on_lanes(begin: I64, until: I64, lanes: NDArray[np.integer]) -> list[tuple[I64, Intervals]]:
    """Each step on the track of what marks it, else on all."""
    parts = []
    for lane in np.unique(lanes).tolist():
        mine = lanes == lane
        tracks = np.array([lane] if lane >= 0 else [], np.int64)
        parts.append((tracks, Intervals(begin[mine], until[mine])))
    return parts


def _held(part: HostSteps, unit: int, rows: I64, key: RowKey) -> NDArray[np.float64] | None:
    """What a unit's steps have of the column by a TPU's own clock; None where they are by that of the trace."""
    if part.split.steps.own is None:
        return None
    found = list(categories(key))
    if key.tool == "input_pipeline" and key.column in ("batch_copy_ms", "rest_ms"):
        # A TPU's copies are its program's: none brings input.
        found = [i for i, c in enumerate(CATEGORIES) if c.key != "input_wait" and key.column == "rest_ms"]
    exposed, known = part.split.exposed_ps[unit], rows < part.split.exposed_ps.shape[1]
    held = np.zeros(len(rows))
    held[known] = exposed[np.ix_(rows[known], found)].sum(axis=1)
    return held


def _how(key: RowKey, steps: int, several: bool, own: bool) -> Message | None:
    """What the number is of the stretches' lengths. several: of hosts or devices. own: by a TPU's own clock."""
    how = _mean(key, steps, several)
    return Message("proof.own_clock", {"how": how}) if own else how


def _mean(key: RowKey, steps: int, several: bool) -> Message | None:
    over_steps = steps > 1 and "start_ms" not in key.values
    over_devices = several and "device" not in key.values
    if not over_steps and not over_devices:
        return None
    return Message("proof.mean", {"steps": steps if over_steps else None, "several": over_devices})


# The rows of `op_stats`, and of the overview's ops, hosts and devices → the executions summed up, or when.


def op(timeline: Timeline, key: RowKey) -> Proof:
    """Of one op on one side; the row `IDLE` is the time in which a device ran nothing, or no thread an op."""
    side = "device" if key.holds("side", "device") else "host"
    if not key.allows("host", timeline.host) and not key.holds("host", ""):
        return Marked(NO_ROWS, NO_ROWS, SELF_TIMES)
    if _is_op(key, IDLE):
        return _idle(timeline, side)
    return _ran(timeline, side, lambda one: _is_op(key, one), key.column == "total_us", key.values.get("by", "op"))


def top_op(timeline: Timeline, key: RowKey) -> Proof:
    """Of the overview's tables, one a side."""
    return _ran(timeline, "device" if key.table == "device_ops" else "host", lambda one: _is_op(key, one))


def op_type(timeline: Timeline, key: RowKey) -> Proof:
    side = "device" if key.column.startswith("device_") else "host"
    return _ran(timeline, side, lambda one: key.holds("type", one.type))


def scope(timeline: Timeline, key: RowKey) -> Proof:
    side = "device" if key.holds("side", "device") else "host"
    return _ran(
        timeline,
        side,
        lambda one: any(key.holds("scope", path) for path in lies_in(one.name)),
        key.column == "total_us",
        "module",
    )


def instruction(timeline: Timeline, key: RowKey) -> Proof:
    """Of one instruction of an XLA program, or of a category of these, on one side; or of all of a program."""
    side = "device" if key.holds("side", "device") else "host"

    def is_wanted(one: Op) -> bool:
        return bool(
            one.module
            and key.allows("program", one.module)
            and key.allows("instruction", one.name)
            and key.allows("category", one.type)
        )

    if "side" in key.values:
        return _ran(timeline, side, is_wanted, key.column == "total_us", "instruction")
    parts = [_ran(timeline, side, is_wanted, by="instruction") for side in ("device", "host")]
    return max(parts, key=lambda part: float(part.ps.sum()))


def profile(timeline: Timeline, key: RowKey) -> Proof:
    """Of all instructions that lie in a row of the op profile."""
    side = "device" if key.holds("side", "device") else "host"
    if key.holds("path", IDLE.name):
        return _idle(timeline, side)
    table = instruction_table(timeline, None)
    rows = InstructionSide(side, ranked(table.rows, side), table.facts)
    twins, by = twin_names(rows), key.values.get("by", WAYS[0])
    wanted = {
        op
        for op, _ in rows.rows
        if by in WAYS and any(key.holds("path", path) for path in paths_of(op, rows.facts_of(op), by, twins))
    }
    return _ran(timeline, side, lambda one: one in wanted, by="instruction")


def program(timeline: Timeline, key: RowKey) -> Proof:
    """Runs of a program on TPU cores."""
    capture = timeline.capture
    planes = np.flatnonzero(capture.planes.kind == PlaneKind.TPU).tolist()
    rows = np.sort(np.concatenate([NO_ROWS, *(program_rows(capture, plane) for plane in planes)]))
    names, place = np.unique(capture.events.name[rows], return_inverse=True)
    wanted = np.array([key.holds("program", capture.strings[i]) for i in names.tolist()], bool)
    rows = rows[wanted[place.reshape(-1)]]
    return Marked(rows, capture.events.duration_ps[rows], DURATIONS)


def host(timeline: Timeline, key: RowKey) -> Proof:
    """A row of the overview's hosts: when at least one op ran, or the self time of its ops."""
    if not key.holds("host", timeline.host):
        return Marked(NO_ROWS, NO_ROWS, SELF_TIMES)
    if key.column == "op_self_ms":
        return _ran(timeline, "host", lambda one: True)
    return Stretches([(_op_threads(timeline), host_busy_of(timeline))], Message("proof.ops_ran"), "Ops")


def device(timeline: Timeline, key: RowKey) -> Proof:
    """A row of the overview's devices: when it ran something, or nothing."""
    capture = timeline.capture
    busy = key.column == "busy_ms"
    how = Message("proof.device_busy" if busy else "proof.device_idle")
    here = [
        one
        for one in devices_of(timeline)
        if key.holds("host", timeline.host)
        and key.holds("device", capture.strings[int(capture.planes.name[one.plane])])
    ]
    parts = [
        (device_tracks(timeline, one.plane), one.busy if busy else intervals.subtraction(one.window, one.busy))
        for one in here
    ]
    return Stretches(parts, how, "Busy" if busy else "Idle", sum(one.busy_ps if busy else one.idle_ps for one in here))


def _op_threads(timeline: Timeline) -> I64:
    return np.unique(timeline.capture.events.track[ops_of(timeline).host.rows]).astype(np.int64)


def _is_op(key: RowKey, one: Op) -> bool:
    return key.holds("name", one.name) and key.holds("type", one.type) and key.allows("module", one.module)


def _ran(timeline: Timeline, side: str, is_wanted: Callable[[Op], bool], total: bool = False, by: str = "op") -> Marked:
    """Executions of some ops on a side, ascending, with their self times or durations."""
    ops = grouped_ops_of(timeline, "op" if by == "host" else by)
    wanted = np.array([is_wanted(one) for one in ops.ops], bool)
    rows, which = ops.device if side == "device" else ops.host
    at = np.flatnonzero(wanted[which]) if len(rows) else NO_ROWS
    how = DURATIONS if total else SELF_TIMES
    if side == "device":
        spans = device_spans_of(timeline)
        ps: NDArray[np.int64] | NDArray[np.float64] = (spans.duration_ps if total else spans.self_ps)[at]
        is_tpu = bool((timeline.capture.planes.kind == PlaneKind.TPU).any())
        how = Message(how.code, {"tpu": is_tpu})
    else:
        ps = timeline.capture.events.duration_ps[rows[at]] if total else host_self_ps(timeline, ops)[at]
    order = np.argsort(rows[at], kind="stable")
    return Marked(rows[at][order], ps[order], how)


def _idle(timeline: Timeline, side: str) -> Stretches:
    window = timeline.capture.span_ps
    if side == "device":
        parts = [
            (device_tracks(timeline, one.plane), intervals.subtraction(one.window, one.busy))
            for one in workers_of(timeline)
        ]
        return Stretches(parts, Message("proof.devices_idle"), "Idle", sum(one.idle_ps for one in workers_of(timeline)))
    idle = intervals.gaps(host_busy_of(timeline), *window) if host_busy_of(timeline).total else EMPTY
    return Stretches([(_op_threads(timeline), idle)], Message("proof.no_op_ran"), "No op")


# The rows of `kernel_stats` → the kernels, copies and launches of graphs that each sums up.

Bools = NDArray[np.bool_]


def kernels(timeline: Timeline, key: RowKey) -> Marked:
    """Of one name, op and launch configuration, inside or outside of a graph."""
    work = _here(timeline, gpu_work(timeline)[KERNEL], key)
    work = work.only(_by_name(timeline, work, lambda name: key.holds("name", kernel_name(name))))
    work = work.only(_by_op(timeline, work, key))
    work = work.only(_by_launch(timeline, work, key))
    graph = graph_nodes(timeline, work.rows)
    return of_durations(timeline, work.rows[graph == key.holds("in_graph", True)])


def names(timeline: Timeline, key: RowKey) -> Marked:
    work = _here(timeline, gpu_work(timeline)[KERNEL], key)
    return of_durations(
        timeline,
        work.rows[_by_name(timeline, work, lambda name: key.holds("short_name", short_name(kernel_name(name))))],
    )


def copies(timeline: Timeline, key: RowKey) -> Marked:
    work = _here(timeline, gpu_work(timeline)[COPY], key)
    kinds, kind = copy_kinds(timeline, work)
    columns = ("kind", "source", "destination", "async", "to_device")
    wanted = [all(key.holds(name, value) for name, value in zip(columns, one, strict=True)) for one in kinds]
    return of_durations(timeline, work.rows[np.array(wanted, bool)[kind]])


def graphs(timeline: Timeline, key: RowKey) -> Marked:
    """What ran in it, or where only launches were traced, these."""
    works = gpu_work(timeline)
    if key.holds("level", "graph"):
        work = _here(timeline, works[GRAPH], key)
        graph = graph_of_launches(timeline, work)
    else:
        some = [_here(timeline, works[kind], key).rows for kind in (KERNEL, COPY)]
        rows = np.sort(np.concatenate(some))
        rows = rows[graph_nodes(timeline, rows)]
        graph = integer_stat(timeline, "cuda_graph_id", rows)
        return of_durations(timeline, rows[_each(graph, lambda i: key.holds("graph", i or None))])
    return of_durations(timeline, work.rows[_each(graph, lambda i: key.holds("graph", i))])


def durations(timeline: Timeline, key: RowKey) -> Marked:
    """Kernels that ran so long."""
    rows = gpu_work(timeline)[KERNEL].rows
    octave = octaves(timeline.capture.events.duration_ps[rows])
    return of_durations(timeline, rows[_each(octave, lambda i: key.holds("from_us", 2.0 ** (i - 1) if i else 0.0))])


def devices(timeline: Timeline, key: RowKey) -> Marked:
    """All kernels of a device, or its copies."""
    work = gpu_work(timeline)[COPY if key.column == "copy_us" else KERNEL]
    return of_durations(timeline, _here(timeline, work, key).rows)


def _here(timeline: Timeline, work: Work, key: RowKey) -> Work:
    """What ran on the devices that the row is of."""
    capture = timeline.capture
    names = capture.strings.texts(capture.planes.name)
    is_host = key.allows("host", timeline.host)
    wanted = np.array([is_host and key.allows("device", name) for name in names], bool)
    return work.only(wanted[work.plane])


def _each(values: NDArray[np.integer], is_wanted: Callable[[int], bool]) -> Bools:
    """Each distinct value is asked for once."""
    distinct, place = np.unique(values, return_inverse=True)
    wanted: Bools = np.array([is_wanted(i) for i in distinct.tolist()], bool)[place.reshape(-1)]
    return wanted


def _by_name(timeline: Timeline, work: Work, is_wanted: Callable[[str], bool]) -> Bools:
    strings = timeline.capture.strings
    return _each(timeline.capture.events.name[work.rows], lambda i: is_wanted(strings[i]))


def _by_op(timeline: Timeline, work: Work, key: RowKey) -> Bools:
    ops = ops_of(timeline).ops

    def is_wanted(i: int) -> bool:
        known = ops[i].type != UNATTRIBUTED
        columns = {"op_name": ops[i].name, "op_type": ops[i].type, "module": ops[i].module}
        return all(key.holds(name, value if known else None) for name, value in columns.items())

    return _each(work.op, is_wanted)


def _by_launch(timeline: Timeline, work: Work, key: RowKey) -> Bools:
    launches = timeline.capture.kernel_launches.launches
    rows, place = np.unique(work.launch, return_inverse=True)
    wanted: Bools = np.array([_is_launch(key, each) for each in configurations(launches, rows)], bool)
    return wanted[place.reshape(-1)]


def _is_launch(key: RowKey, launch: LaunchConfiguration) -> bool:
    numbers = {
        "registers": launch.registers,
        "static_shared_bytes": launch.static_shared,
        "dynamic_shared_bytes": launch.dynamic_shared,
        "shared_bytes": launch.shared,
        "grid": joined(launch.grid),
        "block": joined(launch.block),
    }
    return all(key.holds(name, value) for name, value in numbers.items())


# The rows of `pod_viewer.collectives` → the calls that each sums up.


def collective(timeline: Timeline, key: RowKey) -> Marked:
    """Of one kind and process group, on all devices; of one tensor of a Horovod timeline."""
    if "tensor" in key.values:
        return _of_tensor(timeline, key)
    found = cached(timeline, calls)
    wanted = [
        key.holds("kind", kind)
        and key.holds("group", group.name or None)
        and key.holds("ranks", group.ranks or None)
        and key.holds("group_size", group.size or None)
        for kind, group in found.whats
    ]
    return of_durations(timeline, np.sort(found.row[np.array(wanted, bool)[found.what]]))


def _of_tensor(timeline: Timeline, key: RowKey) -> Marked:
    found = cached(timeline, negotiated)
    wanted = [key.holds("kind", kind) and key.holds("tensor", tensor) for kind, tensor in found.whats]
    return of_durations(timeline, found.calls[np.array(wanted, bool)[found.call_what]])


# The rows of `pod_viewer.idle` → the gaps that each sums up.

_HOW = Message("proof.gaps")


def idle(timeline: Timeline, key: RowKey) -> Stretches:
    """Of the GPU as a whole on all its streams, or of one stream."""
    found: list[tuple[str, tuple[I64, Intervals]]] = []
    if key.allows("host", timeline.host):
        units = units_of(timeline)
        for device, unit in zip(device_names(units), units, strict=True):
            if unit.kind == "gpu" and key.allows("device", device):
                found += _of_device(timeline, unit.plane, key)
    return Stretches([part for _, part in found], _HOW, "Idle", names=tuple(name for name, _ in found))


def _of_device(timeline: Timeline, plane: int, key: RowKey) -> Iterator[tuple[str, tuple[I64, Intervals]]]:
    """By cause."""
    capture = timeline.capture
    for one in gaps_of(timeline, plane):
        name = capture.strings[int(capture.tracks.name[one.track])] if one.track >= 0 else WHOLE
        if key.holds("stream", name or WHOLE):
            tracks = device_tracks(timeline, plane) if one.track < 0 else np.array([one.track], np.int64)
            for cause in causes_of(key.column):
                here = one.cause == cause
                if here.any():
                    yield TITLES[cause], (tracks, Intervals(one.when.begin[here], one.when.end[here]))


# The rows of the input pages' tables → the calls that each sums up.


def stage(timeline: Timeline, key: RowKey) -> Marked:
    """Calls of a stage: of tf.data's iterators, or of another library's."""
    tf_frames = frames(timeline)
    rows = NO_ROWS
    if tf_frames is not None:
        wanted = np.array(
            [_is_stage(key, name, transformation(name), kind_of(name)) for name in tf_frames.stages], bool
        )
        rows = tf_frames.rows[wanted[tf_frames.stage] & (tf_frames.kind == ITERATOR)]

    def is_wanted(one: Stage) -> bool:
        return _is_stage(key, one.name, one.type, one.kind)

    return of_durations(timeline, np.sort(np.concatenate((rows, calls_of_stage(timeline, tf_frames, is_wanted)))))


def _is_stage(key: RowKey, name: str, type: str, kind: str) -> bool:
    return key.holds("op", name) and key.holds("transformation", type) and key.holds("kind", kind)


def pipeline(timeline: Timeline, key: RowKey) -> Marked:
    """Calls of a tf.data pipeline by what uses it."""
    tf_frames = frames(timeline) if key.holds("host", timeline.host) else None
    if tf_frames is None or not (tf_frames.kind == ITERATOR).any():
        return of_durations(timeline, NO_ROWS)
    host = Host(timeline, host_steps(timeline, {STEPS_FROM.name: "auto"}), tf_frames)
    wanted = [i for i, name in enumerate(host.pipes.name) if key.holds("pipeline", name)]
    calls = np.isin(host.pipes.call_pipeline, wanted)
    return of_durations(timeline, np.sort(tf_frames.rows[host.pipes.call_frame[calls]]))


# Every table whose numbers the trace can prove, and how.

Found: TypeAlias = Marked | Stretches | StepTime

PROVERS: dict[str, Prover] = {
    "kernel_stats.kernels": kernels,
    "kernel_stats.names": names,
    "kernel_stats.copies": copies,
    "kernel_stats.graphs": graphs,
    "kernel_stats.durations": durations,
    "kernel_stats.devices": devices,
    "op_stats.ops": op,
    "op_stats.types": op_type,
    "op_stats.scopes": scope,
    "overview.device_ops": top_op,
    "overview.host_ops": top_op,
    "overview.programs": program,
    "overview.hosts": host,
    "overview.devices": device,
    "hlo_stats.instructions": instruction,
    "hlo_stats.categories": instruction,
    "hlo_stats.programs": instruction,
    "op_profile.profile": profile,
    "op_profile.programs": instruction,
    "roofline.programs": instruction,
    "memory_viewer.programs": instruction,
    "graph_viewer.programs": instruction,
    "input_pipeline.ops": stage,
    "tf_data.pipelines": pipeline,
    "pod_viewer.collectives": collective,
    "pod_viewer.idle": idle,
}
#: Tables of steps, whose numbers are means over hosts.
STEP_TABLES = ("overview.steps", "overview.split", "input_pipeline.steps", "pod_viewer.steps", "pod_viewer.workers")


def prove(timeline: Timeline, key: RowKey) -> Found:
    """What one host gives for a cell. Raises ArgumentError for a table that is not known here."""
    if key.name in STEP_TABLES:
        return step_time(timeline, key)
    if key.name not in PROVERS:
        tables = sorted((*PROVERS, *STEP_TABLES))
        raise ArgumentError.with_choices(f"search={key.name}: the events of this table are not known", tables)
    return PROVERS[key.name](timeline, key)


# A cell of another page's table → its events as a search's hits, or its stretches of time, and what to outline.

#: Rows of `marks`: of a window with more they are merged more coarsely.
MARKS_MAX = 4000
#: What was proved of a timeline last: a page asks for one cell again, window by window.
_PROVED = 2


class _Proved:
    """The last cells that were asked for."""

    def __init__(self, timeline: Timeline) -> None:
        self.kept: Kept[Found] = Kept(_PROVED)

    @property
    def nbytes(self) -> int:
        return held_bytes(self.kept)


class Marks(msgspec.Struct, frozen=True):
    """What to outline on one host, in its own time. tracks: as text; count: how many are merged in each. name: of all,
    empty for none.
    """

    tracks: list[str]
    start_ps: I64
    end_ps: I64
    count: I64
    name: str = ""


class RowPart(msgspec.Struct, frozen=True):
    """What one host gives. hits, marks: of events. ps: what they add up to. events, on: how many there are in all, and
    on how many tracks. found: of stretches, which `together_of` adds up.
    """

    key: RowKey
    window: Window
    width: int
    hits: HitsPart | None = None
    marks: Marks | None = None
    ps: float = 0.0
    events: int = 0
    on: int = 0
    how: Message = DURATIONS
    found: Stretches | StepTime | None = None


def row_part(timeline: Timeline, options: Options, given: Window | None, whole: Window, tracks: I64 | None) -> RowPart:
    """Raises ArgumentError for a text that names no cell, or none that can be proved."""
    text = str(options["search"])
    key = row_key(text)
    found = cached(timeline, _Proved).kept.get(text, lambda: prove(timeline, key))
    window, width = given or whole, int(options["width"] or 1)
    if not isinstance(found, Marked):
        return RowPart(key, window, width, found=found)
    events = timeline.capture.events
    rows, on = found.rows, len(np.unique(events.track[found.rows]))
    if tracks is not None:
        rows = rows[np.isin(events.track[rows], tracks)]
    rows = rows[window.holds(events.start_ps[rows], events.duration_ps[rows])]
    last = int(options["offset"] or 0) + HITS_MAX
    begin = events.start_ps[rows]
    marks = merged_marks(events.track[rows].astype(np.int64), begin, begin + events.duration_ps[rows], window, width)
    numbers = float(found.ps.sum()), len(found.rows), on, found.how
    return RowPart(key, window, width, _in_whole(timeline, part_of(timeline, rows, last)), marks, *numbers)


def _in_whole(timeline: Timeline, hits: HitsPart) -> HitsPart:
    """Events by their rows in the whole timeline, which is what the trace shows."""
    if timeline.whole_rows is None:
        return hits
    return structs.replace(hits, first=hits.first._replace(row=timeline.whole_rows[hits.first.row]))


def merged_marks(track: I64, begin: I64, end: I64, window: Window, width: int) -> Marks:
    """Intervals by track and begin → what a pixel cannot tell apart as one; at most `MARKS_MAX`, or one a track."""
    shift = window.shift(width)
    while True:
        at, reach = (np.clip(edge, window.start_ps, window.end_ps) - window.start_ps >> shift for edge in (begin, end))
        room = (window.end_ps - window.start_ps >> shift) + 2
        _, place = np.unique(track, return_inverse=True)
        place = place.reshape(-1) * room
        upto = np.maximum.accumulate(place + reach) if len(track) else place
        first = np.flatnonzero(np.append(True, (place + at)[1:] > upto[:-1])) if len(track) else place
        if len(first) <= MARKS_MAX or room <= 3:
            break
        shift += 1
    if not len(first):
        return Marks([], first, first, first)
    first = first[:MARKS_MAX]
    count = np.diff(np.append(first, len(track)))
    high = np.maximum.reduceat(end, first)
    return Marks([str(i) for i in track[first].tolist()], begin[first], high, count)


def together_of(hosts: Sequence[str], parts: Sequence[RowPart]) -> Shown:
    """Stretches of time of all hosts, and the number that they make."""
    steps = [part.found for part in parts if isinstance(part.found, StepTime)]
    if steps:
        return together(steps, parts[0].key)
    of_host = {h: p.found for h, p in zip(hosts, parts, strict=True) if isinstance(p.found, Stretches)}
    ps = sum(sum(w.total for _, w in f.parts) if f.ps is None else f.ps for f in of_host.values())
    hits = {
        host: [(name, when) for name, (_, when) in zip(f.names or [f.name] * len(f.parts), f.parts, strict=True)]
        for host, f in of_host.items()
    }
    count = sum(len(when.begin) for whens in hits.values() for _, when in whens)
    first = next(iter(of_host.values()))
    return Shown({host: f.parts for host, f in of_host.items()}, hits, float(ps), first.how, count, first.name)


def text_of_events(parts: Sequence[RowPart]) -> Message:
    """What is marked, and what of it makes the number."""
    ps, events, on = sum(p.ps for p in parts), sum(p.events for p in parts), sum(p.on for p in parts)
    if not events:
        return Message("proof.no_events")
    each = ps / events if events > 1 else None
    return Message("proof.events", {"events": events, "tracks": on, "how": parts[0].how, "total": ps, "each": each})


def text_of_stretches(shown: Shown) -> Message:
    if not shown.number:
        return Message("proof.no_stretches")
    return Message("proof.stretches", {"stretches": shown.number, "total": shown.ps, "how": shown.how})
