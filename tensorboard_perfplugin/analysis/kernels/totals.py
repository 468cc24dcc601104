"""The merged kernels and copies → the sums that a summary shows and rules decide by, and one row of each as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...timeline import Op
from .configuration import LaunchConfiguration
from .copies import CopyKind
from .graphs import GraphRow
from .host import KernelDevice
from .keys import copy_rate, ratio
from .merged import Merged, size


class KernelTotals(NamedTuple):
    """short_share: of the kernels whose single executions are known those below `SHORT_KERNEL`, short_time_share: their
    time. starved_share: of those with a latency the kernels whose stream was idle when their launch call ended.
    misfits: kernels that begin before their launch call. Shares are None where nothing is known.
    launched, launched_short_share, launched_short_time_share: the same of the kernels that are in no graph; their time
    is a share of that of all kernels.
    """

    kernels: int
    short_share: float | None
    short_time_share: float | None
    starved_share: float | None
    latencies: int
    misfits: int
    launched: int
    launched_short_share: float | None
    launched_short_time_share: float | None


def kernel_totals(merged: Merged) -> KernelTotals:
    devices, parts = merged.devices, merged.parts
    latencies, launched = sum(p.latency.total for p in parts), sum(d.launched for d in devices)
    return KernelTotals(
        kernels=int(merged.kernels.occurrences.sum(dtype=np.float64)),
        short_share=ratio(sum(d.short for d in devices), sum(d.single for d in devices)),
        short_time_share=ratio(sum(d.short_ps for d in devices), sum(d.single_ps for d in devices)),
        starved_share=ratio(sum(p.starved for p in parts), latencies),
        latencies=latencies,
        misfits=sum(p.misfits for p in parts),
        launched=launched,
        launched_short_share=ratio(sum(d.launched_short for d in devices), launched),
        launched_short_time_share=ratio(sum(d.launched_short_ps for d in devices), sum(d.single_ps for d in devices)),
    )


class Kernel(NamedTuple):
    """A row of the merged kernels. name: as it is in the file; share: of all kernel time; occupancy: 0 to 1, what fits
    at once, nan unknown; blocks: of the grid; uses_tensor_cores: None where the name does not say.
    """

    row: int
    short: str
    name: str
    op: Op
    launch: LaunchConfiguration
    device: KernelDevice
    total_ps: float
    share: float
    occupancy: float
    waves: float | None
    blocks: int | None
    uses_tensor_cores: bool | None


def kernel_of(merged: Merged, row: int) -> Kernel:
    k = merged.kernels
    name, launch, uses = int(k.name[row]), k.launches[int(k.launch[row])], int(merged.uses[row])
    total = float(k.total_ps[row])
    return Kernel(
        row,
        merged.shorts[name],
        k.names[name],
        k.ops[int(k.op[row])],
        launch,
        merged.devices[int(k.device[row])],
        total,
        min(total / merged.total_ps, 1.0) if merged.total_ps else 0.0,
        float(k.occupancy[row]) / 100,
        merged.waves(row),
        size(launch.grid) if launch.grid is not None else None,
        None if uses < 0 else bool(uses),
    )


def heaviest(merged: Merged, least_share: float) -> Iterator[Kernel]:
    """The rows that take at least that part of the kernel time, largest first."""
    heavy = np.flatnonzero(merged.kernels.total_ps >= max(least_share * merged.total_ps, 1))
    return (kernel_of(merged, row) for row in heavy.tolist())


class LargestName(NamedTuple):
    """The short name that takes most time, of all its rows. first: the largest of these. names: how many short names
    there are; few: how many of the largest together take the part of the time that was asked for.
    """

    first: Kernel
    total_ps: float
    share: float
    executions: int
    names: int
    few: int


def largest_name(merged: Merged, part: float) -> LargestName | None:
    """None where no kernel took any time."""
    if not merged.total_ps:
        return None
    k = merged.kernels
    by_name: dict[str, float] = {}
    of_name = np.bincount(k.name, k.total_ps, len(k.names))
    for short, ps in zip(merged.shorts, of_name.tolist(), strict=True):
        by_name[short] = by_name.get(short, 0.0) + ps
    short, ps = max(by_name.items(), key=lambda item: item[1])
    totals = np.cumsum(np.sort(np.array(list(by_name.values())))[::-1])
    rows = np.flatnonzero(np.array([each == short for each in merged.shorts], bool)[k.name])
    return LargestName(
        kernel_of(merged, int(rows[0])),
        ps,
        min(ps / merged.total_ps, 1.0),
        int(k.occurrences[rows].sum()),
        len(by_name),
        int(np.searchsorted(totals, part * merged.total_ps * (1 - 1e-9))) + 1,
    )


class MissedTensorCores(NamedTuple):
    """Kernels that could use tensor cores and are known not to. share: of the kernel time; longest: of these."""

    total_ps: float
    share: float
    longest: Kernel


def missed_tensor_cores(merged: Merged) -> MissedTensorCores | None:
    """None where there are none."""
    total = merged.kernels.total_ps
    ps = float(total[merged.missed].sum())
    if not merged.total_ps or not ps:
        return None
    longest = int(np.argmax(np.where(merged.missed, total, -1)))
    return MissedTensorCores(ps, min(ps / merged.total_ps, 1.0), kernel_of(merged, longest))


class Copy(NamedTuple):
    """A row of the merged copies. share: of the time of all kernels and copies. Rates in bytes per second, that of the
    bus too: what the way can carry; None where they are unknown. average_bytes: of those whose size is known.
    """

    row: int
    kind: CopyKind
    total_ps: float
    share: float
    executions: int
    bytes_per_s: float | None
    bus_bytes_per_s: float | None
    average_bytes: float


def largest_copies(merged: Merged, least_share: float, most: int) -> Iterator[Copy]:
    """The rows that take at least that part of the time of all kernels and copies, largest first."""
    c, everything = merged.copies, gpu_ps(merged)
    for row in np.flatnonzero(c.total_ps >= max(least_share * everything, 1))[:most].tolist():
        total = float(c.total_ps[row])
        rate, bus = (None if gb_s is None else gb_s * 1e9 for gb_s in copy_rate(merged, row))
        average = float(c.size[row]) / max(int(c.sized[row]), 1)
        kind, executions = c.kinds[int(c.kind[row])], int(c.occurrences[row])
        yield Copy(row, kind, total, min(total / everything, 1.0), executions, rate, bus, average)


def gpu_ps(merged: Merged) -> float:
    """The time of all kernels and copies."""
    return merged.total_ps + float(merged.copies.total_ps.sum())


def exposed_copy_ps(merged: Merged) -> dict[str, float]:
    """The time of copies and fills in which their device ran no kernel, by the way they go."""
    copies, found = merged.copies, dict[str, float]()
    for kind, ps in zip(copies.kind.tolist(), (copies.total_ps - copies.compute_ps).tolist(), strict=True):
        way = copies.kinds[kind].kind
        found[way] = found.get(way, 0.0) + ps
    return found


def uses_graphs(merged: Merged) -> bool:
    """Whether kernels run in graphs, traced or not."""
    return any(part.graphs for part in merged.parts)


class WholeGraphs(NamedTuple):
    """CUDA graphs of which only launches were traced. largest: the one that takes most time, and its device."""

    graphs: int
    launches: int
    total_ps: float
    device: KernelDevice
    largest: GraphRow


def whole_graphs(merged: Merged) -> WholeGraphs | None:
    """None where there are none."""
    rows = [(p.devices[row.device], row) for p in merged.parts for row in p.graphs if row.level == "graph"]
    if not rows:
        return None
    device, largest = max(rows, key=lambda pair: pair[1].total_ps)
    total_ps = sum(row.total_ps for _, row in rows)
    return WholeGraphs(len(rows), sum(row.launches for _, row in rows), total_ps, device, largest)
