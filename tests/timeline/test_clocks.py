"""Kernels and their launches → the clock of the device, where it cannot be the host's."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.causes import timeline_of
from tests.build_capture import Space
from tests.timeline.timelines import row

MS = 10**9


def begins_ms(latencies_ms: list[float], took_ms: float = 15) -> tuple[list[float], list[str]]:
    """When kernels begin that are launched each 20 ms from 300 ms on, and what is warned of."""
    space = Space()
    host, stream = space.plane("/host:CPU").line(1, "python"), space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, latency in enumerate(latencies_ms):
        call = (300 + 20 * i) * MS
        host.event("cuLaunchKernel", call, MS // 100, {"correlation_id": i + 1})
        stream.event(f"k{i}", call + int(latency * MS), int(took_ms * MS), {"correlation_id": i + 1})
    timeline = timeline_of(decode.read_bytes(space.bytes(), "h.xplane.pb"), "h")
    first = row(timeline, "cuLaunchKernel")
    start = timeline.capture.events.start_ps
    begins = [(start[row(timeline, f"k{i}")] - start[first]) / MS for i in range(len(latencies_ms))]
    return begins, [warning.code for warning in timeline.capture.quality.warnings]


@pytest.mark.parametrize("off_ms", [-250.0, -2.0, 12.0, 250.0])
def test_a_clock_that_is_off_is_moved(off_ms: float) -> None:
    """The device was busy 95 % of a step; all of it was waiting for launches, or in no op."""
    assert begins_ms([off_ms] * 5) == ([0, 20, 40, 60, 80], ["device_clock_moved"])


@pytest.mark.parametrize(
    ("latencies_ms", "took_ms"),
    [
        ([0.01] * 5, 15),
        # A jitter of clocks; two kernels are too few; one of many.
        ([-0.5] * 5, 15),
        ([-250.0] * 2, 15),
        ([0.01] * 19 + [-3.0], 15),
        # What a kernel waits for differs, and a queue that is never empty has no idle device.
        ([30.0, 12.0, 16.0, 25.0, 11.0], 1),
        ([50.0] * 5, 20),
    ],
)
def test_a_clock_that_may_be_right_stays(latencies_ms: list[float], took_ms: float) -> None:
    begins, warnings = begins_ms(latencies_ms, took_ms)
    assert begins == [20 * i + latency for i, latency in enumerate(latencies_ms)]
    assert warnings == []
