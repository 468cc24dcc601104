"""TensorFlow 1's Timelines: which runs they hold, and what memory their tensors took."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.decode.test_step_stats import stats

CPU, SECOND = 1, 3
PROCESSES = {
    CPU: "/job:localhost/replica:0/task:0/device:CPU:0 Compute",
    2: "/job:localhost/replica:0/task:0/device:CPU:0 Tensors",
    SECOND: "/job:localhost/replica:0/task:0/device:CPU:1 Compute",
    5: "/device:GPU:0/stream:13 Compute",
}


def op(at: int, length: int, name: str, kind: str = "MatMul", pid: int = CPU, lane: int = 0) -> dict[str, Any]:
    args = {"name": name, "op": kind}
    return {"ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": lane, "ts": at, "dur": length, "args": args}


def source(at: int, pid: int = CPU) -> dict[str, Any]:
    return op(at, 1, "_SOURCE", "NoOp", pid)


def tensor(phase: str, at: int, name: str, number: int, said: str = "") -> dict[str, Any]:
    event = {"ph": phase, "cat": "Tensor", "name": name, "pid": 2, "tid": 0, "ts": at, "id": number}
    return event | ({"args": {"snapshot": {"tensor_description": said}}} if said else {})


def size(requested: int, allocator: str = "cpu") -> str:
    said = f"requested_bytes: {requested}\n  allocator_name: {allocator}"
    return f"dtype: DT_FLOAT\nallocation_description {{\n  {said}\n}}\n"


def timeline(*events: dict[str, Any]) -> Capture:
    names = [{"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}} for pid, name in PROCESSES.items()]
    capture = read_bytes(json.dumps({"traceEvents": [*names, *events]}).encode(), "timeline.json")
    capture.check()
    assert capture.format == "tf1_timeline"
    return capture


def steps(*events: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Name, begin and wall time in µs of each step that the program's own marks tell."""
    found = steps_of(Timeline(timeline(*events), "host"))
    found.check()
    if found.rule != "markers":
        return []
    assert found.whole.all()
    times = ((found.begin_ps // 10**6).tolist(), (found.wall_ps // 10**6).tolist())
    return list(zip(found.name, *times, strict=True))


def test_a_run_is_a_step() -> None:
    """From the first event to the last one's end, on a stream of a GPU, too."""
    found = steps(source(10), op(12, 5, "a"), source(14, SECOND), op(15, 4, "b", pid=SECOND), op(18, 9, "a", pid=5))
    assert found == [("Session::Run 0", 0, 17)]


def test_runs_in_one_file_are_steps_each_and_what_lies_between_is_of_none() -> None:
    events = [source(0), op(1, 9, "a"), source(4, SECOND), op(5, 9, "b", pid=SECOND)]
    events += [source(100), op(101, 4, "a"), source(102, SECOND), op(103, 9, "b", pid=SECOND)]
    assert steps(*events) == [("Session::Run 0", 0, 14), ("Session::Run 1", 100, 12)]


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([source(0), op(1, 9, "a"), source(5), op(6, 9, "a", lane=1)], id="two at once"),
        pytest.param([source(0), op(1, 3, "a"), source(9), source(9), op(10, 3, "a")], id="begun at once"),
        pytest.param([source(0), op(1, 3, "a"), source(9), op(10, 3, "a"), source(9, SECOND)], id="unlike devices"),
        pytest.param([op(1, 3, "a"), op(10, 3, "a")], id="no source, and a name twice"),
    ],
)
def test_runs_that_cannot_be_told_apart_are_no_steps(events: list[dict[str, Any]]) -> None:
    assert steps(*events) == []


def test_without_a_source_a_run_is_told_by_names_that_do_not_repeat() -> None:
    """Kernels of one op do."""
    assert steps(op(1, 3, "a"), op(5, 3, "b"), op(2, 1, "a", pid=5), op(4, 6, "a", pid=5)) == [("Session::Run 0", 0, 9)]


def memory(*events: dict[str, Any]) -> list[tuple[int, str, object, object, object]]:
    capture = timeline(source(0), *events)
    found: list[tuple[int, str, object, object, object]] = []
    for i in range(len(capture.events)):
        if (name := capture.event_name(i)).startswith("Memory"):
            said = dict(capture.values(int(capture.events.stats_begin[i]), int(capture.events.stats_end[i])))
            assert said["allocation_bytes"] == said["requested_bytes"]
            told = (said["tf_op"], said["allocation_bytes"], said["bytes_allocated"])
            found.append((int(capture.events.start_ps[i]) // 10**6, name.removeprefix("Memory"), *told))
    return found


def test_tensors_are_allocations_and_deletions() -> None:
    """At one moment deletions come first, as in the Timeline's counters; the op is the node, not its second output."""
    assert memory(
        tensor("N", 10, "a", 0),
        tensor("O", 12, "a", 0, size(100)),
        tensor("N", 20, "split:1", 1),
        tensor("O", 29, "split:1", 1, size(30)),
        tensor("D", 20, "a", 0),
        tensor("D", 40, "split:1", 1),
    ) == [
        (10, "Allocation", "a", 100, 100),
        (20, "Deallocation", "a", 100, 0),
        (20, "Allocation", "split", 30, 30),
        (40, "Deallocation", "split", 30, 0),
    ]


def test_a_tensor_that_a_loop_makes_again_counts_with_its_end_alone() -> None:
    """Timeline forgets those before: it deletes the last of each name."""
    events = [
        tensor("N", 10, "while/x", 0),
        tensor("O", 12, "while/x", 0, size(8)),
        tensor("N", 20, "while/x", 1),
        tensor("O", 22, "while/x", 1, size(8)),
        tensor("N", 30, "none", 2),
        tensor("O", 32, "none", 2, "dtype: DT_FLOAT\n"),
        tensor("D", 40, "while/x", 1),
        tensor("D", 40, "none", 2),
        tensor("D", 50, "never made", 3),
    ]
    assert memory(*events) == [(20, "Allocation", "while/x", 8, 8), (40, "Deallocation", "while/x", 8, 0)]
    quality = timeline(source(0), *events).quality
    assert quality.dropped == {"snapshot": 6}
    assert quality.warnings[0] == message("tensors_without_end", n=1)


def test_a_tensor_s_memory_is_on_the_first_host() -> None:
    capture = timeline(source(0), tensor("N", 1, "a", 0), tensor("O", 2, "a", 0, size(4)), tensor("D", 3, "a", 0))
    assert stats(capture, "MemoryAllocation")["allocator_name"] == "cpu"
    tracks = {capture.strings[int(t)]: int(p) for t, p in zip(capture.tracks.name, capture.tracks.plane, strict=True)}
    assert capture.strings[int(capture.planes.name[tracks["allocators"]])] == "/host:CPU"
    assert tracks["allocators"] == tracks["session.run"]


def test_a_gpu_without_streams_is_launched_for() -> None:
    PROCESSES[7] = "/job:localhost/replica:0/task:0/device:GPU:1 Compute"
    try:
        capture = timeline(op(10, 5, "a"), op(16, 5, "b", pid=7))
    finally:
        del PROCESSES[7]
    launched = launches_of(Timeline(capture, "h")).lost.tolist()
    assert [capture.event_name(row) for row in launched] == ["b:MatMul"]
