"""Rules on ops: which take the time of hosts and devices, and what makes them cheaper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ....analysis.ops.rows import Listed, UnattributedTime
from ....analysis.ops.sides import OpKernel, OpSide, op_sides
from ....timeline.names.ops import Op
from ...finding import Finding, by_severity, worst_first
from .eager import eager
from .largest import largest_op
from .padding import LOST, padding
from .remedies import FAR, NEAR, Around, remedy
from .roofline import impossible, roofline, tensor_cores
from .sides import ONE_OP, op_params
from .small import small_ops
from .unattributed import unattributed
from .waiting import waiting

__all__ = ["FAR", "LOST", "NEAR", "RULES", "Around", "op_findings", "op_params", "padding", "remedy"]

#: Of equal severity and share the earlier rule's finding comes first.
RULES: tuple[Callable[[OpSide], Iterator[Finding]], ...] = (
    largest_op,
    waiting,
    small_ops,
    roofline,
    impossible,
    tensor_cores,
    eager,
    unattributed,
)


def op_findings(
    parts: Sequence[Listed],
    without_op: Sequence[UnattributedTime] = (),
    graphs: bool = False,
    kernels: Mapping[Op, OpKernel] | None = None,
) -> tuple[Finding, ...]:
    """Of parts that sum up the hosts: what can be changed before what takes most, of devices before hosts. without_op:
    time of kernels, by host; graphs: whether a program launches graphs; kernels: of ops on GPUs the largest ones.
    """
    sides = op_sides(parts, without_op, ONE_OP.value, graphs, kernels)
    of_sides = (by_severity(finding for rule in RULES for finding in rule(side)) for side in sides)
    findings = worst_first(finding for of_side in of_sides for finding in of_side)
    return findings or (Finding(code="no_ops", severity="note", tool="trace_viewer"),)
