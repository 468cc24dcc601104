"""What `hlo_stats` gives, declared."""

from __future__ import annotations

from ...tables import Column, TableSpec, all_rows
from ..shared import DEVICE_IDLE, FLOP_SHARE, MEMORY_SHARE
from ..shared.ops import BANDWIDTH, BOUND_BY, BYTES, FLOP_RATE, INTENSITY, KERNELS, MODEL_FLOP_RATE, ROOF_SHARE, SIDE
from ..shared.programs import (
    CATEGORY,
    EXPRESSION,
    INSTRUCTION,
    OP_NAME,
    PADDED_SIZES,
    PADDING_BYTES,
    PADDING_FLOPS,
    PADDING_SHARE,
    PROGRAM_COLUMN,
    SOURCE,
)

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
        Column.text("op_type", "Type of that op, where the framework has types."),
        SOURCE,
        Column.count("occurrences", "Executions; several kernels that one execution runs count as one."),
        KERNELS,
        Column.us("total_us", "Sum of the durations of its events, with what runs inside of it."),
        Column.us("average_us", "Total time ÷ occurrences."),
        Column.us(
            "self_us",
            "Time that belongs to this instruction alone: without the instructions inside of it, and of streams that "
            "run at once an equal part each. With the time of all else it adds up to the devices' busy time.",
        ),
        Column.us("self_average_us", "Self time ÷ occurrences."),
        SELF_SHARE,
        Column.share("cumulative_share", "Sum of the shares down to this row, on that side."),
        FLOP_RATE,
        MODEL_FLOP_RATE,
        BYTES,
        BANDWIDTH,
        Column.bytes("hbm_bytes", "The part of the bytes that went to and from the device's main memory."),
        Column.bytes("vmem_bytes", "The part to and from a TPU's VMEM, the vector memory on the chip."),
        Column.bytes("cmem_bytes", "The part to and from a TPU's CMEM, the larger memory on the chip of a v4."),
        Column.bytes(
            "other_bytes",
            "The part that a TPU's capture counts in none of these: memory of the host (`S(5)` in the shapes), or one "
            "that the capture does not name.",
        ),
        INTENSITY,
        BOUND_BY,
        ROOF_SHARE,
        Column.share("stall_share", "Part of the total time in which DMA held it up, as a TPU's capture says."),
        PADDING_SHARE,
        PADDING_FLOPS,
        PADDING_BYTES,
        Column.share("padding_bytes_share", "Padding ÷ all bytes that it reads and writes, padding included."),
        PADDED_SIZES,
        Column.flag("rematerialized", "Whether XLA computes it again instead of keeping its result in memory."),
        Column.flag("outside", "Whether it moves data to or from the host in the middle of the program."),
        Column.text("autotuned", "The configuration that XLA chose by trying: tiles, warps, number of an algorithm."),
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
        Column.us("self_us", "Their self time."),
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
