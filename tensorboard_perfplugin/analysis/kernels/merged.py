"""The partials of all hosts → one merged table of kernels, one of copies, with what follows from names and devices."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ...timeline import UNATTRIBUTED, kernel_name, tensor_core_rule
from ..devices import generation_of, latest_generation
from . import copies as kernel_copies
from . import rows as kernel_rows
from .configuration import Dimensions
from .copies import CopyRows
from .groups import F64
from .host import HostKernels, KernelDevice
from .names import short
from .rows import I8, UNKNOWN, KernelRows

#: Most threads on a multiprocessor of a generation that the table of devices does not have.
_THREADS_ELSE = 2048
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


@dataclasses.dataclass(frozen=True, eq=False)
class Merged:
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
    def so_far_ps(self) -> F64:
        """Sum of total times down to each kernel."""
        return np.cumsum(self.kernels.total_ps)

    @cached_property
    def names(self) -> list[str]:
        """By name: as it is shown."""
        return [kernel_name(name) for name in self.kernels.names]

    @cached_property
    def shorts(self) -> list[str]:
        return [short(name) for name in self.names]

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
        threads = generation.threads if generation and generation.threads else _THREADS_ELSE
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
        dataclasses.replace(table, device=table.device + offsets[i]) for i, p in enumerate(parts) for table in p.tables
    ]
    copied = [dataclasses.replace(p.copies, device=p.copies.device + offsets[i]) for i, p in enumerate(parts)]
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
    columns = {
        f.name: getattr(table, f.name)[order]
        for f in dataclasses.fields(table)
        if isinstance(getattr(table, f.name), np.ndarray)
    }
    return dataclasses.replace(table, **columns)
