"""A table of instructions → a tree of them: by program and category, by the framework's scopes, by source."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from ...timeline.names.ops import Op
from ...timeline.programs.costs import ProgramCosts
from ...timeline.programs.reader import Program, programs_of
from ...timeline.programs.writer import Writer
from ...timeline.timeline import Timeline
from ..devices.peaks import at_most_1, starts, waits
from ..ops.rows import OpRow
from ..ops.sides import ends
from ..ops.use import OpUse, Padded
from .table import InstructionFacts, Padding, padding_of

# The instructions of one side, as the rules and the page look at them.

_NOTHING = InstructionFacts()
#: Self time ÷ total time of what holds no others; sums of times are not exact.
_LEAF = 0.999


def has_rate(op: Op, row: OpRow) -> bool:
    """Whether its FLOPs and bytes are of its own time: not of what holds others, whose costs it repeats, and not of the
    start or end of what goes on beside other instructions, nor of what waits for the host or another device.
    """
    beside = bool(row.wait_ps) or starts(op.type) or waits(op.type)
    return row.use is not None and row.self_ps >= row.total_ps * _LEAF and not beside


class InstructionSide:
    """rows: instructions of `device` or `host`, largest self time first."""

    def __init__(
        self,
        side: str,
        rows: Sequence[tuple[Op, OpRow]],
        facts: Mapping[Op, InstructionFacts],
        padded: Mapping[Op, Padded] | None = None,
    ) -> None:
        """padded: products of which part is with padding."""
        self.side, self.rows, self._facts, self._padded = side, rows, facts, padded or {}

    @cached_property
    def self_ps(self) -> float:
        return sum(row.self_ps for _, row in self.rows)

    @cached_property
    def waiting_ps(self) -> float:
        """Time of ops that only wait, as the end of an asynchronous copy does."""
        return sum(row.wait_ps for _, row in self.rows)

    @cached_property
    def used(self) -> OpUse:
        """FLOPs, bytes and peaks of all that has a rate."""
        used = OpUse()
        for op, row in self.rows:
            if row.use and has_rate(op, row):
                used = used.plus(row.use)
        return used

    def facts_of(self, op: Op) -> InstructionFacts:
        return self._facts.get(op, _NOTHING)

    def padding_of(self, op: Op, row: OpRow) -> Padding:
        padded = self._padded.get(op)
        return padding_of(self.facts_of(op).padding, padded.product if padded else None, row.occurrences)


#: What an instruction lies in where nothing names it.
NO_OP, NO_SOURCE = "(no framework op)", "(no source)"
#: Parts of a scope that are levels of their own.
_MAX_DEPTH = 40

Path = tuple[tuple[str, str], ...]


class Node(msgspec.Struct):
    """A level, or (op) an instruction. kind: `program`, `category`, `scope`, `file`, `line`, `twins`, `instruction`.

    Sums are of all instructions in it; use, rated_ps: of those that have a rate; waits_ps: of those that only wait;
    padding: bytes and FLOPs of those of which they are known; its shares and sizes of an instruction only.
    """

    parent: int
    depth: int
    kind: str
    name: str
    path: str
    self_ps: float = 0.0
    occurrences: int = 0
    instructions: int = 0
    use: OpUse = msgspec.field(default_factory=OpUse)
    rated_ps: float = 0.0
    waits_ps: float = 0.0
    padding: Padding = msgspec.field(default_factory=Padding)
    op: Op | None = None

    @property
    def flop_share(self) -> float | None:
        return at_most_1(self.use.compute_share)

    @property
    def memory_share(self) -> float | None:
        return at_most_1(self.use.memory_share)

    @property
    def wasted_ps(self) -> float | None:
        """Self time less what the same FLOPs and bytes take at the device's peaks, also those of memories on a TPU's
        chip; None where these are unknown.

        All that only waits is in it; what has neither FLOPs nor bytes that are known is not.
        """
        if self.flop_share is None and self.memory_share is None:
            return self.waits_ps or None
        return self.rated_ps * (1 - max(at_most_1(share) or 0.0 for share in self.use.shares)) + self.waits_ps


def path_of(op: Op, facts: InstructionFacts, by: str, twins: Mapping[str, str]) -> Path:
    """Kind and name of each level of an instruction, itself last. twins: what its group is called, by its own key."""
    return (*_BY[by](op, facts), *_twins(op, facts, twins), ("instruction", op.name))


def paths_of(op: Op, facts: InstructionFacts, by: str, twins: Mapping[str, str]) -> list[str]:
    """The path of each level, as the nodes of the tree have it."""
    paths = [""]
    for kind, name in path_of(op, facts, by, twins):
        step = f"{op.module}/{name}" if kind == "instruction" else name
        paths.append(f"{paths[-1]}{BETWEEN}{step}" if paths[-1] else step)
    return paths[1:]


def twin_names(side: InstructionSide) -> dict[str, str]:
    """Instructions that do the same, by XLA's own account, as `PROGRAM/CATEGORY/NAME`: what their group is called."""
    members: dict[str, list[str]] = {}
    for op, _ in side.rows:
        members.setdefault(_twin_key(op, side.facts_of(op)), []).append(op.name)
    return {key: f"{names[0]} and {len(names) - 1} alike" for key, names in members.items() if len(names) > 1}


def _twin_key(op: Op, facts: InstructionFacts) -> str:
    return f"{op.module}/{op.type}/{facts.twin_of or op.name}"


def _twins(op: Op, facts: InstructionFacts, twins: Mapping[str, str]) -> Path:
    name = twins.get(_twin_key(op, facts))
    return (("twins", name),) if name else ()


def _program(op: Op, facts: InstructionFacts) -> Path:
    return (("program", op.module), ("category", op.type))


def _category(op: Op, facts: InstructionFacts) -> Path:
    return (("category", op.type),)


def _scopes(op: Op, facts: InstructionFacts) -> Path:
    parts, begin = [], 0
    for end in list(ends(facts.name))[:_MAX_DEPTH]:
        parts.append(("scope", facts.name[begin:end]))
        begin = end + 1
    return tuple(parts) or (("scope", NO_OP),)


def _provenance(op: Op, facts: InstructionFacts) -> Path:
    return (("program", op.module), *_scopes(op, facts), ("category", op.type))


def _source(op: Op, facts: InstructionFacts) -> Path:
    if not facts.file:
        return (("file", NO_SOURCE),)
    return (("file", facts.file), ("line", facts.source))


_BY: dict[str, Callable[[Op, InstructionFacts], Path]] = {
    "program": _program,
    "category": _category,
    "scope": _scopes,
    "provenance": _provenance,
    "source": _source,
}
WAYS = tuple(_BY)
#: Between the names of a path.
BETWEEN = " › "


def tree(side: InstructionSide, by: str) -> list[Node]:
    """The whole as the first node, each after what it lies in."""
    nodes = [Node(-1, 0, "all", "all", "")]
    place: dict[tuple[int, str, str], int] = {}
    twins = twin_names(side)
    for op, row in side.rows:
        at, above = 0, [0]
        for kind, name in path_of(op, side.facts_of(op), by, twins):
            step = f"{op.module}/{name}" if kind == "instruction" else name
            key = (at, kind, step)
            if key not in place:
                before = nodes[at].path
                place[key] = len(nodes)
                nodes.append(Node(at, len(above) - 1, kind, name, f"{before}{BETWEEN}{step}" if before else step))
            at = place[key]
            above.append(at)
        padding = side.padding_of(op, row)
        _add(nodes, above, op, row, padding)
        nodes[at].op, nodes[at].padding = op, padding
    return nodes


def _add(nodes: list[Node], above: Sequence[int], op: Op, row: OpRow, padding: Padding) -> None:
    for at in above:
        node = nodes[at]
        node.self_ps += row.self_ps
        node.occurrences += row.occurrences
        node.instructions += 1
        node.waits_ps += row.wait_ps
        node.padding = node.padding.plus(padding)
        if row.use and has_rate(op, row):
            node.use = node.use.plus(row.use)
            node.rated_ps += row.self_ps


def preorder(nodes: Sequence[Node], most: int | None) -> list[int]:
    """The nodes with most self time, parents before what lies in them, largest first; the whole itself left out."""
    largest = sorted(range(1, len(nodes)), key=lambda i: -nodes[i].self_ps)[:most]
    inside: dict[int, list[int]] = {}
    for i in largest:
        inside.setdefault(nodes[i].parent, []).append(i)
    order, waiting = [], list(reversed(inside.get(0, [])))
    while waiting:
        i = waiting.pop()
        order.append(i)
        waiting += reversed(inside.get(i, []))
    return order


# A timeline and instructions → what each fusion among them runs, with its FLOPs.

#: Parts of a fusion that are named, those of most FLOPs, and fusions that are looked into.
_MOST_PARTS, _MOST_FUSIONS = 12, 300
_LONGEST = 4000


class Fused(NamedTuple):
    """One instruction within a fusion. flops: of one execution, None where unknown."""

    name: str
    opcode: str
    flops: float | None
    expression: str


def fused(timeline: Timeline, wanted: Iterable[Op]) -> dict[Op, tuple[Fused, ...]]:
    """Of the first fusions among some instructions."""
    found: dict[Op, tuple[Fused, ...]] = {}
    readers: dict[str, tuple[ProgramCosts, Writer]] = {}
    for op in wanted:
        program = programs_of(timeline).read(op.module)
        if program is None or len(found) >= _MOST_FUSIONS:
            continue
        if op.module not in readers:
            readers[op.module] = ProgramCosts(program, set()), Writer(program)
        if parts := _parts(program, op.name, *readers[op.module]):
            found[op] = parts
    return found


def _parts(program: Program, name: str, costs: ProgramCosts, writer: Writer) -> tuple[Fused, ...]:
    parts = [(one, flops if math.isfinite(flops) else None) for one, flops in costs.parts(name)]
    parts.sort(key=lambda part: -(part[1] or 0.0))
    return tuple(
        Fused(one.name, one.opcode, flops, writer.expression(one.name, details=False)[:_LONGEST])
        for one, flops in parts[:_MOST_PARTS]
    )
