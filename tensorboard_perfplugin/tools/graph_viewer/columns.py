"""The declared scalars, options and tables of the graph viewer."""

from __future__ import annotations

from ...analysis.programs.graph import MOST_MATCHES, MOST_NEAR
from ...tables import Column, Option, TableSpec

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

_NAME = Column.text("name", "The instruction's name.")
_OPCODE = Column.text("opcode", "What it does, in XLA's words: `dot`, `fusion`, `copy-start`.")
_CATEGORY = Column.text("category", "Its category, as the profiler recorded it, or else as XLA's own profiles call it.")
_SHAPE = Column.text("shape", "Shape of its result: element type, dimensions and, in braces, the layout.")
_OP = Column.text("op", "The framework's op that it comes from; of a fusion without one that of what it runs.")
_SOURCE = Column.text("source", "File and line of the user's program.")
_COMPUTATION = Column.text("computation", "The computation that it is part of.")
_SELF = Column.us(
    "self_us", "Its self time in the capture, on all devices and hosts; unknown where no event is this instruction."
)
_SHARE = Column.share("program_share", "That ÷ the self time of all instructions of the program.")
_EXECUTIONS = Column.count("executions", "How often it ran, on all devices and hosts; unknown where no event is it.")
_EXPRESSION = Column.text("expression", "The instruction in XLA's syntax; long ones are cut.")
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
        Column.integer("parent", "Row of the opened instruction that it is shown in; -1 of the others."),
        _NAME,
        _OPCODE,
        _CATEGORY,
        _SHAPE,
        _OP,
        _SOURCE,
        _COMPUTATION,
        *_TIMES,
        Column.count("distance", "Steps to the chosen one; of what is in an opened one, the steps to that."),
        Column.flag("is_root", "Whether it is its computation's result."),
        Column.flag("is_open", "Whether the instructions that it runs are shown."),
        Column.flag("can_open", "Whether it runs others that could be shown."),
        Column.text("calls", "The computations that it calls."),
        Column.count("operands", "Distinct operands."),
        Column.count("users", "Instructions that take its result."),
        Column.count("hidden_operands", "Operands that are not shown."),
        Column.count("hidden_users", "Users that are not shown."),
        _EXPRESSION,
    ),
)

EDGES = TableSpec(
    "edges",
    "Operands between them",
    "A row is an operand: from the instruction that computes it to the one that takes it. Those of an opened one lead "
    "to its parameters, and from its result.",
    (
        Column.text("from", "The instruction that computes it."),
        Column.text("to", "The instruction that takes it."),
        Column.integer("operand", "Which operand it is, from 0."),
        Column.text("shape", "Its shape and layout."),
        Column.integer("from_row", "Row of the first in the table of instructions."),
        Column.integer("to_row", "Row of the second."),
    ),
)

_THROUGH = Column.text("through", "What only hands it on between them: `get-tuple-element` and `bitcast`, by name.")
OPERANDS = TableSpec(
    "operands",
    "Operands",
    f"A row is an operand of the chosen instruction, at most {MOST_NEAR}; what only hands one on is looked through.",
    (Column.integer("operand", "Which one, from 0."), _NAME, _OPCODE, _SHAPE, _OP, _SOURCE, *_TIMES, _THROUGH),
)
USERS = TableSpec(
    "users",
    "Users",
    f"A row is an instruction that takes the result of the chosen one, at most {MOST_NEAR}; what only hands it on is "
    "looked through.",
    (_NAME, _OPCODE, Column.integer("operand", "As which operand, from 0."), _SHAPE, _OP, _SOURCE, *_TIMES, _THROUGH),
)
MATCHES = TableSpec(
    "matches",
    "Found instructions",
    f"A row is an instruction that the search finds, at most {MOST_MATCHES}: a whole name, then most time first.",
    (_NAME, _OPCODE, _CATEGORY, _SHAPE, _OP, _SOURCE, _COMPUTATION, *_TIMES),
    key=("name",),
)
