"""The start of a device's driver: calls that last so long happen once."""

from __future__ import annotations

import json

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.hosts import DriverStart, driver_start
from tensorboard_perfplugin.timeline import Timeline
from tests.tools.kineto import H100, Event, launched, on_host

MS = 10**9


def start(*events: Event) -> DriverStart:
    """Of a capture of 1 s."""
    whole = on_host("main", 0, 1_000_000, "user_annotation")
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": [whole, *events]}
    return driver_start(Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h"))


@pytest.mark.parametrize(("ms", "calls"), [(100, 1), (99.9, 0)])
def test_a_call_of_the_driver_from_a_tenth_of_a_second_on(ms: float, calls: int) -> None:
    found = start(on_host("cudaFree", 50_000, ms * 1000, "cuda_runtime"))
    assert found.calls == calls
    if calls:
        assert (found.ps, found.of_ps, found.call, found.call_ps, found.when[:2]) == (
            100 * MS,
            1000 * MS,
            "cudaFree",
            100 * MS,
            (50 * MS, 150 * MS),
        )


def test_what_waits_for_a_device_is_no_start() -> None:
    waits = [
        on_host(name, 200_000 * i, 150_000, "cuda_runtime")
        for i, name in enumerate(("cudaDeviceSynchronize", "cudaMemcpy", "cudaStreamSynchronize"))
    ]
    assert start(*waits, on_host("aten::mm", 700_000, 200_000)) == DriverStart()


def test_what_a_device_does_meanwhile_is_left_out() -> None:
    call = on_host("cuModuleLoadData", 100_000, 300_000, "cuda_driver")
    found = start(*launched("gemm", 50_000, 350_000, 100_000, 1), call)
    assert (found.ps, found.call_ps) == (250 * MS, 300 * MS)
