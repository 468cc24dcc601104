"""A few lines of Python → the bytes of an XLA program's buffer assignment, written field by field.

program(entry, more=schedule({1: [1, 2]})) + assignment(
    [value(1, 128, "x"), value(2, 64, "y")],
    [held(0, 128, {1: 0}, parameter=0), held(1, 64, {2: 0})],
    [[("alloc", 2, "y"), ("free", 2, "y")]],
)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.build_capture import chunk, number, text
from tests.build_program import ELEMENTS, packed

KINDS = {"alloc": 0, "free": 1, "share": 2}
Event = tuple[str, int, str] | tuple[str, int, str, int]


def tiled(element: str, *dimensions: int, tile: Sequence[int] = (8, 128), space: int = 0) -> bytes:
    """A shape in tiles, as on a TPU."""
    layout = packed(1, range(len(dimensions))[::-1]) + chunk(6, packed(1, tile)) + number(8, space)
    return number(2, ELEMENTS[element]) + packed(3, dimensions) + chunk(5, layout)


def value(key: int, size: int, by: str | int, part: Sequence[int] = (), color: int = 0) -> bytes:
    """A LogicalBufferProto. by: the instruction that makes it, by its name or its id."""
    where = text(2, by) if isinstance(by, str) else number(4, by)
    return number(1, key) + number(2, size) + chunk(3, where + packed(3, part)) + number(4, color)


def held(
    index: int,
    size: int,
    values: Mapping[int, int],
    *,
    parameter: int | None = None,
    part: Sequence[int] = (),
    out: bool = False,
    constant: bool = False,
    thread: bool = False,
    tuples: bool = False,
    aliased: bool = False,
    color: int = 0,
) -> bytes:
    """A BufferAllocationProto. values: id → offset."""
    return (
        number(1, index)
        + number(2, size)
        + number(3, thread)
        + number(5, parameter is not None)
        + number(6, parameter or 0)
        + number(7, out)
        + number(8, color)
        + b"".join(chunk(9, number(1, key) + number(2, offset)) for key, offset in values.items())
        + packed(10, part)
        + number(11, tuples)
        + number(12, constant)
        + number(13, aliased)
    )


def assignment(values: Sequence[bytes], allocations: Sequence[bytes], traces: Sequence[Sequence[Event]] = ()) -> bytes:
    """The field of an HloProto, to be put behind its module."""
    found = [chunk(1, one) for one in values] + [chunk(3, one) for one in allocations]
    found += [chunk(4, b"".join(chunk(1, _event(*event)) for event in events)) for events in traces]
    return chunk(3, b"".join(found))


def _event(kind: str, key: int, name: str, shared: int = 0) -> bytes:
    return number(1, KINDS[kind]) + number(2, key) + text(3, "entry") + text(4, name) + number(5, shared)


def schedule(orders: Mapping[int, Sequence[int]]) -> bytes:
    """A field of HloModuleProto: of each computation the ids of its instructions in order."""
    entries = [chunk(1, number(1, key) + chunk(2, packed(1, ids))) for key, ids in orders.items()]
    return chunk(7, b"".join(entries))


def aliases(*parameters: int) -> bytes:
    """A field of HloModuleProto: parameters whose memory outputs take."""
    return chunk(8, b"".join(chunk(1, packed(1, [0]) + number(2, one)) for one in parameters))


def donors(*parameters: int) -> bytes:
    return chunk(18, b"".join(chunk(1, number(1, one)) for one in parameters))
