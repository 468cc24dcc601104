"""memory_profile: whole answers of small captures, every odd event, and invariants on every real one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tests.build_capture import Line, Space, Uint
from tests.conftest import SHARED_CAPTURES
from tests.timeline.timelines import timeline
from tests.tools.memory import US, Memory, answer_of, ask, memory, peak, rows


def steps(line: Line, *spans: tuple[float, float]) -> None:
    """Marked steps, in µs."""
    for i, (begin, end) in enumerate(spans):
        line.event("train", round(begin * US), round((end - begin) * US), {"step_num": i, "_r": 1})


def test_a_whole_answer() -> None:
    """What the reference gives for the same events: a peak of 900, of which 100, 7 and 7 are live and 786 are not told.

    Its step 0 is left out there, and so is what it allocated; here all events count.
    """
    space, gpu = memory(786, limit=1000)
    steps(gpu.line, (0, 120), (120, 400))
    given: dict[str, Any] = {"requested_bytes": 90, "region_type": "output", "data_type": 1, "shape": "[25]"}
    gpu.allocate(100, 0x100, 50, "opB", fragmentation=0.5, peak_bytes_in_use=950)
    gpu.free_(150, 0x100, 50)
    gpu.allocate(200, 0x200, 100, "opA", **given)
    gpu.allocate(250, 0x300, 7, "opD")
    gpu.allocate(300, 0x400, 7, "opD", fragmentation=0.25, peak_bytes_in_use=900)
    space.plane("/device:GPU:0", stats={"memory_size": 2000})
    answer = answer_of(space)
    assert answer.result.summary == {
        "memory": "GPU_0_bfc",
        "memory_rule": answer.result.summary["memory_rule"],
        "memory_systems": 1,
        "allocations": 4,
        "deallocations": 1,
        "capacity_bytes": 1000,
        "lifetime_peak_bytes": 950,
        "peak_bytes": 900,
        "peak_share": 0.9,
        "peak_ms": 0.3,
        "peak_step": "train 1",
        "stack_bytes": 0,
        "heap_bytes": 900,
        "free_bytes": 100,
        "fragmentation_share": 0.25,
        "before_bytes": 786,
        "unexplained_bytes": 0,
        "step_allocated_bytes": 50.0,
        "growth_bytes": None,
        "growth_confidence": "none",
        "begin_ms": 0.0,
        "end_ms": 0.4,
        "peak_rows": 3,
        "op_rows": 3,
        "step_rows": 2,
        **dict.fromkeys(("stack_rows", "in_use_bytes", "in_use_count", "in_use_devices")),
    }
    no_profile = "this capture is no device memory profile"
    assert answer.result.unknown == {
        "growth_bytes": "1 whole step in this capture: growth needs 4",
        **dict.fromkeys(("stack_rows", "in_use_bytes", "in_use_count", "in_use_devices"), no_profile),
    }
    before = "allocated before the capture, not freed in it"
    assert rows(answer, "peak", "kind", "op", "op_from", "region", "data_type", "shape", "allocation_bytes") == [
        ("before", before, "", "", "", "", None),
        ("op", "opA", "recorded", "output", "float", "[25]", 100),
        ("op", "opD", "recorded", "", "", "", 7),
    ]
    assert rows(answer, "peak", "requested_bytes", "count", "total_bytes", "share", "step", "steps", "age_ms") == [
        (None, None, 786, pytest.approx(786 / 900), "", None, None),
        (90, 1, 100, pytest.approx(1 / 9), "train 1", 1, pytest.approx(0.1)),
        (None, 2, 14, pytest.approx(14 / 900), "train 1", 1, pytest.approx(0.05)),
    ]
    assert rows(answer, "systems", "memory", "host", "system", "kind", "device", "allocations", "deallocations") == [
        ("GPU_0_bfc", "h", "GPU_0_bfc", "gpu", "/device:GPU:0", 4, 1)
    ]
    assert rows(answer, "systems", "allocated_bytes", "live_allocations", "live_bytes", "before_bytes") == [
        (164, 3, 114, 786)
    ]
    assert rows(answer, "ops", "op", "allocations", "allocated_bytes", "largest_bytes", "peak_allocations") == [
        ("opA", 1, 100, 100, 1),
        ("opD", 2, 14, 7, 2),
        ("opB", 1, 50, 50, 0),
    ]
    assert rows(answer, "ops", "peak_bytes", "mean_lifetime_us", "longest_lifetime_us", "live_bytes", "kept_bytes") == [
        (100, None, None, 100, None),
        (14, None, None, 14, None),
        (0, 50.0, 50.0, 0, None),
    ]
    assert rows(answer, "steps", "step", "start_ms", "duration_ms", "whole", "begin_bytes", "end_bytes") == [
        ("train 0", 0.0, 0.12, True, 786, 836),
        ("train 1", 0.12, pytest.approx(0.28), False, 836, 900),
    ]
    assert rows(answer, "steps", "net_bytes", "lowest_bytes", "peak_bytes", "allocations", "allocated_bytes") == [
        (50, 786, 836, 1, 50),
        (64, 786, 900, 3, 114),
    ]
    assert rows(answer, "steps", "deallocations", "freed_bytes", "kept_bytes") == [(0, 0, 0), (1, 50, 114)]
    assert [row for row in rows(answer, "lifetimes", "lifetime", "allocations", "total_bytes") if row[1]] == [
        ("10–100 µs", 1, 50),
        ("not freed in the capture", 3, 114),
    ]
    assert rows(answer, "timeline", "start_ms", "events", "min_bytes", "max_bytes", "activity", "op", "step") == [
        (0.0, 0, 786, 786, "", "", ""),
        (0.1, 1, 836, 836, "allocation", "opB", "train 0"),
        (0.15, 1, 786, 786, "deallocation", "opB", "train 1"),
        (0.2, 1, 886, 886, "allocation", "opA", "train 1"),
        (0.25, 1, 893, 893, "allocation", "opD", "train 1"),
        (0.3, 1, 900, 900, "allocation", "opD", "train 1"),
    ]
    assert rows(answer, "timeline", "duration_ms", "free_bytes", "fragmentation_share", "address", "shape")[1:4] == [
        (pytest.approx(0.05), 164, 0.5, "0x100", ""),
        (pytest.approx(0.05), 214, None, "0x100", ""),
        (pytest.approx(0.05), 114, None, "0x200", "[25]"),
    ]
    parts = "allocated before the capture, 786 bytes (87 %); then opA, 100 bytes (11 %)"
    assert [f.title for f in answer.result.findings] == [
        f"GPU_0_bfc holds 900 bytes at its peak, 90 % of its 1000 bytes; largest part: {parts}",
        "Out of memory is near: only 100 bytes of 1000 bytes are free at the peak",
    ]


def test_events_of_all_threads_are_taken_by_time() -> None:
    """The peak's allocation stands on the second line of the file, before what comes later on the first."""
    space, gpu = memory()
    other = space.planes[0].line(2, "worker")
    gpu.allocate(1, 0x10, 5, "a")
    gpu.allocate(2, 0x20, 7, "b", line=other, peak_bytes_in_use=12)
    gpu.free_(3, 0x20, 7)
    gpu.free_(4, 0x10, 5, peak_bytes_in_use=11)
    answer = answer_of(space)
    assert peak(answer) == [("op", "b", 1, 7), ("op", "a", 1, 5)]
    assert rows(answer, "timeline", "last_bytes") == [(0,), (5,), (12,), (5,), (0,)]
    assert answer.result.summary["lifetime_peak_bytes"] == 12


def test_the_lifetime_peak_is_never_below_the_capture_s() -> None:
    space, gpu = memory(100)
    gpu.allocate(1, 0x10, 5, peak_bytes_in_use=103)
    assert answer_of(space).result.summary["lifetime_peak_bytes"] == 105


def test_of_equal_peaks_the_last_counts() -> None:
    """Before it the capture tells most of what is live."""
    space, gpu = memory(10)
    gpu.allocate(1, 0x10, 5, "a")
    gpu.free_(2, 0x99, 5)
    gpu.allocate(3, 0x20, 5, "b")
    assert peak(answer_of(space)) == [
        ("op", "a", 1, 5),
        ("op", "b", 1, 5),
        ("before", "allocated before the capture, not freed in it", None, 5),
    ]


def test_what_is_freed_later_was_there_before() -> None:
    space, gpu = memory(30)
    gpu.allocate(1, 0x10, 5, "a")
    gpu.free_(2, 0x77, 10)
    assert peak(answer_of(space)) == [
        ("before", "allocated before the capture, not freed in it", None, 20),
        ("before", "allocated before the capture, freed in it", None, 10),
        ("op", "a", 1, 5),
    ]


def test_an_address_in_use_is_allocated_again() -> None:
    """The deallocation in between is lost, and with it 5 bytes of what is in use."""
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a")
    gpu.heap = 0
    gpu.allocate(2, 0x10, 8, "b")
    answer = answer_of(space)
    assert peak(answer) == [("op", "b", 1, 8)]
    assert [f.title for f in answer.result.findings][1:] == [
        "Some memory events of GPU_0_bfc contradict each other: 1 allocations at an address that was not freed"
    ]


def test_events_that_tell_less_than_the_allocator() -> None:
    """An allocation of 40 is lost."""
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a")
    gpu.heap = 45
    gpu.allocate(2, 0x20, 5, "b")
    answer = answer_of(space)
    assert peak(answer)[0] == ("unexplained", "not explained by the events", None, 40)
    assert answer.result.findings[1].title == (
        "The events explain 40 bytes less than the allocator says is in use at the peak"
    )


def test_events_that_tell_more_than_the_allocator() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 50, "a")
    gpu.heap = 51
    gpu.allocate(2, 0x20, 50, "b")
    gpu.heap = 60
    gpu.allocate(3, 0x30, 45, "c")
    answer = answer_of(space)
    assert peak(answer) == [
        ("op", "a", 1, 50),
        ("op", "b", 1, 50),
        ("op", "c", 1, 45),
        ("unexplained", "not explained by the events", None, -40),
    ]
    assert rows(answer, "peak", "share")[3] == (pytest.approx(-40 / 105),)


def test_a_second_deallocation_frees_nothing() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a")
    gpu.free_(2, 0x10, 5)
    gpu.heap = 5
    gpu.free_(3, 0x10, 5)
    gpu.allocate(4, 0x20, 9, "b")
    answer = answer_of(space)
    assert peak(answer) == [("op", "b", 1, 9)]
    assert "1 deallocations of what is free" in answer.result.findings[1].title


def test_a_deallocation_of_another_size() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 50, "a")
    gpu.heap = 30
    gpu.free_(2, 0x10, 30)
    answer = answer_of(space)
    assert peak(answer) == [("op", "a", 1, 50)]
    assert "1 deallocations of another size than their allocation" in answer.result.findings[1].title


def test_addresses_beyond_63_bits() -> None:
    high = (1 << 64) - 256
    space, gpu = memory()
    gpu.allocate(1, Uint(high), 5, "a")
    gpu.allocate(2, Uint(high - 256), 6, "b")
    gpu.free_(3, Uint(high), 5)
    answer = answer_of(space)
    assert rows(answer, "timeline", "address", "op")[1:] == [
        ("0xffffffffffffff00", "a"),
        ("0xfffffffffffffe00", "b"),
        ("0xffffffffffffff00", "a"),
    ]


def test_events_of_one_instant_follow_their_levels() -> None:
    """Written in the other order: the deallocation of the instant came first."""
    space, gpu = memory(100)
    gpu.allocate(1, 0x10, 20, "a")
    gpu.heap = 100
    gpu.allocate(2, 0x20, 30, "b")
    gpu.heap = 120
    gpu.free_(2, 0x10, 20)
    answer = answer_of(space)
    assert rows(answer, "timeline", "activity", "last_bytes")[1:] == [
        ("allocation", 120),
        ("deallocation", 100),
        ("allocation", 130),
    ]
    assert peak(answer)[1] == ("op", "b", 1, 30)


def test_deallocations_without_a_size_have_their_allocation_s() -> None:
    """As a TPU's runtime writes them; without an allocation the change of the heap is the size."""
    space, tpu = memory(64, name="")
    tpu.allocate(1, 0x10, 32, "dummy", allocator_name=None, index_on_host=2, bytes_available=900)
    tpu.free_(2, 0x99, 40, allocator_name=None, index_on_host=2, allocation_bytes=None)
    tpu.free_(3, 0x10, 32, allocator_name=None, index_on_host=2, allocation_bytes=None)
    space.plane("/device:TPU:2")
    answer = answer_of(space)
    assert rows(answer, "systems", "memory", "kind", "device", "capacity_bytes") == [("2", "tpu", "/device:TPU:2", 996)]
    assert rows(answer, "timeline", "allocation_bytes", "last_bytes")[1:] == [(32, 96), (40, 56), (32, 24)]
    assert answer.result.findings[0].title.startswith("TPU 2 holds 96 bytes at its peak, 10 % of its 996 bytes")


def test_the_stack_is_a_row() -> None:
    space, gpu = memory(stack=70)
    gpu.allocate(1, 0x10, 30, "a")
    assert peak(answer := answer_of(space)) == [
        ("stack", "stack, reserved by the runtime", None, 70),
        ("op", "a", 1, 30),
    ]
    assert answer.result.summary["peak_bytes"] == 100


def test_an_allocator_that_tells_no_use_is_summed_up() -> None:
    space, cpu = memory(None, name="cpu")
    cpu.free_(1, 0x99, 10)
    cpu.allocate(2, 0x10, 30, "a")
    answer = answer_of(space)
    assert peak(answer) == [("op", "a", 1, 30)]
    assert answer.result.summary["capacity_bytes"] is None
    assert answer.result.summary["lifetime_peak_bytes"] is None
    assert answer.result.findings[1].title == ("cpu does not tell what is in use: it is summed up from allocations")


def test_use_that_one_event_does_not_tell() -> None:
    space, gpu = memory(10)
    gpu.allocate(1, 0x10, 5, "a")
    gpu.allocate(2, 0x20, 6, "b", bytes_allocated=None)
    gpu.allocate(3, 0x30, 7, "c", bytes_allocated=-4)
    gpu.free_(4, 0x10, 5)
    assert rows(answer_of(space), "timeline", "last_bytes") == [(10,), (15,), (21,), (28,), (23,)]


@pytest.mark.parametrize("size", [-1, Uint((1 << 64) - 1), (1 << 62) + 1, 1 << 61])
def test_sizes_that_no_memory_has(size: int) -> None:
    """They count as not told: what the heap changed by is the size."""
    space, gpu = memory(10)
    gpu.allocate(1, 0x10, 5, "a")
    gpu.allocate(2, 0x20, 6, "b", allocation_bytes=size, requested_bytes=size, bytes_available=size)
    answer = answer_of(space)
    assert peak(answer)[1:] == [("op", "b", 1, 6), ("op", "a", 1, 5)]
    assert answer.result.summary["peak_bytes"] == 21


def test_events_without_an_address_match_by_size() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a", addr=None)
    gpu.allocate(2, 0x20, 6, "b", addr=None)
    gpu.free_(3, 0x10, 5, addr=None)
    gpu.allocate(4, 0x30, 7, "c", addr=None)
    answer = answer_of(space)
    assert peak(answer) == [("op", "c", 1, 7), ("op", "b", 1, 6)]
    assert rows(answer, "timeline", "op", "address")[3] == ("a", "")


def test_the_op_around_an_allocation_is_its_op() -> None:
    space, cpu = memory(name="mklcpu")
    cpu.line.event("model/conv:Conv2D", 0, 10 * US).event("Scratch", 2 * US, 2 * US)
    cpu.line.event("BufferFromHost", 20 * US, 5 * US)
    cpu.allocate(3, 0x10, 30)
    cpu.allocate(22, 0x20, 20, tf_op="(null)", region_type="(null)")
    cpu.allocate(40, 0x30, 10)
    assert rows(answer_of(space), "peak", "op", "op_from", "total_bytes") == [
        ("model/conv", "op", 30),
        ("BufferFromHost", "call", 20),
        ("", "", 10),
    ]


def test_a_jitted_function_allocates_on_another_thread() -> None:
    space, gpu = memory()
    gpu.line.event("PjitFunction(step)", 0, 10 * US).event("Execute", 1 * US, 2 * US, {"_pt": 5, "_p": 77})
    worker = space.planes[0].line(2, "worker")
    worker.event("Enqueue", 20 * US, 9 * US, {"_ct": 5, "_c": 77}).event("Build buffers", 21 * US, 5 * US)
    gpu.allocate(22, 0x10, 30, line=worker)
    assert rows(answer_of(space), "peak", "op", "op_from") == [("jit(step)", "program")]


def test_a_spike_between_two_pixels_is_not_lost() -> None:
    """1000 events of 5 bytes in 10 rows; one of them holds an allocation of 7000, freed at once."""
    space, gpu = memory(100)
    for i in range(500):
        gpu.allocate(2 * i, 0x10, 7000 if i == 321 else 5, "spike" if i == 321 else "a")
        gpu.free_(2 * i + 1, 0x10, 7000 if i == 321 else 5)
    answer = answer_of(space, pixels="10")
    assert rows(answer, "timeline", "events", "min_bytes", "max_bytes", "op")[1:] == [
        (100, 100, 105, "a"),
        *[(100, 100, 105, "a")] * 5,
        (100, 100, 7100, "spike"),
        *[(100, 100, 105, "a")] * 3,
    ]


def test_a_window_of_the_timeline() -> None:
    space, gpu = memory(100)
    for i in range(10):
        gpu.allocate(1000 * i, 0x10 + i, 5, "a")
    answer = answer_of(space, start_ms="2.5", end_ms="4.5")
    assert rows(answer, "timeline", "start_ms", "duration_ms", "events", "last_bytes") == [
        (2.5, 0.5, 0, 115),
        (3.0, 1.0, 1, 120),
        (4.0, 0.5, 1, 125),
    ]
    after = answer_of(space, start_ms="50", end_ms="20")
    assert rows(after, "timeline", "start_ms", "duration_ms", "events", "last_bytes") == [(50.0, 0.0, 0, 150)]


def test_the_system_nearest_to_its_capacity_is_shown_first() -> None:
    space, gpu = memory(600, limit=1000)
    gpu.allocate(1, 0x10, 10, "a")
    Memory(gpu.line, 5000, name="gpu_host_bfc", limit=10**6).allocate(2, 0x10, 10, "b")
    Memory(gpu.line, 9000, name="cpu").allocate(3, 0x10, 10, "c")
    answer = answer_of(space)
    assert rows(answer, "systems", "memory", "kind", "peak_share") == [
        ("GPU_0_bfc", "gpu", 0.61),
        ("cpu", "cpu", None),
        ("gpu_host_bfc", "cpu", 5010 / 10**6),
    ]
    assert answer.result.summary["memory"] == "GPU_0_bfc"
    chosen = answer_of(space, memory="gpu_host_bfc")
    assert chosen.result.summary["peak_bytes"] == 5010
    assert chosen.result.summary["memory_rule"] == "it was asked for"
    with pytest.raises(ArgumentError, match="memory systems of this capture are GPU_0_bfc, cpu, gpu_host_bfc"):
        answer_of(space, memory="GPU_1_bfc")


def test_two_hosts() -> None:
    hosts = []
    for host, heap in (("one", 10), ("two", 20)):
        space, gpu = memory(heap)
        gpu.allocate(1, 0x10, 5, "a")
        hosts.append(timeline(space, host))
    hosts.append(timeline(Space(), "none"))
    answer = ask(*hosts)
    assert rows(answer, "systems", "memory", "host", "peak_bytes") == [
        ("two/GPU_0_bfc", "two", 25),
        ("one/GPU_0_bfc", "one", 15),
    ]
    assert answer.result.summary["memory"] == "two/GPU_0_bfc"
    assert ask(*hosts, memory="one/GPU_0_bfc").result.summary["peak_bytes"] == 15
    assert ask(*hosts, memory="GPU_0_bfc").result.summary["peak_bytes"] == 25


def test_a_limit_leaves_out_ops_and_says_so() -> None:
    space, gpu = memory(1)
    for i in range(9):
        gpu.allocate(i, 0x10 + i, 10 + i, f"op{i}")
    answer = answer_of(space, limit="2")
    assert peak(answer) == [
        ("op", "op8", 1, 18),
        ("op", "op7", 1, 17),
        ("before", "allocated before the capture, not freed in it", None, 1),
    ]
    assert [answer.result.summary[name] for name in ("peak_rows", "op_rows")] == [10, 9]


def test_more_allocators_than_there_are() -> None:
    space, gpu = memory(1)
    for i in range(150):
        Memory(gpu.line, name=f"a{i}").allocate(i, 0x10, 10, "op")
    answer = answer_of(space)
    assert answer.result.summary["memory_systems"] == 100
    assert answer.result.findings[-1].title == "50 memory events belong to further allocators that are not told"


def test_a_driver_s_allocations() -> None:
    """Each is an event as long as it lived; the calls beside them are the same memory."""
    space = Space()
    gpu = space.plane("/device:GPU:1", stats={"memory_size": 1000})
    line = gpu.line(1, "Stream #1")
    line.event("MemoryResidency", 1 * US, 9 * US, {"MemoryResidency_details": "kind:device num_bytes:300 addr:0xa0"})
    line.event("MemoryResidency", 2 * US, 0, {"MemoryResidency_details": "kind:device num_bytes:400 addr:0xb0"})
    line.event("cuMemAlloc", 3 * US, US, {"memalloc_details": "kind:device num_bytes:400"})
    answer = answer_of(space)
    assert rows(answer, "systems", "memory", "kind", "device", "capacity_bytes", "peak_bytes", "allocations") == [
        ("driver GPU 1", "driver", "/device:GPU:1", 1000, 700, 2)
    ]
    assert rows(answer, "timeline", "last_bytes") == [(0,), (300,), (700,), (400,)]


def test_a_driver_s_calls() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(1, "Stream #1")
    line.event("cuMemAlloc", 3 * US, US, {"memalloc_details": "kind:device num_bytes:400"})
    line.event("cuMemAlloc", 5 * US, US, {"memalloc_details": "nonsense"})
    line.event("cuMemFree", 8 * US, US, {"MemFree_details": "kind:device num_bytes:400"})
    answer = answer_of(space)
    assert rows(answer, "timeline", "last_bytes") == [(0,), (400,), (400,), (0,)]


@pytest.mark.parametrize(
    ("plane", "event", "says"),
    [
        ("/host:CPU", "model/a:MatMul", "TF_CPU_ALLOCATOR_USE_BFC=1"),
        ("/host:CPU", "PjitFunction(f)", "save_device_memory_profile"),
        ("/device:GPU:0", "kernel", "cuda_malloc_async"),
    ],
)
def test_why_there_is_nothing(plane: str, event: str, says: str) -> None:
    space = Space()
    space.plane(plane).line(1, "t").event(event, 0, 5)
    found = timeline(space)
    assert says in str(MEMORY_PROFILE.missing(found))
    answer = ask(found)
    assert answer.result.findings[0].title == "No memory events in this capture"
    assert says in answer.result.unknown["peak_bytes"]
    with pytest.raises(ArgumentError, match="are none"):
        ask(found, memory="cpu")


def recorded(op: str, size: int, occurrences: int = 1, **more: str) -> tuple[dict[str, object], dict[str, int]]:
    """An entry of `specialAllocations` or of a snapshot, and what `activeAllocations` says of it."""
    sizes = {"allocationBytes": str(size), "requestedBytes": str(size)}
    return {"tfOpName": op, **sizes, **more}, {"numOccurrences": occurrences}


def legacy(heap: int) -> Timeline:
    """A file in which TensorFlow left one event, and what it found to be live at the peak."""
    live, [count] = zip(*[recorded("opA", 100, regionType="output")], strict=True)
    twice, counts = recorded("opB", 7, 2)
    special, _ = recorded("unused preallocated device memory", 60, regionType="persist/dynamic")
    event = {"timeOffsetPs": "5", "aggregationStats": {"heapAllocatedBytes": str(heap), "freeMemoryBytes": "800"}}
    activity = {"memoryActivity": "ALLOCATION", "allocationBytes": "100", "tfOpName": "opA", "address": "16"}
    told = {
        "sampledTimelineSnapshots": [{**event, "activityMetadata": activity}],
        "memoryProfileSnapshots": [{"activityMetadata": live[0]}, {"activityMetadata": twice}],
        "specialAllocations": [special],
        "activeAllocations": [
            {"snapshotIndex": "0", "specialIndex": "-1", **count},
            {"snapshotIndex": "1", "specialIndex": "-1", **counts},
            {"snapshotIndex": "-1", "specialIndex": "0", "numOccurrences": 1},
        ],
    }
    data = json.dumps({"memoryProfilePerAllocator": {"GPU_0_bfc": told}}).encode()
    return Timeline(decode.read_bytes(data, "h.memory_profile.json"), "h")


def test_what_tensorflow_found_at_the_peak() -> None:
    """Its files keep a part of the events, from which the peak does not follow."""
    chosen = MEMORY_PROFILE.parse({})
    result = MEMORY_PROFILE.combine([MEMORY_PROFILE.per_host(legacy(174), chosen)], chosen)
    cells = result.tables["peak"]
    assert list(zip(cells["kind"], cells["op"], cells["count"], cells["total_bytes"], strict=True)) == [
        ("op", "opA", 1, 100),
        ("before", "allocated before the capture, not freed in it", None, 60),
        ("op", "opB", 2, 14),
    ]
    assert result.summary["before_bytes"] == 60
    assert result.unknown["growth_bytes"] == "only a part of the memory events was kept"
    ops = result.tables["ops"]
    assert list(zip(ops["op"], ops["allocations"], ops["peak_bytes"], strict=True)) == [
        ("opA", 1, 100),
        ("opB", None, 14),
    ]


def test_what_tensorflow_found_is_not_the_peak() -> None:
    chosen = MEMORY_PROFILE.parse({})
    result = MEMORY_PROFILE.combine([MEMORY_PROFILE.per_host(legacy(200), chosen)], chosen)
    assert list(result.tables["peak"]["total_bytes"]) == [100, 60, 26, 14]
    assert result.summary["unexplained_bytes"] == 26


def test_a_step_that_keeps_what_it_allocates_leaks() -> None:
    """Each step allocates 3 MiB, frees 1, and keeps 2; all else comes and goes."""
    answer = leaking(steps_=8, kept=2 << 20)
    summary = answer.result.summary
    assert summary["growth_bytes"] == 2 << 20
    assert summary["growth_confidence"] == "high"
    [leak] = [f for f in answer.result.findings if "grows" in f.title]
    assert leak.title == (
        "GPU_0_bfc grows by 2 MiB a step, over 7 steps: keeps allocates 2 MiB a step that is not freed"
    )
    assert leak.severity == "warning"
    assert dict(rows(answer, "ops", "op", "kept_bytes")) == {"keeps": 2 << 20, "frees": 0.0}


@pytest.mark.parametrize("steps_", [1, 2, 3, 4])
def test_few_steps_tell_no_leak(steps_: int) -> None:
    """The last one is cut by the capture's end."""
    answer = leaking(steps_, kept=2 << 20)
    assert answer.result.summary["growth_bytes"] is None
    assert [f for f in answer.result.findings if "grows" in f.title] == []


def test_what_is_set_up_once_is_no_leak() -> None:
    """The first three steps allocate what stays."""
    assert leaking(12, kept=2 << 20, until=3).result.summary["growth_confidence"] == "none"


def test_growth_that_ends_is_no_leak() -> None:
    assert leaking(12, kept=2 << 20, until=7).result.summary["growth_confidence"] == "none"


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_leak(seed: int) -> None:
    """Steps that begin with more or less in use, at random."""
    rng = np.random.default_rng(seed)
    space, gpu = memory(100 << 20)
    steps(gpu.line, *((100 * i, 100 * i + 100) for i in range(12)))
    for i in range(12):
        size = int(rng.integers(1, 50)) << 20
        gpu.allocate(100 * i, 0x1000 + i, size, "prefetch")
        gpu.free_(100 * i + 99.9 + rng.integers(0, 90), 0x1000 + i, size)
    answer = answer_of(space)
    assert [f for f in answer.result.findings if "grows" in f.title] == []


def leaking(steps_: int, kept: int, until: int = 1000) -> Answer:
    """Steps that allocate and free 1 MiB, and up to one of them allocate what stays."""
    space, gpu = memory(100 << 20)
    steps(gpu.line, *((100 * i, 100 * i + 100) for i in range(steps_)))
    for i in range(steps_):
        gpu.allocate(100 * i + 10, 0x10, 1 << 20, "frees")
        if i < until:
            gpu.allocate(100 * i + 20, 0x1000 + i, kept, "keeps")
        gpu.free_(100 * i + 30, 0x10, 1 << 20)
    return answer_of(space)


def test_a_leak_elsewhere_is_told() -> None:
    space, gpu = memory(800 << 30, limit=1000 << 30)
    steps(gpu.line, *((100 * i, 100 * i + 100) for i in range(9)))
    host = Memory(gpu.line, name="gpu_host_bfc", limit=64 << 30)
    for i in range(9):
        gpu.allocate(100 * i + 10, 0x10, 1 << 20, "frees")
        gpu.free_(100 * i + 30, 0x10, 1 << 20)
        host.allocate(100 * i + 50, 0x1000 + i, 4 << 20, "keeps")
    last = answer_of(space).result.findings[-1]
    assert (last.title, last.action) == (
        "gpu_host_bfc grows by 4 MiB a step, over 8 steps",
        "Choose memory=gpu_host_bfc to see what is not freed.",
    )


def test_free_memory_in_pieces() -> None:
    space, gpu = memory(600, limit=1000)
    gpu.allocate(1, 0x10, 10, "a", fragmentation=0.75)
    title = "Free memory is fragmented at the peak: 75 % of it is not in the largest block"
    assert title in [f.title for f in answer_of(space).result.findings]


def test_temporary_buffers() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 300, "conv", region_type="temp")
    gpu.allocate(2, 0x20, 700, "conv", region_type="output")
    assert answer_of(space).result.findings[-1].title == "Temporary buffers take 30 % of the peak: 300 bytes"


def test_names_without_end() -> None:
    space, gpu = memory()
    for i in range(50):
        gpu.allocate(i, 0x10 + i, 5, "x" * 100_000 + str(i), shape="y" * 100_000)
    answer = answer_of(space, limit="3")
    assert len(answer.result.findings[0].title) < 500
    assert answer.result.summary["peak_rows"] == 50


def captures() -> list[Path]:
    return sorted((SHARED_CAPTURES / "xplane").rglob("*.xplane.pb"))


@pytest.mark.parametrize("file", captures(), ids=lambda file: str(file.relative_to(SHARED_CAPTURES)))
def test_real_captures(file: Path) -> None:
    """All systems of every capture: rows sum to the peak, and events explain what the allocator tells."""
    found = Timeline(decode.read(str(file)), "h")
    answer = ask(found)
    for name, unexplained in rows(answer, "systems", "memory", "unexplained_bytes"):
        assert unexplained == 0
        chosen = ask(found, memory=name, pixels="10000", limit="0")
        line = chosen.result.tables["timeline"]
        assert max(line["max_bytes"]) == chosen.result.summary["peak_bytes"]
        events = int(chosen.result.summary["allocations"] or 0) + int(chosen.result.summary["deallocations"] or 0)
        assert sum(line["events"]) == events
        few = ask(found, memory=name, pixels="7")
        assert sum(few.result.tables["timeline"]["events"]) == events
        assert max(few.result.tables["timeline"]["max_bytes"]) == max(line["max_bytes"])
        steps = chosen.result.tables["steps"]
        change = np.array(steps["allocated_bytes"]) - np.array(steps["freed_bytes"])
        if not any(
            chosen.result.tables["peak"]["kind"][i] == "stack" for i in range(len(chosen.result.tables["peak"]["kind"]))
        ):
            assert (change == np.array(steps["net_bytes"])).all()


def test_a_step_that_allocates_again_and_again() -> None:
    space, gpu = memory()
    steps(gpu.line, (0, 3000), (3000, 6000))
    for i in range(2200):
        gpu.allocate(2.5 * i, 0x10, 1000, "a")
        gpu.free_(2.5 * i + 1, 0x10, 1000)
    assert answer_of(space).result.findings[-1].title == "Every step allocates 1.14 MiB, 1200 times the peak"


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.integers(1, 4),
            st.integers(0, 9),
            st.sampled_from("abc"),
            st.one_of(st.none(), st.integers(0, 600)),
        ),
        min_size=1,
        max_size=30,
    ),
    st.integers(300, 320),
)
def test_any_events_are_as_a_dict_tells(events: list[tuple[bool, int, int, str, int | None]], heap: int) -> None:
    """Whatever contradicts itself: rows add up to the peak, and allocations live at it are those of a plain loop."""
    space, gpu = memory(heap)
    best, live, at_peak = -1, dict[int, tuple[str, int]](), dict[int, tuple[str, int]]()
    for i, (allocates, address, size, op, says) in enumerate(events):
        told: dict[str, Any] = {} if says is None else {"bytes_allocated": says}
        if allocates:
            gpu.allocate(i, address, size, op, **told)
            live[address] = op, size
        else:
            gpu.free_(i, address, size, **told)
            live.pop(address, None)
        level = says if says is not None else int(gpu.heap or 0)
        if level >= best:
            best, at_peak = level, dict(live)
    answer = answer_of(space)
    assert answer.result.summary["peak_bytes"] == best
    sizes = Counter[str]()
    for op, size in at_peak.values():
        sizes[op] += size
    found = {op: total for op, total in rows(answer, "ops", "op", "peak_bytes") if total}
    assert found == {op: total for op, total in sizes.items() if total}
