"""The instructions of a side → what XLA adds to the model: results computed again, other layouts, ways to the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.programs import InstructionFacts, InstructionSide
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ....timeline import Op
from ...finding import Finding
from .largest import instruction_row

AGAIN = Threshold(
    "results computed again", 0.05, "share", "of the instructions' time; less is what saved memory may cost", CHOSEN
)
FORMATTING = Threshold(
    "data formatting", 0.1, "share", "of the instructions' time; most programs move some data to another layout", CHOSEN
)
OUTSIDE = Threshold(
    "ways to the host", 0.05, "share", "of the instructions' time; less gains no more than captures differ", CHOSEN
)

_FORMATS = "data formatting"
_Wanted = Callable[[Op, InstructionFacts], bool]
_RULES: tuple[tuple[str, Threshold[float], _Wanted], ...] = (
    ("instructions_rematerialized", AGAIN, lambda op, facts: facts.rematerialized),
    ("data_formatting", FORMATTING, lambda op, facts: op.type == _FORMATS),
    ("instructions_outside", OUTSIDE, lambda op, facts: facts.outside),
)


def added(side: InstructionSide) -> Iterator[Finding]:
    for code, most, wanted in _RULES:
        rows = [(op, row) for op, row in side.rows if wanted(op, side.facts_of(op))]
        share = sum(row.self_ps for _, row in rows) / side.self_ps
        if share < most.value or not rows:
            continue
        largest, row = rows[0]
        facts = side.facts_of(largest)
        yield Finding(
            code=code,
            params={
                "share": share,
                "instructions": len(rows),
                "instruction": largest.name,
                "program": largest.module,
                "of_largest": row.self_ps / side.self_ps,
                "op": facts.name or None,
                "source": facts.source or None,
            },
            severity="note",
            share=min(share, 1.0),
            tool="trace_viewer",
            search=row_text("hlo_stats.categories.self_us", side=side.side, category=_FORMATS)
            if code == "data_formatting"
            else instruction_row(side.side, largest),
            match="row",
        )
