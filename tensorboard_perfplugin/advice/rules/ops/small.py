"""The ops of a side → that much of their time goes to many short executions."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.sides import OpSide
from ....threshold import Threshold
from ...finding import Finding
from .remedies import SHORT
from .sides import op_params, op_row

SMALL = Threshold(
    "small ops", 0.3, "share", "of the op time of a side; most captures show a little of it", "public captures"
)
MANY = Threshold(
    "many executions",
    100,
    "executions",
    "fewer small ones are one warm-up",
    "chosen on the captures of the tests and public ones",
)


def small_ops(side: OpSide) -> Iterator[Finding]:
    """Beside a device, host ops do little but launch kernels."""
    small = side.small(SHORT.value) if side.first else None
    if small is None:
        return
    share = side.share(small.work_ps)
    if share < SMALL.value or small.executions < MANY.value:
        return
    yield Finding(
        code=f"ops_small.{side.side}",
        params={
            **op_params(small.op),
            "side": side.side,
            "share": share,
            "executions": small.executions,
            "limit_ps": SHORT.value,
            "ops": small.ops,
            **({"graphs": True} if side.graphs else {}),
        },
        severity="note",
        share=share,
        tool="trace_viewer",
        search=op_row(side, small.op),
        match="row",
    )
