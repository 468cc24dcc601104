"""Annotations that hold others (dictionaries, lists) → JSON, as the same args of a trace of JSON are kept."""

from __future__ import annotations

import struct
from typing import Any, Protocol

import msgspec

from ...wire import FIXED64, LENGTH, VARINT, DamagedError, Field, signed, walk

#: What lies deeper is left out.
MOST_DEPTH = 32
_KEYS, _VALUES = 2, 3
_LEFT_OUT = "…"


class Interned(Protocol):
    def text_of(self, row: int, table: int, iid: int) -> str: ...


class _Reader:
    """is_same: whether no text was looked up, so that the same bytes always say the same."""

    def __init__(self, data: bytes, words: Interned, row: int) -> None:
        self.data, self.words, self.row = data, words, row
        self.is_same = True

    def interned(self, table: int, iid: int) -> str:
        self.is_same = False
        return self.words.text_of(self.row, table, iid)

    def text(self, field: Field) -> str:
        return str(self.data[field.begin : field.end], "utf-8", "replace")

    def annotation(self, begin: int, end: int, depth: int) -> tuple[str, Any]:
        """Its name and its value; the name of the outermost is not looked up."""
        name, value = "", None
        entries: dict[str, Any] = {}
        listed: list[Any] = []
        for field in walk(self.data, begin, end):
            number, wire = field.number, field.wire
            if number in (11, 12) and wire == LENGTH:
                if depth >= MOST_DEPTH:
                    value = _LEFT_OUT
                    continue
                key, inner = self.annotation(field.begin, field.end, depth + 1)
                if number == 11:
                    entries[key] = inner
                else:
                    listed.append(inner)
            elif number == 8 and wire == LENGTH:
                value = self.old(field.begin, field.end, depth + 1)
            elif number == 10 and wire == LENGTH:
                name = self.text(field)
            elif number == 1 and wire == VARINT and depth:
                name = self.interned(_KEYS, signed(field.value))
            elif number == 17 and wire == VARINT:
                value = self.interned(_VALUES, signed(field.value))
            elif (made := self.plain(field, _ANNOTATION)) is not None:
                value = made
        # What holds nothing is a list without elements: PyTorch writes null as a text.
        return name, entries or listed or ([] if value is None else value)

    def old(self, begin: int, end: int, depth: int) -> Any:
        """A value in the form of 2020 (`NestedValue`)."""
        kind, value = 0, None
        keys: list[str] = []
        values: list[Any] = []
        for field in walk(self.data, begin, end):
            if field.number == 1 and field.wire == VARINT:
                kind = field.value
            elif field.number == 2 and field.wire == LENGTH:
                keys.append(self.text(field))
            elif field.number in (3, 4) and field.wire == LENGTH:
                values.append(self.old(field.begin, field.end, depth + 1) if depth < MOST_DEPTH else _LEFT_OUT)
            elif (made := self.plain(field, _OLD)) is not None:
                value = made
        return dict(zip(keys, values, strict=False)) if kind == 1 else values if kind == 2 else value

    def plain(self, field: Field, kinds: dict[int, str]) -> Any:
        """A number or a text; None where the field is none."""
        kind = kinds.get(field.number, "")
        if kind in ("text", "json") and field.wire == LENGTH:
            return self.text(field)
        if kind == "double" and field.wire == FIXED64:
            return struct.unpack("<d", struct.pack("<Q", field.value))[0]
        if field.wire != VARINT or kind in ("", "text", "json", "double"):
            return None
        return bool(field.value) if kind == "bool" else signed(field.value) if kind == "int" else field.value


_ANNOTATION = {2: "bool", 3: "uint", 4: "int", 5: "double", 6: "text", 7: "uint", 9: "json"}
_OLD = {5: "int", 6: "double", 7: "bool", 8: "text"}


def nested(data: bytes, words: Interned, row: int) -> tuple[str, bool]:
    """The JSON of an annotation's value, and whether its bytes alone say it. words, row: who knows interned texts."""
    reader = _Reader(data, words, row)
    try:
        value = reader.annotation(0, len(data), 0)[1]
    except DamagedError:
        return "", reader.is_same
    return value if isinstance(value, str) else msgspec.json.encode(value).decode(), reader.is_same
