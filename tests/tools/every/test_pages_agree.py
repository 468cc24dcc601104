"""One fact on two pages is one number, on every real capture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.ops.rows import op_table
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tensorboard_perfplugin.tools.declaration import Result
from tests.build_capture import Space
from tests.timeline.timelines import timeline


def timelines(shared_captures: Path) -> Iterator[Timeline]:
    files = sorted((shared_captures / "xplane").rglob("*.xplane.pb"))
    assert files
    for file in files:
        yield Timeline(decode.read(str(file)), "h")


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


def test_the_time_of_gpus_is_that_of_their_ops(shared_captures: Path) -> None:
    seen = 0
    for t in timelines(shared_captures):
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
    assert seen > 5


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


def test_what_steps_wait_for_is_what_their_pipelines_are_waited_for(shared_captures: Path) -> None:
    seen = 0
    for t in timelines(shared_captures):
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
        assert run.summary["step_time_ms"] == steps.summary["step_time_ms"]
    assert seen > 5
