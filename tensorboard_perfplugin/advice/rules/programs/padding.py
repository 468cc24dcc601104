"""The instructions of a side → how much of their time moves the padding of tiles, and the one that loses most by it."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.rows import OpRow
from ....analysis.programs.profile import InstructionSide
from ....threshold import CHOSEN, Threshold
from ....timeline.names.ops import Op
from ...finding import Finding
from .largest import instruction_row

MOVED = Threshold(
    "padding that is moved",
    0.05,
    "share",
    "of the instructions' time; less gains no more than captures differ",
    CHOSEN,
)


def padding(side: InstructionSide) -> Iterator[Finding]:
    lost = {op: _lost_ps(side, op, row) for op, row in side.rows}
    total = sum(lost.values())
    if not total or total < MOVED.value * side.self_ps:
        return
    op, row = max(side.rows, key=lambda each: lost[each[0]])
    of, facts = side.padding_of(op, row), side.facts_of(op)
    yield Finding(
        code="instructions_padded",
        params={
            "share": total / side.self_ps,
            "instruction": op.name,
            "program": op.module,
            "of_largest": lost[op] / total,
            "padding": of.share,
            "sizes": of.sizes,
            "bytes": int(of.bytes or 0),
            "op": facts.name or None,
            "source": facts.source or None,
        },
        severity="warning",
        share=min(total / side.self_ps, 1.0),
        tool="trace_viewer",
        search=instruction_row(side.side, op),
        match="row",
    )


def _lost_ps(side: InstructionSide, op: Op, row: OpRow) -> float:
    """Of what the memory bounds: the time of the padding at the peak of the bandwidth, as a part of its own at most."""
    use, of = row.use, side.padding_of(op, row)
    if use is None or use.bound_by != "HBM" or not use.could_bytes or not of.bytes or of.share is None:
        return 0.0
    return min(of.bytes / use.could_bytes * row.total_ps, row.self_ps * of.share)
