"""The merged kernels and copies of all hosts → the tables and the summary, each column with its cells."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...advice.text.catalogue import Sentence
from ...analysis.kernels.host import OCTAVES, GraphRow, KernelDevice
from ...analysis.kernels.merged import (
    FLAGS,
    DeviceSums,
    Merged,
    copy_rate,
    joined,
    kernel_totals,
    place_of,
    ratio,
    whole_graphs,
)
from ...analysis.kernels.rows import I8, UNKNOWN, Spread, percentile
from ...analysis.path.replay import NO_SLACK
from ...tables import F64, I64, Cells, Column, Mask, Scalar, TableSpec, all_rows, evaluate, grouped, pooled, tabulate
from ...timeline.names.ops import UNATTRIBUTED
from ...timeline.split.device import precision_of_kernel
from ...units import PS_PER_MS, PS_PER_US
from ..shared.ops import SOME_STEPS

NO_SIZE = "the capture gives no size"
NO_BYTES = "the capture gives a size of 0 bytes"

# Kernels, names and copies column by column: there may be a million rows.


class _Kernels:
    def __init__(self, merged: Merged, most: int | None) -> None:
        k, top = merged.kernels, slice(most)
        self.merged, self.rows, self.top = merged, k, top
        self.count, self.total_ps, self.launched = k.occurrences[top], k.total_ps[top], k.launched[top]
        self.min_ps, self.max_ps = k.min_ps[top], k.max_ps[top]
        steps_ps = [merged.steps_ps[i] for i in k.device[top].tolist()]
        # Of those of which the file holds only sums nothing is known.
        self.steps_ps = np.where(np.isnan(k.path_ps[top]), 0, np.array(steps_ps, np.int64))
        self.so_far_ps, self.all_ps = merged.so_far_ps[top], merged.total_ps
        self.names = k.name[top].tolist()
        self.precisions = {i: precision(k.names[i]) for i in set(self.names)}
        self.ops = [op if op.type != UNATTRIBUTED else None for op in map(k.ops.__getitem__, k.op[top].tolist())]
        self.launches = [k.launches[i] for i in k.launch[top].tolist()]
        self.places = _places(merged, k.device[top])
        self.on_each = list(map(merged.on_each, range(len(self.names))))


class _Names:
    """By short name, and host or device where they are kept apart."""

    def __init__(self, merged: Merged, most: int | None) -> None:
        k = merged.kernels
        shorts, [place] = pooled([merged.shorts])
        _, [where] = pooled([[place_of(merged, d) for d in range(len(merged.devices))]])
        groups = grouped(place[k.name], where[k.device])
        total = groups.sum(k.total_ps)
        order = np.argsort(-total, kind="stable")
        top = order[:most]
        first = groups.first[top]
        self.all_rows = len(order)
        self.names = [shorts[i] for i in place[k.name[first]].tolist()]
        self.places = _places(merged, k.device[first])
        self.rows, self.count = groups.size()[top], groups.sum(k.occurrences)[top]
        self.total_ps, self.so_far_ps, self.all_ps = total[top], np.cumsum(total[order])[:most], merged.total_ps
        self.used_ps = groups.sum(np.where(merged.uses == 1, k.total_ps, 0))[top]
        self.known_ps = groups.sum(np.where(merged.uses != UNKNOWN, k.total_ps, 0))[top]


class _Copies:
    def __init__(self, merged: Merged, most: int | None) -> None:
        c, top = merged.copies, slice(most)
        self.rows, self.top = c, top
        self.count, self.total_ps, self.min_ps, self.max_ps = (
            c.occurrences[top],
            c.total_ps[top],
            c.min_ps[top],
            c.max_ps[top],
        )
        self.so_far_ps, self.all_ps = np.cumsum(c.total_ps)[top], float(c.total_ps.sum())
        self.kinds = [c.kinds[i] for i in c.kind[top].tolist()]
        self.places = _places(merged, c.device[top])
        self.rates = [copy_rate(merged, i) for i in range(len(self.kinds))]
        self.sizes = list(zip(c.size[top].tolist(), c.sized[top].tolist(), strict=True))


def _places(merged: Merged, devices: I64) -> list[tuple[str | None, str | None]]:
    places = [place_of(merged, device) for device in range(len(merged.devices))]
    return [places[i] for i in devices.tolist()]


def ratios(part: F64, whole: I64 | F64 | float) -> list[Scalar]:
    """None where the whole is 0."""
    known = np.broadcast_to(np.not_equal(whole, 0), part.shape)
    shares = np.divide(part, whole, out=np.zeros(len(part)), where=known)
    return [share if is_known else None for share, is_known in zip(shares.tolist(), known.tolist(), strict=True)]


def _us(ps: I64) -> list[Scalar]:
    return [None if each < 0 else each / PS_PER_US for each in ps.tolist()]


def _flags(values: I8) -> list[Scalar]:
    return [FLAGS[i] for i in values.tolist()]


def _percents(values: F64) -> list[Scalar]:
    return [None if math.isnan(percent) else percent for percent in values.tolist()]


def precision(name: str) -> str | None:
    category = precision_of_kernel(name)
    return category.removeprefix("compute_") if category else None


def _why_no_size(sized: int, no_bytes: int) -> str:
    return "" if sized else NO_BYTES if no_bytes else NO_SIZE


def _bus_share(rate: float | None, bus: float | None) -> float | None:
    share = ratio(rate, bus) if rate and bus else None
    return share if share is not None and share <= 1 else None


class _Graph(NamedTuple):
    device: KernelDevice
    row: GraphRow


class _Octave(NamedTuple):
    """A range of durations."""

    number: int
    kernels: int
    all_kernels: int
    total_ps: float
    all_ps: float

    @property
    def from_us(self) -> float:
        return 2.0 ** (self.number - 1) if self.number else 0.0

    @property
    def to_us(self) -> float | None:
        return 2.0**self.number if self.number < OCTAVES - 1 else None

    @property
    def words(self) -> str:
        if not self.number:
            return "< 1 µs"
        return f"{_range(self.from_us)} " + ("and more" if self.to_us is None else f"to {_range(self.to_us)}")


def _range(us: float) -> str:
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if us >= size:
            return f"{us / size:.3g} {unit}"
    return f"{us:g} µs"


class _Device(NamedTuple):
    """sums: its own. all_ps: of the kernels of all devices."""

    about: KernelDevice
    sums: DeviceSums
    only_sums: bool
    all_ps: float


_WHERE = (
    Column.text(
        "host",
        "The host, with by=host and by=device; unknown where hosts are summed.",
        lambda t: [host for host, _ in t.places],
    ),
    Column.text(
        "device",
        "The device, with by=device; unknown where devices are summed.",
        lambda t: [device for _, device in t.places],
    ),
)
_SHARES = (
    Column.share(
        "share",
        "Total time ÷ the total time of all rows of this table, listed or not.",
        lambda t: ratios(t.total_ps, t.all_ps),
    ),
    Column.share("cumulative_share", "Sum of the shares down to this row.", lambda t: ratios(t.so_far_ps, t.all_ps)),
)
_TIMES = (
    Column.us("total_us", "Sum of the durations.", lambda t: (t.total_ps / PS_PER_US).tolist()),
    Column.us("average_us", "Total time ÷ occurrences.", lambda t: ratios(t.total_ps / PS_PER_US, t.count)),
    Column.us("min_us", "The shortest duration; unknown where the file holds only sums.", lambda t: _us(t.min_ps)),
    Column.us("max_us", "The longest duration; unknown where the file holds only sums.", lambda t: _us(t.max_ps)),
)

KERNELS = TableSpec(
    "kernels",
    "Kernels",
    "A row is a kernel of one op with one launch configuration (grid, block, registers, shared memory), inside or "
    "outside of a CUDA graph; largest total time first.",
    (
        Column.count("rank", "Place by total time, from 1 on.", lambda k: list(range(1, len(k.names) + 1))),
        Column.text(
            "short_name",
            "The function's name without namespaces, template arguments and parameters.",
            lambda k: [k.merged.shorts[i] for i in k.names],
        ),
        Column.text(
            "name",
            "The kernel's name, demangled where it was mangled and that is possible.",
            lambda k: [k.merged.names[i] for i in k.names],
        ),
        *_WHERE,
        Column.count("occurrences", "How often it ran.", lambda k: k.count.tolist()),
        *_TIMES,
        *_SHARES,
        Column.text(
            "op_name",
            "The op that launched it, as in `op_stats`; unknown where none is known.",
            lambda k: [op and op.name for op in k.ops],
        ),
        Column.text(
            "op_type",
            "Type of that op: MatMul, Conv2D, dot_general; unknown where no op is known.",
            lambda k: [op and op.type for op in k.ops],
        ),
        Column.text(
            "module",
            "The XLA module of that op; empty outside XLA, unknown where no op is known.",
            lambda k: [op and op.module for op in k.ops],
        ),
        Column.flag(
            "tensor_core_eligible",
            "Whether the op multiplies matrices or convolves, by its type, so that tensor cores could do it; unknown "
            "where no op is known, or its type does not show it.",
            lambda k: _flags(k.merged.eligible[k.top]),
        ),
        Column.flag(
            "tensor_core_used",
            "Whether the kernel is written for tensor cores (AMD: matrix cores), by its name; unknown where the name "
            "does not show it.",
            lambda k: _flags(k.merged.uses[k.top]),
        ),
        Column.text(
            "precision",
            "What it computes in, by its name: `16bit`, `tf32` …; else unknown.",
            lambda k: [k.precisions[i] for i in k.names],
        ),
        Column.text(
            "grid",
            "Blocks in the grid, `x,y,z`; unknown where the capture does not say.",
            lambda k: [joined(launch.grid) for launch in k.launches],
        ),
        Column.text(
            "block",
            "Threads of a block, `x,y,z`; unknown where the capture does not say.",
            lambda k: [joined(launch.block) for launch in k.launches],
        ),
        Column.count(
            "registers",
            "Registers of a thread; unknown where the capture does not say.",
            lambda k: [launch.registers for launch in k.launches],
        ),
        Column.bytes(
            "static_shared_bytes",
            "Shared memory of a block that its code declares.",
            lambda k: [launch.static_shared for launch in k.launches],
        ),
        Column.bytes(
            "dynamic_shared_bytes",
            "Shared memory of a block that its launch asked for.",
            lambda k: [launch.dynamic_shared for launch in k.launches],
        ),
        Column.bytes(
            "shared_bytes",
            "Shared memory of a block, both kinds together (AMD: LDS); old captures record no more.",
            lambda k: [launch.shared for launch in k.launches],
        ),
        Column(
            "occupancy_percent",
            "float64",
            "percent",
            "Theoretical occupancy: the most threads that fit at once on a multiprocessor, given its registers, shared "
            "memory and block, ÷ what it could hold. Unknown where the capture does not say.",
            lambda k: _percents(k.rows.occupancy[k.top]),
        ),
        Column(
            "achieved_percent",
            "float64",
            "percent",
            "Estimated achieved occupancy, as PyTorch's profiler computes it: the same, or less where the grid has too "
            "few blocks to fill the device. Other captures record only the theoretical value.",
            lambda k: _percents(k.rows.achieved[k.top]),
        ),
        Column.number(
            "blocks_per_sm",
            "Blocks of the grid ÷ multiprocessors; below 1 some of these stay idle.",
            lambda k: [blocks for blocks, _ in k.on_each],
        ),
        Column.number(
            "warps_per_sm",
            "Warps of the whole grid ÷ multiprocessors. On AMD: waves of 64 threads.",
            lambda k: [warps for _, warps in k.on_each],
        ),
        Column.number(
            "waves",
            "Grid ÷ the blocks that the device holds at once (multiprocessors × blocks on each at that occupancy). "
            "Below 1 a part of the device stays idle.",
            lambda k: list(map(k.merged.waves, range(len(k.names)))),
        ),
        Column.count(
            "suggested_block",
            "Threads of a block that would give the highest occupancy, as the collector computed it.",
            lambda k: [size or None for size in k.rows.suggested_block[k.top].tolist()],
        ),
        Column.count(
            "min_grid",
            "Blocks with which that occupancy is reached, likewise.",
            lambda k: [size or None for size in k.rows.min_grid[k.top].tolist()],
        ),
        Column.us(
            "latency_us",
            "Mean time from the begin of the host's launch call to the kernel's begin. Unknown where no launch is "
            "found, the clocks put it after the kernel, or it is a node of a graph.",
            lambda k: ratios(k.rows.latency_ps[k.top] / PS_PER_US, k.launched),
        ),
        Column.us(
            "queue_us",
            "The part of the latency in which the kernel was launched but its stream still busy: mean time from the "
            "launch call's end to the end of what ran before on the stream; 0 where that was over.",
            lambda k: ratios(k.rows.queue_ps[k.top] / PS_PER_US, k.launched),
        ),
        Column.flag(
            "in_graph",
            "Whether it ran as a node of a CUDA graph; unknown where only sums are.",
            lambda k: _flags(k.rows.in_graph[k.top]),
        ),
        Column.ms(
            "on_path_ms",
            "Time that it runs on the critical path, over all typical steps; the rows add up to no more than the path. "
            f"{SOME_STEPS} Unknown without steps, and where only sums are known.",
            lambda k: [
                ps / PS_PER_MS if steps_ps else None
                for ps, steps_ps in zip(k.rows.path_ps[k.top].tolist(), k.steps_ps.tolist(), strict=True)
            ],
        ),
        Column.share(
            "on_path_share",
            "That ÷ the time of these steps, of all hosts that the row sums.",
            lambda k: ratios(k.rows.path_ps[k.top], k.steps_ps),
        ),
        Column.ms(
            "slack_ms",
            "How much longer an execution could take before the steps do, the least of those in typical steps that are "
            "replayed: 0 on the critical path. Of what nothing is known to wait for, until the last of these steps "
            "ends. Unknown of what did not run in them.",
            lambda k: [ps / PS_PER_MS if ps != NO_SLACK else None for ps in k.rows.slack_ps[k.top].tolist()],
        ),
    ),
    key=(
        "name",
        "host",
        "device",
        "op_name",
        "op_type",
        "module",
        "registers",
        "static_shared_bytes",
        "dynamic_shared_bytes",
        "shared_bytes",
        "grid",
        "block",
        "in_graph",
    ),
    proved=("total_us",),
)

NAMES = TableSpec(
    "names",
    "Kernels by name",
    "A row is a kernel by its short name, whatever its template arguments, launch configuration and op; largest total "
    "time first.",
    (
        Column.text(
            "short_name", "The function's name without namespaces, template arguments and parameters.", "names"
        ),
        *_WHERE,
        Column.count("kernel_rows", "Rows of `kernels` that have that name.", lambda n: n.rows.tolist()),
        Column.count("occurrences", "How often it ran.", lambda n: n.count.astype(np.int64).tolist()),
        *_TIMES[:2],
        *_SHARES,
        Column.share(
            "tensor_core_share",
            "Time in kernels written for tensor cores ÷ time of those whose name shows which they are.",
            lambda n: ratios(n.used_ps, n.known_ps),
        ),
    ),
    key=("short_name", "host", "device"),
    proved=("total_us",),
)

COPIES = TableSpec(
    "copies",
    "Copies and fills",
    "A row is a kind of copy or fill between two kinds of memory; largest total time first.",
    (
        Column.text(
            "kind",
            "`H2D` (host to device), `D2H`, `D2D`, `P2P` (two devices), `fill`, `copy` (other).",
            lambda c: [kind.kind for kind in c.kinds],
        ),
        *_WHERE,
        Column.text(
            "source",
            "Memory it reads: `pageable`, `pinned`, `device` …; else unknown.",
            lambda c: [kind.source for kind in c.kinds],
        ),
        Column.text(
            "destination",
            "Memory it writes: `pageable`, `pinned`, `device` …; else unknown.",
            lambda c: [kind.destination for kind in c.kinds],
        ),
        Column.flag(
            "async",
            "Whether the host went on without waiting; null where nothing says it.",
            lambda c: [kind.is_async for kind in c.kinds],
        ),
        Column.integer(
            "to_device",
            "Number of the device that it writes to, as the capture gives it.",
            lambda c: [kind.to_device for kind in c.kinds],
        ),
        Column.count("occurrences", "How many there were.", lambda c: c.count.tolist()),
        *_TIMES,
        *_SHARES,
        Column.bytes(
            "size_bytes",
            "Bytes of all whose size is known; unknown where none is.",
            lambda c: [int(size) if sized else None for size, sized in c.sizes],
        ),
        Column(
            "average_size_bytes",
            "float64",
            "bytes",
            "Mean size of those whose size is known.",
            lambda c: ratios(c.rows.size[c.top], c.rows.sized[c.top]),
        ),
        Column.count(
            "unsized",
            "How many have no size in the capture; they count in no rate.",
            lambda c: (c.count - c.rows.sized[c.top]).tolist(),
        ),
        Column.number(
            "gb_s",
            "Achieved rate in GB/s (10⁹ bytes): known bytes ÷ the time of those copies.",
            lambda c: [rate for rate, _ in c.rates],
        ),
        Column.number(
            "bus_gb_s",
            "Most that the way can carry in GB/s: between host and device, PCIe ×16 of the generation that came with "
            "the device's architecture; within a device, half its memory's rate, since a copy reads and writes.",
            lambda c: [bus for _, bus in c.rates],
        ),
        Column.share(
            "bus_share",
            "Achieved rate ÷ that; unknown where it is more: the way is another.",
            lambda c: [_bus_share(*rates) for rates in c.rates],
        ),
        Column.share(
            "compute_share",
            "Part of the time in which the same device also ran kernels.",
            lambda c: ratios(c.rows.compute_ps[c.top], c.total_ps),
        ),
        Column.text(
            "why_unknown",
            "Why size and rate are unknown; empty where they are known.",
            lambda c: [_why_no_size(*each) for each in zip(c.rows.sized[c.top], c.rows.no_bytes[c.top], strict=True)],
        ),
    ),
    key=("kind", "host", "device", "source", "destination", "async", "to_device"),
    proved=("total_us",),
)

GRAPHS = TableSpec(
    "graphs",
    "CUDA graphs",
    "A row is a CUDA graph on a device; largest total time first.",
    (
        Column.text("host", "The host.", "device.host"),
        Column.text("device", "The device.", "device.name"),
        Column.id(
            "graph",
            "The graph's id, as the capture gives it; unknown where only the calls that launch graphs are recorded.",
            "row.graph",
        ),
        Column.text(
            "level",
            "`node`: its kernels were traced one by one; `graph`: only its launches were, so that its kernels are in "
            "no other table.",
            "row.level",
        ),
        Column.count("launches", "How often it was launched.", "row.launches"),
        Column.count(
            "nodes",
            "Its different nodes that ran; unknown at the level of graphs, and of a graph without id.",
            "row.nodes",
        ),
        Column.count("kernels", "Kernels that ran in it; unknown at the level of graphs.", "row.kernels"),
        Column.us("total_us", "Sum of the durations of what ran in it, or of its launches.", "row.total_ps"),
        Column.us("average_us", "Total time ÷ launches.", lambda g: ratio(g.row.total_ps / PS_PER_US, g.row.launches)),
    ),
    key=("host", "device", "graph", "level"),
    proved=("total_us",),
)

DURATIONS = TableSpec(
    "durations",
    "How long kernels run",
    "A row is a range of durations, each twice the one before; the shortest first.",
    (
        Column.text("duration", "The range in words.", "words"),
        Column.us("from_us", "Its low end, inclusive."),
        Column.us("to_us", "Its high end, exclusive."),
        Column.count("kernels", "Kernels that ran so long."),
        Column.share("kernel_share", "That ÷ all kernels.", lambda d: d.kernels / d.all_kernels),
        Column.us("total_us", "Sum of their durations.", "total_ps"),
        Column.share("share", "That ÷ the total time of all kernels.", lambda d: ratio(d.total_ps, d.all_ps)),
    ),
    key=("from_us",),
    proved=("total_us",),
)

DEVICES = TableSpec(
    "devices",
    "Devices",
    "A row is a GPU, in the order of hosts and files.",
    (
        Column.text("host", "The host.", "about.host"),
        Column.text("device", "The device's name in the capture.", "about.name"),
        Column.text("vendor", "Its manufacturer; empty where the capture does not say.", "about.vendor"),
        Column.text(
            "model",
            "Model, or architecture where the capture names no model.",
            lambda d: d.about.model or d.about.architecture,
        ),
        Column.text("architecture", "Its architecture; unknown where the capture does not say.", "about.architecture"),
        Column.count("multiprocessors", "Its multiprocessors (AMD: compute units).", "about.multiprocessors"),
        Column.count("kernels", "Kernels that ran.", lambda d: int(d.sums.kernels)),
        Column.us(
            "kernel_us",
            "Sum of their durations; streams that run at once count twice.",
            lambda d: float(d.sums.kernel_ps) / PS_PER_US,
        ),
        Column.count(
            "copies",
            "Copies and fills; unknown where only sums over kernels are known.",
            lambda d: None if d.only_sums else int(d.sums.copies),
        ),
        Column.us(
            "copy_us", "Sum of their durations.", lambda d: None if d.only_sums else float(d.sums.copy_ps) / PS_PER_US
        ),
        Column.share(
            "share", "Its kernel time ÷ that of all devices.", lambda d: ratio(float(d.sums.kernel_ps), d.all_ps)
        ),
        Column.us(
            "average_us",
            "Mean duration of a kernel.",
            lambda d: ratio(float(d.sums.kernel_ps) / PS_PER_US, float(d.sums.kernels)),
        ),
        Column.share(
            "short_kernel_share", "Kernels below 10 µs ÷ all kernels.", lambda d: ratio(d.about.short, d.about.single)
        ),
        Column.share(
            "tensor_core_share",
            "Time in kernels written for tensor cores ÷ time of those whose name shows which they are.",
            lambda d: ratio(float(d.sums.used_ps), float(d.sums.known_ps)),
        ),
    ),
    key=("host", "device"),
    proved=("kernel_us", "copy_us"),
)


def tables(merged: Merged, most: int | None) -> tuple[dict[str, dict[str, Cells]], Summary]:
    names = _Names(merged, most)
    graphs = [_Graph(p.devices[row.device], row) for p in merged.parts for row in p.graphs]
    graphs.sort(key=lambda graph: -graph.row.total_ps)
    cells = {
        "kernels": evaluate(KERNELS.columns, _Kernels(merged, most)),
        "names": evaluate(NAMES.columns, names),
        "copies": evaluate(COPIES.columns, _Copies(merged, most)),
        "graphs": tabulate(GRAPHS.columns, graphs[:most]),
        "durations": tabulate(DURATIONS.columns, _octaves(merged)),
        "devices": tabulate(DEVICES.columns, _devices(merged)),
    }
    return cells, Summary(merged, names.all_rows, len(graphs))


def _octaves(merged: Merged) -> list[_Octave]:
    """From the first to the last range that has kernels."""
    count = np.sum([p.octave_count for p in merged.parts], axis=0)
    time = np.sum([p.octave_ps for p in merged.parts], axis=0)
    used, all_kernels, all_ps = np.flatnonzero(count), int(count.sum()), float(time.sum())
    numbers = range(int(used[0]), int(used[-1]) + 1) if len(used) else ()
    return [_Octave(i, int(count[i]), all_kernels, float(time[i]), all_ps) for i in numbers]


def _devices(merged: Merged) -> list[_Device]:
    sums = merged.by_device
    all_ps = float(sums.kernel_ps.sum())
    return [
        _Device(about, DeviceSums(*(each[i] for each in sums)), merged.only_sums(i), all_ps)
        for i, about in enumerate(merged.devices)
    ]


class Summary:
    """names_rows, graphs_rows: how many rows these tables have."""

    def __init__(self, merged: Merged, names_rows: int, graphs_rows: int) -> None:
        self.merged, self.names_rows, self.graphs_rows = merged, names_rows, graphs_rows
        self.totals, self.all_sums = kernel_totals(merged), merged.all_sums
        self.known_ps, self.used_ps = self.time_of(merged.uses != UNKNOWN), self.time_of(merged.uses == 1)

    def time_of(self, kernels: Mask) -> float:
        return float(self.merged.kernels.total_ps[kernels].sum())

    @cached_property
    def copied_bytes(self) -> int | None:
        copies = self.merged.copies
        return int(min(copies.size.sum(), 2.0**62)) if copies.sized.any() else None

    @cached_property
    def whole_graphs_ps(self) -> float:
        whole = whole_graphs(self.merged)
        return whole.total_ps if whole else 0.0


def _percentile(spreads: list[Spread], percent: int) -> float | None:
    ps = percentile(spreads, percent / 100)
    return None if ps is None else ps / PS_PER_US


# The summary's scalars, and why each that is unknown is.

SUMMARY = (
    all_rows("kernels", lambda s: len(s.merged.kernels)),
    all_rows("names"),
    all_rows("copies", lambda s: len(s.merged.copies)),
    all_rows("graphs"),
    Column.count(
        "busy_device_count",
        "GPUs that ran something.",
        lambda s: int(np.count_nonzero(s.merged.by_device.kernels + s.merged.by_device.copies)),
    ),
    Column.count("kernel_count", "Kernels that ran.", "totals.kernels"),
    Column.ms(
        "kernel_ms",
        "Sum of their durations; streams that run at once count twice.",
        lambda s: s.merged.total_ps / PS_PER_MS if len(s.merged.kernels) else None,
    ),
    Column.us(
        "average_us", "Mean duration of a kernel.", lambda s: ratio(s.merged.total_ps / PS_PER_US, s.totals.kernels)
    ),
    Column.share("short_kernel_share", "Kernels below 10 µs ÷ all kernels.", "totals.short_share"),
    Column.share("short_kernel_time_share", "Their time ÷ the time of all kernels.", "totals.short_time_share"),
    Column.share(
        "tensor_core_share",
        "Kernel time in kernels written for tensor cores ÷ the time of those whose name shows which they are.",
        lambda s: ratio(s.used_ps, s.known_ps),
    ),
    Column.share(
        "tensor_core_unknown_share",
        "Part of the kernel time whose name does not show it.",
        lambda s: ratio(s.merged.total_ps - s.known_ps, s.merged.total_ps),
    ),
    Column.share(
        "tensor_core_eligible_share",
        "Part of the kernel time in ops that multiply or convolve.",
        lambda s: ratio(s.time_of(s.merged.eligible == 1), s.merged.total_ps),
    ),
    Column.ms(
        "tensor_core_missed_ms",
        "Time of kernels that multiply matrices for such ops, and are known not to use tensor cores.",
        lambda s: s.time_of(s.merged.missed) / PS_PER_MS if s.known_ps else None,
    ),
    Column.us(
        "latency_p50_us",
        "Half of the kernels began sooner after the begin of their launch call.",
        lambda s: _percentile([part.latency for part in s.merged.parts], 50),
    ),
    Column.us(
        "latency_p90_us",
        "Nine of ten kernels began sooner.",
        lambda s: _percentile([part.latency for part in s.merged.parts], 90),
    ),
    Column.us(
        "latency_p99_us",
        "99 of 100 kernels began sooner.",
        lambda s: _percentile([part.latency for part in s.merged.parts], 99),
    ),
    Column.count("latency_count", "Kernels whose latency is known.", "totals.latencies"),
    Column.count(
        "clock_misfit_count", "Kernels that begin before their launch call, by the recorded clocks.", "totals.misfits"
    ),
    Column.us(
        "queue_p50_us",
        "Half of the kernels waited less for their stream after being launched.",
        lambda s: _percentile([part.queue for part in s.merged.parts], 50),
    ),
    Column.us(
        "queue_p90_us",
        "Nine of ten kernels waited less.",
        lambda s: _percentile([part.queue for part in s.merged.parts], 90),
    ),
    Column.us(
        "queue_p99_us",
        "99 of 100 kernels waited less.",
        lambda s: _percentile([part.queue for part in s.merged.parts], 99),
    ),
    Column.share(
        "starved_share",
        "Kernels whose stream was idle when their launch call ended ÷ those with a latency.",
        "totals.starved_share",
    ),
    Column.count(
        "copy_count", "Copies and fills.", lambda s: None if s.all_sums else int(s.merged.copies.occurrences.sum())
    ),
    Column.ms(
        "copy_ms",
        "Sum of their durations.",
        lambda s: None if s.all_sums else float(s.merged.copies.total_ps.sum()) / PS_PER_MS,
    ),
    Column.bytes(
        "copied_bytes", "Bytes of those whose size is known.", lambda s: None if s.all_sums else s.copied_bytes
    ),
    Column.share(
        "graph_kernel_share",
        "Part of the kernel time in CUDA graphs, as far as traced.",
        lambda s: None if s.all_sums else ratio(s.time_of(s.merged.kernels.in_graph == 1), s.merged.total_ps),
    ),
    Column.ms(
        "graph_only_ms",
        "Time of CUDA graphs whose kernels were not traced, only launches.",
        lambda s: None if s.all_sums else s.whole_graphs_ps / PS_PER_MS,
    ),
)

NO_KERNEL = "no kernel ran"
NO_LAUNCH = "the capture joins no kernel to the host's call that launched it"
ONLY_GRAPHS = "all kernels are nodes of graphs, which are launched as a whole"
NO_NAME = "no kernel's name shows whether it is written for tensor cores"
ONLY_SUMS = "the file holds only sums over kernels"
NO_SIZE_REASON = "no copy of this capture has a size"
NO_COPY = "nothing was copied or filled"


def unknown(merged: Merged, values: dict[str, Scalar]) -> dict[str, str]:
    """Why each scalar that is unknown is."""
    return {name: _why(merged, name) for name, value in values.items() if value is None}


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
