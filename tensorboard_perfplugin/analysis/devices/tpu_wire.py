"""A few bytes of a protobuf message inside of a stat → its numbers and texts, by field."""

from __future__ import annotations

from collections.abc import Iterator

#: Messages in stats are short; of a longer one the begin is read.
_MOST = 4096


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(field number, value) in order: varints as integers, length-delimited ones as bytes; ends where it is broken."""
    message = message[:_MOST]
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        value, at = _varint(message, at) if wire in (0, 2) else (0, at)
        if at < 0 or wire not in (0, 1, 2, 5):
            return
        if wire == 0:
            yield key >> 3, value
        elif wire == 2:
            yield key >> 3, message[at : at + value]
            at += value
        else:
            at += 8 if wire == 1 else 4


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Value and where the next field begins; -1 where the message ends within."""
    value = 0
    for i, byte in enumerate(message[at : at + 10] if at >= 0 else b""):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1
    return 0, -1
