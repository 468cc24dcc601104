"""The ops of a side → that much of their time is only waiting."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.sides import OpSide
from ....messages import Message
from ....threshold import Threshold
from ....timeline.ops.ops import waits_for_device
from ...finding import Finding
from .sides import op_params, op_row

WAITING = Threshold(
    "waiting", 0.2, "share", "of the op time of a side; most captures show a little of it", "public captures"
)


def waiting(side: OpSide) -> Iterator[Finding]:
    """Not where the finding on the largest op says it already."""
    share, most = side.share(side.wait_ps), side.waits_most()
    if share < WAITING.value or most == 0:
        return
    op, row = side.rows[most]
    remedy = "device_wait" if waits_for_device(op) else "preparation" if side.side == "host" else "overlap"
    yield Finding(
        code="ops_wait",
        params={
            **op_params(op),
            "side": side.side,
            "share": share,
            "wait_ps": row.wait_ps,
            "remedy": Message(f"op_remedy.{remedy}"),
        },
        severity="note",
        share=share,
        tool="input_pipeline" if op.type.startswith("Dataset::") else "trace_viewer",
        search=op_row(side, op),
        match="row",
    )
