"""memory_profile: whole answers of small captures, choices, and invariants on every real capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tests.build_capture import Space
from tests.conftest import SHARED_CAPTURES
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of as rows
from tests.tools.memory import US, Memory, answer_of, ask, memory, peak, steps


@pytest.fixture(scope="module")
def answer() -> Answer:
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
    return answer_of(space)


@pytest.mark.parametrize(("at_us", "begin_us", "end_us"), [(900, 0, 1900), (3000, 2000, 4000)])
def test_without_steps_a_millisecond_on_each_side_of_the_peak_is_shown(at_us: int, begin_us: int, end_us: int) -> None:
    space, gpu = memory()
    gpu.allocate(0, 0x100, 50)
    gpu.allocate(at_us, 0x200, 100)
    gpu.free_(9000, 0x100, 50)
    [found] = [finding for finding in answer_of(space).result.findings if finding.code == "memory_peak"]
    assert [(one.start_ps, one.end_ps) for one in found.evidence] == [(begin_us * US, end_us * US)]


OF_SNAPSHOTS = (
    "reserved_bytes",
    "cached_bytes",
    "split_bytes",
    "largest_free_bytes",
    "rounding_bytes",
    "waiting_bytes",
    "pool_bytes",
    "unused_fragmentation_share",
    "allocator_settings",
)


def test_a_whole_summary(answer: Answer) -> None:
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
        **dict.fromkeys(OF_SNAPSHOTS),
        "segment_rows": 0,
        "failure_rows": 0,
    }
    no_profile = "this capture is no device memory profile"
    assert answer.result.unknown == {
        "growth_bytes": "1 whole step in this capture: growth needs 4",
        **dict.fromkeys(("stack_rows", "in_use_bytes", "in_use_count", "in_use_devices"), no_profile),
        **dict.fromkeys(OF_SNAPSHOTS, "this capture is no memory snapshot"),
    }
    parts = "allocated before the capture, 786 bytes (87 %); then `opA`, 100 bytes (11 %)"
    assert [f.title for f in answer.result.findings] == [
        "Out of memory is near: only 100 bytes of 1,000 bytes are free at the peak",
        f"GPU_0_bfc holds 900 bytes at its peak, 90 % of its 1,000 bytes; largest part: {parts}",
    ]


def test_whole_tables_of_what_allocates(answer: Answer) -> None:
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


def test_whole_tables_over_time(answer: Answer) -> None:
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


@pytest.mark.parametrize(("number", "name"), [(1, "float"), (100, "100"), (101, "float_ref"), (102, "double_ref")])
def test_types_from_101_on_are_references(number: int, name: str) -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, 5, "a", data_type=number)
    assert rows(answer_of(space), "peak", "data_type") == [(name,)]


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


def test_a_timeline_has_one_row_at_least() -> None:
    """Beside that of its begin."""
    space, gpu = memory(100)
    for i in range(10):
        gpu.allocate(1000 * i, 0x10 + i, 5, "a")
    for pixels in (1, 2):
        assert len(rows(answer_of(space, pixels=str(pixels)), "timeline", "events")) == 1 + pixels
    with pytest.raises(ArgumentError, match="pixels=0"):
        answer_of(space, pixels="0")


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
    with pytest.raises(ArgumentError, match="memory='GPU_1_bfc': use one of GPU_0_bfc, cpu, gpu_host_bfc"):
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
