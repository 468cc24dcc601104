"""What PyTorch's profiler says of devices: kernels, copies, counters, and devices that are no GPU of CUDA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tests.tools.kineto import H100, Event, ask, launched, on_device, on_host, rows, saved

#: Large grid: 8 blocks of 256 threads would fill a multiprocessor; registers let 4 fit.
FULL: dict[str, Any] = {
    "grid": [13200, 1, 1],
    "block": [256, 1, 1],
    "registers per thread": 64,
    "shared memory": 1024,
    "blocks per SM": 100.0,
    "warps per SM": 800.0,
    "est. achieved occupancy %": 50,
}
#: 66 blocks for 132 multiprocessors.
SMALL = FULL | {"grid": [66, 1, 1], "blocks per SM": 0.5, "warps per SM": 4.0, "est. achieved occupancy %": 6}


def test_a_launch_is_told_as_pytorch_tells_it(tmp_path: Path) -> None:
    """The estimate is what fits only where the grid has enough blocks; what fits of a small grid is not told."""
    events = [*launched("full", 0, 5, 20, 1, **FULL), *launched("small", 2, 26, 10, 2, **SMALL)]
    answer = ask(saved(tmp_path, *events), "kernel_stats")
    launch = ("short_name", "grid", "block", "registers", "shared_bytes")
    assert rows(answer, "kernels", *launch) == [
        ("full", "13200,1,1", "256,1,1", 64, 1024),
        ("small", "66,1,1", "256,1,1", 64, 1024),
    ]
    fills = ("occupancy_percent", "achieved_percent", "blocks_per_sm", "warps_per_sm", "waves")
    # 132 multiprocessors of 4 blocks hold 528 at once.
    assert rows(answer, "kernels", *fills) == [(50.0, 50.0, 100.0, 800.0, 25.0), (None, 6.0, 0.5, 4.0, None)]
    assert rows(answer, "kernels", "total_us", "latency_us", "queue_us") == [(20.0, 5.0, 0.0), (10.0, 24.0, 22.0)]


def test_what_fits_is_told_by_newer_profilers(tmp_path: Path) -> None:
    """In an arg of its own, whatever the grid: 3 blocks of 256 of 2,048 threads."""
    told = SMALL | {"occupancy": {"activeBlocksPerMultiprocessor": 3, "limitingFactors": "REGS"}}
    answer = ask(saved(tmp_path, on_device("small", 0, 10, **told)), "kernel_stats")
    assert rows(answer, "kernels", "occupancy_percent", "achieved_percent") == [(37.5, 6.0)]


def test_an_estimate_of_0_that_the_grid_contradicts_is_unknown(tmp_path: Path) -> None:
    """Kineto writes 0 where it could not compute it, of blocks with 48 KiB of shared memory and more: these were read
    as 0 %. A warp on each of 132 multiprocessors of 64 is 1.6 %; on one in four 0.4 %, of which 0 is the nearest."""
    large = FULL | {"shared memory": 98304, "est. achieved occupancy %": 0}
    warp = large | {"grid": [132, 1, 1], "block": [32, 1, 1], "blocks per SM": 1.0, "warps per SM": 1.0}
    few = warp | {"grid": [33, 1, 1], "blocks per SM": 0.25, "warps per SM": 0.25}
    untold = {key: value for key, value in large.items() if key != "warps per SM"}
    events = [
        on_device(name, at, 1, **args)
        for at, (name, args) in enumerate({"large": large, "warp": warp, "few": few, "untold": untold}.items())
    ]
    found = rows(ask(saved(tmp_path, *events), "kernel_stats"), "kernels", "short_name", "achieved_percent")
    assert sorted(found) == [("few", 0.0), ("large", None), ("untold", None), ("warp", None)]


def test_a_file_without_properties_tells_multiprocessors_by_its_grids(tmp_path: Path) -> None:
    answer = ask(saved(tmp_path, on_device("full", 0, 10, **FULL), devices=[]), "kernel_stats")
    assert rows(answer, "devices", "device", "multiprocessors") == [("/device:GPU:0", 132)]


def rocm(arrows: bool) -> list[Event]:
    """An operator that launches twice, in one external id, as ROCm's first traces have it: nobody has a correlation id.
    The kernels begin in the other order of their streams."""
    of_op: dict[str, Any] = {"External id": 7}
    op = on_host("aten::mm", 0, 30, **of_op)
    calls = [on_host("hipLaunchKernel", at, 2, "cuda_runtime", **of_op) for at in (2, 10)]
    ran = [
        on_device("Cijk_Ailk_Bljk_SB_MT64x64x8", 20, 5, gpu=2, stream=1, **of_op),
        on_device("k.kd", 26, 4, gpu=2, stream=0, **of_op),
    ]
    ends: list[Event] = []
    for i, (call, kernel) in enumerate(zip(calls, ran, strict=True)):
        for of, phase in ((call, "s"), (kernel, "f")):
            end = {"ph": phase, "id": i + 1, "pid": of["pid"], "tid": of["tid"], "ts": of["ts"], "cat": "ac2g"}
            ends.append({**end, "name": "ac2g", "bp": "e"})
    return [op, *calls, *ran, *(ends if arrows else [])]


@pytest.mark.parametrize("arrows", [False, True])
def test_rocm_s_kernels_without_correlation_ids_are_joined_to_their_launches(tmp_path: Path, arrows: bool) -> None:
    """These captures had no launch, and were of NVIDIA's devices."""
    path = saved(tmp_path, *rocm(arrows), devices=[])
    answer = ask(path, "kernel_stats")
    columns = ("short_name", "op_name", "latency_us")
    assert rows(answer, "kernels", *columns) == [
        ("Cijk_Ailk_Bljk_SB_MT64x64x8", "aten::mm", 18.0),
        ("k", "aten::mm", 16.0),
    ]
    assert rows(answer, "devices", "vendor") == [("AMD",)]
    assert ask(path, "overview").result.summary["launch_count"] == 2


def test_a_device_that_is_named_is_of_its_maker(tmp_path: Path) -> None:
    path = saved(tmp_path, on_device("ck::k", 0, 5), devices=[H100])
    assert rows(ask(path, "kernel_stats"), "devices", "vendor") == [("Nvidia",)]


def test_copies_have_their_bytes_and_places(tmp_path: Path) -> None:
    """GB/s are bytes ÷ time: 4,000 bytes in 2 µs are 2. ROCm's name of a copy may tell no places, its arg does."""
    copies = [
        on_device("Memcpy HtoD (Pinned -> Device)", 0, 2, "gpu_memcpy", bytes=4000),
        on_device("Memcpy HtoD (Pinned -> Device)", 3, 2, "gpu_memcpy", bytes=4000),
        on_device("CopyDeviceToHost", 6, 4, "gpu_memcpy", bytes=400, kind="DtoH"),
        on_device("Memset (Device)", 11, 1, "gpu_memset", bytes=64),
    ]
    answer = ask(saved(tmp_path, *copies), "kernel_stats")
    columns = ("kind", "source", "destination", "occurrences", "total_us", "size_bytes", "gb_s")
    assert rows(answer, "copies", *columns) == [
        ("H2D", "pinned", "device", 2, 4.0, 8000, 2.0),
        ("D2H", "device", "host", 1, 4.0, 400, 0.1),
        ("fill", None, "device", 1, 1.0, 64, 0.064),
    ]


@pytest.mark.parametrize(
    ("call", "category", "plane", "vendor"),
    [
        ("cuda_runtime", "kernel", "/device:GPU:3", "Nvidia"),
        ("xpu_runtime", "kernel", "/device:XPU:3", "Intel"),
        ("mtia_runtime", "mtia_ccp_events", "/device:MTIA:3", "Meta"),
        ("hpu_runtime", "hpu_op", "/device:HPU:3", "Intel"),
    ],
)
def test_every_kind_of_device_is_a_device(tmp_path: Path, call: str, category: str, plane: str, vendor: str) -> None:
    events = [on_host("launch", 0, 1, call, correlation=1), on_device("work", 2, 6, category, gpu=3, correlation=1)]
    path = saved(tmp_path, *events, devices=[])
    assert rows(ask(path, "kernel_stats"), "devices", "device", "vendor", "kernel_us") == [(plane, vendor, 6.0)]
    assert rows(ask(path, "overview"), "devices", "device", "busy_ms", "idle_ms") == [(plane, 0.006, 0.002)]


def test_rocm_is_known_by_its_profiler_or_its_devices(tmp_path: Path) -> None:
    """Its kernels number the machine's devices, CPUs first; devices that are all alike tell of each."""
    device = H100 | {"name": "AMD Instinct MI300X", "numSms": 304, "warpSize": 64}
    kernel = on_device("Cijk_Ailk_Bljk_HHS_BH_MT64x64", 0, 10, gpu=2, grid=[608, 1, 1], block=[256, 1, 1])
    answer = ask(saved(tmp_path, kernel, devices=[device, device | {"id": 1}]), "kernel_stats")
    assert rows(answer, "devices", "device", "vendor", "model", "multiprocessors") == [
        ("/device:GPU:2", "AMD", "AMD Instinct MI300X", 304)
    ]
    assert rows(answer, "kernels", "blocks_per_sm", "warps_per_sm", "achieved_percent") == [(2.0, 8.0, None)]


def test_numbers_that_no_device_has_are_no_crash(tmp_path: Path) -> None:
    """Neither ids beyond 64 bits, nor properties that are none, nor ratios of nothing."""
    odd: dict[str, Any] = {
        "blocks per SM": 1e-300,
        "warps per SM": 1e300,
        "est. achieved occupancy %": 10**30,
        "grid": [0, 10**30, 1],
    }
    events = [
        on_device("a", 0, 5, gpu=10**12, **odd),
        on_device("b", 6, 5, gpu=1 << 70, stream=1 << 70, **odd),
        on_device("c", 12, 5, gpu=-5, stream=-5, **odd),
    ]
    devices: list[dict[str, Any]] = [
        H100 | {"numSms": 10**30, "warpSize": 10**400, "maxThreadsPerMultiprocessor": 10**400},
        {"id": "x"},
    ]
    answer = ask(saved(tmp_path, *events, devices=devices), "kernel_stats")
    assert rows(answer, "kernels", "short_name", "total_us", "occupancy_percent", "achieved_percent") == [
        (name, 5.0, None, None) for name in "abc"
    ]


def test_a_gpus_counters_are_on_its_plane(tmp_path: Path) -> None:
    """Older files write them under the device's number as a process."""
    counts = [
        {"ph": "C", "name": "GPU 1 Utilization", "pid": 1, "ts": at, "args": {"GPU Utilization": value}}
        for at, value in ((0, 1), (5, 0))
    ]
    path = saved(tmp_path, *counts, on_device("kernel", 0, 5, gpu=1), on_host("aten::add", 0, 1))
    capture = next(iter(tensorboard_perfplugin.open(path).captures.values()))
    tracks = zip(
        capture.strings.texts(capture.planes.name[capture.tracks.plane]),
        capture.strings.texts(capture.tracks.name),
        strict=True,
    )
    assert list(tracks) == [("/host:CPU", "thread 100"), ("/device:GPU:1", "Stream #7"), ("/device:GPU:1", "counters")]


def test_kernels_that_were_only_counted_in_have_no_times(tmp_path: Path) -> None:
    """CUPTI's range profiler runs each kernel several times, and the file spreads what it counted evenly."""
    call = on_host("cudaLaunchKernel", 0, 1, "cuda_runtime", correlation=1)
    counted = on_device("gemm", 0, 100, "cuda_profiler_range", **{"smsp__inst_executed.sum": 7})
    answer = ask(saved(tmp_path, on_host("aten::mm", 0, 90), call, counted), "overview")
    summary, found = answer.to_dict()["summary"], answer.result.findings[0]
    assert (summary["device_count"], summary["device_event_count"], summary["device_busy_ms"]) == (1, 0, None)
    assert found.title == "No device events, although 1 kernel or copy was launched"
    assert found.detail == ("1 kernel was profiled with CUPTI's counters: unmeasured times count as no work.")
