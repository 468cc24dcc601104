"""Databases of Nsight Systems, of three generations of its schema."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture, PlaneKind, TrackKind
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import SHARED_CAPTURES
from tests.decode.databases import NSYS, Nsys, Tables

YEARS = sorted(NSYS)
REAL = sorted(SHARED_CAPTURES.glob("nsys/*/*/*.sqlite"))
DAY_NS = 86_400 * 10**9
KERNEL = "void at::native::vectorized_elementwise_kernel<4, float>(int, float)"


class Shown(NamedTuple):
    plane: str
    track: str
    name: str
    start_ns: int
    length_ns: int


def opened(made: Nsys | bytes, name: str = "report1.sqlite") -> Capture:
    capture = decode.read_bytes(made if isinstance(made, bytes) else made.bytes(), name)
    capture.check()
    return capture


def shown(capture: Capture, *kinds: TrackKind) -> list[Shown]:
    """The events, by track, of tracks of some kinds, or of all."""
    found = []
    for row in range(len(capture.events)):
        track = int(capture.events.track[row])
        if kinds and capture.tracks.kind[track] not in kinds:
            continue
        plane = capture.strings[int(capture.planes.name[capture.tracks.plane[track]])]
        start, length = int(capture.events.start_ps[row]), int(capture.events.duration_ps[row])
        name = capture.strings[int(capture.tracks.name[track])]
        found.append(Shown(plane, name, capture.event_name(row), start // 1000, length // 1000))
    return found


def stats(capture: Capture, name: str) -> dict[str, Any]:
    """The stats of the first event of a name."""
    row = next(i for i in range(len(capture.events)) if capture.event_name(i) == name)
    return dict(capture.event_values(row))


def a_step(made: Nsys, at: int = 0, correlation: int = 100) -> None:
    """A range in which a kernel is launched, a copy and a fill made, and the stream waited for: 1 ms."""
    made.range(f"step {correlation}", at, at + 1_000_000)
    made.call("cudaLaunchKernel_v7000", at + 10_000, at + 16_000, correlation)
    made.call("cudaMemcpyAsync_v3020", at + 20_000, at + 26_000, correlation + 1)
    made.call("cudaMemsetAsync_v3020", at + 30_000, at + 33_000, correlation + 2)
    made.call("cudaStreamSynchronize_v3020", at + 40_000, at + 900_000, correlation + 3)
    made.kernel(KERNEL, at + 50_000, at + 650_000, correlation)
    made.on_device("MEMCPY", at + 660_000, at + 670_000, correlation + 1, bytes=4096, copyKind=1, srcKind=1, dstKind=2)
    made.on_device("MEMSET", at + 680_000, at + 681_000, correlation + 2, bytes=512, value=0)
    made.on_device("SYNCHRONIZATION", at + 40_000, at + 899_000, correlation + 3, syncType=3, eventId=0)


@pytest.mark.parametrize("year", YEARS)
def test_what_a_step_is_made_of(year: int) -> None:
    made = Nsys(year)
    a_step(made)
    capture = opened(made)
    assert (capture.format, capture.quality.dropped) == (Format.NSYS, {})
    thread, stream = ("/host:CPU", "main"), ("/device:GPU:0", "Stream #7")
    wait = "Stream sync" if year > 2020 else "Synchronization"
    assert shown(capture) == [
        Shown(*thread, "step 100", 0, 1_000_000),
        Shown(*thread, "cudaLaunchKernel", 10_000, 6_000),
        Shown(*thread, "cudaMemcpyAsync", 20_000, 6_000),
        Shown(*thread, "cudaMemsetAsync", 30_000, 3_000),
        Shown(*thread, "cudaStreamSynchronize", 40_000, 860_000),
        Shown(*stream, KERNEL, 50_000, 600_000),
        Shown(*stream, "Memcpy HtoD (Pinned -> Device)", 660_000, 10_000),
        Shown(*stream, "Memset (Device)", 680_000, 1_000),
        Shown("/device:GPU:0", "Stream #7 (waits)", wait, 40_000, 859_000),
    ]
    assert capture.start_ns == (None if year == 2020 else 1_700_000_000 * 10**9)
    assert capture.hostname == ("" if year == 2020 else "trainer")
    assert (
        stats(capture, "Memcpy HtoD (Pinned -> Device)")["memcpy_details"]
        == "kind_src:pinned kind_dst:device size:4096"
    )
    assert stats(capture, "Memset (Device)")["memset_details"] == "kind:device num_bytes:512"


@pytest.mark.parametrize("year", YEARS)
def test_kernels_know_their_launch(year: int) -> None:
    made = Nsys(year)
    for i in range(3):
        a_step(made, i * 2_000_000, 100 + 10 * i)
    capture = opened(made)
    launches = launches_of(Timeline(capture, "h"))
    assert (launches.host, launches.device, launches.unmatched_host, launches.unmatched_device) == (9, 9, 0, 0)
    rows = np.flatnonzero(capture.events.name == capture.strings.find(KERNEL))
    assert capture.strings.texts(capture.events.name[launches.rows[rows]]) == ["cudaLaunchKernel"] * 3
    config = capture.kernel_launches.launches
    at = int(capture.kernel_launches.events.launch_of(rows[:1])[0])
    found = {name: column[at].item() for name, column in config.columns().items() if name != "achieved_percent"}
    assert found == {
        "registers": 32,
        "static_shared_bytes": 1024,
        "dynamic_shared_bytes": 0,
        "shared_bytes": 1024,
        "grid_x": 144,
        "grid_y": 1,
        "grid_z": 1,
        "block_x": 256,
        "block_y": 1,
        "block_z": 1,
        "occupancy_percent": pytest.approx(np.nan if year == 2020 else 100.0, nan_ok=True),
    }


@pytest.mark.parametrize("year", YEARS)
def test_ranges_of_one_word_and_numbers_are_steps(year: int) -> None:
    made = Nsys(year)
    for i in range(5):
        made.range(f"iteration {i}", i * 2_000_000, i * 2_000_000 + 1_500_000)
        a_step(made, i * 2_000_000 + 100, 100 + 10 * i)
    steps = steps_of(Timeline(opened(made), "h"))
    assert (steps.rule, steps.number.tolist()) == ("annotations", [0, 1, 2, 3, 4])


def test_facts_of_the_device() -> None:
    made = Nsys(2022)
    made.kernel(KERNEL, 0, 5)
    capture = opened(made)
    assert capture.plane_values(0) == {
        "device_vendor": "Nvidia",
        "gpu_device_name": "NVIDIA TITAN RTX",
        "core_count": 72,
        "memory_size": 25_388_515_328,
        "memory_bandwidth": 672_096_000_000,
        "clock_rate": 1_770_000,
        "compute_cap_major": 7,
        "compute_cap_minor": 5,
    }
    assert (capture.planes.kind[0], capture.strings[int(capture.planes.vendor[0])]) == (PlaneKind.GPU, "Nvidia")
    early = Nsys(2020)
    early.kernel(KERNEL, 0, 5)
    assert opened(early).plane_values(0) == {
        "device_vendor": "Nvidia",
        "gpu_device_name": "NVIDIA TITAN RTX",
        "core_count": 72,
        "memory_size": 25_388_515_328,
        "compute_cap_major": 7,
        "compute_cap_minor": 5,
    }


@pytest.mark.parametrize(
    ("registers", "shared", "block", "percent"),
    [
        # Of 32 warps, 65536 registers, 64 KiB and 16 blocks: CUDA's occupancy calculator for compute capability 7.5.
        (32, 1024, 256, 100.0),
        (64, 0, 1024, 100.0),
        (80, 0, 256, 75.0),
        (255, 0, 256, 25.0),
        (32, 33 << 10, 128, 12.5),
        (16, 0, 32, 50.0),
        (16, 0, 96, 93.75),
        # Registers are given 256 at a time to each warp, on four schedulers.
        (72, 0, 64, 87.5),
        (81, 0, 64, 62.5),
    ],
)
def test_occupancy(registers: int, shared: int, block: int, percent: float) -> None:
    made = Nsys(2025)
    made.kernel("k", 0, 5, registersPerThread=registers, staticSharedMemory=shared, blockX=block)
    launches = opened(made).kernel_launches.launches
    assert launches.occupancy_percent.tolist() == [percent]


def test_nvtx() -> None:
    """Domains and categories by their names, payloads, marks, texts that were registered; what was never ended."""
    made = Nsys(2025)
    made.range("lib", -9, None, eventType=75, domainId=2)
    made.range("io", 1, None, eventType=33, category=4, domainId=2)
    made.range("load", 10, 30, domainId=2, category=4, int64Value=77)
    made.range(None, 12, 14, textId=made.text("registered"), doubleValue=0.5)
    made.range("here", 20, None, eventType=34)
    made.range("open", 25, None)
    capture = opened(made)
    assert [(s.name, s.start_ns, s.length_ns) for s in shown(capture)] == [
        ("load", 0, 20),
        ("registered", 2, 2),
        ("here", 10, 0),
        ("open", 15, 5),
    ]
    assert stats(capture, "load") == {"domain": "lib", "nvtx_category": "io", "payload": 77}
    assert stats(capture, "registered") == {"payload": 0.5}
    assert capture.quality.warnings == (message("unclosed_events", n=1),)


def test_what_is_missing_is_0_where_columns_are_not_null() -> None:
    made = Nsys(2020)
    made.range("", 1, 0, textId=made.text("registered"))
    made.range("mark", 3, 0, eventType=34)
    made.range("whole", 4, 9)
    capture = opened(made)
    assert [(s.track, s.name, s.start_ns, s.length_ns) for s in shown(capture)] == [
        ("main", "registered", 0, 8),
        ("main", "mark", 2, 0),
        ("main", "whole", 3, 5),
    ]
    assert not any(capture.event_values(i) for i in range(3))


def test_kinds_of_ranges() -> None:
    """Marks have no length. What threads push nests; what is started has a track of its own where it does not nest."""
    pushed, started = [(kind, 40, "main") for kind in (35, 59, 66, 70)], (37, 60, 68, 71)
    for kind, end, track in [*pushed, (60, 40, "main"), *((kind, 60, "main (ranges)") for kind in started)]:
        made = Nsys(2025)
        made.range("outer", 0, 50)
        made.range("inner", 10, end, eventType=kind)
        assert [(s.track, s.length_ns) for s in shown(opened(made))] == [("main", 50), (track, end - 10)], kind
    for kind in (34, 65):
        made = Nsys(2025)
        made.range("mark", 10, 60, eventType=kind)
        assert [s.length_ns for s in shown(opened(made))] == [0], kind


@pytest.mark.parametrize(("far_ns", "late", "early"), [(50 * DAY_NS - 1, 4, 3), (50 * DAY_NS, 2, 2)])
def test_what_is_fifty_days_from_the_others_is_left_out(far_ns: int, late: int, early: int) -> None:
    """Of four ranges the first and the last are so far from the middle ones, or of three the last one's end."""
    for at, kept in (((far_ns + 1, 2 * far_ns + 1, far_ns + 1, 1), late), ((1, 1), early)):
        made = Nsys(2025)
        for start in at:
            made.range("r", start, start)
        if kept is early:
            made.range("r", 1, far_ns + 1)
        assert len(opened(made).events) == kept


def test_a_range_that_another_thread_ends() -> None:
    made = Nsys(2025)
    made.range("pushed", 0, 50)
    made.range("handed over", 10, 90, eventType=60, endGlobalTid=made.tid(7, 8))
    assert [s.track for s in shown(opened(made))] == ["main", "main (ranges)"]


def test_other_calls() -> None:
    made = Nsys(2022)
    tid = made.tid(7, 9)
    made.row("ThreadNames", nameId=made.text("loader"), priority=1, globalTid=tid)
    made.row("CUDNN_EVENTS", start=5, end=8, eventClass=28, globalTid=tid, nameId=made.text("cudnnForward"))
    made.row("OSRT_API", start=1, end=4, eventClass=27, globalTid=tid, nameId=made.text("poll"), returnValue=0)
    made.row("PROFILER_OVERHEAD", start=2, end=3, globalTid=tid, nameId=made.text("flush"), returnValue=0)
    capture = opened(made)
    assert [(s.track, s.name) for s in shown(capture)] == [
        ("loader (9)", "cudnnForward"),
        ("loader (9) (OS runtime)", "poll"),
        ("loader (9) (profiler overhead)", "flush"),
    ]
    assert capture.tracks.kind.tolist() == [TrackKind.THREAD, TrackKind.DERIVED, TrackKind.DERIVED]


def test_memory() -> None:
    made = Nsys(2022)
    for start, kind, operation, address in ((10, 2, 0, 4096), (20, 1, 0, 8192), (30, 2, 1, 4096)):
        made.row(
            "CUDA_GPU_MEMORY_USAGE_EVENTS", start=start, globalPid=made.pid(7), deviceId=0, contextId=1,
            address=address, bytes=512, memKind=kind, memoryOperationType=operation,
        )  # fmt: skip
    capture = opened(made)
    found = [dict(capture.event_values(i)) for i in range(3)]
    assert [s.name for s in shown(capture)] == ["MemoryAllocation", "MemoryAllocation", "MemoryDeallocation"]
    assert [each["allocator_name"] for each in found] == ["GPU_0_cuda", "pinned memory (CUDA)", "GPU_0_cuda"]
    assert [(each["addr"], each["allocation_bytes"]) for each in found] == [(4096, 512), (8192, 512), (4096, 512)]


def test_metrics_of_gpus_are_counters() -> None:
    made = Nsys(2022)
    made.row("TARGET_INFO_GPU_METRICS", typeId=1 << 56, typeName="t", metricId=3, metricName="SMs Active")
    for i in range(4):
        made.row("GPU_METRICS", timestamp=100 * i, typeId=1 << 56, metricId=3, value=10 * i)
    capture = opened(made)
    assert shown(capture, TrackKind.COUNTER) == [
        Shown("/device:GPU:0", "counters", "SMs Active", 100 * i, 0) for i in range(4)
    ]
    assert [dict(capture.event_values(i)) for i in range(4)] == [{"value": 10 * i} for i in range(4)]


def test_graphs() -> None:
    """Traced as a whole, or node by node: then kernels carry the node, and the launch's correlation id."""
    made = Nsys(2025)
    made.call("cudaGraphLaunch_v10000", 0, 5, 40)
    made.on_device("GRAPH_TRACE", 10, 90, 40, graphId=3, graphExecId=5)
    made.call("cudaGraphLaunch_v10000", 100, 105, 41)
    for i in range(2):
        made.kernel("node", 110 + 10 * i, 115 + 10 * i, 41, graphNodeId=(9 << 32) + i + 1)
    capture = opened(made)
    assert [s.name for s in shown(capture, TrackKind.STREAM)] == ["CudaGraphExec:5", "node", "node"]
    assert stats(capture, "CudaGraphExec:5")["cuda_graph_id"] == 5
    assert stats(capture, "node")["cuda_graph_node_id"] == (9 << 32) + 1
    found = launches_of(Timeline(capture, "h"))
    assert (found.host, found.device, found.unmatched_host, found.unmatched_device) == (2, 3, 0, 0)


def test_several_processes_see_devices_of_their_own() -> None:
    """Each calls its only device 0, and counts correlation ids for itself."""
    made = Nsys(2025)
    made.row("PROCESSES", globalPid=made.pid(7), pid=7, name="python")
    for rank, process in enumerate((7, 8)):
        made.row("TARGET_INFO_CUDA_DEVICE", gpuId=rank, cudaId=0, pid=process)
        made.row("MPI_RANKS", globalTid=made.tid(process, process), rank=rank)
        made.call("cudaLaunchKernel_v7000", 10 * rank, 10 * rank + 5, 1, process, process)
        made.kernel(f"k{rank}", 20, 30 + rank, 1, process)
    made.row("TARGET_INFO_GPU", id=1, name="NVIDIA A100", smCount=108)
    made.call("cudaFree", 50, 60, 2)
    capture = opened(made)
    assert [(s.plane, s.name) for s in shown(capture)] == [
        ("/host:CPU", "cudaLaunchKernel"),
        ("/host:CPU", "cudaFree"),
        ("/host:CPU (process 8)", "cudaLaunchKernel"),
        ("/device:GPU:0", "k0"),
        ("/device:GPU:1", "k1"),
    ]
    launched = launches_of(Timeline(capture, "h")).rows
    assert launched[[3, 4]].tolist() == [0, 2]
    assert [capture.plane_values(i).get("rank") for i in range(2)] == [0, 1]
    assert capture.plane_values(0)["process_name"] == "python"
    assert capture.plane_values(3)["gpu_device_name"] == "NVIDIA A100"


def test_the_rank_of_a_process_is_in_its_environment() -> None:
    made = Nsys(2022)
    made.env("DeviceEnvironment", "PATH=/bin\0OMPI_COMM_WORLD_RANK=3\0OMPI_COMM_WORLD_SIZE=8\0")
    made.env("CudaDriverVersion", "12010")
    made.call("cudaMalloc_v3020", 0, 5)
    found = opened(made).plane_values(0)
    assert (found["rank"], found["world_size"], found["cuda_driver_version"]) == (3, 8, 12010)
    # Of two processes it is not known whose.
    made.row("TARGET_INFO_CUDA_DEVICE", gpuId=0, cudaId=0, pid=7)
    made.call("cudaMalloc_v3020", 10, 15, 1, 7, 7)
    made.call("cudaMalloc_v3020", 10, 15, 1, 8, 8)
    assert "rank" not in opened(made).plane_values(0)


def emit_nvtx(made: Nsys) -> None:
    """As `torch.autograd.profiler.emit_nvtx(record_shapes=True)` names a forward and a backward call."""
    made.range("aten::linear, seq = 4, op_id = 1, sizes = [[8, 2], [3, 2], []]", 0, 100)
    made.range("aten::addmm, seq = 4, op_id = 2, sizes = [[], [8, 2], [2, 3]], input_op_ids = [(0,0)]", 10, 90)
    made.call("cudaLaunchKernel_v7000", 20, 30, 1)
    made.kernel("gemm", 40, 60, 1)
    made.range("AddmmBackward0, seq = 4, op_id = 9, sizes = [[8, 3]]", 200, 300, thread=8)
    made.call("cudaLaunchKernel_v7000", 210, 220, 2, thread=8)
    made.kernel("gemm_nt", 230, 260, 2)
    made.range("train 1", 0, 400)


def test_operators_of_pytorch() -> None:
    made = Nsys(2025)
    emit_nvtx(made)
    capture = opened(made)
    assert capture.format is Format.EMIT_NVTX
    assert stats(capture, "aten::addmm") == {
        "category": "cpu_op",
        "Sequence number": 4,
        "Input Dims": "[[], [8, 2], [2, 3]]",
    }
    assert stats(capture, "train 1")["category"] == "user_annotation"
    assert stats(capture, "cudaLaunchKernel")["category"] == "cuda_runtime"
    ops = ops_of(Timeline(capture, "h"))
    assert [ops.ops[i].name for i in ops.device.op.tolist()] == ["aten::addmm", "AddmmBackward0"]


def test_kernels_are_of_the_innermost_range_that_launched_them() -> None:
    """Ranges of layers are ops, as TensorRT writes them; those of many kernels, and turns of a loop, name these too."""
    made = Nsys(2025)
    made.range("execute", 0, 100_000)
    made.range("/conv1/Conv", 100, 200)
    made.range("step 12", 20_000, 30_000)
    for i, at in enumerate([110, 300, 20_100, *range(60_000, 60_000 + 40 * 40, 40)]):
        made.call("cudaLaunchKernel_v7000", at, at + 20, i + 1)
        made.kernel("gemm", 200_000 + 100 * i, 200_050 + 100 * i, i + 1)
    made.kernel("gemm", 300_000, 300_050, 99)
    ops = ops_of(Timeline(opened(made), "h"))
    of = [ops.ops[i] for i in ops.device.op.tolist()]
    assert of[:3] == [
        ("/conv1/Conv", "Annotated range", ""),
        ("execute/gemm", "Annotated range", ""),
        ("step */gemm", "Annotated range", ""),
    ]
    assert of[-1] == ("gemm", "Unattributed kernel", "")


def test_what_is_missing_is_not_shown() -> None:
    """Tables without most of their columns, as other tools trim them."""
    made = Tables(
        {
            "StringIds": "id value",
            "CUPTI_ACTIVITY_KIND_KERNEL": "start end demangledName",
            "NVTX_EVENTS": "start end text",
        }
    )
    made.row("StringIds", id=1, value="k")
    made.row("CUPTI_ACTIVITY_KIND_KERNEL", start=3, end=6, demangledName=1)
    made.row("NVTX_EVENTS", start=1, end=10, text="r")
    assert [(s.name, s.start_ns, s.length_ns) for s in shown(opened(made.bytes()))] == [("r", 0, 9), ("k", 2, 3)]


def test_kernels_that_do_not_say_whose_they_are() -> None:
    """Of the one process that calls CUDA; waits that name no device are of the one that there is."""
    schema = {name: columns.replace(" globalPid", "") for name, columns in NSYS[2020].items()}
    waits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
    schema[waits] = schema[waits].replace(" deviceId", "")
    made = Nsys(schema=schema)
    a_step(made)
    made.range("elsewhere", 0, 5, process=9)
    capture = opened(made)
    found = launches_of(Timeline(capture, "h"))
    assert (found.host, found.device, found.unmatched_host, found.unmatched_device) == (3, 3, 0, 0)
    planes = capture.strings.texts(capture.planes.name)
    assert planes == ["/host:CPU", "/host:CPU (process 9)", "/device:GPU:0"]


def test_what_the_profiler_warns_of_and_what_is_not_shown() -> None:
    made = Nsys(2025)
    made.call("cudaMalloc_v3020", 0, 5)
    made.row("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", id=1, name="INFO", label="Info")
    made.row("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", id=2, name="WARNING", label="Warning")
    for severity, text in ((1, "begun"), (2, "CUDA events were dropped"), (2, "CUDA events were dropped")):
        made.row("DIAGNOSTIC_EVENT", timestamp=1, timestampType=1, source=1, severity=severity, text=text)
    made.row("COMPOSITE_EVENTS", id=1, start=1, cpu=0, threadState=0, globalTid=1, cpuCycles=9)
    assert opened(made).quality.warnings == (
        message("database_not_shown", what="CPU samples"),
        message("profiler_warning", text="CUDA events were dropped"),
    )


def test_a_database_without_events() -> None:
    capture = opened(Nsys(2022))
    assert (len(capture.events), len(capture.planes)) == (0, 0)
    assert capture.quality.warnings == (message("no_events"),)


@pytest.mark.skipif(not REAL, reason="no ../shared/captures beside this checkout: real captures are not read")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.parent.name)
def test_real_ones_hold_what_sql_says(path: Path) -> None:
    """Those there are hold NVTX ranges alone."""
    capture = decode.read(str(path))
    capture.check()
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        ranges = database.execute(
            "select coalesce(n.text, s.value), n.start, n.end from NVTX_EVENTS n left join StringIds s "
            "on s.id = n.textId where n.eventType in (59, 60)"
        ).fetchall()
        [(epoch_ns,)] = database.execute("select utcEpochNs from TARGET_INFO_SESSION_START_TIME").fetchall()
    database.close()
    assert capture.start_ns is not None
    base = capture.start_ns - epoch_ns
    found = [(s.name, s.start_ns + base, s.start_ns + base + s.length_ns) for s in shown(capture)]
    assert sorted(found) == sorted(ranges)
