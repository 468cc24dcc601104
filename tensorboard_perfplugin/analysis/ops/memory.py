"""Memory that calls took and gave back → that of ops, and its columns; of PyTorch's profiler with `profile_memory`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import Column
from ...timeline import CallMemory, Ops

NO_MEMORY = (
    "the capture does not hold what PyTorch's operators allocate and free (torch.profiler records it with "
    "profile_memory=True)"
)
#: What a column of 64 bits holds.
_MAX = 1 << 63

CPU_MEMORY = Column(
    "cpu_memory_bytes",
    "int64",
    "bytes",
    "Host memory that its calls, and what they called, allocated less what these freed: PyTorch's `CPU Mem`. Unknown "
    "of devices' rows, and where the profiler did not record memory (profile_memory=True).",
)
SELF_CPU_MEMORY = Column(
    "self_cpu_memory_bytes", "int64", "bytes", "The same without the ops in it: PyTorch's `Self CPU Mem`."
)
DEVICE_MEMORY = Column(
    "device_memory_bytes",
    "int64",
    "bytes",
    "Device memory that its calls on the host, and what they called, allocated less what these freed: PyTorch's "
    "`CUDA Mem`.",
)
SELF_DEVICE_MEMORY = Column(
    "self_device_memory_bytes", "int64", "bytes", "The same without the ops in it: PyTorch's `Self CUDA Mem`."
)
MEMORY = (CPU_MEMORY, SELF_CPU_MEMORY, DEVICE_MEMORY, SELF_DEVICE_MEMORY)

OUTSIDE = (
    Column(
        "outside_cpu_memory_bytes",
        "int64",
        "bytes",
        "Host memory allocated less that freed outside of all ops: with their self memory the change over the capture.",
    ),
    Column("outside_device_memory_bytes", "int64", "bytes", "The same of device memory."),
)


class OpMemory(NamedTuple):
    """Bytes allocated less bytes freed, in calls of an op and (self) in no op within them."""

    cpu: int
    self_cpu: int
    device: int
    self_device: int

    def plus(self, other: OpMemory) -> OpMemory:
        return OpMemory(*map(sum, zip(self, other, strict=True)))

    def cells(self) -> tuple[int | None, ...]:
        """In the order of `MEMORY`."""
        return tuple(told(size) for size in self)


def told(size: int) -> int | None:
    return size if abs(size) < _MAX else None


def of_ops(memory: CallMemory, ops: Ops) -> dict[int, OpMemory]:
    """By index of op, of those that ran on the host."""
    op, n = ops.host.op, len(ops.ops)
    (cpu, device), (self_cpu, self_device) = memory.total, memory.own
    sums = [np.bincount(op, weights=part, minlength=n) for part in (cpu, self_cpu, device, self_device)]
    present = np.unique(op).tolist()
    return {i: OpMemory(*(int(part[i]) for part in sums)) for i in present}
