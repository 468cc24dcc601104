"""What the pages on XLA programs share: the choice of a program, and the table of all programs."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.ops.rows import representable
from ...analysis.programs.table import Padding, ProgramTime
from ...tables import Cells, Column, Option, Scalar, TableSpec
from ...timeline.ops.executions import instructions_as_ops
from ...timeline.programs.reader import programs_of
from ...timeline.timeline import Timeline

#: What the pages on XLA programs are called together.
XLA = "XLA"

PROGRAM = Option(
    "program",
    "text",
    "",
    "The XLA program: its module with its id, `jit_f(7)`, its id, or the module's name where only one program has it. "
    "Empty: the program whose instructions took most time.",
)

PROGRAM_COLUMN = Column.text("program", "The XLA program: its module's name and, in parentheses, its id.")
INSTRUCTION = Column.text("instruction", "Name of the instruction in its program.")
CATEGORY = Column.text(
    "category",
    "XLA's category: `loop fusion`, `convolution fusion`, `data formatting`, `non-fusion elementwise`; else the "
    "opcode.",
)
OP_NAME = Column.text("op_name", "The framework's op that it computes, by the program's metadata.")
SOURCE = Column.text("source", "File and line of the user's program that made the op.")
EXPRESSION = Column.text(
    "expression", "The instruction as XLA writes it: result, opcode, operands, with their layouts."
)

PADDING_SHARE = Column.share("padding_share", "Part of what a TPU's matrix unit multiplies for it that is padding.")
PADDING_FLOPS = Column.number(
    "padding_flops",
    "Floating-point operations of a TPU's matrix unit with padding, in all executions: of what is summed over it "
    "multiplies 128 at a time, of one other dimension 128, of the last one 8. Unknown of what fills the unit.",
)
PADDING_BYTES = Column.bytes(
    "padding_bytes",
    "Bytes of padding that all executions read and wrote: what tiles, such as `T(8,128)` in a shape, add to the "
    "elements of operands and results. Unknown where no array is in tiles, or the capture does not hold the program.",
)
PADDED_SIZES = Column.text(
    "padded_sizes",
    "What is rounded up: sizes of the product as the matrix unit multiplies them (rows × summed × columns), of arrays "
    "as tiles keep them; the array with most padding first.",
)

PROGRAMS = TableSpec(
    "programs",
    "XLA programs",
    "A row is an XLA program that the capture holds or names; the one that took most time first.",
    (
        Column.text("program", "The program: its module's name and, in parentheses, its id."),
        Column.us("self_us", "Self time of its instructions, on devices and on hosts."),
        Column.share("self_share", "That ÷ the self time of the instructions of all programs."),
        Column.count("executions", "Executions of the instruction that ran most often, on all devices and hosts."),
        Column.count("instructions", "Distinct instructions that ran in the capture."),
        Column.bytes("size_bytes", "Size of the program in the capture; 0 where the capture only names it."),
    ),
    key=("program",),
    proved=("self_us",),
)


def program_cells(programs: Sequence[ProgramTime]) -> dict[str, Cells]:
    whole = sum(one.self_ps for one in programs)
    return {
        "program": [one.key for one in programs],
        "self_us": [one.self_ps / 1e6 for one in programs],
        "self_share": [one.self_ps / whole if whole else None for one in programs],
        "executions": [one.executions for one in programs],
        "instructions": [one.instructions for one in programs],
        "size_bytes": [one.size_bytes for one in programs],
    }


def padding_cells(padding: Padding) -> tuple[Scalar, ...]:
    """padding_share, padding_flops, padding_bytes."""
    moved = None if padding.bytes is None else representable(int(padding.bytes))
    return padding.flop_share, padding.flops, moved


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
