"""A message of an XLA program → its fields by number: texts, numbers, lists, messages within."""

from __future__ import annotations

from collections.abc import Iterator

from ....wire import FIXED32, FIXED64, DamagedError, Message, Part, Span, SpentError, signed, walk

#: Names, paths and configurations are cut after so many bytes.
LONGEST = 4000
_FIXED = (FIXED32, FIXED64)


class Parts:
    """The fields of one message, read once. What is not there, or of another kind, is empty or the default."""

    __slots__ = ("_fields", "_reader", "_span")

    def __init__(self, reader: Message, span: Span) -> None:
        self._reader, self._span = reader, span
        self._fields: dict[int, list[Part]] = {}
        for part in reader.fields(*span):
            self._fields.setdefault(part[0], []).append(part)

    def __contains__(self, number: int) -> bool:
        return number in self._fields

    def number(self, number: int, default: int = 0) -> int:
        """The last one, with its sign."""
        values = [value for _, value, high in self._fields.get(number, ()) if high < 0]
        return signed(values[-1]) if values else default

    def fixed(self, number: int) -> int:
        """The bits of a number of four or eight bytes, which a `Message` leaves out."""
        fields = walk(self._reader.data, *self._span, self._reader.budget)
        try:
            return next((field.value for field in fields if field.number == number and field.wire in _FIXED), 0)
        except (DamagedError, SpentError):
            return 0

    def numbers(self, number: int) -> list[int]:
        """Packed or one by one."""
        numbers: list[int] = []
        for _, value, high in self._fields.get(number, ()):
            numbers += [signed(value)] if high < 0 else self._reader.numbers(value, high)
        return numbers

    def raw(self, number: int, longest: int = LONGEST) -> bytes:
        spans = list(self.spans(number))
        begin, end = spans[-1] if spans else (0, 0)
        return self._reader.data[begin : min(end, begin + longest)]

    def size(self, number: int) -> int:
        """Bytes of a field, all of them."""
        return sum(end - begin for begin, end in self.spans(number))

    def text(self, number: int, longest: int = LONGEST) -> str:
        return str(self.raw(number, longest), "utf-8", "replace")

    def texts(self, number: int) -> Iterator[str]:
        return (self._reader.text(*span, LONGEST) for span in self.spans(number))

    def spans(self, number: int) -> Iterator[Span]:
        return ((begin, end) for _, begin, end in self._fields.get(number, ()) if end >= 0)

    def every(self, number: int) -> Iterator[Parts]:
        """The messages of a repeated field."""
        return (Parts(self._reader, span) for span in self.spans(number))

    def one(self, number: int) -> Parts:
        """The last message of a field; an empty one where there is none."""
        spans = list(self.spans(number))
        return Parts(self._reader, spans[-1] if spans else (0, 0))
