"""Databases of nvprof, of three of its versions, and pyprof's markers in them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.databases.names import RUNTIME_CALLS
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import SHARED_CAPTURES
from tests.decode.databases import NVPROF, Nvprof
from tests.decode.test_nsys import Shown, shown, stats

VERSIONS = sorted(NVPROF)
REAL = sorted(SHARED_CAPTURES.glob("nvprof/*/*/net.sql"))
LAUNCH_KERNEL, MEMCPY_ASYNC, SYNCHRONIZE = 211, 41, 131


def opened(made: Nvprof) -> Capture:
    capture = decode.read_bytes(made.bytes(), "net.sql")
    capture.check()
    return capture


@pytest.mark.parametrize("version", VERSIONS)
def test_what_a_step_is_made_of(version: int) -> None:
    made = Nvprof(version)
    made.range("train 1", 0, 1000, id=1)
    made.call(LAUNCH_KERNEL, 10, 16, 4362)
    made.call(MEMCPY_ASYNC, 20, 26, 4363)
    made.call(SYNCHRONIZE, 40, 900, 4364)
    made.kernel("_Z3addPfS_", 50, 650, 4362)
    copy = {"copyKind": 2, "srcKind": 3, "dstKind": 2, "flags": 1, "bytes": 8}
    made.on_device("MEMCPY", 660, 670, 4363, **copy)
    made.on_device("MEMSET", 680, 681, 4365, bytes=168, memoryKind=3)
    made.on_device("SYNCHRONIZATION", 41, 899, 4364, type=3)
    capture = opened(made)
    waits = [Shown("/device:GPU:0", "Stream #7 (waits)", "Stream Sync", 41, 858)]
    assert shown(capture) == [
        Shown("/host:CPU", "thread 99", "train 1", 0, 1000),
        Shown("/host:CPU", "thread 99", "cudaLaunchKernel", 10, 6),
        Shown("/host:CPU", "thread 99", "cudaMemcpyAsync", 20, 6),
        Shown("/host:CPU", "thread 99", "cudaStreamSynchronize", 40, 860),
        Shown("/device:GPU:0", "Stream #7", "_Z3addPfS_", 50, 600),
        Shown("/device:GPU:0", "Stream #7", "Memcpy DtoH (Device -> Pinned)", 660, 10),
        Shown("/device:GPU:0", "Stream #7", "Memset (Device)", 680, 1),
        *(waits if version > 9 else []),
    ]
    assert (capture.format, capture.start_ns) == (Format.NVPROF, made.begin_ns)
    assert stats(capture, "Memcpy DtoH (Device -> Pinned)")["memcpy_details"] == (
        "kind_src:device kind_dst:pinned size:8 async:1"
    )
    found = launches_of(Timeline(capture, "h"))
    assert (found.device, found.unmatched_device, found.unmatched_host) == (3, 1, 0)
    assert capture.plane_values(1) == {
        "device_vendor": "Nvidia",
        "gpu_device_name": "Tesla V100-SXM2-16GB",
        "core_count": 80,
        "memory_size": 16_914_055_168,
        "memory_bandwidth": 898_048_000_000,
        "clock_rate": 1_530_000,
        "compute_cap_major": 7,
        "compute_cap_minor": 0,
    }


def test_names_of_calls() -> None:
    made = Nvprof(12)
    made.call(307, 0, 5, 1, table="DRIVER")
    made.call(9999, 6, 7, 2)
    assert [s.name for s in shown(opened(made))] == ["cuLaunchKernel", "runtime call 9999"]


def test_markers() -> None:
    """A mark, nested ranges, one without an end, an end without its begin; a thread whose number needs 32 bits."""
    made = Nvprof(12)
    made.range("outer", 0, 100, id=1, thread=3_590_305_536, domain="lib")
    made.range("inner", 10, 60, id=2, thread=3_590_305_536)
    made.marker(1, 20, 3, "here", thread=3_590_305_536)
    made.marker(2, 30, 4, "open", thread=5)
    made.marker(4, 40, 5)
    made.row("CUPTI_ACTIVITY_KIND_MARKER_DATA", id=1, category=4)
    made.call(MEMCPY_ASYNC, 12, 15, 9, thread=3_590_305_536)
    capture = opened(made)
    assert [tuple(s)[1:] for s in shown(capture)] == [
        ("thread 5", "open", 30, 70),
        ("thread 3590305536", "outer", 0, 100),
        ("thread 3590305536", "inner", 10, 50),
        ("thread 3590305536", "cudaMemcpyAsync", 12, 3),
        ("thread 3590305536", "here", 20, 0),
    ]
    assert (stats(capture, "outer"), stats(capture, "inner")) == ({"domain": "lib", "nvtx_category": 4}, {})
    assert capture.quality.dropped == {"end_without_begin": 1}
    assert capture.quality.warnings == (message("unclosed_events", n=1),)


def test_names_of_a_process_a_thread_and_a_stream() -> None:
    made = Nvprof(12)
    for kind, data, name in (
        (1, made.object(7), "python train.py"),
        (2, made.object(7, 99), "loader"),
        (5, made.object(0, 1)[:8] + (7).to_bytes(4, "little"), "compute"),
    ):
        made.row("CUPTI_ACTIVITY_KIND_NAME", objectKind=kind, objectId=data, name=made.text(name))
    made.call(LAUNCH_KERNEL, 0, 5, 1)
    made.kernel("k", 10, 20, 1)
    capture = opened(made)
    assert [s.track for s in shown(capture)] == ["loader", "compute (stream #7)"]
    assert capture.plane_values(0)["process_name"] == "python train.py"


def test_allocations() -> None:
    made = Nvprof(12)
    row = {"memoryKind": 3, "address": 64, "bytes": 512, "processId": 7, "deviceId": 0, "contextId": 1}
    made.row("CUPTI_ACTIVITY_KIND_MEMORY", start=made.begin_ns, end=made.begin_ns + 50, **row)
    assert [(s.name, s.start_ns) for s in shown(opened(made))] == [("MemoryAllocation", 0), ("MemoryDeallocation", 50)]


def test_what_ends_before_it_begins_is_an_instant() -> None:
    made = Nvprof(12)
    made.kernel("k", 20, 10, 1)
    capture = opened(made)
    assert [(s.start_ns, s.length_ns) for s in shown(capture)] == [(0, 0)]
    assert capture.quality.warnings == (message("negative_durations", n=1),)


def test_pyprof() -> None:
    """As apex's pyprof names calls around what emit_nvtx of PyTorch 1.4 names."""
    made = Nvprof(12)
    made.range("{'traceMarker': ['train.py:314', 'train.py:12']}", 0, 100, id=1)
    made.range("{'mod': 'torch.nn.functional', 'op': 'linear', 'args': [{'name': '', 'type': 'tensor'}]}", 5, 95, id=2)
    made.range("addmm, seq = 149", 10, 90, id=3)
    made.call(LAUNCH_KERNEL, 20, 30, 1)
    made.kernel("sgemm", 40, 60, 1)
    capture = opened(made)
    assert capture.format is Format.EMIT_NVTX
    assert [s.name for s in shown(capture)][:3] == ["train.py:12", "torch.nn.functional.linear", "addmm"]
    assert stats(capture, "train.py:12") == {"category": "user_annotation", "Call stack": "train.py:12;\ntrain.py:314"}
    assert stats(capture, "addmm") == {"category": "cpu_op", "Sequence number": 149}
    ops = ops_of(Timeline(capture, "h"))
    assert [ops.ops[i].name for i in ops.device.op.tolist()] == ["addmm"]


@pytest.mark.parametrize(("begin_ns", "known"), [(5_000, False), (10**18 - 10**6, False), (10**18, True)])
def test_which_times_count_from_the_epoch(begin_ns: int, known: bool) -> None:
    made = Nvprof(12, begin_ns=begin_ns)
    made.kernel("k", 0, 20, 1)
    assert (opened(made).start_ns is not None) is known


@pytest.mark.skipif(not REAL, reason="no ../shared/captures beside this checkout: real captures are not read")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.parent.name)
def test_real_ones_hold_what_sql_says(path: Path) -> None:
    capture = decode.read(str(path))
    capture.check()
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        database.text_factory = bytes
        ask = database.execute
        kernels = ask(
            "select s.value, k.start, k.end, k.registersPerThread, k.gridX, k.blockX from "
            "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL k join StringTable s on k.name = s._id_ order by k.start"
        ).fetchall()
        calls = Counter(dict(ask("select cbid, count(*) from CUPTI_ACTIVITY_KIND_RUNTIME group by 1").fetchall()))
        ranges = ask(
            "select a.timestamp, b.timestamp from CUPTI_ACTIVITY_KIND_MARKER a join CUPTI_ACTIVITY_KIND_MARKER b "
            "on a.id = b.id where a.flags = 2 and b.flags = 4"
        ).fetchall()
    database.close()
    if not kernels:
        assert len(capture.events) == 0
        return
    assert capture.start_ns is not None
    begin = capture.events.start_ps // 1000 + capture.start_ns
    end = begin + capture.events.duration_ps // 1000
    launched = capture.kernel_launches.events
    config = capture.kernel_launches.launches
    assert [
        (capture.event_name(row).encode(), int(begin[row]), int(end[row]),
         int(config.registers[at]), int(config.grid_x[at]), int(config.block_x[at]))
        for row, at in zip(launched.row.tolist(), launched.launch.tolist(), strict=True)
    ] == kernels  # fmt: skip
    names = Counter(capture.strings.texts(capture.events.name))
    assert all(names[RUNTIME_CALLS[i]] == n for i, n in calls.items())
    category = Timeline(capture, "h").stat("category")[0]
    marked = np.isin(category, [capture.strings.find(c) for c in ("cpu_op", "user_annotation")])
    assert sorted(zip(begin[marked].tolist(), end[marked].tolist(), strict=True)) == sorted(ranges)
