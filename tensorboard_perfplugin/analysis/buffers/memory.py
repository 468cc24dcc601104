"""An XLA program → what it holds in each memory, and of one memory the curve, the peak and the buffers.

The sizes are those that XLA assigned. What a program holds all the time, its parameters, outputs and constants, stands
below the curve of its temporary buffers; what is local to a thread is not in device memory and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...timeline import (
    UNWRITTEN,
    Allocation,
    BufferAssignment,
    LogicalBuffer,
    Placed,
    Program,
    Shapes,
    Written,
    in_order,
    read_assignment,
    written,
)
from .donation import Given, donated, donations
from .ranges import Order, ranges
from .recomputed import cheap, frees
from .replay import Replay, replay

PARAMETER, OUTPUT, CONSTANT, TEMPORARY, THREAD_LOCAL = "parameter", "output", "constant", "temporary", "thread-local"
KINDS = (PARAMETER, OUTPUT, TEMPORARY, CONSTANT, THREAD_LOCAL)
#: What a buffer could do for the peak.
DONATE, RECOMPUTE = "donate", "recompute"


class Held(NamedTuple):
    """A place in memory, and who has it first. first, last: places in the order of instructions, None where unknown.

    values: how many buffers take it in turn. saves: DONATE or RECOMPUTE, how: by what means, saved_bytes: how much.
    """

    buffer: int
    kind: str
    allocation: int
    offset: int
    size: int
    logical_bytes: int
    at_peak: bool
    first: int | None
    last: int | None
    values: int
    saves: str = ""
    how: str = ""
    saved_bytes: int = 0


class Space(NamedTuple):
    """A memory that the program uses. allocated_bytes: what XLA reserves, thread-local buffers aside.

    by_kind: of each kind's allocations. peak_bytes: most that is live at once; simulated: whether XLA tells when its
    temporary buffers are live, else the peak is all that is allocated. logical_bytes: of the peak, without padding.
    unshared_bytes: of allocations that XLA gives to nothing else in turn, thread-local ones and those of tuples.
    """

    color: int
    allocated_bytes: int
    by_kind: dict[str, int]
    peak_bytes: int
    logical_bytes: int
    buffers: int
    simulated: bool
    unshared_bytes: int


class ProgramMemory:
    """Reads one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.assignment = read_assignment(program)
        self.order: Order = Order(in_order(program) if self.assignment.allocations else [])
        self._by_key = {one.key: i for i, one in enumerate(self.order.placed)}
        self._written: dict[tuple[bytes, tuple[int, ...]], Written] = {}
        self._shapes = Shapes(program)
        self.allocation = {
            buffer: (one, offset) for one in self.assignment.allocations for buffer, offset in one.assigned
        }

    @property
    def colors(self) -> list[int]:
        """Of the memories, the main one first."""
        return sorted({one.color for one in self.assignment.allocations})

    def placed(self, buffer: LogicalBuffer | None) -> Placed | None:
        """What makes it, if that is known and has a place."""
        at = self.place(buffer)
        return None if at is None else self.order.placed[at]

    def place(self, buffer: LogicalBuffer | None) -> int | None:
        if buffer is None:
            return None
        by_name = self.order.by_name.get(buffer.instruction) if buffer.instruction else None
        return by_name if by_name is not None else self._by_key.get(buffer.at)

    def name(self, buffer: LogicalBuffer | None) -> str:
        placed = self.placed(buffer)
        return placed.instruction.name if placed else buffer.instruction if buffer else ""

    def written(self, buffer: LogicalBuffer | None) -> Written:
        """Its shape."""
        placed = self.placed(buffer)
        if buffer is None or placed is None:
            return UNWRITTEN
        begin, end = placed.instruction.shape
        key = self.program.data[begin:end], buffer.part
        if key not in self._written:
            self._written[key] = written(self.program, self._shapes, (begin, end), buffer.part)
        return self._written[key]

    def logical(self, buffer: LogicalBuffer | None, size: int) -> int:
        """Bytes without padding; all of them where that is not known."""
        known = self.written(buffer).logical_bytes
        return size if known is None else min(known, size)

    def of(self, color: int) -> Use:
        return Use(self, color)


class Use:
    """How a program uses one memory."""

    def __init__(self, memory: ProgramMemory, color: int) -> None:
        self.memory, self.color = memory, color
        self._assignment: BufferAssignment = memory.assignment
        self.allocations = [one for one in self._assignment.allocations if one.color == color]
        self.replay = self._replay()
        self._covered = {self._allocation_of(buffer).number for buffer in self.replay.lives}
        self.constant = [(one, self._representative(one)) for one in self.allocations if self._is_constant(one)]
        self.below_bytes = sum(one.size for one, _ in self.constant)
        self.below_logical = sum(self._logical(one, buffer) for one, buffer in self.constant)

    def _allocation_of(self, buffer: int) -> Allocation:
        return self.memory.allocation[buffer][0]

    def _replay(self) -> Replay:
        """Of the simulation with most events on temporary buffers of this memory."""
        best: Replay | None = None
        for events in self._assignment.traces:
            sizes = self._sizes(event.buffer for event in events)
            if sizes and (best is None or len(events) > len(best.events)):
                best = replay(events, sizes)
        return best or replay((), {})

    def _sizes(self, buffers: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Of those that are temporary, and in this memory."""
        sizes = {}
        for key in dict.fromkeys(buffers):
            buffer, allocated = self._assignment.buffers.get(key), self.memory.allocation.get(key)
            if buffer and allocated and allocated[0].color == self.color and allocated[0].is_temporary:
                sizes[key] = buffer.size, self.memory.logical(buffer, buffer.size)
        return sizes

    def _is_constant(self, one: Allocation) -> bool:
        """Whether it is held all the time: also temporary memory of which no simulation tells when."""
        return not one.is_thread_local and (not one.is_temporary or one.number not in self._covered)

    def _representative(self, one: Allocation) -> LogicalBuffer | None:
        """The largest buffer in it; of equal ones the parameter, of an output that which is made last: the output."""
        found = [self._assignment.buffers[key] for key, _ in one.assigned if key in self._assignment.buffers]
        way = -1 if one.is_parameter else 1
        return max(found, key=lambda each: (each.size, way * self._made(each)), default=None)

    def _made(self, buffer: LogicalBuffer) -> int:
        at = self.memory.place(buffer)
        return -1 if at is None else at

    def _logical(self, one: Allocation, buffer: LogicalBuffer | None) -> int:
        """An allocation that several buffers share in other ways than in turn is not told apart."""
        return self.memory.logical(buffer, one.size) if buffer and buffer.size == one.size else one.size

    @property
    def peak_bytes(self) -> int:
        at = self.replay.peak
        return self.below_bytes + (int(self.replay.live_bytes[at]) if at >= 0 else 0)

    @property
    def peak_logical(self) -> int:
        at = self.replay.peak
        return self.below_logical + (int(self.replay.logical_bytes[at]) if at >= 0 else 0)

    def space(self) -> Space:
        by_kind = dict.fromkeys(KINDS, 0)
        for one in self.allocations:
            by_kind[kind_of(one)] += one.size
        return Space(
            color=self.color,
            allocated_bytes=sum(by_kind.values()) - by_kind[THREAD_LOCAL],
            by_kind=by_kind,
            peak_bytes=self.peak_bytes,
            logical_bytes=self.peak_logical,
            buffers=sum(len(one.assigned) for one in self.allocations),
            simulated=self.replay.peak >= 0,
            unshared_bytes=sum(one.size for one in self.allocations if one.is_thread_local or one.is_tuple),
        )

    @property
    def peak_place(self) -> int | None:
        """Of the instruction at which the most is live."""
        at = self.replay.peak
        return self.memory.order.by_name.get(self.replay.events[at].instruction) if at >= 0 else None

    def held(self, donations: bool = True) -> list[Held]:
        """All that is in this memory, thread-local buffers apart; the largest first, what is live at the peak first.

        donations: whether arguments could be donated.
        """
        rows = [*self._held_always(), *self._held_at_times()]
        rows = _with_donations(self.memory, rows) if donations else rows
        return sorted(self._with_recomputed(rows), key=lambda row: (not row.at_peak, -row.size, row.buffer))

    def _held_always(self) -> list[Held]:
        until = len(self.memory.order.placed) - 1
        span = (0, until) if until >= 0 else (None, None)
        return [
            Held(
                buffer=buffer.key if buffer else -1,
                kind=kind_of(one),
                allocation=one.number,
                offset=0,
                size=one.size,
                logical_bytes=self._logical(one, buffer),
                at_peak=True,
                first=span[0],
                last=span[1],
                values=len(one.assigned),
            )
            for one, buffer in self.constant
        ]

    def _held_at_times(self) -> list[Held]:
        memory, buffers = self.memory, self._assignment.buffers
        where = ranges(memory.order, self.replay, self._makers())
        live = set(self.replay.at_peak)
        rows = []
        for key, life in self.replay.lives.items():
            allocation, offset = memory.allocation[key]
            size = buffers[key].size
            first, last = where.get(key, (None, None))
            logical, values = memory.logical(buffers[key], size), len(life.buffers)
            rows.append(
                Held(key, TEMPORARY, allocation.number, offset, size, logical, key in live, first, last, values)
            )
        return rows

    def without_recomputed(self, rows: Sequence[Held]) -> int:
        """The peak that is left where such buffers are there only when they are made and when they are used last."""
        if self.replay.peak < 0:
            return self.peak_bytes
        change = np.zeros(len(self.replay.events) + 1, np.int64)
        for row in rows:
            if row.saves == RECOMPUTE:
                life = self.replay.lives[row.buffer]
                change[life.first + 1] -= row.size
                change[max(life.last - 1, life.first + 1)] += row.size
        return self.below_bytes + int((self.replay.live_bytes + change.cumsum()[:-1]).max())

    def _makers(self) -> dict[int, tuple[int, tuple[int, ...]]]:
        found = {}
        for life in self.replay.lives.values():
            for key in life.buffers:
                buffer = self._assignment.buffers[key]
                at = self.memory.place(buffer)
                if at is not None:
                    found[key] = at, buffer.part
        return found

    def _with_recomputed(self, rows: Sequence[Held]) -> list[Held]:
        peak, order = self.peak_place, self.memory.order
        if peak is None:
            return list(rows)
        ends: dict[int, int] = {}
        for row in rows:
            at = self.memory.place(self._assignment.buffers.get(row.buffer))
            if at is not None and row.last is not None:
                ends[at] = max(ends.get(at, 0), row.last)
        return [self._recomputed(row, peak, order, ends) for row in rows]

    def _recomputed(self, row: Held, peak: int, order: Order, ends: dict[int, int]) -> Held:
        if row.buffer not in self.replay.lives or not row.at_peak or row.first is None or row.last is None:
            return row
        if row.values > 1 or not frees(order, (row.first, row.last), peak, ends):
            return row
        spare = self._spare(row.buffer)
        how = cheap(self.memory.program, order.placed[row.first]) if spare > 0 else ""
        return row._replace(saves=RECOMPUTE, how=how, saved_bytes=min(row.size, spare)) if how else row

    def _spare(self, buffer: int) -> int:
        """By how much less than at the peak is live when a buffer is used last, and must be there again."""
        live, last = self.replay.live_bytes, self.replay.lives[buffer].last
        return int(live[self.replay.peak] - live[last - 1]) if last < len(live) else 0


def kind_of(one: Allocation) -> str:
    """What an allocation is for. A parameter whose memory an output takes over is a parameter."""
    if one.is_thread_local:
        return THREAD_LOCAL
    if one.is_parameter:
        return PARAMETER
    return CONSTANT if one.is_constant else OUTPUT if one.is_live_out else TEMPORARY


def _with_donations(memory: ProgramMemory, rows: Sequence[Held]) -> list[Held]:
    allocations = {one.number: one for one in memory.assignment.allocations}
    given: dict[str, list[Given]] = {PARAMETER: [], OUTPUT: []}
    already = donated(memory.program)
    for i, row in enumerate(rows):
        one = allocations[row.allocation]
        mine = (one.parameter, one.parameter_part)
        is_taken = row.kind == PARAMETER and (one.is_live_out or one.is_aliased or mine in already)
        if row.kind in given and not is_taken and not one.is_tuple:
            array = memory.written(memory.assignment.buffers.get(row.buffer)).array
            given[row.kind].append(Given(i, row.size, array))
    found = donations(given[PARAMETER], given[OUTPUT])
    return [
        row._replace(saves=DONATE, how="argument", saved_bytes=found[i]) if i in found else row
        for i, row in enumerate(rows)
    ]
