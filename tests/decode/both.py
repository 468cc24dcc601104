"""Bytes → a capture, read in all ways there are, which must agree on everything."""

from __future__ import annotations

import dataclasses
from unittest import mock

import numpy as np

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.xplane import vectors
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.tables import Capture
from tests.build_capture import Space

TABLES = ("planes", "tracks", "kinds", "events", "aggregates", "stats")
NAME = "host.xplane.pb"


def assert_same(one: Capture, other: Capture) -> None:
    """Every array, string and warning; all but the decoder's name."""
    for table in TABLES:
        columns, others = getattr(one, table).columns(), getattr(other, table).columns()
        for name, array in columns.items():
            np.testing.assert_array_equal(array, others[name], f"{table}.{name}")
    for table_of_one, table_of_other in zip(one.kernel_launches.tables, other.kernel_launches.tables, strict=True):
        for name, array in table_of_one.columns().items():
            np.testing.assert_array_equal(array, table_of_other.columns()[name], name)
    for field in dataclasses.fields(Capture):
        if field.name not in (*TABLES, "strings", "decoder", "find_launches"):
            assert getattr(one, field.name) == getattr(other, field.name), field.name
    assert list(one.strings) == list(other.strings)


def read_both(data: bytes | Space, name: str = NAME) -> Capture:
    """The capture; raises UnreadableError where both decoders do, with one message. The one that needs no compiler
    reads twice: as it does, and each message by the protobuf runtime."""
    raw = data.bytes() if isinstance(data, Space) else data
    read = [read_or_error(raw, name, decoder) for decoder in ("compiled", "protobuf") if decoder_is_here(decoder)]
    with mock.patch.object(vectors.Reader, "events", side_effect=vectors.UnusualError):
        read.append(read_or_error(raw, name, "protobuf"))
    for other in read[1:]:
        if isinstance(read[0], Capture) and isinstance(other, Capture):
            assert_same(read[0], other)
        else:
            assert str(read[0]) == str(other)
    if isinstance(read[0], UnreadableError):
        raise read[0]
    read[0].check()
    return read[0]


def read_or_error(raw: bytes, name: str, decoder: str) -> Capture | UnreadableError:
    try:
        return decode.read_bytes(raw, name, decoder)
    except UnreadableError as error:
        return error


def decoder_is_here(decoder: str) -> bool:
    return decoder == "protobuf" or decode.COMPILED


def events(capture: Capture) -> list[tuple[str, str, int, int, list[object]]]:
    """Track, name, start_ps, duration_ps, own stats of every event."""
    e, t, s = capture.events, capture.tracks, capture.strings
    return [
        (
            s[int(t.name[e.track[i]])],
            capture.event_name(i),
            int(e.start_ps[i]),
            int(e.duration_ps[i]),
            list(capture.values(int(e.stats_begin[i]), int(e.stats_end[i]))),
        )
        for i in range(len(e))
    ]
