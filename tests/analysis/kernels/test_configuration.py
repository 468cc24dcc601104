"""What kernels and copies run on: launch configurations, waves, the bus; and which kernels are chosen."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.devices.peaks import Attributes
from tensorboard_perfplugin.analysis.kernels.families import chosen_kernels
from tensorboard_perfplugin.analysis.kernels.host import bus_gb_s, octaves, unavailable_reason
from tensorboard_perfplugin.analysis.kernels.rows import LaunchConfiguration, configurations, spread
from tensorboard_perfplugin.decode.common.launches import Launch, launches_of
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.tables import Launches
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import DETAILS, ask, gpu, kernel, kernels_of, rows


def test_what_is_not_told_is_none() -> None:
    """Occupancy is no part: the same launch may be reported with several."""
    launches = launches_of(
        [
            Launch(32, 0, 1024, 1024, (8, 2, 1), (128, 1, 1), occupancy_percent=50.0),
            Launch(block=(64, 1, 1)),
            Launch(32, 0, 1024, 1024, (8, 2, 1), (128, 1, 1), occupancy_percent=51.0),
        ]
    )
    full = LaunchConfiguration(32, 0, 1024, 1024, (8, 2, 1), (128, 1, 1))
    some = [LaunchConfiguration(), LaunchConfiguration(block=(64, 1, 1)), full, full]
    assert configurations(launches, np.array([-1, 1, 0, 2])) == some


def test_of_a_file_without_launches() -> None:
    assert configurations(Launches.empty(), np.array([-1])) == [LaunchConfiguration()]


def test_what_pcie_carries() -> None:
    rates = {("Nvidia", 7, 5): 15.75, ("Nvidia", 8, 0): 31.5, ("Nvidia", 8, 9): 31.5, ("Nvidia", 9, 0): 63.0}
    rates |= {("AMD", 9, 0): 31.5, ("AMD", 9, 3): 31.5, ("AMD", 9, 4): 63.0}
    unknown = [("AMD", 8, 9), ("AMD", 11, 0)]
    found = {}
    for vendor, major, minor in [*rates, *unknown]:
        told: Attributes = {"device_vendor": vendor, "compute_cap_major": major, "compute_cap_minor": minor}
        found[vendor, major, minor] = bus_gb_s("H2D", told, None)
    assert found == {**rates, **dict.fromkeys(unknown)}


def test_waves_of_twelve_blocks_of_which_a_half_of_a_multiprocessors_threads_run() -> None:
    """One multiprocessor of 1,024, 1,536 or 2,048 threads, as one that is not known has: two, three or four blocks of
    256 at a time.
    """
    waves = {(7, 0): 3, (7, 5): 6, (8, 6): 4, (9, 0): 3, (12, 0): 4, (99, 0): 3}
    found = {}
    for major, minor in waves:
        one: dict[str, StatValue] = {"device_vendor": "Nvidia", "core_count": 1}
        one |= {"compute_cap_major": major, "compute_cap_minor": minor}
        space = kernels_of("k", stats=one, kernel_details="regs:32 grid:12,1,1 block:256,1,1 occ_pct:50")
        [(found[major, minor],)] = rows(ask(timeline(space)), "kernels", "waves")
    assert found == waves


def test_durations_from_2_to_the_30_us_on_are_one_range() -> None:
    us = np.array([0.5, 1, 2, 2**29, 2**30, 2**31, 2**40])
    assert octaves((us * 1e6).astype(np.int64)).tolist() == [0, 1, 2, 30, 31, 31, 31]


@pytest.mark.parametrize(("share", "chosen"), [(1e-4, True), (0.999e-4, False)])
def test_kernels_of_a_ten_thousandth_of_the_time_are_chosen(share: float, chosen: bool) -> None:
    """Of 10 ms."""
    space, ns = Space(), round(share * 10**7)
    line = gpu(space).line(7, "Stream #7(Compute)")
    kernel(line, "ampere_dgemm_128x64_nn", 0, ns)
    kernel(line, "other", 1000, 10_001_000 - ns)
    found = chosen_kernels(timeline(space))
    assert found is not None
    assert (len(found.tables[0].name), found.other_ps) == ((1, 10**10 - ns * 1000) if chosen else (0, 10**10))


def capture(*planes: str) -> Space:
    space = Space()
    for name in planes:
        space.plane(name).line(1, "x")
    return space


def test_sums_of_ops_are_no_kernels_and_sums_of_kernels_are() -> None:
    space = Space()
    line = gpu(space).line(1, "sums")
    line.event("a", duration_ps=1000, occurrences=3)
    assert unavailable_reason(timeline(space)) == Message("no_gpu_work.sums_by_op")
    line.event("b", duration_ps=1000, occurrences=3, stats={"kernel_details": DETAILS})
    assert unavailable_reason(timeline(space)) is None


def test_why_there_is_no_work_of_gpus() -> None:
    launches = capture("/device:GPU:0")
    line = launches.plane("/host:CPU").line(1, "t")
    for i in (1, 2):
        line.event("cuLaunchKernel", i * 1000, 100, stats={"correlation_id": i})
    works = Space()
    kernel(gpu(works).line(7, "Stream #7(Compute)"), "k", 0, 1000)
    spaces = [capture("/host:CPU"), capture("/host:CPU", "/device:TPU:0"), capture("/device:GPU:0")]
    spaces += [capture("/device:GPU:0", "/device:GPU:1"), launches, works]
    assert [unavailable_reason(timeline(space)) for space in spaces] == [
        Message("no_gpu.only_cpu"),
        Message("no_gpu.only_tpus"),
        Message("no_gpu_work.idle", {"devices": 1, "several": False}),
        Message("no_gpu_work.idle", {"devices": 2, "several": True}),
        Message("no_gpu_work.not_traced", {"launches": 2}),
        None,
    ]
    of = dataclasses.replace(timeline(capture("/device:GPU:0")).capture, format=Format.TOOL_FILES)
    assert unavailable_reason(Timeline(of, "h")) == Message("no_gpu_work.file_missing")


@pytest.mark.parametrize(("count", "exact"), [(16_384, True), (16_385, False)])
def test_so_many_latencies_are_kept_as_they_are(count: int, exact: bool) -> None:
    values = 10**9 + np.arange(count)
    found = spread(values)
    assert np.array_equal(found.values, values) is exact
    assert found.times.sum() == count
    assert found.values == pytest.approx(np.full(len(found.values), 1e9), rel=0.01)
