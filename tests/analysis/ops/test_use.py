"""What ops used of their devices, added up."""

from __future__ import annotations

import math

import pytest

from tensorboard_perfplugin.analysis.ops.use import OpUse


def test_sums_of_what_is_known() -> None:
    a = OpUse(flops=2.0, flops_ps=1.0, could_flops=4.0, tensor_ps=1.0, tensor_known_ps=1.0)
    b = OpUse(bytes=3.0, hbm_bytes=3.0, bytes_ps=2.0, could_bytes=math.inf, tensor_known_ps=3.0)
    both = a.plus(b)
    assert both == b.plus(a)
    assert both == OpUse(2.0, None, 3.0, 3.0, 1.0, 2.0, 4.0, math.inf, 1.0, 4.0, 0.0)
    assert (both.compute_share, both.memory_share, both.bound_by, both.tensor_core_share) == (0.5, None, "", 0.25)


@pytest.mark.parametrize(("bytes_", "bound_by", "gb_s"), [(1000, "HBM", 1e9), (1001, "", None)])
def test_ten_times_a_devices_peak_is_believed(bytes_: float, bound_by: str, gb_s: float | None) -> None:
    use = OpUse(0.0, None, bytes_, bytes_, flops_ps=1000.0, bytes_ps=bytes_ / 1e6, could_flops=100.0, could_bytes=100.0)
    assert (use.bound_by, use.cells()[3]) == (bound_by, gb_s)
