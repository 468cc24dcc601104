"""The category of single events, by their names."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.trace import lanes as trace_kinds
from tensorboard_perfplugin.trace.lanes import KEYS, categories_of
from tests.build_capture import Space
from tests.trace.test_viewer import opened


def keys(space: Space) -> list[str]:
    timeline = opened(space)
    return [KEYS[i] for i in categories_of(timeline).places(np.arange(len(timeline.capture.events))).tolist()]


def test_each_side_has_its_own_names() -> None:
    space = Space()
    names = ("dense/MatMul:MatMul", "cuLaunchKernel", "Iterator::Prefetch", "$a.py:3 f", "TfrtExecute", "my own")
    for name in names:
        space.plane("/host:CPU").line(1, "main").event(name, 0, 1)
    gpu = space.plane("/device:GPU:0")
    for i, name in enumerate(("MemcpyH2D", "ncclDevKernel_AllReduce", "sgemm_32x32", "cuLaunchKernel")):
        gpu.line(7, "Stream #7").event(name, i, 1)
    gpu.line(8, "Steps").event("sgemm_32x32", 0, 1)
    tpu = space.plane("/device:TPU:0").line(2, "XLA Ops")
    tpu.event("%all-reduce.1 = f32[8] all-reduce(%p)", 0, 1).event("%infeed.1 = f32[8] infeed(%p)", 1, 1)
    host = ["host_compute", "launch", "input_wait", "python", "", ""]
    gpu_keys = ["copy_in", "collective", "compute_32bit", "compute_other", ""]
    assert keys(space) == [*host, *gpu_keys, "collective", "input_wait"]


def test_an_op_computes_where_there_is_no_device() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("dense/MatMul:MatMul", 0, 1)
    assert keys(space) == ["op_compute"]


def test_of_too_many_names_the_same_ones_are_told_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    for i in range(6):
        line.event(f"d{i}/MatMul:MatMul", i, 1)
    timeline = opened(space)
    monkeypatch.setattr(trace_kinds, "_MOST", 2)
    found = categories_of(timeline)
    every = [[KEYS[i] for i in found.places(np.arange(6)).tolist()] for _ in range(3)]
    assert every == [["op_compute", "op_compute", "", "", "", ""]] * 3
    assert KEYS[int(found.places(np.array([5]))[0])] == "op_compute"
