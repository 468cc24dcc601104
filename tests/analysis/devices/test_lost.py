"""Runs of XLA's programs whose kernels a profiler lost."""

from __future__ import annotations

import math

import pytest

from tensorboard_perfplugin.analysis.devices.peaks import (
    ABOVE,
    BELIEVED,
    at_most_1,
    bound_by,
    giga_per_s,
    is_above,
    largest,
    ratio,
    starts,
    waits,
)
from tensorboard_perfplugin.analysis.devices.tracks import Runs, runs_of_programs
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space
from tests.timeline.timelines import timeline

US = 10**6


def ran(runs: int, with_kernels: int) -> Space:
    """On two devices by turns, with kernels on the first one only."""
    space = Space()
    host, device = space.plane("/host:CPU").line(1, "t"), space.plane("/device:GPU:0").line(1, "Stream #1(Kernel)")
    space.plane("/device:GPU:1")
    for run in range(runs):
        at = 100 * run * US
        host.event("jit_f:XLA GPU module", at, 50 * US)
        host.event("hipExtModuleLaunchKernel", at + US, US, stats={"correlation_id": run + 1})
        if run < with_kernels:
            device.event("fusion", at + 5 * US, 20 * US, stats={"correlation_id": run + 1})
    return space


def test_runs_without_a_kernel_are_lost_where_others_have_some() -> None:
    assert runs_of_programs(timeline(ran(80, 5))) == Runs(80, 75, "jit_f")
    assert runs_of_programs(timeline(ran(80, 80))) == Runs(80, 0, "")


def test_a_program_that_never_has_a_kernel_lost_none() -> None:
    """It may only copy, and be no work of a device."""
    space = ran(4, 4)
    space.planes[0].line(2, "u").event("jit_g:XLA GPU module", 0, 50 * US)
    assert runs_of_programs(timeline(space)) == Runs(4, 0, "")


@pytest.mark.parametrize(
    ("runs", "with_kernels", "said"), [(80, 60, True), (80, 61, False), (8, 6, True), (4, 3, False), (4, 2, True)]
)
def test_lost_runs_are_no_idle_devices(runs: int, with_kernels: int, said: bool) -> None:
    """Two GPUs were told to be unused, and steps to wait for launches."""
    options = OVERVIEW.parse({})
    answer = OVERVIEW.combine([OVERVIEW.per_host(timeline(ran(runs, with_kernels)), options)], options)
    codes = [finding.code for finding in answer.findings]
    assert (codes[0] == "runs_lost", "devices_unused" in codes) == (said, not said)


def test_a_ratio_is_of_what_is_known() -> None:
    assert ratio(1.0, 4.0) == 0.25
    assert [ratio(*pair) for pair in ((None, 1.0), (1.0, None), (1.0, 0.0), (1.0, math.inf), (1e300, 1e-300))] == [
        None
    ] * 5
    assert (at_most_1(1.0), at_most_1(1.01), at_most_1(None)) == (1.0, None, None)
    assert (largest((None, 0.5, 0.25)), largest((None,))) == (0.5, None)


def test_more_than_the_peak_rate_bounds_nothing() -> None:
    assert (is_above(ABOVE.value - 0.01), is_above(ABOVE.value), is_above(None)) == (False, True, False)
    assert (bound_by((ABOVE.value - 0.01, 0.5)), bound_by((ABOVE.value, 0.5))) == ("Compute", "")


def test_a_memory_bounds_up_to_a_rate_that_is_believed() -> None:
    assert (bound_by((0.5, BELIEVED.value)), bound_by((0.5, BELIEVED.value + 0.01))) == ("HBM", "")
    assert bound_by((0.5, 0.25, 0.75), ("Compute", "HBM", "VMEM read")) == "VMEM read"
    assert [bound_by(shares) for shares in ((None, 0.5), (0.5, None), (0.0, 0.0), (0.5, 0.5))] == [
        "",
        "",
        "",
        "Compute",
    ]


def test_a_rate_is_given_up_to_so_many_times_the_peak() -> None:
    assert giga_per_s(2e9, 1e12) == 2.0
    assert (giga_per_s(2e9, 1e12, 10.0, 10.0), giga_per_s(2e9, 1e12, 10.01, 10.0)) == (2.0, None)
    assert (giga_per_s(None, 1e12), giga_per_s(1.0, 0.0)) == (None, None)


def test_what_goes_on_beside_other_ops_has_no_rate() -> None:
    names = (
        "copy-start",
        "copy-done",
        "infeed",
        "send-done",
        "host recv",
        "recv",
        "convolution fusion",
        "dynamic-slice",
    )
    assert [name for name in names if starts(name)] == ["copy-start"]
    assert [name for name in names if waits(name)] == ["copy-done", "infeed", "send-done", "host recv", "recv"]
