"""Bytes of events → columns, a field of all of them at a time; anything unusual is left to the protobuf runtime."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.decode.xplane.slow import RawEvents, message_types
from tensorboard_perfplugin.decode.xplane.vectors import UnusualError
from tests.build_capture import chunk, number

LARGE = st.sampled_from([0, 1, 127, 128, 2**32, 2**56 - 1, 2**56, 2**63 - 1, 2**63, 2**64 - 1])
VALUES = st.one_of(
    st.builds(number, st.sampled_from([3, 4, 7]), LARGE),
    st.builds(lambda bits: b"\x11" + bits, st.binary(min_size=8, max_size=8)),
    st.builds(chunk, st.sampled_from([5, 6]), st.binary(max_size=3)),
)
STATS = st.lists(st.one_of(st.builds(number, st.just(1), LARGE), VALUES), max_size=4).map(b"".join)
FIELDS = st.one_of(st.builds(number, st.sampled_from([1, 2, 3, 5]), LARGE), st.builds(chunk, st.just(4), STATS))
EVENTS = st.lists(st.lists(FIELDS, max_size=6).map(b"".join), max_size=5)
TYPES = message_types()


def columns(events: RawEvents) -> list[object]:
    stats, raws = events.stats, list(events.stats.raws)
    kinds, values = list(stats.kind), list(stats.value)
    texts = [raws[value] if kind in (4, 5) else value for kind, value in zip(kinds, values, strict=True)]
    return [
        *(list(each) for each in (events.key, events.first, events.duration, events.aggregate)),
        list(events.stats_end),
        list(stats.key),
        kinds,
        texts,
    ]


@given(EVENTS)
def test_as_the_runtime_reads_them(events: list[bytes]) -> None:
    """Fields missing, repeated, in any order, of ten bytes."""
    messages = [TYPES["XEvent"].FromString(event) for event in events]
    assert columns(RawEvents.of_bytes(events)) == columns(RawEvents.of_messages(messages))


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(number(6, 1), id="a field that is not known"),
        pytest.param(chunk(1, b"ab"), id="a field of another type"),
        pytest.param(b"\x08", id="a field without a value"),
        pytest.param(b"\x08" + b"\xff" * 11, id="a number of eleven bytes"),
        pytest.param(b"\x22\x05\x08\x01", id="a stat that is longer than its event"),
        pytest.param(chunk(4, b"\x11\x00"), id="half a double"),
        pytest.param(chunk(4, b"\x2a\x09a"), id="a text that is longer than its stat"),
        pytest.param(b"\x88\x00\x01", id="a tag of two bytes"),
    ],
)
def test_anything_else_is_unusual(event: bytes) -> None:
    with pytest.raises(UnusualError):
        RawEvents.of_bytes([number(1, 3), event])
