"""Buffers of a program: shapes as XLA writes them, what they take in tiles, and where they are put."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.timeline.programs.assignment import (
    Allocation,
    BufferAssignment,
    HeapEvent,
    LogicalBuffer,
    read_assignment,
)
from tensorboard_perfplugin.timeline.programs.costs import Moved
from tensorboard_perfplugin.timeline.programs.layout import Array, Tiles, Written, written
from tensorboard_perfplugin.timeline.programs.reader import Program
from tensorboard_perfplugin.timeline.programs.syntax import Shapes
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import assignment, held, tiled, value
from tests.build_capture import chunk, number
from tests.build_program import ELEMENTS, computation, instruction, packed, program, shape, tuple_of

JOINED = -(1 << 63)
EIGHT = (8, 128)


def layout(
    element: str, sizes: Sequence[int], *tiles: Sequence[int], order: Sequence[int] | None = None, more: bytes = b""
) -> bytes:
    """order: of dimensions, the most minor one first."""
    order = range(len(sizes))[::-1] if order is None else order
    fields = packed(1, order) + b"".join(chunk(6, _signed(tile)) for tile in tiles) + more
    return number(2, ELEMENTS[element]) + packed(3, sizes) + chunk(5, fields)


def _signed(tile: Sequence[int]) -> bytes:
    return packed(1, [size % (1 << 64) for size in tile])


def arrays(message: bytes) -> tuple[Array, ...]:
    of = Program(program(computation(1, [instruction(1, "x", "parameter", message)]), entry=1), Budget(10_000))
    one = of.find("x")
    assert one is not None
    return Tiles(of).arrays(one)


@pytest.mark.parametrize(
    ("message", "logical", "allocated", "sizes"),
    [
        (layout("f32", (16, 256), EIGHT), 16384, 16384, ""),
        #: A row of 3 takes 128 elements.
        (layout("f32", (8, 3), EIGHT), 96, 4096, "8×3 → 8×128"),
        (layout("f32", (1000, 3), EIGHT), 12000, 512_000, "1000×3 → 1000×128"),
        (layout("f32", (1, 130), EIGHT), 520, 8192, "1×130 → 8×256"),
        #: Only the last two dimensions are in the tile.
        (layout("f32", (5, 9, 128), EIGHT), 23040, 5 * 16 * 128 * 4, "5×9×128 → 5×16×128"),
        #: The first dimension is the most minor one.
        (layout("f32", (3, 8), EIGHT, order=(0, 1)), 96, 4096, "3×8 → 128×8"),
        (layout("f32", (2, 7, 130), EIGHT, order=(1, 2, 0)), 7280, 2 * 136 * 128 * 4, "2×7×130 → 2×128×136"),
        #: Pairs of rows of 16 bits share words.
        (layout("bf16", (9, 100), EIGHT, (2, 1)), 1800, 16 * 128 * 2, "9×100 → 16×128"),
        (layout("bf16", (1, 100), (2, 128), (2, 1)), 200, 2 * 128 * 2, "1×100 → 2×128"),
        #: The second tile rounds up what the first one leaves: 3 rows are 4.
        (layout("f32", (3, 128), (3, 128), (2, 1)), 1536, 4 * 128 * 4, ""),
        (layout("f32", (), (128,)), 4, 512, ""),
        (layout("f32", (3,), (128,)), 12, 512, "3 → 128"),
        #: A vector in tiles of two dimensions is one row.
        (layout("f32", (3,), EIGHT), 12, 4096, "3 → 128"),
        #: 3 × 5 × 7 elements with the first two joined: 15 rows, in tiles of 8.
        (layout("f32", (3, 5, 7), (JOINED, 8, 128)), 420, 16 * 128 * 4, "3×5×7 → 3×5×128"),
        (layout("u8", (6,), more=number(7, 4)), 3, 3, ""),
        (layout("u8", (6,), (128,), more=number(7, 4)), 3, 64, "6 → 128"),
        #: A multiple of 200 elements at the end.
        (layout("u8", (3,), (128,), more=number(16, 200)), 3, 200, "3 → 128"),
        (shape("f32", 8, 3), 96, 96, ""),
        (layout("f32", (0, 3), EIGHT), 0, 0, "0×3 → 0×128"),
    ],
)
def test_bytes_with_and_without_padding(message: bytes, logical: int, allocated: int, sizes: str) -> None:
    (array,) = arrays(message)
    assert (array.bytes, array.allocated) == (logical, allocated)
    assert array.sizes == sizes


def test_parts_of_tuples_one_by_one() -> None:
    nested = tuple_of(tiled("f32", 8, 3), tuple_of(shape("u8", 5), tiled("f32", 8, 128)))
    assert [(one.bytes, one.padding, one.in_tiles) for one in arrays(nested)] == [
        (96, 4000, True),
        (5, 0, False),
        (4096, 0, True),
    ]


@pytest.mark.parametrize(
    "message",
    [
        layout("f32", (8, 3), (0, 128)),
        layout("f32", (8, 3), (8, -2)),
        layout("f32", (8, 3), (8, JOINED)),
        layout("f32", (8, 3), EIGHT, order=(1, 1)),
        layout("f32", (8, 3), EIGHT, order=(1,)),
        layout("f32", (8, 3), *[EIGHT] * 9),
        layout("f32", (8, 3), (1 << 47, 1 << 47)),
        layout("f32", (8, 3), [1] * 65),
        layout("f32", (1 << 40, 1 << 40), EIGHT),
        layout("f32", [1 << 48] * 64, [1 << 48] * 64),
        layout("f32", [2] * 65, EIGHT),
    ],
)
def test_layouts_that_cannot_be_are_unknown(message: bytes) -> None:
    (array,) = arrays(message)
    assert math.isnan(array.allocated)


def test_many_tuples_in_tuples_are_bounded() -> None:
    message = shape("u8", 1)
    for _ in range(40):
        message = tuple_of(message, message) if len(message) < 10_000 else tuple_of(message)
    assert len(arrays(message)) <= 4096


def test_what_an_execution_moves_with_padding() -> None:
    """An addition reads twice 8 × 3 and writes as much, in tiles of 8 × 128; a slice moves what it takes, twice."""
    wide, narrow = tiled("f32", 8, 256), tiled("f32", 8, 3)
    body = [
        instruction(1, "x", "parameter", narrow),
        instruction(2, "sum", "add", narrow, (1, 1)),
        instruction(3, "w", "parameter", wide),
        instruction(4, "cut", "slice", narrow, (3,)),
    ]
    of = Program(program(computation(1, body), entry=1), Budget(10_000))
    elements, allocated = Moved(of), Moved(of, tiles=Tiles(of))
    around = of.around("sum")
    assert [(elements.bytes_of(around[i], around), allocated.bytes_of(around[i], around)) for i in (2, 4)] == [
        (3 * 96, 3 * 4096),
        (2 * 96, 2 * 4096),
    ]


def of(message: bytes, *part: int) -> Written:
    reader = Program(message, Budget(10_000))
    return written(reader, Shapes(reader), (0, len(message)), part)


@pytest.mark.parametrize(
    ("message", "text", "size"),
    [
        (tiled("f32", 8, 3), "f32[8,3]{1,0:T(8,128)}", 96),
        (tiled("bf16", 5, 7, tile=(8, 128), space=5), "bf16[5,7]{1,0:T(8,128)S(5)}", 70),
        (shape("pred", 3), "pred[3]{0}", 3),
        (shape("f32"), "f32[]", 4),
        (shape("s4", 3), "s4[3]{0}", 2),
        (shape("f32", 0, 8), "f32[0,8]{1,0}", 0),
        (shape("token"), "token[]", None),
        (tuple_of(shape("f32", 2), shape("s32")), "(f32[2]{0}, s32[])", None),
    ],
)
def test_text_and_bytes(message: bytes, text: str, size: int | None) -> None:
    found = of(message)
    assert (found.text, found.logical_bytes) == (text, size)


def test_a_part_of_a_tuple() -> None:
    nested = tuple_of(shape("f32", 2), tuple_of(shape("u8", 5)))
    assert of(nested, 1, 0) == Written("u8[5]{0}", 5, ("u8", (5,)))
    for nowhere in ((2,), (1, 1), (0, 0), (1, 0, 0)):
        assert of(nested, *nowhere) == Written("", None, ("", ()))


def test_a_long_tuple_is_cut() -> None:
    text = of(tuple_of(*[shape("f32", 2)] * 1000)).text
    assert len(text) == 401
    assert text.endswith("…")


def test_bits_of_an_element_are_the_layouts() -> None:
    def sized(elements: int, bits: int) -> int | None:
        layout = chunk(5, packed(1, [0]) + number(7, bits))
        return of(number(2, ELEMENTS["u8"]) + packed(3, [elements]) + layout).logical_bytes

    # More than 1024 are none: an element has one byte.
    assert [sized(6, 4), sized(8, 1024), sized(8, 1025)] == [3, 1024, 1024]


def test_more_than_2_to_the_48th_elements_are_unknown() -> None:
    sizes = {(1 << 48,): 1 << 50, ((1 << 48) + 1,): None, (1 << 47, 3): None, (1 << 62,): None, (-1,): None}
    assert {given: of(shape("f32", *given)).logical_bytes for given in sizes} == sizes


def read(message: bytes) -> BufferAssignment:
    return read_assignment(Program(message, Budget(10_000)))


def test_buffers() -> None:
    found = read(assignment([value(7, 64, "x", (1, 0), color=5), value(8, 32, 11)], []))
    assert found.buffers == {7: LogicalBuffer(7, 64, 5, "x", 0, (1, 0)), 8: LogicalBuffer(8, 32, 0, "", 11, ())}


PLAIN = Allocation(3, 64, 0, False, False, False, False, False, False, 0, (), ())


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


def test_allocations() -> None:
    given = {
        held(3, 64, {}): PLAIN,
        held(3, 64, {7: 0, 8: 32}): PLAIN._replace(assigned=((7, 0), (8, 32))),
        held(3, 64, {}, parameter=2, part=(1, 0)): PLAIN._replace(
            is_parameter=True, parameter=2, parameter_part=(1, 0)
        ),
        held(3, 64, {}, out=True): PLAIN._replace(is_live_out=True),
        held(3, 64, {}, constant=True): PLAIN._replace(is_constant=True),
        held(3, 64, {}, thread=True): PLAIN._replace(is_thread_local=True),
        held(3, 64, {}, tuples=True): PLAIN._replace(is_tuple=True),
        held(3, 64, {}, aliased=True): PLAIN._replace(is_aliased=True),
        held(3, 64, {}, color=9): PLAIN._replace(color=9),
    }
    assert read(assignment([], list(given))).allocations == tuple(given.values())
