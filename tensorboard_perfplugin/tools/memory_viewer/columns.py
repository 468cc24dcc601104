"""What the buffers of XLA programs are told by: summary and tables."""

from __future__ import annotations

from ...tables import Column, TableSpec

_LIVE = "Bytes that are live after the event, with all that the program holds throughout."
_LOGICAL = "The same without padding: elements alone."

CURVE = TableSpec(
    "curve",
    "Memory in program order",
    "A row is an event of XLA's heap simulation, in the order in which the program runs; of many events the one with "
    "the most bytes of each of equal stretches. The first row is what the program holds throughout.",
    (
        Column.integer("event", "Number of the event, from 0; -1 for what is held before the first."),
        Column.integer("place", "The instruction's place in the schedule; unknown of what a schedule does not have."),
        Column.text("instruction", "The instruction whose buffer it is."),
        Column.text("change", "`alloc`, `free`, `share`: takes the place of a buffer that is not needed; `held`."),
        Column.bytes("live_bytes", _LIVE),
        Column.bytes("logical_bytes", _LOGICAL),
        Column.text("op", "What the framework calls the instruction."),
    ),
)

BUFFERS = TableSpec(
    "buffers",
    "Buffers",
    "A row is a place in memory, with the buffer that has it first; those that are live at the peak come first, the "
    "largest first. Their bytes add up to the peak.",
    (
        Column.text(
            "instruction", "The instruction that makes it; of an output that of the output, which others may precede."
        ),
        Column.text("kind", "`parameter`, `output`, `temporary` or `constant`."),
        Column.bytes("bytes", "What XLA reserves for it."),
        Column.share("peak_share", "Of the peak; empty for what is not live then."),
        Column.text("shape", "As XLA writes it: type, dimensions, order of dimensions, tiles, memory."),
        Column.text("op", "What the framework calls the instruction; of a parameter the argument."),
        Column.text("source", "File and line of the user's program."),
        Column.text("first", "The first instruction of its life; what is held throughout lives from first to last."),
        Column.text("last", "The last instruction that uses it, or what takes its place."),
        Column.text(
            "saves",
            "`donate`: an output has its type and shape; `recompute`: cheap to make (broadcast, iota or element by "
            "element), idle over the peak, alive for a quarter of the program, and its inputs outlive it.",
        ),
        Column.bytes("saved_bytes", "How many bytes that would save."),
        Column.bytes("logical_bytes", "Bytes of its elements, without padding."),
        Column.bytes("padding_bytes", "What the layout adds to them: tiles and alignment."),
        Column.text("padded_sizes", "Dimensions that tiles round up, and to what: `1000×3 → 1000×128`."),
        Column.flag("at_peak", "Whether it is live at the peak."),
        Column.text("opcode", "What the instruction does."),
        Column.integer("first_place", "Place of the first instruction in the schedule."),
        Column.integer("last_place", "Place of the last one."),
        Column.count("values", "Buffers that have this place in turn."),
        Column.integer("allocation", "Number of the allocation it is in."),
        Column.bytes("offset_bytes", "Where in the allocation it begins."),
    ),
    count="buffer_rows",
    key=("instruction", "allocation", "offset_bytes"),
)

OPS = TableSpec(
    "ops",
    "Ops that hold memory at the peak",
    "A row is an op of the framework with its buffers that are live at the peak.",
    (
        Column.text("op", "What the framework calls it; empty for instructions that XLA adds."),
        Column.bytes("bytes", "Its buffers at the peak."),
        Column.share("peak_share", "Of the peak."),
        Column.count("buffers", "How many they are."),
        Column.text("source", "File and line of the user's program."),
    ),
    count="op_rows",
)

SPACES = TableSpec(
    "spaces",
    "Memories",
    "A row is a memory space that the program uses.",
    (
        Column.integer("space", "Its number, XLA's color: the value of the option `space`."),
        Column.text(
            "memory", "Main memory (HBM of a device), fast memory on the chip, memory of the host, or its number."
        ),
        Column.bytes("peak_bytes", "Most that is live in it at once."),
        Column.bytes("allocated_bytes", "What XLA reserves in it."),
        Column.bytes("parameter_bytes", "Of that for parameters."),
        Column.bytes("output_bytes", "Of that for outputs that no parameter gives its place to."),
        Column.bytes("temporary_bytes", "Of that for temporary buffers."),
        Column.bytes("constant_bytes", "Of that for constants."),
        Column.bytes("thread_local_bytes", "On stacks of threads; not a part of what is reserved."),
        Column.bytes("unshared_bytes", "Allocations that serve one buffer only: thread-local ones, those of tuples."),
        Column.count("buffers", "Buffers that are assigned to it."),
        Column.flag("simulated", "Whether XLA tells when its temporary buffers are live; else the peak is a sum."),
    ),
)

SAVINGS = TableSpec(
    "savings",
    "What would make the peak smaller",
    "A row is a means, each as if it were the only one; the largest first.",
    (
        Column.text("means", "`donate` arguments, `recompute` what is cheap, or avoid `padding`."),
        Column.bytes("bytes", "How much smaller the peak would be at most."),
        Column.share("peak_share", "Of the peak."),
        Column.count("buffers", "Buffers that it is about."),
        Column.text("what", "What to do, and the largest buffer."),
    ),
)

SUMMARY = (
    Column.text("program", "The program that is shown, as the option names it."),
    Column.integer("space", "The memory that is shown."),
    Column.bytes("program_peak_bytes", "Most that is live at once: the program's peak."),
    Column.text("peak_instruction", "The instruction at which that is."),
    Column.integer("peak_place", "Its place in the schedule."),
    Column.integer("peak_event", "The event of the heap simulation that reaches it."),
    Column.text("peak_op", "What the framework calls that instruction."),
    Column.text("peak_source", "File and line of the user's program that it comes from."),
    Column.bytes("logical_bytes", "The peak without padding."),
    Column.bytes("padding_bytes", "Padding at the peak."),
    Column.bytes("allocated_bytes", "What XLA reserves; more than the peak by gaps between buffers."),
    Column.bytes("device_memory_bytes", "The memory of the device, of several the least."),
    Column.share("device_memory_share", "What XLA reserves ÷ that."),
    Column.bytes("parameter_bytes", "Parameters, at the peak as at any time."),
    Column.bytes("output_bytes", "Outputs that no parameter gives its place to."),
    Column.bytes("temporary_bytes", "Temporary buffers that are live at the peak."),
    Column.bytes("constant_bytes", "Constants."),
    Column.bytes("held_bytes", "What is held throughout: the peak less the temporary buffers that come and go."),
    Column.bytes("donation_bytes", "What donated arguments would save."),
    Column.bytes("recompute_bytes", "What recomputing cheap buffers would save at most."),
    Column.count("scheduled_instructions", "Instructions of the schedule, with those of loops and branches."),
    Column.count("curve_rows", "Rows of the curve without a limit: events of the heap simulation, and the first row."),
    Column.count("buffer_rows", "Buffers without a limit."),
    Column.count("op_rows", "Ops that hold memory at the peak, without a limit."),
)
