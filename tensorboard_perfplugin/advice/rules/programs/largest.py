"""The instructions of a side → the one that takes most time, and what bounds it."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.rows import OpRow
from ....analysis.programs.profile import InstructionSide
from ....messages import Param
from ....tables import row_text
from ....timeline.names.ops import Op
from ...finding import Finding
from ..ops.remedies import FAR, NEAR


def largest_instruction(side: InstructionSide) -> Iterator[Finding]:
    op, row = side.rows[0]
    share = row.self_ps / side.self_ps
    facts = side.facts_of(op)
    params: dict[str, Param] = {
        "instruction": op.name,
        "program": op.module,
        "category": op.type,
        "side": side.side,
        "share": share,
        "self_ps": row.self_ps,
        "executions": row.occurrences,
        "op": facts.name or None,
        "source": facts.source or None,
        "roof_share": row.use.roof_share if row.use else None,
    }
    yield Finding(
        code="instruction_takes_most" + _bound(row),
        params={**params, "waiting": side.waiting_ps / side.self_ps} if row.wait_share == 1 else params,
        share=share,
        tool="trace_viewer",
        search=instruction_row(side.side, op),
        match="row",
    )


def _bound(row: OpRow) -> str:
    """What its time goes to, where that is clear."""
    if row.wait_share == 1:
        return ".waiting"
    roof_share = row.use.roof_share if row.use else None
    if row.use is None or roof_share is None:
        return ""
    if roof_share <= FAR.value:
        return ".far"
    if roof_share < NEAR.value:
        return ""
    return ".compute" if row.use.bound_by == "Compute" else ".memory"


def instruction_row(side: str, op: Op) -> str:
    """The row of the instruction, whose executions the trace shows."""
    return row_text("hlo_stats.instructions.self_us", side=side, program=op.module, instruction=op.name)
