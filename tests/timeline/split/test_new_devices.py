"""Names of kernels and instructions on Hopper, Blackwell, CDNA 3 and TPUs: what they compute, and on which units."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import exchanges, uses_tensor_cores
from tensorboard_perfplugin.timeline.split import category_of_instruction, precision_of_kernel


@pytest.mark.parametrize(
    ("vendor", "uses", "precision", "names"),
    [
        (
            "Nvidia",
            True,
            "compute_8bit",
            """cutlass3x_sm100_bstensorop_s256x256x64gemm_block_scaled_ue8m0xe4m3_ue8m0xe4m3_f32_bf16_bf16_256x256x128_0
            cutlass3x_sm100_bstensorop_s128x128x64gemm_block_scaled_ue4m3xf4_ue4m3xf4_f32_f16_f16_128x128x256_0_tnn
            cutlass3x_sm90_sptensorop_s64x256x64spgemm_e4m3_e4m3_f32_bf16_bf16_128x256x128_2x1x1_0_tnt_align32
            nvjet_sm100_qqtst_128x256_128x6_2x1_2cta_v_bz_Avec16UE4M3_Bvec16UE4M3_TNT
            sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x128x128_warpgroupsize1x1x1_bias_bf16_execute
            bmm_E4m3_E4m3E4m3_Fp32_t128x8x128u2_s6_et64x8_m64x8x32_cga1x1x1_16dp256b_TN_transOut_schedS_sm100f
            bmm_MxE4m3_MxE2m1MxE4m3_Fp32_bA32_bB32_bC32_t128x32x256_s3_et128x32_m128x32x32_cga1x1x1_sm100f""",
        ),
        (
            "Nvidia",
            True,
            "compute_16bit",
            """nvjet_sm103_tst_256x256_64x4_2x1_2cta_h_bz_TNT
            sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize256x128x64_warpgroupsize2x1x1_g1
            cutlass3x_sm100_tensorop_s256x256x16gemm_bf16_bf16_f32_bf16_bf16_256x256x64_0_tnn_align8_2sm
            cudnn_generated_fort_native_sdpa_sm100_flash_fprop_f16_knob_7_256x128x128_2x1x1_cga1x1x1_kernel0_0
            cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_bf16_knob_31_64x128x128_1x4x1_kernel0_0
            cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<Mainloop<cutlass::bfloat16_t,float>>>>""",
        ),
        (
            "Nvidia",
            True,
            None,
            """kernel_cutlass_kernel_flash_attncuteflash_fwd_sm100FlashAttentionForwardSm100_object_at__tensorptrbf16g
            fmhaSm100fKernel_QkvBfloat16OBfloat16H128PagedKvCausalP64VarSeqQ128Kv128PersistentContext
            cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaFwdKernelTmaWarpspecialized<X>>""",
        ),
        (
            "Nvidia",
            False,
            None,
            """cutlass::device_kernel<flash::FlashAttnFwdCombine<X,cutlass::arch::Sm90>> flash::flash_bwd_convert_dkv<X>
            kernel_cutlass_kernel_flash_attncuteflash_bwd_preprocessFlashAttentionBackwardPreprocess_object_at__tens
            kernel_cutlass_kernel_flash_attncuteflash_bwd_postprocessFlashAttentionBackwardPostprocess_object_at__te
            flash::flash_bwd_clear_dkvaccum_kernel<X> cutlass::device_kernel<cutlass::fmha::kernel::FmhaKernelBwdSumOdO>
            cudnn::fusion::compute_dot_do_o_specialized<true>""",
        ),
        ("Nvidia", None, None, "fmhaReductionKernel<X> gemm_fusion_dot_5 gemm_foo_sm100 _attn_fwd"),
        (
            "AMD",
            True,
            "compute_8bit",
            """aiter::f4gemm_bf16_per1x32Fp4_BpreShuffle_256x256 Cijk_Ailk_Bljk_F8F8S_BH_MT128x128x128_MI16x16x32x1_SN
            _ZN5aiter52fmoe_bf16_blockscaleFp8_g1u1_novs_silu_1tg_ps_32x256E""",
        ),
        (
            "AMD",
            True,
            "compute_16bit",
            """aiter::fmha_fwd_hd128_bf16_causal_rtna_group _ZN5aiter38fmha_bwd_hd128_bf16_causal_br_a32_psskE
            aiter::bf16gemm_fp32bf16_tn_96x64_splitk_clean""",
        ),
        (
            "AMD",
            True,
            None,
            """ck_tile::kentry<256,2,ck_tile::FmhaFwdKernel<X>> ck_tile::kentry<64,1,ck_tile::FmhaBwdDQDKDVKernel<X>>
            ck_tile::kentry<256,2,ck_tile::FmhaFwdSplitKVKernel<X>> _ZN7ck_tile6kentryILi1ENS_19UniversalGemmKernelINS_
            ck_tile::kentry<256,2,ck_tile::FlatmmKernel<X>>""",
        ),
        (
            "AMD",
            False,
            None,
            """_ZN7ck_tile6kentryILi1ENS_22FmhaBwdOGradDotOKernelINS_ ck_tile::kentry<1,ck_tile::FmhaFwdAppendKVKernel>
            ck_tile::kentry<256,2,ck_tile::FmhaFwdSplitKVCombineKernel<X>> ck_tile::FmhaBwdConvertQGradKernel<X>""",
        ),
    ],
)
def test_names_of_newer_libraries(vendor: str, uses: bool | None, precision: str | None, names: str) -> None:
    """Products, attention and their helpers on Hopper, Blackwell and CDNA 3."""
    assert {
        name: (uses_tensor_cores(name, vendor), precision_of_kernel(name)) for name in names.split()
    } == dict.fromkeys(names.split(), (uses, precision))


@pytest.mark.parametrize(
    ("expected", "text", "category"),
    [
        ("collective", "%async-collective-start = (bf16[8]{0}, bf16[8]{0}) fusion(bf16[8]{0} %p)", "custom fusion"),
        ("collective", "%async-collective-done.3 = bf16[8]{0} fusion(bf16[8]{0} %p), kind=kCustom", "custom fusion"),
        ("collective", "%all-gather-done.1 = bf16[8]{0} async-done(((bf16[2]{0}), bf16[8]{0}) %s)", "async-done"),
        ("collective", "%reduce-scatter.2 = bf16[2]{0} fusion(bf16[8]{0} %p)", "all-reduce-scatter fusion"),
        ("compute_16bit", "%async-collective-fusion.3 = bf16[8]{0} fusion(bf16[8]{0} %p)", "convolution fusion"),
        ("copy_device", "%slice-done.5 = f32[4]{0:S(1)} slice-done(((f32[8]{0}), f32[4]{0:S(1)}) %s)", "async-done"),
    ],
)
def test_collectives_in_two_instructions(expected: str, text: str, category: str) -> None:
    assert category_of_instruction(text, category) == expected


def test_types_that_exchange_data_between_devices() -> None:
    types = (
        "psum psum_scatter all_gather all_to_all ppermute all-reduce-done collective-permute-start NcclAllReduce send"
    )
    assert [t for t in types.split() if not exchanges(t)] == []
    others = "MatMul dot_general reduce_sum reduce gather Collection send_thing copy-start"
    assert [t for t in others.split() if exchanges(t)] == []
