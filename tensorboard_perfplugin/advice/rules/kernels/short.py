"""Durations and launches of kernels → that many run no longer than their launch takes."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels import SHORT_KERNEL, Merged, kernel_totals
from ....threshold import Threshold
from ...finding import Finding

MANY = Threshold(
    "many kernels", 100, "kernels", "fewer say nothing of how a program launches", "chosen on the captures of the tests"
)
SHORT = Threshold(
    "short kernels", 0.5, "share", "from half of all kernels on launching sets the pace", "convention: the majority"
)
STARVED = Threshold(
    "kernels that found their stream idle",
    0.5,
    "share",
    "from half of the kernels on it is the GPU that waits for the host",
    "convention: the majority",
)


def short_kernels(merged: Merged) -> Iterator[Finding]:
    totals = kernel_totals(merged)
    if totals.kernels < MANY.value or totals.short_share is None or totals.short_time_share is None:
        return
    if totals.short_share < SHORT.value:
        return
    starved = totals.starved_share is not None and totals.starved_share >= STARVED.value
    yield Finding(
        code="kernels_short",
        params={
            "share": totals.short_share,
            "kernels": totals.kernels,
            "limit_ps": SHORT_KERNEL.value,
            "time_share": totals.short_time_share,
            "starved": starved,
            "starved_share": totals.starved_share,
        },
        severity="warning" if starved else "note",
        share=min(totals.short_time_share, 1.0),
        tool="trace_viewer",
    )
