"""Depthwise convolutions on GPUs: which kernels and ops count, and both sides of the threshold."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.kernels import A100

from .test_findings import about, codes, kernels, params

#: As PyTorch and TensorFlow call them.
TORCH = "void at::native::(anonymous namespace)::conv_depthwise2d_forward_kernel<3, float, int>()"
TENSORFLOW = "void tensorflow::DepthwiseConv2dGPUKernelNHWC<float, 3, 3, 1>(tensorflow::DepthwiseArgs)"
#: cuDNN's, which a dense convolution of one channel has, too.
GROUPED = "void conv2d_grouped_direct_kernel<float, float, float, true, 0, 1, (cudnnTensorFormat_t)0>()"


@pytest.mark.parametrize(("length", "severity"), [(99, None), (100, "note"), (299, "note"), (300, "warning")])
def test_from_which_share_on(length: int, severity: str | None) -> None:
    finding = about(kernels((TORCH, length * 1000), ("other", (1000 - length) * 1000)), "convolutions_depthwise")
    assert (finding.severity if finding else None) == severity


def test_forward_and_backward_add_up() -> None:
    back = TORCH.replace("forward", "backward")
    assert params(kernels((TORCH, 100), (back, 300), ("other", 600)), "convolutions_depthwise") == {
        "total_ps": 400e3,
        "share": 0.4,
        "kernel": "conv_depthwise2d_backward_kernel",
        "kernel_ps": 300e3,
    }


@pytest.mark.parametrize(
    ("name", "op", "is_depthwise"),
    [
        (TENSORFLOW, "d/depthwise:DepthwiseConv2dNative", True),
        (GROUPED, "d/depthwise:DepthwiseConv2dNative", True),
        (
            GROUPED,
            "gradient_tape/d/depthwise/DepthwiseConv2dNativeBackpropInput:DepthwiseConv2dNativeBackpropInput",
            True,
        ),
        (GROUPED, "model/conv2d_6/Conv2D:Conv2D", False),
        ("sm80_xmma_fprop_implicit_gemm", "model/conv2d_6/Conv2D:Conv2D", False),
    ],
)
def test_which_kernels_count(name: str, op: str, is_depthwise: bool) -> None:
    of = kernels((name, 1000), stats=A100, tf_op=op)
    assert ("convolutions_depthwise" in codes(of)) is is_depthwise


def test_on_the_overview() -> None:
    findings = answered(OVERVIEW, timeline(kernels((TORCH, 300_000), ("other", 700_000)))).result.findings
    assert [f.severity for f in findings if f.code == "convolutions_depthwise"] == ["warning"]
