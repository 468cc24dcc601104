"""Rules on kernels: what each says of small captures, on both sides of its thresholds."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import A100, NS, V100, ask, gpu, kernel

GEMM, SGEMM = "ampere_h16816gemm_128x64_nn", "ampere_sgemm_128x64_nn"
Details = dict[str, StatValue]


def findings(of: Space | Timeline) -> list[Finding]:
    return list(ask(timeline(of) if isinstance(of, Space) else of).result.findings)


def codes(of: Space) -> list[str]:
    return [finding.code for finding in findings(of)]


def about(of: Space, code: str) -> Finding | None:
    return next((finding for finding in findings(of) if finding.code == code), None)


def params(of: Space, code: str) -> dict[str, Any]:
    finding = about(of, code)
    return dict(finding.params) if finding else {}


def kernels(*lengths: tuple[str, int], stats: Details = A100, **more: StatValue) -> Space:
    """One after another, each so many ns long, for a matrix product."""
    space, at = Space(), 0
    line = gpu(space, stats).line(7, "Stream #7(Compute)")
    for name, length in lengths:
        kernel(line, name, at, at + length, **{"tf_op": "a:MatMul", **more})
        at += length
    return space


def test_the_kernel_that_takes_most_with_its_op() -> None:
    [finding, *_] = findings(kernels(("mystery", 900_000), ("other", 100_000)))
    assert (finding.code, finding.params) == (
        "kernel_takes_most",
        {
            "kernel": "mystery",
            "share": 0.9,
            "total_ps": 900e6,
            "executions": 1,
            "remedy": Message("op_remedy.look"),
            "few": 1,
            "names": 2,
            "part": 0.8,
            "op": "a",
            "type": "MatMul",
        },
    )
    assert finding.title == "mystery takes 90 % of GPU kernel time: 900 µs; 1 of 2 names make up 80 %"
    assert finding.detail == "1 execution, most for the op a (MatMul)."
    assert finding.action.startswith("Look at its executions in the trace")
    assert finding.search == "kernel_stats.names.total_us?short_name=mystery"


@pytest.mark.parametrize(("length", "few"), [(800, 1), (799, None)])
def test_how_many_names_make_up_most(length: int, few: int | None) -> None:
    """Where it takes all of them, nothing is said of it."""
    of = kernels(("a", length * 1000), ("b", (1000 - length) * 1000))
    assert params(of, "kernel_takes_most").get("few") == few


def short(count: int, long: int = 0, early: int = 0, late: int = 0) -> Space:
    """Kernels of less than 10 µs and of 10 µs; the first launches find their stream busy, others idle."""
    space = Space()
    host, line = space.plane("/host:CPU").line(1, "t"), gpu(space).line(7, "Stream #7(Compute)")
    at = 0
    for i in range(count + long):
        length = 9_999 if i < count else 10_000
        if i < early + late:
            launch = at - 5_000 if i < early else at + 1_000
            host.event("cuLaunchKernel", max(launch, 0) * NS, 1 * NS, stats={"correlation_id": i + 1})
        begin = at + (2_000 if early <= i < early + late else 0)
        kernel(line, "k", begin, begin + length, correlation_id=i + 1)
        at = begin + length
    return space


@pytest.mark.parametrize(
    ("count", "long", "is_short"), [(100, 0, True), (99, 0, False), (50, 50, True), (50, 51, False)]
)
def test_many_short_kernels(count: int, long: int, is_short: bool) -> None:
    """From 100 kernels on, and from half of them; one of 10 µs is not short."""
    assert ("kernels_short" in codes(short(count, long))) is is_short


@pytest.mark.parametrize(("early", "late", "starved"), [(51, 49, True), (52, 48, False)])
def test_short_kernels_that_the_gpu_waits_for(early: int, late: int, starved: bool) -> None:
    finding = about(short(100, early=early, late=late), "kernels_short")
    assert finding
    # The very first kernel finds its stream idle too, whenever it is launched.
    assert finding.params["starved_share"] == (late + 1) / 100
    assert finding.params["starved"] is starved
    assert finding.severity == ("warning" if starved else "note")
    assert (": the GPU waits for the host to launch" in finding.title) is starved


def test_what_is_said_of_products_without_tensor_cores() -> None:
    """TF32 is offered where the device has it."""
    both = [params(kernels((SGEMM, 7000), stats=stats), "tensor_cores_missed") for stats in (V100, A100)]
    usual = {"total_ps": 7e6, "share": 1.0, "kernel": SGEMM, "kernel_ps": 7e6, "units": Message("tensor_cores")}
    usual |= {"narrow": False}
    assert both == [{**usual, "tf32": False, "bf16": False}, {**usual, "tf32": True, "bf16": True}]
    early: Details = {**A100, "compute_cap_major": 7, "compute_cap_minor": 5}
    assert params(kernels((SGEMM, 7000), stats=early), "tensor_cores_missed")["tf32"] is False
    assert params(kernels(("volta_hgemm_128x64_nn", 7000), stats=V100), "tensor_cores_missed")["narrow"] is True


@pytest.mark.parametrize(("length", "heavy"), [(50, True), (49, False)])
def test_a_heavy_kernel_whose_grid_is_smaller_than_the_device(length: int, heavy: bool) -> None:
    few = "regs:32 grid:20,1,1 block:256,1,1 occ_pct:100"
    space = Space()
    line = gpu(space).line(7, "Stream #7(Compute)")
    kernel(line, "few", 0, length * 1000, kernel_details=few)
    kernel(line, "many", length * 1000, 1_000_000)
    expected = {"kernel": "few", "share": 0.05, "idle": 60, "multiprocessors": 80, "blocks": 20, "waves": 20 / 8 / 80}
    assert params(space, "grid_too_small") == (expected if heavy else {})


@pytest.mark.parametrize(
    ("grid", "name", "too_small"), [(59, "k", True), (60, "k", False), (59, "ncclDevKernel_AllReduce_Sum_f32", False)]
)
def test_a_grid_that_fills_the_device_or_need_not(grid: int, name: str, too_small: bool) -> None:
    of = kernels((name, 1000), stats=V100, kernel_details=f"regs:32 grid:{grid},1,1 block:256,1,1 occ_pct:100")
    assert ("grid_too_small" in codes(of)) is too_small


def test_of_a_kernel_that_fills_badly_in_several_shapes_the_heaviest_is_told() -> None:
    """Four layers' attention had four times the same line."""
    space = Space()
    line = gpu(space).line(7, "Stream #7(Compute)")
    for i, (name, length) in enumerate((("a", 50), ("a", 60), ("b", 40), ("c", 30), ("d", 20))):
        details = f"regs:32 grid:{i + 1},1,1 block:256,1,1 occ_pct:100"
        kernel(line, name, 1000 * i, 1000 * i + length, kernel_details=details)
    said = [f for f in findings(space) if f.code == "grid_too_small"]
    assert [(f.params["kernel"], f.params["blocks"]) for f in said] == [("a", 2), ("b", 3), ("c", 4)]


DGEMM = "ampere_dgemm_128x64_nn"
ODD = "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>(Params)"
TO_NHWC = "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true>(cudnn::ops::nchw2nhwc_params_t<float>)"


@pytest.mark.parametrize(
    ("name", "code", "note", "warning"),
    [
        (SGEMM, "tensor_cores_missed", 50, 200),
        (DGEMM, "computes_in_doubles", 50, 200),
        (ODD, "odd_sizes", 50, 200),
        (TO_NHWC, "layouts_converted", 50, 100),
    ],
)
def test_from_which_share_on_kernels_are_said(name: str, code: str, note: int, warning: int) -> None:
    """Beside a product on tensor cores, so many µs of 1,000."""
    found = [
        about(kernels((name, length * 1000), (GEMM, (1000 - length) * 1000)), code)
        for length in (note - 1, note, warning - 1, warning)
    ]
    assert [finding and finding.severity for finding in found] == [None, "note", "note", "warning"]


@pytest.mark.parametrize(("percent", "name", "low"), [(24.9, "k", True), (25, "k", False), (12.5, GEMM, False)])
def test_low_occupancy(percent: float, name: str, low: bool) -> None:
    """Kernels for tensor cores are made to run with few threads."""
    details = f"regs:255 static_shared:1024 dynamic_shared:0 grid:800,1,1 block:256,1,1 occ_pct:{percent}"
    expected = {"kernel": "k", "share": 1.0, "occupancy": pytest.approx(0.249), "registers": 255, "shared": 1024}
    assert params(kernels((name, 1000), kernel_details=details), "occupancy_low") == (expected if low else {})


def copies(*each: tuple[str, int, int], beside: int = 0, compute: int = 0, stats: Details = A100) -> Space:
    """(memory, ns, bytes): from that memory to the device, one after another; a kernel beside them from 0 on, another
    after them.
    """
    space, at = Space(), 0
    device = gpu(space, stats)
    line = device.line(9, "Stream #9(MemcpyH2D)")
    for i, (memory, length, size) in enumerate(each):
        text = f"kind_src:{memory} kind_dst:device size:{size} dest:{i} async:1"
        line.event("MemcpyH2D", at * NS, length * NS, stats={"memcpy_details": text})
        at += length
    stream = device.line(7, "Stream #7(Compute)")
    for begin, length in ((0, beside), (at, compute)):
        if length:
            kernel(stream, GEMM, begin, begin + length)
    return space


def alike_copies(count: int, memory: str, size: int) -> Space:
    """One row of copies of 100 µs."""
    space = Space()
    line = gpu(space, A100).line(9, "Stream #9(MemcpyH2D)")
    text = f"kind_src:{memory} kind_dst:device size:{size} dest:0 async:1"
    for i in range(count):
        line.event("MemcpyH2D", 100_000 * i * NS, 100_000 * NS, stats={"memcpy_details": text})
    return space


#: What an A100's PCIe carries, in bytes per ns.
BUS = 31.5


@pytest.mark.parametrize(
    ("memory", "of_bus", "code"),
    [
        ("pinned", 0.299, "copies_slow"),
        ("pinned", 0.301, None),
        ("pageable", 0.799, "copies_slow.pageable"),
        ("pageable", 0.801, None),
    ],
)
def test_slow_copies(memory: str, of_bus: float, code: str | None) -> None:
    of = copies((memory, 100_000, round(100_000 * BUS * of_bus)))
    assert next((each for each in codes(of) if each.startswith("copies_slow")), None) == code


def test_what_is_said_of_copies_of_pageable_memory() -> None:
    finding = about(copies(("pageable", 100_000, 400_000)), "copies_slow.pageable")
    assert finding
    assert finding.params == {
        "kind": "H2D",
        "source": "pageable",
        "destination": "device",
        "total_ps": 100e6,
        "bytes_per_s": 4e9,
        "bus_bytes_per_s": 31.5e9,
        "to_device": True,
    }
    assert finding.title == (
        "H2D copies (pageable to device memory) take 100 µs at 4 GB/s of the 31.5 GB/s that PCIe carries"
    )


@pytest.mark.parametrize(("size", "code"), [(65_535, "copies_slow.small"), (65_536, "copies_slow")])
def test_small_copies(size: int, code: str) -> None:
    assert code in codes(alike_copies(10, "pinned", size))


@pytest.mark.parametrize(("count", "said"), [(9, False), (10, True)])
def test_a_few_small_copies_cannot_be_made_one(count: int, said: bool) -> None:
    """Of a single byte that was copied back the advice was to copy more at once."""
    assert ("copies_slow.small" in codes(alike_copies(count, "pageable", 1))) is said


@pytest.mark.parametrize(("way", "code"), [("HToD", ""), ("DToH", ".back"), ("DToD", ".within")])
def test_what_helps_against_exposed_copies_depends_on_their_way(way: str, code: str) -> None:
    """Of copies on the device the advice was to take input from pinned memory."""
    space, ends = Space(), {"H": "pinned", "D": "device"}
    device = gpu(space)
    text = f"kind_src:{ends[way[0]]} kind_dst:{ends[way[-1]]} size:1000000 dest:0 async:1"
    device.line(9, "Stream #9(Memcpy)").event(
        f"Memcpy{way[0]}2{way[-1]}", 0, 100_000 * NS, stats={"memcpy_details": text}
    )
    kernel(device.line(7, "Stream #7(Compute)"), GEMM, 100_000, 200_000)
    assert [each for each in codes(space) if each.startswith("copies_exposed")] == [f"copies_exposed{code}"]


@pytest.mark.parametrize(("length", "severity"), [(50, "warning"), (49, "note"), (10, "note"), (9, None)])
def test_slow_copies_by_their_part_of_the_work(length: int, severity: str | None) -> None:
    of = copies(("pageable", length * 1000, 100_000), compute=(1000 - length) * 1000)
    finding = about(of, "copies_slow.pageable")
    assert (finding and finding.severity) == severity


def test_of_many_kinds_of_slow_copies_the_first_five_are_given() -> None:
    of = copies(*(("pageable", 10_000 + i, 100_000) for i in range(6)))
    assert codes(of).count("copies_slow.pageable") == 5


@pytest.mark.parametrize(("beside", "exposed"), [(50, True), (51, False)])
def test_copies_beside_no_kernel(beside: int, exposed: bool) -> None:
    """100 µs of copies, of 1000 µs of work."""
    of = copies(("pinned", 100_000, 3_000_000), beside=beside * 1000, compute=(900 - beside) * 1000)
    assert params(of, "copies_exposed") == ({"exposed_ps": 50e6, "share": 0.05} if exposed else {})


def test_graphs_whose_nodes_were_not_traced() -> None:
    space = Space()
    line = gpu(space).line(7, "Stream #7(CudaGraph)")
    for graph, begin in ((42, 0), (43, 10_000), (43, 20_000)):
        line.event(f"CudaGraphExec:{graph}", begin * NS, 8000 * NS, stats={"cuda_graph_exec_id": graph})
    finding = about(space, "graphs_not_by_node")
    assert finding
    assert finding.params == {"launches": 3, "graphs": 2, "total_ps": 24e6}
    assert finding.search == "kernel_stats.graphs.total_us?host=h&device=%2Fdevice%3AGPU%3A0&graph=43&level=graph"


@pytest.mark.parametrize(("kernels", "disagree"), [(100, False), (99, True)])
def test_kernels_before_their_launch(kernels: int, disagree: bool) -> None:
    """One, of 100 or of 99."""
    space = Space()
    host, line = space.plane("/host:CPU").line(1, "t"), gpu(space).line(7, "Stream #7(Compute)")
    for i in range(kernels):
        at = 1000 * i + 10_000
        host.event("cuLaunchKernel", (at + 10 if i == 0 else at - 500) * NS, 10 * NS, stats={"correlation_id": i + 1})
        kernel(line, "k", at, at + 900, correlation_id=i + 1)
    assert params(space, "clocks_disagree") == ({"misfits": 1, "kernels": 99} if disagree else {})


@pytest.mark.parametrize(("length", "severity"), [(200, "warning"), (199, "note"), (49, "info")])
def test_what_can_be_changed_comes_before_what_takes_most(length: int, severity: str) -> None:
    first = ask(timeline(kernels((SGEMM, length * 1000), (GEMM, (1000 - length) * 1000)))).result.findings[0]
    assert first.severity == severity
    assert (first.code == "tensor_cores_missed") is (severity != "info")


def test_a_host_without_gpu_work_says_so_once() -> None:
    hosts = [timeline(Space(hostnames=[name]), name) for name in ("a", "b")]
    [finding] = ask(*hosts).result.findings
    assert (finding.code, finding.params) == ("no_gpu", {"reason": Message("no_gpu.only_cpu")})
    assert finding.title == "This capture holds no GPU: it is of a CPU alone, or GPUs were not traced"
