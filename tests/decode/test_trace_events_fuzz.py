"""Traces that are changed at random: nothing but UnreadableError comes of it, and both parsers read the same."""

from __future__ import annotations

import contextlib
import json
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.decode.json import reader
from tensorboard_perfplugin.decode.json.lots import Parser as PlainParser
from tensorboard_perfplugin.decode.json.reader import Reader
from tensorboard_perfplugin.errors import UnreadableError

from .test_trace_events_pieces import rows

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 70), 1 << 70), st.floats(), st.text(max_size=5), st.just("1.5")
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
)
USUAL = st.fixed_dictionaries(
    {"ph": st.sampled_from("XBEbeCMisftnP"), "ts": st.integers(0, 9), "name": st.sampled_from("abc")},
    optional={
        "pid": st.integers(0, 2),
        "tid": st.integers(0, 2) | st.sampled_from("ab"),
        "dur": st.integers(0, 5) | st.floats(0, 5),
        "cat": st.sampled_from(["kernel", "cpu_op", "Op", "c"]),
        "id": st.integers(0, 2),
        "id2": st.fixed_dictionaries({}, optional={"local": st.integers(0, 1), "global": st.sampled_from("xy")}),
        "scope": st.sampled_from(["", "s"]),
        "bp": st.sampled_from("ex"),
        "bind_id": st.integers(0, 2) | st.just("0x1"),
        "flow_in": st.booleans(),
        "flow_out": st.booleans() | st.just(1),
        "sf": st.integers(0, 2) | st.just("1"),
        "stack": st.lists(st.sampled_from("ab"), max_size=2),
        "args": st.dictionaries(st.sampled_from(["name", "stream", "correlation", "x"]), VALUES, max_size=3),
    },
)
MEMBERS = (
    "ph",
    "ts",
    "dur",
    "tdur",
    "name",
    "cat",
    "pid",
    "tid",
    "id",
    "id2",
    "args",
    "s",
    "other",
    "bp",
    "sf",
    "scope",
)
ANY = st.dictionaries(st.sampled_from(MEMBERS), VALUES, max_size=6)
EVENTS = st.lists(USUAL | ANY, max_size=8)
#: (place, bytes taken away, bytes put there)
PUT = st.sampled_from([b"", *(bytes([letter]) for letter in b'"\\{}[],\n\xff0'), b"NaN"])
PATCHES = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 9), PUT), max_size=3)


def text_of(events: list[dict[str, Any]], patches: list[tuple[int, int, bytes]], is_object: bool) -> bytes:
    frames = {"0": {"name": "a", "parent": 1}, "1": {"name": "b"}}
    whole = {"traceEvents": events, "after": [1], "samples": events[:3], "stackFrames": frames}
    text = json.dumps(whole if is_object else events).encode()
    for place, away, put in patches:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + away :]
    return text


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(EVENTS, PATCHES, st.booleans())
def test_whatever_is_changed_a_capture_holds_or_is_refused(
    events: list[dict[str, Any]], patches: list[tuple[int, int, bytes]], is_object: bool
) -> None:
    with contextlib.suppress(UnreadableError):
        read_bytes(text_of(events, patches, is_object), "t.trace.json").check()


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(EVENTS, PATCHES, st.booleans(), st.integers(1, 300))
@example([{"ph": "X", "ts": 1, "tid": "a"}], [(30, 1, b"\xff")], False, 1)
@example([{"ph": "X", "ts": 1, "args": {"a": -0.0, "b": 1e-7, "c": 0.1 + 0.2, "d": 1 << 63}}], [], True, 1)
def test_both_parsers_read_the_same_in_any_pieces(
    events: list[dict[str, Any]], patches: list[tuple[int, int, bytes]], is_object: bool, size: int
) -> None:
    text = text_of(events, patches, is_object)
    found = rows(Reader([text]).read())
    with mock.patch.object(reader, "Parser", PlainParser):
        assert rows(Reader([text]).read()) == found
    if not patches:
        assert rows(Reader([text[i : i + size] for i in range(0, len(text), size)]).read()) == found
        assert len(found[0]["phase"]) == len(events) + is_object * len(events[:3])
