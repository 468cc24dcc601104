"""Bytes of a message → its fields, one by one, each with its place; what cannot be read is an error that says where.

For messages that the protobuf runtime refuses as a whole, or is not worth loading for. Groups are skipped. `Message`
(`message.py`) is the forgiving reader, which ends where this one raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ..messages import Message, message

Bytes: TypeAlias = bytes | memoryview

MAX_GROUPS = 100
VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = range(6)
_64_BITS = (1 << 64) - 1


class DamagedError(Exception):
    """What should begin here cannot be read. The argument is its position."""


class SpentError(Exception):
    """There are more fields than a budget allows."""


class Budget:
    """How many fields and packed numbers may still be read, of all messages together."""

    def __init__(self, left: int) -> None:
        self.left = left


class Field(NamedTuple):
    """One field. value: of a varint or a fixed one; begin, end: of its bytes; cut: there should be more of them."""

    at: int
    number: int
    wire: int
    value: int
    begin: int
    end: int
    cut: bool


def varint(data: Bytes, pos: int, end: int) -> tuple[int, int]:
    """A value and where it ends. Raises DamagedError where it is cut off, or takes over ten bytes."""
    value = 0
    for i, byte in enumerate(data[pos : min(pos + 10, end)]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value & _64_BITS, pos + i + 1
    raise DamagedError(pos)


def signed(value: int) -> int:
    """64 bits as a number with a sign."""
    return value - (1 << 64) if value >> 63 else value


def walk(data: Bytes, begin: int, end: int, budget: Budget | None = None) -> Iterator[Field]:
    """The fields in order. Raises DamagedError with the position of the first that cannot be read.

    budget: what may be read; SpentError is raised once it is used up.
    """
    at = begin
    while at < end:
        if budget is not None:
            budget.left -= 1
            if budget.left < 0:
                raise SpentError
        tag, first = data[at], data[at + 1] if at + 1 < end else 0x80
        # Nearly all: tag and length, or number, of one byte.
        if 7 < tag < 0x80 and first < 0x80 and tag & 7 == LENGTH and first <= end - at - 2:
            field = Field(at, tag >> 3, LENGTH, 0, at + 2, at + 2 + first, False)
        elif 7 < tag < 0x80 and first < 0x80 and tag & 7 == VARINT:
            field = Field(at, tag >> 3, VARINT, first, at + 1, at + 2, False)
        else:
            field = _any(data, at, end)
        yield field
        at = field.end


def _any(data: Bytes, at: int, end: int) -> Field:
    try:
        return read(data, at, end)
    except DamagedError:
        raise DamagedError(at) from None


def walk_sound(data: Bytes, begin: int, end: int, warnings: list[Message]) -> Iterator[Field]:
    """The fields before the first that cannot be read, which the warnings report; of many such places ten."""
    try:
        yield from walk(data, begin, end)
    except DamagedError as error:
        damage = message("wire_damaged", at=error.args[0])
        if damage not in warnings and len(warnings) < 10:
            warnings.append(damage)


def read(data: Bytes, at: int, end: int) -> Field:
    """The field that begins at `at`. Raises DamagedError."""
    tag, pos = varint(data, at, end)
    if tag < 8:
        raise DamagedError(at)
    if tag & 7 == GROUP:
        return Field(at, tag >> 3, GROUP, 0, pos, skip_group(data, pos, end), False)
    return read_value(data, at, tag, pos, end)


def read_value(data: Bytes, at: int, tag: int, pos: int, end: int) -> Field:
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


def skip_group(data: Bytes, pos: int, end: int) -> int:
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
