"""Bytes of a message → its fields, one by one, in plain Python: for what the protobuf runtime refuses as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MAX_GROUPS = 100
VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = range(6)


class DamagedError(Exception):
    """What should begin here cannot be read. The argument is its position."""


class Field(NamedTuple):
    """One field. value: of a varint or a fixed one; begin, end: of its bytes; cut: there should be more of them."""

    at: int
    number: int
    wire: int
    value: int
    begin: int
    end: int
    cut: bool


def varint(data: memoryview, pos: int, end: int) -> tuple[int, int]:
    value = 0
    for i, byte in enumerate(data[pos : min(pos + 10, end)]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value & (1 << 64) - 1, pos + i + 1
    raise DamagedError(pos)


def walk(data: memoryview, begin: int, end: int) -> Iterator[Field]:
    """The fields in order. Raises DamagedError with the position of the first that cannot be read."""
    at = begin
    while at < end:
        try:
            field = read(data, at, end)
        except DamagedError:
            raise DamagedError(at) from None
        yield field
        at = field.end


def walk_sound(data: memoryview, begin: int, end: int, warnings: list[str]) -> Iterator[Field]:
    """The fields before the first that cannot be read, which the warnings tell; of many such places ten."""
    try:
        yield from walk(data, begin, end)
    except DamagedError as error:
        text = f"The file is damaged at byte {error.args[0]:,}; what lies before it is read."
        if text not in warnings and len(warnings) < 10:
            warnings.append(text)


def read(data: memoryview, at: int, end: int) -> Field:
    tag, pos = varint(data, at, end)
    if tag < 8:
        raise DamagedError(at)
    if tag & 7 == GROUP:
        return Field(at, tag >> 3, GROUP, 0, pos, skip_group(data, pos, end), False)
    return read_value(data, at, tag, pos, end)


def read_value(data: memoryview, at: int, tag: int, pos: int, end: int) -> Field:
    """A field that is no group, whose value begins at `pos`."""
    number, wire = tag >> 3, tag & 7
    if wire == VARINT:
        value, after = varint(data, pos, end)
        return Field(at, number, wire, value, pos, after, False)
    if wire == LENGTH:
        length, pos = varint(data, pos, end)
        return Field(at, number, wire, 0, pos, min(pos + length, end), length > end - pos)
    size = {FIXED64: 8, FIXED32: 4}.get(wire, 0)
    if not size or end - pos < size:
        raise DamagedError(at)
    return Field(at, number, wire, int.from_bytes(data[pos : pos + size], "little"), pos, pos + size, False)


def skip_group(data: memoryview, pos: int, end: int) -> int:
    """Position after a group's end. Neither field number 0 nor an end of another number is damage: runtimes differ."""
    depth = 1
    while depth:
        tag, after = varint(data, pos, end)
        if tag & 7 == GROUP:
            depth += 1
            if depth > MAX_GROUPS:
                raise DamagedError(pos)
        elif tag & 7 == END_GROUP:
            depth -= 1
        else:
            field = read_value(data, pos, tag, after, end)
            if field.cut:
                raise DamagedError(pos)
            after = field.end
        pos = after
    return pos
