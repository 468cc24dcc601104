"""What is looked at of a file to tell its format."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.formats import Format

EVENTS = '"traceEvents"'


def told_at(end: int) -> bytes:
    """A trace whose name says nothing, with the word that tells what it is up to the byte `end`."""
    # Objects within objects, so that only the word itself is looked for.
    before = '{"a": {"b": ["' + "x" * (end - len(EVENTS) - 18) + '"]},'
    text = before + EVENTS + ': [{"ph": "X", "name": "e", "pid": 1, "tid": 1, "ts": 0, "dur": 1}]}'
    assert text.index(EVENTS) + len(EVENTS) == end
    return text.encode()


def test_65_536_bytes_of_a_file_tell_its_format() -> None:
    assert decode.read_bytes(told_at(65_536), "h.json").format == Format.TRACE_EVENTS
    with pytest.raises(UnreadableError):
        decode.read_bytes(told_at(65_537), "h.json")
