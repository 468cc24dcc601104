"""Waits of steps that are for a device."""

from __future__ import annotations

import json

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input import Stage, for_devices_ps, input_stages
from tensorboard_perfplugin.analysis.steps import host_steps, slow_spans
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


MS = 10**9


def stage(name: str, *steps_ms: tuple[float, float]) -> Stage:
    """The loader's stage of steps that take so long, with so long a call each."""
    events: list[Event] = []
    at = 0.0
    for number, (step_ms, call_ms) in enumerate(steps_ms):
        events += [
            step(number, at, step_ms * 1000),
            on_host(f"enumerate(DataLoader)#{name}.__next__", at, call_ms * 1000),
        ]
        at += step_ms * 1000
    data = json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}).encode()
    timeline = Timeline(decode.read_bytes(data, "h.pt.trace.json"), "h")
    [found] = input_stages(timeline, slow_spans(host_steps(timeline, {"steps_from": "auto"}).split.steps)).stages
    return found


@pytest.mark.parametrize(("workers", "name"), [(True, "_MultiProcessingDataLoaderIter"), (False, "_SingleProcess")])
def test_the_first_call_starts_workers(workers: bool, name: str) -> None:
    """A real capture's: 82 ms in a step of 5.2 s, then 1 to 2 ms."""
    found = stage(name, (5000, 82), *[(110, 2)] * 5)
    mean_ps = found.mean_wait_ps if workers else found.mean_work_ps
    assert (found.count, found.total_ps, mean_ps) == (6, 92 * MS, 2 * MS)


def test_calls_of_steps_that_are_alike_all_count() -> None:
    assert stage("_MultiProcessingDataLoaderIter", *[(100, 4), (150, 54)] * 3).mean_wait_ps == 29 * MS
