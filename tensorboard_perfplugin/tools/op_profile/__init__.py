"""Timelines → the time of XLA's instructions as a tree, with what each part of it reached of the devices' peaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...advice.finding import worst_first
from ...advice.rules.programs import instruction_findings, op_profile_findings, program_findings
from ...analysis.ops.rows import ranked
from ...analysis.programs.profile import WAYS, Fused, InstructionSide, Node, fused, preorder, tree
from ...analysis.programs.table import (
    InstructionFacts,
    InstructionTable,
    chosen_program,
    hosts_that_show,
    instruction_table,
    merged_instructions,
)
from ...tables import LIMIT, Option, Options, Scalar, row_limit, tabulate
from ...timeline.names.ops import Op
from ...timeline.timeline import Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from ..shared.programs import PROGRAMS, XLA, no_instruction, program_cells
from .columns import PROFILE, SUMMARY, ProfileRow


class Partial(NamedTuple):
    """One host's instructions, and what the largest fusions among them run."""

    table: InstructionTable
    fused: dict[Op, tuple[Fused, ...]]


def per_host(timeline: Timeline, options: Options) -> Partial:
    table = instruction_table(timeline, row_limit(options))
    return Partial(table, fused(timeline, table.facts))


def combine(parts: Sequence[Partial], options: Options) -> Result:
    table = merged_instructions([part.table for part in parts])
    shown = hosts_that_show([part.table.programs for part in parts])
    inside = {op: of for i, part in enumerate(parts) for op, of in part.fused.items() if shown[op.module] == i}
    side = _side(table, options)
    nodes = tree(side, str(options["by"]))
    idle_ps = float(table.idle_ps) if options["idle"] and side.side == "device" else 0.0
    order = preorder(nodes, row_limit(options))
    whole_ps = nodes[0].self_ps + idle_ps
    rows = _rows(side, nodes, order, inside, whole_ps)
    if idle_ps:
        rows.append(ProfileRow(side.side, -1, 0, "idle", "IDLE", "IDLE", whole_ps, self_ps=idle_ps))
    tables = {"profile": tabulate(PROFILE.columns, rows), "programs": program_cells(table.programs)}
    summary, unknown = _summary(side, table, nodes[0])
    count = len(nodes) - 1 + len(rows) - len(order)
    findings = (
        *program_findings(table.programs, str(options["program"])),
        *worst_first((*op_profile_findings(side, nodes), *instruction_findings(side))),
    )
    return Result({"profile_rows": count, **summary}, tables, unknown, findings)


def _side(table: InstructionTable, options: Options) -> InstructionSide:
    """Of devices; where no instruction ran there, of hosts."""
    program = chosen_program(table.programs, str(options["program"])) if options["program"] else ""
    for name in ("device", "host"):
        rows = [(op, row) for op, row in ranked(table.rows, name) if not program or op.module == program]
        if rows:
            return InstructionSide(name, rows, table.facts, table.padded)
    return InstructionSide("device", [], table.facts)


def _rows(
    side: InstructionSide,
    nodes: Sequence[Node],
    order: Sequence[int],
    inside: dict[Op, tuple[Fused, ...]],
    whole_ps: float,
) -> list[ProfileRow]:
    rows: list[ProfileRow] = []
    place: dict[int, int] = {}
    for i in order:
        place[i] = len(rows)
        rows.append(_node(side, nodes[i], place.get(nodes[i].parent, -1), whole_ps))
        if op := nodes[i].op:
            rows += [_part(side, one, op, nodes[i], place[i], whole_ps) for one in inside.get(op, ())]
    return rows


def _node(side: InstructionSide, node: Node, parent: int, whole_ps: float) -> ProfileRow:
    op = node.op
    return ProfileRow(
        *(side.side, parent, node.depth, node.kind, node.name, node.path, whole_ps, node),
        *((op.module, op.name, op.type) if op else ("", "", "")),
        self_ps=node.self_ps,
        flops=node.use.flops,
        facts=side.facts_of(op) if op else InstructionFacts(),
        padding=node.padding,
    )


def _part(side: InstructionSide, one: Fused, op: Op, fusion: Node, parent: int, whole_ps: float) -> ProfileRow:
    """What a fusion runs: not timed by itself."""
    return ProfileRow(
        *(side.side, parent, fusion.depth + 1, "fused", one.name, f"{fusion.path} › {one.name}", whole_ps),
        program=op.module,
        instruction=one.name,
        category=one.opcode,
        flops=one.flops,
        facts=InstructionFacts(expression=one.expression, defined=True),
    )


def _summary(side: InstructionSide, table: InstructionTable, whole: Node) -> tuple[dict[str, Scalar], dict[str, str]]:
    on_device = side.side == "device" and bool(table.devices)
    wasted = whole.wasted_ps
    summary: dict[str, Scalar] = {
        "shown_side": side.side,
        "self_ms": whole.self_ps / PS_PER_MS,
        "idle_ms": table.idle_ps / PS_PER_MS if on_device else None,
        "wasted_ms": None if wasted is None else wasted / PS_PER_MS,
        "flop_share": whole.flop_share,
        "memory_share": whole.memory_share,
    }
    unknown = {name: NO_RATE if on_device else NO_DEVICE for name, value in summary.items() if value is None}
    return summary, unknown


NO_DEVICE = "no instruction of this capture ran on a GPU or TPU: the peak rates of hosts are not known"
NO_RATE = "FLOPs, bytes or the peak rates of the devices are not known, or contradict each other"

OP_PROFILE = Tool(
    name="op_profile",
    title="Op profile",
    question="Which parts of XLA's programs take the time, and how well do they use the device?",
    help="The time of XLA's instructions as a tree by program, category, scope or source, with what each part wastes.",
    summary=SUMMARY,
    tables=(PROFILE, PROGRAMS),
    views=(
        View("facts"),
        View("tree", table="profile", label="name"),
    ),
    per_host=per_host,
    combine=combine,
    missing=no_instruction,
    options=(
        Option(
            "by",
            "text",
            "program",
            "What instructions lie in: `program` and category; `category`; `scope` of the framework's names; "
            "`provenance`: program, scope and category; `source`: file and line.",
            WAYS,
        ),
        Option("program", "text", "", "Only instructions of this program: its name, its id, or its module's name."),
        Option("idle", "flag", False, "Give a row for the time in which devices ran nothing, and shares of all time."),
        LIMIT,
    ),
    group=XLA,
)
