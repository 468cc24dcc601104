"""What arrays take in tiles, counted by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.timeline.programs import Array, Moved, Program, Tiles
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import tiled
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
    assert [(elements.of(around[i], around), allocated.of(around[i], around)) for i in (2, 4)] == [
        (3 * 96, 3 * 4096),
        (2 * 96, 2 * 4096),
    ]
