"""Fields → protobuf's wire format."""

from __future__ import annotations

import struct

from .fields import FIXED64, LENGTH, VARINT

_64_BITS = (1 << 64) - 1
_REAL = struct.Struct("<d")


def varint_bytes(value: int) -> bytes:
    """A number of 64 bits; a negative one takes ten bytes."""
    value &= _64_BITS
    if value < 128:
        return _ONE[value]
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


_ONE = [bytes([value]) for value in range(128)]


def number_field(field: int, value: int) -> bytes:
    return varint_bytes(field << 3 | VARINT) + varint_bytes(value)


def part_field(field: int, data: bytes) -> bytes:
    return varint_bytes(field << 3 | LENGTH) + varint_bytes(len(data)) + data


def text_field(field: int, text: str) -> bytes:
    return part_field(field, text.encode("utf-8", "replace"))


def real_field(field: int, value: float) -> bytes:
    return varint_bytes(field << 3 | FIXED64) + _REAL.pack(value)
