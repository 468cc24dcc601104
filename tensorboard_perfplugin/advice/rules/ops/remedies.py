"""What is known of an op → the code of what makes it cheaper, the same on every page."""

from __future__ import annotations

import re
from typing import NamedTuple

from ....analysis.ops.rows import OpRow
from ....analysis.ops.sides import OpKernel, OpSide
from ....messages import Message
from ....threshold import Threshold
from ....timeline.names.kernels import ALLOCATES
from ....timeline.names.ops import Op
from ....timeline.ops.executions import exchanges
from ....timeline.ops.ops import waits_for_device
from ....timeline.ops.pytorch import RUNTIMES
from ..kernel_families import COLLECTIVE, by_family, family_of

_CAPTURES = "chosen on the captures of the tests and public ones"
SHORT = Threshold(
    "a short kernel", 10_000_000, "ps", "launching a kernel, or running an op, costs about as much", _CAPTURES
)
NEAR = Threshold(
    "near the roofline",
    0.6,
    "share",
    "of what the device's peak allows; from here on an op can hardly be faster as it is",
    _CAPTURES,
)
FAR = Threshold(
    "far from the roofline",
    0.3,
    "share",
    "of what the device's peak allows; up to here something else holds an op up",
    _CAPTURES,
)
LONG_LAUNCH = Threshold(
    "a long launch",
    20_000_000,
    "ps",
    "a call that launches takes 2 to 10 µs, where it has neither to load the kernel nor to wait for room in the queue",
    "public captures",
)
#: What PyTorch calls the time in which a loop asks its loader for a batch.
_LOADER = "enumerate(DataLoader)#"
#: Calls of the driver that launch, and PyTorch's collectives on the host.
_LAUNCHES = re.compile(r"(?:cu|cuda|hip)\w*Launch\w*")
_GRAPH_LAUNCHES = re.compile(r"(?:cu|cuda|hip)GraphLaunch\w*")
_EXCHANGE = re.compile(r"(?:gloo|mpi|ucc|nccl|rccl|xccl|hccl):\w+")


class Around(NamedTuple):
    """What is known beside an op: its side, whether the program launches graphs, and of an op on GPUs its kernel."""

    side: str
    graphs: bool
    kernel: OpKernel | None

    @classmethod
    def of(cls, side: OpSide, op: Op) -> Around:
        return cls(side.side, side.graphs, side.kernels.get(op) if side.side == "device" else None)


def remedy(op: Op, row: OpRow, around: Around) -> Message:
    """The first that applies: by its name, its roofline, how short its kernels are, and what they are."""
    code = _by_name(op, row, around) or _by_numbers(row, around)
    if not code:
        return (by_family(around.kernel) if around.kernel else None) or Message("op_remedy.look")
    return Message(f"op_remedy.{code}", {"graphs": True} if code == "fuse" and around.graphs else {})


def _by_name(op: Op, row: OpRow, around: Around) -> str:
    """By what the op is, and whether it only waits; empty where that decides nothing."""
    on_device = around.side == "device"
    collective = around.kernel is not None and family_of(around.kernel.name) == COLLECTIVE
    cases = (
        (op.name.startswith(_LOADER), "loader"),
        (waits_for_device(op), "device_wait"),
        (ALLOCATES.fullmatch(op.name), "allocation"),
        (_GRAPH_LAUNCHES.fullmatch(op.name), "look"),
        (
            _LAUNCHES.fullmatch(op.name),
            "fuse" if row.self_ps < LONG_LAUNCH.value * row.occurrences else "long_launches",
        ),
        (op.type in RUNTIMES, "runtime"),
        (row.wait_share == 1, "overlap" if on_device else "hand_over"),
        (on_device and op.type.startswith("Memcpy"), "copy"),
        ("PyFunc" in op.type or op.type == "Dataset::Generator", "python"),
        (op.type.startswith("Dataset::"), "dataset"),
        (exchanges(op.type) or _EXCHANGE.fullmatch(op.name) or collective, "exchange"),
    )
    return next((code for applies, code in cases if applies), "")


def _by_numbers(row: OpRow, around: Around) -> str:
    """By how near it is to its roofline, and how short its kernels are; empty where that decides nothing."""
    roof_share = row.use.roof_share if row.use else None
    if row.use and roof_share is not None:
        if roof_share >= NEAR.value:
            return "near_compute" if row.use.bound_by == "Compute" else "near_memory"
        if roof_share <= FAR.value:
            return "far_from_roof"
    if around.side == "device" and row.kernels and row.total_ps / row.kernels < SHORT.value:
        return "fuse"
    return ""
