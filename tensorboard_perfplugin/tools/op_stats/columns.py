"""What `op_stats` gives beside the tables of ops and types, declared: its summary and the tree of scopes."""

from __future__ import annotations

from typing import NamedTuple

from ...tables import Column, TableSpec, all_rows
from ...timeline.ops.pytorch import ModuleCalls
from ...units import PS_PER_US
from ..shared import DEVICE_IDLE, DEVICE_IDLE_SHARE, HOST_OP_TIME, PEAK_GB_S, PEAK_TFLOPS
from ..shared.ops import SIDE

OUTSIDE = (
    Column.bytes(
        "outside_cpu_memory_bytes",
        "Host memory allocated less that freed outside of all ops: with their self memory the change over the capture.",
    ),
    Column.bytes("outside_device_memory_bytes", "The same of device memory."),
)
SUMMARY = (
    all_rows("ops"),
    all_rows("types"),
    all_rows("scopes"),
    Column.count("device_op_rows", "Different ops that ran on devices."),
    Column.count("host_op_rows", "Different ops that ran on hosts."),
    Column.ms("device_self_ms", "Self time of all device ops: the time in which devices ran something."),
    DEVICE_IDLE,
    DEVICE_IDLE_SHARE,
    Column.ms("host_self_ms", "Self time of all host ops, summed over threads."),
    HOST_OP_TIME,
    Column.ms("host_no_op_ms", "Wall time of the captures in which no op ran on the host."),
    PEAK_TFLOPS,
    PEAK_GB_S,
    *OUTSIDE,
)


class ScopeRow(NamedTuple):
    """module: its calls, where it is one."""

    side: str
    parent: int
    depth: int
    scope: str
    name: str
    ops: int
    occurrences: int
    total_ps: float
    self_ps: float
    self_share: float | None
    module: ModuleCalls | None


SCOPES = TableSpec(
    "scopes",
    "Self time by scope",
    "A tree of the scopes that ops' names are made of, in preorder, largest self time first within each scope; an op "
    "is the last part of its name. A scope's numbers are the sums of all that lies in it. Hosts are summed.",
    (
        SIDE,
        Column.id("parent", "Row number of the scope that this one lies in, -1 for none."),
        Column.count("depth", "How many scopes it lies in."),
        Column.text("scope", "The whole path, as ops' names begin."),
        Column.text("name", "The last part of the path."),
        Column.count("ops", "Different ops in it, itself included where it is one."),
        Column.count("occurrences", "Executions of these ops."),
        Column.us("total_us", "Sum of their total times, those inside each other counted twice.", "total_ps"),
        Column.us("self_us", "Sum of their self times.", "self_ps"),
        Column.share("self_share", "Self time ÷ the self time of all ops on that side."),
        Column.count(
            "calls",
            "Calls of the `nn.Module` on the host; unknown of what is no module.",
            lambda row: row.module and row.module.calls,
        ),
        Column.us(
            "forward_us",
            "Sum of the durations of these calls, whatever they did.",
            lambda row: row.module and row.module.forward_ps / PS_PER_US,
        ),
        Column.us(
            "backward_us",
            "Wall time in which operators of its backward pass, or of a module's in it, ran on the host.",
            lambda row: row.module and row.module.backward_ps / PS_PER_US,
        ),
    ),
    count="scopes_rows",
    key=("side", "scope"),
    proved=("self_us", "total_us"),
)
