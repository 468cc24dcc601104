"""Bytes of a message → its fields, one by one, in plain Python: for what the protobuf runtime refuses as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MAX_GROUPS = 100
VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = range(6)


class Damaged(Exception):
    """What should begin here cannot be read. The argument is its position."""


class Field(NamedTuple):
    """One field. value: of a varint or a fixed one; begin, end: where its bytes lie; cut: they end where the data does."""

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
    raise Damaged(pos)


def tag(data: memoryview, pos: int, end: int) -> tuple[int, int, int]:
    value, pos = varint(data, pos, end)
    if not 8 <= value <= 0xFFFFFFFF:
        raise Damaged(pos)
    return value >> 3, value & 7, pos


def walk(data: memoryview, begin: int, end: int) -> Iterator[Field]:
    """The fields in order. Raises Damaged with the position of the first that cannot be read."""
    at = begin
    while at < end:
        try:
            field = read(data, at, end)
        except Damaged:
            raise Damaged(at) from None
        yield field
        at = field.end


def read(data: memoryview, at: int, end: int) -> Field:
    number, wire, pos = tag(data, at, end)
    if wire == VARINT:
        value, after = varint(data, pos, end)
        return Field(at, number, wire, value, pos, after, False)
    if wire == LENGTH:
        length, pos = varint(data, pos, end)
        return Field(at, number, wire, 0, pos, min(pos + length, end), length > end - pos)
    if wire == GROUP:
        return Field(at, number, wire, 0, pos, skip_group(data, pos, end), False)
    size = {FIXED64: 8, FIXED32: 4}.get(wire, 0)
    if not size or end - pos < size:
        raise Damaged(at)
    return Field(at, number, wire, int.from_bytes(data[pos : pos + size], "little"), pos, pos + size, False)


def skip_group(data: memoryview, pos: int, end: int) -> int:
    depth = 1
    while depth:
        _, wire, after = tag(data, pos, end)
        if wire == GROUP:
            depth += 1
            if depth > MAX_GROUPS:
                raise Damaged(pos)
        elif wire == END_GROUP:
            depth -= 1
        else:
            field = read(data, pos, end)
            if field.cut:
                raise Damaged(pos)
            after = field.end
        pos = after
    return pos
