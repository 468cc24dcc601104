"""Timelines → one XLA program as a graph around one of its instructions, with what each took."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.rules.programs import program_findings
from ...analysis.programs.graph import HostView, host_view, whole_view
from ...tables import Options
from ...timeline.timeline import Timeline
from ..declaration import Result, Tool, View
from ..shared.programs import PROGRAM, PROGRAMS, XLA, no_program
from .tables import (
    EDGES,
    FUSIONS,
    INSTRUCTION,
    MATCHES,
    NODES,
    NODES_TABLE,
    OPEN,
    OPERANDS,
    RADIUS,
    SEARCH,
    SUMMARY,
    USERS,
    summary,
    tables,
)


def per_host(timeline: Timeline, options: Options) -> HostView:
    return host_view(timeline, options)


def combine(partials: Sequence[HostView], options: Options) -> Result:
    whole = whole_view(partials, str(options["program"]))
    scalars, unknown = summary(whole)
    return Result(scalars, tables(whole), unknown, program_findings(whole.programs, str(options["program"]), whole.key))


GRAPH_VIEWER = Tool(
    name="graph_viewer",
    title="HLO graph",
    question="What does an instruction of an XLA program read, and what uses its result?",
    help="An XLA program as a graph around one instruction: operands, users, fusions opened, and the time of each.",
    summary=SUMMARY,
    tables=(NODES_TABLE, EDGES, OPERANDS, USERS, MATCHES, PROGRAMS),
    views=(
        View("facts"),
        View("table", table="operands"),
        View("table", table="users"),
        View("table", table="nodes"),
        View("table", table="matches"),
        View("table", table="programs"),
    ),
    per_host=per_host,
    combine=combine,
    in_range="whole",
    options=(PROGRAM, INSTRUCTION, RADIUS, NODES, FUSIONS, OPEN, SEARCH),
    aliases=("hlo_graph",),
    missing=no_program,
    group=XLA,
)
