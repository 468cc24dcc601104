"""Where XLA puts a program's buffers, field by field."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import Allocation, HeapEvent, LogicalBuffer, Program, read_assignment
from tensorboard_perfplugin.timeline.programs import BufferAssignment
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import assignment, held, value

TIB = 1 << 40


def read(message: bytes) -> BufferAssignment:
    return read_assignment(Program(message, Budget(10_000)))


def test_buffers() -> None:
    found = read(assignment([value(7, 64, "x", (1, 0), color=5), value(8, 32, 11)], []))
    assert found.buffers == {7: LogicalBuffer(7, 64, 5, "x", 0, (1, 0)), 8: LogicalBuffer(8, 32, 0, "", 11, ())}


PLAIN = Allocation(3, 64, 0, False, False, False, False, False, False, 0, (), ())


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (held(3, 64, {}), PLAIN),
        (held(3, 64, {7: 0, 8: 32}), PLAIN._replace(assigned=((7, 0), (8, 32)))),
        (
            held(3, 64, {}, parameter=2, part=(1, 0)),
            PLAIN._replace(is_parameter=True, parameter=2, parameter_part=(1, 0)),
        ),
        (held(3, 64, {}, out=True), PLAIN._replace(is_live_out=True)),
        (held(3, 64, {}, constant=True), PLAIN._replace(is_constant=True)),
        (held(3, 64, {}, thread=True), PLAIN._replace(is_thread_local=True)),
        (held(3, 64, {}, tuples=True), PLAIN._replace(is_tuple=True)),
        (held(3, 64, {}, aliased=True), PLAIN._replace(is_aliased=True)),
        (held(3, 64, {}, color=9), PLAIN._replace(color=9)),
    ],
)
def test_an_allocation(message: bytes, expected: Allocation) -> None:
    assert read(assignment([], [message])).allocations == (expected,)


def test_events() -> None:
    found = read(assignment([], [], [[("alloc", 7, "x"), ("share", 8, "y", 7)], [("free", 8, "y")]]))
    assert found.traces == ((HeapEvent(0, 7, "x", 0), HeapEvent(2, 8, "y", 7)), (HeapEvent(1, 8, "y", 0),))


def test_sizes_and_indices_that_no_memory_has_are_cut() -> None:
    """Sizes of over two tebibytes, and 64 tuples within each other."""
    given = [(1 << 41, range(64)), ((1 << 41) + 1, range(65))]
    found = [read(assignment([value(1, size, "x", part)], [held(0, size, {}, part=part)])) for size, part in given]
    assert [(one.buffers[1].size, one.allocations[0].size) for one in found] == [(1 << 41, 1 << 41), (0, 0)]
    assert {part for one in found for part in (one.buffers[1].part, one.allocations[0].parameter_part)} == {
        tuple(range(64))
    }
