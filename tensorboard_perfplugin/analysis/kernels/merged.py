"""The partials of all hosts → one merged table of kernels, one of copies, with what follows from names and devices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...tables import F64, I64, Scalar
from ...timeline.names.kernels import kernel_name, tensor_core_rule
from ...timeline.names.ops import UNATTRIBUTED, Op
from ..devices.peaks import generation_of, latest_generation
from . import host as kernel_copies
from . import rows as kernel_rows
from .host import CopyKind, CopyRows, GraphRow, HostKernels, KernelDevice, bus_gb_s
from .rows import I8, UNKNOWN, Dimensions, KernelRows, LaunchConfiguration, short_name

#: Most threads on a multiprocessor of a generation that the table of devices does not have.
_DEFAULT_THREADS = 2048
#: Threads that run in step, of NVIDIA's devices and of AMD's for computing.
_WARP, _WAVE = 32, 64
_MOST = float(1 << 62)


class DeviceSums(NamedTuple):
    """By device: kernels and copies, their times, and the time of kernels on tensor cores, and on known units."""

    kernels: F64
    kernel_ps: F64
    used_ps: F64
    known_ps: F64
    copies: F64
    copy_ps: F64


class Merged(msgspec.Struct, frozen=True, eq=False, dict=True):
    """All hosts' kernels and copies, largest total time first.

    by: how rows were kept apart: `kernel`, `host` or `device`. Devices are numbered over all hosts. fine: the same,
    kept apart by device.
    """

    by: str
    devices: list[KernelDevice]
    kernels: KernelRows
    copies: CopyRows
    fine: KernelRows
    fine_copies: CopyRows
    parts: Sequence[HostKernels]

    @cached_property
    def total_ps(self) -> float:
        return float(self.kernels.total_ps.sum()) + sum(part.other_ps for part in self.parts)

    @cached_property
    def steps_ps(self) -> list[int]:
        """By device: the typical steps of its host, or of all hosts, of which a row of it tells."""
        all_ps = sum(part.steps_ps for part in self.parts)
        return [all_ps if self.by == "kernel" else part.steps_ps for part in self.parts for _ in part.devices]

    @cached_property
    def so_far_ps(self) -> F64:
        """Sum of total times down to each kernel."""
        return np.cumsum(self.kernels.total_ps)

    @cached_property
    def names(self) -> list[str]:
        """By name: as it is shown."""
        return [kernel_name(name) for name in self.kernels.names]

    @cached_property
    def shorts(self) -> list[str]:
        return [short_name(name) for name in self.names]

    @cached_property
    def _rules(self) -> tuple[I8, I8]:
        """By device and name: whether it uses tensor cores (1, 0, -1 unknown), whether it is known to multiply."""
        flags = {None: UNKNOWN, False: 0, True: 1}
        books = [self._rule_book(device) for device in self.devices]
        uses = np.full((len(self.devices), len(self.names)), UNKNOWN, np.int8)
        multiplies = np.zeros_like(uses)
        for vendor, has in set(books):
            of_book = np.array([book == (vendor, has) for book in books], bool)
            here = np.unique(self.fine.name[of_book[self.fine.device]]).tolist()
            rules = [tensor_core_rule(self.names[i], vendor) for i in here]
            flag_of = [flags[rule.uses] if rule and has else 0 if not has else UNKNOWN for rule in rules]
            uses[np.ix_(of_book, here)] = flag_of
            multiplies[np.ix_(of_book, here)] = [rule is not None and rule.multiplies for rule in rules]
        return uses, multiplies

    @staticmethod
    def _rule_book(device: KernelDevice) -> tuple[str, bool]:
        """Its vendor, and whether it has tensor cores at all: NVIDIA's have since Volta."""
        before = latest_generation(device.attributes)
        old = not device.is_amd and device.capability is not None and not (before and before.matrix)
        return device.vendor.lower(), not old

    @cached_property
    def uses(self) -> I8:
        """By kernel: 1, 0, -1 unknown."""
        return self._rules[0][self.kernels.device, self.kernels.name]

    @cached_property
    def by_device(self) -> DeviceSums:
        k, c, n = self.fine, self.fine_copies, len(self.devices)
        uses = self._rules[0][k.device, k.name]

        def summed(device: I64, values: I64 | F64) -> F64:
            return np.bincount(device, values, n).astype(np.float64)

        return DeviceSums(
            summed(k.device, k.occurrences),
            summed(k.device, k.total_ps),
            summed(k.device, np.where(uses == 1, k.total_ps, 0)),
            summed(k.device, np.where(uses != UNKNOWN, k.total_ps, 0)),
            summed(c.device, c.occurrences),
            summed(c.device, c.total_ps),
        )

    @cached_property
    def eligible(self) -> I8:
        """By kernel; an op of which a kernel uses tensor cores is eligible, whatever its type."""
        k = self.kernels
        op_uses = np.zeros(len(k.ops), bool)
        op_uses[k.op[self.uses == 1]] = True
        known = np.array([op.type != UNATTRIBUTED for op in k.ops], bool)
        return np.where((self.uses == 1) | (op_uses & known)[k.op], np.int8(1), k.eligible)

    @cached_property
    def missed(self) -> NDArray[np.bool_]:
        """Kernels that multiply for an eligible op, and do not use tensor cores, though the device has some."""
        has = np.array([self._rule_book(d)[1] for d in self.devices], bool)
        multiplies = self._rules[1][self.kernels.device, self.kernels.name] == 1
        could = multiplies & (self.eligible != 0) & has[self.kernels.device]
        return np.asarray((self.uses == 0) & could, bool)

    def only_sums(self, device: int) -> bool:
        """Whether of a device no more than sums over kernels are known: of copies and graphs nothing."""
        ran = self.by_device
        return bool(ran.kernels[device] and not ran.copies[device] and not self.devices[device].single)

    @property
    def all_sums(self) -> bool:
        ran = [i for i, count in enumerate(self.by_device.kernels.tolist()) if count]
        return bool(ran) and not self.by_device.copies.any() and all(map(self.only_sums, ran))

    def waves(self, row: int) -> float | None:
        """Grid ÷ blocks that the device holds at once."""
        launch, occupancy = self.kernels.launches[int(self.kernels.launch[row])], float(self.kernels.occupancy[row])
        device = self.devices[int(self.kernels.device[row])]
        if launch.grid is None or launch.block is None or not device.multiprocessors or math.isnan(occupancy):
            return None
        if device.is_amd or device.capability is None:
            return None
        generation = generation_of(device.attributes)
        threads = generation.threads if generation and generation.threads else _DEFAULT_THREADS
        blocks = max(round(threads * occupancy / 100 / size(launch.block)), 1)
        waves = size(launch.grid) / (blocks * device.multiprocessors)
        return waves if math.isfinite(waves) else None

    def on_each(self, row: int) -> tuple[float | None, float | None]:
        """Blocks and warps of a launch ÷ multiprocessors of its device."""
        launch, device = (
            self.kernels.launches[int(self.kernels.launch[row])],
            self.devices[int(self.kernels.device[row])],
        )
        if launch.grid is None or not device.multiprocessors:
            return None, None
        blocks = min(size(launch.grid) / device.multiprocessors, _MOST)
        warp = _WAVE if device.is_amd else _WARP
        return blocks, None if launch.block is None else min(blocks * size(launch.block) / warp, _MOST)


def size(shape: Dimensions) -> int:
    return shape[0] * shape[1] * shape[2]


def merge(parts: Sequence[HostKernels], by: str) -> Merged:
    """by: `kernel` sums hosts and devices, `host` devices, `device` nothing."""
    offsets = np.cumsum([0, *(len(p.devices) for p in parts)])
    tables = [
        structs.replace(table, device=table.device + offsets[i]) for i, p in enumerate(parts) for table in p.tables
    ]
    copied = [structs.replace(p.copies, device=p.copies.device + offsets[i]) for i, p in enumerate(parts)]
    host = np.repeat(np.arange(len(parts)), [len(p.devices) for p in parts])
    fine = kernel_rows.merged(tables, [t.device for t in tables])
    fine_copies = kernel_copies.merged(copied, [c.device for c in copied])
    kernels, copies = fine, fine_copies
    if by != "device":
        place = host if by == "host" else np.zeros_like(host)
        kernels = kernel_rows.merged([fine], [place[fine.device]])
        copies = kernel_copies.merged([fine_copies], [place[fine_copies.device]])
    return Merged(
        by,
        [d for p in parts for d in p.devices],
        _ordered(kernels, _by_time(kernels.total_ps, kernels.names, kernels.name)),
        _ordered(copies, np.argsort(-copies.total_ps, kind="stable")),
        fine,
        fine_copies,
        parts,
    )


def _by_time(total: F64, names: list[str], name: I64) -> I64:
    """Largest first, of equal ones by name."""
    rank = np.empty(len(names), np.int64)
    rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return np.lexsort((rank[name], -total))


T = TypeVar("T", KernelRows, CopyRows)


def _ordered(table: T, order: I64) -> T:
    columns = {name: values[order] for name, values in structs.asdict(table).items() if isinstance(values, np.ndarray)}
    return structs.replace(table, **columns)


# The merged kernels and copies → what distinguishes one row from the others, and the rate of a copy.

FLAGS = {UNKNOWN: None, 0: False, 1: True}


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def place_of(merged: Merged, device: int) -> tuple[str | None, str | None]:
    about = merged.devices[device]
    return (about.host if merged.by != "kernel" else None, about.name if merged.by == "device" else None)


def kernel_key(merged: Merged, i: int) -> dict[str, Scalar]:
    """What distinguishes a row of `kernels` from the others, as the table declares it."""
    k = merged.kernels
    op, launch = k.ops[int(k.op[i])], k.launches[int(k.launch[i])]
    host, device = place_of(merged, int(k.device[i]))
    known = op.type != UNATTRIBUTED
    return {
        "name": merged.names[int(k.name[i])],
        "host": host,
        "device": device,
        "op_name": op.name if known else None,
        "op_type": op.type if known else None,
        "module": op.module if known else None,
        "registers": launch.registers,
        "static_shared_bytes": launch.static_shared,
        "dynamic_shared_bytes": launch.dynamic_shared,
        "shared_bytes": launch.shared,
        "grid": joined(launch.grid),
        "block": joined(launch.block),
        "in_graph": FLAGS[int(k.in_graph[i])],
    }


def copy_key(merged: Merged, i: int) -> dict[str, Scalar]:
    """What distinguishes a row of `copies` from the others."""
    c = merged.copies
    kind, (host, device) = c.kinds[int(c.kind[i])], place_of(merged, int(c.device[i]))
    return {
        "kind": kind.kind,
        "host": host,
        "device": device,
        "source": kind.source,
        "destination": kind.destination,
        "async": kind.is_async,
        "to_device": kind.to_device,
    }


def joined(shape: Dimensions | None) -> str | None:
    return None if shape is None else ",".join(map(str, shape))


def copy_rate(merged: Merged, i: int) -> tuple[float | None, float | None]:
    """Achieved GB/s of a row of copies, and what its way carries."""
    c = merged.copies
    device = merged.devices[int(c.device[i])]
    rate = ratio(float(c.size[i]) * 1e3, float(c.sized_ps[i]))
    return rate, bus_gb_s(c.kinds[int(c.kind[i])].kind, device.attributes, device.bandwidth_gb_s)


# The merged kernels and copies → the sums that a summary shows and rules decide by, and one row of each as a whole.


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
