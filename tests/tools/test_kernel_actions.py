from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.rules.kernel_actions import action_for


@pytest.mark.parametrize(
    ("name", "on_cores", "begin"),
    [
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", False, "It moves data between devices"),
        ("void flash_fwd_kernel<Flash_fwd_kernel_traits<128>>", True, "Attention is fused already"),
        ("softmax_warp_forward", False, "Softmax goes through memory"),
        ("loop_convert_fusion_3", False, "It converts between types"),
        ("input_transpose_fusion", False, "It rearranges data"),
        ("loop_add_fusion", False, "XLA has fused it already"),
        ("void Eigen::internal::EigenMetaKernel<float>", False, "It mostly moves data"),
        ("sm90_xmma_gemm_bf16bf16", True, "It runs on tensor cores already"),
        ("volta_sgemm_128x64_nn", False, ""),
    ],
)
def test_what_makes_a_kernel_cheaper(name: str, on_cores: bool, begin: str) -> None:
    action = action_for(name, on_cores, "tensor cores")
    assert action.startswith(begin)
    assert bool(action) == bool(begin)
