"""PyTorch's captures whose marks go on after the profiler stopped. Times in µs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import steps_of
from tests.timeline.ops.test_calls import event, pytorch


@pytest.mark.parametrize(("stopped", "walls", "cut"), [(200, [100, 100], 0), (199, [100, 99], 2)])
def test_what_was_not_recorded_is_no_part_of_a_step(stopped: int, walls: list[int], cut: int) -> None:
    """A sample of HolisticTraceAnalysis has a step of 13.3 s of which 1.8 ms were recorded."""
    marks = [event("user_annotation", f"ProfilerStep#{i}", 100 * i, 100) for i in range(2)]
    stop = event("", "Record Window End", stopped, 0) | {"ph": "i", "s": "g"}
    found = steps_of(pytorch([*marks, event("cpu_op", "aten::mm", 10, 180), stop]))
    assert ((found.wall_ps // 1_000_000).tolist(), int(found.cut[-1])) == (walls, cut)
    assert found.whole.tolist() == [True, cut == 0]
