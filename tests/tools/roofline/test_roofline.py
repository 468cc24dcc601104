"""roofline: whole rows of small captures of a TPU, a GPU with XLA's programs, PyTorch on GPU and CPU, and JAX's CPU."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.roofline import points
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.roofline import NO_COSTS, NO_PEAK, NO_PEAK_OF_CPU, ROOFLINE, missing
from tests.build_capture import Space, StatValue, chunk, number
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

MS = 10**9
PEAKS: dict[str, StatValue] = {
    "device_type_string": "TPU v6 Lite",
    "peak_teraflops_per_second": 100.0,
    "peak_hbm_bw_gigabytes_per_second": 1000.0,
    "peak_vmem_rd_bw_gigabytes_per_second": 5000.0,
}
LIMITS = ("bound_by", "roof_share", "compute_share", "memory_share", "above_roof")


def rows(answer: Answer, table: str, *names: str) -> list[tuple[Any, ...]]:
    columns = [column.name for column in next(t for t in ROOFLINE.tables if t.name == table).columns]
    return [tuple(row[columns.index(name)] for name in names) for row in rows_of(answer, table)]


def moved(*parts: tuple[int, int, int]) -> bytes:
    """A breakdown: direction, memory, bytes."""
    return b"".join(chunk(1, number(1, way) + number(2, space) + number(3, size)) for way, space, size in parts)


def tpu(costs: dict[str, StatValue], category: str = "convolution", steps: int = 2) -> Space:
    """A core with steps of 10 ms, in each one op of 5 ms, and its copy's end, of 1 ms."""
    space = Space()
    core = space.plane("/device:TPU:0", stats=PEAKS)
    core.kind("%conv = conv()", "conv", stats={"hlo_category": category, **costs}, key=1)
    copied: dict[str, StatValue] = {"hlo_category": "copy-done", "bytes_accessed": 10**9}
    core.kind("%copy-done = copy-done()", "copy-done", stats=copied, key=2)
    marks, ops = core.line(1, "Steps"), core.line(3, "XLA Ops")
    for i in range(steps):
        marks.event(str(i), i * 10 * MS, 10 * MS, stats={"group_id": i})
        ops.event(1, i * 10 * MS, 5 * MS).event(2, i * 10 * MS + 6 * MS, MS)
    return space


def test_an_op_of_a_tpu_beside_its_roofs() -> None:
    """2·10¹¹ FLOPs in 5 ms are 40 of 100 TFLOP/s; 10⁹ bytes 200 of 1,000 GB/s; 20·10⁹ read of VMEM 4,000 of 5,000."""
    breakdown = moved((1, 1, 6 * 10**8), (2, 1, 4 * 10**8), (1, 3, 20 * 10**9))
    costs: dict[str, StatValue] = {"flops": 2 * 10**11, "memory_access_breakdown": breakdown}
    answer = answered(
        ROOFLINE,
        timeline(tpu({**costs, "bytes_accessed": 21 * 10**9})),
    )
    op = rows(
        answer, "ops", "name", "category", "occurrences", "self_us", "gflop_s", "hbm_gb_s", "vmem_gb_s", "intensity"
    )
    assert op[0] == ("conv", "convolution", 2, 10_000.0, 40_000.0, 200.0, 4000.0, 200.0)
    assert rows(answer, "ops", *LIMITS)[0] == ("VMEM read", 0.8, 0.4, 0.2, False)
    assert rows(answer, "ops", "costs_from", "total_share")[0] == ("capture", 10 / 17)


def test_what_only_waits_is_bound_by_nothing() -> None:
    answer = answered(ROOFLINE, timeline(tpu({"flops": 2 * 10**11, "bytes_accessed": 10**9})))
    assert rows(answer, "ops", "name", "bound_by", "hbm_gb_s")[1] == ("copy-done", "", 1000.0)
    summary = answer.result.summary
    assert (summary["only_wait_share"], summary["compute_bound_share"]) == (2 / 12, 10 / 12)
    assert summary["ideal_share"] == pytest.approx(0.4)


def test_steps_and_their_sum_go_by_the_wall_time() -> None:
    """4·10¹¹ FLOPs in 17 ms from first to last op; 2·10¹¹ in each step of 10 ms, of 10¹² that could be."""
    answer = answered(ROOFLINE, timeline(tpu({"flops": 2 * 10**11, "bytes_accessed": 10**9}, steps=3)))
    found = rows(answer, "steps", "step", "devices", "time_ms", "op_share", "gflop_s", "compute_share", "memory_share")
    assert found[0] == (
        "total",
        1,
        27.0,
        18 / 27,
        pytest.approx(6e11 / 0.027 / 1e9),
        pytest.approx(6e11 / 2.7e12),
        pytest.approx(6 / 27),
    )
    assert found[1] == ("average", 1, 10.0, 0.6, pytest.approx(20_000.0), pytest.approx(0.2), pytest.approx(0.2))
    assert [row[0] for row in found[2:]] == ["0", "1", "2"]
    assert answer.result.summary["step_roof_share"] == pytest.approx(0.2)


def test_of_a_long_run_the_first_steps_have_a_row_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "MOST_STEPS", 3)
    answer = answered(ROOFLINE, timeline(tpu({"flops": 10**9, "bytes_accessed": 10**6}, steps=5)))
    assert [row[0] for row in rows(answer, "steps", "step")] == ["total", "average", "0", "1", "2"]


def test_one_step_alone() -> None:
    held = timeline(tpu({"flops": 2 * 10**11, "bytes_accessed": 10**9}, steps=3))
    assert rows(answered(ROOFLINE, held, step="1"), "ops", "name", "occurrences") == [("conv", 1), ("copy-done", 1)]
    with pytest.raises(ArgumentError, match="use one of 0, 1, 2"):
        answered(ROOFLINE, held, step="7")


@pytest.mark.parametrize(("gflop", "above"), [(524, False), (525, True)])
def test_more_than_the_peak_is_a_fault_of_the_estimate(gflop: int, above: bool) -> None:
    """The peer shows such shares as they are; 5 ms of 100 TFLOP/s are 500 GFLOP."""
    answer = answered(ROOFLINE, timeline(tpu({"flops": gflop * 10**9, "bytes_accessed": 10**9})))
    assert rows(answer, "ops", *LIMITS)[0] == ("" if above else "Compute", None, None, 0.2, above)


#: GB/s of CMEM and VMEM to read and to write; the breakdown's numbers of memory and direction.
CHIP = {
    "CMEM read": ("cmem_rd", 2000, 2, 1),
    "CMEM write": ("cmem_wr", 3000, 2, 2),
    "VMEM read": ("vmem_rd", 5000, 3, 1),
    "VMEM write": ("vmem_wr", 7000, 3, 2),
}


@pytest.mark.parametrize("name", CHIP)
def test_each_memory_of_a_tpu_has_its_own_bytes_and_peak(name: str) -> None:
    """80 % of the peak of one for 5 ms; of the main memory 20 %."""
    _, peak, space, way = CHIP[name]
    breakdown = moved((1, 1, 10**9), (way, space, peak * 4 * 10**6))
    held = tpu({"flops": 1, "bytes_accessed": 10**9 + peak * 4 * 10**6, "memory_access_breakdown": breakdown})
    chip: dict[str, StatValue] = {
        f"peak_{key}_bw_gigabytes_per_second": float(gb_s) for key, gb_s, _, _ in CHIP.values()
    }
    held.planes[0].stats = {**PEAKS, **chip}
    assert rows(answered(ROOFLINE, timeline(held)), "ops", *LIMITS)[0][:2] == (name, pytest.approx(0.8))


@pytest.mark.parametrize(("gb_s", "known"), [(9.9e11, True), (1e12, False)])
def test_a_peak_that_no_memory_has_is_none(gb_s: float, known: bool) -> None:
    held = tpu({"flops": 1, "bytes_accessed": 10**9})
    held.planes[0].stats = {**PEAKS, "peak_vmem_rd_bw_gigabytes_per_second": gb_s}
    found = dict(rows(answered(ROOFLINE, timeline(held)), "roofs", "roof", "peak_gb_s"))
    assert found.get("VMEM read") == (gb_s if known else None)


def gpu(name: str, element: str, **facts: StatValue) -> Space:
    """Two executions of a product of 10¹² FLOPs, of 5 ms each."""
    left, right = shape(element, 10_000, 10_000), shape(element, 10_000, 5_000)
    dot = instruction(3, "dot.1", "dot", right, (1, 2), contracts=(1,))
    entry = [instruction(1, "x", "parameter", left), instruction(2, "y", "parameter", right), dot]
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program(computation(1, entry))})
    stream = space.plane("/device:GPU:0", stats=facts).line(7, "Stream #7")
    for i in range(2):
        said: dict[str, StatValue] = {"hlo_op": "dot.1", "hlo_module": "jit_f", "program_id": 5}
        stream.event(name, i * 10 * MS, 5 * MS, said)
    return space


A100: dict[str, StatValue] = {"device_vendor": "Nvidia", "gpu_device_name": "NVIDIA A100-SXM4-40GB", "core_count": 108}


@pytest.mark.parametrize(
    ("kernel", "element", "precision", "share"),
    [
        ("gemm", "bf16", "bf16", 200 / 312),
        ("gemm", "f32", "fp32", None),
        ("ampere_sgemm_tf32_128x64", "f32", "tf32", None),
        ("ampere_h16816gemm_128x64", "bf16", "bf16", 200 / 312),
        ("ampere_h16816gemm_128x64", "f32", "fp16", 200 / 312),
    ],
)
def test_the_roof_is_that_of_the_precision_in_which_it_computes(
    kernel: str, element: str, precision: str, share: float | None
) -> None:
    """200 TFLOP/s: of 312 in 16 bits; more than TF32 or 32 bits allow. The data sheet has the peaks."""
    answer = answered(ROOFLINE, timeline(gpu(kernel, element, **A100)))
    assert rows(answer, "ops", "precision", "compute_share", "costs_from") == [
        (precision, share and pytest.approx(share), "program")
    ]
    assert answer.result.summary["figures_from"] == "NVIDIA A100 Tensor Core GPU data sheet"
    assert ("hbm" in [row[0].lower() for row in rows(answer, "roofs", "roof")], answer.result.summary["peak_gb_s"]) == (
        True,
        1555,
    )


def test_peaks_that_a_user_gives_count_first() -> None:
    answer = answered(ROOFLINE, timeline(gpu("gemm", "f32")), peak_tflops="400", peak_gb_s="200")
    assert rows(answer, "ops", *LIMITS) == [("HBM", pytest.approx(0.8), pytest.approx(0.5), pytest.approx(0.8), False)]
    assert rows(answer, "roofs", "roof", "peak_gflop_s", "peak_gb_s", "figures_from") == [
        ("peak", 400_000.0, None, "options"),
        ("HBM", None, 200.0, "options"),
    ]


def test_without_peaks_there_are_rates_and_the_reason() -> None:
    answer = answered(ROOFLINE, timeline(gpu("gemm", "f32")))
    assert rows(answer, "ops", "gflop_s", "bound_by", "roof_share") == [(pytest.approx(200_000.0), "", None)]
    assert answer.result.unknown["step_roof_share"] == NO_PEAK


def test_programs_and_categories_filter() -> None:
    held = timeline(gpu("gemm", "f32"))
    for name in ("jit_f(5)", "5", "jit_f"):
        assert len(rows(answered(ROOFLINE, held, program=name), "ops", "name")) == 1
    assert rows(answered(ROOFLINE, held, category="fusion"), "ops", "name") == []
    with pytest.raises(ArgumentError, match=r"jit_f\(5\)"):
        answered(ROOFLINE, held, program="f")


def kineto(events: list[dict[str, Any]], **more: Any) -> Timeline:
    said = {"schemaVersion": 1, "traceEvents": events, **more}
    return Timeline(decode.read_bytes(json.dumps(said).encode(), "t.pt.trace.json"), "h")


def call(
    name: str, ts: float, dur: float, shapes: list[Any] | None = None, kind: str = "float", number: int = 0
) -> dict[str, Any]:
    args: dict[str, Any] = {"External id": number} if number else {}
    if shapes is not None:
        args |= {"Input Dims": shapes, "Input type": [kind if shape else "" for shape in shapes]}
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": args}


def launched(name: str, ts: float, dur: float, at: float, number: int) -> list[dict[str, Any]]:
    launch = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at, "dur": 1}
    kernel = {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": ts, "dur": dur}
    return [
        {**launch, "args": {"correlation": number}},
        {**kernel, "args": {"correlation": number, "device": 0, "stream": 7}},
    ]


def test_calls_of_pytorch_have_costs_by_their_shapes() -> None:
    """`linear` calls `addmm`, whose kernels count to it; `add_` beside it has its own; `sort` no model."""
    device = {"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85 * 10**9, "numSms": 132}
    events = [
        call("aten::linear", 0, 40, [[256, 512], [1024, 512], [1024]], "c10::BFloat16"),
        call("aten::addmm", 2, 30, [[1024], [256, 512], [512, 1024]], "c10::BFloat16"),
        *launched("nvjet_hsh_128x64", 100, 10, 5, 1),
        *launched("splitKreduce_kernel", 110, 2, 8, 2),
        call("aten::add_", 50, 10, [[256, 1024], [256, 1024]], "c10::BFloat16"),
        *launched("vectorized_elementwise_kernel", 120, 4, 52, 3),
        call("aten::sort", 70, 10, [[1024]]),
        *launched("sort_kernel", 130, 5, 72, 4),
    ]
    answer = answered(ROOFLINE, kineto(events, deviceProperties=[device]))
    flops, size = 2 * 256 * 512 * 1024, 2 * (1024 + 256 * 512 + 512 * 1024 + 256 * 1024)
    names = ("name", "category", "occurrences", "total_us", "gflop_s", "hbm_gb_s", "costs_from")
    assert rows(answer, "ops", *names) == [
        ("aten::addmm", "matmul", 1, 12.0, pytest.approx(flops / 12e3), pytest.approx(size / 12e3), "shapes"),
        ("aten::sort", "aten::sort", 1, 5.0, None, None, ""),
        ("aten::add_", "elementwise", 1, 4.0, pytest.approx(2**18 / 4e3), pytest.approx(6 * 2**18 / 4e3), "shapes"),
    ]
    assert rows(answer, "ops", "precision")[0] == ("bf16",)
    assert answer.result.summary["unknown_share"] == pytest.approx(5 / 21)


def test_calls_on_the_cpu_take_their_own_time_and_that_of_what_has_no_model() -> None:
    events = [
        call("aten::linear", 0, 100, [[4, 8], [16, 8]]),
        call("aten::t", 1, 5, [[16, 8]]),
        call("aten::mm", 10, 80, [[4, 8], [8, 16]]),
        call("aten::resolve_conj", 20, 10, [[4, 8]]),
    ]
    answer = answered(ROOFLINE, kineto(events))
    assert rows(answer, "ops", "name", "self_us", "gflop_s", "bound_by") == [
        ("aten::mm", 80.0, pytest.approx(2 * 4 * 8 * 16 / 80e3), "")
    ]
    assert answer.result.unknown["peak_tflops"] == NO_PEAK_OF_CPU
    given = answered(ROOFLINE, kineto(events), peak_tflops="1", peak_gb_s="10")
    assert rows(given, "ops", "bound_by", "memory_share")[0] == ("HBM", pytest.approx(896 / 80e-6 / 1e10))


def test_a_capture_without_shapes_says_what_records_them() -> None:
    events = [call("aten::mm", 0, 10), *launched("gemm", 20, 5, 2, 1)]
    assert missing(kineto(events)) == NO_COSTS
    answer = answered(ROOFLINE, kineto(events))
    assert rows(answer, "ops", "name", "gflop_s") == [("aten::mm", None)]


def test_copies_between_host_and_device_are_bound_by_no_memory() -> None:
    copy = {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "ts": 20}
    launch = {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 2, "dur": 1}
    events = [
        call("aten::copy_", 0, 10, [[1024], [1024]]),
        {**launch, "args": {"correlation": 1}},
        {**copy, "dur": 5, "args": {"correlation": 1, "device": 0, "stream": 7, "bytes": 4096}},
    ]
    assert rows(answered(ROOFLINE, kineto(events)), "ops", "hbm_gb_s", "bound_by") == [(None, "")]


def test_hosts_are_summed() -> None:
    one, two = (timeline(gpu("gemm", "bf16", **A100)) for _ in range(2))
    answer = answered(ROOFLINE, one, two)
    assert rows(answer, "ops", "occurrences", "compute_share") == [(4, pytest.approx(200 / 312))]
    assert rows(answer, "steps", "devices")[0] == (2,)
