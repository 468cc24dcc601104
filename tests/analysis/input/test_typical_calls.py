"""What a call for input takes, beside the calls of slow steps that are few."""

from __future__ import annotations

import json

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input import Stage, input_stages
from tensorboard_perfplugin.analysis.steps import host_steps, slow_spans
from tensorboard_perfplugin.timeline import Timeline
from tests.tools.kineto import Event, on_host, step

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
