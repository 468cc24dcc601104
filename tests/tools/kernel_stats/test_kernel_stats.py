"""kernel_stats: whole tables of small captures, and invariants on every real one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import PlaneKind
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import A100, DETAILS, MI300, NS, ask, gpu, kernel, kernels_of, record, rows


def launched() -> Space:
    """Three kernels on a V100: the second waits for the first, the third for the host; a copy beside them."""
    space = Space()
    host = space.plane("/host:CPU").line(1, "thread 1")
    for id, begin in ((1, 0), (2, 1000), (3, 20_000), (4, 500)):
        host.event("cuLaunchKernel", begin * NS, 400 * NS, stats={"correlation_id": id})
    device = gpu(space)
    stream = device.line(7, "Stream #7(Compute)")
    op: dict[str, StatValue] = {"tf_op": "a/MatMul:MatMul"}
    kernel(stream, "volta_sgemm_128x64_nn", 2000, 5000, correlation_id=1, **op)
    kernel(stream, "volta_sgemm_128x64_nn", 6000, 10_000, correlation_id=2, **op)
    kernel(stream, "void add<float>(float*)", 22_000, 35_000, correlation_id=3, tf_op="b:AddV2")
    copy = "kind_src:pageable kind_dst:device size:16000 dest:0 async:1"
    device.line(9, "Stream #9(MemcpyH2D)").event(
        "MemcpyH2D", 4000 * NS, 4000 * NS, stats=[("correlation_id", 4), ("memcpy_details", copy)]
    )
    return space


#: 160 blocks of 8 warps on 80 multiprocessors.
_ON_EACH = {"achieved_percent": None, "blocks_per_sm": 2.0, "warps_per_sm": 16.0}


def test_the_kernels_of_a_small_capture() -> None:
    answer = ask(timeline(launched()))
    same = _ON_EACH | {
        "host": None,
        "device": None,
        "module": "",
        "grid": "160,1,1",
        "block": "256,1,1",
        "registers": 32,
        "static_shared_bytes": 1024,
        "dynamic_shared_bytes": 512,
        "shared_bytes": 1536,
        "occupancy_percent": 50.0,
        # 160 blocks; 80 multiprocessors of 2048 threads at 50 % hold 4 blocks of 256 each.
        "waves": 0.5,
        "suggested_block": None,
        "min_grid": None,
        "in_graph": False,
        **dict.fromkeys(("on_path_ms", "on_path_share", "slack_ms")),
    }
    assert record(answer, "kernels", 0) == same | {
        "rank": 1,
        "short_name": "add",
        "name": "void add<float>(float*)",
        "occurrences": 1,
        "total_us": 13.0,
        "average_us": 13.0,
        "min_us": 13.0,
        "max_us": 13.0,
        "share": 0.65,
        "cumulative_share": 0.65,
        "op_name": "b",
        "op_type": "AddV2",
        "tensor_core_eligible": False,
        "tensor_core_used": None,
        "precision": "32bit",
        "latency_us": 2.0,
        "queue_us": 0.0,
    }
    assert record(answer, "kernels", 1) == same | {
        "rank": 2,
        "short_name": "volta_sgemm_128x64_nn",
        "name": "volta_sgemm_128x64_nn",
        "occurrences": 2,
        "total_us": 7.0,
        "average_us": 3.5,
        "min_us": 3.0,
        "max_us": 4.0,
        "share": 0.35,
        "cumulative_share": 1.0,
        "op_name": "a/MatMul",
        "op_type": "MatMul",
        "tensor_core_eligible": True,
        "tensor_core_used": False,
        "precision": "32bit",
        # 2 µs and 5 µs; the second's call ended at 1.4 µs, and the first ran until 5 µs.
        "latency_us": 3.5,
        "queue_us": 1.8,
    }


def test_the_other_tables_of_a_small_capture() -> None:
    answer = ask(timeline(launched()))
    assert rows(answer, "names") == [
        ("add", None, None, 1, 1, 13.0, 13.0, 0.65, 0.65, None),
        ("volta_sgemm_128x64_nn", None, None, 1, 2, 7.0, 3.5, 0.35, 1.0, 0.0),
    ]
    assert record(answer, "copies") == {
        "kind": "H2D",
        "host": None,
        "device": None,
        "source": "pageable",
        "destination": "device",
        "async": True,
        "to_device": 0,
        "occurrences": 1,
        "total_us": 4.0,
        "average_us": 4.0,
        "min_us": 4.0,
        "max_us": 4.0,
        "share": 1.0,
        "cumulative_share": 1.0,
        "size_bytes": 16000,
        "average_size_bytes": 16000.0,
        "unsized": 0,
        "gb_s": 4.0,
        "bus_gb_s": 15.75,
        "bus_share": 0.253968,
        # From 4 to 5 and from 6 to 8 µs of its 4 µs.
        "compute_share": 0.75,
        "why_unknown": "",
    }
    assert rows(answer, "graphs") == []
    assert rows(answer, "durations") == [
        ("2 µs to 4 µs", 2.0, 4.0, 1, 0.333333, 3.0, 0.15),
        ("4 µs to 8 µs", 4.0, 8.0, 1, 0.333333, 4.0, 0.2),
        ("8 µs to 16 µs", 8.0, 16.0, 1, 0.333333, 13.0, 0.65),
    ]
    volta = "NVIDIA Volta (compute capability 7.0)"
    about = ("h", "/device:GPU:0", "Nvidia", volta, volta, 80)
    assert rows(answer, "devices") == [(*about, 3, 20.0, 1, 4.0, 1.0, 6.666667, 0.666667, 0.0)]


def test_the_summary_and_findings_of_a_small_capture() -> None:
    answer = ask(timeline(launched()))
    assert answer.result.unknown == {}
    assert {k: round(v, 6) if isinstance(v, float) else v for k, v in answer.result.summary.items()} == {
        "kernels_rows": 2,
        "names_rows": 2,
        "copies_rows": 1,
        "graphs_rows": 0,
        "busy_device_count": 1,
        "kernel_count": 3,
        "kernel_ms": 0.02,
        "average_us": 6.666667,
        "short_kernel_share": 0.666667,
        "short_kernel_time_share": 0.35,
        "tensor_core_share": 0.0,
        "tensor_core_unknown_share": 0.65,
        "tensor_core_eligible_share": 0.35,
        "tensor_core_missed_ms": 0.007,
        "latency_p50_us": 2.0,
        "latency_p90_us": 5.0,
        "latency_p99_us": 5.0,
        "latency_count": 3,
        "clock_misfit_count": 0,
        "queue_p50_us": 0.0,
        "queue_p90_us": 3.6,
        "queue_p99_us": 3.6,
        "starved_share": 0.666667,
        "copy_count": 1,
        "copy_ms": 0.004,
        "copied_bytes": 16000,
        "graph_kernel_share": 0.0,
        "graph_only_ms": 0.0,
    }
    assert [(f.severity, f.code, f.title) for f in answer.result.findings] == [
        (
            "warning",
            "tensor_cores_missed",
            "Matrix products and convolutions take 7 µs (35 % of kernel time) without tensor cores",
        ),
        ("info", "kernel_takes_most", "add takes 65 % of GPU kernel time: 13 µs"),
    ]


def test_a_kernel_of_two_ops_or_two_launches_is_two_rows() -> None:
    """The occupancy is not part of what tells launches apart, nor is the form of the text."""
    space = Space()
    line = gpu(space).line(7, "Stream #7(Compute)")
    kernel(line, "k", 0, 1000, tf_op="a:A")
    kernel(line, "k", 1000, 2000, tf_op="b:B")
    kernel(line, "k", 2000, 5000, tf_op="a:A", kernel_details=DETAILS.replace("occ_pct:50", "occ_pct:51"))
    kernel(line, "k", 5000, 9000, tf_op="a:A", kernel_details=DETAILS.replace(" ", "\n"))
    kernel(line, "k", 9000, 9500, tf_op="a:A", kernel_details="regs:32 grid:8,2,1 block:64,1,1")
    kernel(line, "k", 9500, 9700, tf_op="a:A", cuda_graph_id=5)
    assert rows(ask(timeline(space)), "kernels", "op_name", "grid", "occurrences", "total_us", "in_graph") == [
        ("a", "160,1,1", 3, 8.0, False),
        ("b", "160,1,1", 1, 1.0, False),
        ("a", "8,2,1", 1, 0.5, False),
        ("a", "160,1,1", 1, 0.2, True),
    ]


def test_hosts_and_devices_are_summed_or_kept_apart() -> None:
    """The reference leaves the same kernel of two hosts as two rows."""
    space = Space()
    for ordinal in range(2):
        kernel(gpu(space, ordinal=ordinal).line(7, "Stream #7(Compute)"), "k", 0, 1000 * (1 + ordinal))
    both = [timeline(space, "h1"), timeline(space, "h2")]
    columns = ("host", "device", "occurrences", "total_us", "cumulative_share")
    assert rows(ask(*both), "kernels", *columns) == [(None, None, 4, 6.0, 1.0)]
    assert rows(ask(*both, by="host"), "kernels", *columns) == [("h1", None, 2, 3.0, 0.5), ("h2", None, 2, 3.0, 1.0)]
    assert rows(ask(*both, by="device"), "kernels", *columns) == [
        ("h1", "/device:GPU:1", 1, 2.0, 0.333333),
        ("h2", "/device:GPU:1", 1, 2.0, 0.666667),
        ("h1", "/device:GPU:0", 1, 1.0, 0.833333),
        ("h2", "/device:GPU:0", 1, 1.0, 1.0),
    ]
    assert len(rows(ask(*both, by="device"), "names")) == 4
    assert [row[-8] for row in rows(ask(*both), "devices")] == [1, 1, 1, 1]


def test_no_row_is_cut_unless_asked() -> None:
    """The reference stops at 1000, silently."""
    space = kernels_of(*(f"kernel_{i}" for i in range(1500)))
    answer = ask(timeline(space))
    assert len(rows(answer, "kernels")) == len(rows(answer, "names")) == 1500
    cut = ask(timeline(space), limit="10")
    assert len(rows(cut, "kernels")) == len(rows(cut, "names")) == 10
    assert (cut.result.summary["kernels_rows"], cut.result.summary["names_rows"]) == (1500, 1500)
    assert cut.result.summary["kernel_ms"] == answer.result.summary["kernel_ms"]


def test_a_kernel_without_details_or_op_is_a_kernel() -> None:
    """The reference knows only those with details."""
    space = Space()
    gpu(space).line(7, "Stream #7(Compute)").event("k", 0, 1000 * NS)
    row = record(ask(timeline(space)), "kernels")
    assert {key: value for key, value in row.items() if value is not None} == {
        "rank": 1,
        "short_name": "k",
        "name": "k",
        "occurrences": 1,
        "total_us": 1.0,
        "average_us": 1.0,
        "min_us": 1.0,
        "max_us": 1.0,
        "share": 1.0,
        "cumulative_share": 1.0,
        "in_graph": False,
    }


def test_the_collectors_own_occupancy_comes_first() -> None:
    space = kernels_of(
        "k", theoretical_occupancy_pct=75.0, occupancy_min_grid_size=160, occupancy_suggested_block_size=512
    )
    columns = ("occupancy_percent", "waves", "min_grid", "suggested_block")
    assert rows(ask(timeline(space)), "kernels", *columns) == [(75.0, round(160 / (6 * 80), 6), 160, 512)]


def test_a_kernel_before_its_call_has_no_latency() -> None:
    space = Space()
    host = space.plane("/host:CPU").line(1, "t")
    host.event("cuLaunchKernel", 5000 * NS, 100 * NS, stats={"correlation_id": 1})
    kernel(gpu(space).line(7, "Stream #7(Compute)"), "k", 4000, 6000, correlation_id=1)
    answer = ask(timeline(space))
    assert rows(answer, "kernels", "latency_us", "queue_us") == [(None, None)]
    assert (answer.result.summary["clock_misfit_count"], answer.result.summary["latency_count"]) == (1, 0)
    assert "clocks_disagree" in [finding.code for finding in answer.result.findings]


def test_before_volta_there_are_no_tensor_cores_to_miss() -> None:
    old: dict[str, StatValue] = {"device_vendor": "Nvidia", "core_count": 56, "compute_cap_major": 6}
    answer = ask(timeline(kernels_of("maxwell_sgemm_128x64_nn", stats=old, tf_op="a:MatMul")))
    assert rows(answer, "kernels", "tensor_core_eligible", "tensor_core_used") == [(True, False)]
    assert answer.result.summary["tensor_core_missed_ms"] == 0


def test_amd_names_and_details() -> None:
    space = Space()
    line = gpu(space, MI300).line(16, "Stream #16(Kernel)")
    text = " grid:4,64,1 block:256,1,1 private_mem:0 group_mem:8704 occ_pct:0"
    tensile = "Cijk_Ailk_Bljk_BBS_BH_MT256x128x32_MI16x16x16x1_SN_1LDSB1"
    kernel(line, f"{tensile}.kd", 0, 1000, kernel_details=text, tf_op="jit(f)/dot_general:")
    row = record(ask(timeline(space)), "kernels")
    assert (row["name"], row["short_name"]) == (tensile, "Cijk_Ailk_Bljk_BBS_BH_MT256x128x32")
    assert (row["tensor_core_eligible"], row["tensor_core_used"], row["precision"]) == (True, True, "16bit")
    assert (row["shared_bytes"], row["registers"], row["occupancy_percent"]) == (8704, None, None)


@pytest.mark.parametrize(
    ("planes", "code", "why"),
    [
        (["/host:CPU"], "no_gpu", "this capture holds no GPU: it is of a CPU alone, or GPUs were not traced"),
        (["/device:TPU:0"], "no_gpu", "this capture holds no GPU: its devices are TPUs"),
        (["/device:GPU:0"], "no_gpu_work", "nothing ran on the device of this capture while it was taken"),
        (
            ["/device:GPU:0", "/device:GPU:1"],
            "no_gpu_work",
            "nothing ran on any of the 2 devices of this capture while it was taken",
        ),
    ],
)
def test_what_has_no_kernel_says_why(planes: list[str], code: str, why: str) -> None:
    space = Space()
    for name in planes:
        space.plane(name).line(1, "x")
    t = timeline(space)
    answer = ask(t)
    elsewhere = "; what ran is on the page of ops" if code == "no_gpu" else ""
    assert find_tool("kernel_stats").missing(t) == why + elsewhere
    assert answer.result.unknown["kernel_ms"] == why
    assert (answer.result.findings[0].code, answer.result.findings[0].title) == (code, why[0].upper() + why[1:])
    assert all(not rows(answer, name) for name in ("kernels", "names", "copies", "graphs", "durations"))


def test_launches_without_kernels_are_reported() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    line.event("cuLaunchKernel", 0, 100, stats={"correlation_id": 1})
    space.plane("/device:GPU:0")
    assert "not allowed to trace" in (find_tool("kernel_stats").missing(timeline(space)) or "")


def gpu_captures(files: list[Path]) -> list[Path]:
    return [p for p in files if any(part in str(p) for part in ("gpu", "rocm", "two_hosts"))]


def test_real_captures_add_up(xplane_files: list[Path]) -> None:
    """Recomputed event by event: what has a kernel's details, and what copies say they moved."""
    files = gpu_captures(xplane_files)
    assert len(files) > 2
    for path in files:
        t = Timeline(decode.read(str(path)), "h")
        answer = ask(t)
        table = {k: np.array(v) for k, v in answer.to_dict()["tables"]["kernels"]["columns"].items()}
        count, total, moved = Counter[str](), Counter[str](), 0
        capture = t.capture
        on_gpu = capture.planes.kind[capture.tracks.plane[capture.events.track]] == PlaneKind.GPU
        for row in np.flatnonzero(on_gpu).tolist():
            stats = dict(reversed(capture.event_values(row)))
            # The samples' all-reduces have no details.
            if "kernel_details" in stats or capture.event_name(row).startswith("nccl"):
                count[capture.event_name(row)] += 1
                total[capture.event_name(row)] += int(capture.events.duration_ps[row])
            if isinstance(copy := stats.get("memcpy_details"), str):
                moved += int(copy.partition("size:")[2].split()[0])
        assert table["occurrences"].sum() == sum(count.values()) == answer.result.summary["kernel_count"], path
        assert table["total_us"].sum() == pytest.approx(sum(total.values()) / 1e6), path
        assert table["share"].sum() == pytest.approx(1), path
        assert table["cumulative_share"][-1] == pytest.approx(1), path
        assert (answer.result.summary["copied_bytes"] or 0) == moved, path
        assert sum(row[5] for row in rows(answer, "durations")) == pytest.approx(table["total_us"].sum(), rel=1e-5)


@pytest.mark.slow
def test_kinds_are_read_by_their_own(xplane_files: list[Path]) -> None:
    """Sums by device are the same as those of everything."""
    for path in gpu_captures(xplane_files):
        t = Timeline(decode.read(str(path)), "h")
        whole, apart = ask(t), ask(t, by="device")
        for table in ("kernels", "names", "copies"):
            columns = ("occurrences", "total_us")
            sums = [np.array(rows(a, table, *columns) or [(0, 0)]).sum(axis=0) for a in (whole, apart)]
            assert sums[0] == pytest.approx(sums[1]), (path, table)


def test_sums_that_another_profiler_made() -> None:
    """TensorFlow of 2020 wrote a kernel's sums beside the capture; nothing is known of single executions."""
    space = Space()
    stats: dict[str, StatValue] = {
        "kernel_details": DETAILS,
        "min_duration_ps": 2_000_000,
        "max_duration_ps": 6_000_000,
        "tf_op": "a/MatMul:MatMul",
    }
    line = gpu(space).line(1, "Kernels as TensorFlow summed them up")
    line.event("volta_sgemm_128x64_nn", duration_ps=12_000_000, occurrences=3, stats=stats)
    line.event("k", duration_ps=4_000_000, occurrences=2, stats={"kernel_details": DETAILS})
    answer = ask(timeline(space))
    columns = ("name", "op_type", "occurrences", "total_us", "average_us", "min_us", "max_us", "latency_us", "in_graph")
    assert rows(answer, "kernels", *columns) == [
        ("volta_sgemm_128x64_nn", "MatMul", 3, 12.0, 4.0, 2.0, 6.0, None, None),
        ("k", None, 2, 4.0, 2.0, None, None, None, None),
    ]
    assert rows(answer, "devices", "kernels", "copies", "copy_us") == [(5, None, None)]
    assert answer.result.summary["kernel_count"] == 5
    unknown = answer.result.unknown
    assert unknown["short_kernel_share"] == unknown["copy_count"] == unknown["graph_kernel_share"]
    assert unknown["copied_bytes"] == unknown["latency_p50_us"] == "the file holds only sums over kernels"
    assert rows(answer, "durations") == []


def test_an_op_of_which_a_kernel_uses_them_is_eligible_whatever_its_type() -> None:
    """Seen: attention of a library of kernels, `te_fused_attn_forward_ffi`, 54 % of the time."""
    space = Space()
    stream = gpu(space, A100).line(7, "Stream #7(Compute)")
    kernel(stream, "cudnn_generated_fort_native_sdpa_flash_fprop", 0, 6000, tf_op="jit(f)/fused_attn_ffi:")
    kernel(stream, "populate_rng_state_kernel", 6000, 7000, tf_op="jit(f)/fused_attn_ffi:")
    kernel(stream, "loop_add_fusion", 7000, 10_000, tf_op="jit(f)/add:")
    answer = ask(timeline(space))
    assert rows(answer, "kernels", "total_us", "tensor_core_eligible", "tensor_core_used") == [
        (6.0, True, True),
        (3.0, False, False),
        (1.0, True, None),
    ]
    assert answer.result.summary["tensor_core_eligible_share"] == 0.7
    assert answer.result.summary["tensor_core_missed_ms"] == 0


def test_what_a_file_of_sums_says_of_an_op_counts_where_its_name_does_not_tell() -> None:
    space = Space()
    line = gpu(space).line(1, "Kernels as TensorFlow summed them up")
    for name, op, recorded in (("a", "model/MatMul_1", 0), ("b", "model/my_product", 1), ("c", "", 0), ("d", "", None)):
        stats: dict[str, StatValue] = {"kernel_details": DETAILS, "tf_op": op}
        if recorded is not None:
            stats["is_op_tensor_core_eligible"] = recorded
        line.event(name, duration_ps=1_000_000, occurrences=1, stats=stats)
    assert rows(ask(timeline(space)), "kernels", "name", "tensor_core_eligible") == [
        ("a", True),
        ("b", True),
        ("c", False),
        ("d", None),
    ]
