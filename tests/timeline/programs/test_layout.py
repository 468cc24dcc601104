"""Shapes of a program's buffers: as XLA writes them, and their bytes without padding."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import Program, Shapes, Written, written
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import tiled
from tests.build_capture import chunk, number
from tests.build_program import ELEMENTS, packed, shape, tuple_of


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
