"""What the overview says of kernels: what their page warns of, by its part of a step, once."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.kernel_stats import KERNEL_STATS
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.kernels import A100, MI300, NS, V100, gpu, kernel

SGEMM, GEMM = "ampere_sgemm_128x64_nn", "ampere_h16816gemm_128x64_nn"
TO_NHWC = "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true>(Params)"
ODD = "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>(Params)"
CODES = ("tensor_cores_missed", "layouts_converted", "odd_sizes", "wide_precision")


def steps(*lengths: tuple[str, int], rest: int = 0, stats: dict[str, StatValue] = A100) -> Timeline:
    """Four steps of these kernels, so many µs long, after which the GPU idles for `rest`."""
    space, at = Space(), 0
    host = space.plane("/host:CPU").line(1, "python")
    line = gpu(space, stats).line(7, "Stream #7(Compute)")
    for number in range(4):
        begin = at
        for name, length in lengths:
            kernel(line, name, at, at + length * 1000, tf_op="a:MatMul")
            at += length * 1000
        at += rest * 1000
        host.event("train", begin * NS, (at - begin) * NS, stats={"step_num": number, "_r": 1})
    return timeline(space)


def said(of: Timeline) -> dict[str, Finding]:
    return {each.code: each for each in answered(OVERVIEW, of).result.findings if each.code in CODES}


@pytest.mark.parametrize(
    ("name", "code", "least"),
    [(SGEMM, "tensor_cores_missed", 200), (TO_NHWC, "layouts_converted", 100), (ODD, "odd_sizes", 200)],
)
def test_what_the_page_of_kernels_warns_of(name: str, code: str, least: int) -> None:
    """With the same numbers, and from the same share of the kernel time on."""
    of = steps((name, least), (GEMM, 1000 - least))
    here, there = said(of)[code], next(f for f in answered(KERNEL_STATS, of).result.findings if f.code == code)
    assert (here.params, here.search, here.severity) == (there.params, there.search, "note")
    assert code not in said(steps((name, least - 1), (GEMM, 1001 - least)))


@pytest.mark.parametrize(("rest", "expected"), [(3000, 0.05), (3001, None)])
def test_of_a_step_it_is_considerable(rest: int, expected: float | None) -> None:
    """A fifth of the kernel time, which is a fourth of a step."""
    found = said(steps((SGEMM, 200), (GEMM, 800), rest=rest)).get("tensor_cores_missed")
    assert (found.share if found else None) == expected


@pytest.mark.parametrize(("least", "first"), [(300, "tensor_cores_missed"), (299, "computes")])
def test_from_30_percent_of_a_step_on_it_is_a_warning_and_the_answer(least: int, first: str) -> None:
    found = answered(OVERVIEW, steps((SGEMM, least), (GEMM, 1000 - least))).result.findings
    assert (found[0].code, found[0].severity) == (first, "warning" if least == 300 else "info")


@pytest.mark.parametrize(("wide", "first"), [(510, "wide_precision"), (490, "computes")])
def test_a_note_on_half_of_a_step_comes_before_that_it_computes(wide: int, first: str) -> None:
    split_k = "void cublasLt::splitKreduce_kernel<32, float>()"
    assert answered(OVERVIEW, steps((split_k, wide), ("k", 1000 - wide))).result.findings[0].code == first


def test_where_no_step_is_known_the_time_in_which_the_device_is_busy_counts() -> None:
    space = Space()
    line = gpu(space, A100).line(7, "Stream #7(Compute)")
    kernel(line, SGEMM, 0, 1000, tf_op="a:MatMul")
    kernel(line, GEMM, 3000, 4000, tf_op="a:MatMul")
    assert said(timeline(space))["tensor_cores_missed"].share == 0.25


def test_that_a_step_computes_in_32_bits_is_not_said_twice() -> None:
    assert list(said(steps((SGEMM, 1000)))) == ["tensor_cores_missed"]
    old: dict[str, StatValue] = {**V100, "compute_cap_major": 6}
    assert said(steps((SGEMM, 1000), stats=old)) == {}
    assert list(said(steps(("void cublasLt::splitKreduce_kernel<32, float>()", 1000)))) == ["wide_precision"]


def test_matrix_cores() -> None:
    found = said(steps(("gemm_dl_float_kernel", 1000), stats=MI300))
    assert found["tensor_cores_missed"].params["units"] == Message("matrix_cores")
