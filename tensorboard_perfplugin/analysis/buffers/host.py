"""A timeline and the name of an XLA program → how this host's program uses memory, small enough to be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...errors import ArgumentError
from ...tables import PlaneKind, among
from ...timeline.programs.reader import Program, programs_of
from ...timeline.timeline import Timeline
from ...wire import Budget
from ..devices.peaks import device
from ..programs.table import ProgramTime, chosen_program, program_times, runs_on_devices
from .memory import DONATE, KINDS, RECOMPUTE, Held, ProgramMemory, Space, Use

#: Fields and numbers that are read of one program: of some 150,000 instructions, in some seconds.
MAX_FIELDS = 6_000_000
#: A program of one op has one name: `jit(add)/add`.
_SEVERAL = 2


class Row(NamedTuple):
    """A place in memory with its names. op, source: what the framework calls it, `file:line`. padded: what tiles round
    up, as `1000×3 → 1000×128`.
    """

    held: Held
    instruction: str
    opcode: str
    shape: str
    op: str
    source: str
    first: str
    last: str
    padded: str = ""


class Point(NamedTuple):
    """Of the curve: what is live after an event; of many events the one with most of its stretch."""

    event: int
    what: int
    instruction: str
    op: str
    live_bytes: int
    logical_bytes: int
    place: int | None


class OpUse(NamedTuple):
    """What buffers of one op take at the peak."""

    op: str
    source: str
    size: int
    buffers: int


class Saving(NamedTuple):
    """What would make the peak smaller: DONATE, RECOMPUTE or PADDING, by how much at most, and of what most.

    buffers: how many.
    """

    what: str
    size: int
    buffers: int
    largest: Row


class Shown(NamedTuple):
    """One program in one of its memories.

    capacity_bytes: of the least of the devices, where it runs on one. peak_event, peak_place: where the peak is, None
    where XLA does not tell. in_trace: whether events have the name of its instruction.
    """

    host: str
    program: str
    #: Without its id where no other program has its name.
    name: str
    space: Space
    #: Bytes that are alive at the peak, by kind.
    at_peak: dict[str, int]
    held_bytes: int
    spaces: tuple[Space, ...]
    capacity_bytes: int | None
    no_capacity: str
    peak_event: int | None
    peak_place: int | None
    peak_instruction: str
    peak_op: str
    peak_source: str
    in_trace: bool
    instructions: int
    events: int
    points: tuple[Point, ...]
    rows: tuple[Row, ...]
    row_count: int
    ops: tuple[OpUse, ...]
    op_count: int
    savings: tuple[Saving, ...]


class HostBuffers(NamedTuple):
    """programs: of the host, most time first. reason: why nothing is shown of the one that was chosen."""

    host: str
    programs: tuple[ProgramTime, ...]
    chosen: str
    shown: Shown | None
    reason: str


#: A saving that no single buffer is for.
PADDING = "padding"
TOO_LARGE = "the program is larger than what is read of one"
NO_ASSIGNMENT = "the capture holds this program without its buffer assignment"


def host_buffers(timeline: Timeline, asked: str, space: int | None, points: int, limit: int | None) -> HostBuffers:
    """space: number of the memory, None for the main one. limit: of rows. Raises ArgumentError for another space."""
    programs = tuple(one for one in program_times(timeline) if one.size_bytes)
    try:
        chosen = chosen_program(programs, asked)
    except ArgumentError:
        # Another host may have it.
        return HostBuffers(timeline.host, programs, "", None, "")
    memory = ProgramMemory(Program(programs_of(timeline).blobs[chosen], Budget(MAX_FIELDS)))
    if memory.program.budget.left <= 0:
        return HostBuffers(timeline.host, programs, chosen, None, TOO_LARGE)
    if not memory.colors:
        return HostBuffers(timeline.host, programs, chosen, None, NO_ASSIGNMENT)
    color = memory.colors[0] if space is None else space
    if color not in memory.colors:
        raise ArgumentError.with_choices(f"space={color}", [str(one) for one in memory.colors])
    shown = _Shower(timeline, chosen, memory).shown(color, points, limit)
    if memory.program.budget.left <= 0:
        return HostBuffers(timeline.host, programs, chosen, None, TOO_LARGE)
    return HostBuffers(timeline.host, programs, chosen, shown, "")


class _Shower:
    """Names what a program holds."""

    def __init__(self, timeline: Timeline, key: str, memory: ProgramMemory) -> None:
        self._timeline, self._key, self._memory = timeline, key, memory
        modules = [each.rpartition("(")[0] for each in programs_of(timeline).blobs]
        module = key.rpartition("(")[0]
        self._name = module if module and modules.count(module) == 1 else key

    def shown(self, color: int, points: int, limit: int | None) -> Shown:
        memory = self._memory
        uses = {each: memory.use(each) for each in memory.colors}
        use, place = uses[color], uses[color].peak_place
        held = use.held(donations=not self._is_one_op())
        op, source = self._named(place)
        name = memory.order.name(place)
        capacity, no_capacity = self._capacity(color)
        ops = self._ops([one for one in held if one.at_peak])
        return Shown(
            host=self._timeline.host,
            program=self._key,
            name=self._name,
            space=use.space(),
            at_peak={kind: sum(one.size for one in held if one.at_peak and one.kind == kind) for kind in KINDS},
            held_bytes=use.below_bytes,
            spaces=tuple(one.space() for one in uses.values()),
            capacity_bytes=capacity,
            no_capacity=no_capacity,
            peak_event=use.replay.peak if use.replay.peak >= 0 else None,
            peak_place=place,
            peak_instruction=name,
            peak_op=op,
            peak_source=source,
            in_trace=bool(name) and self._timeline.capture.strings.find(name) >= 0,
            instructions=len(memory.order.placed),
            events=len(use.replay.events),
            points=self._points(use, points),
            rows=tuple(self._row(one) for one in held[:limit]),
            row_count=len(held),
            ops=ops[:limit],
            op_count=len(ops),
            savings=self._savings(use, held),
        )

    def _row(self, held: Held) -> Row:
        memory = self._memory
        buffer = memory.assignment.buffers.get(held.buffer)
        placed = memory.placed(buffer)
        op, source = self._named(memory.place(buffer))
        return Row(
            held=held,
            instruction=_with_index(memory.name(buffer), buffer.part if buffer else ()),
            opcode=placed.instruction.opcode if placed else "",
            shape=memory.written(buffer).text,
            op=op,
            source=source,
            first=memory.order.name(held.first),
            last=memory.order.name(held.last),
            padded=memory.written(buffer).padded,
        )

    def _named(self, place: int | None) -> tuple[str, str]:
        """What the framework calls an instruction, and the line of the user's program that it comes from."""
        if place is None:
            return "", ""
        program, one = self._memory.program, self._memory.order.placed[place].instruction
        own = program.metadata(one)
        named = own if own.op_name else program.named(one.name) or own
        where = own if own.file else named
        return named.op_name, f"{where.file}:{where.line}" if where.file else ""

    def _points(self, use: Use, most: int) -> tuple[Point, ...]:
        """The first is what is held before; then events, or of each stretch of equally many the one with most."""
        replay = use.replay
        count = len(replay.events)
        if not count:
            return ()
        starts = np.unique(np.linspace(0, count, min(count, most - 1), endpoint=False).astype(np.int64))
        highest = [
            low + int(replay.live_bytes[low:high].argmax())
            for low, high in zip(starts.tolist(), [*starts[1:].tolist(), count], strict=False)
        ]
        before = Point(-1, -1, "", "", use.below_bytes, use.below_logical, None)
        return (before, *(self._point(use, i) for i in highest))

    def _point(self, use: Use, i: int) -> Point:
        event = use.replay.events[i]
        place = self._memory.order.by_name.get(event.instruction)
        live, logical = int(use.replay.live_bytes[i]), int(use.replay.logical_bytes[i])
        op, _ = self._named(place)
        return Point(i, event.kind, event.instruction, op, use.below_bytes + live, use.below_logical + logical, place)

    def _ops(self, held: Sequence[Held]) -> tuple[OpUse, ...]:
        sums: dict[str, OpUse] = {}
        for one in held:
            op, source = self._named(self._memory.place(self._memory.assignment.buffers.get(one.buffer)))
            before = sums.get(op, OpUse(op, source, 0, 0))
            sums[op] = OpUse(op, before.source or source, before.size + one.size, before.buffers + 1)
        return tuple(sorted(sums.values(), key=lambda each: (-each.size, each.op)))

    def _savings(self, use: Use, held: Sequence[Held]) -> tuple[Saving, ...]:
        """Largest first; each as if it were the only one."""
        at_peak = [one for one in held if one.at_peak]
        found = {what: [one for one in at_peak if one.saves == what] for what in (DONATE, RECOMPUTE)}
        found[PADDING] = [one for one in at_peak if one.size > one.logical_bytes]
        sizes = {
            DONATE: sum(one.saved_bytes for one in found[DONATE]),
            RECOMPUTE: use.peak_bytes - use.without_recomputed(found[RECOMPUTE]),
            PADDING: use.peak_bytes - use.peak_logical,
        }
        savings = []
        for what, of in found.items():
            if of and sizes[what] > 0:
                largest = max(of, key=lambda one: one.size - one.logical_bytes if what == PADDING else one.saved_bytes)
                savings.append(Saving(what, sizes[what], len(of), self._row(largest)))
        return tuple(sorted(savings, key=lambda each: (-each.size, each.what)))

    def _is_one_op(self) -> bool:
        """Whether all instructions come from one op of the user: JAX runs it by itself, and donates nothing."""
        placed = [one for one in self._memory.order.placed if one.instruction.opcode not in ("parameter", "constant")]
        names: set[str] = set()
        for one in placed:
            name = self._memory.program.metadata(one.instruction).op_name
            names |= {name} if name else set()
            if len(names) >= _SEVERAL:
                return False
        return True

    def _capacity(self, color: int) -> tuple[int | None, str]:
        """Of the least device that it could be on, and why it is not known."""
        capture = self._timeline.capture
        if color:
            return None, "the capture knows the size of the main memory only"
        if not runs_on_devices(self._timeline, self._key):
            return None, "the program ran on the host"
        kinds = capture.planes.kind
        planes = np.flatnonzero(among(kinds, (PlaneKind.GPU, PlaneKind.TPU))).tolist()
        sizes = [device(PlaneKind(int(kinds[plane])), capture.plane_values(plane)).memory_bytes for plane in planes]
        known = [size for size in sizes if size]
        if not planes:
            return None, "this capture holds no device"
        return (min(known), "") if known else (None, "the capture does not record the size of its devices' memory")


def _with_index(name: str, index: tuple[int, ...]) -> str:
    """`while.6{1}`, as XLA writes a part of a tuple."""
    return f"{name}{{{','.join(map(str, index))}}}" if index and name else name
