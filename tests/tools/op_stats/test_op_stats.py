"""op_stats: whole tables of small captures, and invariants on every real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import real, timeline
from tests.tools.op_answers import NS, ask, gpu, host_line, rows

TIMES = ("name", "type", "occurrences", "total_us", "average_us", "self_us", "self_average_us", "self_share")


def test_nested_ops_on_two_threads() -> None:
    space = Space()
    host_line(space, 1, ("a/MatMul:MatMul", 100, 1100), ("b:Add", 200, 500), ("user_thing", 250, 350))
    host_line(space, 2, ("a/MatMul:MatMul", 0, 500))
    assert rows(answer := ask(timeline(space)), *TIMES) == [
        ("a/MatMul", "MatMul", 2, 1.5, 0.75, 1.2, 0.6, 0.8),
        ("b", "Add", 1, 0.3, 0.3, 0.3, 0.3, 0.2),
    ]
    assert rows(answer, "side", "module", "kernels", "cumulative_share", "eager_share") == [
        ("host", "", None, 0.8, 0.0),
        ("host", "", None, 1.0, 0.0),
    ]
    assert answer.result.summary == {
        "ops_rows": 2,
        "types_rows": 2,
        "scopes_rows": 3,
        "device_op_rows": 0,
        "host_op_rows": 2,
        "device_self_ms": None,
        "device_idle_ms": None,
        "device_idle_share": None,
        "host_self_ms": pytest.approx(1.5e-3),
        "host_op_ms": pytest.approx(1.1e-3),
        "host_no_op_ms": 0.0,
        "peak_tflops": None,
        "peak_gb_s": None,
        "outside_cpu_memory_bytes": None,
        "outside_device_memory_bytes": None,
    }
    assert [f.title for f in answer.result.findings] == ["a/MatMul takes 80 % of host op time: 1.2 µs"]


def test_ops_that_overlap_without_nesting_are_both_there_and_share_no_instant() -> None:
    """The reference loses the later of the two."""
    space = Space()
    host_line(space, 1, ("a:A", 0, 600), ("b:B", 400, 1000))
    assert rows(ask(timeline(space)), "name", "total_us", "self_us") == [("b", 0.6, 0.6), ("a", 0.6, 0.4)]


def test_an_allocation_does_not_count_as_an_execution() -> None:
    """The reference counts it, so that occurrences double and averages halve."""
    space = Space()
    line = host_line(space, 1, ("a/MatMul:MatMul", 0, 1000))
    line.event("MemoryAllocation", 500 * NS, 0, stats=[("tf_op", "a/MatMul"), ("requested_bytes", 64)])
    assert rows(ask(timeline(space)), "name", "occurrences", "average_us") == [("a/MatMul", 1, 1.0)]


DEVICE = ("name", "type", "occurrences", "kernels", "total_us", "self_us", "self_share", "eager_share")


def test_an_op_that_launches_several_kernels_was_executed_once_each_time() -> None:
    space = Space()
    line = host_line(space, 1, ("a:A", 0, 100), ("a:A", 200, 300))
    for i, begin in enumerate((10, 40, 210, 240), start=1):
        line.event("cuLaunchKernel", begin * NS, 20 * NS, stats={"correlation_id": i})
    gpu(space, 0, [("7", "a:A", i, 100 * i, 100 * i + 60) for i in (1, 2, 3, 4)])
    assert rows(ask(timeline(space), side="device"), *DEVICE) == [("a", "A", 2, 4, 0.24, 0.24, 1.0, 0.0)]


def test_without_launches_the_most_frequent_kernel_tells_the_executions() -> None:
    space = Space()
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for i, kernel in enumerate(("gemm", "bias", "gemm", "bias", "gemm")):
        stream.event(kernel, i * 100 * NS, 50 * NS, stats={"tf_op": "a:A"})
    stream.event("mystery", 900 * NS, 50 * NS)
    stream.event("MemcpyD2H", 950 * NS, 50 * NS)
    assert rows(ask(timeline(space)), *DEVICE) == [
        ("a", "A", 3, 5, 0.25, 0.25, 0.714285714, None),
        ("MemcpyD2H", "MemcpyDToH", 1, 1, 0.05, 0.05, 0.142857143, None),
        ("mystery", "Unattributed kernel", 1, 1, 0.05, 0.05, 0.142857143, None),
    ]


def test_one_instruction_name_in_two_xla_programs_is_two_instructions() -> None:
    space = Space()
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for i, (kernel, program) in enumerate((("small", 1), ("big", 2), ("big", 2), ("split", 2))):
        facts: dict[str, StatValue] = {"hlo_op": "dot.1", "hlo_module": "jit_f", "program_id": program}
        stream.event(kernel, i * 100 * NS, 50 * NS, stats=facts)
    assert rows(ask(timeline(space)), "name", "type", "module", "occurrences", "kernels") == [
        ("dot.1", "dot", "jit_f", 3, 4)
    ]


def test_instructions_of_one_kind_add_up_and_their_kernels_do_not() -> None:
    """`dot.1` is two kernels, a product and a sum of parts; what turns its result belongs to it."""
    space = Space()
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    kernels = (("gemm", "dot.1"), ("sum", "dot.1"), ("gemm", "dot.2"), ("turn", "transpose_fusion"))
    for i, (kernel, instruction) in enumerate(kernels * 3):
        facts: dict[str, StatValue] = {"hlo_op": instruction, "hlo_module": "f", "name": "jit(f)/dot_general"}
        stream.event(kernel, i * 100 * NS, 50 * NS, stats=facts)
    assert rows(ask(timeline(space)), "name", "occurrences", "kernels") == [("jit(f)/dot_general", 6, 12)]


def test_a_tpu_s_instructions_of_one_kind_add_up() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    for key, name in enumerate(("add_fusion", "add_fusion.1", "%copy.7 = f32[8] copy(f32[8] %x)"), 1):
        tpu.kind(name, stats=[("tf_op", "jit(f)/add:"), ("program_id", 5)], key=key)
    line = tpu.line(3, "XLA Ops")
    for i in range(9):
        line.event(i % 3 + 1, i * 100 * NS, 50 * NS)
    assert rows(ask(timeline(space)), "name", "occurrences", "kernels") == [("jit(f)/add", 6, 9)]


def test_streams_that_overlap_do_not_count_twice() -> None:
    """Device time is 1 µs of busy time; the reference adds the streams up to 1.6 µs and finds no idle time."""
    space = Space()
    host_line(space, 1, ("span", 0, 2000))
    gpu(space, 0, [("7", "a:A", 1, 0, 1000), ("8", "b:B", 2, 200, 800)])
    answer = ask(timeline(space), side="device")
    assert rows(answer, "name", "total_us", "self_us", "self_share") == [("a", 1.0, 0.7, 0.7), ("b", 0.6, 0.3, 0.3)]
    assert (answer.result.summary["device_self_ms"], answer.result.summary["device_idle_ms"]) == (1e-3, 1e-3)
    assert answer.result.summary["device_idle_share"] == 0.5


def test_eager_share_is_of_self_time() -> None:
    """The reference takes whichever kernel came last."""
    space = Space()
    line = host_line(space, 1)
    line.event("EagerExecute", 0, 200 * NS, stats={"is_func": 0})
    line.event("a:A", 10 * NS, 100 * NS).event("cuLaunchKernel", 20 * NS, 10 * NS, stats={"correlation_id": 1})
    line.event("a:A", 300 * NS, 300 * NS).event("cuLaunchKernel", 320 * NS, 10 * NS, stats={"correlation_id": 2})
    gpu(space, 0, [("7", "a:A", 1, 400, 700), ("7", "a:A", 2, 700, 800)])
    assert rows(ask(timeline(space)), "side", "name", "occurrences", "eager_share") == [
        ("device", "a", 2, 0.75),
        ("host", "a", 2, 0.25),
    ]


def test_what_xla_compiled_for_tensorflow_ran_in_no_eager_mode() -> None:
    """Of a capture of JAX that is not known."""
    for eager, share in (("EagerExecute", 0.0), ("PjitFunction(f)", None)):
        space = Space()
        line = host_line(space, 1, (eager, 0, 200 * NS))
        line.event("dot.1", 300 * NS, 100 * NS, stats={"hlo_op": "dot.1", "hlo_module": "f"})
        assert rows(ask(timeline(space)), "name", "eager_share") == [("dot.1", share)]


def test_aggregates_count_with_their_number_and_time() -> None:
    """Older TPU collectors keep, of an op's executions, only how many there were and how long they took."""
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.kind("%dot", display_name="dot.1", stats={"hlo_category": "convolution"})
    line = tpu.line(3, "XLA Ops").event("%dot", 0, 100 * NS)
    line.event("%dot", duration_ps=900 * NS, occurrences=9, stats={"self_duration_ps": 600 * NS})
    assert rows(ask(timeline(space)), "name", "type", "occurrences", "total_us", "self_us") == [
        ("dot.1", "convolution", 10, 1.0, 0.7)
    ]


def test_waiting_is_part_of_the_self_time() -> None:
    """By kind of event, whatever op an annotation names."""
    space = Space()
    host_line(space, 1, ("Iterator::Root::Prefetch", 0, 300), ("Iterator::Root::Prefetch::Map", 100, 200))
    tpu = space.plane("/device:TPU:0")
    for key, category in enumerate(("collective-permute-start", "collective-permute-done"), 1):
        tpu.kind(f"%{category}", stats={"hlo_category": category, "tf_op": "jit(f)/ppermute:"}, key=key)
    line = tpu.line(3, "XLA Ops").event(1, 0, 100 * NS).event(2, 100 * NS, 300 * NS)
    line.event(2, duration_ps=400 * NS, occurrences=2)
    gpu(space, 0, [("7", "b:B", 1, 0, 100)])
    answer = ask(timeline(space))
    assert rows(answer, "side", "type", "self_us", "wait_share") == [
        ("device", "ppermute", 0.8, 0.875),
        ("device", "B", 0.1, None),
        ("host", "Dataset::Prefetch", 0.2, 1.0),
        ("host", "Dataset::Map", 0.1, 0.0),
    ]


def test_side_picks_rows_and_leaves_the_summary() -> None:
    space = Space()
    host_line(space, 1, ("a:A", 0, 100))
    gpu(space, 0, [("7", "b:B", 1, 0, 100)])
    t = timeline(space)
    assert [rows(ask(t, side=side), "side", "name") for side in ("all", "host", "device")] == [
        [("device", "b"), ("host", "a")],
        [("host", "a")],
        [("device", "b")],
    ]
    both = ask(t).result.summary
    assert ask(t, side="host").result.summary == both | {"ops_rows": 1, "types_rows": 1, "scopes_rows": 1}


def test_nothing_says_so() -> None:
    answer = ask(timeline(Space()))
    assert rows(answer, "name") == []
    assert [f.code for f in answer.result.findings] == ["no_ops"]


def test_self_times_add_up_on_every_real_capture(xplane_files: list[Path]) -> None:
    """Σ self of a thread's ops = the time in which it ran any; Σ self of a device = its busy time, from raw events."""
    for file, t in real(xplane_files):
        answer = ask(t)
        busy_ps = sum(union_ps(t, d) for d in device_rows(t))
        self_ps = dict.fromkeys(("device", "host"), 0.0)
        for side, self_us in rows(answer, "side", "self_us"):
            self_ps[side] += self_us * 1e6
        assert self_ps["device"] == pytest.approx(busy_ps, rel=1e-9), file
        assert self_ps["host"] == pytest.approx(sum(union_ps(t, r) for r in host_rows(t)), rel=1e-9), file
        assert answer.result.summary["device_idle_ms"] == (
            pytest.approx(sum(d.idle_ps for d in devices_of(t) if d.events) / 1e9)
            if ops_of(t).device.rows.size
            else None
        ), file


def union_ps(t: Timeline, event_rows: list[int]) -> int:
    """By the clock of the device where its events tell it."""
    begin, known = t.stat_of("device_offset_ps", np.array(event_rows))
    duration, _ = t.stat_of("device_duration_ps", np.array(event_rows))
    if not known.all():
        begin, duration = t.capture.events.start_ps[event_rows], t.capture.events.duration_ps[event_rows]
    return intervals.union(begin, begin + duration).total


def device_rows(t: Timeline) -> list[list[int]]:
    return by(t, ops_of(t).device.rows.tolist(), lambda r: int(t.capture.tracks.plane[t.capture.events.track[r]]))


def host_rows(t: Timeline) -> list[list[int]]:
    return by(t, ops_of(t).host.rows.tolist(), lambda r: int(t.capture.events.track[r]))


def by(t: Timeline, event_rows: list[int], group: Any) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for r in event_rows:
        groups.setdefault(group(r), []).append(r)
    return list(groups.values())


def test_self_time_by_type_largest_first_and_unknown_where_a_side_has_no_op() -> None:
    space = Space()
    host_line(space, 1, ("a:MatMul", 0, 1000), ("b:Add", 1000, 5000), ("c:MatMul", 5000, 6000))
    answer = ask(timeline(space))
    assert answer.to_dict()["tables"]["types"]["columns"] == {
        "type": ["Add", "MatMul"],
        "device_occurrences": [None, None],
        "device_self_us": [None, None],
        "device_self_share": [None, None],
        "host_occurrences": [1, 2],
        "host_self_us": [4.0, 2.0],
        "host_self_share": [pytest.approx(2 / 3), pytest.approx(1 / 3)],
    }
    only_device = ask(timeline(space), side="device").to_dict()["tables"]["types"]["columns"]
    assert set(map(tuple, only_device.values())) == {()}
