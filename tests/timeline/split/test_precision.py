"""Names of real kernels → the precision that they compute in."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.names.kernels import uses_tensor_cores
from tensorboard_perfplugin.timeline.split.device import (
    precision_of_element,
    precision_of_instruction,
    precision_of_kernel,
)

#: Names of kernels, apart by `|`. Of Triton's the result, activations and weights are told, of which
#: bfloat16 is multiplied; `S8_` is a substitution, `DF16b` bfloat16, `DF16_` float16.
KERNELS: dict[str | None, str] = {
    "compute_8bit": """
        cutlass_75_tensorop_i8816gemm_s8_128x128_64x2_tn_align16 |
        turing_int8_i8816gemm_int8_128x128_ldg16_stages_64x1_nt |
        ampere_int8_i16832gemm_int8_128x128_ldg16_relu_stages_64x3_tn |
        cutlass3x_sm90_tensorop_s64x128x32gemm_e4m3_e4m3_f32_bf16_bf16_128x128x128_0_tnn_align16 |
        sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x128x128_warpgroupsize1x1x1_bias_execute_segment_k_off_kern |
        sm80_xmma_fprop_implicit_gemm_i8i8_i8i32_f32_nhwckrsc_nhwc_tilesize128x128x64 |
        nvjet_qqtst_128x256_128x4_2x1_v_bz_coopA_TNT |
        void at::native::unrolled_elementwise_kernel<c10::Float8_e4m3fn> | Cijk_Alik_Bljk_I8II_BH_MT128x128x64 |
        Cijk_Alik_Bljk_F8B8HS_BH_Bias_AH | Cijk_Alik_Bljk_4xi8II_BH_MT64x64 |
        void fp8_gemm_kernel<7168u, 128u, 128u> | void trtllm::quantize<signed char, x>""",
    "compute_16bit": """
        _matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1 |
        _ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb1ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib |
        _ZN1a1kIDF16_EEvPT_ | _ZN1a1kINS_1bENS_1cENS_1dENS_1eENS_1gENS_1iENS_1jENS_1lENS_1mEDF16bS8_EEvv |
        _ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i |
        _ZN1a1kIDF16bXadL_Z1fIS8_EEEEEvv |
        void ck::kernel_grouped_conv_fwd<ck::GridwiseGemm<unsigned short, unsigned short, float, unsigned short>> |
        volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn | ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn |
        ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_nn | volta_h884gemm_128x64_ldg8_nn |
        void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_tn_align8>(cutlass_80_tensoro |
        void cutlass::Kernel2<cutlass_75_wmma_tensorop_f16_s161616gemm_f16_32x32_128x2_tn_align8>(x::Params) |
        cutlass3x_sm90_tensorop_s64x128x16gemm_bf16_bf16_f32_bf16_bf16_128x128x64_2x1x1_0_tnn_align8 |
        sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize2x1x1_execute_segment_k_off_kernel__5 |
        sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize160x128x32_stage4_warpsize2x2x1_tensor16x8x16_kernel |
        sm80_xmma_dgrad_implicit_gemm_indexed_f16f16_f16f32_f32_nhwckrsc_nhwc |
        nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT | nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNN |
        nvjet_sm100_tss_128x128_64x6 | turing_fp16_s1688cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1 |
        volta_fp16_s884cudnn_fp16_256x128_ldg8_relu_f2f_exp_interior_nhwc_tn_v1 |
        void cudnn::bn_fw_tr_1C11_singleread<__half, 512, true, 1, 2, 0>(cudnn::bn_fw_tr_1C11_args<__half>) |
        cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_7_64x64x128_4x1x1_kernel0_0 |
        void gemv2T_kernel_val<int, int, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, 128, 16, 4, 4, false, fal |
        void gemmk1_kernel<int, float, 256, 5, false, false, false, false, cublasGemvTensorStridedBatched<__half const |
        void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::half_t, Flash_kernel_tra |
        void flash::flash_bwd_dq_dk_dv_parallel_kernel<Flash_bwd_kernel_traits<64, 128, 128, 8, cutlass::bfloat16_t>> |
        fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention) |
        fmha_v2_flash_attention_fp16_64_128_S_q_k_v_128_sm90_kernel_nl | AddV2_GPU_DT_HALF_DT_HALF_kernel |
        Mul_GPU_DT_BFLOAT16_DT_BFLOAT16_kernel |
        EigenMetaKernel<...Eigen::half, Eigen::TensorMap<Eigen::Tensor<float const, 1, 1, long>>>, long> |
        void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Arra |
        void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::Half, at::native::func_wrapper_t<c10::Half, f |
        Cijk_Ailk_Bljk_BBS_BH_MT128x128x64_MI32x32x8x1_SN_1LDSB0 |
        Cijk_Alik_Bljk_HHS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64 | Cijk_Ailk_Bljk_HBH_MT128x128x16_SE_APM1_AF0EM1 |
        igemm_fwd_gtcx_nhwc_fp16_bx0_ex1_bt256x128x32_wt32x32x8 | igemm_wrw_gtcx3_nhwc_bf16_bx0_ex1 |
        void ck::kernel_gemm_xdl_cshuffle_v1<ck::tensor_layout::gemm::RowMajor, _Float16, _Float16, float>> |
        void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::fp16_t, x>> |
        wvSplitK_hf_sml_<__hip_bfloat16, 32> | _ZN7cutlass6KernelIN4cute6half_tE13__nv_bfloat16EEvv""",
    "compute_tf32": """
        void cutlass_cudnn_train::Kernel<ImplicitGemm<float, cutlass_cudnn_train::tfloat32_t, RowMajor>> |
        ampere_tf32_s1688gemm_128x128_ldg4_f2f_stages_32x1_nn | cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4 |
        void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4>(cutlass_80_tensorop_s1688gemm_64x64_ |
        cutlass3x_sm90_tensorop_s64x128x8tf32gemm_f32_f32_f32_f32_f32_128x128x32_2x1x1_0_tnn_align4 |
        sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_warpsize2x2x1_g1_ten |
        sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16_stage4 |
        Cijk_Ailk_Bljk_S_MX_B_UserArgs_MT128x128x32""",
    "compute_32bit": """
        volta_sgemm_128x64_nn | ampere_sgemm_32x128_tn |
        void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>(cutlass_80_simt_sgemm_128x64_8x5_nn_align1:: |
        sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize32x32x8_stage3 |
        cudnn_infer_ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1 |
        volta_scudnn_128x64_relu_interior_nn_v1 |
        void cudnn::bn_bw_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>(cudnnTensorStruct*) |
        void cudnn::winograd_nonfused::winogradForwardFilter4x4<float, float>(cudnn::winograd_nonfused::WinogradFilter |
        void implicit_convolve_sgemm<float, float, 1024, 5, 5, 3, 3, 3, 1, false, false, true>(int, int, int, float co |
        void gemv2N_kernel<int, int, float, float, float, float, 128, 8, 4, 4, 1, false, cublasGemvParamsEx<int>> |
        void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, true, false, false>(x) |
        fmha_cutlassB_f32_aligned_64x64_k64_sm80 | Relu_GPU_DT_FLOAT_DT_FLOAT_kernel |
        EigenMetaKernel<...greater_equal<float>, Eigen::Tensor<float const, 1, 1, long>>>>, long> |
        void Eigen::internal::EigenMetaKernel<Eigen::TensorMap<Eigen::Tensor<int, 1, 1, long>, 16>, x>>, long> |
        void tensorflow::functor::ApplyAdamKernel<float>(int, float*, float*) |
        void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float, unsigned int, 1, 4, bool> |
        void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, at::detail::Array<char*, 1> |
        Cijk_Ailk_Bjlk_SB_MT64x64x16_SE_1LDSB0_APM1 | miopenSp3AsmConv_v21_1_3_gfx9_fp32_f3x2_stride1_group |
        naive_conv_fwd_nchw_float_double_float | void cub::DeviceReduceKernel<cub::Policy600, float*, float*>(int) |
        Im2d2Col_float | batched_transpose_32x32_dword_float""",
    "compute_64bit": """
        ampere_dgemm_128x64_nn | ampere_d884gemm_128x64_tn |
        void dot_kernel<double, 128, 0, cublasDotParams<cublasGemvTensor<double const>, cublasGemvTensorStridedBatched |
        Cast_GPU_DT_INT64_DT_FLOAT_kernel |
        void Eigen::internal::EigenMetaKernel<Eigen::TensorMap<Eigen::Tensor<long, 1, 1, int>, 16>, x>>, int> |
        Cijk_Ailk_Bljk_DB_MT32x32x8""",
    None: """
        _ZN1a1kIS8_XadL_Z1fIS8_EEEEEvv |
        void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<...scalar_sum_op...>, int> |
        triton_poi_fused_add_relu_0 | gemm_fusion_dot_1_kernel | loop_convert_fusion | input_transpose_fusion.kd |
        fusion_32 | float2half_kernel | void half2float_convert(int, int) |
        void cub::DeviceRadixSortHistogramKernel<cub::Policy800, unsigned int, 256> |
        void splitKernel<int, int, 8>(int const*, int) | Im3d2Col.kd | conv1x1 | u8_layout_something16 |
        fmha_decode_h128_kernel""",
}


def names(of: str) -> list[str]:
    return [name.strip() for name in of.split("|")]


def test_kernels() -> None:
    found = {key: {name: precision_of_kernel(name) for name in names(of)} for key, of in KERNELS.items()}
    assert found == {key: dict.fromkeys(names(of), key) for key, of in KERNELS.items()}


def test_element_types_of_xla() -> None:
    types = {
        "compute_8bit": "f8e4m3fn f8e5m2fnuz s8 s4",
        "compute_16bit": "bf16 f16",
        "compute_32bit": "f32 s32 c64",
        "compute_64bit": "f64 c128",
        None: "pred token f128 f9999",
    }
    assert {key: [precision_of_element(one) for one in of.split()] for key, of in types.items()} == {
        key: [key] * len(of.split()) for key, of in types.items()
    }


@pytest.mark.parametrize(
    ("text", "category", "key"),
    [
        ("%add.1 = f32[8,128]{1,0:T(8,128)} add(f32[8,128]{1,0} %a, f32[8,128]{1,0} %b)", "", "compute_32bit"),
        ("%convert = bf16[8]{0} convert(f32[8]{0} %a)", "", "compute_16bit"),
        # A multiplication of bf16 that adds up in f32 multiplies bf16.
        ("%dot.2 = f32[8,8]{1,0} dot(bf16[8,8]{1,0} %a, bf16[8,8]{1,0} %b)", "", "compute_16bit"),
        (
            "%fusion.3 = (f32[8]{0:T(128)}, f32[2]) fusion(bf16[8,128]{1,0} %p), kind=kOutput",
            "convolution fusion",
            "compute_16bit",
        ),
        ("%compare = pred[8] compare(s64[8] %a, s64[8] %b)", "", "compute_64bit"),
        ("fusion.3", "loop fusion", None),
        ("", "", None),
    ],
)
def test_instructions_of_xla(text: str, category: str, key: str | None) -> None:
    assert precision_of_instruction(text, category) == key


@pytest.mark.parametrize("unit", ["tensor<", "s1688_", "cublasGem<", "Cijk_A", "nvjet_", "%a = ", "tf3", "_", "a b"])
def test_a_name_of_100_kb_is_looked_at_in_part(unit: str) -> None:
    """Of a name that never ends only the front counts, and no pattern tries every begin against every end."""
    name = unit * (100_000 // len(unit))
    assert precision_of_kernel(f"{name}float") == precision_of_kernel(name)
    assert precision_of_instruction(f"{name}f32[8] add(") is None


#: Vendor, whether tensor cores are used, the precision; names on Hopper, Blackwell and CDNA 3.
NEWER: tuple[tuple[str, bool | None, str | None, str], ...] = (
    (
        *("Nvidia", True, "compute_8bit"),
        """cutlass3x_sm100_bstensorop_s256x256x64gemm_block_scaled_ue8m0xe4m3_ue8m0xe4m3_f32_bf16_bf16_256x256x128_0
        cutlass3x_sm100_bstensorop_s128x128x64gemm_block_scaled_ue4m3xf4_ue4m3xf4_f32_f16_f16_128x128x256_0_tnn
        cutlass3x_sm90_sptensorop_s64x256x64spgemm_e4m3_e4m3_f32_bf16_bf16_128x256x128_2x1x1_0_tnt_align32
        nvjet_sm100_qqtst_128x256_128x6_2x1_2cta_v_bz_Avec16UE4M3_Bvec16UE4M3_TNT
        sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x128x128_warpgroupsize1x1x1_bias_bf16_execute
        bmm_E4m3_E4m3E4m3_Fp32_t128x8x128u2_s6_et64x8_m64x8x32_cga1x1x1_16dp256b_TN_transOut_schedS_sm100f
        bmm_MxE4m3_MxE2m1MxE4m3_Fp32_bA32_bB32_bC32_t128x32x256_s3_et128x32_m128x32x32_cga1x1x1_sm100f""",
    ),
    (
        *("Nvidia", True, "compute_16bit"),
        """nvjet_sm103_tst_256x256_64x4_2x1_2cta_h_bz_TNT
        sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize256x128x64_warpgroupsize2x1x1_g1
        cutlass3x_sm100_tensorop_s256x256x16gemm_bf16_bf16_f32_bf16_bf16_256x256x64_0_tnn_align8_2sm
        cudnn_generated_fort_native_sdpa_sm100_flash_fprop_f16_knob_7_256x128x128_2x1x1_cga1x1x1_kernel0_0
        cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_bf16_knob_31_64x128x128_1x4x1_kernel0_0
        cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<Mainloop<cutlass::bfloat16_t,float>>>>""",
    ),
    (
        *("Nvidia", True, None),
        """kernel_cutlass_kernel_flash_attncuteflash_fwd_sm100FlashAttentionForwardSm100_object_at__tensorptrbf16g
        fmhaSm100fKernel_QkvBfloat16OBfloat16H128PagedKvCausalP64VarSeqQ128Kv128PersistentContext
        cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaFwdKernelTmaWarpspecialized<X>>""",
    ),
    (
        *("Nvidia", False, None),
        """cutlass::device_kernel<flash::FlashAttnFwdCombine<X,cutlass::arch::Sm90>> flash::flash_bwd_convert_dkv<X>
        kernel_cutlass_kernel_flash_attncuteflash_bwd_preprocessFlashAttentionBackwardPreprocess_object_at__tens
        kernel_cutlass_kernel_flash_attncuteflash_bwd_postprocessFlashAttentionBackwardPostprocess_object_at__te
        flash::flash_bwd_clear_dkvaccum_kernel<X> cutlass::device_kernel<cutlass::fmha::kernel::FmhaKernelBwdSumOdO>
        cudnn::fusion::compute_dot_do_o_specialized<true>""",
    ),
    (
        *("Nvidia", None, None),
        """fmhaReductionKernel<X> gemm_fusion_dot_5 gemm_foo_sm100 _attn_fwd""",
    ),
    (
        *("AMD", True, "compute_8bit"),
        """aiter::f4gemm_bf16_per1x32Fp4_BpreShuffle_256x256 Cijk_Ailk_Bljk_F8F8S_BH_MT128x128x128_MI16x16x32x1_SN
        _ZN5aiter52fmoe_bf16_blockscaleFp8_g1u1_novs_silu_1tg_ps_32x256E""",
    ),
    (
        *("AMD", True, "compute_16bit"),
        """aiter::fmha_fwd_hd128_bf16_causal_rtna_group _ZN5aiter38fmha_bwd_hd128_bf16_causal_br_a32_psskE
        aiter::bf16gemm_fp32bf16_tn_96x64_splitk_clean""",
    ),
    (
        *("AMD", True, None),
        """ck_tile::kentry<256,2,ck_tile::FmhaFwdKernel<X>> ck_tile::kentry<64,1,ck_tile::FmhaBwdDQDKDVKernel<X>>
        ck_tile::kentry<256,2,ck_tile::FmhaFwdSplitKVKernel<X>> _ZN7ck_tile6kentryILi1ENS_19UniversalGemmKernelINS_
        ck_tile::kentry<256,2,ck_tile::FlatmmKernel<X>>""",
    ),
    (
        *("AMD", False, None),
        """_ZN7ck_tile6kentryILi1ENS_22FmhaBwdOGradDotOKernelINS_ ck_tile::kentry<1,ck_tile::FmhaFwdAppendKVKernel>
        ck_tile::kentry<256,2,ck_tile::FmhaFwdSplitKVCombineKernel<X>> ck_tile::FmhaBwdConvertQGradKernel<X>""",
    ),
)


def test_names_of_newer_libraries() -> None:
    """Products, attention and their helpers."""
    for vendor, uses, precision, of in NEWER:
        found = {name: (uses_tensor_cores(name, vendor), precision_of_kernel(name)) for name in of.split()}
        assert found == dict.fromkeys(of.split(), (uses, precision))
