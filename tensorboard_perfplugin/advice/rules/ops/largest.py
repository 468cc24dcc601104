"""The ops of a side → which takes most time, or which type does where no op stands out, and what makes it cheaper."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops import OpSide
from ....messages import Param
from ...finding import Finding
from .remedies import remedy
from .sides import ONE_OP, op_params, op_row, type_row

#: So many ops are added up.
_FIRST = 5


def largest_op(side: OpSide) -> Iterator[Finding]:
    op, row = side.rows[0]
    share = row.self_ps / side.self_ps
    only_waits = row.wait_share == 1
    if share < ONE_OP.value and not only_waits:
        yield from _largest_type(side)
        return
    params: dict[str, Param] = {
        **op_params(op),
        "side": side.side,
        "share": share,
        "self_ps": row.self_ps,
        "executions": row.occurrences,
    }
    if len(side.rows) > _FIRST:
        params |= {"first": _FIRST, "ops": len(side.rows), "first_share": side.first_ps(_FIRST) / side.self_ps}
    if only_waits:
        most, work_ps = side.works_most()
        if work_ps:
            working, works = side.rows[most]
            named, work_share = op_params(working), work_ps / side.self_ps
            params |= {"working": named["op"], "working_type": named["type"], "working_share": work_share}
            op, row = (working, works) if work_share >= ONE_OP.value else (op, row)
    yield Finding(
        code="op_takes_most.waiting" if only_waits else "op_takes_most",
        params={**params, "remedy": remedy(side, op, row)},
        share=share,
        tool="trace_viewer",
        search=op_row(side, op),
        match="row",
    )


def _largest_type(side: OpSide) -> Iterator[Finding]:
    """Where no op stands out."""
    largest = side.largest_type()
    share = side.share(largest.self_ps)
    yield Finding(
        code="op_type_takes_most",
        params={
            "type": largest.type,
            "ops": largest.ops,
            "side": side.side,
            "share": share,
            "self_ps": largest.self_ps,
            "op": largest.op.name,
            "op_share": largest.row.self_ps / side.self_ps,
            "remedy": remedy(side, largest.op, largest.row),
        },
        share=share,
        tool="trace_viewer",
        search=type_row(side, largest.type),
        match="row",
    )
