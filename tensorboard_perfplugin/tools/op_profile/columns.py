"""What `op_profile` gives, declared."""

from __future__ import annotations

from typing import NamedTuple

from ...analysis.ops.rows import representable
from ...analysis.programs.profile import Node
from ...analysis.programs.table import InstructionFacts, Padding
from ...tables import Column, TableSpec, all_rows
from ..shared import FLOP_SHARE, MEMORY_SHARE
from ..shared.ops import SIDE
from ..shared.programs import (
    CATEGORY,
    EXPRESSION,
    IN_GRAPH,
    OP_NAME,
    PADDED_SIZES,
    PADDING_BYTES,
    PADDING_FLOPS,
    PADDING_SHARE,
    SOURCE,
)


class ProfileRow(NamedTuple):
    """node: None of idle time, and of what a fusion runs. whole_ps: what times are shares of."""

    side: str
    parent: int
    depth: int
    kind: str
    name: str
    path: str
    whole_ps: float
    node: Node | None = None
    program: str = ""
    instruction: str = ""
    category: str = ""
    self_ps: float | None = None
    flops: float | None = None
    facts: InstructionFacts = InstructionFacts()
    padding: Padding = Padding()

    def share(self, ps: float | None) -> float | None:
        return ps / self.whole_ps if ps is not None and self.whole_ps else None

    @property
    def wasted_ps(self) -> float | None:
        return self.node.wasted_ps if self.node else None

    @property
    def moved_bytes(self) -> int | None:
        size = self.node.use.bytes if self.node else None
        return None if size is None else representable(int(size))


PROFILE = TableSpec(
    "profile",
    "Op profile",
    "A tree in preorder, largest self time first: programs, categories and instructions, or as `by` says; what a "
    "fusion runs lies in it, without times of its own. Hosts and devices are summed.",
    (
        SIDE,
        Column.id("parent", "Row number of what this one lies in, -1 for none."),
        Column.count("depth", "How many rows it lies in."),
        Column.text(
            "kind",
            "`program`, `category`, `twins` (instructions that do the same, by XLA's own account), `instruction`, "
            "`fused` (within a fusion), `scope` (of the framework's names), `file`, `line`, or `idle`.",
        ),
        Column.text("name", "Its name."),
        Column.text("path", "The names of all that it lies in, and its own."),
        Column.text("program", "The XLA program of an instruction."),
        Column.text("instruction", "The instruction's name in its program."),
        CATEGORY,
        Column.us("self_us", "Self time of all instructions in it.", "self_ps"),
        Column.share(
            "self_share",
            "That ÷ the self time of all; with idle=true ÷ busy and idle time.",
            lambda row: row.share(row.self_ps),
        ),
        Column.share(
            "flop_share",
            "FLOPs ÷ what the devices' peak allows in the same time, as far as both are known.",
            lambda row: row.node and row.node.flop_share,
        ),
        Column.share(
            "memory_share",
            "Bytes of the devices' memory ÷ what their bandwidth allows in the same time, likewise.",
            lambda row: row.node and row.node.memory_share,
        ),
        Column.us(
            "wasted_us",
            "Self time less what the same FLOPs and bytes would take at the peaks, whichever is longer.",
            "wasted_ps",
        ),
        Column.share(
            "wasted_share",
            "That ÷ the self time of all; with idle=true ÷ busy and idle time.",
            lambda row: row.share(row.wasted_ps),
        ),
        Column.count(
            "occurrences", "Executions of the instructions in it.", lambda row: row.node and row.node.occurrences
        ),
        Column.count("instructions", "Distinct instructions in it.", lambda row: row.node and row.node.instructions),
        Column.number("flops", "Floating-point operations of all executions; of a part of a fusion those of one."),
        Column.bytes("bytes", "Bytes that all executions read and wrote, on every memory.", "moved_bytes"),
        PADDING_SHARE,
        PADDING_FLOPS,
        PADDING_BYTES,
        PADDED_SIZES,
        OP_NAME,
        SOURCE,
        Column.text("operands", "Instructions that it computes from.", lambda row: ", ".join(row.facts.operands)),
        Column.text("users", "Instructions that use its result.", lambda row: ", ".join(row.facts.users)),
        IN_GRAPH,
        EXPRESSION,
    ),
    key=("side", "by", "path"),
    proved=("self_us",),
)

SUMMARY = (
    all_rows("profile"),
    Column.text("shown_side", "Whose instructions are shown: `device`, or `host` where none ran on a device."),
    Column.ms("self_ms", "Self time of all instructions that are shown."),
    Column.ms("idle_ms", "Time in which a device ran nothing, summed over the devices that ran some."),
    Column.ms("wasted_ms", "Self time less what the same FLOPs and bytes would take at the devices' peaks."),
    FLOP_SHARE,
    MEMORY_SHARE,
)
