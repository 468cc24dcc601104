"""Kernels that convert between layouts: which count, and on both sides of each threshold."""

from __future__ import annotations

import pytest

from tests.build_capture import StatValue
from tests.tools.kernels import A100, MI300

from .test_findings import TO_NHWC, about, codes, kernels, params

SWAP = "void tensorflow::functor::SwapDimension1And2InTensor3UsingTiles<unsigned int, 256, 32, 32>()"
TO_NCHW = "void cudnn::ops::nhwcToNchwKernel<__half, __half, float, true, false>(cudnn::ops::nhwc2nchw_params_t<float>)"


def test_both_ways_add_up() -> None:
    of = kernels((TO_NHWC, 300_000), (TO_NCHW, 100_000), (TO_NHWC, 100_000), ("other", 500_000), stats=A100)
    assert params(of, "layouts_converted") == {
        "total_ps": 500e6,
        "share": 0.5,
        "executions": 3,
        "kernel": "nchwToNhwcKernel",
        "kernel_ps": 400e6,
    }
    finding = about(of, "layouts_converted")
    assert finding
    assert finding.search == "kernel_stats.names.total_us?short_name=nchwToNhwcKernel"


def test_of_amd() -> None:
    assert params(kernels(("batched_transpose_32x32_half", 1000), stats=MI300), "layouts_converted")["miopen"] is True


@pytest.mark.parametrize(
    ("name", "op", "converts"),
    [
        ("input_transpose_fusion_1", "jit(f)/conv_general_dilated:conv_general_dilated", True),
        ("loop_copy_fusion", "jit(f)/conv_general_dilated:conv_general_dilated", True),
        ("input_transpose_fusion", "jit(f)/transpose:transpose", False),
        ("input_transpose_fusion", "jit(f)/convert_element_type:convert_element_type", False),
        ("loop_add_fusion", "jit(f)/conv_general_dilated:conv_general_dilated", False),
        (
            SWAP,
            "c/Conv2D:Conv2D",
            True,
        ),
        (
            SWAP,
            "c/BiasAdd-0-TransposeNHWCToNCHW-LayoutOptimizer:Transpose",
            True,
        ),
        (SWAP, "t:Transpose", False),
        ("void cudnn::ops::convertTensor_kernel<float, __half, float>()", "c/Conv2D:Conv2D", False),
        ("void at::native::max_pool_forward_nchw<float, float>()", "aten::max_pool2d:aten::max_pool2d", False),
        ("sm80_xmma_fprop_implicit_gemm_f16f16_nhwckrsc_nhwc_tilesize128", "c/Conv2D:Conv2D", False),
    ],
)
def test_which_kernels_only_convert(name: str, op: StatValue, converts: bool) -> None:
    assert ("layouts_converted" in codes(kernels((name, 1000), tf_op=op))) is converts
