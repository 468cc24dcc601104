"""Products of odd sizes: which kernels count, which sizes are named, and both sides of each threshold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.kernels.host import whole_pieces
from tests.tools.kineto import ask, launched, on_host, saved

from .test_findings import ODD, about, kernels


def test_where_shapes_are_unknown_the_kernel_is_named() -> None:
    finding = about(kernels((ODD, 1000)), "odd_sizes")
    assert finding
    assert finding.params == {
        "total_ps": 1e6,
        "share": 1.0,
        "multiple": 8,
        "kernel": "cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2",
        "kernel_ps": 1e6,
    }
    assert finding.search.startswith("kernel_stats.kernels.total_us?name=void%20cutlass")


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_nn_align1", 8),
        ("cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_nn_align4", 8),
        ("cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_nn_align8", 0),
        ("cutlass_80_tensorop_s1688gemm_64x64_32x4_nn_align2", 4),
        ("cutlass_80_tensorop_s1688gemm_64x64_32x4_nn_align4", 0),
        ("cutlass_80_tensorop_i16832gemm_s8_128x128_64x3_tn_align8", 16),
        ("cutlass_80_tensorop_i16832gemm_s8_128x128_64x3_tn_align16", 0),
        ("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize64_tensor16x8x16_aligna2_alignc2_execute_kernel", 8),
        ("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_nhwc_tensor16x8x16_alignc4_execute_kernel", 0),
        # By single threads, which read one element at once, whatever the sizes.
        ("cutlass_80_simt_sgemm_128x128_8x4_nt_align1", 0),
        ("void at::native::CatArrayBatchedCopy_aligned16_contig<float>", 0),
    ],
)
def test_what_a_name_says_of_pieces(name: str, whole: int) -> None:
    assert whole_pieces(name) == whole


def named(folder: Path, dims: Any, strides: Any = None) -> Mapping[str, Any]:
    """What is said of a call of `aten::addmm` that launches such a kernel."""
    known = {"Input Dims": dims} | ({"Input Strides": strides} if strides else {})
    path = saved(folder, on_host("aten::addmm", 0, 20, **known), *launched(ODD, 5, 30, 40, 7))
    [finding] = [each for each in ask(path, "kernel_stats").result.findings if each.code == "odd_sizes"]
    return finding.params


@pytest.mark.parametrize(
    ("dims", "strides", "expected"),
    [
        # The batch of 141 is along no row: the features, and the result's, lie one after another.
        (
            [[30522], [141, 512], [512, 30522], []],
            [[1], [512, 1], [1, 512], []],
            ("[141, 512] × [512, 30522]", "30522"),
        ),
        ([[30522], [141, 512], [512, 30522], []], None, ("[141, 512] × [512, 30522]", "141, 30522")),
        ([[64], [16, 10], [10, 64]], [[1], [10, 1], [64, 1]], ("[16, 10] × [10, 64]", "10")),
        # What is odd lies elsewhere, as in a view.
        ([[64], [16, 32], [32, 64]], None, None),
        ([[[2, 3]], "[", 7], None, None),
    ],
)
def test_which_sizes_are_named(tmp_path: Path, dims: Any, strides: Any, expected: tuple[str, str] | None) -> None:
    params = named(tmp_path, dims, strides)
    assert ((params["op"], params["shapes"], params["odd"]) if "op" in params else None) == (
        ("aten::addmm", *expected) if expected else None
    )


def test_the_first_odd_size_with_what_it_is_padded_to(tmp_path: Path) -> None:
    params = named(tmp_path, [[64], [16, 10], [10, 64]])
    assert (params["size"], params["padded"]) == (10, 16)


def test_three_odd_sizes_are_named(tmp_path: Path) -> None:
    assert named(tmp_path, [[141, 513], [513, 30522], [30522, 17]])["odd"] == "141, 513, 30522"
