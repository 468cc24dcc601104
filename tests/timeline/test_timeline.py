"""Stats by key, launches, ops and device activity of captures that fit on one screen."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np

from tensorboard_perfplugin.tables import StatKind
from tensorboard_perfplugin.tables.intervals import Intervals
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.devices import device_spans_of, devices_of, host_busy_of
from tensorboard_perfplugin.timeline.loops.loops import first_of_key
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.nesting import nesting_of
from tensorboard_perfplugin.timeline.ops.ops import OpEvents, is_eager, ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline, is_integer
from tests.build_capture import Ref, Space, Uint
from tests.timeline.timelines import row, timeline


def pairs(a: Intervals) -> list[tuple[int, int]]:
    return list(zip(a.begin.tolist(), a.end.tolist(), strict=True))


def executed(t: Timeline, events: OpEvents) -> list[tuple[str, Op]]:
    return [
        (t.capture.event_name(r), ops_of(t).ops[i])
        for r, i in zip(events.rows.tolist(), events.op.tolist(), strict=True)
    ]


def test_of_several_stats_of_one_key_the_first_counts_and_the_events_own_before_its_kinds() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.kind("both", stats={"k": 7})
    plane.kind("kind's", stats={"k": Uint(8)})
    line = plane.line(1)
    line.event("both", 0, 1, stats=[("other", 1), ("k", 5), ("k", 6)])
    line.event("kind's", 1, 1)
    line.event("none", 2, 1, stats={"other": 2})
    line.event("text", 3, 1, stats={"k": Ref("word")})
    t = timeline(space)
    values, kinds = t.stat("k")
    assert values[:3].tolist() == [5, 8, 0]
    assert kinds.tolist() == [StatKind.INT, StatKind.UINT, StatKind.NONE, StatKind.TEXT]
    assert t.capture.strings[int(values[3])] == "word"
    assert [a.tolist() for a in t.stat_of("k", np.array([1, 0]))] == [[8, 5], [StatKind.UINT, StatKind.INT]]
    assert [a.tolist() for a in t.stat("no such key")] == [[0] * 4, [0] * 4]


def test_launches_are_joined_by_correlation_id() -> None:
    space = Space()
    host = space.plane("/host:CPU").line(1)
    host.event("launch", 0, 2, stats={"correlation_id": 1})
    host.event("launch", 2, 2, stats={"correlation_id": Uint(2)})
    host.event("lost", 4, 2, stats={"correlation_id": 3})
    host.event("cuStreamSynchronize", 6, 2, stats={"correlation_id": 4})
    host.event("hipMalloc", 8, 2, stats={"correlation_id": 5})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    stream.event("kernel", 10, 5, stats={"correlation_id": Uint(2)})
    stream.event("kernel", 20, 5, stats={"correlation_id": 1})
    stream.event("stray", 30, 5, stats={"correlation_id": 99})
    stream.event("none", 40, 5, stats={"correlation_id": 0})
    t = timeline(space)
    first, second = row(t, "launch"), row(t, "launch", 1)
    assert {r: int(launches_of(t).rows[r]) for r in np.flatnonzero(launches_of(t).rows >= 0).tolist()} == {
        row(t, "kernel", 0): second,
        row(t, "kernel", 1): first,
    }
    joined = launches_of(t)
    assert (joined.host, joined.device, joined.unmatched_host, joined.unmatched_device) == (3, 4, 1, 2)


def test_launches_that_go_into_a_graph_lost_no_kernel() -> None:
    """A graph is captured on one thread, while another one launches; the second capture does not end."""
    space = Space()
    one, other = space.plane("/host:CPU").line(1), space.plane("/host:CPU").line(2)
    names = ["cudaLaunchKernel", "cudaStreamBeginCapture_v10000", "cudaLaunchKernel", "cudaStreamGetCaptureInfo_v2"]
    names += ["cuLaunchKernelEx", "cudaStreamEndCapture", "cudaMemcpyAsync", "hipStreamBeginCapture", "hipLaunchKernel"]
    for i, name in enumerate(names):
        one.event(name, 10 * i, 5, stats={"correlation_id": i + 1})
    other.event("cudaLaunchKernel", 20, 5, stats={"correlation_id": 50})
    space.plane("/device:GPU:0")
    assert launches_of(timeline(space)).unmatched_host == 3


def test_a_gpu_is_busy_while_any_stream_runs_and_counters_and_derived_lines_count_nothing() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("span", 0, 100)
    gpu = space.plane("/device:GPU:0")
    gpu.line(7, "Stream #7(Compute)").event("a", 10, 20).event("b", 50, 10)
    gpu.line(9, "Stream #9(Compute)")
    gpu.line(8, "Stream #8(MemcpyH2D)").event("MemcpyH2D", 20, 20)
    gpu.line(-559038737, "Steps").event("0", 0, 100)
    gpu.line((1 << 63) - 1, "_counters_").event("power", 90, 0, stats={"power": 1.5})
    space.plane("/device:GPU:1", id=1)
    t = timeline(space)
    busy, idle = devices_of(t)
    assert pairs(busy.busy) == [(10, 40), (50, 60)]
    assert (busy.tracks, busy.events, busy.busy_ps, busy.idle_ps) == (2, 3, 40, 60)
    assert busy.longest_gaps(2) == [(40, 50)]
    assert (idle.tracks, idle.events, idle.busy_ps, idle.idle_ps) == (0, 0, 0, 100)


def test_what_cupti_reports_beside_kernels_and_copies_is_no_work() -> None:
    """The profiler's own overhead, and the life of every allocation, made a GPU look busy for the whole capture."""
    space = Space()
    space.plane("/host:CPU").line(1).event("span", 0, 100)
    gpu = space.plane("/device:GPU:0")
    gpu.line(-559038731, "CUPTI overhead").event("BUFFER_FLUSH", 0, 90)
    gpu.line(0, "Stream #0(MemoryResidency)").event("Memory Device", 0, 100, stats={"MemoryResidency_details": "x"})
    gpu.line(7, "CUPTI overhead").event("a", 10, 20).event("RESOURCE", 40, 30)
    unified = gpu.line(0x10000001, "Stream #268435457(UnifiedMemory)")
    unified.event("UM_GPU_PAGE_FAULT", 0, 60).event("UM_BYTES_TRANSFER_HTOD", 80, 5)
    t = timeline(space)
    (device,) = devices_of(t)
    assert pairs(device.busy) == [(10, 30), (80, 85)]
    assert (device.tracks, device.events, device.busy_ps, device.idle_ps) == (2, 2, 25, 75)
    assert launches_of(t).device == 2
    assert [ops_of(t).ops[op].type for op in ops_of(t).device.op.tolist()] == ["Unattributed kernel", "MemcpyHToD"]
    assert device_spans_of(t).duration_ps.tolist() == [20, 5]


def test_kernels_that_run_at_once_share_the_time() -> None:
    space = Space()
    gpu = space.plane("/device:GPU:0")
    gpu.line(7, "Stream #7(Compute)").event("a", 0, 30).event("instant", 30, 0)
    gpu.line(8, "Stream #8(Compute)").event("b", 20, 20)
    t = timeline(space)
    own = dict(
        zip((t.capture.event_name(r) for r in ops_of(t).device.rows), device_spans_of(t).self_ps.tolist(), strict=True)
    )
    assert own == {"a": 25.0, "instant": 0.0, "b": 15.0}


def test_a_tpu_is_busy_while_its_op_line_is_and_its_ops_nest() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.kind("%while = ...", display_name="while", stats=[("hlo_category", "while"), ("program_id", 5)])
    tpu.kind("%dot = ...", display_name="dot.1", stats=[("tf_op", "jit(f)/dot_general:"), ("program_id", 5)])
    tpu.line(1, "Steps").event("1", 0, 1000)
    tpu.line(2, "XLA Modules").event("jit_f(5)", 0, 500)
    tpu.line(3, "XLA Ops").event("%while = ...", 100, 200).event("%dot = ...", 150, 50).event("%dot = ...", 400, 10)
    tpu.line(4, "Async XLA Ops").event("%copy = ...", 100, 800)
    space.plane("/host:metadata").kind("jit_f(5)")
    t = timeline(space)
    assert pairs(devices_of(t)[0].busy) == [(100, 300), (400, 410)]
    dot = Op("jit(f)/dot_general", "dot_general", "jit_f")
    assert executed(t, ops_of(t).device) == [
        ("%while = ...", Op("while", "while", "jit_f")),
        ("%dot = ...", dot),
        ("%dot = ...", dot),
    ]
    assert device_spans_of(t).self_ps.tolist() == [150.0, 50.0, 10.0]


def test_a_tpu_without_xla_ops_is_measured_by_its_framework_ops() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.line(1, "Framework Ops").event("a/MatMul:MatMul", 0, 60)
    tpu.line(2, "XLA Modules").event("cluster", 0, 100)
    space.plane("/device:TPU:1", id=1).line(1, "Steps").event("1", 0, 100)
    t = timeline(space)
    assert [(d.events, d.busy_ps) for d in devices_of(t)] == [(1, 60), (0, 0)]


def test_a_tpu_that_tells_times_by_its_own_clock_is_measured_by_that() -> None:
    """Seen: 194 ms by the device's clock, 392 ms and 0 ms as fitted to the host's."""
    space = Space()
    line = space.plane("/device:TPU:0").line(3, "XLA Ops")
    line.event("%a", 1000, 300, stats={"device_offset_ps": 5000, "device_duration_ps": 200})
    line.event("%b", 1300, 0, stats={"device_offset_ps": 5100, "device_duration_ps": 50})
    line.event("%c", 1900, 100, stats={"device_offset_ps": 5900, "device_duration_ps": 100})
    t = timeline(space)
    assert device_spans_of(t).duration_ps.tolist() == [200, 50, 100]
    assert device_spans_of(t).self_ps.tolist() == [150.0, 50.0, 100.0]
    assert (devices_of(t)[0].busy_ps, devices_of(t)[0].idle_ps) == (300, 700)
    assert pairs(devices_of(t)[0].busy) == [(1000, 1300), (1900, 2000)]


def test_what_a_kernel_belongs_to() -> None:
    """XLA instruction before annotation before host op around the launch; copies keep their own name."""
    space = Space()
    host = space.plane("/host:CPU").line(1)
    host.event("a/MatMul:MatMul", 0, 100)
    for i, name in enumerate(("cuLaunchKernel", "MemcpyH2D"), start=1):
        host.event(name, 10 * i, 5, stats={"correlation_id": i})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    stream.event("gemm", 100, 10, stats={"correlation_id": 1})
    stream.event("MemcpyH2D", 110, 10, stats={"correlation_id": 2})
    stream.event("relu", 120, 10, stats={"tf_op": "a/Relu:Relu"})
    stream.event("fused", 130, 10, stats={"tf_op": "XlaModule:", "hlo_op": "fusion.2", "hlo_module": "jit_f"})
    stream.event("mystery", 140, 10)
    t = timeline(space)
    assert executed(t, ops_of(t).device) == [
        ("gemm", Op("a/MatMul", "MatMul")),
        ("MemcpyH2D", Op("MemcpyH2D", "MemcpyHToD")),
        ("relu", Op("a/Relu", "Relu")),
        ("fused", Op("fusion.2", "fusion", "jit_f")),
        ("mystery", Op("mystery", "Unattributed kernel")),
    ]
    # A launch is a part of an op, not an op: the copy's is none on the host.
    assert executed(t, ops_of(t).host) == [("a/MatMul:MatMul", Op("a/MatMul", "MatMul"))]


def test_jax_on_cpu_has_ops_and_its_end_markers_are_none() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "tf_XLAEigen/1")
    facts = {"hlo_op": "dot.3", "hlo_module": "jit_f"}
    line.event("dot.3", 0, 10, stats=facts).event("end: dot.3", 10, 0, stats=facts)
    t = timeline(space)
    assert executed(t, ops_of(t).host) == [("dot.3", Op("dot.3", "dot", "jit_f"))]


def test_eager_is_who_runs_under_an_eager_execute_that_is_no_function() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("EagerExecute", 0, 100, stats={"is_func": 0}).event("eager:A", 10, 10)
    line.event("EagerExecute", 30, 40, stats={"is_func": 1}).event("function:B", 40, 10)
    line.event("EagerExecute", 200, 50).event("unsaid:C", 210, 10)
    line.event("alone:D", 300, 10)
    t = timeline(space)
    rows = ops_of(t).host.rows
    assert dict(zip((t.capture.event_name(r) for r in rows), is_eager(t, rows).tolist(), strict=True)) == {
        "eager:A": True,
        "function:B": False,
        "unsaid:C": False,
        "alone:D": False,
    }


def test_an_op_that_runs_by_itself_is_told_by_its_call() -> None:
    """TensorFlow names no event inside for it: a loop of eager MatMuls had no op and an eager share of 0."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("EagerExecute", 0, 100, stats={"is_func": 0})
    line.event("EagerLocalExecute: MatMul", 10, 80).event("KernelAndDeviceFunc::Run", 20, 60)
    line.event("EagerExecute", 200, 100, stats={"is_func": 1})
    line.event("EagerLocalExecute: __inference_step_9", 210, 80).event("a/Relu:Relu", 220, 10)
    # Older ones do name it.
    line.event("EagerExecute", 400, 100, stats={"is_func": 0})
    line.event("EagerLocalExecute: Sum", 410, 80).event("x/Cast:Cast", 415, 10).event("Sum:_MklSum", 430, 40)
    t = timeline(space)
    assert executed(t, ops_of(t).host) == [
        ("EagerLocalExecute: MatMul", Op("MatMul", "MatMul")),
        ("a/Relu:Relu", Op("a/Relu", "Relu")),
        ("x/Cast:Cast", Op("x/Cast", "Cast")),
        ("Sum:_MklSum", Op("Sum", "_MklSum")),
    ]
    assert is_eager(t, ops_of(t).host.rows).tolist() == [True, False, True, True]


def test_an_allocations_tf_op_is_no_execution() -> None:
    """The reference counts it as one, which doubles the occurrences of every op that allocates."""
    space = Space()
    line = space.plane("/host:CPU").line(1)
    line.event("a/MatMul:MatMul", 0, 10).event("MemoryAllocation", 5, 0, stats={"tf_op": "a/MatMul"})
    t = timeline(space)
    assert executed(t, ops_of(t).host) == [("a/MatMul:MatMul", Op("a/MatMul", "MatMul"))]


def test_an_empty_capture() -> None:
    t = timeline(Space())
    assert (len(nesting_of(t).depth), devices_of(t), launches_of(t)[1:4], ops_of(t).ops, pairs(host_busy_of(t))) == (
        0,
        (),
        (0, 0, 0),
        (),
        [],
    )


def test_kinds_are_looked_through_once_a_key() -> None:
    """They were for each track: 100,000 tracks beside 300,000 kinds took half a minute."""
    space = Space()
    host = space.plane("/host:CPU")
    host.kind("op", stats={"flops": 5})
    for i in range(3):
        host.line(i).event("op", 0, 1)
    t = timeline(space)
    with patch("tensorboard_perfplugin.timeline.timeline.first_of_key", wraps=first_of_key) as looked:
        found = [t.stat_of("flops", np.array([i]))[0].tolist() for i in range(3)]
    assert (found, looked.call_count) == ([[5]] * 3, 4)


def test_whole_numbers_are_told_by_their_kind() -> None:
    kinds = np.array(list(StatKind), np.uint8)
    assert [StatKind(kind) for kind in kinds[is_integer(kinds)]] == [StatKind.INT, StatKind.UINT]
    assert is_integer(np.broadcast_to(np.uint8(StatKind.UINT), 2)).tolist() == [True, True]
    assert is_integer(np.broadcast_to(np.uint8(StatKind.TEXT), 2)).tolist() == [False, False]
    assert is_integer(np.empty(0, np.uint8)).tolist() == []


def test_which_calls_without_a_kernel_are_launches_that_lost_theirs() -> None:
    """Each of the others counted as a launch without a kernel."""
    launches = ["cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "hipExtModuleLaunchKernel", "cuGraphLaunch (CudaGraph:5)"]
    launches += ["MemcpyH2D", "void cutlass::Kernel<gemm>(Params)"]
    others = ["cuGraphInstantiateWithFlags (CudaGraph:5)", "cuMemHostUnregister", "cuStreamCreateWithPriority"]
    others += ["cuLaunchHostFunc", "cuStreamSynchronize", "MemoryAlloc"]
    for name in launches + others:
        space = Space()
        space.plane("/host:CPU").line(1).event(name, 0, 10, stats={"correlation_id": 1})
        space.plane("/device:GPU:0")
        found = launches_of(timeline(space))
        assert (found.host, found.unmatched_host) == (name in launches, name in launches), name


def test_equal_correlation_ids_of_two_devices_are_told_apart_by_the_launches_device() -> None:
    """One that is no device of the capture is ignored: ROCm writes its agent's id there."""
    space = Space()
    host = space.plane("/host:CPU").line(1)
    host.event("to 1", 0, 2, stats={"correlation_id": 5, "device_id": Uint(1)})
    host.event("to 0", 2, 2, stats={"correlation_id": 5, "device_id": 0})
    host.event("to an agent", 4, 2, stats={"correlation_id": 1 << 40, "device_id": 22244})
    for ordinal in (0, 1):
        stream = space.plane(f"/device:GPU:{ordinal}", id=ordinal).line(7, "Stream #7(Compute)")
        stream.event("kernel", 10, 5, stats={"correlation_id": 5})
    stream.event("another", 20, 5, stats={"correlation_id": 1 << 40})
    t = timeline(space)
    rows = [row(t, "kernel"), row(t, "kernel", 1), row(t, "another")]
    assert [t.capture.event_name(int(launches_of(t).rows[i])) for i in rows] == ["to 0", "to 1", "to an agent"]


def test_ids_are_looked_up_alike_by_table_and_by_sorting() -> None:
    """Near each other, and far apart; of launches of one id the first."""
    for ids in ([1, 2, 3, 4, 2], [1, 1 << 40, 1 << 61, 7, 1 << 40]):
        space = Space()
        host, stream = space.plane("/host:CPU").line(1), space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
        for i, key in enumerate(ids):
            host.event(f"launch {i}", 10 * i, 2, stats={"correlation_id": key})
        for i, key in enumerate([*ids[:4], 5, 1 << 50]):
            stream.event(f"kernel {i}", 100 + 10 * i, 5, stats={"correlation_id": key})
        t = timeline(space)
        found = [int(launches_of(t).rows[row(t, f"kernel {i}")]) for i in range(6)]
        assert found == [*(row(t, f"launch {i}") for i in range(4)), -1, -1]
