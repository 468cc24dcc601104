"""Rules on XLA programs: which instructions take the time, and what XLA adds to what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs

from ...analysis.ops.rows import OpRow
from ...analysis.programs.profile import InstructionSide, Node
from ...analysis.programs.table import InstructionFacts, InstructionTable, ProgramTime, module_of
from ...messages import Param
from ...patterns import regex
from ...threshold import Threshold
from ...timeline.names.ops import Op
from ..finding import Finding
from ..rule import Fact, Proof, Rule, findings_of, table_row
from .ops import FAR, NEAR

# The instructions of a side → the one that takes most time, and what bounds it.


def largest_instruction(side: InstructionSide) -> Fact:
    op, row = side.rows[0]
    share = row.self_ps / side.self_ps
    params: dict[str, Param] = {
        "instruction": op.name,
        "program": op.module,
        "category": op.type,
        "side": side.side,
        "share": share,
        "self_ps": row.self_ps,
        "executions": row.occurrences,
        **_origin(side, op),
        "roof_share": row.use.roof_share if row.use else None,
        "in_graph": side.facts_of(op).defined,
    }
    if row.wait_share == 1:
        params["waiting"] = side.waiting_ps / side.self_ps
    return Fact(share, params, instruction_row(side, op), "instruction_takes_most" + _bound(row))


def _origin(side: InstructionSide, op: Op) -> dict[str, Param]:
    """Where an instruction is from, as far as the program names it."""
    facts = side.facts_of(op)
    return {"op": facts.name or None, "source": facts.source or None}


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


def instruction_row(side: InstructionSide, op: Op) -> Proof:
    """The row of the instruction, whose executions the trace shows."""
    return table_row("hlo_stats.instructions.self_us", side=side.side, program=op.module, instruction=op.name)


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
DEPTHWISE = Threshold(
    "depthwise convolutions", 0.1, "share", "of the instructions' time; less is the price of the FLOPs that they save"
)

_FORMATS = "data formatting"
_POOLING_TYPES = ("MaxPoolGrad", "MaxPoolGradV2", "MaxPool3DGrad")
_PIECES = ("slice", "dynamic-slice", "dynamic-update-slice", "concatenate", "pad")
_RANDOM = ("rng", "rng-bit-generator", "rng-get-and-update-state")
#: What of JAX's names, and which ops of TensorFlow, make random numbers.
_RANDOM_NAMES = frozenset({"threefry2x32", "random_bits", "random_seed", "random_wrap"})
#: Scopes of JAX's own functions (`jax._src.random`), whose instructions are fused under other names.
_RANDOM_SCOPE = regex(
    r"p?jit\((?:_(?:uniform|(?:truncated_|multivariate_)?normal(?:_real)?|bernoulli|gumbel|randint|rademacher|poisson|"
    r"laplace|cauchy|dirichlet)|_?(?:threefry|philox)\w*)\)"
)
_RANDOM_TYPES = regex(
    r"(Stateless|Parameterized)*(Random(Uniform|Normal|StandardNormal|Gamma|Poisson)|Truncated|Multinomial)\w*"
)


def _opcode(op: Op) -> str:
    """Of a fusion of one instruction, `wrapped_pad.3`, that instruction's; else the category, which is one or none."""
    wrapped = op.name.partition(".")[0].removeprefix("wrapped_")
    return wrapped.replace("_", "-") if op.name.startswith("wrapped_") else op.type


def _is_pooling_gradient(op: Op, facts: InstructionFacts) -> bool:
    last = facts.name.rpartition("/")[2]
    return op.type == "select-and-scatter" or last.startswith("select_and_scatter") or facts.type in _POOLING_TYPES


def _is_random(op: Op, facts: InstructionFacts) -> bool:
    scopes = facts.name.split("/")
    named = not _RANDOM_NAMES.isdisjoint(scopes) or any(map(_RANDOM_SCOPE.fullmatch, scopes))
    return op.type in _RANDOM or named or _RANDOM_TYPES.fullmatch(facts.type) is not None


def added(wanted: Callable[[Op, InstructionFacts], bool]) -> Callable[[InstructionSide], Fact | None]:
    """What the instructions that are wanted take, and the largest of them."""

    def fact(side: InstructionSide) -> Fact | None:
        rows = [(op, row) for op, row in side.rows if wanted(op, side.facts_of(op))]
        if not rows:
            return None
        largest, row = rows[0]
        share = sum(row.self_ps for _, row in rows) / side.self_ps
        params: dict[str, Param] = {
            "share": share,
            "instructions": len(rows),
            "instruction": largest.name,
            "program": largest.module,
            "of_largest": row.self_ps / side.self_ps,
            **_origin(side, largest),
        }
        return Fact(share, params, instruction_row(side, largest))

    return fact


def depthwise(side: InstructionSide) -> Fact | None:
    """What has matrix units."""
    return added(lambda op, facts: facts.depthwise)(side) if side.side == "device" else None


def data_formatting(side: InstructionSide) -> Fact | None:
    """Its category has a row."""
    fact = added(lambda op, facts: op.type == _FORMATS)(side)
    proof = table_row("hlo_stats.categories.self_us", side=side.side, category=_FORMATS)
    return fact and structs.replace(fact, proof=proof)


# The instructions of a side → how much of their time moves the padding of tiles, and the one that loses most by it.

MOVED = Threshold(
    "padding that is moved", 0.05, "share", "of the instructions' time; less gains no more than captures differ"
)


def padding(side: InstructionSide) -> Fact | None:
    lost = {op: _lost_ps(side, op, row) for op, row in side.rows}
    total = sum(lost.values())
    if not total:
        return None
    op, row = max(side.rows, key=lambda each: lost[each[0]])
    of = side.padding_of(op, row)
    params: dict[str, Param] = {
        "share": total / side.self_ps,
        "instruction": op.name,
        "program": op.module,
        "of_largest": lost[op] / total,
        "padding": of.share,
        "sizes": of.sizes,
        "bytes": int(of.bytes or 0),
        **_origin(side, op),
    }
    return Fact(total / side.self_ps, params, instruction_row(side, op))


def _lost_ps(side: InstructionSide, op: Op, row: OpRow) -> float:
    """Of what the memory bounds: the time of the padding at the peak of the bandwidth, as a part of its own at most."""
    use, of = row.use, side.padding_of(op, row)
    if use is None or use.bound_by != "HBM" or not use.could_bytes or not of.bytes or of.share is None:
        return 0.0
    return min(of.bytes / use.could_bytes * row.total_ps, row.self_ps * of.share)


# The tree of a side's instructions → how much of their time the device's peaks do not explain, and where most.


def wasted(side: InstructionSide, nodes: Sequence[Node]) -> Fact | None:
    """nodes: the whole first."""
    whole = nodes[0]
    lost = whole.wasted_ps
    leaves = [(node.wasted_ps, node) for node in nodes if node.op and node.wasted_ps is not None]
    if lost is None or not whole.self_ps or not leaves:
        return None
    most_ps, most = max(leaves, key=lambda each: each[0] or 0.0)
    # What only waits has words of its own, and so has what no peak is known of.
    if most.op is None or most_ps is None or most.waits_ps or whole.flop_share is whole.memory_share is None:
        return None
    params: dict[str, Param] = {
        "share": lost / whole.self_ps,
        "wasted_ps": lost,
        "self_ps": whole.self_ps,
        "side": side.side,
        "instruction": most.op.name,
        "program": most.op.module,
        "most_ps": most_ps,
        **_origin(side, most.op),
        "flop_share": whole.flop_share,
        "memory_share": whole.memory_share,
    }
    return Fact(lost / whole.self_ps, params, instruction_row(side, most.op))


#: The one that takes most time first.
RULES: tuple[Rule[[InstructionSide]], ...] = (
    Rule(
        tuple(f"instruction_takes_most{bound}" for bound in ("", ".waiting", ".far", ".compute", ".memory")),
        largest_instruction,
        severity="info",
        limits=(FAR, NEAR),
    ),
    Rule("instructions_rematerialized", added(lambda op, facts: facts.rematerialized), worth=AGAIN),
    Rule("data_formatting", data_formatting, worth=FORMATTING),
    Rule("instructions_outside", added(lambda op, facts: facts.outside), worth=OUTSIDE),
    Rule("instructions_max_pooling", added(_is_pooling_gradient), worth=POOLING),
    Rule("instructions_depthwise", depthwise, worth=DEPTHWISE),
    Rule("instructions_random", added(_is_random), worth=RANDOM),
    Rule("instructions_cut", added(lambda op, facts: _opcode(op) in _PIECES), worth=PIECES),
    Rule("instructions_broadcast", added(lambda op, facts: _opcode(op) == "broadcast"), worth=BROADCASTS),
    Rule("instructions_padded", padding, worth=MOVED, severity="warning"),
)
BELOW_ROOF: Rule[[InstructionSide, Sequence[Node]]] = Rule("instructions_below_roof", wasted, severity="info")


# What XLA runs as graphs, whose kernels the capture gives no instruction → how to record them one by one.

IN_BUFFERS = Threshold(
    "time in command buffers", 0.05, "share", "of the devices' time; less hides no instruction worth a look"
)


def in_command_buffers(table: InstructionTable) -> Fact | None:
    whole = table.other_ps + sum(row.self_ps for (side, _), row in table.rows.items() if side == "device")
    if not table.buffer_ps:
        return None
    share = table.buffer_ps / whole
    return Fact(share, {"share": share, "buffer_ps": table.buffer_ps})


COMMAND_BUFFERS: Rule[[InstructionTable]] = Rule(
    "instructions_in_command_buffers", in_command_buffers, worth=IN_BUFFERS, severity="warning"
)


# The programs of all hosts → that hosts have others of the same name, and which of several a module's name means.


def differing(programs: Sequence[ProgramTime], asked: str, shown: str) -> Fact | None:
    """shown: the key of the program that the page is of; empty: of all."""
    others = [one for one in programs if one.differs and shown in ("", one.key)]
    if not others:
        return None
    share = sum(one.self_ps for one in others) / sum(one.self_ps for one in programs)
    return Fact(share, {"program": others[0].key, "others": len(others) - 1 or None})


def one_of_several(programs: Sequence[ProgramTime], asked: str, shown: str) -> Fact | None:
    of_module = [one for one in programs if module_of(one.key) == asked != one.key]
    if len(of_module) < 2:
        return None
    params: dict[str, Param] = {"module": asked, "programs": len(of_module), "program": shown or of_module[0].key}
    return Fact(None, params)


PROGRAM_NOTES: tuple[Rule[[Sequence[ProgramTime], str, str]], ...] = (
    Rule("program_differs", differing),
    Rule("program_chosen", one_of_several, severity="info"),
)


def program_findings(programs: Sequence[ProgramTime], asked: str, shown: str = "") -> tuple[Finding, ...]:
    """programs: of all hosts. asked: what the user calls the program; shown: the key of what the page is of."""
    return tuple(findings_of(PROGRAM_NOTES, programs, asked, shown))


def instruction_findings(side: InstructionSide) -> tuple[Finding, ...]:
    """Of a side on which instructions ran."""
    return tuple(findings_of(RULES, side)) if side.self_ps else ()


def op_profile_findings(side: InstructionSide, nodes: Sequence[Node]) -> tuple[Finding, ...]:
    """Of the tree of these instructions, the whole first."""
    return tuple(BELOW_ROOF.findings(side, nodes))
