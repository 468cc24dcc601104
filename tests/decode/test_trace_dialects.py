"""What wrote a trace is told by what it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.hosts.environment import environment
from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.tables import PlaneKind
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.decode.test_step_stats import stats

EVENTS: list[dict[str, Any]] = [
    {"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/host:CPU"}},
    {"ph": "M", "pid": 701, "tid": 5, "name": "thread_name", "args": {"name": "python"}},
    {"ph": "X", "pid": 701, "tid": 5, "ts": 1.5, "dur": 2.25, "name": "train", "args": {"step_num": "7", "a": "x"}},
    {},
]


@pytest.mark.parametrize("members", [{"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}}, {}])
def test_numbers_of_xplane_s_traces_are_numbers(members: dict[str, Any]) -> None:
    """JAX writes it for Perfetto without the member that says so; every stat became a text there."""
    capture = read_bytes(json.dumps({**members, "traceEvents": EVENTS}).encode(), "vm.trace.json")
    capture.check()
    assert capture.planes.kind.tolist() == [PlaneKind.CPU]
    assert stats(capture, "train") == {"step_num": 7, "a": "x"}


def test_texts_of_other_traces_stay_texts() -> None:
    events = [{"ph": "X", "pid": 1, "tid": 5, "ts": 1.5, "dur": 2.25, "name": "train", "args": {"version": "7"}}]
    assert stats(read_bytes(json.dumps(events).encode(), "a.trace.json"), "train") == {"version": "7"}


def test_chrome_s_own_metadata_makes_no_trace_of_xplane() -> None:
    """Its numbers would be made of texts, and its words be TensorFlow's."""
    events = [{"ph": "X", "pid": 1, "tid": 5, "ts": 1, "dur": 2, "name": "GpuScheduler:PutChanged", "args": {"v": "7"}}]
    members = {"traceEvents": events, "metadata": {"highres-ticks": True, "os-name": "Linux"}}
    capture = read_bytes(json.dumps(members).encode(), "a.trace.json")
    assert (capture.format, stats(capture, "GpuScheduler:PutChanged")) == ("trace_events", {"v": "7"})
    # Nor does the colon make an op of TensorFlow.
    assert ops_of(Timeline(capture, "vm")).ops == ()


@pytest.mark.parametrize(
    ("began", "start_ns"), [(1_594_662_605_425_850, 1_594_662_605_425_857_000), (7, None), (9e15, None)]
)
def test_sagemaker_s_debugger_tells_where_times_count_from(began: float, start_ns: int | None) -> None:
    """As the name of a process that has none of the events. What cannot be such a time is none."""
    events = [
        {"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": int(began)}},
        {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "DataIterator"}},
        {"ph": "X", "name": "dataset::GetNext", "ts": 7, "pid": 0, "dur": 5},
        {"ph": "X", "name": "dataset::GetNext", "ts": 9, "pid": 1, "dur": 5},
    ]
    capture = read_bytes(json.dumps(events).encode(), "1594662614815222_9-vm_model_timeline.json")
    capture.check()
    assert capture.start_ns == start_ns
    assert capture.strings.texts(capture.planes.name) == ["process 0", "DataIterator"]


def test_a_number_and_its_digits_are_one_id() -> None:
    """Rocprof writes pid and tid of slices as texts, those of names and arrows as numbers."""
    events = [
        {"ph": "M", "pid": 2, "name": "process_name", "args": {"name": "HIP"}},
        {"ph": "X", "pid": "2", "tid": "9", "ts": "10", "dur": "8", "name": "hipLaunchKernel"},
        {"ph": "s", "pid": 2, "tid": 9, "ts": 12, "id": "3", "name": "dep"},
        {"ph": "t", "pid": 2, "tid": 7, "ts": 20, "id": 3, "name": "dep"},
        {"ph": "X", "pid": 2, "tid": "7", "ts": 20, "dur": 5, "name": "add"},
    ]
    capture = read_bytes(json.dumps(events).encode(), "a.trace.json")
    capture.check()
    assert [capture.strings[i] for i in capture.planes.name] == ["HIP"]
    assert [capture.strings[i] for i in capture.tracks.name] == ["thread 7", "thread 9"]
    assert capture.quality.warnings == ()
    assert (stats(capture, "hipLaunchKernel")["_p"], stats(capture, "add")["_c"]) == (1, 1)


def test_args_may_stand_before_the_phase_of_an_array_s_first_event() -> None:
    data = b'[{"name": "a", "args": {"n": {"b": 1}}, "pid": 1, "tid": 1, "ts": 5, "dur": 2, "ph": "X"}]'
    assert len(read_bytes(data, "any.json").events) == 1


def test_rocprof_s_gpus_are_devices() -> None:
    events = [
        {"ph": "M", "pid": 8, "name": "process_name", "args": {"name": "GPU2"}},
        {"ph": "M", "pid": 9, "name": "process_name", "args": {"name": "GPU Process"}},
        {"ph": "X", "pid": "8", "tid": "1", "ts": "10", "dur": "8", "name": "add"},
        {"ph": "X", "pid": "9", "tid": "1", "ts": "10", "dur": "8", "name": "draw"},
    ]
    capture = read_bytes(json.dumps(events).encode(), "a.trace.json")
    kinds = dict(zip((capture.strings[i] for i in capture.planes.name), capture.planes.kind.tolist(), strict=True))
    assert kinds == {"GPU2": PlaneKind.GPU, "GPU Process": PlaneKind.CPU}


@pytest.mark.parametrize(("ranks", "told"), [(64, True), (65, False)])
def test_the_ranks_of_a_process_group(ranks: int, told: bool) -> None:
    group = {"pg_name": "0", "pg_size": ranks, "ranks": [1] * ranks}
    info = {"rank": 0, "world_size": ranks, "pg_count": 1, "pg_config": [group]}
    ran = {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
    whole = {"schemaVersion": 1, "distributedInfo": info, "traceEvents": [ran]}
    capture = read_bytes(json.dumps(whole).encode(), "t.pt.trace.json")
    assert ("process_group_ranks" in capture.plane_values(0)) == told


def test_the_row_of_a_gpu_is_no_process() -> None:
    """Kineto numbers it as a process, which it says by a label; allocators' events there are the host's."""
    name = {"ph": "M", "name": "process_labels", "tid": 0}
    events = [
        {**name, "pid": 19392, "args": {"labels": "CPU"}},
        {**name, "pid": 0, "args": {"labels": "GPU 0"}},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 19392, "tid": 7, "ts": 1, "dur": 2},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 19392, "tid": 7, "ts": 4, "dur": 2},
        {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 0, "tid": 0, "ts": 2, "args": {"Bytes": 8}},
    ]
    capture = read_bytes(json.dumps({"schemaVersion": 1, "traceEvents": events}).encode(), "a.pt.trace.json")
    named = {capture.strings[name]: capture.plane_values(i) for i, name in enumerate(capture.planes.name)}
    assert named == {"/host:CPU": {"process_id": 19392}, "/host:CPU (GPU 0)": {}}
    assert environment(Timeline(capture, "vm"))["process_id"] == "19392"
