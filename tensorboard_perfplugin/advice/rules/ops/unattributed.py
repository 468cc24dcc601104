"""Kernels that belong to no op → how much of the op time they take, and why they belong to none."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.sides import OpSide
from ....threshold import Threshold
from ....timeline.names.ops import UNATTRIBUTED
from ...finding import Finding
from .sides import type_row

WORTH = Threshold(
    "time without an op", 0.2, "share", "of the op time of a side; most captures show a little of it", "public captures"
)


def unattributed(side: OpSide) -> Iterator[Finding]:
    kernels = side.unattributed()
    share = side.share(sum(row.self_ps for _, row in kernels))
    if share < WORTH.value:
        return
    yield Finding(
        code=f"ops_unattributed.{side.cause}",
        params={"share": share, "side": side.side, "kernels": len(kernels), "kernel": kernels[0][0].name},
        severity="note",
        share=share,
        tool="trace_viewer",
        search=type_row(side, UNATTRIBUTED),
        match="row",
    )
