"""Timelines → the time of XLA's instructions as a tree, with what each part of it reached of the devices' peaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...advice.finding import worst_first
from ...advice.rules.programs import instruction_findings, op_profile_findings
from ...analysis.ops.rows import ranked, representable
from ...analysis.programs.profile import WAYS, Fused, InstructionSide, Node, fused, preorder, tree
from ...analysis.programs.table import InstructionTable, chosen_program, instruction_table, merged_instructions
from ...tables import LIMIT, Cells, Option, Options, Scalar, row_limit
from ...timeline.names.ops import Op
from ...timeline.timeline import Timeline
from ...units import PS_PER_MS, PS_PER_US
from ..declaration import Result, Tool, View
from ..shared.programs import PROGRAMS, XLA, no_instruction, padding_cells, program_cells
from .columns import PROFILE, SUMMARY


class Partial(NamedTuple):
    """One host's instructions, and what the largest fusions among them run."""

    table: InstructionTable
    fused: dict[Op, tuple[Fused, ...]]


def per_host(timeline: Timeline, options: Options) -> Partial:
    table = instruction_table(timeline, row_limit(options))
    return Partial(table, fused(timeline, table.facts))


def combine(parts: Sequence[Partial], options: Options) -> Result:
    table = merged_instructions([part.table for part in parts])
    inside = {op: of for part in reversed(parts) for op, of in part.fused.items()}
    side = _side(table, options)
    nodes = tree(side, str(options["by"]))
    idle_ps = float(table.idle_ps) if options["idle"] and side.side == "device" else 0.0
    order = preorder(nodes, row_limit(options))
    cells = _Cells(side, table, inside, nodes[0].self_ps + idle_ps)
    rows = cells.of(nodes, order)
    if idle_ps:
        rows.append(cells.idle(idle_ps))
    tables: dict[str, dict[str, Cells]] = {
        "profile": {column.name: [row[i] for row in rows] for i, column in enumerate(PROFILE.columns)},
        "programs": program_cells(table.programs),
    }
    summary, unknown = _summary(side, table, nodes[0])
    count = len(nodes) - 1 + len(rows) - len(order)
    findings = worst_first((*op_profile_findings(side, nodes), *instruction_findings(side)))
    return Result({"profile_rows": count, **summary}, tables, unknown, findings)


def _side(table: InstructionTable, options: Options) -> InstructionSide:
    """Of devices; where no instruction ran there, of hosts."""
    program = chosen_program(table.programs, str(options["program"])) if options["program"] else ""
    for name in ("device", "host"):
        rows = [(op, row) for op, row in ranked(table.rows, name) if not program or op.module == program]
        if rows:
            return InstructionSide(name, rows, table.facts, table.padded)
    return InstructionSide("device", [], table.facts)


class _Cells:
    """The rows of the table."""

    def __init__(
        self, side: InstructionSide, table: InstructionTable, inside: dict[Op, tuple[Fused, ...]], whole_ps: float
    ) -> None:
        self._side, self._table, self._inside, self._whole = side, table, inside, whole_ps

    def of(self, nodes: Sequence[Node], order: Sequence[int]) -> list[tuple[Scalar, ...]]:
        rows: list[tuple[Scalar, ...]] = []
        place: dict[int, int] = {}
        for i in order:
            place[i] = len(rows)
            rows.append(self._node(nodes[i], place.get(nodes[i].parent, -1)))
            if op := nodes[i].op:
                rows += [self._part(one, op, nodes[i], place[i]) for one in self._inside.get(op, ())]
        return rows

    def _share(self, ps: float | None) -> float | None:
        return ps / self._whole if ps is not None and self._whole else None

    def _node(self, node: Node, parent: int) -> tuple[Scalar, ...]:
        op, wasted = node.op, node.wasted_ps
        return (
            *(self._side.side, parent, node.depth, node.kind, node.name, node.path),
            *((op.module, op.name, op.type) if op else ("", "", "")),
            *(node.self_ps / PS_PER_US, self._share(node.self_ps), node.flop_share, node.memory_share),
            *(None if wasted is None else wasted / PS_PER_US, self._share(wasted)),
            *(node.occurrences, node.instructions, node.use.flops),
            None if node.use.bytes is None else representable(int(node.use.bytes)),
            *padding_cells(node.padding),
            node.padding.sizes,
            *self._facts(op),
        )

    def _facts(self, op: Op | None) -> tuple[Scalar, ...]:
        if op is None:
            return ("",) * 5
        facts = self._side.facts_of(op)
        return facts.name, facts.source, ", ".join(facts.operands), ", ".join(facts.users), facts.expression

    def _part(self, one: Fused, op: Op, fusion: Node, parent: int) -> tuple[Scalar, ...]:
        """What a fusion runs: not timed by itself."""
        return (
            *(self._side.side, parent, fusion.depth + 1, "fused", one.name, f"{fusion.path} › {one.name}"),
            *(op.module, one.name, one.opcode, None, None, None, None, None, None, None, None),
            *(one.flops, *(None,) * 4, "", "", "", "", "", one.expression),
        )

    def idle(self, idle_ps: float) -> tuple[Scalar, ...]:
        none: tuple[Scalar, ...] = (None,) * 11
        return (
            *(self._side.side, -1, 0, "idle", "IDLE", "IDLE", "", "", ""),
            *(idle_ps / PS_PER_US, self._share(idle_ps), *none, "", "", "", "", "", ""),
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
