"""TensorFlow 1's run metadata, built in a few lines: what is on which track, what ran, what only waited."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.tables import Capture, PlaneKind, TrackKind
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.nesting import nesting_of
from tensorboard_perfplugin.timeline.ops.ops import host_waits_of, ops_of
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX, Timeline
from tests.build_capture import number
from tests.decode.step_stats import memory, node, run_metadata

CPU, GPU = "/job:worker/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:0/device:GPU:0"
#: (plane, track, kind, name, begin µs, length µs)
Row = tuple[str, str, str, str, float, float]


def opened(devices: dict[str, list[bytes]]) -> Capture:
    capture = read_bytes(run_metadata(devices), "run_metadata.pb")
    capture.check()
    return capture


def rows(capture: Capture) -> list[Row]:
    """All but the mark of the step."""
    e, t, strings = capture.events, capture.tracks, capture.strings
    planes = strings.texts(capture.planes.name)
    found = []
    for i, track in enumerate(e.track.tolist()):
        where = planes[int(t.plane[track])], strings[int(t.name[track])], TrackKind(int(t.kind[track])).name
        if where[1] != "session.run":
            found.append((*where, capture.event_name(i), int(e.start_ps[i]) / 1e6, int(e.duration_ps[i]) / 1e6))
    return found


def stats(capture: Capture, name: str) -> dict[str, object]:
    row = next(i for i in range(len(capture.events)) if capture.event_name(i) == name)
    begin, end = int(capture.events.stats_begin[row]), int(capture.events.stats_end[row])
    return dict(capture.values(begin, end))


def test_what_single_streams_hold_is_not_counted_twice() -> None:
    """As TensorFlow 1.12 wrote it: `stream:all` has all kernels, `memcpy` all copies."""
    kernel = node("dense/MatMul:MatMul", 10, 5)
    copy = node("x:MEMCPYHtoD", 2, 3, "MEMCPYHtoD 4096 bytes (Pageable to Device)")
    capture = opened(
        {
            CPU: [node("x", 0, 1, "x = Const()")],
            GPU: [node("dense/MatMul", 1, 4, "dense/MatMul = MatMul(x, w)")],
            "/device:GPU:0/stream:all": [kernel],
            "/device:GPU:0/memcpy": [copy],
            "/device:GPU:0/stream:13": [kernel],
            "/device:GPU:0/stream:14": [copy],
        }
    )
    assert rows(capture) == [
        ("/host:CPU", "CPU:0 ops", "THREAD", "x:Const", 0, 1),
        ("/host:CPU", "GPU:0 ops", "THREAD", "dense/MatMul:MatMul", 1, 4),
        ("/device:GPU:0", "memcpy", "DERIVED", "MEMCPYHtoD", 2, 3),
        ("/device:GPU:0", "stream:13", "STREAM", "dense/MatMul:MatMul", 10, 5),
        ("/device:GPU:0", "stream:14", "STREAM", "MEMCPYHtoD", 2, 3),
        ("/device:GPU:0", "stream:all", "DERIVED", "dense/MatMul:MatMul", 10, 5),
    ]
    (device,) = devices_of(Timeline(capture, "host"))
    assert device.busy_ps == 8_000_000
    said = {"tensor": "x", "memcpy_details": "kind_src:pageable kind_dst:device size:4096 dest:0 async:0"}
    assert said.items() <= stats(capture, "MEMCPYHtoD").items()


def test_streams_as_later_versions_name_them() -> None:
    """TensorFlow 1.14 and later; what the host did for CUDA, and who traced it, are threads of the host."""
    label = "volta_sgemm_128x64_nn regs:126 shm:12544 grid:2,1,1 block:128,1,1@@dense/MatMul:MatMul#id=1#"
    kernel, copy = node("dense/MatMul:MatMul", 10, 5, label), node("MEMCPYDtoH", 20, 2, "MEMCPYDtoH")
    capture = opened(
        {
            "/host:CPU": [node("cuLaunchKernel", 8, 1, thread=7)],
            "/gpu:0/context#0/stream#1:Kernel": [kernel],
            "/gpu:0/context#0/stream#2:MemcpyDtoH": [copy],
            "/device:GPU:0/stream:all": [kernel, copy],
            "/gpu:0/sync": [node("cuStreamSynchronize", 15, 9)],
        }
    )
    assert rows(capture) == [
        ("/host:CPU", "thread 7", "THREAD", "cuLaunchKernel", 0, 1),
        ("/device:GPU:0", "context#0/stream#1:Kernel", "STREAM", "volta_sgemm_128x64_nn", 2, 5),
        ("/device:GPU:0", "context#0/stream#2:MemcpyDtoH", "STREAM", "MEMCPYDtoH", 12, 2),
        ("/device:GPU:0", "stream:all", "DERIVED", "volta_sgemm_128x64_nn", 2, 5),
        ("/device:GPU:0", "stream:all", "DERIVED", "MEMCPYDtoH", 12, 2),
        ("/device:GPU:0", "sync", "DERIVED", "cuStreamSynchronize", 7, 9),
    ]
    said = {"tf_op": "dense/MatMul:MatMul", "kernel_details": "regs:126 shm:12544 grid:2,1,1 block:128,1,1"}
    assert said.items() <= stats(capture, "volta_sgemm_128x64_nn").items()


def test_without_single_streams_what_repeats_them_is_all_there_is() -> None:
    """A copy that `stream:all` and `memcpy` both hold runs once; one that only `memcpy` holds is kept."""
    kernel, both, alone = node("a:MatMul", 0, 5), node("x:MEMCPYHtoD", 5, 2), node("y:MEMCPYDtoH", 9, 2)
    capture = opened({"/device:GPU:0/stream:all": [kernel, both], "/device:GPU:0/memcpy": [both, alone]})
    assert [row[1:4] for row in rows(capture)] == [
        ("memcpy", "STREAM", "MEMCPYDtoH"),
        ("stream:all", "STREAM", "a:MatMul"),
        ("stream:all", "STREAM", "MEMCPYHtoD"),
    ]
    assert capture.quality.dropped == {"repeated_copy": 1}


def test_each_gpu_is_a_device_of_its_own() -> None:
    """Seen once: all GPUs of a machine on one plane."""
    first, second = node("a:MatMul", 0, 5), node("b:Conv2D", 2, 9)
    capture = opened(
        {
            "/device:GPU:0/stream:all": [first],
            "/device:GPU:0/stream:7": [first],
            "/job:ps/device:GPU:1/stream:all": [second],
        }
    )
    devices = devices_of(Timeline(capture, "host"))
    planes = capture.strings.texts(capture.planes.name[[device.plane for device in devices]])
    assert list(zip(planes, [device.busy_ps // 10**6 for device in devices], strict=True)) == [
        ("/device:GPU:0", 5),
        ("/device:GPU:1", 9),
    ]
    assert set(capture.planes.kind.tolist()) == {PlaneKind.CPU, PlaneKind.GPU}
    ops = ops_of(Timeline(capture, "host"))
    assert [ops.ops[i] for i in ops.device.op.tolist()] == [("a", "MatMul", ""), ("b", "Conv2D", "")]


@pytest.mark.parametrize("type", ["QueueDequeueV2", "QueueDequeueManyV2", "QueueDequeueUpTo", "Unstage", "MapUnstage"])
def test_a_dequeue_waits_and_does_not_work(type: str) -> None:
    """The step is 100 µs: 80 of them wait for the queue, 15 compute, 5 are the runtime's."""
    capture = opened(
        {CPU: [node("input", 0, 80, f"input = {type}(queue)"), node("dense", 85, 15, "dense = MatMul(input, w)")]}
    )
    timeline = Timeline(capture, "host")
    assert [op.name for op, waits in zip(ops_of(timeline).ops, host_waits_of(timeline), strict=True) if waits] == [
        "input"
    ]
    assert steps_of(timeline).wall_ps.tolist() == [100_000_000]
    parts = split_of(timeline).exposed_ps[0, 0].tolist()
    told = {category.key: ps // 10**6 for category, ps in zip(CATEGORIES, parts, strict=True) if ps}
    assert told == {"op_compute": 15, "input_wait": 80, "runtime": 5}


def test_nodes_that_run_side_by_side_go_to_lanes() -> None:
    """All nodes of an executor are on thread 0: none of them is a part of another, so each one's time is its own."""
    nodes = [node("a", 0, 10, "a = A()"), node("b", 5, 10, "b = B()"), node("c", 2, 3, "c = C()")]
    capture = opened({CPU: nodes})
    assert [row[3:] for row in rows(capture)] == [("a:A", 0, 10), ("c:C", 2, 3), ("b:B", 5, 10)]
    assert len(np.unique(capture.events.track)) == 3
    assert nesting_of(Timeline(capture, "host")).self_ps.tolist()[1:] == [10_000_000, 3_000_000, 10_000_000]


def test_parts_of_a_call_and_of_a_thread_lie_in_it() -> None:
    call = [node("f", 0, 10, "f = PartitionedCall(x)"), node("c", 2, 3, "c = C()")]
    thread = [node("outer", 0, 10, thread=5), node("inner", 2, 3, thread=5)]
    capture = opened({CPU: call, "/host:CPU": thread})
    assert nesting_of(Timeline(capture, "host")).self_ps.tolist()[1:] == [7_000_000, 3_000_000, 7_000_000, 3_000_000]


def test_thousands_that_overlap_are_quick() -> None:
    """Each begins within all before it and ends after them: a lane for each would take minutes."""
    capture = opened({CPU: [node(f"n{i}", i, 100_000, f"n{i} = A()") for i in range(5000)]})
    assert len(capture.events) == 5001
    assert len(capture.tracks) == 257


def test_memory_is_what_allocators_recorded() -> None:
    allocated = node("a", 0, 9, "a = MatMul(x)", memory=memory("cpu", (1, 4096), (7, -4096)) + memory("gpu", (2, 100)))
    capture = opened({CPU: [allocated]})
    track = capture.strings.find("allocators")
    mine = np.flatnonzero(capture.tracks.name[capture.events.track] == track)
    said = [
        dict(capture.values(int(capture.events.stats_begin[i]), int(capture.events.stats_end[i])))
        for i in mine.tolist()
    ]
    assert [tuple(each[key] for key in ("allocator_name", "allocation_bytes", "bytes_allocated")) for each in said] == [
        ("cpu", 4096, 4096),
        ("gpu", 100, 100),
        ("cpu", 4096, 0),
    ]
    assert {each["tf_op"] for each in said} == {"a"}


def test_step_stats_alone_are_read_too() -> None:
    """People save `run_metadata.step_stats` as well."""
    data = run_metadata({CPU: [node("a", 0, 9, "a = MatMul(x)")]})
    inner = data[2:] if data[1] < 0x80 else data[3:]
    assert rows(read_bytes(inner, "anything.pb")) == [("/host:CPU", "ops", "THREAD", "a:MatMul", 0, 9)]


def test_no_device_is_no_capture() -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        read_bytes(run_metadata({CPU: []}), "run_metadata.pb")


def test_a_timeline_s_streams_are_of_their_gpu() -> None:
    """The same of what `Timeline` made of it: processes are parts of devices."""

    def process(pid: int, name: str) -> dict[str, object]:
        return {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}

    def op(pid: int, ts: int, dur: int, name: str, kind: str) -> dict[str, object]:
        args = {"name": name, "op": kind}
        return {"ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args}

    events = [
        process(1, f"{GPU} Compute"),
        process(3, "/device:GPU:0/stream:all Compute"),
        process(5, "/device:GPU:0/stream:13 Compute"),
        process(7, "/device:GPU:0/memcpy Compute"),
        process(9, "/device:GPU:1/stream:all Compute"),
        op(1, 10, 2, "dense", "MatMul"),
        op(3, 20, 5, "dense", "MatMul"),
        op(5, 20, 5, "dense", "MatMul"),
        op(5, 30, 4, "x", "MEMCPYHtoD"),
        op(7, 30, 4, "x", "MEMCPYHtoD"),
        op(9, 22, 3, "other", "Conv2D"),
    ]
    capture = read_bytes(json.dumps({"traceEvents": events}).encode(), "timeline.json")
    capture.check()
    timeline = Timeline(capture, "host")
    assert [(device.plane, device.busy_ps // 10**6) for device in devices_of(timeline)] == [(1, 9), (2, 3)]
    assert [ops_of(timeline).ops[i][:2] for i in ops_of(timeline).device.op.tolist()] == [
        ("dense", "MatMul"),
        ("MEMCPYHtoD", "MemcpyHToD"),
        ("other", "Conv2D"),
    ]


def test_times_and_threads_of_any_size_are_read() -> None:
    """A number that the profiler never writes came from a damaged file: it has a place in no column."""
    for field in (2, 3, 4, 5, 9, 10, 13, 14, 15, 16, 17):
        for value in (-1, 1 << 62, (1 << 63) - 1, -(1 << 63)):
            odd = node("b", 3, 2) + number(field, value)
            capture = opened({CPU: [node("a", 0, 5, memory=memory("cpu", (1, 8), (2, value))), odd]})
            assert rows(capture)[0][3] == "a", (field, value)


def test_a_gpu_that_cupti_did_not_see_is_launched_for() -> None:
    """What its executor does is no compute of a step."""
    nodes = {CPU: [node("x", 0, 20, "x = Const()")], GPU: [node("m", 20, 30, "m = MatMul(x, x)")]}
    for streams, launch_ps, launches in (({}, 30e6, 1), ({"/gpu:0/stream:1": [node("m:MatMul", 25, 9)]}, 0, 0)):
        timeline = Timeline(opened(nodes | streams), "h")
        launch = split_of(timeline).exposed_ps[..., INDEX["launch"]]
        assert (int(launch.sum()), launches_of(timeline).host) == (launch_ps, launches)
        assert [op.type for op in ops_of(timeline).ops if op.type == "MatMul"] == ["MatMul"]
