"""Rules on ops: which take the time of hosts and devices, and what makes them cheaper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....analysis.ops import Listed, OpSide, UnattributedTime, op_sides
from ...finding import Finding
from .eager import eager
from .largest import largest_op
from .padding import LOST, padding
from .remedies import FAR, NEAR
from .roofline import impossible, roofline, tensor_cores
from .sides import ONE_OP, op_params
from .small import small_ops
from .unattributed import unattributed
from .waiting import waiting

__all__ = ["FAR", "LOST", "NEAR", "RULES", "op_findings", "op_params", "padding"]

#: In the order of their findings, side by side, after the largest op of each side.
RULES: tuple[Callable[[OpSide], Iterator[Finding]], ...] = (
    waiting,
    small_ops,
    roofline,
    impossible,
    tensor_cores,
    eager,
    unattributed,
)


def op_findings(
    parts: Sequence[Listed], without_op: Sequence[UnattributedTime] = (), graphs: bool = False
) -> tuple[Finding, ...]:
    """Of parts that sum up the hosts: what takes most time on each side first. without_op: time of kernels, by host;
    graphs: whether a program launches graphs.
    """
    sides = op_sides(parts, without_op, ONE_OP.value, graphs)
    findings = [finding for side in sides for finding in largest_op(side)]
    findings += [finding for side in sides for rule in RULES for finding in rule(side)]
    return tuple(findings) or (Finding(code="no_ops", severity="note", tool="trace_viewer"),)
