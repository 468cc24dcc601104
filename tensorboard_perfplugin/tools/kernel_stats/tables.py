"""The merged kernels and copies of all hosts → the cells of every table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np

from ...advice.text.catalogue import Sentence
from ...analysis.kernels.host import OCTAVES, GraphRow
from ...analysis.kernels.merged import (
    FLAGS,
    KernelTotals,
    Merged,
    copy_rate,
    joined,
    kernel_totals,
    place_of,
    ratio,
    whole_graphs,
)
from ...analysis.kernels.rows import UNKNOWN, Spread, group, percentile, pooled
from ...tables import F64, I64, Cells, Scalar, TableSpec
from ...timeline.names.ops import UNATTRIBUTED
from ...timeline.split.device import precision_of_kernel
from ...units import PS_PER_MS, PS_PER_US
from .columns import COPIES, DEVICES, DURATIONS, GRAPHS, KERNELS, NAMES, SUMMARY

NO_SIZE = "the capture gives no size"
NO_BYTES = "the capture gives a size of 0 bytes"
Row: TypeAlias = tuple[Scalar, ...]


def cells(spec: TableSpec, rows: Iterator[Row]) -> dict[str, Cells]:
    """Rows → columns as declared."""
    columns: dict[str, list[Scalar]] = {c.name: [] for c in spec.columns}
    lists = list(columns.values())
    for row in rows:
        for column, value in zip(lists, row, strict=True):
            column.append(value)
    return dict(columns)


def kernels(merged: Merged, most: int | None) -> dict[str, Cells]:
    """Column by column: there may be a million rows."""
    k = merged.kernels
    top = slice(len(k)) if most is None else slice(min(most, len(k)))
    count, total, calls = k.occurrences[top], k.total_ps[top], k.launched[top]
    ops = [op if op.type != UNATTRIBUTED else None for op in map(k.ops.__getitem__, k.op[top].tolist())]
    launches = [k.launches[i] for i in k.launch[top].tolist()]
    where = [place_of(merged, device) for device in range(len(merged.devices))]
    places = [where[i] for i in k.device[top].tolist()]
    of_name = k.name[top].tolist()
    precisions = {i: precision(k.names[i]) for i in set(of_name)}
    on_each = [merged.on_each(i) for i in range(len(count))]
    columns: tuple[Iterable[Scalar], ...] = (
        range(1, len(count) + 1),
        [merged.shorts[i] for i in of_name],
        [merged.names[i] for i in of_name],
        [host for host, _ in places],
        [device for _, device in places],
        count.tolist(),
        (total / PS_PER_US).tolist(),
        ratios(total / PS_PER_US, count),
        _us(k.min_ps[top]),
        _us(k.max_ps[top]),
        ratios(total, np.full(len(total), merged.total_ps)),
        ratios(merged.so_far_ps[top], np.full(len(total), merged.total_ps)),
        [op and op.name for op in ops],
        [op and op.type for op in ops],
        [op and op.module for op in ops],
        [FLAGS[i] for i in merged.eligible[top].tolist()],
        [FLAGS[i] for i in merged.uses[top].tolist()],
        [precisions[i] for i in of_name],
        [joined(launch.grid) for launch in launches],
        [joined(launch.block) for launch in launches],
        [launch.registers for launch in launches],
        [launch.static_shared for launch in launches],
        [launch.dynamic_shared for launch in launches],
        [launch.shared for launch in launches],
        [None if math.isnan(percent) else percent for percent in k.occupancy[top].tolist()],
        [None if math.isnan(percent) else percent for percent in k.achieved[top].tolist()],
        [blocks for blocks, _ in on_each],
        [warps for _, warps in on_each],
        [merged.waves(i) for i in range(len(count))],
        [size or None for size in k.suggested_block[top].tolist()],
        [size or None for size in k.min_grid[top].tolist()],
        ratios(k.latency_ps[top] / PS_PER_US, calls),
        ratios(k.queue_ps[top] / PS_PER_US, calls),
        [FLAGS[i] for i in k.in_graph[top].tolist()],
    )
    return {c.name: list(column) for c, column in zip(KERNELS.columns, columns, strict=True)}


def ratios(part: F64, whole: I64 | F64) -> list[Scalar]:
    """None where the whole is 0."""
    shares = np.divide(part, whole, out=np.zeros(len(part)), where=whole != 0)
    return [share if known else None for share, known in zip(shares.tolist(), (whole != 0).tolist(), strict=True)]


def precision(name: str) -> str | None:
    category = precision_of_kernel(name)
    return category.removeprefix("compute_") if category else None


def _us(ps: I64) -> list[Scalar]:
    return [_one_us(each) for each in ps.tolist()]


def _one_us(ps: int) -> float | None:
    return None if ps < 0 else ps / PS_PER_US


def names(merged: Merged, most: int | None) -> tuple[dict[str, Cells], int]:
    """By short name, and host or device where they are kept apart; and how many rows there are."""
    k = merged.kernels
    shorts, [place] = pooled([merged.shorts])
    where, at = pooled([[place_of(merged, d) for d in range(len(merged.devices))]])
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
            *place_of(merged, int(c.device[i])),
            kind.source,
            kind.destination,
            kind.is_async,
            kind.to_device,
            count,
            total / PS_PER_US,
            ratio(total / PS_PER_US, count),
            _one_us(int(c.min_ps[i])),
            _one_us(int(c.max_ps[i])),
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


def graphs(merged: Merged, most: int | None) -> tuple[dict[str, Cells], int]:
    every = [(p.devices[row.device], row) for p in merged.parts for row in p.graphs]
    every.sort(key=lambda pair: -pair[1].total_ps)
    rows = (_graph(device.host, device.name, row) for device, row in every[:most])
    return cells(GRAPHS, rows), len(every)


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
            about.model or about.architecture,
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


# The merged kernels and copies → the summary's scalars, and why each that is unknown is.

NO_KERNEL = "no kernel ran"
NO_LAUNCH = "the capture joins no kernel to the host's call that launched it"
ONLY_GRAPHS = "all kernels are nodes of graphs, which are launched as a whole"
NO_NAME = "no kernel's name shows whether it is written for tensor cores"
ONLY_SUMS = "the file holds only sums over kernels"
NO_SIZE_REASON = "no copy of this capture has a size"
NO_COPY = "nothing was copied or filled"


def summary(merged: Merged, names: int, graphs: int) -> tuple[dict[str, Scalar], dict[str, str]]:
    """names, graphs: how many rows these tables have."""
    totals = kernel_totals(merged)
    values: dict[str, Scalar] = {
        "kernels_rows": len(merged.kernels),
        "names_rows": names,
        "copies_rows": len(merged.copies),
        "graphs_rows": graphs,
        **_kernels(merged, totals),
        **_tensor_cores(merged),
        **_launches(merged, totals),
        **_summary_copies(merged),
        **_graphs(merged),
    }
    values = {c.name: values[c.name] for c in SUMMARY}
    return values, {name: _why(merged, name) for name, value in values.items() if value is None}


def _kernels(merged: Merged, totals: KernelTotals) -> dict[str, Scalar]:
    ran = merged.by_device
    return {
        "busy_device_count": int(np.count_nonzero(ran.kernels + ran.copies)),
        "kernel_count": totals.kernels,
        "kernel_ms": merged.total_ps / PS_PER_MS if len(merged.kernels) else None,
        "average_us": ratio(merged.total_ps / PS_PER_US, totals.kernels),
        "short_kernel_share": totals.short_share,
        "short_kernel_time_share": totals.short_time_share,
    }


def _tensor_cores(merged: Merged) -> dict[str, Scalar]:
    total = merged.kernels.total_ps
    known, used = float(total[merged.uses != UNKNOWN].sum()), float(total[merged.uses == 1].sum())
    return {
        "tensor_core_share": ratio(used, known),
        "tensor_core_unknown_share": ratio(merged.total_ps - known, merged.total_ps),
        "tensor_core_eligible_share": ratio(float(total[merged.eligible == 1].sum()), merged.total_ps),
        "tensor_core_missed_ms": float(total[merged.missed].sum()) / PS_PER_MS if known else None,
    }


def _launches(merged: Merged, totals: KernelTotals) -> dict[str, Scalar]:
    return {
        **_percentiles("latency", [p.latency for p in merged.parts]),
        "latency_count": totals.latencies,
        "clock_misfit_count": totals.misfits,
        **_percentiles("queue", [p.queue for p in merged.parts]),
        "starved_share": totals.starved_share,
    }


def _percentiles(what: str, spreads: list[Spread]) -> dict[str, Scalar]:
    values = {n: percentile(spreads, n / 100) for n in (50, 90, 99)}
    return {f"{what}_p{n}_us": None if value is None else value / PS_PER_US for n, value in values.items()}


def _summary_copies(merged: Merged) -> dict[str, Scalar]:
    c = merged.copies
    if merged.all_sums:
        return dict.fromkeys(("copy_count", "copy_ms", "copied_bytes"))
    return {
        "copy_count": int(c.occurrences.sum()),
        "copy_ms": float(c.total_ps.sum()) / PS_PER_MS,
        "copied_bytes": int(min(c.size.sum(), 2.0**62)) if c.sized.any() else None,
    }


def _graphs(merged: Merged) -> dict[str, Scalar]:
    if merged.all_sums:
        return dict.fromkeys(("graph_kernel_share", "graph_only_ms"))
    inside = float(merged.kernels.total_ps[merged.kernels.in_graph == 1].sum())
    whole = whole_graphs(merged)
    whole_ps = whole.total_ps if whole else 0.0
    return {"graph_kernel_share": ratio(inside, merged.total_ps), "graph_only_ms": whole_ps / PS_PER_MS}


def _why(merged: Merged, name: str) -> str:
    if merged.all_sums and name.startswith(("cop", "graph", "latency", "queue", "starved", "short")):
        return ONLY_SUMS
    if name == "copied_bytes":
        return NO_SIZE_REASON if len(merged.copies) else NO_COPY
    if not len(merged.kernels):
        reasons = (p.unavailable for p in merged.parts if p.unavailable)
        return next((Sentence(reason.code, reason.params) for reason in reasons), NO_KERNEL)
    if name.startswith(("latency", "queue", "starved")):
        return ONLY_GRAPHS if (merged.kernels.in_graph == 1).all() else NO_LAUNCH
    if name.startswith("short"):
        return ONLY_SUMS
    return NO_NAME if merged.total_ps else "every kernel's duration is 0"
