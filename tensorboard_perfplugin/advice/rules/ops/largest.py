"""The ops of a side → which takes most time, or which type does where no op stands out, and what makes it cheaper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ....analysis.ops.rows import OpRow
from ....analysis.ops.sides import OpSide
from ....messages import Message, Param
from ....threshold import CHOSEN, Threshold
from ....timeline.names.ops import Op
from ...finding import Finding
from .remedies import Around, remedy
from .sides import ONE_OP, op_params, op_row, type_row

AGAIN = Threshold(
    "ops that run again and again",
    2,
    "executions",
    "of the median op; where others run so often, an op that runs once is no part of what is repeated",
    CHOSEN,
)
STARTS_PS = Threshold(
    "an op that only takes memory",
    10**9,
    "ps",
    "takes some µs; one that lasts so long starts the driver, or asks it for memory, which happens once",
    "first calls of PyTorch in public captures take 2 ms and more",
)
#: So many ops are added up.
_FIRST = 5
#: Ops of PyTorch that take memory and write nothing into it.
_EMPTY = re.compile(r"aten::(?:new_)?empty(?:_\w+)?")


def largest_op(side: OpSide) -> Iterator[Finding]:
    op, row = side.rows[0]
    share = row.self_ps / side.self_ps
    only_waits = row.wait_share == 1
    if share < ONE_OP.value and not only_waits:
        yield from _largest_type(side)
        return
    if not only_waits and _is_once(side):
        yield _once(side)
        return
    params: dict[str, Param] = {**_taken(side, op, row), "executions": row.occurrences}
    if len(side.rows) > _FIRST:
        params |= {"first": _FIRST, "ops": len(side.rows), "first_share": side.first_ps(_FIRST) / side.self_ps}
    if only_waits:
        most, work_ps = side.works_most()
        if work_ps:
            working, works = side.rows[most]
            work_share = work_ps / side.self_ps
            params |= _working(working, work_share)
            op, row = (working, works) if work_share >= ONE_OP.value else (op, row)
    yield Finding(
        code="op_takes_most.waiting" if only_waits else "op_takes_most",
        params={**params, "remedy": remedy(op, row, Around.of(side, op))},
        share=share,
        tool="trace_viewer",
        search=op_row(side, op),
        match="row",
    )


def _taken(side: OpSide, op: Op, row: OpRow) -> dict[str, Param]:
    return {**op_params(op), "side": side.side, "share": row.self_ps / side.self_ps, "self_ps": row.self_ps}


def _working(op: Op, share: float) -> Mapping[str, Param]:
    named = op_params(op)
    return {"working": named["op"], "working_type": named["type"], "working_share": share}


def _is_once(side: OpSide) -> bool:
    """Whether the largest op runs once, and is none of what the program does again and again."""
    op, row = side.rows[0]
    if row.occurrences != 1:
        return False
    starts = _EMPTY.fullmatch(op.name) is not None and row.self_ps >= STARTS_PS.value
    return starts or side.median_executions() >= AGAIN.value


def _once(side: OpSide) -> Finding:
    """It, and of those that repeat and work the largest."""
    op, row = proved = side.rows[0]
    params, code = _taken(side, op, row), Message("op_remedy.once")
    repeats = (pair for pair in side.rows if pair[1].occurrences > 1 and pair[1].wait_share != 1)
    again = next(repeats, None)
    if again is not None:
        share = again[1].self_ps / side.self_ps
        params |= _working(again[0], share)
        proved, code = (again, remedy(*again, Around.of(side, again[0]))) if share >= ONE_OP.value else (proved, code)
    return Finding(
        code="op_takes_most.once",
        params={**params, "remedy": code},
        share=row.self_ps / side.self_ps,
        tool="trace_viewer",
        search=op_row(side, proved[0]),
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
            "remedy": remedy(largest.op, largest.row, Around.of(side, largest.op)),
        },
        share=share,
        tool="trace_viewer",
        search=type_row(side, largest.type),
        match="row",
    )
