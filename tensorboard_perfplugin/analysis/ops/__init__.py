"""Ops of hosts and devices: executions, times, FLOPs, bytes, memory, and kernels of no op."""

from .eager import EagerTime, is_of_model
from .kernels import OpKernel, OpsOfKernels, largest_kernels, op_kernels, ops_of_kernels, together
from .memory import OpMemory, representable
from .padding import Padded, Product, padded, padded_as
from .paths import ends, lies_in
from .recorded import RecordedOp, recorded_ops
from .rows import (
    IDLE,
    PS_PER_MS,
    PS_PER_US,
    SIDES,
    Key,
    Listed,
    OpRow,
    OpTable,
    aggregated_rows,
    called,
    has_ops,
    host_self_ps,
    merged,
    op_table,
    ranked,
    sum_of,
    sums_only,
)
from .sides import OpSide, op_sides
from .unattributed import UnattributedTime
from .use import OpUse
from .used import device_use, host_use

__all__ = [
    "IDLE",
    "PS_PER_MS",
    "PS_PER_US",
    "SIDES",
    "EagerTime",
    "Key",
    "Listed",
    "OpKernel",
    "OpMemory",
    "OpRow",
    "OpSide",
    "OpTable",
    "OpUse",
    "OpsOfKernels",
    "Padded",
    "Product",
    "RecordedOp",
    "UnattributedTime",
    "aggregated_rows",
    "called",
    "device_use",
    "ends",
    "has_ops",
    "host_self_ps",
    "host_use",
    "is_of_model",
    "largest_kernels",
    "lies_in",
    "merged",
    "op_kernels",
    "op_sides",
    "op_table",
    "ops_of_kernels",
    "padded",
    "padded_as",
    "ranked",
    "recorded_ops",
    "representable",
    "sum_of",
    "sums_only",
    "together",
]
