"""Why a capture has no GPU work."""

from __future__ import annotations

import dataclasses

from tensorboard_perfplugin import decode
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


def test_captures_without_a_gpu() -> None:
    assert unavailable_reason(timeline(capture("/host:CPU"))) == Message("no_gpu.only_cpu")
    assert unavailable_reason(timeline(capture("/host:CPU", "/device:TPU:0"))) == Message("no_gpu.only_tpus")


def test_gpus_that_ran_nothing() -> None:
    one, two = (timeline(capture(*(f"/device:GPU:{i}" for i in range(count)))) for count in (1, 2))
    assert unavailable_reason(one) == Message("no_gpu_work.idle", {"devices": 1, "several": False})
    assert unavailable_reason(two) == Message("no_gpu_work.idle", {"devices": 2, "several": True})


def test_launches_without_kernels() -> None:
    space = capture("/device:GPU:0")
    line = space.plane("/host:CPU").line(1, "t")
    for i in (1, 2):
        line.event("cuLaunchKernel", i * 1000, 100, stats={"correlation_id": i})
    assert unavailable_reason(timeline(space)) == Message("no_gpu_work.not_traced", {"launches": 2})


def test_sums_of_ops_are_no_kernels_and_sums_of_kernels_are() -> None:
    space = Space()
    line = gpu(space).line(1, "sums")
    line.event("a", duration_ps=1000, occurrences=3)
    assert unavailable_reason(timeline(space)) == Message("no_gpu_work.sums_by_op")
    line.event("b", duration_ps=1000, occurrences=3, stats={"kernel_details": DETAILS})
    assert unavailable_reason(timeline(space)) is None


def test_files_of_a_tool_whose_kernels_lie_elsewhere() -> None:
    of = decode.read_bytes(capture("/device:GPU:0").bytes(), "h.xplane.pb")
    of = dataclasses.replace(of, format=Format.TOOL_FILES)
    assert unavailable_reason(Timeline(of, "h")) == Message("no_gpu_work.file_missing")


def test_a_gpu_that_ran_a_kernel() -> None:
    space = Space()
    kernel(gpu(space).line(7, "Stream #7(Compute)"), "k", 0, 1000)
    assert unavailable_reason(timeline(space)) is None
