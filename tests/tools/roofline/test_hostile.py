"""Captures that say impossible things, and many of them: an answer in bounded time, whose numbers are finite."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tensorboard_perfplugin.tools.roofline import ROOFLINE
from tests.build_capture import StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.roofline.test_roofline import call, kineto, tpu


@pytest.mark.parametrize("size", [0, (1 << 47), 10**30])
def test_sizes_of_calls(size: int) -> None:
    shapes: list[list[Any]] = [[[size, size], [size, size]], [[size] * 8] * 2, [[]], [[size] * 40] * 2]
    names = ("aten::mm", "aten::add", "aten::conv2d", "aten::_softmax", "aten::cat", "aten::embedding")
    events = [call(name, 100.0 * i, 50, shape) for i, name in enumerate(names) for shape in shapes]
    answered(ROOFLINE, kineto(events), peak_tflops="1", peak_gb_s="1")


@pytest.mark.parametrize("flops", [0, (1 << 62), -1])
def test_costs_of_a_tpu(flops: int) -> None:
    costs: dict[str, StatValue] = {"flops": flops, "bytes_accessed": 1 << 62, "memory_access_breakdown": b"\xff"}
    answer = answered(ROOFLINE, timeline(tpu(costs)))
    shares = [share for share in answer.result.tables["ops"]["roof_share"] if share is not None]
    assert all(0 <= float(share) <= 1 for share in shares)


@pytest.mark.slow
def test_many_distinct_calls_take_bounded_time() -> None:
    """Each of 30,000 calls has shapes of its own; 20,000 are looked at."""
    events: list[dict[str, Any]] = [call("aten::mm", 2.0 * i, 1, [[1, i + 1], [i + 1, 1]]) for i in range(30_000)]
    held = kineto(events)
    begun = time.process_time()
    answer = answered(ROOFLINE, held)
    assert time.process_time() - begun < 30
    assert answer.result.summary["ops_rows"] == 20_000
