"""The instructions of a side → what costs more than what the model wants: results computed again, other layouts, ways
to the host, and patterns that have a cheaper form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ....analysis.programs.profile import InstructionSide
from ....analysis.programs.table import InstructionFacts
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ....timeline.names.ops import Op
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
POOLING = Threshold(
    "gradient of max pooling", 0.05, "share", "of the instructions' time; the forward pass of pooling takes about that"
)
RANDOM = Threshold("random numbers", 0.05, "share", "of the instructions' time; dropout alone may take less", CHOSEN)
PIECES = Threshold(
    "slices and joins", 0.1, "share", "of the instructions' time; most programs cut and join some arrays", CHOSEN
)
BROADCASTS = Threshold(
    "broadcasts",
    0.05,
    "share",
    "of the instructions' time; XLA computes nearly all of them where they are used",
    CHOSEN,
)

_FORMATS = "data formatting"
_POOLING_TYPES = ("MaxPoolGrad", "MaxPoolGradV2", "MaxPool3DGrad")
_PIECES = ("slice", "dynamic-slice", "dynamic-update-slice", "concatenate", "pad")
_RANDOM = ("rng", "rng-bit-generator", "rng-get-and-update-state")
#: What of JAX's names, and which ops of TensorFlow, make random numbers.
_RANDOM_NAMES = frozenset({"threefry2x32", "random_bits", "random_seed", "random_wrap"})
_RANDOM_TYPES = re.compile(
    r"(Stateless|Parameterized)*(Random(Uniform|Normal|StandardNormal|Gamma|Poisson)|Truncated|Multinomial)\w*"
)
_Wanted = Callable[[Op, InstructionFacts], bool]


def _opcode(op: Op) -> str:
    """Of a fusion of one instruction, `wrapped_pad.3`, that instruction's; else the category, which is one or none."""
    wrapped = op.name.partition(".")[0].removeprefix("wrapped_")
    return wrapped.replace("_", "-") if op.name.startswith("wrapped_") else op.type


def _is_pooling_gradient(op: Op, facts: InstructionFacts) -> bool:
    last = facts.name.rpartition("/")[2]
    return op.type == "select-and-scatter" or last.startswith("select_and_scatter") or facts.type in _POOLING_TYPES


def _is_random(op: Op, facts: InstructionFacts) -> bool:
    named = not _RANDOM_NAMES.isdisjoint(facts.name.split("/"))
    return op.type in _RANDOM or named or _RANDOM_TYPES.fullmatch(facts.type) is not None


_RULES: tuple[tuple[str, Threshold[float], _Wanted], ...] = (
    ("instructions_rematerialized", AGAIN, lambda op, facts: facts.rematerialized),
    ("data_formatting", FORMATTING, lambda op, facts: op.type == _FORMATS),
    ("instructions_outside", OUTSIDE, lambda op, facts: facts.outside),
    ("instructions_max_pooling", POOLING, _is_pooling_gradient),
    ("instructions_random", RANDOM, _is_random),
    ("instructions_cut", PIECES, lambda op, facts: _opcode(op) in _PIECES),
    ("instructions_broadcast", BROADCASTS, lambda op, facts: _opcode(op) == "broadcast"),
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
