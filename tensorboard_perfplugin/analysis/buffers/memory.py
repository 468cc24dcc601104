"""An XLA program → what it holds in each memory, and of one memory the curve, the peak and the buffers.

The sizes are those that XLA assigned. What a program holds all the time, its parameters, outputs and constants, stands
below the curve of its temporary buffers; what is local to a thread is not in device memory and does not count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...threshold import Threshold
from ...timeline.programs.assignment import (
    ALLOC,
    FREE,
    SHARE,
    Allocation,
    BufferAssignment,
    HeapEvent,
    LogicalBuffer,
    read_assignment,
)
from ...timeline.programs.layout import UNWRITTEN, Written, written
from ...timeline.programs.reader import Program
from ...timeline.programs.syntax import Shapes
from ...timeline.programs.writer import Placed, in_order
from ...wire import Span

# The events of a heap simulation → how many bytes are live after each, the peak, and when each buffer is.
#
# As xprof counts: a buffer that takes the place of another (SHARE_WITH) adds nothing while that is live, and its size
# again once that was freed. What is freed twice, or was never allocated, changes nothing, nor does a kind of event that
# XLA does not write.

_KINDS = {ALLOC, FREE, SHARE}


class Life(NamedTuple):
    """Of one place in memory: its first event, and the one that frees it, or the number of all events.

    buffers: those that take it in turn.
    """

    first: int
    last: int
    buffers: tuple[int, ...]


class Replay(NamedTuple):
    """live_bytes, logical_bytes: after each event. peak: the event that first reaches the most bytes, -1 for none.

    lives: by the buffer that is there first. at_peak: of these the ones that are live then, in the order in which they
    came.
    """

    events: Sequence[HeapEvent]
    live_bytes: NDArray[np.int64]
    logical_bytes: NDArray[np.int64]
    peak: int
    lives: dict[int, Life]
    at_peak: tuple[int, ...]


def replay(events: Sequence[HeapEvent], sizes: Mapping[int, tuple[int, int]]) -> Replay:
    """sizes: bytes with padding and without, of the buffers that count."""
    events = [event for event in events if event.buffer in sizes and event.kind in _KINDS]
    count = len(events)
    changes = np.zeros((2, count), np.int64)
    moves = list(_moves(events, sizes))
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    sharers: dict[int, list[int]] = {}
    for i, (of, change) in enumerate(moves):
        if change:
            changes[:, i] = change * sizes[of][0], change * sizes[of][1]
        if change > 0:
            first.setdefault(of, i)
            last.pop(of, None)
        elif change < 0:
            last[of] = i
        if events[i].kind != FREE and of in first:
            sharers.setdefault(of, []).append(events[i].buffer)
    live, logical = changes.cumsum(axis=1)
    peak = int(live.argmax()) if count and live.max() > 0 else -1
    lives = {of: Life(at, last.get(of, count), tuple(dict.fromkeys(sharers[of]))) for of, at in first.items()}
    return Replay(events, live, logical, peak, lives, _taken(moves[: peak + 1]))


def _taken(moves: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Places that are taken after these events."""
    taken: dict[int, None] = {}
    for of, change in moves:
        if change > 0:
            taken[of] = None
        elif change < 0:
            del taken[of]
    return tuple(taken)


def _moves(events: Sequence[HeapEvent], sizes: Mapping[int, tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Of each event the place, and whether it is taken (1), freed (-1), or stays as it is."""
    place: dict[int, int] = {}
    live: set[int] = set()
    users: dict[int, int] = {}
    for kind, buffer, _, shared in events:
        of = buffer if kind == ALLOC else place.get(buffer, -1) if kind == FREE else place.get(shared, shared)
        change = 0
        if kind == FREE and buffer in live:
            live.remove(buffer)
            users[of] -= 1
            change = -1 if not users[of] else 0
        elif kind != FREE and buffer not in live and of in sizes:
            live.add(buffer)
            place[buffer] = of
            users[of] = users.get(of, 0) + 1
            change = 1 if users[of] == 1 else 0
        yield of, change


# Where buffers of an XLA program are live: events of a heap simulation → places in the order of instructions.
#
# An event that frees a buffer names the instruction that made it, not the last one that uses it. That is looked up
# among the users, through what only passes a buffer on, and lies between the events around it.

#: What gives its operand on as a whole.
_PASSES_ON = ("bitcast", "optimization-barrier", "add-dependency", "while")
#: Steps from buffers to what uses them, of one program; beyond, the events alone tell.
_MAX_STEPS = 1_000_000
#: Tuples in tuples.
_MAX_DEPTH = 8


#: Of buffers the place of what makes them, and which part of its result they are.
Made: TypeAlias = Mapping[int, tuple[int, tuple[int, ...]]]


class Order:
    """Instructions in the order in which they run. by_name, by_key: their places."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self.placed = placed
        self.by_name = {one.instruction.name: i for i, one in enumerate(placed)}
        self.by_key = {(one.computation, one.key): i for i, one in enumerate(placed)}
        self._users: list[list[tuple[int, int]]] = [[] for _ in placed]
        for i, (_, computation, one) in enumerate(placed):
            for number, operand in enumerate(one.operands):
                at = self.by_key.get((computation, operand))
                if at is not None:
                    self._users[at].append((i, number))
        ends = {one.computation: i for i, one in enumerate(placed)}
        #: Of computations that others call: their results are read by the caller.
        self._results = set(ends.values()) - {len(placed) - 1}
        self._left = _MAX_STEPS

    def name(self, place: int | None) -> str:
        return "" if place is None or not self.placed else self.placed[place].instruction.name

    def used_last(self, place: int, index: tuple[int, ...]) -> int:
        """By which instruction, of a part of what one makes."""
        waiting, seen, last = [(place, index)], {(place, index)}, place
        while waiting and self._left > 0:
            at, part = waiting.pop()
            last = max(last, at + 1 if at in self._results else at)
            for user, number in self._users[at]:
                self._left -= 1
                passed = self._passed(user, number, at, part)
                if passed is not None and (user, passed) not in seen:
                    seen.add((user, passed))
                    waiting.append((user, passed))
                elif passed is None and self.placed[user].instruction.opcode != "get-tuple-element":
                    last = max(last, self._until(user))
        return last

    def _passed(self, user: int, number: int, at: int, part: tuple[int, ...]) -> tuple[int, ...] | None:
        """Which part of what the user gives is the same memory, None for none."""
        one = self.placed[user].instruction
        if one.opcode == "tuple":
            return (number, *part) if len(part) < _MAX_DEPTH else None
        if one.opcode == "get-tuple-element":
            return part[1:] if part[:1] == (one.element,) else None
        if one.opcode.endswith("-done"):
            # What is copied stays with the start, whose result has what it becomes first.
            return part[1:] if part[:1] == (0,) else None
        return part if one.opcode in _PASSES_ON else None

    def _until(self, user: int) -> int:
        """What is read by something that is started is read until that is done."""
        if not self.placed[user].instruction.opcode.endswith("-start"):
            return user
        return max((done for done, _ in self._users[user]), default=user)


def ranges(order: Order, replay: Replay, made: Made) -> dict[int, tuple[int, int]]:
    """Of each place in memory the first and the last instruction, where the order has them."""
    found = {}
    least, most = _bounds(order, replay)
    for of, life in replay.lives.items():
        first = order.by_name.get(replay.events[life.first].instruction)
        if first is None:
            continue
        found[of] = first, max(first, _last(order, life, made, (least, most)))
    return found


def _last(order: Order, life: Life, made: Made, bounds: tuple[list[int], list[int]]) -> int:
    if life.last >= len(bounds[0]):
        return len(order.placed) - 1
    used = max((order.used_last(*made[buffer]) for buffer in life.buffers if buffer in made), default=0)
    least, most = bounds[0][life.last], bounds[1][life.last]
    return min(max(used, least), max(most, least))


def _bounds(order: Order, replay: Replay) -> tuple[list[int], list[int]]:
    """Of each event the earliest and the latest place at which it can be: what makes a buffer before, and after it."""
    places = [None if event.kind == FREE else order.by_name.get(event.instruction) for event in replay.events]
    least, most = [0] * len(places), [0] * len(places)
    reached, ahead = 0, len(order.placed) - 1
    for i, place in enumerate(places):
        reached = least[i] = max(reached, place or 0)
    for i in range(len(places) - 1, -1, -1):
        place = places[i]
        most[i] = ahead if place is None else place
        if place is not None:
            ahead = min(ahead, place - 1)
    return least, most


# An XLA program's parameters and outputs → which parameters could give their memory to an output.
#
# A parameter that the caller donates (`donate_argnums` of `jax.jit`) takes no memory beside the output of its type and
# shape that is written over it. Each output is given once; what the program aliases already is not counted.

#: HloModuleProto.input_output_alias, buffer_donor; their entries; of these: parameter, index in it.
_ALIASES, _DONORS, _ENTRIES = 8, 18, 1
_ALIAS_FIELDS, _DONOR_FIELDS = (2, 3), (1, 2)

Index: TypeAlias = tuple[int, tuple[int, ...]]
Array: TypeAlias = tuple[str, tuple[int, ...]]


class Given(NamedTuple):
    """A parameter or an output: its row, bytes, and what frameworks know of its shape."""

    row: int
    size: int
    array: Array


def donated(program: Program) -> set[Index]:
    """Parameters that are donated: by number, and index in a tuple."""
    found: set[Index] = set()
    for field, (number, index) in ((_ALIASES, _ALIAS_FIELDS), (_DONORS, _DONOR_FIELDS)):
        span = program.in_module(field)
        for entry in program.spans(*span, _ENTRIES) if span else ():
            found.add(_entry(program, entry, number, index))
    return found


def _entry(program: Program, span: Span, number: int, index: int) -> Index:
    lists = program.lists(*span)
    return next(iter(lists.get(number, [])), 0), tuple(lists.get(index, []))


def donations(parameters: Sequence[Given], outputs: Sequence[Given]) -> dict[int, int]:
    """Row of each parameter that could be donated → bytes that this saves: those of the output. Largest first."""
    free: dict[Array, list[int]] = defaultdict(list)
    for output in sorted(outputs, key=lambda one: one.size):
        free[output.array].append(output.size)
    found = {}
    for one in sorted(parameters, key=lambda one: -one.size):
        if one.array[0] not in ("", "tuple") and free.get(one.array):
            found[one.row] = free[one.array].pop()
    return found


# A temporary buffer of an XLA program → whether computing it again would be cheap, and free memory at the peak.
#
# It would where its producer only broadcasts, counts (iota) or computes element by element, also as a fusion of such;
# where it lives over a quarter of the program or more, and beyond the peak on both sides, at which nothing uses it;
# where less is live when it is used last; and where all that it is computed from is still there then.

LONG = Threshold(
    "long",
    0.25,
    "share",
    "a buffer that lives for less of the program's instructions is used where it is made: nothing frees its memory "
    "in between",
    "forward and backward pass lie half of the program apart",
)
_BROADCASTS = ("broadcast", "iota")
_ELEMENTWISE = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "negate", "abs", "sign"),
        *("and", "or", "xor", "not", "compare", "select", "clamp", "convert", "is-finite", "reduce-precision"),
        *("floor", "ceil", "round-nearest-afz", "round-nearest-even", "real", "imag", "complex", "popcnt"),
        *("shift-left", "shift-right-arithmetic", "shift-right-logical", "count-leading-zeros", "power", "atan2"),
        *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "tanh", "tan", "sine", "cosine"),
        *("sqrt", "rsqrt", "cbrt", "erf", "bitcast-convert"),
    )
)
_FREE = ("parameter", "constant", "bitcast", "reshape", "tuple", "get-tuple-element")
_VIEWS = ("bitcast", "get-tuple-element", "copy-done")
#: Instructions of a fusion that are looked at; steps back through views.
_MOST, _MAX_STEPS_RECOMPUTED = 1000, 20


def cheap(program: Program, placed: Placed) -> str:
    """`broadcast`, `iota` or `elementwise`, else empty."""
    one = placed.instruction
    if one.opcode in _BROADCASTS:
        return one.opcode
    if one.opcode in _ELEMENTWISE:
        return "elementwise"
    inner = program.computations.get(one.called[0]) if one.opcode == "fusion" and one.called else None
    if inner is None or len(inner.instructions) > _MOST:
        return ""
    codes = {each.opcode for each in inner.instructions.values()} - set(_FREE)
    if not codes or not codes <= {*_BROADCASTS, *_ELEMENTWISE}:
        return ""
    return "elementwise" if codes - set(_BROADCASTS) else "iota" if codes == {"iota"} else "broadcast"


def frees(order: Order, place: tuple[int, int], peak: int, ends: Mapping[int, int]) -> bool:
    """Whether its memory would be free at the peak. place: of its first and its last instruction; ends: until where
    what an instruction makes is in memory, by the instruction's place.
    """
    first, last = place
    if not first < peak < last or last - first < LONG.value * len(order.placed):
        return False
    if first in _sources(order, peak):
        return False
    return all(ends.get(at, -1) >= last for at in _sources(order, first))


def _sources(order: Order, place: int) -> set[int]:
    """Places of what makes the operands of an instruction."""
    _, computation, one = order.placed[place]
    found = set()
    for operand in one.operands:
        at = order.by_key.get((computation, operand))
        for _ in range(_MAX_STEPS_RECOMPUTED):
            if at is None or order.placed[at].instruction.opcode not in _VIEWS:
                break
            operands = order.placed[at].instruction.operands
            at = order.by_key.get((computation, operands[0])) if operands else None
        if at is not None:
            found.add(at)
    return found


PARAMETER, OUTPUT, CONSTANT, TEMPORARY, THREAD_LOCAL = "parameter", "output", "constant", "temporary", "thread-local"
KINDS = (PARAMETER, OUTPUT, TEMPORARY, CONSTANT, THREAD_LOCAL)
#: What a buffer could do for the peak.
DONATE, RECOMPUTE = "donate", "recompute"


class Held(NamedTuple):
    """A place in memory, and its first buffer. first, last: places in the order of instructions, None where unknown.

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

    def use(self, color: int) -> Use:
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
        """An allocation that several buffers share in other ways than in turn is not distinguished."""
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
