"""An XLA program's memory → the tables and the summary, each column with its cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...advice.rules.buffers import saving_how
from ...advice.text.catalogue import Sentence
from ...analysis.buffers.host import Shown
from ...analysis.buffers.memory import CONSTANT, DONATE, OUTPUT, PARAMETER, RECOMPUTE, TEMPORARY, THREAD_LOCAL
from ...tables import Cells, Column, TableSpec, tabulate

_CHANGES = {-1: "held", 0: "alloc", 1: "free", 2: "share"}
#: XLA's numbers (`Layout::kDefaultMemorySpace` …); others are the backend's own.
_MEMORIES = {0: "main", 1: "fast, on-chip", 4: "pinned", 5: "host"}


class _AtPeak(NamedTuple):
    """A row of buffers, ops or savings, and the bytes of the peak."""

    row: Any
    peak_bytes: int


def _share(part: int, whole: int | None) -> float | None:
    return part / whole if whole else None


def _saved(shown: Shown, means: str) -> int:
    return next((saving.size for saving in shown.savings if saving.what == means), 0)


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
        Column.text(
            "change",
            "`alloc`, `free`, `share`: takes the place of a buffer that is not needed; `held`.",
            lambda point: _CHANGES.get(point.what, ""),
        ),
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
            "instruction",
            "The instruction that makes it; of an output that of the output, which others may precede.",
            "row.instruction",
        ),
        Column.text("kind", "`parameter`, `output`, `temporary` or `constant`.", "row.held.kind"),
        Column.bytes("bytes", "What XLA reserves for it.", "row.held.size"),
        Column.share(
            "peak_share",
            "Of the peak; empty for what is not live then.",
            lambda one: _share(one.row.held.size, one.peak_bytes) if one.row.held.at_peak else None,
        ),
        Column.text("shape", "As XLA writes it: type, dimensions, order of dimensions, tiles, memory.", "row.shape"),
        Column.text("op", "What the framework calls the instruction; of a parameter the argument.", "row.op"),
        Column.text("source", "File and line of the user's program.", "row.source"),
        Column.text(
            "first", "The first instruction of its life; what is held throughout lives from first to last.", "row.first"
        ),
        Column.text("last", "The last instruction that uses it, or what takes its place.", "row.last"),
        Column.text(
            "saves",
            "`donate`: an output has its type and shape; `recompute`: cheap to make (broadcast, iota or element by "
            "element), idle over the peak, alive for a quarter of the program, and its inputs outlive it.",
            "row.held.saves",
        ),
        Column.bytes(
            "saved_bytes",
            "How many bytes that would save.",
            lambda one: one.row.held.saved_bytes if one.row.held.saves else None,
        ),
        Column.bytes("logical_bytes", "Bytes of its elements, without padding.", "row.held.logical_bytes"),
        Column.bytes(
            "padding_bytes",
            "What the layout adds to them: tiles and alignment.",
            lambda one: one.row.held.size - one.row.held.logical_bytes,
        ),
        Column.text("padded_sizes", "Dimensions that tiles round up, and to what: `1000×3 → 1000×128`.", "row.padded"),
        Column.flag("at_peak", "Whether it is live at the peak.", "row.held.at_peak"),
        Column.text("opcode", "What the instruction does.", "row.opcode"),
        Column.integer("first_place", "Place of the first instruction in the schedule.", "row.held.first"),
        Column.integer("last_place", "Place of the last one.", "row.held.last"),
        Column.count("values", "Buffers that have this place in turn.", "row.held.values"),
        Column.integer("allocation", "Number of the allocation it is in.", "row.held.allocation"),
        Column.bytes("offset_bytes", "Where in the allocation it begins.", "row.held.offset"),
    ),
    count="buffer_rows",
    key=("instruction", "allocation", "offset_bytes"),
)

OPS = TableSpec(
    "ops",
    "Ops that hold memory at the peak",
    "A row is an op of the framework with its buffers that are live at the peak.",
    (
        Column.text("op", "What the framework calls it; empty for instructions that XLA adds.", "row.op"),
        Column.bytes("bytes", "Its buffers at the peak.", "row.size"),
        Column.share("peak_share", "Of the peak.", lambda one: _share(one.row.size, one.peak_bytes)),
        Column.count("buffers", "How many they are.", "row.buffers"),
        Column.text("source", "File and line of the user's program.", "row.source"),
    ),
    count="op_rows",
)

SPACES = TableSpec(
    "spaces",
    "Memories",
    "A row is a memory space that the program uses.",
    (
        Column.integer("space", "Its number, XLA's color: the value of the option `space`.", "color"),
        Column.text(
            "memory",
            "Main memory (HBM of a device), fast memory on the chip, memory of the host, or its number.",
            lambda space: _MEMORIES.get(space.color, f"number {space.color}"),
        ),
        Column.bytes("peak_bytes", "Most that is live in it at once."),
        Column.bytes("allocated_bytes", "What XLA reserves in it."),
        Column.bytes("parameter_bytes", "Of that for parameters.", lambda space: space.by_kind[PARAMETER]),
        Column.bytes(
            "output_bytes",
            "Of that for outputs that no parameter gives its place to.",
            lambda space: space.by_kind[OUTPUT],
        ),
        Column.bytes("temporary_bytes", "Of that for temporary buffers.", lambda space: space.by_kind[TEMPORARY]),
        Column.bytes("constant_bytes", "Of that for constants.", lambda space: space.by_kind[CONSTANT]),
        Column.bytes(
            "thread_local_bytes",
            "On stacks of threads; not a part of what is reserved.",
            lambda space: space.by_kind[THREAD_LOCAL],
        ),
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
        Column.text("means", "`donate` arguments, `recompute` what is cheap, or avoid `padding`.", "row.what"),
        Column.bytes("bytes", "How much smaller the peak would be at most.", "row.size"),
        Column.share("peak_share", "Of the peak.", lambda one: _share(one.row.size, one.peak_bytes)),
        Column.count("buffers", "Buffers that it is about.", "row.buffers"),
        Column.text("what", "What to do, and the largest buffer.", lambda one: Sentence.of(saving_how(one.row))),
    ),
)

SUMMARY = (
    Column.text("program", "The program that is shown, as the option names it."),
    Column.integer("space", "The memory that is shown.", "space.color"),
    Column.bytes("program_peak_bytes", "Most that is live at once: the program's peak.", "space.peak_bytes"),
    Column.text("peak_instruction", "The instruction at which that is.", lambda shown: shown.peak_instruction or None),
    Column.integer("peak_place", "Its place in the schedule."),
    Column.integer("peak_event", "The event of the heap simulation that reaches it."),
    Column.text("peak_op", "What the framework calls that instruction.", lambda shown: shown.peak_op or None),
    Column.text(
        "peak_source",
        "File and line of the user's program that it comes from.",
        lambda shown: shown.peak_source or None,
    ),
    Column.bytes("logical_bytes", "The peak without padding.", "space.logical_bytes"),
    Column.bytes(
        "padding_bytes", "Padding at the peak.", lambda shown: shown.space.peak_bytes - shown.space.logical_bytes
    ),
    Column.bytes(
        "allocated_bytes", "What XLA reserves; more than the peak by gaps between buffers.", "space.allocated_bytes"
    ),
    Column.bytes("device_memory_bytes", "The memory of the device, of several the least.", "capacity_bytes"),
    Column.share(
        "device_memory_share",
        "What XLA reserves ÷ that.",
        lambda shown: _share(shown.space.allocated_bytes, shown.capacity_bytes),
    ),
    Column.bytes("parameter_bytes", "Parameters, at the peak as at any time.", lambda shown: shown.at_peak[PARAMETER]),
    Column.bytes("output_bytes", "Outputs that no parameter gives its place to.", lambda shown: shown.at_peak[OUTPUT]),
    Column.bytes(
        "temporary_bytes", "Temporary buffers that are live at the peak.", lambda shown: shown.at_peak[TEMPORARY]
    ),
    Column.bytes("constant_bytes", "Constants.", lambda shown: shown.at_peak[CONSTANT]),
    Column.bytes("held_bytes", "What is held throughout: the peak less the temporary buffers that come and go."),
    Column.bytes("donation_bytes", "What donated arguments would save at most.", lambda shown: _saved(shown, DONATE)),
    Column.bytes(
        "recompute_bytes", "What recomputing cheap buffers would save at most.", lambda shown: _saved(shown, RECOMPUTE)
    ),
    Column.count(
        "scheduled_instructions", "Instructions of the schedule, with those of loops and branches.", "instructions"
    ),
    Column.count(
        "curve_rows",
        "Rows of the curve without a limit: events of the heap simulation, and the first row.",
        lambda shown: shown.events + 1 if shown.events else 0,
    ),
    Column.count("buffer_rows", "Buffers without a limit.", "row_count"),
    Column.count("op_rows", "Ops that hold memory at the peak, without a limit.", "op_count"),
)


def tables(shown: Shown) -> dict[str, dict[str, Cells]]:
    def at_peak(rows: Iterable[Any]) -> list[_AtPeak]:
        return [_AtPeak(row, shown.space.peak_bytes) for row in rows]

    return {
        "curve": tabulate(CURVE.columns, shown.points),
        "buffers": tabulate(BUFFERS.columns, at_peak(shown.rows)),
        "ops": tabulate(OPS.columns, at_peak(shown.ops)),
        "spaces": tabulate(SPACES.columns, shown.spaces),
        "savings": tabulate(SAVINGS.columns, at_peak(shown.savings)),
    }
