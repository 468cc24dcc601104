"""Perfetto's traces: packets → tables."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import Format
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.tables import Capture, PlaneKind, TrackKind

from .perfetto_traces import annotation, double, event, fixed, number, packet, part, track

Slice = tuple[str, str, str, int, int]
PROCESS = track(1, process=(7, "trainer")) + track(2, 1, thread=(7, 70, "main"))


def read(*parts: bytes, name: str = "h.pftrace") -> Capture:
    capture = decode.read_bytes(b"".join(parts), name)
    capture.check()
    return capture


def slices(capture: Capture) -> list[Slice]:
    """Plane, track, name, begin and length in ns."""
    e, t = capture.events, capture.tracks
    return [
        (
            capture.strings[int(capture.planes.name[t.plane[e.track[i]]])],
            capture.strings[int(t.name[e.track[i]])],
            capture.strings[int(e.name[i])],
            int(e.start_ps[i]) // 1000,
            int(e.duration_ps[i]) // 1000,
        )
        for i in range(len(e))
    ]


def stats(capture: Capture, event: int = 0) -> dict[str, Any]:
    s, e = capture.stats, capture.events
    rows = range(int(e.stats_begin[event]), int(e.stats_end[event]))
    return {
        capture.strings[int(s.key[i])]: capture.value(i) if hasattr(capture, "value") else _value(capture, i)
        for i in rows
    }


def _value(capture: Capture, i: int) -> Any:
    kind, value = int(capture.stats.kind[i]), capture.stats.value[i]
    if kind == 4:
        return capture.strings[int(value)]
    return float(value.view("f8")) if kind == 3 else int(value) % (1 << 64) if kind == 2 else int(value)


def codes(capture: Capture) -> list[str]:
    return [each.code for each in capture.quality.warnings]


def test_a_begin_and_an_end_are_a_slice() -> None:
    capture = read(
        PROCESS,
        packet(event(1, 2, "step", {"n": 3}), at=1000),
        packet(event(1, 2, "load"), at=1200),
        packet(event(2, 2), at=1500),
        packet(event(3, 2, "mark"), at=1600),
        packet(event(2, 2, "", {"loss": 0.5}), at=2000),
    )
    assert slices(capture) == [
        ("trainer", "main", "step", 0, 1000),
        ("trainer", "main", "load", 200, 300),
        ("trainer", "main", "mark", 600, 0),
    ]
    assert stats(capture) == {"n": 3, "loss": 0.5}
    assert (capture.format, capture.quality.dropped) == (Format.PERFETTO, {})
    assert capture.tracks.kind.tolist() == [TrackKind.THREAD]


def test_annotations_of_all_kinds_are_args() -> None:
    args: dict[str, Any] = {
        "int": -1,
        "large": (1 << 64) - 1,
        "real": 1.5,
        "yes": True,
        "text": "é",
        "dims": [[1, 2], []],
        "one": {"a": 1, "b": ["x"]},
        "empty": [],
    }
    pointer = annotation("at", 16).replace(b"\x20\x10", b"\x38\x10")
    capture = read(PROCESS, packet(event(3, 2, "e", args, pointer), at=5))
    assert stats(capture) == args | {
        "yes": 1,
        "dims": "[[1,2],[]]",
        "one": '{"a":1,"b":["x"]}',
        "empty": "[]",
        "at": 16,
    }


def test_texts_are_interned_by_sequence_until_cleared() -> None:
    def interned(name: str, key: str, value: str) -> bytes:
        entries = ((2, name), (3, key), (29, value))
        return part(12, b"".join(part(field, number(1, 1) + part(2, text)) for field, text in entries))

    reference = part(4, number(1, 1) + number(17, 1))
    listed = part(4, part(10, "list") + part(12, number(17, 1)))
    entries = part(4, part(10, "entries") + part(11, number(1, 1) + number(17, 1)))
    capture = read(
        PROCESS,
        packet(interned("a", "k", "v"), flags=1),
        packet(interned("b", "l", "w"), flags=1, sequence=2),
        packet(event(3, 2, 1, {}, reference, listed, entries), at=1, flags=2),
        packet(event(3, 2, 1, {}, reference, listed, entries), at=2, flags=2, sequence=2),
        packet(interned("c", "m", "x"), flags=1),
        packet(event(3, 2, 1, {}, reference, listed, entries), at=3, flags=2),
        packet(event(3, 2, 9), at=4, flags=2),
        packet(event(3, 2, 1), at=5, flags=2, sequence=3),
    )
    assert [each[2] for each in slices(capture)] == ["a", "b", "c", ""]
    assert [stats(capture, i) for i in range(3)] == [
        {"k": "v", "list": '["v"]', "entries": '{"k":"v"}'},
        {"l": "w", "list": '["w"]', "entries": '{"l":"w"}'},
        {"m": "x", "list": '["x"]', "entries": '{"m":"x"}'},
    ]
    assert (capture.quality.dropped, codes(capture)) == ({"no_interned_data": 1}, ["interned_unknown"])


def test_a_sequence_has_defaults() -> None:
    defaults = part(59, number(58, 64) + part(11, number(11, 2)))
    clocks = [(64, 500, number(3, 1) + number(4, 1000)), (6, 7_000_000, b""), (1, 10**18 + 7_000_000, b"")]
    snapshot = b"".join(part(1, number(1, id) + number(2, time) + more) for id, time, more in clocks)
    capture = read(
        PROCESS,
        packet(defaults, part(6, snapshot), flags=1),
        # Distances in µs from the one before.
        packet(event(1, None, "a"), at=3),
        packet(event(2), at=4),
        packet(event(3, None, "b"), at=10),
        packet(event(3, 2, "c"), at=7_020_000, clock=6),
    )
    assert slices(capture) == [
        ("trainer", "main", "a", 0, 4000),
        ("trainer", "main", "b", 14000, 0),
        ("trainer", "main", "c", 17000, 0),
    ]
    assert capture.start_ns == 10**18 + 7_003_000


def test_clocks_are_joined_by_the_snapshot_before() -> None:
    def snapshot(*times: tuple[int, int]) -> bytes:
        return packet(part(6, b"".join(part(1, number(1, id) + number(2, time)) for id, time in times)))

    capture = read(
        PROCESS,
        snapshot((3, 1000), (6, 5000)),
        snapshot((3, 2000), (6, 6100)),
        packet(event(3, 2, "a"), at=1100, clock=3),
        packet(event(3, 2, "b"), at=2100, clock=3),
        packet(event(3, 2, "c"), at=6300, clock=6),
        packet(event(3, 2, "d"), at=5100, clock=77),
    )
    assert [(each[2], each[3]) for each in slices(capture)] == [("a", 100), ("d", 100), ("b", 1200), ("c", 1300)]
    assert codes(capture) == ["clock_unknown"]


def test_a_sequences_own_clock_beside_a_third_is_no_other_sequences() -> None:
    """Another sequence's clock 64 stood beside the third: IndexError."""
    both = packet(part(6, part(1, number(1, 64) + number(2, 10)) + part(1, number(1, 3) + number(2, 1000))), sequence=9)
    third = packet(part(6, part(1, number(1, 3) + number(2, 1000)) + part(1, number(1, 6) + number(2, 5000))))
    capture = read(PROCESS, both, third, packet(event(3, 2, "a"), at=20, clock=64))
    assert [each[2:] for each in slices(capture)] == [("a", 20, 0)]
    assert codes(capture) == ["clock_unknown"]


def test_counters_have_units_and_may_be_differences() -> None:
    capture = read(
        PROCESS,
        track(3, 1, "memory", counter=number(3, 3)),
        track(4, 1, "rate", counter=part(6, "steps") + number(4, 10) + number(5, 1)),
        packet(event(4, 3, "", {}, number(30, 64)), at=1),
        packet(event(4, 4, "", {}, double(44, 0.5)), at=2),
        packet(event(4, 4, "", {}, double(44, 0.25)), at=3),
    )
    assert [each[:3] for each in slices(capture)] == [
        ("trainer", "counters", "memory"),
        ("trainer", "counters", "rate"),
        ("trainer", "counters", "rate"),
    ]
    assert [stats(capture, i) for i in range(3)] == [{"bytes": 64}, {"steps": 5.0}, {"steps": 7.5}]


def test_tracks_lie_below_others() -> None:
    capture = read(
        PROCESS,
        track(3, 2, "main"),
        track(4, 1, "requests"),
        track(5, 4, "one"),
        track(6, 5),
        track(8, 9),
        track(9, 8),
        *(packet(event(1, on, f"on {on}"), at=10) + packet(event(2, on), at=20) for on in (2, 3, 4, 5, 6, 8, 10, 0)),
    )
    assert sorted((name, process, on) for process, on, name, *_ in slices(capture)) == [
        ("on 0", "(no process)", "(no track)"),
        ("on 10", "(no process)", "track 10"),
        ("on 2", "trainer", "main"),
        ("on 3", "trainer", "main"),
        ("on 4", "trainer", "requests"),
        ("on 5", "trainer", "one"),
        ("on 6", "trainer", "track 6"),
        ("on 8", "(no process)", "track 8"),
    ]
    kinds = {
        capture.strings[int(name)]: int(kind)
        for name, kind in zip(capture.tracks.name, capture.tracks.kind, strict=True)
    }
    assert (kinds["main"], kinds["requests"]) == (TrackKind.THREAD, TrackKind.OTHER)


def test_of_a_track_that_is_described_twice_the_last_of_each_field_counts() -> None:
    again = track(1, process=(7, "renamed")) + track(2, 1, thread=(7, 70, "first"))
    capture = read(PROCESS, again, packet(event(3, 2, "a"), at=1))
    assert [each[:3] for each in slices(capture)] == [("renamed", "first", "a")]


def test_flows_lead_from_slice_to_slice() -> None:
    def one(at: int, name: str, *flows: bytes) -> bytes:
        return packet(event(1, 2, name, {}, *flows), at=at) + packet(event(2, 2), at=at + 5)

    capture = read(
        PROCESS,
        one(0, "a", fixed(47, 9)),
        one(10, "b", fixed(47, 9)),
        one(20, "c", part(48, (9).to_bytes(8, "little"))),
        one(30, "d", number(36, 9)),
        one(40, "e", fixed(48, 9)),
        one(50, "alone", fixed(47, 3)),
    )
    ends = [{key: value for key, value in stats(capture, i).items() if key in ("_p", "_c")} for i in range(6)]
    assert ends == [{"_p": 1}, {"_p": 2, "_c": 1}, {"_c": 2}, {"_p": 3}, {"_c": 3}, {}]
    assert codes(capture) == []


def test_ends_of_a_run_close_the_begins_in_their_order() -> None:
    # PyTorch writes the begins of a kind, then the ends; these slices follow one another without a gap.
    times = [(0, 10), (10, 20), (20, 30), (22, 25)]
    capture = read(
        PROCESS,
        *(packet(event(1, 2, f"s{begin}"), at=begin) for begin, _ in times),
        *(packet(event(2, 2), at=end) for _, end in times),
        packet(event(1, 2, "open"), at=40),
        packet(event(3, 2, "last"), at=45),
    )
    assert [each[2:] for each in slices(capture)] == [
        ("s0", 0, 10),
        ("s10", 10, 10),
        ("s20", 20, 10),
        ("s22", 22, 3),
        ("open", 40, 5),
        ("last", 45, 0),
    ]
    assert codes(capture) == ["unclosed_events"]


def test_chromes_own_words_are_those_of_its_json() -> None:
    def legacy(phase: str, *parts: bytes) -> bytes:
        return part(6, number(2, ord(phase)) + b"".join(parts))

    capture = read(
        PROCESS,
        packet(event(0, 2, "whole", {}, legacy("X", number(3, 4))), at=1000),
        packet(event(0, 2, "request", {}, legacy("b", number(10, 5)), category="net"), at=2000),
        packet(event(0, 2, "request", {}, legacy("e", number(10, 5)), category="net"), at=4000),
        packet(event(0, None, "other", {}, legacy("i", number(18, 7), number(19, 71))), at=5000),
        packet(event(2, 2), at=9000),
    )
    assert slices(capture) == [
        ("trainer", "main", "whole", 0, 4000),
        ("trainer", "thread 71", "other", 4000, 0),
        ("trainer", "request", "request", 1000, 2000),
    ]
    assert capture.quality.dropped == {"end_without_begin": 1}


def test_what_ran_on_a_gpu_is_on_its_queues() -> None:
    names = part(24, number(1, 1) + part(2, "Compute")) + part(24, number(1, 2) + part(2, "Draw"))
    stage = number(1, 5) + number(2, 300) + number(13, 1) + number(14, 2) + number(11, 1)
    extra = part(6, part(1, "size") + part(2, "64"))
    spec = part(47, number(1, 1) + part(2, part(1, number(1, 3) + part(2, "power"))) + number(3, 1))
    capture = read(
        packet(part(12, names + spec), flags=1),
        packet(part(53, stage + extra), at=1000, flags=2),
        packet(part(52, number(4, 1) + part(2, number(1, 3) + double(3, 9.5))), at=1100, flags=2),
    )
    assert slices(capture) == [("GPU 1", "Compute", "Draw", 0, 300), ("GPU 1", "counters", "power", 100, 0)]
    assert [stats(capture, i) for i in range(2)] == [{"event_id": 5, "size": 64}, {"value": 9.5}]
    assert capture.planes.kind.tolist() == [PlaneKind.GPU]


def test_packed_packets_are_read() -> None:
    inner = PROCESS + packet(event(3, 2, "a"), at=1)
    capture = read(packet(part(50, zlib.compress(inner))), packet(event(3, 2, "b"), at=2))
    assert [each[2] for each in slices(capture)] == ["a", "b"]
    within = packet(part(50, zlib.compress(packet(part(50, zlib.compress(inner))))))
    assert read(PROCESS, within, packet(part(133, b"x"))).quality.dropped == {"packed_packets": 2}
    assert read(PROCESS, packet(part(50, b"no"))).quality.dropped == {"damaged": 1}


@pytest.mark.parametrize(("fits", "size"), [(True, 67_000_000), (False, 67_200_000)])
def test_packed_packets_unpack_to_64_mib(fits: bool, size: int) -> None:
    packed = packet(part(50, zlib.compress(packet(part(500, bytes(size))), 1)))
    assert read(PROCESS, packed).quality.dropped == ({} if fits else {"packed_packets": 1})


@pytest.mark.parametrize(("depth", "is_whole"), [(32, True), (33, False)])
def test_annotations_hold_others_32_deep(depth: int, is_whole: bool) -> None:
    inner = part(10, "k") + number(3, 1)
    for _ in range(depth):
        inner = part(10, "k") + part(11, inner)
    capture = read(PROCESS, packet(event(3, 2, "a", {}, part(4, inner)), at=1))
    assert ("…" not in str(stats(capture, 0))) is is_whole


def test_what_lies_before_the_damage_is_shown() -> None:
    whole = PROCESS + packet(event(3, 2, "a"), at=1)
    cut = read(whole, packet(event(3, 2, "b"), at=2)[:-1])
    assert [each[2] for each in slices(cut)] == ["a"]
    assert (cut.quality.dropped, codes(cut)) == ({"cut_at_end": 1}, ["packets_cut"])
    damaged = read(whole, b"\x00", whole)
    assert ([each[2] for each in slices(damaged)], codes(damaged)) == (["a"], ["wire_damaged"])
    inside = read(whole, packet(part(11, b"\x0b")), packet(event(3, 2, "b"), at=2))
    assert ([each[2] for each in slices(inside)], inside.quality.dropped) == (["a", "b"], {"damaged": 1})


@pytest.mark.parametrize("name", ["h.pftrace", "h.perfetto-trace", "x.trace", "h.pftrace.gz", "anything"])
def test_names_do_not_matter(name: str) -> None:
    data = PROCESS + packet(event(3, 2, "a"), at=1)
    assert decode.read_bytes(gzip.compress(data) if name.endswith("gz") else data, name).format == Format.PERFETTO


def test_what_is_no_trace_is_refused() -> None:
    with pytest.raises(UnreadableError):
        decode.read_bytes(b"no trace", "h.pftrace")


def test_a_file_of_descriptions_alone_opens() -> None:
    capture = read(PROCESS)
    assert (len(capture.events), codes(capture)) == (0, ["packets_without_events"])


def test_members_are_what_kineto_writes() -> None:
    members = {"host_name": "node-1", "distributedInfo": '{"rank": 3, "world_size": 8}', "record_shapes": "1"}
    instants = [packet(event(3, 1, "trace_metadata", {key: value})) for key, value in members.items()]
    devices = packet(event(3, 1, "device_properties", {"properties": '{"id": 0, "name": "H100"}'}))
    kernel = {"stream": 7, "device": 0, "correlation": 5}
    ran = packet(event(1, 2, "k", kernel, category="kernel"), at=1) + packet(event(2, 2), at=2)
    schema = part(126, part(1, part(1, "schemaVersion") + number(2, 1)))
    capture = read(PROCESS, *instants, devices, packet(schema), ran)
    assert (capture.format, capture.hostname, capture.quality.dropped) == (Format.KINETO, "node-1", {})
    planes = [capture.strings[int(name)] for name in capture.planes.name]
    assert planes == ["/device:GPU:0"]


def test_ends_close_what_was_begun_last_on_their_track_whether_or_not_they_say_more() -> None:
    capture = read(
        PROCESS,
        track(3, 1, thread=(7, 71, "other")),
        packet(event(1, 2, "a"), at=0),
        packet(event(1, 2, "b"), at=10),
        packet(event(2, 2), at=20),
        packet(event(1, 3, "c"), at=20),
        packet(event(2, 2, "", {"loss": 0.5}), at=30),
        packet(event(2, 3), at=40),
        packet(event(2, 3), at=50),
        packet(event(1, 2, "open"), at=60),
        packet(event(3, 2, "last"), at=65),
    )
    assert [each[1:] for each in slices(capture)] == [
        ("main", "a", 0, 30),
        ("main", "b", 10, 10),
        ("main", "open", 60, 5),
        ("main", "last", 65, 0),
        ("other", "c", 20, 20),
    ]
    assert stats(capture) == {"loss": 0.5}
    assert capture.quality.dropped == {"end_without_begin": 1}
    assert codes(capture) == ["unclosed_events"]


def test_what_was_begun_on_one_track_of_a_thread_lasts_until_the_last_end_on_another_of_it() -> None:
    capture = read(
        PROCESS,
        track(3, 2, "main"),
        packet(event(1, 2, "open"), at=0),
        packet(event(2, 3), at=50),
    )
    assert [each[2:] for each in slices(capture)] == [("open", 0, 50)]


def test_an_end_before_its_begin_of_the_same_moment_is_its_end() -> None:
    capture = read(
        PROCESS, packet(event(2, 2), at=10), packet(event(1, 2, "x"), at=10), packet(event(1, 2, "y"), at=20)
    )
    assert [each[2:] for each in slices(capture)] == [("x", 10, 0), ("y", 20, 0)]
    assert not capture.quality.dropped


def test_all_begins_before_all_their_ends_are_in_one_order() -> None:
    """Where times say so: one after another, which as nested ones would be longer."""
    begins = [packet(event(1, 2, name), at=at) for name, at in (("a", 0), ("b", 10), ("c", 20))]
    ends = [packet(event(2, 2), at=at) for at in (10, 20, 25)]
    capture = read(PROCESS, *begins, *ends)
    assert [each[2:] for each in slices(capture)] == [("a", 0, 10), ("b", 10, 10), ("c", 20, 5)]


def test_a_file_of_ends_alone_has_no_events() -> None:
    capture = read(packet(event(2, 2), at=10))
    assert not len(capture.events)
    assert capture.quality.dropped == {"end_without_begin": 1}


def test_a_name_that_the_file_lacks_counts_once_of_an_arg_that_holds_others() -> None:
    """Its own name was looked up with the names within, which also read the value of each such arg anew."""
    capture = read(PROCESS, packet(event(3, 2, "x", None, annotation(9, [1, 2])), at=10))
    assert [each.params for each in capture.quality.warnings] == [{"n": 1}]
    assert list(stats(capture).values()) == ["[1,2]"]


def test_what_a_trace_says_of_itself_may_stand_anywhere_among_its_events() -> None:
    """It goes from the events with its args, and each of them keeps its own."""
    said = [packet(event(3, 0, "trace_metadata", {key: "1"})) for key in ("first", "second", "third")]
    events = [packet(event(3, 2, name, {"n": at}), at=at) for at, name in enumerate("ab")]
    for order in ([*said, *events], [*events, *said], [said[0], events[0], said[1], events[1], said[2]]):
        capture = read(PROCESS, *order)
        assert [stats(capture, row) for row in range(2)] == [{"n": 0}, {"n": 1}]
