"""What the rules on ops share: how an op is named in a finding, and the rows that prove one."""

from __future__ import annotations

from collections.abc import Mapping

from ....analysis.ops.sides import OpSide
from ....tables import row_text
from ....threshold import Threshold
from ....timeline.names.ops import Op

ONE_OP = Threshold(
    "one op",
    0.1,
    "share",
    "of the op time of a side; making an op of less faster is lost in the differences between captures",
    "chosen on the captures of the tests and public ones",
)


def op_params(op: Op) -> Mapping[str, str | None]:
    """Its name, and its type where the name does not say it."""
    return {"op": op.name, "type": None if op.type.removeprefix("Dataset::") in op.name else op.type}


def op_row(side: OpSide, op: Op) -> str:
    """The row of the op, whose executions the trace shows."""
    return row_text("op_stats.ops.self_us", side=side.side, name=op.name, type=op.type, module=op.module, by=side.by)


def type_row(side: OpSide, type: str) -> str:
    return row_text(f"op_stats.types.{side.side}_self_us", type=type)
