"""Small captures, written out, and the whole tables that they become."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import PlaneKind, StatKind, TrackKind
from tests.build_capture import Nothing, Ref, Space, StatValue, Uint, chunk, number
from tests.decode.both import NAME, events, read_both


def test_all_kinds_of_stats() -> None:
    space = Space(["h"], errors=["lost"], warnings=["dropped 3"])
    line = space.plane("/device:GPU:2", stats={"device_vendor": "Nvidia"}).line(7, "Stream #7(Compute)", timestamp_ns=5)
    line.plane.kind("kernel", "k", {"flops": 12})
    given: dict[str, StatValue] = {
        "i": -3,
        "u": Uint(2**64 - 1),
        "d": -0.5,
        "t": "text",
        "r": Ref("text"),
        "e": "",
        "b": b"\0",
        "n": Nothing,
    }
    line.event("kernel", 1000, 500, given)
    capture = read_both(space)
    assert events(capture) == [
        (
            "Stream #7(Compute)",
            "kernel",
            6000,
            500,
            [
                ("i", -3),
                ("u", 2**64 - 1),
                ("d", -0.5),
                ("t", "text"),
                ("r", "text"),
                ("e", ""),
                ("b", b"\0"),
                ("n", None),
            ],
        )
    ]
    assert capture.event_values(0)[-1] == ("flops", 12)
    assert capture.stats.kind.tolist()[2:] == [1, 2, 3, 4, 4, 4, 5, 0]
    assert [(p.name, getattr(capture.planes, p.name).tolist()) for p in capture.planes.COLUMNS[1:4]] == [
        ("kind", [PlaneKind.GPU]),
        ("vendor", [capture.strings.find("Nvidia")]),
        ("ordinal", [2]),
    ]
    assert capture.strings.texts(capture.kinds.label) == ["k"]
    assert (capture.hostname, capture.errors, capture.quality.warnings) == (
        "h",
        ("lost",),
        (message("profiler_warning", text="dropped 3"),),
    )
    assert (capture.format, capture.start_ns, capture.quality.events_in_file) == ("xplane", None, 1)


def test_strings_are_numbered_by_first_appearance() -> None:
    space = Space()
    line = space.plane("/host:CPU", stats={"version": "one"}).line(1, "main")
    line.event("b", 0, 1, {"key": "inline", "other": Ref("pooled")})
    line.event("a", 1, 1, {"key": "one"})
    assert list(read_both(space).strings) == [
        *("", "/host:CPU", "b", "a", "key", "other", "pooled", "version", "one", "main", "inline")
    ]


def test_lines_of_one_id_are_one_track_and_events_are_sorted() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(-9, "", display_id=4).event("late", 30, 1).event("short", 10, 2).event("long", 10, 5)
    plane.line(3, "other")
    plane.line(-9, "main", display_name="Main").event("first", 1, 1).event("twin", 10, 2)
    capture = read_both(space)
    assert [e[:4] for e in events(capture)] == [
        ("Main", "first", 1, 1),
        ("Main", "long", 10, 5),
        ("Main", "short", 10, 2),
        ("Main", "twin", 10, 2),
        ("Main", "late", 30, 1),
    ]
    assert capture.tracks.id.tolist() == [-9, 3]
    assert capture.tracks.order.tolist() == [4, 3]
    assert capture.tracks.events_begin.tolist() == [0, 5]
    assert capture.tracks.events_end.tolist() == [5, 5]


def test_aggregates_have_no_place_in_time() -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(1, "XLA Ops")
    line.event("fusion", duration_ps=90, occurrences=3, stats={"x": 1}).event("copy", 5, 6).event(
        "never", occurrences=0
    )
    capture = read_both(space)
    a = capture.aggregates
    assert capture.strings.texts(a.name) == ["fusion", "never"]
    assert a.occurrences.tolist() == [3, 1]
    assert a.duration_ps.tolist() == [90, 0]
    assert capture.values(int(a.stats_begin[0]), int(a.stats_end[0])) == [("x", 1)]
    assert [e[:4] for e in events(capture)] == [("XLA Ops", "copy", 5, 6)]
    assert capture.quality.events_in_file == 3


def test_metadata_that_is_missing() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "main").event(77, 1, 2)
    unknown_key, unknown_text = chunk(4, number(1, 99) + number(4, 5)), chunk(4, number(1, 1) + number(7, 98))
    line.plane.stat_id("known")
    line.event("ok", 3, 4, extra=unknown_key + unknown_text)
    capture = read_both(space)
    assert [e[1:] for e in events(capture)] == [("", 1, 2, []), ("ok", 3, 4, [("", 5), ("known", "")])]
    assert capture.events.kind.tolist() == [-1, 0]
    assert capture.quality.warnings == (
        message("missing_event_metadata", n=1),
        message("missing_stat_metadata", n=1),
        message("missing_stat_text", n=1),
    )


def test_negative_and_zero_durations() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("back", 5, -3).event("instant", 5, 0)
    capture = read_both(space)
    assert [e[1:4] for e in events(capture)] == [("back", 5, 0), ("instant", 5, 0)]
    assert capture.quality.warnings == (message("negative_durations", n=1),)


def test_the_last_of_equal_fields_wins() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1)
    occurrences_then_offset = number(1, 1) + number(5, 9) + number(2, 40) + number(2, 50)
    stat = chunk(4, number(1, 1) + number(4, 5) + chunk(5, b"text"))
    line.plane.stat_id("key")
    line.plane.kind("first", key=1)
    line.plane.kind("second", key=1)
    line.events.append(occurrences_then_offset + stat)
    assert events(read_both(space)) == [("", "second", 50, 0, [("key", "text")])]


def test_of_equal_map_keys_the_last_counts() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1).event(7, 1, 1)
    entries = b"".join(chunk(4, number(1, 7) + chunk(2, chunk(2, name))) for name in (b"old", b"new"))
    plane_data = plane.bytes() + entries
    capture = read_both(chunk(1, plane_data))
    assert [e[1] for e in events(capture)] == ["new"]
    assert len(capture.kinds) == 1


def test_unknown_fields_are_skipped_at_every_level() -> None:
    unknown = number(99, 5) + chunk(98, b"later version") + b"\x93\x06\x08\x01\x94\x06"
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    line.event("op", 1, 2, extra=unknown + chunk(4, unknown + number(1, 1) + number(4, 3) + unknown))
    line.plane.stat_id("key")
    plane = chunk(3, line.bytes() + unknown) + unknown + space.planes[0].bytes().replace(chunk(3, line.bytes()), b"")
    assert events(read_both(chunk(1, plane) + unknown)) == [("main", "op", 1, 2, [("key", 3)])]


def test_texts_that_are_not_utf8_are_replaced_and_counted() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("op", 1, 2, {"a": "xx", "b": "yy"})
    data = space.bytes().replace(b"xx", b"\xff\xfe").replace(b"yy", b"\xfe\xff")
    capture = read_both(data)
    assert events(capture)[0][4] == [("a", "\ufffd\ufffd"), ("b", "\ufffd\ufffd")]
    assert capture.quality.warnings == (message("invalid_utf8", n=2),)


def test_what_the_collector_lost_is_a_warning() -> None:
    space = Space()
    space.plane("/device:GPU:0", stats={"dropped_traces": 12, "nan_counter_events": 0}).line(1).event("k")
    assert read_both(space).quality.warnings == (
        message("events_lost", plane="/device:GPU:0", key="dropped_traces", value="12"),
    )


def test_an_empty_capture_is_readable() -> None:
    capture = read_both(Space(["worker"]))
    assert (len(capture.planes), capture.hostname) == (0, "worker")
    assert capture.quality.warnings == (message("no_events"),)


def test_text_and_bytes_of_many_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that several threads share gives the same strings as one that is read in one go."""
    if decode.COMPILED:
        monkeypatch.setattr("tensorboard_perfplugin.decode.xplane.fast.SEGMENT_BYTES", 100)
    space = Space()
    line = space.plane("/host:CPU").line(1)
    for i in range(200):
        line.event(f"op{i % 7}", i, 1, [("text", f"t{i % 13}"), ("blob", b"%d" % (i % 3)), ("name", "x" * (i % 90))])
    capture = read_both(space)
    assert len(capture.blobs) == 3
    assert [row[4][0] for row in events(capture)] == [("text", f"t{i % 13}") for i in range(200)]


def test_stat_values_by_kind_of_number() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("op", 0, 1, {"m": -(2**63), "z": 0, "big": Uint(2**63), "inf": float("inf")})
    capture = read_both(space)
    assert capture.event_values(0) == [("m", -(2**63)), ("z", 0), ("big", 2**63), ("inf", float("inf"))]
    assert capture.stats.kind.tolist() == [StatKind.INT, StatKind.INT, StatKind.UINT, StatKind.DOUBLE]


@pytest.mark.parametrize(
    ("plane", "id", "name", "kind"),
    [
        ("/host:CPU", 5, "python", TrackKind.THREAD),
        ("/host:CPU", -559038737, "Steps", TrackKind.DERIVED),
        ("/host:CPU", -559038737 + (1 << 32), "tf_Compute", TrackKind.THREAD),  # 64-bit hash, derived if cut to 32
        ("/host:CPU", -559038348, "main", TrackKind.DERIVED),
        ("/host:CPU", -559038347, "main", TrackKind.THREAD),
        ("/device:GPU:0", 13, "Stream #13(Compute)", TrackKind.STREAM),
        ("/device:GPU:0", -559038732, "XLA Ops", TrackKind.DERIVED),
        ("/device:GPU:0", 99, "XLA Modules", TrackKind.DERIVED),
        ("/device:GPU:0", -559038731, "CUPTI overhead", TrackKind.OTHER),
        ("/device:GPU:0", (1 << 63) - 1, "_counters_", TrackKind.COUNTER),
        ("/device:TPU:0", 3, "XLA Ops", TrackKind.STREAM),
        ("/device:TPU:0", 2, "XLA Modules", TrackKind.DERIVED),
        ("/device:TPU:0", 1, "Steps", TrackKind.DERIVED),
        ("/device:TPU:0", 6, "XLA TraceMe", TrackKind.OTHER),
        ("/host:metadata", 1, "x", TrackKind.OTHER),
    ],
)
def test_kind_of_a_track(plane: str, id: int, name: str, kind: TrackKind) -> None:
    space = Space()
    space.plane(plane).line(id, name)
    assert read_both(space).tracks.kind.tolist() == [kind]


@pytest.mark.parametrize(
    ("name", "kind", "ordinal"),
    [
        ("/host:CPU", PlaneKind.CPU, -1),
        ("/host:CPU [4711]", PlaneKind.CPU, -1),
        ("/host:CUPTI", PlaneKind.CPU, -1),
        ("/host:python-tracer", PlaneKind.PYTHON, -1),
        ("/host:metadata", PlaneKind.OTHER, -1),
        ("Task Environment", PlaneKind.OTHER, -1),
        ("/device:GPU:11", PlaneKind.GPU, 11),
        ("/device:TPU:3", PlaneKind.TPU, 3),
        ("/device:TPU:3 SparseCore 1", PlaneKind.TPU, 3),
        ("/device:CUSTOM:MOSAIC:4", PlaneKind.OTHER, 4),
        ("#Chip2", PlaneKind.OTHER, 2),
    ],
)
def test_kind_of_a_plane(name: str, kind: PlaneKind, ordinal: int) -> None:
    space = Space()
    space.plane(name)
    planes = read_both(space).planes
    assert (planes.kind.tolist(), planes.ordinal.tolist()) == ([kind], [ordinal])


def test_a_decoder_that_is_not_there() -> None:
    with pytest.raises(ArgumentError, match="decoder 'fast': use one of compiled, protobuf"):
        decode.read_bytes(Space().bytes(), NAME, decoder="fast")
