"""The rows of ops → what they mean."""

from __future__ import annotations

from ._op_rows import Key, OpRow, ranked
from ._op_tables import SIDES
from ._tool import Finding, Options
from ._words import IN_WORDS, called, duration, percent

NO_OPS = "No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a device."


def findings(rows: dict[Key, OpRow], options: Options) -> tuple[Finding, ...]:
    found = []
    for side in SIDES:
        ops = ranked(rows, side) if options["side"] in ("all", side) else []
        everything = sum(row.self_ps for _, row in ops)
        if not everything:
            continue
        op, row = ops[0]
        share = row.self_ps / everything
        title = f"{called(op)} takes {percent(share)} of {side} op time: {duration(row.self_ps)}"
        title += ", only waiting" if row.wait_share == 1 else ""
        detail = f"{row.occurrences:,} execution{'s' if row.occurrences != 1 else ''}"
        found.append(Finding(title, share=share, detail=detail, tool="trace_viewer", search=op.name[:IN_WORDS]))
    if not found:
        found.append(Finding("No op is found in this capture", "note", detail=NO_OPS))
    return tuple(found)
