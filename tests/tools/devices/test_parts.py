"""Chips of several cores, graphs on two streams, names relative to a prefix, copies that only details tell."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.kernels.rows import short_name
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Ref, Space, StatValue, Uint
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.collectors import B200, H100, MI300X, Cuda, Rocm, Tpu, put, xla
from tests.tools.devices.test_devices import result, rows, scalars

US, MS = 1000, 1_000_000
V5P: dict[str, StatValue] = {"device_type_string": "TPU v5p", "peak_teraflops_per_second": 459.0}


def sparse_cores(tensor_core: bool) -> Timeline:
    """Two chips: a TensorCore busy 6 of 10 ms a step, and two SparseCores, busy 2 ms; three steps."""
    space = Space(hostnames=["h"])
    space.plane("/host:CPU")
    for chip in range(2):
        cores = [("", "XLA", 6 * MS)] * tensor_core + [(f" SparseCore {i}", "Sparse Core", 2 * MS) for i in range(2)]
        for name, line, busy in cores:
            plane = space.plane(f"/device:TPU:{chip}{name}", stats=V5P)
            steps, ops = plane.line(1, "Steps" if line == "XLA" else "Sparse Core Steps"), plane.line(3, f"{line} Ops")
            kind = plane.kind("%fusion.1 = f32[8]{0} fusion(%a)", "fusion.1", {"hlo_category": "custom-call"})
            for i in range(3):
                put(steps, str(i), (i * 10 * MS, i * 10 * MS + 8 * MS), {"group_id": i})
                ops.event(kind, i * 10 * MS * 1000, busy * 1000)
    return timeline(space)


def test_a_sparse_core_is_part_of_its_chip() -> None:
    found = sparse_cores(tensor_core=True)
    overview, pods = result(found, "overview"), result(found, "pod_viewer")
    assert scalars(overview, "device_count", "device_idle_ms") == {"device_count": 2, "device_idle_ms": 2 * (28 - 18.0)}
    assert len(overview.tables["devices"]["device"]) == 6
    assert pods.summary["worker_count"] == 2


def test_sparse_cores_that_ran_alone_are_devices() -> None:
    assert result(sparse_cores(tensor_core=False), "overview").summary["device_count"] == 4


def graph(second_stream: int) -> Timeline:
    """Three nodes of a launch whose call ends at 20 µs: 30 to 330 µs, 331 to 381, and one from 340 to 350."""
    cuda = Cuda(B200)
    launch = cuda.call("cuGraphLaunch (CudaGraph:12)", 0, (0, 20 * US), cuda_graph_id=Uint(12))
    spans = ((13, "a", 30, 330), (13, "b", 331, 381), (second_stream, "c", 340, 350))
    for node, (stream, name, begin, end) in enumerate(spans):
        cuda.node(0, stream, name, (begin * US, end * US), launch, 12, node + 1, **xla("jit_f", 3, name))
    whole: dict[str, StatValue] = {"cuda_graph_id": Uint(12), "cuda_graph_exec_id": Uint(12)}
    cuda.ran(0, 15, "CudaGraphExec:12", (30 * US, 381 * US), launch, {**whole, **xla("jit_f", 3, "command_buffer")})
    return timeline(cuda.space)


def test_ops_of_a_graph_whose_nodes_were_traced_are_those_of_the_nodes() -> None:
    found = result(graph(second_stream=14), "op_stats")
    assert sorted(rows(found, "ops", "name", "total_us")) == [("a", 300.0), ("b", 50.0), ("c", 10.0)]


def test_allocations_on_a_stream_are_no_ops() -> None:
    cuda = Cuda(H100)
    call = cuda.call("cuMemAllocAsync", 0, (0, US))
    cuda.ran(0, 13, "MemoryAlloc", (2 * US, 3 * US), call, {"memalloc_details": Ref("kind:device num_bytes:64")})
    cuda.launch(0, 13, "k", (4 * US, 5 * US), (6 * US, 9 * US))
    found = timeline(cuda.space)
    assert rows(result(found, "op_stats"), "ops", "name") == [("k",)]
    assert result(found, "kernel_stats").summary["kernel_count"] == 1


@pytest.mark.parametrize("told", [True, False])
def test_names_of_instructions_are_relative_to_their_prefix(told: bool) -> None:
    """`psum` has no slash: without the prefix it was taken for no op's name, and the program's was."""
    cuda = Cuda(H100)
    for i, (op, name) in enumerate((("custom-call.1", "transpose(jvp(mlp))/dot_general"), ("all-reduce.1", "psum"))):
        facts = {**xla("jit_train", 7, op, name), "prefix": Ref("jit(train)")}
        cuda.launch(0, 13, f"k{i}", (i * 100 * US, i * 100 * US + US), (i * 100 * US + 5, i * 100 * US + 9), "", facts)
    if told:
        square = shape("f32", 8, 8)
        body = [
            instruction(
                1, "custom-call.1", "custom-call", square, op_name="jit(train)/transpose(jvp(mlp))/dot_general"
            ),
            instruction(2, "all-reduce.1", "all-reduce", square, (1,), op_name="jit(train)/psum"),
        ]
        given: dict[str, StatValue] = {
            "Hlo Proto": program(computation(9, body), entry=9, name="jit_train"),
            "program_id": 7,
        }
        cuda.space.plane("/host:metadata").kind("jit_train(7)", stats=given)
    assert rows(result(timeline(cuda.space), "op_stats"), "ops", "name") == [
        ("jit(train)/psum",),
        ("jit(train)/transpose(jvp(mlp))/dot_general",),
    ]


def test_copies_that_only_their_details_tell() -> None:
    cuda, at = Cuda(H100), 0
    for source, to in (("pageable", "array"), ("array", "pinned"), ("pinned", "pinned"), ("managed", "device")):
        text = f"kind_src:{source} kind_dst:{to} size:1000000 dest:0 async:1"
        cuda.copy(0, 20, "MemcpyOther", (at, at + US), (at + 2 * US, at + 3 * US), text)
        at += MS
    found = result(timeline(cuda.space), "kernel_stats")
    assert rows(found, "copies", "kind", "source", "destination", "to_device") == [
        ("H2D", "pageable", "array", 0),
        ("D2H", "array", "pinned", 0),
        ("H2H", "pinned", "pinned", 0),
        ("copy", "managed", "device", 0),
    ]


def test_on_amd_the_destination_is_a_handle() -> None:
    rocm = Rocm(1)
    line = rocm.planes[0].line(3, "Stream #3")
    put(line, "MemcpyH2D", (0, US), {"memcpy_details": Ref("kind_src:pinned kind_dst:device size:8 dest:2 async:1")})
    assert MI300X["device_vendor"] == "AMD"
    assert rows(result(timeline(rocm.space), "kernel_stats"), "copies", "kind", "to_device") == [("H2D", None)]


def test_what_begins_a_copy_has_no_rate() -> None:
    tpu = Tpu({**V5P, "peak_hbm_bw_gigabytes_per_second": 2765.0}, 1)
    start = tpu.kind(0, "%copy-start.2 = (f32[8]) copy-start(f32[8] %p)", "copy-start", bytes_accessed=1 << 20)
    tpu.step(0, 0, (0, MS), [(start, 10)])
    found = result(timeline(tpu.space), "op_stats")
    assert rows(found, "ops", "type", "bytes", "gb_s", "bound_by") == [("copy-start", 1 << 20, None, "")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<int>>>(int)", "FlashAttnFwdSm90"),
        ("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<int>>(int)", "GemmUniversal"),
        ("void ck_tile::kentry<1, ck_tile::FmhaFwdKernel<float>, int>(int)", "FmhaFwdKernel"),
        ("void f<int>(int)", "f"),
        ("device_kernel", "device_kernel"),
    ],
)
def test_short_names_of_what_runs_any_class(name: str, expected: str) -> None:
    assert short_name(name) == expected
