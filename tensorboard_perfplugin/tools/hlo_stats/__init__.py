"""Timelines → what every instruction of every XLA program cost."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.finding import worst_first
from ...advice.rules.programs import COMMAND_BUFFERS, instruction_findings, program_findings
from ...analysis.devices.peaks import at_most_1
from ...analysis.ops.rows import SIDES, OpRow, ranked
from ...analysis.programs.profile import InstructionSide
from ...analysis.programs.table import (
    InstructionFacts,
    InstructionTable,
    chosen_program,
    instruction_table,
    merged_instructions,
)
from ...tables import LIMIT, Cells, Option, Options, Scalar, row_limit, tabulate
from ...timeline.names.ops import Op
from ...timeline.timeline import Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from ..shared.ops import op_lines
from ..shared.programs import PROGRAMS, XLA, no_instruction, program_cells
from .columns import CATEGORIES, INSTRUCTIONS, SUMMARY, CategoryLine, InstructionLine

Rows = Sequence[tuple[Op, OpRow]]


def per_host(timeline: Timeline, options: Options) -> InstructionTable:
    return instruction_table(timeline, row_limit(options))


def combine(parts: Sequence[InstructionTable], options: Options) -> Result:
    table = merged_instructions(parts)
    wanted = [side for side in SIDES if options["side"] in ("all", side)]
    sides = [InstructionSide(side, _wanted(table, side, options), table.facts, table.padded) for side in wanted]
    lines = [line for side in sides for line in _lines(table, side, row_limit(options))]
    categories = [row for side in sides for row in _by_category(side)]
    tables: dict[str, dict[str, Cells]] = {
        "instructions": tabulate(INSTRUCTIONS.columns, lines),
        "categories": tabulate(CATEGORIES.columns, categories),
        "programs": program_cells(table.programs),
    }
    summary, unknown = _summary(table, {side.side: side for side in sides})
    counts = {"instructions_rows": sum(len(side.rows) for side in sides), "categories_rows": len(categories)}
    findings = [finding for side in sides for finding in instruction_findings(side)]
    buffers = list(COMMAND_BUFFERS.findings(table)) if "device" in wanted else []
    notes = program_findings(table.programs, str(options["program"]))
    return Result({**counts, **summary}, tables, unknown, (*buffers, *notes, *worst_first(findings)))


def _wanted(table: InstructionTable, side: str, options: Options) -> Rows:
    program = chosen_program(table.programs, str(options["program"])) if options["program"] else ""
    category, source = options["category"], str(options["source"])
    none = InstructionFacts()
    return [
        (op, row)
        for op, row in ranked(table.rows, side)
        if (not program or op.module == program)
        and (not category or op.type == category)
        and (not source or table.facts.get(op, none).source.startswith(source))
    ]


def _lines(table: InstructionTable, side: InstructionSide, most: int | None) -> list[InstructionLine]:
    return [
        InstructionLine(
            **vars(line),
            facts=side.facts_of(line.op),
            padding=side.padding_of(line.op, line.row),
            stall_ps=table.stall_ps.get(line.op),
            moved=table.memories.get(line.op),
        )
        for line in op_lines(side.side, side.rows, side.self_ps, most)
    ]


def _by_category(side: InstructionSide) -> list[CategoryLine]:
    sums: dict[str, list[float]] = {}
    for op, row in side.rows:
        one = sums.setdefault(op.type, [0, 0, 0.0])
        one[0] += 1
        one[1] += row.occurrences
        one[2] += row.self_ps
    whole = sum(one[2] for one in sums.values())
    order = sorted(sums, key=lambda name: (-sums[name][2], name))
    return [
        CategoryLine(side.side, name, int(count), int(times), ps, ps / whole if whole else None)
        for name in order
        for count, times, ps in [sums[name]]
    ]


def _summary(table: InstructionTable, sides: dict[str, InstructionSide]) -> tuple[dict[str, Scalar], dict[str, str]]:
    device, host = (sides.get(side) or InstructionSide(side, (), {}) for side in ("device", "host"))
    used = device.used
    has_device = bool(table.devices)
    summary: dict[str, Scalar] = {
        "program_count": len({op.module for side in (device, host) for op, _ in side.rows}),
        "device_instruction_ms": device.self_ps / PS_PER_MS,
        "host_instruction_ms": host.self_ps / PS_PER_MS,
        "other_self_ms": table.other_ps / PS_PER_MS if has_device else None,
        "device_idle_ms": table.idle_ps / PS_PER_MS if has_device else None,
        "flop_share": at_most_1(used.compute_share),
        "memory_share": at_most_1(used.memory_share),
    }
    unknown = {name: NO_DEVICE if not has_device else NO_RATE for name, value in summary.items() if value is None}
    return summary, unknown


NO_DEVICE = "no event in this capture ran on a GPU or TPU"
NO_RATE = "FLOPs, bytes or the peak rates of the devices are not known, or contradict each other"

HLO_STATS = Tool(
    name="hlo_stats",
    title="HLO table",
    question="Which instructions of XLA's programs does the time go to?",
    help="Executions, time, FLOPs and bytes of every instruction of every XLA program.",
    summary=SUMMARY,
    tables=(INSTRUCTIONS, CATEGORIES, PROGRAMS),
    views=(
        View("facts"),
        View("table", table="instructions"),
        View("table", table="categories"),
        View("table", table="programs"),
    ),
    per_host=per_host,
    combine=combine,
    missing=no_instruction,
    options=(
        Option("side", "text", "all", "Which rows to give.", ("all", "device", "host")),
        Option("program", "text", "", "Only instructions of this program: its name, its id, or its module's name."),
        Option("category", "text", "", "Only instructions of this category."),
        Option("source", "text", "", "Only instructions from this file, or this file and line, of the user's program."),
        LIMIT,
    ),
    aliases=("hlo_op_stats",),
    group=XLA,
)
