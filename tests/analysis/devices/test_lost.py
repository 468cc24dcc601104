"""Runs of XLA's programs whose kernels a profiler lost."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.devices import Runs, runs_of_programs
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
