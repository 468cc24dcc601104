"""memory_profile: every odd memory event: the rows of the peak still add up to it."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.messages import Message
from tests.build_capture import Nothing, Ref, Space, StatValue, Uint
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of as rows
from tests.tools.memory import US, Memory, answer_of, ask, memory, peak


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
    assert [f.code for f in answer.result.findings][1:] == ["memory_events_contradict"]
    assert answer.result.findings[1].params["counts"] == (Message("memory_doubt.address_in_use", {"count": 1}),)
    assert answer.result.findings[1].title == (
        "Some memory events of GPU_0_bfc contradict each other: 1 allocation at an address that was not freed"
    )


def test_events_that_tell_less_than_the_allocator() -> None:
    """An allocation of 40 is lost."""
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a")
    gpu.heap = 45
    gpu.allocate(2, 0x20, 5, "b")
    answer = answer_of(space)
    assert peak(answer)[0] == ("unexplained", "not explained by the events", None, 40)
    assert (answer.result.findings[0].code, answer.result.findings[0].params) == ("memory_unexplained", {"bytes": 40})


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
    assert rows(answer, "peak", "share")[3] == (None,)
    too_much = ("memory_unexplained.too_much", {"bytes": 40})
    assert (answer.result.findings[0].code, answer.result.findings[0].params) == too_much


def test_a_second_deallocation_frees_nothing() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a")
    gpu.free_(2, 0x10, 5)
    gpu.heap = 5
    gpu.free_(3, 0x10, 5)
    gpu.allocate(4, 0x20, 9, "b")
    answer = answer_of(space)
    assert peak(answer) == [("op", "b", 1, 9)]
    assert answer.result.findings[1].params["first"] == Message("memory_doubt.free_already", {"count": 1})


def test_a_deallocation_of_another_size() -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 50, "a")
    gpu.heap = 30
    gpu.free_(2, 0x10, 30)
    answer = answer_of(space)
    assert peak(answer) == [("op", "a", 1, 50)]
    assert answer.result.findings[1].params["first"] == Message("memory_doubt.other_size", {"count": 1})


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
    of_system = rows(answer, "systems", "memory", "kind", "device", "capacity_bytes")
    assert of_system == [("TPU 2", "tpu", "/device:TPU:2", 996)]
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
    assert [(f.code, f.params) for f in answer.result.findings[1:]] == [
        ("memory_use_summed", {"system": "cpu", "counts": ()})
    ]


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


def test_more_allocators_than_there_are() -> None:
    space, gpu = memory(1)
    for i in range(150):
        Memory(gpu.line, name=f"a{i}").allocate(i, 0x10, 10, "op")
    answer = answer_of(space)
    assert answer.result.summary["memory_systems"] == 100
    first = answer.result.findings[0]
    assert (first.code, first.params["events"]) == ("allocators_not_shown", 50)
    assert first.title == "50 memory events of further allocators are not shown"


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


def test_names_without_end() -> None:
    space, gpu = memory()
    for i in range(50):
        gpu.allocate(i, 0x10 + i, 5, "x" * 100_000 + str(i), shape="y" * 100_000)
    answer = answer_of(space, limit="3")
    assert len(answer.result.findings[0].title) < 500
    assert answer.result.summary["peak_rows"] == 50


@pytest.mark.slow
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


NUMBERS = ("bytes_reserved", "bytes_allocated", "bytes_available", "fragmentation", "peak_bytes_in_use")
OF_ONE = ("requested_bytes", "allocation_bytes", "addr", "group_id", "data_type", "index_on_host", "device_ordinal")
TEXTS = ("allocator_name", "tf_op", "region_type", "shape", "MemoryResidency_details", "memalloc_details")
VALUES: tuple[StatValue, ...] = (0, 1, -1, 256, 1 << 62, -(1 << 63), Uint(1 << 63), Uint((1 << 64) - 1))
VALUES += (0.5, math.nan, math.inf, -1.0, "", "x", "7", "(null)", Ref("GPU_0_bfc"), Ref("gpu_" + "9" * 30), b"\x00")
VALUES += (Nothing, "num_bytes:77 addr:0xffffffffffffffff", "num_bytes:" + "9" * 30)


@pytest.mark.parametrize("seed", range(20))
def test_stats_of_any_kind_are_answered(seed: int) -> None:
    """Text where numbers belong, numbers where text belongs, none at all: an answer, for each system and window."""
    rng, space = random.Random(seed), Space()
    for plane in ("/host:CPU", "/device:GPU:0"):
        for number in range(2):
            line = space.plane(plane).line(number, "t")
            for _ in range(8):
                name = rng.choice(("MemoryAllocation", "MemoryDeallocation", "a:Op", "PjitFunction(f)"))
                keys = rng.sample((*NUMBERS, *OF_ONE, *TEXTS), 9)
                line.event(name, rng.randrange(99) * US, rng.choice((0, 9 * US)), {k: rng.choice(VALUES) for k in keys})
    found = timeline(space)
    for (name,) in rows(ask(found), "systems", "memory"):
        ask(found, memory=name, pixels="3", limit="2", start_ms=str(rng.random() / 10), end_ms=str(rng.random() / 10))
