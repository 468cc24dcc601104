"""One program around one instruction → options, summary and tables, each column of a table with its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...analysis.programs.graph import MOST_MATCHES, MOST_NEAR, Facts, ShownNode, WholeView
from ...analysis.programs.table import ProgramTime
from ...tables import Cells, Column, Option, Scalar, TableSpec, evaluate, tabulate
from ...units import PS_PER_US
from ..shared.programs import program_cells

NO_VIEW = "no host of this run holds an XLA program"
NOT_RUN = "no event of the capture is this instruction"
NO_TIME = "no instruction of the program took any time in the capture"


INSTRUCTION = Option(
    "instruction",
    "text",
    "",
    "The instruction in the middle, by its name, `fusion.3`. Empty: the one whose self time is the largest; where none "
    "ran, the result of the program.",
)
RADIUS = Option(
    "radius", "integer", 2, "How many steps from an operand to its user, or back, are shown around it.", low=0, high=20
)
NODES = Option("nodes", "integer", 100, "How many instructions are shown at most, the nearest first.", low=1, high=2000)
FUSIONS = Option(
    "fusions", "flag", False, "Whether fusions, calls, loops and branches show the instructions that they run."
)
OPEN = Option("open", "text", "", "Of which of these to show the instructions: names, separated by commas.")
SEARCH = Option("search", "text", "", "A part of a name, of an opcode or of a framework op: the table of matches.")

_NAME = Column.text("name", "The instruction's name.", "facts.name")
_OPCODE = Column.text("opcode", "What it does, in XLA's words: `dot`, `fusion`, `copy-start`.", "facts.opcode")
_CATEGORY = Column.text(
    "category", "Its category, as the profiler recorded it, or else as XLA's own profiles call it.", "facts.category"
)
_SHAPE = Column.text(
    "shape", "Shape of its result: element type, dimensions and, in braces, the layout.", "facts.shape"
)
_OP = Column.text(
    "op", "The framework's op that it comes from; of a fusion without one that of what it runs.", "facts.op_name"
)
_SOURCE = Column.text("source", "File and line of the user's program.", "facts.source")
_COMPUTATION = Column.text("computation", "The computation that it is part of.", "facts.computation")
_SELF = Column.us(
    "self_us",
    "Its self time in the capture, on all devices and hosts; unknown where no event is this instruction.",
    lambda row: row.ran.self_ps / PS_PER_US if row.ran else None,
)
_SHARE = Column.share(
    "program_share",
    "That ÷ the self time of all instructions of the program.",
    lambda row: row.ran.self_ps / row.total_ps if row.ran and row.total_ps else None,
)
_EXECUTIONS = Column.count(
    "executions",
    "How often it ran, on all devices and hosts; unknown where no event is it.",
    lambda row: row.ran.executions if row.ran else None,
)
_EXPRESSION = Column.text("expression", "The instruction in XLA's syntax; long ones are cut.", "facts.expression")
_TIMES = (_SELF, _SHARE, _EXECUTIONS)

SUMMARY = (
    Column.text("program", "The program that is shown; empty where there is none."),
    Column.text("instruction", "The instruction in the middle."),
    Column.text("opcode", "What it does, in XLA's words."),
    Column.text("category", "Its category."),
    Column.text("shape", "Shape and layout of its result."),
    Column.text("op", "The framework's op that it comes from."),
    Column.text("source", "File and line of the user's program."),
    Column.text("computation", "The computation that it is part of."),
    Column.text("callers", "The instructions that call this computation, the first ones; empty of the entry."),
    Column.text("expression", "The whole instruction in XLA's syntax."),
    *_TIMES,
    Column.count("instructions", "Instructions of the program, in all computations."),
    Column.flag("is_whole", "Whether all of the program was read; of a very large one its begin is."),
    Column.count("left_out", "Instructions within the radius that are not shown, as there are more than `nodes`."),
    Column.count("closed", "Fusions, calls and loops that were to be opened and hold too many instructions for it."),
    Column.count("matches_rows", "Instructions that the search finds."),
)

NODES_TABLE = TableSpec(
    "nodes",
    "Instructions around it",
    "A row is an instruction that is shown, the nearest to the chosen one first; what an opened one runs comes last.",
    (
        Column.integer(
            "parent", "Row of the opened instruction that it is shown in; -1 of the others.", "shown.cluster"
        ),
        _NAME,
        _OPCODE,
        _CATEGORY,
        _SHAPE,
        _OP,
        _SOURCE,
        _COMPUTATION,
        *_TIMES,
        Column.count(
            "distance", "Steps to the chosen one; of what is in an opened one, the steps to that.", "shown.distance"
        ),
        Column.flag("is_root", "Whether it is its computation's result.", "facts.is_root"),
        Column.flag("is_open", "Whether the instructions that it runs are shown.", "shown.is_open"),
        Column.flag("can_open", "Whether it runs others that could be shown.", "shown.can_open"),
        Column.text("calls", "The computations that it calls.", lambda row: ", ".join(row.facts.calls)),
        Column.count("operands", "Distinct operands.", "shown.operands"),
        Column.count("users", "Instructions that take its result.", "shown.users"),
        Column.count("hidden_operands", "Operands that are not shown.", "shown.hidden_operands"),
        Column.count("hidden_users", "Users that are not shown.", "shown.hidden_users"),
        _EXPRESSION,
    ),
)

EDGES = TableSpec(
    "edges",
    "Operands between them",
    "A row is an operand: from the instruction that computes it to the one that takes it. Those of an opened one lead "
    "to its parameters, and from its result.",
    (
        Column.text("from", "The instruction that computes it.", lambda edge: edge.nodes[edge.from_row].facts.name),
        Column.text("to", "The instruction that takes it.", lambda edge: edge.nodes[edge.to_row].facts.name),
        Column.integer("operand", "Which operand it is, from 0."),
        Column.text("shape", "Its shape and layout."),
        Column.integer("from_row", "Row of the first in the table of instructions."),
        Column.integer("to_row", "Row of the second."),
    ),
)

_THROUGH = Column.text(
    "through",
    "What only hands it on between them: `get-tuple-element` and `bitcast`, by name.",
    lambda row: ", ".join(row.shown.through),
)
OPERANDS = TableSpec(
    "operands",
    "Operands",
    f"A row is an operand of the chosen instruction, at most {MOST_NEAR}; what only hands one on is looked through.",
    (
        Column.integer("operand", "Which one, from 0.", "shown.operand"),
        _NAME,
        _OPCODE,
        _SHAPE,
        _OP,
        _SOURCE,
        *_TIMES,
        _THROUGH,
    ),
)
USERS = TableSpec(
    "users",
    "Users",
    f"A row is an instruction that takes the result of the chosen one, at most {MOST_NEAR}; what only hands it on is "
    "looked through.",
    (
        _NAME,
        _OPCODE,
        Column.integer("operand", "As which operand, from 0.", "shown.operand"),
        _SHAPE,
        _OP,
        _SOURCE,
        *_TIMES,
        _THROUGH,
    ),
)
MATCHES = TableSpec(
    "matches",
    "Found instructions",
    f"A row is an instruction that the search finds, at most {MOST_MATCHES}: a whole name, then most time first.",
    (_NAME, _OPCODE, _CATEGORY, _SHAPE, _OP, _SOURCE, _COMPUTATION, *_TIMES),
    key=("name",),
)


class Row(NamedTuple):
    """ran: what it took, None where no event is it. total_ps: of all instructions of the program. shown: what else the
    table shows of it.
    """

    facts: Facts
    ran: Any
    total_ps: float
    shown: Any


class Edge(NamedTuple):
    nodes: Sequence[ShownNode]
    from_row: int
    to_row: int
    operand: int
    shape: str


def summary(whole: WholeView) -> tuple[dict[str, Scalar], dict[str, str]]:
    """The scalars, and why some are not known."""
    view = whole.view
    if view is None:
        texts = ("program", "instruction", "opcode", "category", "shape", "op", "source", "computation", "callers")
        numbers = ("self_us", "program_share", "executions", "instructions", "is_whole", "left_out", "closed")
        facts: dict[str, Scalar] = {**dict.fromkeys(texts, ""), "expression": "", **dict.fromkeys(numbers)}
        return {**facts, "matches_rows": 0}, dict.fromkeys(numbers, NO_VIEW)
    one = view.chosen
    times = evaluate(_TIMES, _rows(whole, [one])[0])
    scalars: dict[str, Scalar] = {
        "program": whole.key,
        "instruction": one.name,
        "opcode": one.opcode,
        "category": one.category,
        "shape": one.shape,
        "op": one.op_name,
        "source": one.source,
        "computation": one.computation,
        "callers": ", ".join(view.callers),
        "expression": view.expression,
        **times,
        "instructions": view.instructions,
        "is_whole": view.whole,
        "left_out": view.left_out,
        "closed": view.closed,
        "matches_rows": view.match_count,
    }
    why = NOT_RUN if one.name not in whole.ran else NO_TIME
    return scalars, {name: why for name, value in times.items() if value is None}


def tables(whole: WholeView) -> dict[str, dict[str, Cells]]:
    view = whole.view
    nodes, edges, operands, users = (view.nodes, view.edges, view.operands, view.users) if view else ((), (), (), ())
    return {
        "nodes": tabulate(NODES_TABLE.columns, _rows(whole, [node.facts for node in nodes], nodes)),
        "edges": tabulate(EDGES.columns, [Edge(nodes, *edge) for edge in edges]),
        "operands": tabulate(OPERANDS.columns, _rows(whole, [one.facts for one in operands], operands)),
        "users": tabulate(USERS.columns, _rows(whole, [one.facts for one in users], users)),
        "matches": tabulate(MATCHES.columns, _rows(whole, view.matches if view else ())),
        "programs": program_cells(_listed(whole.programs)),
    }


def _listed(programs: Sequence[ProgramTime]) -> Sequence[ProgramTime]:
    """Those that can be shown first: what the capture only names comes last."""
    return sorted(programs, key=lambda one: not one.size_bytes)


def _rows(whole: WholeView, facts: Sequence[Facts], shown: Sequence[Any] = ()) -> list[Row]:
    total_ps = sum(one.self_ps for one in whole.ran.values())
    return [
        Row(one, whole.ran.get(one.name), total_ps, more)
        for one, more in zip(facts, shown or [None] * len(facts), strict=True)
    ]
