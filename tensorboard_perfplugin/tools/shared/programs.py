"""What the pages on XLA programs share: the choice of a program, and the table of all programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...analysis.ops.rows import representable
from ...analysis.programs.table import ProgramTime
from ...tables import Cells, Column, Option, TableSpec, tabulate
from ...timeline.ops.executions import instructions_as_ops
from ...timeline.programs.reader import programs_of
from ...timeline.timeline import Timeline

#: What the pages on XLA programs are called together.
XLA = "XLA"

PROGRAM = Option(
    "program",
    "text",
    "",
    "The XLA program: its module with its id, `jit_f(7)`, its id, or the module's name: of several programs of a "
    "name the one that took most time. Empty: the program whose instructions took most time.",
)

PROGRAM_COLUMN = Column.text("program", "The XLA program: its module's name and, in parentheses, its id.", "op.module")
INSTRUCTION = Column.text("instruction", "Name of the instruction in its program.", "op.name")
CATEGORY = Column.text(
    "category",
    "XLA's category: `loop fusion`, `convolution fusion`, `data formatting`, `non-fusion elementwise`; else the "
    "opcode.",
)
OP_NAME = Column.text("op_name", "The framework's op that it computes, by the program's metadata.", "facts.name")
SOURCE = Column.text("source", "File and line of the user's program that made the op.", "facts.source")
EXPRESSION = Column.text(
    "expression", "The instruction as XLA writes it: result, opcode, operands, with their layouts.", "facts.expression"
)

IN_GRAPH = Column.flag(
    "in_graph",
    "Whether the graph shows it: a program that the capture holds has it. Captures may name a program alone.",
    "facts.defined",
)

PADDING_SHARE = Column.share(
    "padding_share", "Part of what a TPU's matrix unit multiplies for it that is padding.", "padding.flop_share"
)
PADDING_FLOPS = Column.number(
    "padding_flops",
    "Floating-point operations of a TPU's matrix unit with padding, in all executions: of what is summed over it "
    "multiplies 128 at a time, of one other dimension 128, of the last one 8. Unknown of what fills the unit.",
    "padding.flops",
)
PADDING_BYTES = Column.bytes(
    "padding_bytes",
    "Bytes of padding that all executions read and wrote: what tiles, such as `T(8,128)` in a shape, add to the "
    "elements of operands and results. Unknown where no array is in tiles, or the capture does not hold the program.",
    lambda row: None if row.padding.bytes is None else representable(int(row.padding.bytes)),
)
PADDED_SIZES = Column.text(
    "padded_sizes",
    "What is rounded up: sizes of the product as the matrix unit multiplies them (rows × summed × columns), of arrays "
    "as tiles keep them; the array with most padding first.",
    "padding.sizes",
)

PROGRAMS = TableSpec(
    "programs",
    "XLA programs",
    "A row is an XLA program that the capture holds or names; the one that took most time first.",
    (
        Column.text("program", "The program: its module's name and, in parentheses, its id.", "program.key"),
        Column.us("self_us", "Self time of its instructions, on devices and on hosts.", "program.self_ps"),
        Column.share(
            "self_share",
            "That ÷ the self time of the instructions of all programs.",
            lambda row: row.program.self_ps / row.whole_ps if row.whole_ps else None,
        ),
        Column.count(
            "executions",
            "Executions of the instruction that ran most often, on all devices and hosts.",
            "program.executions",
        ),
        Column.count("instructions", "Distinct instructions that ran in the capture.", "program.instructions"),
        Column.bytes(
            "size_bytes", "Size of the program in the capture; 0 where the capture only names it.", "program.size_bytes"
        ),
    ),
    key=("program",),
    proved=("self_us",),
)


class _Program(NamedTuple):
    program: ProgramTime
    whole_ps: float


def program_cells(programs: Sequence[ProgramTime]) -> dict[str, Cells]:
    whole_ps = sum(one.self_ps for one in programs)
    return tabulate(PROGRAMS.columns, [_Program(one, whole_ps) for one in programs])


def no_program(timeline: Timeline) -> str | None:
    """Why a capture shows no program's definition, or None."""
    if programs_of(timeline).blobs:
        return None
    return (
        "this capture holds no XLA program: TensorFlow and JAX record those that XLA compiled and that ran while it "
        "was taken"
    )


def no_instruction(timeline: Timeline) -> str | None:
    """Why a capture shows no execution of a program's instructions, or None."""
    if any(op.module for op in instructions_as_ops(timeline).ops):
        return None
    return "no event of this capture is an instruction of an XLA program"
