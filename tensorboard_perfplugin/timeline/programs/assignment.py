"""An XLA program → where its buffers are in memory, and when: HloProto.buffer_assignment.

Read are its logical buffers, its allocations with what is assigned to them, and the events of its heap simulations."""

from __future__ import annotations

from typing import NamedTuple

from ...wire import Span, signed
from .reader import _LONGEST, Reader

#: HloProto.buffer_assignment; BufferAssignmentProto.
_ASSIGNMENT, _BUFFERS, _ALLOCATIONS, _TRACES = 3, 1, 3, 4
#: LogicalBufferProto; its Location.
_ID, _SIZE, _DEFINED_AT, _COLOR, _LOCATION_NAME, _LOCATION_INDEX, _LOCATION_ID = 1, 2, 3, 4, 2, 3, 4
#: BufferAllocationProto.
_INDEX, _ALLOCATION_SIZE, _THREAD_LOCAL, _PARAMETER, _NUMBER, _LIVE_OUT, _ALLOCATION_COLOR = 1, 2, 3, 5, 6, 7, 8
_ASSIGNED, _NUMBER_INDEX, _TUPLE, _CONSTANT, _ALIASED = 9, 10, 11, 12, 13
#: Its Assigned.
_ASSIGNED_BUFFER, _OFFSET = 1, 2
#: HeapSimulatorTrace; its Event.
_EVENTS, _KIND, _EVENT_BUFFER, _EVENT_NAME, _SHARED = 1, 1, 2, 4, 5
ALLOC, FREE, SHARE = 0, 1, 2
#: Sizes beyond this are none, 2 TiB: sums of all that a file can name fit into 64 bits.
_LARGEST = 1 << 41
#: Deeper into a tuple no index leads.
_MAX_INDEX = 64


class LogicalBuffer(NamedTuple):
    """A value of the program. at: the instruction that makes it; part: which of its result, where that is a tuple.

    instruction: its name where the file gives it, else empty and `at` is its id.
    """

    key: int
    size: int
    color: int
    instruction: str
    at: int
    part: tuple[int, ...]


class Allocation(NamedTuple):
    """A piece of memory that the program holds while it runs; color: the number of its memory space.

    assigned: the buffers in it, by id, with their offsets.
    """

    number: int
    size: int
    color: int
    is_thread_local: bool
    is_parameter: bool
    is_constant: bool
    is_tuple: bool
    is_live_out: bool
    is_aliased: bool
    parameter: int
    parameter_part: tuple[int, ...]
    assigned: tuple[tuple[int, int], ...]

    @property
    def is_temporary(self) -> bool:
        """What the program needs only while it runs."""
        return not (self.is_thread_local or self.is_parameter or self.is_constant or self.is_live_out)


class HeapEvent(NamedTuple):
    """kind: ALLOC, FREE or SHARE. instruction: that makes the buffer. shared: the buffer whose memory SHARE takes."""

    kind: int
    buffer: int
    instruction: str
    shared: int


class BufferAssignment(NamedTuple):
    """Of one program. buffers: by id. traces: events of each heap simulation, in the program's order."""

    buffers: dict[int, LogicalBuffer]
    allocations: tuple[Allocation, ...]
    traces: tuple[tuple[HeapEvent, ...], ...]


def read_assignment(reader: Reader) -> BufferAssignment:
    """What there is of it; nothing where the program has none."""
    buffers: dict[int, LogicalBuffer] = {}
    allocations: list[Allocation] = []
    traces: list[tuple[HeapEvent, ...]] = []
    for whole in reader.spans(0, len(reader.data), _ASSIGNMENT):
        for number, begin, end in reader.fields(*whole):
            if end < 0:
                continue
            if number == _BUFFERS:
                buffer = _buffer(reader, (begin, end))
                buffers[buffer.key] = buffer
            elif number == _ALLOCATIONS:
                allocations.append(_allocation(reader, (begin, end)))
            elif number == _TRACES:
                traces.append(tuple(_event(reader, span) for span in reader.spans(begin, end, _EVENTS)))
    return BufferAssignment(buffers, tuple(allocations), tuple(traces))


def _buffer(reader: Reader, span: Span) -> LogicalBuffer:
    numbers = {_ID: 0, _SIZE: 0, _COLOR: 0}
    name, at, index = "", 0, list[int]()
    for number, value, high in reader.fields(*span):
        if high < 0:
            if number in numbers:
                numbers[number] = signed(value)
        elif number == _DEFINED_AT:
            for inner, part, until in reader.fields(value, high):
                if inner == _LOCATION_ID and until < 0:
                    at = signed(part)
                elif inner == _LOCATION_NAME and until >= 0:
                    name = reader.text(part, until, _LONGEST)
                elif inner == _LOCATION_INDEX:
                    index += [part] if until < 0 else reader.numbers(part, until)
    size = _bounded(numbers[_SIZE])
    return LogicalBuffer(numbers[_ID], size, numbers[_COLOR], name, at, tuple(index[:_MAX_INDEX]))


def _allocation(reader: Reader, span: Span) -> Allocation:
    numbers: dict[int, int] = {}
    index: list[int] = []
    assigned = []
    for number, value, high in reader.fields(*span):
        if number == _ASSIGNED and high >= 0:
            pair = {_ASSIGNED_BUFFER: 0, _OFFSET: 0}
            for inner, part, until in reader.fields(value, high):
                if inner in pair and until < 0:
                    pair[inner] = signed(part)
            assigned.append((pair[_ASSIGNED_BUFFER], pair[_OFFSET]))
        elif number == _NUMBER_INDEX:
            index += [value] if high < 0 else reader.numbers(value, high)
        elif high < 0:
            numbers[number] = signed(value)
    return Allocation(
        number=numbers.get(_INDEX, 0),
        size=_bounded(numbers.get(_ALLOCATION_SIZE, 0)),
        color=numbers.get(_ALLOCATION_COLOR, 0),
        is_thread_local=bool(numbers.get(_THREAD_LOCAL)),
        is_parameter=bool(numbers.get(_PARAMETER)),
        is_constant=bool(numbers.get(_CONSTANT)),
        is_tuple=bool(numbers.get(_TUPLE)),
        is_live_out=bool(numbers.get(_LIVE_OUT)),
        is_aliased=bool(numbers.get(_ALIASED)),
        parameter=numbers.get(_NUMBER, 0),
        parameter_part=tuple(index[:_MAX_INDEX]),
        assigned=tuple(assigned),
    )


def _event(reader: Reader, span: Span) -> HeapEvent:
    kind = buffer = shared = 0
    name = ""
    for number, value, high in reader.fields(*span):
        if high < 0:
            if number == _KIND:
                kind = value
            elif number == _EVENT_BUFFER:
                buffer = signed(value)
            elif number == _SHARED:
                shared = signed(value)
        elif number == _EVENT_NAME:
            name = reader.text(value, high, _LONGEST)
    return HeapEvent(kind, buffer, name, shared)


def _bounded(size: int) -> int:
    return size if 0 <= size <= _LARGEST else 0
