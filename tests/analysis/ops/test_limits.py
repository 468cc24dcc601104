"""Ops just below and just above each number that decides."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.ops import lies_in
from tensorboard_perfplugin.analysis.ops.use import OpUse
from tensorboard_perfplugin.analysis.ops.used import device_use
from tensorboard_perfplugin.analysis.overview import host
from tensorboard_perfplugin.timeline import ops_of
from tests.build_capture import Space
from tests.timeline.timelines import timeline


@pytest.mark.parametrize(("before", "scopes"), [(3999, 2), (4000, 1)])
def test_scopes_are_looked_for_in_4000_letters(before: int, scopes: int) -> None:
    assert len(list(lies_in("a" * before + "/b"))) == scopes


@pytest.mark.parametrize(("bytes_", "bound_by", "gb_s"), [(1000, "HBM", 1e9), (1001, "", None)])
def test_ten_times_a_devices_peak_is_believed(bytes_: float, bound_by: str, gb_s: float | None) -> None:
    use = OpUse(0.0, None, bytes_, bytes_, flops_ps=1000.0, bytes_ps=bytes_ / 1e6, could_flops=100.0, could_bytes=100.0)
    assert (use.bound_by, use.cells()[3]) == (bound_by, gb_s)


def test_the_three_longest_times_in_which_a_device_is_idle_are_kept() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for i in range(6):
        line.event("gemm", 100 * i * i, 10)
    [gpu] = host(timeline(space), {"steps_from": "auto"}).devices
    assert sorted(end - begin for begin, end in gpu.idle) == [490, 690, 890]


def tensor_ps(names: int) -> float:
    """Time on tensor cores of kernels of so many names, of which the last of equally frequent ones uses them, for 7."""
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for i in range(names - 1):
        line.event(f"k{i}", 10 * i, 10)
    line.event("cudnn_generated_fort_native_sdpa_flash_fprop", 10 * names, 7)
    of = timeline(space)
    return sum(use.tensor_ps for use in device_use(of, ops_of(of)).values())


@pytest.mark.slow
def test_20_000_names_of_kernels_tell_of_tensor_cores() -> None:
    assert [tensor_ps(names) for names in (20_000, 20_001)] == [7, 0]
