"""The merged kernels and copies of all hosts → the cells of every table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from ..timeline import UNATTRIBUTED
from ..timeline._kernel_details import Three
from ..timeline.split._precision import of_kernel
from ._kernel_answer import Merged
from ._kernel_columns import COPIES, DEVICES, DURATIONS, GRAPHS, KERNELS, NAMES
from ._kernel_copies import NO_BYTES, NO_SIZE, bus_gb_s
from ._kernel_graphs import GraphRow
from ._kernel_groups import group, pooled
from ._kernel_host import OCTAVES
from ._kernel_rows import UNKNOWN
from ._tool import Cells, Scalar, TableSpec

PS_PER_US = 1e6
Row: TypeAlias = tuple[Scalar, ...]
_FLAGS = {UNKNOWN: None, 0: False, 1: True}


def cells(spec: TableSpec, rows: Iterator[Row]) -> dict[str, Cells]:
    """Rows → columns as declared."""
    columns: dict[str, list[Scalar]] = {c.name: [] for c in spec.columns}
    lists = list(columns.values())
    for row in rows:
        for column, value in zip(lists, row, strict=True):
            column.append(value)
    return dict(columns)


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _where(merged: Merged, device: int) -> tuple[str | None, str | None]:
    about = merged.devices[device]
    return (about.host if merged.by != "kernel" else None, about.name if merged.by == "device" else None)


def kernels(merged: Merged, most: int | None) -> dict[str, Cells]:
    return cells(KERNELS, (_kernel(merged, i) for i in range(len(merged.kernels))[:most]))


def _kernel(merged: Merged, i: int) -> Row:
    k = merged.kernels
    op, launch, name = k.ops[int(k.op[i])], k.launches[int(k.launch[i])], int(k.name[i])
    count, total, calls = int(k.occurrences[i]), float(k.total_ps[i]), int(k.launched[i])
    known_op = op.type != UNATTRIBUTED
    occupancy = float(k.occupancy[i])
    return (
        i + 1,
        merged.shorts[name],
        merged.names[name],
        *_where(merged, int(k.device[i])),
        count,
        total / PS_PER_US,
        ratio(total / PS_PER_US, count),
        _us(int(k.min_ps[i])),
        _us(int(k.max_ps[i])),
        ratio(total, merged.total_ps),
        ratio(float(merged.so_far_ps[i]), merged.total_ps),
        op.name if known_op else None,
        op.type if known_op else None,
        op.module if known_op else None,
        _FLAGS[int(merged.eligible[i])],
        _FLAGS[int(merged.uses[i])],
        precision(k.names[name]),
        _joined(launch.grid),
        _joined(launch.block),
        launch.registers,
        launch.static_shared,
        launch.dynamic_shared,
        launch.shared,
        None if math.isnan(occupancy) else occupancy,
        merged.waves(i),
        int(k.suggested_block[i]) or None,
        int(k.min_grid[i]) or None,
        ratio(float(k.latency_ps[i]) / PS_PER_US, calls),
        ratio(float(k.queue_ps[i]) / PS_PER_US, calls),
        _FLAGS[int(k.in_graph[i])],
    )


def precision(name: str) -> str | None:
    found = of_kernel(name)
    return found.removeprefix("compute_") if found else None


def _us(ps: int) -> float | None:
    return None if ps < 0 else ps / PS_PER_US


def _joined(three: Three | None) -> str | None:
    return None if three is None else ",".join(map(str, three))


def names(merged: Merged, most: int | None) -> tuple[dict[str, Cells], int]:
    """By short name, and host or device where they are kept apart; and how many rows there are."""
    k = merged.kernels
    shorts, [place] = pooled([merged.shorts])
    where, at = pooled([[_where(merged, d) for d in range(len(merged.devices))]])
    groups = group((place[k.name], at[0][k.device]), len(k))
    total, count = groups.sum(k.total_ps), groups.sum(k.occurrences)
    used, known = (groups.sum(np.where(test, k.total_ps, 0)) for test in (merged.uses == 1, merged.uses != UNKNOWN))
    rows = groups.size()
    order = np.argsort(-total, kind="stable")
    so_far = np.cumsum(total[order])

    def row(n: int, i: int) -> Row:
        first = int(groups.first[i])
        return (
            shorts[int(place[k.name[first]])],
            *where[int(at[0][k.device[first]])],
            int(rows[i]),
            int(count[i]),
            float(total[i]) / PS_PER_US,
            ratio(float(total[i]) / PS_PER_US, float(count[i])),
            ratio(float(total[i]), merged.total_ps),
            ratio(float(so_far[n]), merged.total_ps),
            ratio(float(used[i]), float(known[i])),
        )

    return cells(NAMES, (row(n, i) for n, i in enumerate(order[:most].tolist()))), len(order)


def copies(merged: Merged, most: int | None) -> dict[str, Cells]:
    return cells(COPIES, _copies(merged, most))


def _copies(merged: Merged, most: int | None) -> Iterator[Row]:
    c, everything, so_far = merged.copies, float(merged.copies.total_ps.sum()), 0.0
    for i in range(len(c))[:most]:
        kind, count, sized, total = (
            c.kinds[int(c.kind[i])],
            int(c.occurrences[i]),
            int(c.sized[i]),
            float(c.total_ps[i]),
        )
        so_far += total
        rate, bus = copy_rate(merged, i)
        share = ratio(rate, bus) if rate and bus else None
        why = "" if sized else (NO_BYTES if c.no_bytes[i] else NO_SIZE)
        yield (
            kind.kind,
            *_where(merged, int(c.device[i])),
            kind.source,
            kind.destination,
            kind.is_async,
            kind.to_device,
            count,
            total / PS_PER_US,
            ratio(total / PS_PER_US, count),
            _us(int(c.min_ps[i])),
            _us(int(c.max_ps[i])),
            ratio(total, everything),
            ratio(so_far, everything),
            int(c.size[i]) if sized else None,
            float(c.size[i]) / sized if sized else None,
            count - sized,
            rate,
            bus,
            share if share is not None and share <= 1 else None,
            ratio(float(c.compute_ps[i]), total),
            why,
        )


def copy_rate(merged: Merged, i: int) -> tuple[float | None, float | None]:
    """Achieved GB/s of a row of copies, and what its way carries."""
    c = merged.copies
    device = merged.devices[int(c.device[i])]
    rate = ratio(float(c.size[i]) * 1e3, float(c.sized_ps[i]))
    return rate, bus_gb_s(c.kinds[int(c.kind[i])].kind, device.attributes, device.bandwidth_gb_s)


def graphs(merged: Merged, most: int | None) -> tuple[dict[str, Cells], int]:
    found = [(p.devices[row.device], row) for p in merged.parts for row in p.graphs]
    found.sort(key=lambda pair: -pair[1].total_ps)
    rows = (_graph(device.host, device.name, row) for device, row in found[:most])
    return cells(GRAPHS, rows), len(found)


def _graph(host: str, device: str, row: GraphRow) -> Row:
    total = row.total_ps / PS_PER_US
    average = ratio(total, row.launches)
    return (host, device, row.graph, row.level, row.launches, row.nodes, row.kernels, total, average)


def durations(merged: Merged) -> dict[str, Cells]:
    """From the first to the last range that has kernels."""
    count = np.sum([p.octave_count for p in merged.parts], axis=0)
    time = np.sum([p.octave_ps for p in merged.parts], axis=0)
    used = np.flatnonzero(count)
    if not len(used):
        return cells(DURATIONS, iter(()))
    everything, all_time = int(count.sum()), float(time.sum())

    def row(i: int) -> Row:
        low, high = (2.0 ** (i - 1) if i else 0.0), 2.0**i
        text = f"{_range(low)} to {_range(high)}" if i < OCTAVES - 1 else f"{_range(low)} and more"
        return (
            "< 1 µs" if not i else text,
            low,
            high if i < OCTAVES - 1 else None,
            int(count[i]),
            int(count[i]) / everything,
            float(time[i]) / PS_PER_US,
            ratio(float(time[i]), all_time),
        )

    return cells(DURATIONS, map(row, range(int(used[0]), int(used[-1]) + 1)))


def _range(us: float) -> str:
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if us >= size:
            return f"{us / size:.3g} {unit}"
    return f"{us:g} µs"


def devices(merged: Merged) -> dict[str, Cells]:
    sums = merged.by_device
    everything = float(sums.kernel_ps.sum())

    def row(i: int) -> Row:
        about = merged.devices[i]
        return (
            about.host,
            about.name,
            about.vendor,
            about.model,
            about.architecture,
            about.multiprocessors,
            int(sums.kernels[i]),
            float(sums.kernel_ps[i]) / PS_PER_US,
            None if merged.only_sums(i) else int(sums.copies[i]),
            None if merged.only_sums(i) else float(sums.copy_ps[i]) / PS_PER_US,
            ratio(float(sums.kernel_ps[i]), everything),
            ratio(float(sums.kernel_ps[i]) / PS_PER_US, float(sums.kernels[i])),
            ratio(about.short, about.single),
            ratio(float(sums.used_ps[i]), float(sums.known_ps[i])),
        )

    return cells(DEVICES, map(row, range(len(merged.devices))))
