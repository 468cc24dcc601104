"""Hosts without GPU work → why they have none."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.merged import Merged
from ...finding import Finding


def no_gpu_work(merged: Merged) -> Iterator[Finding]:
    """Each reason once, whatever the number of hosts."""
    for reason in dict.fromkeys(p.unavailable for p in merged.parts if p.unavailable):
        code = reason.code.partition(".")[0]
        yield Finding(code=code, params={"reason": reason}, severity="note", tool="op_stats")
