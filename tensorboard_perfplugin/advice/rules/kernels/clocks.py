"""Kernels and the calls that launched them → that the clocks of host and device disagree."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.merged import Merged, kernel_totals
from ....threshold import Threshold
from ...finding import Finding

MISFITS = Threshold(
    "kernels before their launch",
    0.01,
    "share",
    "of the kernels whose launch call is known; clocks that differ by microseconds misplace a few",
    "chosen on the captures of the tests and public ones",
)


def clocks_disagree(merged: Merged) -> Iterator[Finding]:
    totals = kernel_totals(merged)
    kernels = totals.misfits + totals.latencies
    if totals.misfits > MISFITS.value * kernels:
        yield Finding(code="clocks_disagree", params={"misfits": totals.misfits, "kernels": kernels})
