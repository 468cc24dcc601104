"""Kernels that only rearrange tensors for convolutions → a finding, where they take much of the kernel time."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.families import layout_conversions
from ....analysis.kernels.merged import Merged
from ....tables import row_text
from ....threshold import Threshold
from ...finding import Finding

_CAPTURES = "chosen on public captures"
WORTH = Threshold(
    "conversions of layout",
    0.05,
    "share",
    "of the kernel time; without them a program gains less than its captures differ",
    _CAPTURES,
)
MUCH = Threshold("many conversions of layout", 0.1, "share", "of the kernel time; less is a note", _CAPTURES)


def layouts_converted(merged: Merged) -> Iterator[Finding]:
    found = layout_conversions(merged)
    if found is None or found.share < WORTH.value:
        return
    yield Finding(
        code="layouts_converted",
        params={
            "total_ps": found.total_ps,
            "share": found.share,
            "executions": found.executions,
            "kernel": found.most,
            "kernel_ps": found.most_ps,
            **({"miopen": True} if found.by_amd else {}),
        },
        severity="warning" if found.share >= MUCH.value else "note",
        share=found.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.names.total_us", short_name=found.most),
        match="row",
    )
