"""Names of real kernels → the precision that they compute in."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.split import precision_of_element, precision_of_instruction, precision_of_kernel

KERNELS: dict[str | None, list[str]] = {
    "compute_8bit": [
        "cutlass_75_tensorop_i8816gemm_s8_128x128_64x2_tn_align16",
        "turing_int8_i8816gemm_int8_128x128_ldg16_stages_64x1_nt",
        "ampere_int8_i16832gemm_int8_128x128_ldg16_relu_stages_64x3_tn",
        "cutlass3x_sm90_tensorop_s64x128x32gemm_e4m3_e4m3_f32_bf16_bf16_128x128x128_0_tnn_align16",
        (
            "sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x128x128_warpgroupsize1x1x1_bias_execute_segment_"
            "k_off_kernel__5x_cublas"
        ),
        "sm80_xmma_fprop_implicit_gemm_i8i8_i8i32_f32_nhwckrsc_nhwc_tilesize128x128x64",
        "nvjet_qqtst_128x256_128x4_2x1_v_bz_coopA_TNT",
        "void at::native::unrolled_elementwise_kernel<c10::Float8_e4m3fn>",
        "Cijk_Alik_Bljk_I8II_BH_MT128x128x64",
        "Cijk_Alik_Bljk_F8B8HS_BH_Bias_AH",
        "Cijk_Alik_Bljk_4xi8II_BH_MT64x64",
        "void fp8_gemm_kernel<7168u, 128u, 128u>",
        "void trtllm::quantize<signed char, x>",
    ],
    "compute_16bit": [
        # Triton's: result, activations, weights; these are multiplied as bfloat16.
        "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1",
        # `S8_` is a substitution, `DF16b` bfloat16, `DF16_` float16; the last has an expression in its arguments.
        "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb1ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib",
        "_ZN1a1kIDF16_EEvPT_",
        "_ZN1a1kINS_1bENS_1cENS_1dENS_1eENS_1gENS_1iENS_1jENS_1lENS_1mEDF16bS8_EEvv",
        "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i",
        "_ZN1a1kIDF16bXadL_Z1fIS8_EEEEEvv",
        "void ck::kernel_grouped_conv_fwd<ck::GridwiseGemm<unsigned short, unsigned short, float, unsigned short>>",
        "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn",
        "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn",
        "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_nn",
        "volta_h884gemm_128x64_ldg8_nn",
        (
            "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_tn_align8>(cutlass_"
            "80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_tn_align8::Params)"
        ),
        "void cutlass::Kernel2<cutlass_75_wmma_tensorop_f16_s161616gemm_f16_32x32_128x2_tn_align8>(x::Params)",
        "cutlass3x_sm90_tensorop_s64x128x16gemm_bf16_bf16_f32_bf16_bf16_128x128x64_2x1x1_0_tnn_align8",
        (
            "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize2x1x1_execute_segment_k_off"
            "_kernel__5x_cublas"
        ),
        "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize160x128x32_stage4_warpsize2x2x1_tensor16x8x16_kernel",
        "sm80_xmma_dgrad_implicit_gemm_indexed_f16f16_f16f32_f32_nhwckrsc_nhwc",
        "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT",
        "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNN",
        "nvjet_sm100_tss_128x128_64x6",
        "turing_fp16_s1688cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1",
        "volta_fp16_s884cudnn_fp16_256x128_ldg8_relu_f2f_exp_interior_nhwc_tn_v1",
        "void cudnn::bn_fw_tr_1C11_singleread<__half, 512, true, 1, 2, 0>(cudnn::bn_fw_tr_1C11_args<__half>)",
        "cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_7_64x64x128_4x1x1_kernel0_0",
        (
            "void gemv2T_kernel_val<int, int, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, 128, 16, 4, 4, "
            "false, false, cublasGemvParamsEx<int>>"
        ),
        (
            "void gemmk1_kernel<int, float, 256, 5, false, false, false, false, cublasGemvTensorStridedBatched<__"
            "half const>, cublasGemvTensorStridedBatched<__half const>, cublasGemvTensorStridedBatched<__half>, f"
            "loat, 0>(x)"
        ),
        (
            "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::half_t, Flash_"
            "kernel_traits<128, 128, 64, 4, cutlass::half_t>>, false, true>(Flash_fwd_params)"
        ),
        (
            "void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<64, 128, 128, 8, cu"
            "tlass::bfloat16_t>>"
        ),
        "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention)",
        "fmha_v2_flash_attention_fp16_64_128_S_q_k_v_128_sm90_kernel_nl",
        "AddV2_GPU_DT_HALF_DT_HALF_kernel",
        "Mul_GPU_DT_BFLOAT16_DT_BFLOAT16_kernel",
        (
            "void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<"
            "Eigen::Tensor<Eigen::half, 1, 1, long>, 16, Eigen::MakePointer>, Eigen::TensorConversionOp<Eigen::ha"
            "lf, Eigen::TensorMap<Eigen::Tensor<float const, 1, 1, long> > > > >, long>"
        ),
        (
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, at::de"
            "tail::Array<char*, 3>>(int)"
        ),
        (
            "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::Half, at::native::func_wrapper_t<c1"
            "0::Half, float>>>"
        ),
        "Cijk_Ailk_Bljk_BBS_BH_MT128x128x64_MI32x32x8x1_SN_1LDSB0",
        "Cijk_Alik_Bljk_HHS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64",
        "Cijk_Ailk_Bljk_HBH_MT128x128x16_SE_APM1_AF0EM1",
        "igemm_fwd_gtcx_nhwc_fp16_bx0_ex1_bt256x128x32_wt32x32x8",
        "igemm_wrw_gtcx3_nhwc_bf16_bx0_ex1",
        (
            "void ck::kernel_gemm_xdl_cshuffle_v1<ck::GridwiseGemm_k0mk1_k0nk1_mn_xdl_cshuffle_v1<ck::tensor_layo"
            "ut::gemm::RowMajor, _Float16, _Float16, float>>"
        ),
        "void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::fp16_t, x>>",
        "wvSplitK_hf_sml_<__hip_bfloat16, 32>",
        "_ZN7cutlass6KernelIN4cute6half_tE13__nv_bfloat16EEvv",
    ],
    "compute_tf32": [
        "void cutlass_cudnn_train::Kernel<ImplicitGemm<float, cutlass_cudnn_train::tfloat32_t, RowMajor>>",
        "ampere_tf32_s1688gemm_128x128_ldg4_f2f_stages_32x1_nn",
        "cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4",
        (
            "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4>(cutlass_80_tensorop_s1688g"
            "emm_64x64_32x6_tn_align4::Params)"
        ),
        "cutlass3x_sm90_tensorop_s64x128x8tf32gemm_f32_f32_f32_f32_f32_128x128x32_2x1x1_0_tnn_align4",
        (
            "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_warpsize2x"
            "2x1_g1_tensor16x8x8_execute_kernel__5x_cudnn"
        ),
        "sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16_stage4",
        "Cijk_Ailk_Bljk_S_MX_B_UserArgs_MT128x128x32",
    ],
    "compute_32bit": [
        "volta_sgemm_128x64_nn",
        "ampere_sgemm_32x128_tn",
        (
            "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>(cutlass_80_simt_sgemm_128x64_8x5_n"
            "n_align1::Params)"
        ),
        "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize32x32x8_stage3",
        "cudnn_infer_ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1",
        "volta_scudnn_128x64_relu_interior_nn_v1",
        "void cudnn::bn_bw_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>(cudnnTensorStruct*)",
        (
            "void cudnn::winograd_nonfused::winogradForwardFilter4x4<float, float>(cudnn::winograd_nonfused::Wino"
            "gradFilterParams<float, float>)"
        ),
        (
            "void implicit_convolve_sgemm<float, float, 1024, 5, 5, 3, 3, 3, 1, false, false, true>(int, int, int"
            ", float const*)"
        ),
        "void gemv2N_kernel<int, int, float, float, float, float, 128, 8, 4, 4, 1, false, cublasGemvParamsEx<int>>",
        "void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, true, false, false>(x)",
        "fmha_cutlassB_f32_aligned_64x64_k64_sm80",
        "Relu_GPU_DT_FLOAT_DT_FLOAT_kernel",
        (
            "void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<"
            "Eigen::Tensor<bool, 1, 1, long>, 16>, Eigen::TensorCwiseBinaryOp<greater_equal<float>, Eigen::Tensor"
            "<float const, 1, 1, long>>>>, long>"
        ),
        (
            "void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<"
            "Eigen::Tensor<int, 1, 1, long>, 16>, x>>, long>"
        ),
        "void tensorflow::functor::ApplyAdamKernel<float>(int, float*, float*)",
        "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float, unsigned int, 1, 4, bool>",
        (
            "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, at::detail::Array<"
            "char*, 1> >"
        ),
        "Cijk_Ailk_Bjlk_SB_MT64x64x16_SE_1LDSB0_APM1",
        "miopenSp3AsmConv_v21_1_3_gfx9_fp32_f3x2_stride1_group",
        "naive_conv_fwd_nchw_float_double_float",
        "void cub::DeviceReduceKernel<cub::Policy600, float*, float*>(int)",
        "Im2d2Col_float",
        "batched_transpose_32x32_dword_float",
    ],
    "compute_64bit": [
        "ampere_dgemm_128x64_nn",
        "ampere_d884gemm_128x64_tn",
        (
            "void dot_kernel<double, 128, 0, cublasDotParams<cublasGemvTensor<double const>, cublasGemvTensorStri"
            "dedBatched<double>>>"
        ),
        "Cast_GPU_DT_INT64_DT_FLOAT_kernel",
        (
            "void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<"
            "Eigen::Tensor<long, 1, 1, int>, 16>, x>>, int>"
        ),
        "Cijk_Ailk_Bljk_DB_MT32x32x8",
    ],
    None: [
        "_ZN1a1kIS8_XadL_Z1fIS8_EEEEEvv",
        "void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<...scalar_sum_op...>, int>",
        "triton_poi_fused_add_relu_0",
        "gemm_fusion_dot_1_kernel",
        "loop_convert_fusion",
        "input_transpose_fusion.kd",
        "fusion_32",
        "float2half_kernel",
        "void half2float_convert(int, int)",
        "void cub::DeviceRadixSortHistogramKernel<cub::Policy800, unsigned int, 256>",
        "void splitKernel<int, int, 8>(int const*, int)",
        "Im3d2Col.kd",
        "conv1x1",
        "u8_layout_something16",
        "fmha_decode_h128_kernel",
    ],
}


@pytest.mark.parametrize("key", KERNELS)
def test_kernels(key: str | None) -> None:
    assert {name: precision_of_kernel(name) for name in KERNELS[key]} == dict.fromkeys(KERNELS[key], key)


@pytest.mark.parametrize(
    ("element", "key"),
    [
        ("bf16", "compute_16bit"),
        ("f16", "compute_16bit"),
        ("f32", "compute_32bit"),
        ("s32", "compute_32bit"),
        ("c64", "compute_32bit"),
        ("f64", "compute_64bit"),
        ("c128", "compute_64bit"),
        ("f8e4m3fn", "compute_8bit"),
        ("f8e5m2fnuz", "compute_8bit"),
        ("s8", "compute_8bit"),
        ("s4", "compute_8bit"),
        ("pred", None),
        ("token", None),
        ("f128", None),
        ("f9999", None),
    ],
)
def test_element_types_of_xla(element: str, key: str | None) -> None:
    assert precision_of_element(element) == key


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
