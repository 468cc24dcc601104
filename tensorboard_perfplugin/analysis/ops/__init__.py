"""Ops of hosts and devices: executions, times, FLOPs, bytes, memory, and kernels of no op."""

from .memory import MEMORY, NO_MEMORY, OUTSIDE, told
from .paths import ends, lies_in
from .recorded import RecordedOp, recorded_ops
from .rows import (
    IDLE,
    NO_HOST_OP,
    PS_PER_MS,
    PS_PER_US,
    SIDES,
    SUMS_ONLY,
    Key,
    Listed,
    OpRow,
    OpTable,
    called,
    has_ops,
    host_self_ps,
    merged,
    op_table,
    ranked,
    sums_only,
)
from .unattributed import Loose, reason

__all__ = [
    "IDLE",
    "MEMORY",
    "NO_HOST_OP",
    "NO_MEMORY",
    "OUTSIDE",
    "PS_PER_MS",
    "PS_PER_US",
    "SIDES",
    "SUMS_ONLY",
    "Key",
    "Listed",
    "Loose",
    "OpRow",
    "OpTable",
    "RecordedOp",
    "called",
    "ends",
    "has_ops",
    "host_self_ps",
    "lies_in",
    "merged",
    "op_table",
    "ranked",
    "reason",
    "recorded_ops",
    "sums_only",
    "told",
]
