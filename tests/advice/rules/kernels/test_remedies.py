"""A kernel's name → what makes such a kernel cheaper."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.text import sentence
from tensorboard_perfplugin.messages import Message
from tests.build_capture import StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import A100, MI300, ask, kernels_of


def remedy(name: str, stats: dict[str, StatValue] = A100) -> Message | None:
    findings = ask(timeline(kernels_of(name, stats=stats))).result.findings
    [message] = [finding.params["remedy"] for finding in findings if finding.code == "kernel_takes_most"]
    assert message is None or isinstance(message, Message)
    return message


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "collective"),
        ("pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>>", "fused_attention"),
        ("softmax_warp_forward", "softmax"),
        ("loop_convert_fusion_3", "conversion"),
        ("input_transpose_fusion", "rearrangement"),
        ("loop_add_fusion", "fusion"),
        ("void Eigen::internal::EigenMetaKernel<float>", "elementwise"),
        ("ampere_h16816gemm_256x128", "on_tensor_cores"),
        # The first thousand letters of a name are looked at.
        ("x" * 992 + "_softmax", "softmax"),
        ("x" * 993 + "_softmax", None),
        ("volta_sgemm_128x64_nn", None),
    ],
)
def test_what_makes_a_kernel_cheaper(name: str, code: str | None) -> None:
    message = remedy(name)
    assert (message and message.code) == (code and f"kernel_remedy.{code}")


def test_what_a_vendor_calls_the_units_that_multiply_matrices() -> None:
    names = {"ampere_h16816gemm_256x128": A100, "Cijk_Ailk_Bljk_BBS_BH_MT256x128x32_MI16x16x16x1_SN": MI300}
    texts = [sentence(message) for name, stats in names.items() if (message := remedy(name, stats))]
    assert [text.partition(" already")[0] for text in texts] == ["It runs on tensor cores", "It runs on matrix cores"]
