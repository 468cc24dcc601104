"""Bytes of protobuf messages, sound and not, and what the exact and the forgiving reader make of them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin import messages
from tensorboard_perfplugin.wire import (
    LENGTH,
    VARINT,
    Budget,
    DamagedError,
    Field,
    Message,
    SpentError,
    short_fields,
    varint,
    walk,
    walk_sound,
)
from tensorboard_perfplugin.wire.checksum import crc32c
from tests.build_capture import chunk, number
from tests.build_capture import varint as written

#: Field 1: 300; field 2: b"ab"; field 200: 1; field 3: four fixed bytes; field 4: an empty group.
SOUND = number(1, 300) + chunk(2, b"ab") + written(200 << 3) + b"\x01" + b"\x1d\1\0\0\0" + b"\x23\x24"


def test_fields_with_their_places() -> None:
    assert list(walk(SOUND, 0, len(SOUND))) == [
        Field(0, 1, VARINT, 300, 1, 3, False),
        Field(3, 2, LENGTH, 0, 5, 7, False),
        Field(7, 200, VARINT, 1, 9, 10, False),
        Field(10, 3, 5, 1, 11, 15, False),
        Field(15, 4, 3, 0, 16, 17, False),
    ]


def test_the_forgiving_reader_skips_fixed_ones_and_ends_at_groups() -> None:
    message = Message(SOUND, Budget(100))
    assert list(message.fields(0, len(SOUND))) == [(1, 300, -1), (2, 5, 7), (200, 1, -1)]
    assert list(message.spans(0, len(SOUND), 2)) == [(5, 7)]
    assert message.text(5, 7, 1) == "a"
    assert list(short_fields(SOUND)) == [(1, 300), (2, b"ab"), (200, 1)]


@pytest.mark.parametrize(
    ("data", "position", "forgiven"),
    [
        (number(1, 5) + b"\x08", 2, [(1, 5, -1), (1, 0, -1)]),
        (number(1, 5) + b"\x08" + b"\xff" * 10, 2, [(1, 5, -1), (1, (1 << 64) - 1, -1)]),
        (number(1, 5) + b"\x0e", 2, [(1, 5, -1)]),
        (number(1, 5) + b"\x00\x00", 2, [(1, 5, -1), (0, 0, -1)]),
    ],
    ids=["cut", "too_long", "no_such_wire_type", "field_0"],
)
def test_damage(data: bytes, position: int, forgiven: list[tuple[int, int, int]]) -> None:
    with pytest.raises(DamagedError) as error:
        list(walk(data, 0, len(data)))
    assert error.value.args == (position,)
    assert list(Message(data, Budget(100)).fields(0, len(data))) == forgiven
    warnings: list[messages.Message] = []
    assert [field.value for field in walk_sound(data, 0, len(data), warnings)] == [5]
    assert warnings == [messages.message("wire_damaged", at=position)]


def test_a_length_past_the_end_is_cut_or_left_out() -> None:
    data = number(1, 5) + b"\x12\x09ab"
    assert list(walk(data, 0, len(data)))[1] == Field(2, 2, LENGTH, 0, 4, 6, True)
    assert list(Message(data, Budget(100)).fields(0, len(data))) == [(1, 5, -1)]


def test_a_budget_is_of_all_messages_together() -> None:
    data, budget = number(1, 5) * 3, Budget(4)
    assert len(list(walk(data, 0, len(data), budget))) == 3
    with pytest.raises(SpentError):
        list(walk(data, 0, len(data), budget))
    budget = Budget(4)
    assert [len(list(Message(data, budget).fields(0, len(data)))) for _ in range(3)] == [3, 1, 0]


def test_packed_numbers_have_signs() -> None:
    packed = written(3) + written((1 << 64) - 1) + written(300)
    assert list(Message(packed, Budget(9)).numbers(0, len(packed))) == [3, -1, 300]


@given(st.binary(max_size=60))
def test_any_bytes_end(data: bytes) -> None:
    """Whatever they are: as fields that lie one behind the other, or as damage."""
    end, damaged_at = 0, len(data)
    try:
        for field in walk(data, 0, len(data)):
            assert field.at == end < field.end <= len(data)
            end = field.end
    except DamagedError as error:
        damaged_at = error.args[0]
    assert end == damaged_at
    assert len(list(Message(data, Budget(100)).fields(0, len(data)))) <= 60


@given(st.integers(0, (1 << 64) - 1), st.binary(max_size=3))
def test_varints(value: int, rest: bytes) -> None:
    data = written(value)
    assert varint(data + rest, 0, len(data + rest)) == (value, len(data))


def test_the_room_is_light() -> None:
    code = "import sys, tensorboard_perfplugin.formats; print([n for n in ('numpy', 'google') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("depth", "is_read"), [(100, True), (101, False)])
def test_groups_in_groups(depth: int, is_read: bool) -> None:
    data = b"\x0b" * depth + b"\x0c" * depth
    warnings: list[messages.Message] = []
    assert len(list(walk_sound(data, 0, len(data), warnings))) == is_read
    assert bool(warnings) == (not is_read)


@pytest.mark.parametrize(("before", "is_read"), [(4_094, True), (4_095, False)])
def test_how_much_is_read_of_a_message_in_a_stat(before: int, is_read: bool) -> None:
    """A field of two bytes after one of so many."""
    data = chunk(2, b"x" * (before - 3)) + number(1, 5)
    assert ((1, 5) in short_fields(data)) == is_read


@pytest.mark.parametrize(("data", "expected"), [(b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA)])
def test_checksums_of_rfc_3720(data: bytes, expected: int) -> None:
    assert crc32c(data) == expected
