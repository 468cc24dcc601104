"""Memory that calls took and gave back → that of ops; of PyTorch's profiler with `profile_memory`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...timeline import CallMemory, Ops

#: What a column of 64 bits holds.
_MAX = 1 << 63


class OpMemory(NamedTuple):
    """Bytes allocated less bytes freed, in calls of an op and (self) in no op within them."""

    cpu: int
    self_cpu: int
    device: int
    self_device: int

    def plus(self, other: OpMemory) -> OpMemory:
        return OpMemory(*map(sum, zip(self, other, strict=True)))


def representable(size: int) -> int | None:
    """A size that a column of 64 bits holds, else None."""
    return size if abs(size) < _MAX else None


def of_ops(memory: CallMemory, ops: Ops) -> dict[int, OpMemory]:
    """By index of op, of those that ran on the host."""
    op, n = ops.host.op, len(ops.ops)
    (cpu, device), (self_cpu, self_device) = memory.total, memory.own
    sums = [np.bincount(op, weights=part, minlength=n) for part in (cpu, self_cpu, device, self_device)]
    present = np.unique(op).tolist()
    return {i: OpMemory(*(int(part[i]) for part in sums)) for i in present}
