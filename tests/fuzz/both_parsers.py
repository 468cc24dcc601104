"""Text of trace events → two captures, of the compiled and of the plain parser, which must say the same."""

from __future__ import annotations

import dataclasses
from typing import Any
from unittest import mock

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.json import plain, reader, walk
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.tables import Capture

Read = Capture | UnreadableError

_TABLES = ("planes", "tracks", "kinds", "events", "aggregates", "stats")
_TEXTS = ("name", "vendor", "label", "key")
#: What differs, or is shown by its texts.
_NOT_COMPARED = (*_TABLES, "strings", "decoder", "find_launches")


def read_one(data: bytes, name: str) -> Read:
    try:
        capture = decode.read_bytes(data, name)
    except UnreadableError as error:
        return error
    capture.check()
    return capture


def read_both_ways(data: bytes, name: str) -> tuple[Read, Read]:
    """As compiled, and as where nothing of the reader of JSON is."""
    compiled = read_one(data, name)
    with (
        mock.patch.object(reader, "Parser", plain.Parser),
        mock.patch.object(reader, "elements", walk.elements),
        mock.patch.object(reader, "value_end", walk.value_end),
        mock.patch.object(plain, "elements", walk.elements),
    ):
        return compiled, read_one(data, name)


def assert_alike(one: Read, other: Read) -> None:
    """Every number, text and warning; a text's number is its reader's own."""
    if isinstance(one, UnreadableError) or isinstance(other, UnreadableError):
        assert str(one) == str(other)
        return
    for table in _TABLES:
        columns, others = (_texts_of(capture, table) for capture in (one, other))
        for name, values in columns.items():
            assert values == others[name], f"{table}.{name}"
    assert repr(one.values(0, len(one.stats))) == repr(other.values(0, len(other.stats))), "stats"
    for field in dataclasses.fields(Capture):
        if field.name not in _NOT_COMPARED:
            assert repr(getattr(one, field.name)) == repr(getattr(other, field.name)), field.name


def _texts_of(capture: Capture, table: str) -> dict[str, list[Any]]:
    columns = getattr(capture, table).columns()
    return {
        name: capture.strings.texts(values) if name in _TEXTS else values.tolist()
        for name, values in columns.items()
        if (table, name) != ("stats", "value")
    }
