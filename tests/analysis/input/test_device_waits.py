"""Waits of steps that are for a device."""

from __future__ import annotations

import json

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input import for_devices_ps
from tensorboard_perfplugin.timeline import Timeline, split_of
from tests.tools.kineto import H100, Event, launched, on_host, step

US = 10**6


def waits(*of_a_step: Event) -> list[int] | None:
    """Of two steps of 100 µs in which a device runs from 10 to 20."""
    events = []
    for number in range(2):
        events += [
            step(number, 100 * number, 100),
            *launched("gemm", 100 * number + 5, 100 * number + 10, 10, number + 1),
        ]
        events += [{**event, "ts": event["ts"] + 100 * number} for event in of_a_step]
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": events}
    timeline = Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h")
    found = for_devices_ps(timeline, split_of(timeline))
    return None if found is None else found[0].tolist()


def test_a_call_of_the_driver_waits_while_the_device_is_idle() -> None:
    assert waits(on_host("cudaDeviceSynchronize", 15, 35, "cuda_runtime")) == [30 * US, 30 * US]


def test_other_waits_are_for_something_else() -> None:
    call = on_host("cudaDeviceSynchronize", 15, 25, "cuda_runtime")
    assert waits(call, on_host("cudaStreamWaitEvent", 50, 30, "cuda_runtime")) == [20 * US, 20 * US]
    assert waits(on_host("cudaStreamWaitEvent", 50, 30, "cuda_runtime")) is None


@pytest.mark.parametrize(("until", "looked_up"), [(24, False), (25, True)])
def test_less_than_a_twentieth_of_waiting_is_not_looked_up(until: float, looked_up: bool) -> None:
    assert (waits(on_host("cudaDeviceSynchronize", 15, until - 15, "cuda_runtime")) is not None) is looked_up
