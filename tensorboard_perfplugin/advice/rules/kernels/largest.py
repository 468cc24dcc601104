"""Kernels → which takes most of the GPU's time, and how many make up most of it."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels import Merged, largest_name
from ....messages import Param
from ....tables import row_text
from ....threshold import Threshold
from ....timeline import UNATTRIBUTED
from ...finding import Finding
from ..ops import op_params
from .remedies import remedy

MOST = Threshold(
    "most of the kernel time",
    0.8,
    "share",
    "the names that together take so much are those to look at; the rest is a long tail",
    "convention: 80 of 100",
)


def largest_kernel(merged: Merged) -> Iterator[Finding]:
    """The kernel by name that takes most time."""
    top = largest_name(merged, MOST.value)
    if top is None:
        return
    params: dict[str, Param] = {
        "kernel": top.first.short,
        "share": top.share,
        "total_ps": top.total_ps,
        "executions": top.executions,
        "remedy": remedy(top.first),
    }
    if top.few < top.names:
        params |= {"few": top.few, "names": top.names, "part": MOST.value}
    if top.first.op.type != UNATTRIBUTED:
        params |= op_params(top.first.op)
    yield Finding(
        code="kernel_takes_most",
        params=params,
        share=top.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.names.total_us", short_name=top.first.short),
        match="row",
    )
