"""Damaged captures give what can be read, say where they are damaged, and account for every event."""

from __future__ import annotations

import gzip
import random

import pytest

from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.tables import Capture
from tests.build_capture import Nothing, Ref, Space, StatValue, Uint, chunk, varint
from tests.decode.both import events, read_both

ALL: dict[str, StatValue] = {"c": Uint(3), "t": "hello", "r": Ref("world"), "d": 1.5, "b": b"\0\1", "n": Nothing}


def sound() -> bytes:
    """Two planes, every kind of field; some 600 bytes."""
    space = Space(["h"], errors=["e"], warnings=["w"])
    gpu = space.plane("/device:GPU:0", stats=[("core_count", 80), ("device_vendor", "Nvidia")])
    stream = gpu.line(7, "Stream #7(Compute)", timestamp_ns=5)
    for i in range(4):
        stream.event(f"k{i % 2}", 1000 * i, 500, ALL)
    host = space.plane("/host:CPU")
    host.kind("x", "label", [("flops", 12), ("text", "abc")])
    host.line(-5, "python", display_id=3, display_name="p").event("a", 2, 3).event("b", duration_ps=9, occurrences=4)
    return space.bytes()


@pytest.mark.slow
def test_cut_off_anywhere() -> None:
    data, kept, readable = sound(), 0, 0
    named = data.index(b"/device:GPU:0") + len(b"/device:GPU:0")
    for size in range(len(data)):
        try:
            capture = read_both(data[:size])
        except UnreadableError:
            assert size < named
            continue
        readable += 1
        total = len(capture.events) + len(capture.aggregates)
        assert total >= kept
        assert total == capture.quality.events_in_file - capture.quality.dropped.get("damaged", 0)
        kept = total
    assert (kept, readable) == (6, len(data) - named)


def test_a_cut_off_file_says_where() -> None:
    space = Space([])
    space.plane("/host:CPU").line(1, "main").event("first", 1, 1).event("second", 2, 1, {"key": "text"})
    data = space.bytes()
    end = data.index(b"text") + 2
    capture = read_both(data[:end])
    assert [e[2] for e in events(capture)] == [1]
    assert capture.quality.dropped == {"damaged": 1}
    assert capture.quality.warnings[0] == message("xplane_data_ends", at=0, unpacked=False, size=end)


def line_of(*contents: bytes) -> bytes:
    """A capture whose one line has these events, as bytes; and after it, one that is sound."""
    good = chunk(4, b"\x10\x05\x18\x07")
    one = chunk(3, b"".join(chunk(4, c) for c in contents))
    return chunk(1, chunk(2, b"/host:CPU") + one + chunk(3, b"\x08\x02" + good))


def place(what: str, at: int) -> Message:
    return message(f"xplane_{what}", at=at, unpacked=False)


def damaged(data: bytes) -> Capture:
    capture = read_both(data)
    assert capture.quality.events_in_file == capture.quality.events_kept + capture.quality.dropped["damaged"]
    return capture


@pytest.mark.parametrize(
    "event",
    [
        b"\x10",  # a tag without its value
        b"\x10" + b"\xff" * 11,  # a varint of eleven bytes
        b"\x22\x05\x08",  # a stat longer than its event
        b"\x22\x02\x11\x00",  # a double of one byte
        b"\x22\x03\x2a\x7fa",  # a text longer than its stat
        b"\x22\x0b\x2a" + b"\xff" * 9 + b"\x01",  # a text of 2^64 - 1 bytes
        b"\x02\x01a",  # field number 0
        b"\x7e\x01",  # wire type 6
        b"\x7b" * 101 + b"\x7c" * 101,  # groups 101 deep
        b"\x7b\x08\x01",  # a group without an end
    ],
)
def test_an_event_that_cannot_be_read_is_left_out(event: bytes) -> None:
    data = line_of(b"\x10\x01\x18\x02", event, b"\x10\x03\x18\x04")
    capture = damaged(data)
    assert [e[2:4] for e in events(capture)] == [(1, 2), (3, 4), (5, 7)]
    assert capture.quality.dropped == {"damaged": 1}
    assert capture.quality.warnings[0] == place("event_damaged", data.index(chunk(4, event)))


def test_an_event_longer_than_its_line() -> None:
    bad = chunk(3, chunk(4, b"\x10\x01\x18\x02") + b"\x22\x7f\x10\x03")
    good = chunk(3, b"\x08\x02" + chunk(4, b"\x10\x05\x18\x07"))
    capture = damaged(chunk(1, chunk(2, b"/host:CPU") + bad + good))
    assert [e[2:4] for e in events(capture)] == [(1, 2), (5, 7)]
    assert capture.quality.warnings[0] == place("event_damaged", 21)


def test_damage_in_metadata() -> None:
    """The kind keeps the name that comes before its damage; a damaged stat of it is left out alone."""
    kind = chunk(2, b"name") + chunk(5, b"\x2a\x7f") + chunk(5, b"\x20\x05") + b"\x07"
    plane = chunk(2, b"/host:CPU") + chunk(4, b"\x08\x01" + chunk(2, kind)) + chunk(6, b"\x11")
    capture = read_both(chunk(1, plane))
    assert capture.strings.texts(capture.kinds.name) == ["name"]
    assert capture.stats.value.tolist() == [5]
    assert capture.quality.warnings[:3] == (
        place("stat_damaged", 25),
        place("field_damaged", 33),
        place("stat_damaged", 34),
    )


def test_many_damages_are_counted_and_the_first_named() -> None:
    capture = damaged(line_of(*[b"\x10"] * 50))
    assert capture.quality.dropped == {"damaged": 50}
    assert capture.quality.warnings[19:21] == (
        place("event_damaged", 74),
        message("xplane_more_damage", n=30),
    )


def test_lengths_that_lie_allocate_nothing() -> None:
    for length in (2**31, 2**40, 2**63 - 1, 2**64 - 1):
        capture = read_both(b"\x0a" + varint(length) + chunk(2, b"/host:CPU"))
        assert len(capture.planes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_random_damage(seed: int) -> None:
    """The decoders agree on whatever is left, and neither falls."""
    rng, data = random.Random(seed), sound()
    read = 0
    for _ in range(150):
        broken = bytearray(data)
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(broken))
            if rng.random() < 0.7:
                broken[at] = rng.randrange(256)
            else:
                broken[at : at + rng.randrange(6)] = rng.randbytes(rng.randrange(6))
        try:
            read_both(bytes(broken))
            read += 1
        except UnreadableError:
            pass
    assert read > 100


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes(seed: int) -> None:
    rng = random.Random(seed)
    for size in (1, 2, 3, 7, 20, 100, 1000):
        data = rng.randbytes(size)
        try:
            capture = read_both(data)
        except UnreadableError:
            continue
        assert any(name.isprintable() for name in capture.strings.texts(capture.planes.name)), data


def test_gzip() -> None:
    assert len(read_both(gzip.compress(sound()), "h.xplane.pb.gz").events) == 5
    assert len(read_both(gzip.compress(sound()), "no-suffix").events) == 5
    assert len(read_both(gzip.compress(sound()[:300]) + gzip.compress(sound()[300:])).events) == 5


def test_gzip_that_is_cut_off() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1)
    for i in range(3000):
        line.event("op", random.Random(i).randrange(10**9), 1)
    packed = gzip.compress(space.bytes())
    capture = read_both(packed[: len(packed) // 2])
    assert 1000 < len(capture.events) < 2000
    assert capture.quality.warnings[0] == message("gzip_cut", at=len(packed) // 2)
    cut = capture.quality.warnings[1]
    assert (cut.code, cut.params["at"], cut.params["unpacked"]) == ("xplane_data_ends", 0, True)


def test_gzip_that_is_damaged() -> None:
    packed = bytearray(gzip.compress(sound()))
    packed[-8] ^= 1  # the checksum
    capture = read_both(bytes(packed))
    assert len(capture.events) == 5
    assert capture.quality.warnings[0].code == "gzip_damaged"
