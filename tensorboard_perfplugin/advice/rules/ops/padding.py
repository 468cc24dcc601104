"""Products that TPUs pad → the time that their matrix units multiply padding, and the op that loses most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.ops.rows import OpTable
from ....analysis.ops.use import Padded
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ....timeline.names.ops import Op
from ...finding import Finding
from .sides import op_params

LOST = Threshold(
    "products with padding", 0.05, "share", "of the time of TPUs; less gains no more than captures differ", CHOSEN
)


def padding(tables: Sequence[OpTable], padded: Sequence[dict[Op, Padded]]) -> Iterator[Finding]:
    """tables, padded: by host."""
    lost: dict[Op, Padded] = {}
    for host in padded:
        for op, one in host.items():
            lost[op] = lost[op].plus(one) if op in lost else one
    busy = sum(table.busy_ps for table in tables)
    total = sum(one.lost_ps for one in lost.values())
    if not busy or total < LOST.value * busy:
        return
    op, worst = max(lost.items(), key=lambda each: each[1].lost_ps)
    rows, summed, columns = worst.product.padded
    yield Finding(
        code="product_padded",
        params={
            **op_params(op),
            "share": min(total / busy, 1.0),
            "of_op": worst.lost_ps / total,
            "rows": worst.product.rows,
            "summed": worst.product.summed,
            "columns": worst.product.columns,
            "padded_rows": rows,
            "padded_summed": summed,
            "padded_columns": columns,
            "padding": worst.product.padding_share,
        },
        severity="warning",
        share=min(total / busy, 1.0),
        tool="trace_viewer",
        search=row_text("op_stats.ops.self_us", side="device", name=op.name, type=op.type, module=op.module),
        match="row",
    )
