"""Pages of a run that holds captures of two programs which have nothing in common."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, thread
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.kernels import gpu, kernel


def trained(host: str, op: str, wall: int) -> Timeline:
    space = Space()
    for i in range(4):
        put(thread(space), "train", wall * i, wall, _r=1, step_num=i)
        put(thread(space, "worker", 2), f"{op}:{op.capitalize()}", wall * i, wall - 10)
    return timeline(space, host)


@pytest.mark.parametrize("page", ["overview", "input_pipeline", "pod_viewer"])
@pytest.mark.parametrize(("second", "step_ms"), [("conv", 0.4), ("matmul", 0.3)])
def test_steps_are_of_one_program(page: str, second: str, step_ms: float) -> None:
    """A mean of 400 µs of one program and 200 of another was shown as a step of 300."""
    answer = answered(find_tool(page), trained("a", "matmul", 400), trained("b", second, 200))
    assert answer.result.summary["step_time_ms"] == pytest.approx(step_ms)
    said = "unrelated_programs" in [finding.code for finding in answer.result.findings]
    assert said is (second == "conv" and page != "input_pipeline")


def front_end(*ops: str) -> Timeline:
    space = Space()
    for i in range(4):
        put(thread(space), "serve", 300 * i, 300, _r=1, step_num=i)
        for op in ops:
            put(thread(space, "worker", 2), f"{op}:{op.capitalize()}", 300 * i, 200)
    return timeline(space, "api")


@pytest.mark.parametrize("ops", [(), ("tokenize",)])
@pytest.mark.parametrize("page", ["overview", "pod_viewer"])
def test_a_process_without_work_on_devices_is_no_worker(page: str, ops: tuple[str, ...]) -> None:
    """The front end of a server, at the pace of its worker: 58 % of a step was Python between steps."""
    space = Space()
    stream = gpu(space).line(1, "Stream #1")
    for i in range(4):
        put(thread(space), "train", 300 * i, 300, _r=1, step_num=i)
        kernel(stream, "gemm", 1000 * (300 * i + 20), 1000 * (300 * i + 270))
    answer = answered(find_tool(page), timeline(space, "rank0"), front_end(*ops))
    (finding,) = (each for each in answer.result.findings if each.code == "no_workers")
    assert finding.params["others"] == ("api",)
    if page == "overview":
        computes = [values for name, values in answer.result.tables["steps"].items() if name.startswith("compute_")]
        assert np.sum(np.asarray(computes, float), axis=0) == pytest.approx(0.25)
