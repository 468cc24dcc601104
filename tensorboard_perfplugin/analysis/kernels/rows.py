"""A timeline → what each of its kernels cost; several → one table. Columns are arrays, a row is a kernel of an op."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Launches, PlaneKind, StatKind, at_once
from ...timeline import UNATTRIBUTED, Op, Timeline, device_op, distinct, graph_nodes, multiplies, ops_of
from .configuration import LaunchConfiguration, configurations
from .groups import F64, Groups, group, pooled
from .launches import Launched
from .work import Work, whole

I8 = NDArray[np.int8]
UNKNOWN = -1
#: Larger sums are cut: 53 days in ps.
_MOST = 2.0**62


@dataclasses.dataclass(frozen=True, eq=False)
class KernelRows:
    """Kernels, a row each: indices into the four lists, flags (-1 unknown), and sums over their executions.

    device: place in the list of devices that the partial has. min_ps and max_ps are -1 where only sums are known.
    occupancy: what fits, achieved: what is estimated, in percent, nan unknown. suggested_block, min_grid: 0 unknown.
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

    def __len__(self) -> int:
        return len(self.name)


class _Launches(NamedTuple):
    """The distinct configurations of some launches. place: of each launch among them. In percent, nan unknown."""

    configurations: list[LaunchConfiguration]
    place: I64
    occupancy: F64
    achieved: F64


def kernel_rows(timeline: Timeline, work: Work, launched: Launched, devices: Sequence[int]) -> KernelRows:
    """The rows of the events that are kernels. devices: planes, in the order that numbers devices."""
    capture = timeline.capture
    name, graph = capture.events.name[at_once(work.rows)], graph_nodes(timeline, work.rows)
    used, which = distinct(work.launch + 1, len(capture.kernel_launches.launches) + 1)
    launches = _distinct(capture.kernel_launches.launches, used - 1)
    launch = launches.place[which]
    groups = group((name, work.op, launch, work.plane, graph), len(work.rows))
    first = work.rows[groups.first]
    at = which[groups.first]
    names, ops = np.unique(name[groups.first]), np.unique(work.op[groups.first])
    duration = capture.events.duration_ps[at_once(work.rows)]
    place = np.zeros(len(capture.planes), np.int64)
    place[list(devices)] = np.arange(len(devices))
    used_ops = [ops_of(timeline).ops[i] for i in ops.tolist()]
    op = np.searchsorted(ops, work.op[groups.first])
    return KernelRows(
        capture.strings.of(names),
        used_ops,
        launches.configurations,
        np.searchsorted(names, name[groups.first]),
        op,
        launch[groups.first],
        place[work.plane[groups.first]],
        graph[groups.first].astype(np.int8),
        _eligible(timeline, used_ops, op, first),
        groups.size(),
        groups.sum(duration),
        groups.least(duration),
        groups.most(duration),
        _occupancy(timeline, first, launches.occupancy[at]),
        launches.achieved[at],
        whole(timeline, "occupancy_suggested_block_size", first),
        whole(timeline, "occupancy_min_grid_size", first),
        *_waits(groups, launched),
    )


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
    names, [name] = pooled([capture.strings.of(sums.name[rows])])
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
    )


def _recorded_eligible(by_type: bool | None, recorded: object) -> int:
    """What the file says of an op counts where its type does not say yes: the type is a guess from its name."""
    return int(bool(by_type or recorded)) if by_type is not None or isinstance(recorded, int) else UNKNOWN


def _bound(values: Sequence[object]) -> I64:
    return np.array([v if isinstance(v, int) and 0 <= v < 1 << 63 else UNKNOWN for v in values], np.int64)


#: What tells two rows apart, beside host and device.
_KEY = ("name", "op", "launch", "in_graph", "eligible")
_COLUMNS = tuple(f.name for f in dataclasses.fields(KernelRows) if f.name not in ("names", "ops", "launches"))
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
    groups = group([*(columns[key] for key in _KEY), place], len(place))
    together = {name: column[groups.first] for name, column in columns.items()}
    return dataclasses.replace(table, **together | dict(_summed(groups, columns)))


def _summed(groups: Groups, columns: dict[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in _SUMS:
        yield name, np.minimum(groups.sum(columns[name]), _MOST).astype(columns[name].dtype)
    least, most = groups.least(columns["min_ps"]), groups.most(columns["max_ps"])
    yield "min_ps", least
    yield "max_ps", np.where(groups.least(columns["max_ps"]) < 0, UNKNOWN, most)
