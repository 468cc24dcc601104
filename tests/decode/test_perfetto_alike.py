"""Perfetto's traces by other ways: where nothing is compiled, by the protos that Perfetto publishes, and at random."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest

from tensorboard_perfplugin.errors import UnreadableError

from .perfetto_traces import converted, event, loaded, number, packet, part, track
from .test_perfetto import PROCESS, read, slices
from .test_perfetto_pytorch import trace


def sample() -> bytes:
    """Of all that the compiled loops read."""
    queue = part(24, number(1, 1) + part(2, "q"))
    ran = part(
        53, number(2, 9) + number(13, 1) + part(21, part(1, number(1, 4)) + part(3, part(2, "k") + number(3, 1)))
    )
    system = packet(part(12, queue), flags=1, sequence=5) + packet(ran, at=99, flags=2, sequence=5)
    return converted(loaded(json.dumps(trace()))) + converted(loaded(json.dumps(trace())), False) + system


def test_as_perfettos_own_builder_writes_it() -> None:
    builder = pytest.importorskip("perfetto.trace_builder.proto_builder")
    protos = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    made = builder.TraceProtoBuilder()
    described = made.add_packet()
    described.track_descriptor.uuid = 1
    described.track_descriptor.process.pid = 7
    described.track_descriptor.process.process_name = "trainer"
    begin, end, kinds = 5_000_000_000, 5_000_001_000, protos.TrackEvent
    for at, kind in ((begin, kinds.TYPE_SLICE_BEGIN), (begin + 300, kinds.TYPE_INSTANT), (end, kinds.TYPE_SLICE_END)):
        one = made.add_packet()
        one.timestamp, one.trusted_packet_sequence_id = at, 3
        one.track_event.type, one.track_event.track_uuid = kind, 1
        if kind != kinds.TYPE_SLICE_END:
            one.track_event.name = f"at {at}"
    assert [each[2:] for each in slices(read(made.serialize()))] == [
        (f"at {begin}", 0, 1000),
        (f"at {begin + 300}", 300, 0),
    ]


def test_the_published_protos_read_what_is_read_here() -> None:
    """Counts and times of the trace of PyTorch, by Perfetto's own descriptors."""
    protos = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    data = converted(loaded(json.dumps(trace())))
    made: dict[str, list[int]] = {}
    stacks: dict[int, list[tuple[str, int]]] = {}
    names: dict[int, str] = {}
    for one in sorted(protos.Trace.FromString(data).packet, key=lambda one: one.timestamp):
        names |= {each.iid: each.name for each in one.interned_data.event_names}
        if one.track_event.type == protos.TrackEvent.TYPE_SLICE_BEGIN:
            stacks.setdefault(one.track_event.track_uuid, []).append((names[one.track_event.name_iid], one.timestamp))
        elif one.track_event.type == protos.TrackEvent.TYPE_SLICE_END:
            name, begin = stacks[one.track_event.track_uuid].pop()
            made.setdefault(name, []).append(one.timestamp - begin)
    found: dict[str, list[int]] = {}
    for _, _, name, _, length in slices(read(data)):
        found.setdefault(name, []).append(length)
    assert {name: sorted(each) for name, each in found.items()} == {name: sorted(each) for name, each in made.items()}


def many(parts: Any) -> bytes:
    return b"".join(parts)


@pytest.mark.parametrize(
    "data",
    [
        # Each sequence of its own, each number of a text far away, a state cleared again and again.
        many(packet(event(3, 2, i), at=i, sequence=i) for i in range(30_000)),
        many(packet(part(12, part(2, number(1, 1 << 40) + part(2, "x"))), flags=1) for _ in range(30_000)),
        many(packet(part(12, part(2, number(1, i * 977 % 65_536) + part(2, "x"))), flags=i % 2) for i in range(30_000)),
        # Tracks below tracks, in a ring; annotations within annotations; begins without ends.
        many(track(i + 1, (i + 1) % 20_000 + 1) + packet(event(1, i + 1, "x"), at=i) for i in range(20_000)),
        PROCESS + packet(part(11, number(9, 3) + number(11, 2) + b"".join(reversed([b"\x22\x03\x62\x01\x62"] * 5000)))),
        PROCESS + many(packet(event(1, 2, "x"), at=i) for i in range(30_000)),
    ],
    ids=["sequences", "numbers", "cleared", "tracks", "annotations", "begins"],
)
def test_what_is_meant_to_hang_does_not(data: bytes) -> None:
    begin = time.process_time()
    with contextlib.suppress(UnreadableError):
        read(data)
    assert time.process_time() - begin < 30
