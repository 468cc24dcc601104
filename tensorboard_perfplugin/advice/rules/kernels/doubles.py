"""Kernels that compute in 64-bit floats → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.families import in_doubles
from ....analysis.kernels.merged import Merged, kernel_key
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

WORTH = Threshold(
    "kernels in 64 bits",
    0.05,
    "share",
    "of the kernel time; in fewer bits they take half of it or less, and less is lost in the differences between "
    "captures",
    CHOSEN,
)
MUCH = Threshold("many kernels in 64 bits", 0.2, "share", "of the kernel time; less is a note", CHOSEN)


def computes_in_doubles(merged: Merged) -> Iterator[Finding]:
    found = in_doubles(merged)
    if found is None or found.share < WORTH.value:
        return
    yield Finding(
        code="computes_in_doubles",
        params={
            "total_ps": found.total_ps,
            "share": found.share,
            "kernel": found.longest.short,
            "kernel_ps": found.longest.total_ps,
        },
        severity="warning" if found.share >= MUCH.value else "note",
        share=found.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, found.longest.row)),
        match="row",
    )
