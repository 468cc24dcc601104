"""Bytes of which parts are messages → their fields as bare tuples, no more of them than a budget allows.

The forgiving reader, for messages of which what can be read is enough: what is cut off, or not a message at all, gives
what stands before. Three times as fast as `walk`: programs (HLO) in captures have millions of fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from .fields import Budget, signed

#: Number, value and -1 of a varint; number, begin and end of what is length-delimited.
Part: TypeAlias = tuple[int, int, int]
Span: TypeAlias = tuple[int, int]
NOWHERE: Span = (0, 0)
#: Messages in stats are short; of a longer one the begin is read.
SHORT_BYTES = 4096
_64_BITS = (1 << 64) - 1


class Message:
    """Bytes, of which parts are messages."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self.data = data
        self.budget = budget

    def fields(self, begin: int, end: int) -> Iterator[Part]:
        """Fields of the message at [begin, end); fixed-width values are skipped."""
        data, budget, at = self.data, self.budget, begin
        while at < end and budget.left > 0:
            budget.left -= 1
            key = data[at]
            at += 1
            if key > 0x7F:
                # Nearly all are of two bytes.
                if at < end and (high := data[at]) < 0x80:
                    key += (high << 7) - 0x80
                    at += 1
                else:
                    key, at = _as_far(data, at - 1, end)
            wire = key & 7
            if wire == 2 or wire == 0:
                value = data[at] if at < end else 0
                at += 1
                if value > 0x7F:
                    if at < end and (high := data[at]) < 0x80:
                        value += (high << 7) - 0x80
                        at += 1
                    else:
                        value, at = _as_far(data, at - 1, end)
                if wire == 0:
                    yield key >> 3, value, -1
                    continue
                if value > end - at:
                    return
                yield key >> 3, at, at + value
                at += value
            elif wire == 1 or wire == 5:
                at += 8 if wire == 1 else 4
            else:
                return

    def spans(self, begin: int, end: int, wanted: int) -> Iterator[Span]:
        """The length-delimited fields of one number."""
        return ((low, high) for number, low, high in self.fields(begin, end) if number == wanted and high >= 0)

    def numbers(self, begin: int, end: int) -> Iterator[int]:
        """Packed varints, signed."""
        data, budget, at = self.data, self.budget, begin
        while at < end and budget.left > 0:
            budget.left -= 1
            value = data[at]
            at += 1
            if value > 0x7F:
                value, at = _as_far(data, at - 1, end)
            yield value if value < 1 << 63 else signed(value)

    def text(self, begin: int, end: int, longest: int) -> str:
        return str(self.data[begin : min(end, begin + longest)], "utf-8", "replace")


def short_fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(field number, value) of a short message in a stat: varints as integers, length-delimited ones as bytes."""
    data = message[:SHORT_BYTES]
    for number, begin, end in Message(data, Budget(SHORT_BYTES)).fields(0, len(data)):
        yield number, begin if end < 0 else data[begin:end]


def _as_far(data: bytes, at: int, end: int) -> Span:
    """A varint and where it ends; of one that is cut off or too long what there is."""
    last = at + 10 if at + 10 < end else end
    value = shift = 0
    for byte in data[at:last]:
        value |= (byte & 0x7F) << shift
        shift += 7
        at += 1
        if byte < 0x80:
            return value & _64_BITS, at
    return value & _64_BITS, at
