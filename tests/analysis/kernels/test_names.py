"""Names of kernels: demangled, shortened, and what they tell of tensor cores; texts of launches, parsed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.analysis.kernels.rows import short_name
from tensorboard_perfplugin.timeline.names.demangle import demangled
from tensorboard_perfplugin.timeline.names.kernels import kernel_name, multiplies, uses_tensor_cores

ELEMENTWISE = (
    "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_13AUnaryFunctorIfffNS0_15binary_internal10MulFunctorIfEEEE"
    "St5arrayIPcLm2EEEEviT0_T1_"
)
THRUST = (
    "_ZN6thrust8cuda_cub4core13_kernel_agentINS0_14__parallel_for16ParallelForAgentINS0_20__uninitialized_fill7functor"
    "INS_10device_ptrIfEEfEEmEES9_mEEvT0_T1_"
)
UNKNOWN_EXPRESSION = (
    "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i"
)


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_Z3addiPKf", "add(int, float const*)"),
        (
            ELEMENTWISE,
            (
                "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
                "at::native::binary_internal::MulFunctor<float>>, std::array<char*, 2ul>>(int, "
                "at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float>>, "
                "std::array<char*, 2ul>)"
            ),
        ),
        (
            "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0ELb1EEEvPT0_PT_PfS4_i",
            (
                "void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 256, 16, false, true>"
                "(std::bfloat16_t*, std::bfloat16_t*, float*, std::bfloat16_t*, int)"
            ),
        ),
        ("_ZN12_GLOBAL__N_15kern2EPf", "(anonymous namespace)::kern2(float*)"),
        ("_Z4foo1PFvicE", "foo1(void (*)(int, char))"),
        ("_Z1gRA10_KfPA3_i", "g(float const (&)[10], int (*)[3])"),
        ("_Z1fILb1ELi5ELm3EEvv", "void f<true, 5, 3ul>()"),
        ("_Z1hIJifdEEvDpT_", "void h<int, float, double>(int, float, double)"),
        ("_ZZN2at6native6launchEvENKUlvE_clEv", "at::native::launch()::{lambda()#1}::operator()() const"),
        ("_Z1hIJifdEEvDpRKT_", "void h<int, float, double>(int const&, float const&, double const&)"),
        # T_ in a local function is its own.
        (
            "_Z1eIZ3impIZ3addvEUlffE_EvRKT_EUliE_EviT_",
            (
                "void e<imp<add()::{lambda(float, float)#1}>(add()::{lambda(float, float)#1} const&)::{lambda(int)#1}>"
                "(int, imp<add()::{lambda(float, float)#1}>(add()::{lambda(float, float)#1} const&)::{lambda(int)#1})"
            ),
        ),
        # What follows is not covered: an expression. The function's own name is.
        (UNKNOWN_EXPRESSION, "sgl_hip::activation::act_and_mul_kernel<…>(…)"),
        ("_Z3addiPKf.constprop.0", "add(int, float const*) [clone .constprop.0]"),
    ],
)
def test_mangled_names_are_shown_as_written(mangled: str, name: str) -> None:
    assert demangled(mangled) == name
    assert kernel_name(mangled + ".kd") == name or ".constprop" in mangled


def test_what_is_no_mangled_name_stays() -> None:
    assert [demangled(text) for text in ("_Z", "_ZN", "_Z99a", "_Zq", "_Z1fUl")] == [None, None, None, None, "f(…)"]
    assert kernel_name("_Z99a") == "_Z99a"
    assert kernel_name("") == "(unnamed)"


@pytest.mark.parametrize(
    "hostile",
    [
        "_Z" + "N" * 50_000,
        "_Z" + "Z" * 5000,
        "_Z1f" + "P" * 50_000 + "i",
        "_ZN" + "1a" * 10_000 + "E",
        "_Z1fI" + "I" * 5000,
        "_Z1fI" + "J" * 5000,
        "_Z1fIi" + "IT_" * 5000,
        # Each type is made of the one before, twice: it would double 36 times.
        "_Z1fN1aIiiEE" + "".join(f"N1aIS{c}_S{c}_EE" for c in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ],
)
def test_hostile_names_take_no_time(hostile: str) -> None:
    begin = time.process_time()
    name = kernel_name(hostile)
    assert time.process_time() - begin < 30
    assert len(name) <= max(len(hostile), 100_000)
    assert len(short_name(name)) <= 120


@given(st.text("_ZNISTtKPRLEJFDv0123456789aciXUl.", max_size=60))
def test_any_text_has_a_name(text: str) -> None:
    assert isinstance(short_name(kernel_name("_Z" + text)), str)


@pytest.mark.parametrize(
    ("vendor", "uses", "names"),
    [
        (
            "Nvidia",
            True,
            """volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn volta_h884cudnn_256x64_ldg8_relu_exp_small_nhwc_tn_v1
            turing_h1688gemm_128x128_ldg8_stages_32x1_tn turing_int8_i8816cudnn_int8_256x128 ampere_h16816gemm_256x128
            ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn cutlass_80_tensorop_d884gemm_64x64_16x3_nt
            void_cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64> cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16
            cutlass3x_sm90_tensorop_s64x128x16gemm_f16 cutlass3x_sm100_tensorop_f16 volta_imma_kernel some_hmma_kernel
            sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_g1_tensor16x8x8
            sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_kernel
            nvjet_hsh_128x64_64x4_2x1_v_bz_TNT nvjet_sm100_tst_mma_128x256
            device_kernel<SM90_64x256x16_F32BF16BF16_SS_wgmma>
            sm90_fp8_gemm_1d2d_impl qgmma_kernel sm100_tcgen05_mma utcmma_kernel pytorch_flash::flash_fwd_kernel<X>
            flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Y> fmha_cutlassF_bf16_aligned_64x64_rf_sm80
            fmha_v2_flash_attention_fp16_S_64 cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_7
            cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_bf16 marlin::Marlin<X>""",
        ),
        (
            "Nvidia",
            False,
            """volta_sgemm_128x64_nn ampere_sgemm_32x32_sliced1x4_tn maxwell_scudnn_128x64_relu_small_nn
            cutlass_80_simt_sgemm_128x64_8x5_nn_align1 sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_g1_ffma_execute
            splitKreduce_kernel<32,16> gemv2T_kernel_val<int> vectorized_elementwise_kernel<4> loop_add_fusion
            input_reduce_fusion ncclDevKernel_AllReduce_Sum_f32_RING_LL flash_bwd_dot_do_o_kernel<X>
            flash_fwd_splitkv_combine_kernel<X> triton_poi_fused_add_0 fft2d_r2c_32x32<float>
            softmax_warp_forward<float>
            EigenMetaKernel<X> cudnn::bn_fw_tr_1C11_kernel_NCHW<float> implicit_convolve_sgemm<float,float,1024>
            cudnn::winograd_nonfused::winogradForwardFilter4x4<float,float>""",
        ),
        (
            "Nvidia",
            None,
            """conv1x1 direct_group first_layer_wgrad_kernel conv2d_c1_k1 gemm_fusion_dot_5 triton_gemm_dot_1 fusion_12
            triton_tem_fused_mm_3 SubTensorOpWithScalar1d my_kernel elementary_1688_things attn_fwd immature_kernel
            kernel_16816 sm80_xmma_gemm_f32f32""",
        ),
        (
            "AMD",
            True,
            """Cijk_Ailk_Bljk_BBS_BH_MT256x128x32_MI16x16x16x1_SN Cijk_Alik_Bljk_HHS_BH_UserArgs_MT64x16x16_MI16x16x1
            igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1 paged_attention_ll4mi_QKV_mfma16_kernel<X> wmma_gemm
            ck::kernel_gemm_xdl_cshuffle_v1<X> ck_tile::FmhaFwdKernel<X> aiter::fmha_fwd_hd128_bf16""",
        ),
        (
            "AMD",
            False,
            "__amd_rocclr_copyBuffer loop_add_fusion fmha_bwd_dot_do_o ck::kernel_gemm_dl_v1r3 naive_conv_fwd",
        ),
        ("AMD", None, "Cijk_Ailk_Bljk_SB_MT64x64 attn_fwd h16816gemm hmma Kernel"),
        ("Somebody", None, "h16816gemm mfma"),
    ],
)
def test_names_that_tell_of_tensor_cores(vendor: str, uses: bool | None, names: str) -> None:
    assert {name: uses_tensor_cores(name, vendor) for name in names.split()} == dict.fromkeys(names.split(), uses)


@pytest.mark.parametrize(
    ("expected", "types"),
    [
        (
            True,
            """MatMul _FusedMatMul BatchMatMulV2 BatchMatMulV3 _MklFusedMatMul Conv2D Conv2DBackpropInput
            Conv2DBackpropFilter Conv3DBackpropFilterV2 DepthwiseConv2dNative DepthwiseConv2dNativeBackpropInput
            _FusedConv2D CudnnRNN CudnnRNNV3 CudnnRNNBackpropV2 XlaDot XlaDotV2 dot_general conv_general_dilated dot
            convolution cublas-gemm cublas-lt-matmul cudnn-conv-bias-activation gemm_fusion_dot triton_gemm_dot""",
        ),
        (False, "AddV2 Softmax FusedBatchNormV3 mul reduce_sum loop_convert_fusion input_concatenate_fusion Conjugate"),
        (None, "custom-call fusion Unknown while jit StatefulPartitionedCall XlaLaunch kernel pallas_call Einsum"),
    ],
)
def test_types_that_multiply(expected: bool | None, types: str) -> None:
    assert {name: multiplies(name) for name in types.split()} == dict.fromkeys(types.split(), expected)


def test_an_einsum_multiplies_if_it_has_two_operands() -> None:
    assert multiplies("Einsum", "ab,bc->ac") is True
    assert multiplies("XlaEinsum", "ab->a") is False
    assert multiplies("Einsum", "ab,bc,cd->ad") is False
    assert [multiplies("Einsum", text) for text in ("", "ab,bc", "a->b->c")] == [None, None, None]


def test_short_names() -> None:
    names = {
        "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 2>(float*)": "CatArrayBatchedCopy",
        "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64>(X::Params)": "cutlass_80_tensorop_s1688gemm_64x64",
        "Cijk_Ailk_Bljk_BBS_BH_MT256x128x32_MI16x16x16x1_SN": "Cijk_Ailk_Bljk_BBS_BH_MT256x128x32",
        "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, 7>(X)": "gemvx::kernel",
        "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)": "ncclKernel_AllReduce_RING_LL_Sum_float",
        "void (anonymous namespace)::softmax<float>(float*)": "softmax",
        "a::{lambda(int)#1}::operator()(int) const": "lambda::operator",
        "x" * 500: "x" * 120,
    }
    as_they_are = (
        "nvjet_hsh_128x64_64x4_2x1_v_bz_TNT",
        "triton_poi_fused_add_0",
        "loop_multiply_fusion",
        "<<<",
        "fusion.3",
    )
    names |= {name: name for name in as_they_are}
    assert {name: short_name(name) for name in names} == names
