"""Kernels and memory that TensorFlow summed up, in `.kernel_stats.pb` and `.memory_profile.json`, alone and beside."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import tool_files
from tensorboard_perfplugin.decode.tool_files import Report
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture, PlaneKind, TrackKind
from tests.build_capture import chunk, number, text, varint
from tests.decode.test_tool_files import overview_page, sums, write

SMALL = {"op_name": "model/conv/Conv2D", "regs": 32, "static": 1024, "dynamic": 2048, "occupancy": 37.5}


def kernel(name: str, runs: int, total_ns: int, low_ns: int, high_ns: int, **more: Any) -> bytes:
    body = text(1, name) + number(2, more.get("regs", 0)) + number(3, more.get("static", 0))
    body += number(4, more.get("dynamic", 0))
    for field, values in ((5, more.get("block", ())), (6, more.get("grid", ()))):
        body += chunk(field, b"".join(map(varint, values))) if values else b""
    body += number(7, total_ns) + number(8, low_ns) + number(9, high_ns)
    body += number(10, more.get("uses", 0)) + number(11, more.get("may", 0)) + text(12, more.get("op_name", ""))
    body += number(13, runs)
    if "occupancy" in more:
        body += varint(14 << 3 | 5) + struct.pack("<f", more["occupancy"])
    return chunk(1, body)


def two_kernels() -> bytes:
    first = kernel("sgemm_nn", 4, 9000, 2000, 3000, block=(256, 1, 1), grid=(16, 4, 2), uses=1, may=1, **SMALL)
    return first + kernel("copy_kernel", 1, 10, 10, 10)


def snapshot(kind: str, at_ps: int, heap: int, address: int, size: int, **more: Any) -> dict[str, Any]:
    """As protobuf's JSON has it: 64-bit numbers are texts."""
    sizes = {"stackReservedBytes": "0", "heapAllocatedBytes": str(heap), "freeMemoryBytes": str(more.pop("free", 0))}
    sizes |= {"fragmentation": more.pop("fragmentation", 0), "peakBytesInUse": str(more.pop("peak", heap))}
    activity = {"memoryActivity": kind, "requestedBytes": str(size - 1), "allocationBytes": str(size)}
    activity |= {"address": str(address), "tfOpName": "", "stepId": "-1", "regionType": "", "dataType": "INVALID"}
    return {
        "timeOffsetPs": str(at_ps),
        "aggregationStats": sizes,
        "activityMetadata": {**activity, "tensorShape": "", **more},
    }


def memory(**allocators: dict[str, Any]) -> bytes:
    return json.dumps({"memoryProfilePerAllocator": allocators, "numHosts": 1, "memoryIds": [*allocators]}).encode()


def gpu() -> dict[str, Any]:
    relu = {"tfOpName": "model/Relu", "stepId": "3", "regionType": "output", "dataType": "half", "tensorShape": "[8]"}
    first = snapshot("ALLOCATION", 1000, 300, 0x100, 100, free=700, fragmentation=0.25, **relu)
    second = snapshot("DEALLOCATION", 2000, 200, 0x100, 100, free=800, peak=300, **relu)
    return {
        "memoryProfileSnapshots": [first],
        "sampledTimelineSnapshots": [first, second],
        "specialAllocations": [{"tfOpName": "unused preallocated device memory", "allocationBytes": "200"}],
        "activeAllocations": [
            {"snapshotIndex": "-1", "specialIndex": "0", "numOccurrences": "1"},
            {"snapshotIndex": "0", "specialIndex": "-1", "numOccurrences": "2"},
            {"snapshotIndex": "7", "specialIndex": "-1", "numOccurrences": "2"},
        ],
    }


def events(capture: Capture) -> list[tuple[str, int, dict[str, object]]]:
    return [
        (capture.event_name(row), int(capture.events.start_ps[row]), dict(capture.event_values(row)))
        for row in range(len(capture.events))
    ]


def test_kernels_are_sums_on_the_first_gpu() -> None:
    capture = decode.read_bytes(two_kernels(), "h.kernel_stats.pb")
    capture.check()
    assert capture.strings.texts(capture.planes.name) == ["/host:CPU", "/device:GPU:0"]
    assert capture.planes.kind.tolist() == [PlaneKind.CPU, PlaneKind.GPU]
    assert capture.tracks.kind.tolist() == [TrackKind.OTHER]
    assert sums(capture) == [
        (
            "sgemm_nn",
            4,
            0.009,
            {
                "kernel_details": "regs:32 static_shared:1024 dynamic_shared:2048 grid:16,4,2 block:256,1,1 "
                "occ_pct:37.5",
                "min_duration_ps": 2_000_000,
                "max_duration_ps": 3_000_000,
                "is_kernel_using_tensor_core": 1,
                "is_op_tensor_core_eligible": 1,
                "tf_op": "model/conv/Conv2D",
            },
        ),
        (
            "copy_kernel",
            1,
            0.00001,
            {
                "kernel_details": "",
                "min_duration_ps": 10_000,
                "max_duration_ps": 10_000,
                "is_kernel_using_tensor_core": 0,
                "is_op_tensor_core_eligible": 0,
            },
        ),
    ]
    assert capture.quality.warnings[0] == message("recorded_results", has_steps=False)


def test_a_kernel_tells_what_its_file_does() -> None:
    """Files of TensorFlow 2.4 hold no shapes: a grid of 1,1,1 would be a claim."""
    data = kernel("a", 1, 1, 1, 1, block=(8,)) + kernel("b", 1, 1, 1, 1, regs=7) + kernel("c", 1, 1, 1, 1, occupancy=50)
    data += kernel("d", 1, 1, 1, 1, block=(1, 1, 1), grid=(1, 1, 1))
    assert [facts["kernel_details"] for *_, facts in sums(decode.read_bytes(data, "h.kernel_stats.pb"))] == [
        "regs:0 static_shared:0 dynamic_shared:0 block:8,1,1",
        "regs:7 static_shared:0 dynamic_shared:0",
        "occ_pct:50",
        "",
    ]


def test_memory_events_are_as_a_profiler_writes_them() -> None:
    capture = decode.read_bytes(memory(GPU_0_bfc=gpu()), "h.memory_profile.json")
    capture.check()
    shared = {"allocator_name": "GPU_0_bfc", "bytes_reserved": 0, "requested_bytes": 99, "allocation_bytes": 100}
    shared |= {"addr": 0x100, "group_id": 3, "tf_op": "model/Relu", "region_type": "output", "shape": "[8]"}
    shared |= {"data_type": 19, "peak_bytes_in_use": 300}
    assert events(capture) == [
        ("MemoryAllocation", 1000, {**shared, "bytes_allocated": 300, "bytes_available": 700, "fragmentation": 0.25}),
        ("MemoryDeallocation", 2000, {**shared, "bytes_allocated": 200, "bytes_available": 800, "fragmentation": 0.0}),
    ]
    live = {name: value for name, value in shared.items() if name not in ("bytes_reserved", "peak_bytes_in_use")}
    assert sums(capture) == [
        (
            "unused preallocated device memory",
            1,
            0.0,
            {
                "at_recorded_peak": 1,
                "allocator_name": "GPU_0_bfc",
                "requested_bytes": 0,
                "allocation_bytes": 200,
                "addr": 0,
                "tf_op": "unused preallocated device memory",
            },
        ),
        ("model/Relu", 2, 0.0, {"at_recorded_peak": 1, **live}),
    ]


def test_an_allocator_without_a_limit_does_not_tell_what_is_free() -> None:
    capture = decode.read_bytes(
        memory(cpu={"memoryProfileSnapshots": [snapshot("ALLOCATION", 5, 10, 1, 10)]}), "h.memory_profile.json"
    )
    ((_, _, facts),) = events(capture)
    assert not {"bytes_available", "fragmentation", "group_id", "tf_op", "data_type"} & set(facts)
    assert facts["bytes_allocated"] == 10


def test_a_timeline_that_was_thinned_out_is_said_to_be() -> None:
    snapshots = [snapshot("ALLOCATION", i, i, i, 1) for i in range(1000)]
    capture = decode.read_bytes(memory(gpu={"sampledTimelineSnapshots": snapshots}), "h.memory_profile.json")
    assert capture.quality.warnings[1] == message("memory_events_sampled", allocator="gpu", n=1000)
    fewer = decode.read_bytes(memory(gpu={"sampledTimelineSnapshots": snapshots[:999]}), "h.memory_profile.json")
    assert len(fewer.quality.warnings) == 1


@pytest.mark.parametrize("packed", [False, True])
def test_both_are_read_beside_an_overview_page(packed: bool, tmp_path: Path) -> None:
    page = gzip.compress(memory(GPU_0_bfc=gpu())) if packed else memory(GPU_0_bfc=gpu())
    name = "h.memory_profile.json" + ".gz" * packed
    files = {"h.overview_page.pb": overview_page(), "h.kernel_stats.pb": two_kernels(), name: page}
    capture = decode.read(str(write(tmp_path, files) / "h.overview_page.pb"))
    capture.check()
    names = [name for name, *_ in sums(capture)]
    assert names == ["Iterator::Map", "unused preallocated device memory", "model/Relu", "sgemm_nn", "copy_kernel"]
    # Steps have no place in time: no memory event seems to lie in one.
    assert [(name, start) for name, start, _ in events(capture)] == [
        ("MemoryAllocation", 1000),
        ("MemoryDeallocation", 2000),
        ("step 7", 2001),
        ("train 8", 10_000_002_001),
    ]
    assert capture.strings.texts(capture.planes.name) == ["/host:CPU", "/device:GPU:0", "/device:GPU:1"]


def test_empty_ones_beside_an_overview_page_do_no_harm(tmp_path: Path) -> None:
    files = {"h.overview_page.pb": overview_page(), "h.kernel_stats.pb": b"", "h.tensorflow_stats.pb": b""}
    alone = decode.read(str(write(tmp_path / "a", {"h.overview_page.pb": overview_page()}) / "h.overview_page.pb"))
    capture = decode.read(str(write(tmp_path, files | {"h.memory_profile.json.gz": b""}) / "h.overview_page.pb"))
    assert sums(capture) == sums(alone)
    assert events(capture) == events(alone)
    (warning,) = [each for each in capture.quality.warnings if each not in alone.quality.warnings]
    assert "h.memory_profile.json.gz (0 bytes) is not a capture: it looks like an empty file." in str(
        warning.params["text"]
    )


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "empty kernels": ("h.kernel_stats.pb", b""),
        "empty memory": ("h.memory_profile.json", b""),
        "no allocators": ("h.memory_profile.json", b'{"memoryIds": []}'),
        "a list": ("h.memory_profile.json", b"[1]"),
        "wrong kinds": (
            "h.memory_profile.json",
            b'{"memoryProfilePerAllocator": {"a": [], "b": {"activeAllocations": 3}}}',
        ),
    }.values(),
)
def test_what_holds_nothing_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        decode.read_bytes(data, name)


@pytest.mark.parametrize(
    "wild", [10**400, -(10**400), "9" * 30, "x", None, [], {}, 1e300, float("nan"), float("inf"), True]
)
def test_wild_values_become_bounded_numbers(wild: object) -> None:
    mark = snapshot("ALLOCATION", 5, 10, 1, 10)
    activity = dict.fromkeys(mark["activityMetadata"], wild) | {"memoryActivity": "ALLOCATION"}
    told = {
        "sampledTimelineSnapshots": [
            mark,
            {"timeOffsetPs": wild, "aggregationStats": wild, "activityMetadata": activity},
            {"timeOffsetPs": "6", "aggregationStats": dict.fromkeys(mark["aggregationStats"], wild)},
        ],
        "memoryProfileSnapshots": [wild, mark],
        "specialAllocations": [wild],
        "activeAllocations": [wild, dict.fromkeys(("snapshotIndex", "specialIndex", "numOccurrences"), wild)],
    }
    capture = decode.read_bytes(memory(a=told, b=wild), "h.memory_profile.json")  # type: ignore[arg-type]
    capture.check()
    assert 1 <= len(capture.events) <= 3
    wild_kernel = kernel("k", (1 << 64) - 1, (1 << 64) - 1, (1 << 64) - 1, (1 << 64) - 1, occupancy=float("nan"))
    decode.read_bytes(wild_kernel * 3, "h.kernel_stats.pb").check()


def test_numbers_of_a_kernel_that_cannot_be() -> None:
    day, year = 86_400 * 10**9, 365 * 86_400 * 10**9
    data = kernel("a", 10**12, 20 * day, day, 2 * day) + kernel("b", 10**13, year, year, year)
    capture = decode.read_bytes(data, "h.kernel_stats.pb")
    most = 2_251_799_813_685_248_000
    assert capture.aggregates.occurrences.tolist() == [10**12, 1_099_511_627_776]
    assert capture.aggregates.duration_ps.tolist() == [20 * day * 1000, most]
    assert [facts["max_duration_ps"] for *_, facts in sums(capture)] == [2 * day * 1000, most]


def test_kernels_and_moments_of_memory_are_read_up_to_a_number() -> None:
    """Moments were cut only after all had been read, which took two hundred times what the file did."""
    one = Report()
    tool_files.kernel_stats(memoryview(kernel("a", 1, 1, 1, 1)), one)
    found = Report(kernels=one.kernels * 199_999)
    for said in ([], [message("kernels_limit", limit=200_000)]):
        tool_files.kernel_stats(memoryview(kernel("b", 1, 1, 1, 1)), found)
        assert (len(found.kernels), found.warnings) == (200_000, said)
    none, live = {"activityMetadata": {"memoryActivity": "?"}}, {"snapshotIndex": 0}
    moments = [none] * 99_999 + [{"timeOffsetPs": 1}, {"timeOffsetPs": 2}]
    found = Report()
    tool_files.memory_profile({"memoryProfilePerAllocator": {"gpu": {"memoryProfileSnapshots": moments}}}, found)
    assert [mark.at_ps for mark in found.memory] == [1]
    active = [{"snapshotIndex": 9}] * 99_999 + [live, live]
    page = {"gpu": {"memoryProfileSnapshots": [none], "activeAllocations": active}}
    found = Report()
    tool_files.memory_profile({"memoryProfilePerAllocator": page}, found)
    assert len(found.memory) == 1
