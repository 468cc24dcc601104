"""Ranks whose traces were put into one file: each has its GPU, its launches and its ops; a step of all is one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline

#: Of both ranks: an op at 10 µs, its launch, its kernel from 30 µs on; ids as each rank's own file has them.
RANK: list[dict[str, Any]] = [
    {"cat": "user_annotation", "name": "ProfilerStep#4", "pid": 70, "tid": 1, "ts": 0, "dur": 100, "args": {}},
    {"cat": "cpu_op", "name": "aten::mm", "pid": 70, "tid": 1, "ts": 10, "dur": 9, "args": {"External id": 5}},
    {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 70, "tid": 1, "ts": 12, "dur": 5, "args": {}},
    {"cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 30, "dur": 20, "args": {"device": 0, "stream": 7}},
]
SAME = {"correlation": 3, "External id": 5}


def merged(pid: Any, **of_each: Any) -> Capture:
    """Of ranks 0, 1, 2 and 10; the kernel of rank 10 lasts 10 µs longer."""
    events = []
    for rank in (10, 0, 2, 1):
        for event in RANK:
            args = {**event["args"], **(SAME if event["cat"] in ("cuda_runtime", "kernel") else {})}
            args = {
                key: value + of_each.get("offset", 0) * rank if key in SAME else value for key, value in args.items()
            }
            more = 10 if rank == 10 and event["cat"] == "kernel" else 0
            events.append(
                {**event, "ph": "X", "pid": pid(rank, event["pid"]), "dur": event["dur"] + more, "args": args}
            )
    found = read_bytes(json.dumps({"schemaVersion": 1, "traceEvents": events}).encode(), "merged.pt.trace.json")
    found.check()
    return found


@pytest.mark.parametrize(
    ("pid", "offset"),
    [
        (lambda rank, pid: f"[TP{rank:02}] {pid}", 0),
        (lambda rank, pid: f"rank{rank}: {pid}", 0),
        (lambda rank, pid: 1000 * rank + pid, 1000),
    ],
    ids=["bracket", "word", "offset"],
)
def test_each_rank_has_its_own_device_and_launches(pid: Any, offset: int) -> None:
    capture = merged(pid, offset=offset)
    timeline = Timeline(capture, "h")
    devices = [name for name in capture.strings.texts(capture.planes.name) if "device" in name]
    assert devices == [f"/device:GPU:{i}" for i in range(4)]
    assert [int(device.busy_ps) // 10**6 for device in devices_of(timeline)] == [20, 20, 20, 30]
    launches = launches_of(timeline)
    assert (launches.host, launches.unmatched_host, launches.unmatched_device) == (4, 0, 0)
    # A kernel and its launch are of one rank: the launch's process, counted by rank, is the kernel's device.
    kernels = np.flatnonzero(launches.rows >= 0)
    of = capture.tracks.plane[capture.events.track]
    pairs = {(int(of[kernel]), int(of[launches.rows[kernel]])) for kernel in kernels}
    assert len({host for _, host in pairs}) == len({gpu for gpu, _ in pairs}) == 4


def test_a_step_of_several_ranks_is_one_step() -> None:
    steps = split_of(Timeline(merged(lambda rank, pid: f"[TP{rank:02}] {pid}"), "h")).steps
    mark = message("steps_seen.mark", name="ProfilerStep#4", times=1)
    assert steps.evidence == message("steps_seen.marks", names=(mark,), more=None, one=True, processes=3)
    assert steps.number.tolist() == [4]


def test_a_process_is_named_with_its_rank() -> None:
    capture = merged(lambda rank, pid: f"[TP{rank:02}] {pid}")
    hosts = [name for name in capture.strings.texts(capture.planes.name) if "host" in name]
    assert sorted(hosts) == [f"/host:CPU ([TP{rank:02}] process 70)" for rank in (0, 1, 2, 10)]
