"""Rules on XLA programs: which instructions take the time, and what XLA adds to what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...analysis.ops.rows import OpRow
from ...analysis.programs.profile import InstructionSide, Node
from ...analysis.programs.table import InstructionFacts
from ...messages import Param
from ...patterns import regex
from ...tables import row_text
from ...threshold import Threshold
from ...timeline.names.ops import Op
from ..finding import Finding
from .ops import FAR, NEAR

# The instructions of a side → the one that takes most time, and what bounds it.


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


# The instructions of a side → what costs more than what the model wants: results computed again, other layouts, ways
# to the host, and patterns that have a cheaper form.

AGAIN = Threshold(
    "results computed again", 0.05, "share", "of the instructions' time; less is what saved memory may cost"
)
FORMATTING = Threshold(
    "data formatting", 0.1, "share", "of the instructions' time; most programs move some data to another layout"
)
OUTSIDE = Threshold(
    "ways to the host", 0.05, "share", "of the instructions' time; less gains no more than captures differ"
)
POOLING = Threshold(
    "gradient of max pooling", 0.05, "share", "of the instructions' time; the forward pass of pooling takes about that"
)
RANDOM = Threshold("random numbers", 0.05, "share", "of the instructions' time; dropout alone may take less")
PIECES = Threshold(
    "slices and joins", 0.1, "share", "of the instructions' time; most programs cut and join some arrays"
)
BROADCASTS = Threshold(
    "broadcasts", 0.05, "share", "of the instructions' time; XLA computes nearly all of them where they are used"
)

_FORMATS = "data formatting"
_POOLING_TYPES = ("MaxPoolGrad", "MaxPoolGradV2", "MaxPool3DGrad")
_PIECES = ("slice", "dynamic-slice", "dynamic-update-slice", "concatenate", "pad")
_RANDOM = ("rng", "rng-bit-generator", "rng-get-and-update-state")
#: What of JAX's names, and which ops of TensorFlow, make random numbers.
_RANDOM_NAMES = frozenset({"threefry2x32", "random_bits", "random_seed", "random_wrap"})
_RANDOM_TYPES = regex(
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


# The instructions of a side → how much of their time moves the padding of tiles, and the one that loses most by it.

MOVED = Threshold(
    "padding that is moved", 0.05, "share", "of the instructions' time; less gains no more than captures differ"
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


# The tree of a side's instructions → how much of their time the device's peaks do not explain, and where most.


def wasted(side: InstructionSide, nodes: Sequence[Node]) -> Iterator[Finding]:
    """nodes: the whole first."""
    whole = nodes[0]
    lost = whole.wasted_ps
    leaves = [(node.wasted_ps, node) for node in nodes if node.op and node.wasted_ps is not None]
    if lost is None or not whole.self_ps or not leaves:
        return
    most_ps, most = max(leaves, key=lambda each: each[0] or 0.0)
    # What only waits has words of its own, and so has what no peak is known of.
    if most.op is None or most_ps is None or most.waits_ps or whole.flop_share is whole.memory_share is None:
        return
    facts = side.facts_of(most.op)
    yield Finding(
        code="instructions_below_roof",
        params={
            "share": lost / whole.self_ps,
            "wasted_ps": lost,
            "self_ps": whole.self_ps,
            "side": side.side,
            "instruction": most.op.name,
            "program": most.op.module,
            "most_ps": most_ps,
            "op": facts.name or None,
            "source": facts.source or None,
            "flop_share": whole.flop_share,
            "memory_share": whole.memory_share,
        },
        share=lost / whole.self_ps,
        tool="trace_viewer",
        search=instruction_row(side.side, most.op),
        match="row",
    )


def instruction_findings(side: InstructionSide) -> tuple[Finding, ...]:
    """Of a side on which instructions ran: the one that takes most time first."""
    return tuple(_findings(side))


def _findings(side: InstructionSide) -> Iterator[Finding]:
    if side.self_ps:
        yield from largest_instruction(side)
        yield from added(side)
        yield from padding(side)


def op_profile_findings(side: InstructionSide, nodes: Sequence[Node]) -> tuple[Finding, ...]:
    """Of the tree of these instructions, the whole first."""
    return tuple(wasted(side, nodes))
