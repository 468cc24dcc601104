"""One fact on two pages is one number, on every real capture."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin.analysis.ops.rows import op_table
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tensorboard_perfplugin.tools.declaration import Result
from tests.build_capture import Space
from tests.timeline.timelines import real, timeline


def result(t: Timeline, tool: str, **given: str) -> Result:
    found = find_tool(tool)
    assert found is not None
    options = found.parse({"limit": "0", **given} if any(o.name == "limit" for o in found.options) else given)
    return found.combine([found.per_host(t, options)], options)


def number(found: Result, name: str) -> float:
    value = found.summary[name]
    assert value is None or isinstance(value, int | float)
    return value or 0.0


def tensor_times(t: Timeline) -> tuple[float, float]:
    """Time of kernels on tensor cores, and of kernels whose names tell, in ps, as the ops have it."""
    use = [row.use for (side, _), row in op_table(t).rows.items() if side == "device" and row.use]
    return sum(u.tensor_ps for u in use), sum(u.tensor_known_ps for u in use)


def test_the_time_of_gpus_is_that_of_their_ops(xplane_files: list[Path]) -> None:
    seen = 0
    for _, t in real(xplane_files):
        kernels, ops = result(t, "kernel_stats"), result(t, "op_stats").tables["ops"]
        if not kernels.summary["kernel_count"]:
            continue
        seen += 1
        total = sum(us for us, side in zip(ops["total_us"], ops["side"], strict=True) if side == "device")
        ran = sum(number(kernels, name) for name in ("kernel_ms", "copy_ms", "graph_only_ms"))
        assert total / 1e3 == pytest.approx(ran)
        used, known = tensor_times(t)
        assert known / 1e9 == pytest.approx(
            number(kernels, "kernel_ms") * (1 - number(kernels, "tensor_core_unknown_share"))
        )
        assert used == pytest.approx(number(kernels, "tensor_core_share") * known)
    assert seen > 3


@pytest.mark.parametrize("major", [6, 9])
def test_tensor_cores_by_mangled_names_old_devices_and_kernels_that_copy(major: int) -> None:
    space = Space()
    stats: dict[str, int | str] = {"device_vendor": "Nvidia", "compute_cap_major": major}
    stream = space.plane("/device:GPU:0", stats=stats).line(7, "Stream #7(Compute)")
    names = ("_ZN7cutlass6KernelI16hmma_tensorop_s_E", "volta_sgemm_128x64_nn", "who_knows", "MemcpyD2D")
    for i, name in enumerate(names):
        stream.event(name, i * 1000, 1000)
    stream.event("__amd_rocclr_copyBuffer", 9000, 1000, stats={"kernel_details": "grid:1,1,1 block:256,1,1"})
    t = timeline(space)
    used, known = tensor_times(t)
    kernels = result(t, "kernel_stats")
    assert kernels.summary["kernel_count"] == 4
    assert known == 4000 * (1 - number(kernels, "tensor_core_unknown_share")) == (4000 if major == 6 else 3000)
    assert used == pytest.approx(known * number(kernels, "tensor_core_share"))
    assert (used == 0) is (major == 6)


def test_pages_on_steps_lead_with_the_typical_step() -> None:
    """Nine steps of 10 ms, of which 4 wait for input, and amid them one of 100 ms."""
    space = Space(hostnames=["h"])
    line, ms, begin = space.plane("/host:CPU").line(1, "python"), 10**9, 0
    for i in range(11):
        length = 100 if i == 5 else 10
        mark: dict[str, int | str] = {"step_num": i, "_r": 1}
        stage: dict[str, int | str] = {"id": 7, "name": "batch"}
        line.event("train", begin * ms, length * ms, mark)
        line.event("IteratorGetNext", begin * ms, 4 * ms)
        line.event("Iterator::Root::Batch", begin * ms, 4 * ms, stage)
        line.event("a/MatMul:MatMul", (begin + 4) * ms, (length - 4) * ms)
        begin += length
    t = timeline(space)
    for tool in ("overview", "input_pipeline", "pod_viewer", "tf_data"):
        found = result(t, tool)
        assert number(found, "step_time_typical_ms") == pytest.approx(10)
        assert number(found, "step_time_ms") == pytest.approx(19)
        assert found.summary["slow_step_count"] == 1
    pipeline = result(t, "input_pipeline")
    assert number(pipeline, "input_wait_typical_ms") == pytest.approx(4)
    assert number(pipeline, "input_share") == pytest.approx(0.4)


def test_what_steps_wait_for_is_what_their_pipelines_are_waited_for(xplane_files: list[Path]) -> None:
    seen = 0
    for _, t in real(xplane_files):
        run, steps = result(t, "tf_data"), result(t, "input_pipeline")
        pipelines = run.tables["pipelines"]
        waits = [
            ms
            for ms, fed in zip(pipelines["wait_step_ms"], pipelines["fed_by"], strict=True)
            if isinstance(ms, float) and not fed
        ]
        if not waits:
            continue
        seen += 1
        assert sum(waits) == pytest.approx(number(steps, "input_wait_ms"))
        # Without a whole step the page on input has no time of one.
        if steps.summary["step_time_ms"] is not None:
            assert run.summary["host_step_time_ms"] == steps.summary["step_time_ms"]
    assert seen > 0
