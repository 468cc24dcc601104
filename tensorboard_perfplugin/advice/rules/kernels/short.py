"""Durations and launches of kernels → that many run no longer than their launch takes."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.host import SHORT_KERNEL
from ....analysis.kernels.merged import Merged, kernel_totals, uses_graphs
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
    """Of those that the host launches one by one: nodes of a graph are launched together."""
    totals = kernel_totals(merged)
    share, time_share = totals.launched_short_share, totals.launched_short_time_share
    if totals.launched < MANY.value or share is None or time_share is None or share < SHORT.value:
        return
    starved = totals.starved_share is not None and totals.starved_share >= STARVED.value
    yield Finding(
        code="kernels_short",
        params={
            "share": share,
            "kernels": totals.launched,
            "limit_ps": SHORT_KERNEL.value,
            "time_share": time_share,
            "starved": starved,
            "starved_share": totals.starved_share,
            **({"graphs": True} if uses_graphs(merged) else {}),
        },
        severity="warning" if starved else "note",
        share=min(time_share, 1.0),
        tool="trace_viewer",
    )
