"""Kernels → which takes most of the GPU's time, and how many make up most of it."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.merged import Merged, largest_name
from ....analysis.ops.sides import OpsOfKernels
from ....messages import Message, Param
from ....tables import row_text
from ....threshold import Threshold
from ....timeline.names.ops import UNATTRIBUTED, Op
from ...finding import Finding
from ..ops.remedies import Around, remedy
from ..ops.sides import op_params

MOST = Threshold(
    "most of the kernel time",
    0.8,
    "share",
    "the names that together take so much are those to look at; the rest is a long tail",
    "convention: 80 of 100",
)


def largest_kernel(merged: Merged, ops: OpsOfKernels) -> Iterator[Finding]:
    """The kernel by name that takes most time, with what makes its op cheaper. ops: of all hosts."""
    top = largest_name(merged, MOST.value)
    if top is None:
        return
    op = ops.called.get(top.first.op, top.first.op)
    params: dict[str, Param] = {
        "kernel": top.first.short,
        "share": top.share,
        "total_ps": top.total_ps,
        "executions": top.executions,
        "remedy": _remedy(op, ops),
    }
    if top.few < top.names:
        params |= {"few": top.few, "names": top.names, "part": MOST.value}
    if op.type != UNATTRIBUTED:
        params |= op_params(op)
    yield Finding(
        code="kernel_takes_most",
        params=params,
        share=top.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.names.total_us", short_name=top.first.short),
        match="row",
    )


def _remedy(op: Op, ops: OpsOfKernels) -> Message | None:
    """As the page of ops gives it; None of an op that is not among them."""
    row = ops.rows.get(("device", op))
    return None if row is None else remedy(op, row, Around("device", ops.graphs, ops.kernels.get(op)))
