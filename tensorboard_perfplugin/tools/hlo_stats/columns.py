"""What `hlo_stats` gives, declared."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from ...analysis.ops.rows import representable
from ...analysis.programs.table import InstructionFacts, MemoryBytes, Padding
from ...tables import Column, TableSpec, all_rows
from ..shared import DEVICE_IDLE, FLOP_SHARE, MEMORY_SHARE
from ..shared.ops import (
    BANDWIDTH,
    BOUND_BY,
    BYTES,
    FLOP_RATE,
    INTENSITY,
    KERNELS,
    MODEL_FLOP_RATE,
    ROOF_SHARE,
    SIDE,
    OpLine,
)
from ..shared.programs import (
    CATEGORY,
    EXPRESSION,
    IN_GRAPH,
    INSTRUCTION,
    OP_NAME,
    PADDED_SIZES,
    PADDING_BYTES,
    PADDING_FLOPS,
    PADDING_SHARE,
    PROGRAM_COLUMN,
    SOURCE,
)


@dataclasses.dataclass(eq=False)
class InstructionLine(OpLine):
    """stall_ps: in which DMA held it up, moved: bytes beside the main memory's; None where a capture does not say."""

    facts: InstructionFacts
    padding: Padding
    stall_ps: float | None
    moved: MemoryBytes | None

    @property
    def category(self) -> str:
        return self.op.type

    @property
    def hbm_bytes(self) -> int | None:
        use = self.row.use
        return representable(int(use.hbm_bytes)) if use and use.hbm_bytes is not None else None

    @property
    def stall_share(self) -> float | None:
        if self.stall_ps is None or not self.row.total_ps:
            return None
        return min(self.stall_ps / self.row.total_ps, 1.0)


class CategoryLine(NamedTuple):
    side: str
    category: str
    instructions: int
    occurrences: int
    self_ps: float
    self_share: float | None


SELF_SHARE = Column.share("self_share", "Self time ÷ the self time of all instructions on that side.")

INSTRUCTIONS = TableSpec(
    "instructions",
    "Instructions",
    "A row is an instruction of an XLA program on one side, largest self time first, devices before hosts; hosts are "
    "summed.",
    (
        SIDE,
        Column.id("rank", "Place by self time among the rows of its side."),
        INSTRUCTION,
        PROGRAM_COLUMN,
        CATEGORY,
        OP_NAME,
        Column.text("op_type", "Type of that op, where the framework has types.", "facts.type"),
        SOURCE,
        Column.count(
            "occurrences", "Executions; several kernels that one execution runs count as one.", "row.occurrences"
        ),
        KERNELS,
        Column.us("total_us", "Sum of the durations of its events, with what runs inside of it.", "row.total_ps"),
        Column.us("average_us", "Total time ÷ occurrences.", lambda line: line.average_us(line.row.total_ps)),
        Column.us(
            "self_us",
            "Time that belongs to this instruction alone: without the instructions inside of it, and of streams that "
            "run at once an equal part each. With the time of all else it adds up to the devices' busy time.",
            "row.self_ps",
        ),
        Column.us("self_average_us", "Self time ÷ occurrences.", lambda line: line.average_us(line.row.self_ps)),
        SELF_SHARE,
        Column.share("cumulative_share", "Sum of the shares down to this row, on that side."),
        FLOP_RATE,
        MODEL_FLOP_RATE,
        BYTES,
        BANDWIDTH,
        Column.bytes("hbm_bytes", "The part of the bytes that went to and from the device's main memory."),
        Column.bytes(
            "vmem_bytes",
            "The part to and from a TPU's VMEM, the vector memory on the chip.",
            lambda line: line.moved and representable(line.moved.vmem),
        ),
        Column.bytes(
            "cmem_bytes",
            "The part to and from a TPU's CMEM, the larger memory on the chip of a v4.",
            lambda line: line.moved and representable(line.moved.cmem),
        ),
        Column.bytes(
            "other_bytes",
            "The part that a TPU's capture counts in none of these: memory of the host (`S(5)` in the shapes), or one "
            "that the capture does not name.",
            lambda line: line.moved and representable(line.moved.other),
        ),
        INTENSITY,
        BOUND_BY,
        ROOF_SHARE,
        Column.share("stall_share", "Part of the total time in which DMA held it up, as a TPU's capture says."),
        PADDING_SHARE,
        PADDING_FLOPS,
        PADDING_BYTES,
        Column.share(
            "padding_bytes_share", "Padding ÷ all bytes that it reads and writes, padding included.", "padding.share"
        ),
        PADDED_SIZES,
        Column.flag(
            "rematerialized",
            "Whether XLA computes it again instead of keeping its result in memory.",
            "facts.rematerialized",
        ),
        Column.flag(
            "outside", "Whether it moves data to or from the host in the middle of the program.", "facts.outside"
        ),
        Column.text(
            "autotuned",
            "The configuration that XLA chose by trying: tiles, warps, number of an algorithm.",
            "facts.autotuned",
        ),
        IN_GRAPH,
        EXPRESSION,
    ),
    key=("side", "program", "instruction"),
    proved=("self_us", "total_us"),
)

CATEGORIES = TableSpec(
    "categories",
    "Self time by category",
    "A row is a category of instructions on one side, largest self time first, devices before hosts.",
    (
        SIDE,
        CATEGORY,
        Column.count("instructions", "Distinct instructions of it that ran."),
        Column.count("occurrences", "Executions of these."),
        Column.us("self_us", "Their self time.", "self_ps"),
        SELF_SHARE,
    ),
    key=("side", "category", "program"),
    proved=("self_us",),
)

SUMMARY = (
    all_rows("instructions"),
    all_rows("categories"),
    Column.count("program_count", "XLA programs of which an instruction ran."),
    Column.ms("device_instruction_ms", "Self time of all instructions on devices."),
    Column.ms("host_instruction_ms", "Self time of all instructions on hosts, summed over threads."),
    Column.ms("other_self_ms", "Self time on devices of what is no instruction: copies, kernels outside of XLA."),
    DEVICE_IDLE,
    FLOP_SHARE,
    MEMORY_SHARE,
)
