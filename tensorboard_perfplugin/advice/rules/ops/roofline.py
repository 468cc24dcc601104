"""The ops of a side → the first far from its roofline, the first near that of the memory, and missed tensor cores."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.rows import OpRow
from ....analysis.ops.sides import OpSide
from ....messages import Params
from ....threshold import Threshold
from ....timeline.names.ops import Op
from ....timeline.ops.executions import exchanges
from ...finding import Finding
from .remedies import FAR, NEAR
from .sides import ONE_OP, op_params, op_row

MISSED = Threshold(
    "products without tensor cores",
    0.05,
    "share",
    "of the op time of a side; less gains no more than captures of one program differ",
    "chosen on the captures of the tests and public ones",
)


def roofline(side: OpSide) -> Iterator[Finding]:
    """A collective is held up by the way between devices, of which no roofline is drawn."""
    large = [
        (op, row, roof_share)
        for op, row in side.rows
        if not row.wait_ps and not exchanges(op.type) and row.self_ps / side.self_ps >= ONE_OP.value
        for roof_share in [_roof_share(row)]
        if roof_share
    ]
    far = [each for each in large if each[2] <= FAR.value]
    near = [each for each in large if each[2] >= NEAR.value and each[1].use and each[1].use.bound_by == "HBM"]
    for code, ops in (("op_far_from_roof", far), ("op_bound_by_memory", near)):
        for op, row, roof_share in ops[:1]:
            yield _of_op(side, op, code, row.self_ps / side.self_ps, {"roof_share": roof_share})


def impossible(side: OpSide) -> Iterator[Finding]:
    """The largest op that is to have computed more than its device can; what follows from its FLOPs is withdrawn."""
    for op, row in side.rows:
        share = row.self_ps / side.self_ps
        if row.use and row.use.is_above_peak and row.use.compute_share and share >= ONE_OP.value:
            yield _of_op(side, op, "rate_above_peak.op", share, {"times": row.use.compute_share})
            return


def tensor_cores(side: OpSide) -> Iterator[Finding]:
    """The op that loses most by it."""
    missed = [(op, row.tensor_missed_self_ps / side.self_ps) for op, row in side.rows if row.use]
    op, share = max(missed, key=lambda each: each[1], default=(Op("", ""), 0.0))
    if share >= MISSED.value:
        yield _of_op(side, op, "op_without_tensor_cores", share, {})


def _roof_share(row: OpRow) -> float | None:
    return row.use.roof_share if row.use else None


def _of_op(side: OpSide, op: Op, code: str, share: float, params: Params) -> Finding:
    return Finding(
        code=code,
        params={**op_params(op), "side": side.side, "share": share, **params},
        severity="note",
        share=share,
        tool="trace_viewer",
        search=op_row(side, op),
        match="row",
    )
