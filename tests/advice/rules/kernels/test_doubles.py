"""Kernels in 64-bit floats: which count, and both sides of each threshold."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.kernels.families import says_double

from .test_findings import DGEMM, about, kernels


def test_what_is_said_of_them() -> None:
    finding = about(kernels((DGEMM, 1000)), "computes_in_doubles")
    assert finding
    assert finding.params == {"total_ps": 1e6, "share": 1.0, "kernel": DGEMM, "kernel_ps": 1e6}
    assert finding.search.startswith(f"kernel_stats.kernels.total_us?name={DGEMM}")


@pytest.mark.parametrize(
    ("name", "is_double"),
    [
        ("volta_dgemm_64x64_tn", True),
        ("void cutlass::Kernel2<cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1>(Params)", True),
        ("Cijk_Ailk_Bljk_DB_MT64x64x16_MI16x16x4x1", True),
        ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<double>>(int)", True),
        ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<long>>(int)", False),
        ("void at::native::vectorized_elementwise_kernel<4, pow<float, double>>(int)", False),
        ("ampere_sgemm_128x64_nn", False),
        ("ampere_h16816gemm_128x64_nn", False),
    ],
)
def test_which_kernels_say_so(name: str, is_double: bool) -> None:
    assert says_double(name) is is_double
