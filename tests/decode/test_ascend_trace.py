"""Traces of PyTorch on Ascend NPUs, as torch_npu's profiler writes them."""

from __future__ import annotations

import json
from typing import Any

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.tables import Capture, PlaneKind, TrackKind
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.decode.test_step_stats import stats

PYTHON, CANN, NPU, OVERLAP = 437, 43702, 43708, 43711


def process(pid: int, name: str, label: str) -> list[dict[str, Any]]:
    named = {"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}}
    return [named, {**named, "name": "process_labels", "args": {"labels": label}}]


def slice_of(pid: int, tid: int, ts: float, dur: float, name: str, **args: object) -> dict[str, Any]:
    return {"ph": "X", "pid": pid, "tid": tid, "ts": f"{1704161511420000 + ts:.3f}", "dur": dur, "name": name, **args}


def arrow(pid: int, tid: int, ts: float, phase: str) -> dict[str, Any]:
    at = {"pid": pid, "tid": tid, "ts": f"{1704161511420000 + ts:.3f}"}
    return {"ph": phase, "bp": "e", "name": "torch_to_npu", "id": 77, "cat": "async_npu", **at}


EVENTS = [
    *process(PYTHON, "Python", "CPU"),
    *process(CANN, "CANN", "CPU"),
    *process(NPU, "Ascend Hardware", "NPU"),
    *process(OVERLAP, "Overlap Analysis", "NPU"),
    slice_of(PYTHON, 437, 0, 100, "ProfilerStep#3", cat="cpu_op"),
    slice_of(PYTHON, 437, 10, 20, "aten::mm", cat="cpu_op"),
    slice_of(PYTHON, 437, 12, 2, "Enqueue", cat="enqueue", args={"correlation_id": 5}),
    slice_of(CANN, 437, 15, 4, "Node@launch", args={"connection_id": 9}),
    slice_of(CANN, 437, 40, 30, "AscendCL@aclrtSynchronizeStream", args={"connection_id": 10}),
    slice_of(NPU, 3, 25, 30, "MatMul", args={"Task Type": "AI_CORE", "Stream Id": 3, "connection_id": 9}),
    slice_of(NPU, 3, 60, 5, "EVENT_WAIT", args={"Task Type": "EVENT_WAIT"}),
    slice_of(OVERLAP, 0, 25, 30, "Computing"),
    arrow(PYTHON, 437, 10, "s"),
    arrow(NPU, 3, 25, "f"),
]


def opened(events: list[dict[str, Any]]) -> Capture:
    capture = read_bytes(json.dumps(events).encode(), "trace_view.json")
    capture.check()
    return capture


def test_an_npu_is_a_device_and_cann_runs_on_python_s_threads() -> None:
    capture = opened(EVENTS)
    tracks = [
        (capture.strings[capture.planes.name[plane]], capture.strings[name], TrackKind(kind).name)
        for plane, name, kind in zip(capture.tracks.plane, capture.tracks.name, capture.tracks.kind, strict=True)
    ]
    assert sorted(tracks) == [
        ("/device:NPU:0", "Stream #3", "STREAM"),
        ("/device:NPU:0", "Stream #3 (waits)", "DERIVED"),
        ("/host:CPU", "thread 437", "THREAD"),
        ("Overlap Analysis", "thread 0", "DERIVED"),
    ]
    assert (capture.format, PlaneKind.GPU in capture.planes.kind) == ("kineto", True)
    assert stats(capture, "ProfilerStep#3")["step_num"] == 3


def test_a_kernel_has_its_operator_and_its_launch() -> None:
    capture = opened(EVENTS)
    timeline = Timeline(capture, "vm")
    of = {capture.event_name(row): row for row in range(len(capture.events))}
    assert capture.event_name(int(launches_of(timeline).rows[of["MatMul"]])) == "Node@launch"
    assert [ops_of(timeline).ops[i].type for i in ops_of(timeline).device.op] == ["aten::mm"]
    # What a queue of torch_npu's own is numbered by is no launch, of which there is one.
    assert (launches_of(timeline).host, launches_of(timeline).unmatched_host) == (1, 0)


def test_a_kernel_whose_launch_is_not_recorded_has_its_operator() -> None:
    events = [event for event in EVENTS if event["name"] != "Node@launch"]
    timeline = Timeline(opened(events), "vm")
    assert [ops_of(timeline).ops[i].type for i in ops_of(timeline).device.op] == ["aten::mm"]
    assert launches_of(timeline).unmatched_host == 0
