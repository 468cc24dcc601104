"""pprof: device memory profiles of JAX, heap profiles of Go and C++, and what is none of them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import pprof as profile
from tensorboard_perfplugin.decode import pprof as reader
from tensorboard_perfplugin.decode.common import build
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.tables import Capture, PlaneKind
from tests.build_capture import chunk, number
from tests.conftest import SHARED_CAPTURES
from tests.decode.pprofs import Pprof, mapping, profile_class, repeated

REAL = sorted(SHARED_CAPTURES.glob("memory/*/*/*"))
GO = (
    ("alloc_objects", "count"),
    ("alloc_space", "bytes"),
    ("inuse_objects", "count"),
    ("inuse_space", "bytes"),
)


def opened(pprof: Pprof | bytes, name: str = "memory.prof") -> Capture:
    data = pprof if isinstance(pprof, bytes) else pprof.bytes()
    capture = decode.read_bytes(data, name)
    capture.check()
    return capture


def rows(capture: Capture) -> list[tuple[str, str, int, int, str, str, list[str]]]:
    """Plane, name, occurrences, bytes, kind, device, frames."""
    table, found = capture.aggregates, []
    for row in range(len(table)):
        facts = capture.values(int(table.stats_begin[row]), int(table.stats_end[row]))
        (_, size), (_, kind), (_, device), *frames = facts
        assert [key for key, _ in facts[:3]] == ["heap_bytes", "heap_kind", "heap_device"]
        assert {key for key, _ in frames} <= {"heap_frame"}
        plane = capture.strings[int(capture.planes.name[capture.tracks.plane[table.track[row]]])]
        name = capture.strings[int(table.name[row])]
        assert isinstance(size, int)
        texts = [str(text) for _, text in frames]
        found.append((plane, name, int(table.occurrences[row]), size, str(kind), str(device), texts))
    return found


def told(capture: Capture) -> tuple[Message, ...]:
    """What is wrong with it."""
    assert capture.quality.warnings[0] == message("memory_profile_note")
    return capture.quality.warnings[1:]


def test_a_device_memory_profile() -> None:
    profile = Pprof()
    profile.sample(400, ["main a.py:1", "f a.py:7"], kind="buffer", device="cuda:1")
    profile.sample(30, ["main a.py:1", "f a.py:8"], count=3, packed=False, kind="buffer", device="cuda:0")
    profile.sample(2000, ["main a.py:2"], kind="executable")
    capture = opened(profile)
    f7, f8 = "f\ta.py\t7", "f\ta.py\t8"
    assert rows(capture) == [
        ("cuda:0", "f", 3, 30, "buffer", "cuda:0", ["main\ta.py\t1", f8]),
        ("cuda:1", "f", 1, 400, "buffer", "cuda:1", ["main\ta.py\t1", f7]),
        ("(no device named)", "main", 1, 2000, "executable", "", ["main\ta.py\t2"]),
    ]
    assert capture.format == "pprof"
    assert [*zip(capture.planes.kind.tolist(), capture.planes.ordinal.tolist(), strict=True)] == [
        (PlaneKind.GPU, 0),
        (PlaneKind.GPU, 1),
        (PlaneKind.OTHER, -1),
    ]
    assert told(capture) == ()
    assert not capture.aggregates.duration_ps.any()
    assert rows(opened(gzip.compress(profile.bytes()))) == rows(capture)


@pytest.mark.parametrize(
    ("name", "kind", "ordinal"),
    [
        ("cuda:3", PlaneKind.GPU, 3),
        ("rocm:0", PlaneKind.GPU, 0),
        ("TPU_7(process=1,(0,1,0,0))", PlaneKind.TPU, 7),
        ("TFRT_CPU_2", PlaneKind.CPU, 2),
        ("cpu:1", PlaneKind.CPU, 1),
        ("gpu", PlaneKind.GPU, -1),
        ("my chip", PlaneKind.OTHER, -1),
    ],
)
def test_devices_are_told_by_their_names(name: str, kind: PlaneKind, ordinal: int) -> None:
    assert reader.device_kind(name) == (kind, ordinal)


def test_inlined_functions_are_frames_of_their_own_and_a_function_may_call_itself() -> None:
    profile = Pprof().sample(8, ["main a.c:1", ["outer b.c:2", "inlined b.c:9"], "main a.c:1", "main a.c:1"])
    ((_, name, _, _, _, _, frames),) = rows(opened(profile))
    assert name == "main"
    assert frames == ["main\ta.c\t1", "outer\tb.c\t2", "inlined\tb.c\t9", "main\ta.c\t1", "main\ta.c\t1"]


def test_types_go_by_their_names_and_units_not_by_their_place() -> None:
    swapped = Pprof(types=(("space", "kilobytes"), ("allocations", "count"))).values((5, 2), ["f a.py:1"])
    assert [row[2:4] for row in rows(opened(swapped))] == [(2, 5 * 1024)]


@pytest.mark.parametrize(
    ("default", "expected"),
    [("", (3, 300)), ("alloc_space", (1, 100)), ("inuse_objects", (3, 300)), ("alloc_objects", (1, 100))],
)
def test_a_heap_of_go_tells_what_is_in_use_or_what_it_prefers(default: str, expected: tuple[int, int]) -> None:
    capture = opened(Pprof(types=GO, default=default).values((1, 100, 3, 300), ["main.f main.go:4"]), "heap.pprof")
    assert [row[2:4] for row in rows(capture)] == [expected]
    assert capture.strings.texts(capture.planes.name) == ["host memory"]
    assert capture.planes.kind.tolist() == [PlaneKind.CPU]


def test_a_profile_of_time_is_refused() -> None:
    profile = Pprof(types=(("samples", "count"), ("cpu", "nanoseconds"))).values((1, 100), ["f a.go:1"])
    with pytest.raises(UnreadableError, match="of samples in count, cpu in nanoseconds, not of memory"):
        opened(profile, "cpu.pprof")


def test_without_counts_the_number_of_allocations_is_0_and_that_is_said() -> None:
    capture = opened(Pprof(types=(("space", "bytes"),)).values((7,), ["f a.py:1"]))
    assert [row[2:4] for row in rows(capture)] == [(0, 7)]
    assert told(capture) == (message("no_allocation_count"),)


def test_what_is_pointed_to_and_not_there_has_a_name() -> None:
    """Ids have 64 bits."""
    profile = Pprof().sample(1, [77])
    last = (1 << 64) - 1
    profile.parts.append(chunk(4, number(1, last) + chunk(4, profile.line("f a.py:1"))))
    profile.parts.append(chunk(4, number(1, 5) + chunk(4, number(1, 99) + number(2, 3))))
    profile.parts.append(chunk(4, number(1, 6) + number(2, 1) + number(3, 0xABC)))
    profile.parts.append(chunk(4, number(1, 7) + number(2, 8)))
    profile.parts.append(chunk(5, number(1, 100) + number(2, 4000)) + chunk(4, number(1, 8) + chunk(4, number(1, 100))))
    profile.parts.append(mapping(1, profile.id("lib.so")))
    profile.sample(2, [5]).sample(3, [6]).sample(4, [7]).sample(5, [8]).sample(6).sample(7, [last])
    capture = opened(profile)
    assert [(row[1], row[6]) for row in rows(capture)] == [
        ("(unknown location 77)", ["(unknown location 77)\t\t0"]),
        ("(unknown function 99)", ["(unknown function 99)\t\t3"]),
        ("0xabc", ["0xabc\tlib.so\t0"]),
        ("(location 7)", ["(location 7)\t\t0"]),
        ("(unnamed function 100)", ["(unnamed function 100)\t\t0"]),
        ("(no stack)", []),
        ("f", ["f\ta.py\t1"]),
    ]
    assert told(capture) == (
        message("pprof_unknown_locations", n=1),
        message("pprof_unknown_functions", n=1),
        message("pprof_outside_strings", n=1),
    )


def test_of_many_unknown_locations_the_first_thousand_are_told_apart() -> None:
    """Ten million of them in a file of 50 MB took 10 GB."""
    profile = Pprof().sample(1, ["f a.py:1"])
    for i in range(1500):
        profile.sample(1, [10 + i])
    names = [row[1] for row in rows(opened(profile))]
    assert names[:3] == ["f", "(unknown location 10)", "(unknown location 11)"]
    assert len(set(names)) == 1001
    assert set(names[1000:]) == {"(unknown location 1009)"}


@pytest.mark.parametrize(
    ("module", "limit", "most", "data", "says"),
    [
        (profile, "MAX_LOCATIONS", 100, Pprof().sample(1, [1] * 101).bytes(), "more than 100 calls"),
        (profile, "MAX_FIELDS", 1000, Pprof().bytes() + b"\x12\x00" * 2000, "more than 1,000 fields"),
        (reader, "MAX_BYTES", 100, Pprof().sample(1, ["f " + "a" * 100]).bytes(), "memory profiles are smaller"),
    ],
    ids=["calls", "fields", "bytes"],
)
def test_more_than_any_profile_has_is_refused(
    module: Any, limit: str, most: int, data: bytes, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, limit, most)
    with pytest.raises(UnreadableError, match=says):
        opened(data)


def test_of_a_sample_with_very_many_values_the_first_are_read() -> None:
    profile = Pprof().values((1, 8, *[1 << 40] * 1000), ["f a.py:1"])
    assert [row[2:4] for row in rows(opened(profile))] == [(1, 8)]


def test_executables_of_unknown_size_take_nothing_from_what_is_in_use() -> None:
    """JAX writes -1 for each; a difference of two profiles may hold the same of a buffer."""
    profile = Pprof().sample(64, ["f a.py:1"], kind="buffer").sample(-1, ["f a.py:1"], kind="buffer")
    capture = opened(profile.sample(-1, ["g a.py:2"], kind="executable"))
    assert [(row[3], row[4]) for row in rows(capture)] == [(64, "buffer"), (-1, "buffer"), (0, "executable")]
    assert told(capture) == (message("executables_without_size", n=1), message("sizes_negative"))


def test_wild_numbers_are_bounded() -> None:
    profile = (
        Pprof().sample(1 << 62, ["f a.py:1"]).sample((1 << 63) - 1, ["f a.py:1"], count=-4).sample(-5, ["g a.py:-3"])
    )
    capture = opened(profile)
    most = (1 << 50) // 3
    assert [(row[2], row[3]) for row in rows(capture)] == [(1, most), (0, most), (1, -5)]
    assert told(capture) == (
        message("sizes_too_large", limit=most),
        message("sizes_negative"),
    )


def test_samples_without_a_size_are_left_out_and_counted() -> None:
    profile = Pprof().values((1,), ["f a.py:1"]).sample(3, ["f a.py:1"])
    capture = opened(profile)
    assert [row[3] for row in rows(capture)] == [3]
    assert capture.quality.dropped == {"sample_without_size": 1}


def test_a_damaged_sample_is_left_out_and_counted() -> None:
    profile = Pprof().sample(1, ["f a.py:1"]).sample(3, ["f a.py:1"])
    profile.samples.insert(1, b"\x12\x7f\x01")
    capture = opened(profile)
    assert [row[3] for row in rows(capture)] == [1, 3]
    assert capture.quality.dropped == {"damaged_sample": 1}
    assert told(capture)[0].code == "pprof_record_damaged"


def test_gzip_that_ends_early_gives_what_can_be_read_or_is_refused() -> None:
    profile = Pprof()
    # Writers may put the strings first.
    for i in range(200):
        profile.sample(i, [f"f{i} a.py:1"])
    data = profile.bytes()
    strings = b"".join(chunk(6, value.encode()) for value in profile.strings)
    data = strings + data.removesuffix(strings)
    packed = gzip.compress(data[: len(strings)]) + gzip.compress(data[len(strings) :])
    capture = opened(packed[:-300])
    assert 0 < len(capture.aggregates) <= 200
    assert told(capture)[0].code == "gzip_cut"
    with pytest.raises(UnreadableError, match="gzip data that is damaged"):
        opened(gzip.compress(profile.bytes())[:100])


def test_a_location_of_many_lines_used_by_many_samples_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand times a thousand frames in a file of 10 KB; a file of 100 MB would make 10¹³."""
    monkeypatch.setattr(build, "memory_bytes", lambda: 20_000_000)
    profile = Pprof()
    profile.location([f"f{i} a.c:1" for i in range(1000)])
    for _ in range(1000):
        profile.samples.append(repeated(1, [1], True) + repeated(2, [1, 1], True))
    with pytest.raises(UnreadableError, match=r"need 31.2 MiB of memory; this machine has 19.1 MiB"):
        opened(profile)


def test_a_profile_of_nothing_opens() -> None:
    capture = opened(Pprof())
    assert len(capture.aggregates) == len(capture.planes) == 0


@pytest.mark.parametrize("data", [b"", b"abc", b"\x0a\x04\x08\x01\x10\x02", b"{}", bytes(100)])
def test_what_is_no_profile_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        opened(data)


def test_a_profile_is_known_by_its_content() -> None:
    data = Pprof().sample(1, ["f a.py:1"]).bytes()
    assert opened(data, "download (1)").format == "pprof"
    assert decode.sniff(data) == "a pprof profile"
    assert decode.sniff(Pprof().sample(1, [f"f{i} a.py:1" for i in range(5000)]).bytes()) == "a pprof profile"


@pytest.mark.skipif(not REAL, reason="the captures are not here")
@pytest.mark.parametrize("path", REAL, ids=lambda path: str(path.parent.name))
def test_real_profiles_are_what_the_protobuf_runtime_reads(path: Path) -> None:
    profile = profile_class().FromString(gzip.decompress(path.read_bytes()))
    names, locations = profile.string_table, {each.id: each for each in profile.location}
    functions = {each.id: each for each in profile.function}
    expected = []
    for sample in profile.sample:
        labels = {names[each.key]: names[each.str] for each in sample.label}
        frames = [
            f"{names[functions[line.function_id].name]}\t{names[functions[line.function_id].filename]}\t{line.line}"
            for id in reversed(sample.location_id)
            for line in reversed(locations[id].line)
        ]
        expected.append((sample.value[0], sample.value[1], labels.get("kind", ""), labels.get("device", ""), frames))
    capture = opened(path.read_bytes())
    got = [row[2:] for row in rows(capture)]
    assert sorted(got) == sorted((count, size, *rest) for count, size, *rest in expected)
    assert told(capture) == ()
