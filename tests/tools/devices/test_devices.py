"""Devices of which no capture is at hand, H100, B200, MI300X, TPU v5e: built as collectors write, whole answers."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tensorboard_perfplugin.tools.declaration import Result
from tests.build_capture import Ref, StatValue, Uint
from tests.build_program import computation, instruction, program, shape, tuple_of
from tests.timeline.timelines import timeline
from tests.tools.collectors import B200, H100, MI300X, Cuda, Rocm, Tpu, details, put, steps, xla

US, MS = 1000, 1_000_000
NVJET = "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT"
SPLIT_K = "void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16>(cublasLt::Params)"
NCCL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
V5E: dict[str, StatValue] = {
    "device_type_string": "TPU v5 lite",
    "peak_teraflops_per_second": 197.0,
    "peak_hbm_bw_gigabytes_per_second": 819.0,
}


def result(t: Timeline, tool: str) -> Result:
    found = find_tool(tool)
    assert found is not None
    options = found.parse({})
    return found.combine([found.per_host(t, options)], options)


def rows(found: Result, table: str, *columns: str) -> list[tuple[Any, ...]]:
    cells = zip(*(found.tables[table][c] for c in columns), strict=True)
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in cells]


def scalars(found: Result, *names: str) -> dict[str, Any]:
    return {n: round(v, 6) if isinstance(v := found.summary[n], float) else v for n in names}


def titles(found: Result) -> list[str]:
    return [f.title for f in found.findings]


def trained() -> Timeline:
    """Eight H100s, four steps of 2 ms. GPU g begins 20·g µs late and multiplies 10·g µs longer than the first."""
    cuda = Cuda(H100, 8)
    begins = [MS + i * 2 * MS for i in range(4)]
    for begin in begins:
        for g in range(8):
            call = begin + (10 + 20 * g) * US
            gemm = call + 8 * US
            ended, meets = gemm + (700 + 10 * g) * US, begin + 1500 * US
            dot = xla("jit_train", 7, "custom-call.1", "jit(train)/transpose(jvp(mlp))/dot_general")
            cuda.launch(g, 13, NVJET, (call, call + 4 * US), (gemm, ended), annotation=dot)
            splitk, whole = details("4096,1,1", "256,1,1", 100, 32), details("16384,1,1", "128,1,1", 100, 32)
            then = (ended + US, ended + 11 * US)
            cuda.launch(g, 13, SPLIT_K, (call + 5 * US, call + 8 * US), then, splitk, dot, 100.0)
            few = details("24,1,1", "512,1,1", 25, 96)
            reduce = xla("jit_train", 7, "all-reduce-start.1", "jit(train)/psum")
            cuda.launch(g, 20, NCCL, (call + 9 * US, call + 12 * US), (gemm + 300 * US, meets), few, reduce, 25.0)
            add = xla("jit_train", 7, "loop_add_fusion", "jit(train)/sgd/add")
            last = (meets + 2 * US, meets + 52 * US)
            cuda.launch(g, 13, "loop_add_fusion", (call + 13 * US, call + 15 * US), last, whole, add, 100.0)
    told: dict[str, StatValue] = {"Hlo Proto": step(), "program_id": 7}
    cuda.space.plane("/host:metadata").kind("jit_train(7)", stats=told)
    steps(cuda.space, [(begin, begin + 1900 * US) for begin in begins])
    return timeline(cuda.space)


def step() -> bytes:
    """w = w + all-reduce(x · w), of 4096 × 4096 bfloat16; cuBLAS multiplies and has 32 MiB to work in."""
    square = shape("bf16", 4096, 4096)
    dims = '{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["0"]}'
    config = f'{{"gemm_backend_config":{{"alpha_real":1,"beta":0,"dot_dimension_numbers":{dims}}}}}'
    multiplied = tuple_of(square, shape("u8", 1 << 25))
    scalars = [instruction(i, f"p{i}", "parameter", shape("f32")) for i in (1, 2)]
    sides = [instruction(i, f"p{i}", "parameter", square) for i in (1, 2)]
    return program(
        computation(3, [*scalars, instruction(3, "s", "add", shape("f32"), (1, 2))]),
        computation(4, [*sides, instruction(3, "c", "add", square, (1, 2))]),
        computation(
            9,
            [
                instruction(10, "x", "parameter", square),
                instruction(11, "w", "parameter", square),
                instruction(
                    12, "custom-call.1", "custom-call", multiplied, (10, 11), target="__cublas$lt$matmul", config=config
                ),
                instruction(13, "get-tuple-element.1", "get-tuple-element", square, (12,)),
                instruction(14, "all-reduce-start.1", "all-reduce-start", square, (13,), calls=(3,)),
                instruction(15, "all-reduce-done.1", "all-reduce-done", square, (14,)),
                instruction(16, "loop_add_fusion", "fusion", square, (15, 11), calls=(4,)),
            ],
        ),
        entry=9,
        name="jit_train",
    )


TIMES = ("occurrences", "total_us", "min_us", "max_us", "latency_us", "queue_us")


def test_kernels_of_eight_gpus() -> None:
    """Each of four kernels runs 4 × 8 times; GPU g multiplies for 700 + 10·g µs and reduces from 318 + 20·g to 1500."""
    found = result(trained(), "kernel_stats")
    assert rows(found, "kernels", "short_name", "op_name", *TIMES) == [
        (NCCL.partition("(")[0], "jit(train)/psum", 32, 35584.0, 1042.0, 1182.0, 299.0, 0.0),
        (NVJET, "jit(train)/transpose(jvp(mlp))/dot_general", 32, 23520.0, 700.0, 770.0, 8.0, 0.0),
        # Its call ended 13 + 20·g µs into the step, after the others' on its stream began at 1 ms + 502 µs.
        ("loop_add_fusion", "jit(train)/sgd/add", 32, 1600.0, 50.0, 50.0, 1409.0, 739.0),
        ("splitKreduce_kernel", "jit(train)/transpose(jvp(mlp))/dot_general", 32, 320.0, 10.0, 10.0, 739.0, 735.0),
    ]
    assert rows(found, "kernels", "tensor_core_eligible", "tensor_core_used", "occupancy_percent", "waves") == [
        (False, False, 25.0, 0.181818),
        # 132 multiprocessors of 2048 threads hold one block of 384 each at 18.75 %.
        (True, True, 18.75, 1.0),
        (False, False, 100.0, 7.757576),
        (True, False, 100.0, 3.878788),
    ]
    # Of g: 4 × (700 + 10·g + 10 + 50 + 1182 − 20·g) µs.
    kernel_us = [4.0 * (1942 - 10 * g) for g in range(8)]
    assert rows(found, "devices", "device", "kernels", "kernel_us", "share", "tensor_core_share") == [
        (f"/device:GPU:{g}", 16, us, round(us / 61_024, 6), round(4 * (700 + 10 * g) / us, 6))
        for g, us in enumerate(kernel_us)
    ]
    assert scalars(found, "kernel_count", "kernel_ms", "tensor_core_share", "tensor_core_unknown_share") == {
        "kernel_count": 128,
        "kernel_ms": 61.024,
        "tensor_core_share": round(23.52 / 61.024, 6),
        "tensor_core_unknown_share": 0.0,
    }


def test_ops_of_eight_gpus() -> None:
    """An instruction of two kernels ran once a step and GPU; where two streams run, each has half of the time."""
    found = result(trained(), "op_stats")
    columns = ("name", "type", "module", "occurrences", "kernels", "total_us", "self_us")
    assert rows(found, "ops", *columns) == [
        # 400 + 10·g µs beside the product, of which half is its own, and 10 beside the sum of products.
        ("jit(train)/psum", "psum", "jit_train", 32, 32, 35584.0, 28464.0),
        ("jit(train)/transpose(jvp(mlp))/dot_general", "dot_general", "jit_train", 32, 64, 23840.0, 16720.0),
        ("jit(train)/sgd/add", "add", "jit_train", 32, 32, 1600.0, 1600.0),
    ]
    n = 4096
    flops, moved = [n * n, 2 * n**3, n * n], [4 * n * n, 6 * n * n, 6 * n * n]
    times_s = [0.035584, 0.02384, 0.0016]
    assert rows(found, "ops", "gflop_s", "bytes", "bound_by") == [
        (round(32 * f / s / 1e9, 6), 32 * b, bound)
        for f, b, s, bound in zip(flops, moved, times_s, ("HBM", "Compute", "HBM"), strict=True)
    ]
    # 132 multiprocessors × 4096 FLOPs × 1.98 GHz; 2 × 2.619 GHz × 5120 bits.
    assert scalars(found, "peak_tflops", "peak_gb_s", "device_self_ms") == {
        "peak_tflops": 1070.53056,
        "peak_gb_s": 3352.32,
        "device_self_ms": 46.784,
    }


def test_a_collective_is_not_told_to_be_far_from_its_roofline() -> None:
    """It takes most time, at 2 % of the memory's rate: the way between devices holds it up."""
    [first, *_] = (f for f in result(trained(), "op_stats").findings if f.code == "op_takes_most")
    assert first.title == "jit(train)/psum takes 61 % of device op time: 28.5 ms"
    assert first.action.startswith("It exchanges data with other devices")
    others = [title.partition(" reaches ")[0] for title in titles(result(trained(), "op_stats")) if "roofline" in title]
    assert others == ["jit(train)/transpose(jvp(mlp))/dot_general"]


def test_steps_of_eight_gpus() -> None:
    """GPU g's all-reduce lasts 1182 − 20·g µs, of which the product hides 400 + 10·g and its sum 10."""
    found = result(trained(), "overview")
    assert scalars(found, "step_count", "step_time_ms", "device_idle_ms", "device_event_count") == {
        "step_count": 4,
        "step_time_ms": 2.0,
        # From the first call at 1 ms to the end of the last mark at 8.9 ms, on eight devices.
        "device_idle_ms": round(8 * 7.9 - 46.784, 6),
        "device_event_count": 128,
    }
    n = 4096
    assert scalars(found, "flop_utilization_share", "bandwidth_utilization_share") == {
        "flop_utilization_share": round((2 * n**3 + 2 * n * n) / (1070.53056e12 * 2e-3), 6),
        "bandwidth_utilization_share": round(16 * n * n / (3352.32e9 * 2e-3), 6),
    }
    pod = result(trained(), "pod_viewer")
    assert rows(pod, "workers", "device", "compute_16bit_ms", "compute_32bit_ms", "collective_ms", "work_ms") == [
        (f"GPU:{g}", round(0.75 + g / 100, 6), 0.01, c := round(0.772 - 0.03 * g, 6), round(2 - c, 6)) for g in range(8)
    ]
    assert scalars(pod, "straggler", "skew_ms", "worker_count") == {
        "straggler": "h/GPU:7",
        "skew_ms": 0.21,
        "worker_count": 8,
    }


def test_a_graph_traced_whole_is_no_kernel() -> None:
    """B200, a command buffer of XLA's: each launch is one event. A kernel follows on its stream."""
    cuda = Cuda(B200)
    for i in range(5):
        at = i * MS
        launch = cuda.call("cuGraphLaunch (CudaGraph:12)", 0, (at, at + 20 * US), cuda_graph_id=Uint(12))
        graph: dict[str, StatValue] = {"cuda_graph_id": Uint(12), "cuda_graph_exec_id": Uint(12)}
        ran = {**graph, **xla("jit_step", 3, "command_buffer")}
        cuda.ran(0, 13, "CudaGraphExec:12", (at + 30 * US, at + 830 * US), launch, ran)
        dot = xla("jit_step", 3, "custom-call.9", "jit(step)/dot_general")
        name = "nvjet_sm100_tst_256x256_64x4_2x1_2cta_h_bz_TNT"
        cuda.launch(0, 13, name, (at + 21 * US, at + 25 * US), (at + 840 * US, at + 940 * US), annotation=dot)
    t = timeline(cuda.space)
    kernels = result(t, "kernel_stats")
    assert rows(kernels, "graphs", "graph", "level", "launches", "kernels", "total_us") == [
        (12, "graph", 5, None, 4000.0)
    ]
    # Called at 21 to 25 µs, begun at 840 when the graph had ended at 830.
    assert rows(kernels, "kernels", "occurrences", "total_us", "in_graph", "latency_us", "queue_us") == [
        (5, 500.0, False, 819.0, 805.0)
    ]
    assert scalars(kernels, "graph_only_ms", "kernel_count", "graph_kernel_share") == {
        "graph_only_ms": 4.0,
        "kernel_count": 5,
        "graph_kernel_share": 0.0,
    }
    assert titles(kernels)[0] == "CUDA graphs were traced whole: 5 launches of 1 graph, 4 ms"
    assert rows(result(t, "op_stats"), "ops", "name", "occurrences", "self_us") == [
        ("command_buffer", 5, 4000.0),
        ("jit(step)/dot_general", 5, 500.0),
    ]


@pytest.mark.parametrize(
    ("call", "code"),
    [((100, 900), "launch_bound"), ((880, 900), "launch_bound"), ((100, 120), "kernels_start_late")],
)
def test_whether_the_host_launched_late_or_the_kernel_began_late(call: tuple[int, int], code: str) -> None:
    """Each step's kernel runs from 950 to 990 of 1,000 µs. A call of 800 µs and a late one were said to be in time: in
    captures of XLA's collectors gaps had no cause. Until a kernel's call returns a gap is the host's."""
    cuda = Cuda(H100)
    steps(cuda.space, [(i * MS, (i + 1) * MS) for i in range(4)])
    for i in range(4):
        begin, end = (i * MS + at * US for at in call)
        cuda.launch(0, 13, "k", (begin, end), (i * MS + 950 * US, i * MS + 990 * US), annotation=xla("f", 1, "fusion"))
    assert code in [finding.code for finding in result(timeline(cuda.space), "overview").findings]


def nodes(whole: bool) -> Timeline:
    """A graph of two kernels, a copy and a fill, four launches; with the launches' own events as well, or without."""
    cuda = Cuda(B200)
    for i in range(4):
        at = i * MS
        launch = cuda.call("cuGraphLaunch (CudaGraph:12)", 0, (at, at + 20 * US), cuda_graph_id=Uint(12))
        dot, add = (
            xla("jit_step", 3, op, f"jit(step)/{name}") for op, name in (("custom-call.9", "dot"), ("f", "add"))
        )
        cuda.node(0, 13, "nvjet_sm100_tst_256x256", (at + 30 * US, at + 330 * US), launch, 12, 1001, **dot)
        cuda.node(0, 13, "loop_add_fusion", (at + 331 * US, at + 381 * US), launch, 12, 1002, **add)
        for node, name, text, begin, end in (
            (1003, "MemcpyD2D", "kind_src:device kind_dst:device size:40000000 dest:0 async:1", 441, 461),
            (1004, "Memset 3", "kind:device num_bytes:1000000 async:1", 470, 475),
        ):
            key = "Memset_details" if "Memset" in name else "memcpy_details"
            of: dict[str, StatValue] = {"cuda_graph_id": Uint(12), "cuda_graph_node_id": Uint(node), key: Ref(text)}
            cuda.ran(0, 13, name, (at + begin * US, at + end * US), launch, of)
        if whole:
            graph: dict[str, StatValue] = {"cuda_graph_id": Uint(12), "cuda_graph_exec_id": Uint(12)}
            cuda.ran(0, 15, "CudaGraphExec:12", (at + 30 * US, at + 475 * US), launch, graph)
    return timeline(cuda.space)


@pytest.mark.parametrize("whole", [False, True])
def test_nodes_of_a_graph_are_counted_once(whole: bool) -> None:
    """They have no launch latency: one call launches all of them."""
    found = result(nodes(whole), "kernel_stats")
    assert rows(found, "graphs", "graph", "level", "launches", "nodes", "kernels", "total_us") == [
        (12, "node", 4, 4, 8, 1500.0)
    ]
    assert rows(found, "kernels", "short_name", "occurrences", "total_us", "in_graph", "latency_us", "queue_us") == [
        ("nvjet_sm100_tst_256x256", 4, 1200.0, True, None, None),
        ("loop_add_fusion", 4, 200.0, True, None, None),
    ]
    assert rows(found, "copies", "kind", "occurrences", "total_us", "gb_s", "bus_gb_s") == [
        # Within a device a copy reads and writes: half of 2 × 3.996 GHz × 8192 bits.
        ("D2D", 4, 80.0, 2000.0, 4091.904),
        ("fill", 4, 20.0, 200.0, 8183.808),
    ]
    assert scalars(found, "kernel_count", "kernel_ms", "graph_kernel_share", "graph_only_ms") == {
        "kernel_count": 8,
        "kernel_ms": 1.4,
        "graph_kernel_share": 1.0,
        "graph_only_ms": 0.0,
    }


def test_copies_of_every_kind() -> None:
    """Each takes 1 ms. CUPTI's residency and faults are no work; a migration has no size."""
    cuda = Cuda(H100, 2)
    kinds = [
        ("MemcpyH2D", "pageable", "device", 12_600_000, 0),
        ("MemcpyH2D", "pinned", "device", 50_400_000, 0),
        ("MemcpyD2H", "device", "pinned", 25_200_000, 0),
        ("MemcpyD2D", "device", "device", 838_080_000, 0),
        ("MemcpyP2P", "device", "device", 300_000_000, 1),
        ("MemcpyOther", "array", "array", 10_000_000, 0),
    ]
    at = 0
    for name, source, to, size, device in kinds:
        text = f"kind_src:{source} kind_dst:{to} size:{size} dest:{device} async:1"
        cuda.copy(0, 20, name, (at, at + 5 * US), (at + 10 * US, at + 10 * US + MS), text)
        at += 2 * MS
    fill = cuda.call("cuMemsetD32Async", 0, (at, at + 2 * US))
    text = "kind:device num_bytes:1676160000 async:1"
    cuda.ran(0, 20, "Memset 3", (at + 10 * US, at + 10 * US + MS), fill, {"Memset_details": Ref(text)})
    managed = cuda.planes[0].line(0x10000001, "Stream #268435457(UnifiedMemory)")
    put(managed, "UM_BYTES_TRANSFER_HTOD", (at + 2 * MS, at + 3 * MS), {})
    put(managed, "UM_GPU_PAGE_FAULT", (at + 2 * MS, at + 5 * MS), {})
    residency = "kind:device num_bytes:4096 addr:0x00007f0000000000"
    put(cuda.stream(0, 0), "Memory device", (0, at), {"MemoryResidency_details": Ref(residency)})
    found = result(timeline(cuda.space), "kernel_stats")
    columns = ("kind", "source", "destination", "to_device", "gb_s", "bus_share")
    assert sorted(rows(found, "copies", *columns), key=str) == sorted(
        [
            # PCIe 5.0 ×16 carries 63 GB/s; the memory 3352.32, of which a copy has half.
            ("H2D", "pageable", "device", 0, 12.6, 0.2),
            ("H2D", "pinned", "device", 0, 50.4, 0.8),
            ("D2H", "device", "pinned", 0, 25.2, 0.4),
            ("D2D", "device", "device", 0, 838.08, 0.5),
            ("P2P", "device", "device", 1, 300.0, None),
            ("D2D", "array", "array", 0, 10.0, 0.005966),
            ("fill", None, "device", None, 1676.16, 0.5),
            ("H2D", None, None, None, None, None),
        ],
        key=str,
    )
    assert scalars(found, "kernel_count", "copy_count", "copy_ms", "copied_bytes") == {
        "kernel_count": 0,
        "copy_count": 8,
        "copy_ms": 8.0,
        "copied_bytes": sum(size for *_, size, _ in kinds) + 1_676_160_000,
    }
    ops = result(timeline(cuda.space), "op_stats")
    assert scalars(ops, "device_self_ms", "device_op_rows") == {"device_self_ms": 8.0, "device_op_rows": 7}


def test_two_mi300x() -> None:
    """ROCm's collector tells no registers and no occupancy, and calls device g agent g + 2."""
    rocm = Rocm(2)
    tensile = "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB1_AFC1"
    rccl = "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"
    for i in range(3):
        for g in range(2):
            at = i * 3 * MS + g * 50 * US
            dot, reduce = (xla("jit_step", 9, op, f"jit(step)/{op}") for op in ("dot_general", "psum"))
            rocm.launch(g, 1, tensile, (at, at + 5 * US), (at + 15 * US, at + 815 * US), "219,40,1", dot)
            odo = "_ZN5aiter23fmha_bwd_hd128_odo_bf16E"
            rocm.launch(g, 1, odo, (at + 6 * US, at + 9 * US), (at + 816 * US, at + 866 * US), "32,64,1", {})
            rocm.launch(
                g, 2, rccl, (at + 13 * US, at + 14 * US), (at + 700 * US, i * 3 * MS + 1500 * US), "56,1,1", reduce
            )
    steps(rocm.space, [(i * 3 * MS, i * 3 * MS + 2500 * US) for i in range(3)])
    t = timeline(rocm.space)
    kernels = result(t, "kernel_stats")
    columns = (
        "short_name",
        "occurrences",
        "total_us",
        "tensor_core_used",
        "grid",
        "shared_bytes",
        "waves",
        "latency_us",
    )
    assert rows(kernels, "kernels", *columns) == [
        (tensile.partition("_MI")[0], 6, 4800.0, True, "219,40,1", 8704, None, 15.0),
        ("ncclDevKernel_Generic_4", 6, 4650.0, False, "56,1,1", 8704, None, 687.0),
        ("fmha_bwd_hd128_odo_bf16", 6, 300.0, False, "32,64,1", 8704, None, 810.0),
    ]
    assert rows(kernels, "devices", "device", "architecture", "kernels", "kernel_us") == [
        ("/device:GPU:0", "AMD CDNA 3 (gfx942)", 9, 4950.0),
        ("/device:GPU:1", "AMD CDNA 3 (gfx942)", 9, 4800.0),
    ]
    # 304 compute units × 2048 FLOPs × 2.1 GHz; 2 × 1.3 GHz × 8192 bits.
    ops = result(t, "op_stats")
    assert scalars(ops, "peak_tflops", "peak_gb_s") == {"peak_tflops": 1307.4432, "peak_gb_s": 5325}
    assert rows(ops, "ops", "name", "occurrences", "total_us") == [
        ("jit(step)/dot_general", 6, 4800.0),
        ("jit(step)/psum", 6, 4650.0),
        ("aiter::fmha_bwd_hd128_odo_bf16", 6, 300.0),
    ]
    # Of each: from the end of its own kernels at 866 + 50·g µs, and 1 µs between them, to 1500.
    pod = result(t, "pod_viewer")
    assert rows(pod, "workers", "device", "collective_ms", "compute_16bit_ms") == [
        ("GPU:0", 0.635, 0.85),
        ("GPU:1", 0.585, 0.85),
    ]


def pod_of_four() -> Timeline:
    """v5e: chip d multiplies for 10 + 0.1·d ms, then waits for a copy, adds, meets the others at 14 ms, and gathers."""
    tpu = Tpu(V5E, 4)
    square = "bf16[8192,8192]{1,0:T(8,128)(2,1)}"
    for d in range(4):
        dot = tpu.kind(
            d,
            f"%fusion.1 = {square} fusion({square} %p0, {square} %p1), kind=kOutput, calls=%fused_computation.1",
            "convolution fusion",
            flops=2 * 8192**3,
            bytes_accessed=6 * 8192**2,
            tf_op="jit(step)/transpose(jvp(mlp))/dot_general:",
        )
        pair = "(bf16[1024,1024]{1,0:S(1)}, bf16[1024,1024]{1,0}, u32[]{:S(2)})"
        start = tpu.kind(d, f"%copy-start.2 = {pair} copy-start(bf16[1024,1024]{{1,0}} %p2)", "copy-start")
        done = tpu.kind(d, f"%copy-done.2 = bf16[1024,1024]{{1,0:S(1)}} copy-done({pair} %copy-start.2)", "copy-done")
        reduce = f"%async-collective-start = ({square}, {square}) fusion({square} %fusion.1), kind=kCustom, calls=%a.1"
        begun = tpu.kind(d, reduce, "custom fusion", tf_op="jit(step)/psum:")
        reduced = f"%async-collective-done = {square} fusion(({square}, {square}) %s), kind=kCustom, calls=%a.2"
        ended = tpu.kind(d, reduced, "custom fusion", tf_op="jit(step)/psum:")
        gather = f"%all-gather.4 = {square} all-gather(bf16[2048,8192]{{1,0}} %x), dimensions={{0}}"
        gathered = tpu.kind(d, gather, "all-gather", flops=0, bytes_accessed=2 * 8192**2, tf_op="jit(step)/all_gather:")
        add = tpu.kind(
            d,
            "%loop_fusion.5 = f32[8192,8192]{1,0} fusion(f32[8192,8192]{1,0} %y), kind=kLoop, calls=%f5",
            "loop fusion",
            flops=8192**2,
            bytes_accessed=8 * 8192**2,
            tf_op="jit(step)/add:",
        )
        long = 10 * MS + d * 100 * US
        wait = 14 * MS - (3 * US + long + 500 * US + MS)
        ops = [
            (start, US),
            (begun, 2 * US),
            (dot, long),
            (done, 500 * US),
            (add, MS),
            (ended, wait),
            (gathered, 2 * MS),
        ]
        for i in range(4):
            tpu.step(d, 10 + i, (i * 20 * MS, i * 20 * MS + 19 * MS), ops)
    tpu.space.plane("/host:metadata").kind("jit_step(77)")
    return timeline(tpu.space)


def test_ops_of_four_tpus() -> None:
    found = result(pod_of_four(), "op_stats")
    columns = ("name", "type", "module", "occurrences", "self_us", "wait_share")
    # 16 × 10.15 ms multiplied; of the collective 2 µs start it and the rest waits.
    assert rows(found, "ops", *columns) == [
        ("jit(step)/transpose(jvp(mlp))/dot_general", "dot_general", "jit_step", 16, 162_400.0, 0.0),
        ("jit(step)/psum", "psum", "jit_step", 16, 37_584.0, round(37_552 / 37_584, 6)),
        ("jit(step)/all_gather", "all_gather", "jit_step", 16, 32_000.0, 0.0),
        ("jit(step)/add", "add", "jit_step", 16, 16_000.0, 0.0),
        ("copy-done.2", "copy-done", "jit_step", 16, 8000.0, 1.0),
        ("copy-start.2", "copy-start", "jit_step", 16, 16.0, 0.0),
    ]
    n = 8192
    rates = dict(zip(found.tables["ops"]["name"], rows(found, "ops", "gflop_s", "roof_share"), strict=True))
    rate = 32 * n**3 / 0.1624
    assert rates["jit(step)/transpose(jvp(mlp))/dot_general"] == (round(rate / 1e9, 6), round(rate / 197e12, 6))
    assert rates["jit(step)/add"] == (round(n * n / 1e6, 6), round(8 * n * n / 1e-3 / 819e9, 6))
    assert not any("all_gather" in title for title in titles(found))


def test_steps_of_four_tpus() -> None:
    """A TPU's collectives in two fusions are collectives, though XLA's kind of them is `custom fusion`."""
    found = result(pod_of_four(), "pod_viewer")
    columns = ("device", "compute_16bit_ms", "compute_32bit_ms", "collective_ms", "copy_device_ms", "idle_ms")
    assert rows(found, "workers", *columns) == [
        (f"TPU:{d}", round(10 + d / 10, 6), 1.0, round(4.499 - d / 10, 6), 0.501, 4.0) for d in range(4)
    ]
    overview = result(pod_of_four(), "overview")
    # Of 79 ms four multiplications are the matrix unit's; of a step, of 20 ms, the addition counts as well.
    assert scalars(overview, "step_rule", "step_count", "mxu_utilization_share", "flop_utilization_share") == {
        "step_rule": "device_steps",
        "step_count": 4,
        "mxu_utilization_share": round(4 * 2 * 8192**3 / (197e12 * 0.079), 6),
        "flop_utilization_share": round((2 * 8192**3 + 8192**2) / (197e12 * 0.02), 6),
    }


@pytest.mark.parametrize(
    ("device", "architecture", "tflops", "gb_s"),
    [
        (H100, "NVIDIA Hopper (compute capability 9.0)", 1070.53056, 3352.32),
        (B200, "NVIDIA Blackwell (compute capability 10.0)", 2382.39744, 8183.808),
        ({**B200, "compute_cap_minor": 3}, "NVIDIA Blackwell (compute capability 10.3)", 2382.39744, 8183.808),
        (MI300X, "AMD CDNA 3 (gfx942)", 1307.4432, 5325),
    ],
)
def test_peaks_of_devices(device: dict[str, StatValue], architecture: str, tflops: float, gb_s: float) -> None:
    """Multiprocessors × FLOPs a cycle (4096, 8192; 2048 of a compute unit) × clock; 2 × memory clock × bus, 4 of HBM3
    on CDNA 3, of which ROCm's collector gives half.
    """
    found = result(timeline(Cuda(device).space), "overview")
    assert rows(found, "devices", "architecture", "peak_tflops", "bandwidth_gb_s") == [(architecture, tflops, gb_s)]
