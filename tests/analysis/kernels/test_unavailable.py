"""Why a capture has no GPU work."""

from __future__ import annotations

import dataclasses

from tensorboard_perfplugin.analysis.kernels import unavailable_reason
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline import Timeline
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.kernels import DETAILS, gpu, kernel


def capture(*planes: str) -> Space:
    space = Space()
    for name in planes:
        space.plane(name).line(1, "x")
    return space


def test_sums_of_ops_are_no_kernels_and_sums_of_kernels_are() -> None:
    space = Space()
    line = gpu(space).line(1, "sums")
    line.event("a", duration_ps=1000, occurrences=3)
    assert unavailable_reason(timeline(space)) == Message("no_gpu_work.sums_by_op")
    line.event("b", duration_ps=1000, occurrences=3, stats={"kernel_details": DETAILS})
    assert unavailable_reason(timeline(space)) is None


def test_why_there_is_no_work_of_gpus() -> None:
    launches = capture("/device:GPU:0")
    line = launches.plane("/host:CPU").line(1, "t")
    for i in (1, 2):
        line.event("cuLaunchKernel", i * 1000, 100, stats={"correlation_id": i})
    works = Space()
    kernel(gpu(works).line(7, "Stream #7(Compute)"), "k", 0, 1000)
    spaces = [capture("/host:CPU"), capture("/host:CPU", "/device:TPU:0"), capture("/device:GPU:0")]
    spaces += [capture("/device:GPU:0", "/device:GPU:1"), launches, works]
    assert [unavailable_reason(timeline(space)) for space in spaces] == [
        Message("no_gpu.only_cpu"),
        Message("no_gpu.only_tpus"),
        Message("no_gpu_work.idle", {"devices": 1, "several": False}),
        Message("no_gpu_work.idle", {"devices": 2, "several": True}),
        Message("no_gpu_work.not_traced", {"launches": 2}),
        None,
    ]
    of = dataclasses.replace(timeline(capture("/device:GPU:0")).capture, format=Format.TOOL_FILES)
    assert unavailable_reason(Timeline(of, "h")) == Message("no_gpu_work.file_missing")
