"""Timelines → what an XLA program holds in memory at its peak, when, and what would make it less."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.rules.buffers import buffer_findings
from ...advice.rules.programs import program_findings
from ...analysis.buffers.host import HostBuffers, Shown, host_buffers
from ...analysis.programs.table import chosen_program, hosts_that_show, merged_programs
from ...tables import LIMIT, Cells, Option, Options, Scalar, evaluate, row_limit, tabulate
from ...timeline.timeline import Timeline
from ..declaration import Result, Tool, View
from ..shared.programs import PROGRAM, PROGRAMS, XLA, no_program, program_cells
from .tables import BUFFERS, CURVE, OPS, SAVINGS, SPACES, SUMMARY, tables

#: Points of the curve: twice a screen's width; more change no picture.
_POINTS, _MOST_POINTS = 4000, 1_000_000
SPACE = Option(
    "space",
    "integer",
    None,
    "Number of the memory, as in the table of memories. Not chosen: the main memory.",
    low=0,
    high=1 << 40,
)
POINTS = Option("points", "integer", _POINTS, "Rows of the curve at most.", low=1, high=_MOST_POINTS)


def per_host(timeline: Timeline, options: Options) -> HostBuffers:
    space = None if options["space"] is None else int(options["space"])
    return host_buffers(timeline, str(options["program"]), space, int(options["points"] or 1), row_limit(options))


def combine(partials: Sequence[HostBuffers], options: Options) -> Result:
    """Of several hosts that ran the program the one on which it took most time."""
    programs, asked = merged_programs([one.programs for one in partials]), str(options["program"])
    keys = {one.chosen for one in partials if one.chosen}
    chosen = chosen_program([one for one in programs if one.key in keys] or programs, asked) if programs else ""
    mine = [one for one in partials if one.chosen == chosen]
    empty = {spec.name: tabulate(spec.columns, ()) for spec in _TABLES} | {"programs": program_cells(programs)}
    with_memory = [one for one in mine if one.shown]
    shown = with_memory[hosts_that_show([one.programs for one in with_memory])[chosen]].shown if with_memory else None
    if shown is None:
        reason = next((one.reason for one in mine if one.reason), "no host holds an XLA program")
        return _without(empty, chosen, reason)
    summary = evaluate(SUMMARY, shown)
    unknown = {name: _why(shown, name) for name, value in summary.items() if value is None}
    findings = (*program_findings(programs, asked, chosen), *buffer_findings(shown))
    return Result(summary, empty | tables(shown), unknown, findings)


def _without(tables: dict[str, dict[str, Cells]], chosen: str, reason: str) -> Result:
    counts: dict[str, Scalar] = {"scheduled_instructions": 0, "curve_rows": 0, "buffer_rows": 0, "op_rows": 0}
    summary: dict[str, Scalar] = {c.name: counts.get(c.name) for c in SUMMARY}
    summary["program"] = chosen or None
    return Result(summary, tables, {name: reason for name, value in summary.items() if value is None})


def _why(shown: Shown, name: str) -> str:
    if name.startswith("device_memory"):
        return shown.no_capacity
    if shown.peak_event is None:
        return "XLA gives no heap simulation of this memory: the peak is the sum of its allocations"
    if name in ("peak_op", "peak_source"):
        return "the instruction has no such metadata"
    return "the instruction of the peak is not in the schedule"


_TABLES = (CURVE, BUFFERS, OPS, SPACES, SAVINGS, PROGRAMS)

MEMORY_VIEWER = Tool(
    name="memory_viewer",
    title="Program memory",
    question="What fills a program's memory at its peak?",
    help="Buffers of an XLA program as XLA assigned them: the peak, what is live at it, and what would make it less.",
    summary=SUMMARY,
    tables=_TABLES,
    views=(
        View("page"),
        View("facts"),
        View("lines", table="curve", label="event", values=("live_bytes", "logical_bytes")),
        View("table", table="savings"),
        View("table", table="buffers"),
        View("table", table="ops"),
        View("table", table="spaces"),
        View("table", table="programs"),
    ),
    per_host=per_host,
    combine=combine,
    in_range="whole",
    options=(PROGRAM, SPACE, POINTS, LIMIT),
    missing=no_program,
    group=XLA,
)
