"""Names of kernels, copies and driver calls → the kernel's own name, its tensor cores, a copy's numbers."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from ...patterns import regex
from .demangle import demangled

_NO_NAME = "(unnamed)"


@functools.lru_cache(1 << 14)
def kernel_name(name: str) -> str:
    """Demangled where it was mangled and that is possible; `.kd`, ROCm's mark of a kernel's descriptor, goes."""
    name = name.removesuffix(".kd")
    if not name.startswith("_Z"):
        return name or _NO_NAME
    return demangled(name) or name


# Names of calls of CUDA's, ROCm's and Ascend's drivers: those that return when a device is done, and for memory.

#: Copies between host and device without `Async`, `hipMemcpyWithStream` too. Those on a device or between devices need
#: not last until they are done.
BLOCKING_COPY = r"(?:cu|cuda|hip)Memcpy(?!\w*(?:Async|DtoD|Peer))\w*"
SYNCHRONIZES = rf"(?:cu|cuda|hip|AscendCL@aclrt)\w*Synchronize\w*|{BLOCKING_COPY}"
#: For memory.
ALLOCATES = regex(r"(?:cuda|hip)(?:Host)?(?:Malloc|Free|Alloc)\w*|(?:cu|hip)Mem(?:Alloc|Free|Create|Map|Unmap)\w*")


# The texts by which collectors describe copies and fills → their numbers.
#
# `memcpy_details`: `kind_src:pageable kind_dst:device size:8 dest:0 async:1`, older without the kinds.
# `memset_details`:
# `kind:device num_bytes:8 async:1`. What is absent, no number, or contradicted is None.

#: The longest that a collector writes has 120 letters.
_HEAD = 1000
_MOST = (1 << 63) - 1


class CopyDetails(NamedTuple):
    """What a copy or a fill moved. A fill has no source."""

    source: str | None = None
    destination: str | None = None
    size: int | None = None
    device: int | None = None
    is_async: bool | None = None


def copy_details(text: str) -> CopyDetails:
    """A copy's or a fill's; `kind` alone is what a fill writes."""
    facts = _facts(text)
    flag = facts.get("async")
    return CopyDetails(
        _word(facts.get("kind_src")),
        _word(facts.get("kind_dst")) or _word(facts.get("kind")),
        _number(facts, "size", "num_bytes"),
        _number(facts, "dest"),
        flag == "1" if flag in ("0", "1") else None,
    )


def _facts(text: str) -> dict[str, str | None]:
    """Key → value; None where two values contradict each other."""
    facts: dict[str, str | None] = {}
    for token in text[:_HEAD].split():
        key, _, value = token.partition(":")
        facts[key] = value if facts.get(key, value) == value else None
    return facts


def _number(facts: dict[str, str | None], *keys: str) -> int | None:
    return next((number for key in keys if (number := _whole(facts.get(key))) is not None), None)


def _whole(value: str | None) -> int | None:
    if value and value.isascii() and value.isdecimal() and len(value) < 20 and (number := int(value)) <= _MOST:
        return number
    return None


def _word(value: str | None) -> str | None:
    """A kind of memory, in lower case: pageable, pinned, device, array, managed …"""
    word = (value or "").lower()
    return None if word in ("", "unknown", "invalid") else word


# The name of a GPU kernel → whether it computes on tensor cores (NVIDIA) or matrix cores (AMD), by one table.
#
# No collector says it; the libraries' names do. A kernel that no rule knows is unknown (None), and so is one whose
# name
# shows what it computes but not on which units: `conv1x1`, a Triton kernel, a bare `fusion`. What a profiler of
# counters
# would measure is not claimed: `uses` means that the code of the kernel is written for these units.

#: Names are informative at their front, and in their template arguments, which may be long.
_MAX_NAME = 4000


class TensorCoreRule(NamedTuple):
    """uses: of kernels whose name has one of `tokens`, in lower case, and matches `pattern` where there is one.

    multiplies: whether such a kernel multiplies matrices, so that it could have used these units.
    """

    tokens: tuple[str, ...]
    uses: bool | None
    multiplies: bool
    why: str
    pattern: re.Pattern[str] | None = None


def _rule(tokens: str, uses: bool | None, multiplies: bool, why: str, pattern: str = "") -> TensorCoreRule:
    return TensorCoreRule(tuple(tokens.split()), uses, multiplies, why, re.compile(pattern) if pattern else None)


#: Whatever the vendor: what no matrix product is.
_NEVER = (
    _rule(
        "dot_do_o convert_dq convert_dkv clear_dkvaccum splitkv_combine fwd_combine fwdcombine bwd_preprocess "
        "bwd_postprocess bwdpreprocess bwdpostprocess bwdsumodo bwdconvert ograddoto splitkvcombine fwdappendkv _odo_ "
        "dq_convert dq_shuffle",
        False,
        False,
        "flash attention's helpers",
    ),
    _rule(
        "elementwise elemwise pointwise triton_poi_ triton_red_ triton_per_",
        False,
        False,
        "element by element, reductions of TorchInductor",
    ),
    _rule("nccl rccl memcpy memset copybuffer fillbuffer", False, False, "collectives, copies, fills"),
    _rule(
        "loop_ input_ wrapped_ transpose_fusion",
        False,
        False,
        "XLA's own loops",
        r"(?:^|\W)(?:loop_|input_|wrapped_|transpose_fusion)",
    ),
    _rule("gemv dot_kernel splitkreduce axpy scal_kernel", False, False, "vectors; sums of partial products"),
    _rule("winograd fft2d fft1d naive_conv", False, True, "convolutions by other means"),
)
#: Asked last, of names that say nothing of products, attention or fusions, which may hold such.
_OTHERS = _rule(
    "reduce cub:: rocprim:: softmax layer_norm layernorm rmsnorm rms_norm batch_norm batchnorm bn_fw bn_bw pool "
    "transpose nchwtonhwc nhwctonchw multi_tensor_apply dropout embedding gather scatter index catarray philox "
    "eigenmetakernel sort topk adam rotary 2col col2im offsetskernel",
    False,
    False,
    "reductions, normalisation, layouts, optimizers",
    r"^(?!.*(?:gemm|matmul|_mm|dot|conv(?!ert)|attention|attn|mma|mlp|moe|fusion|fused_linear|triton|einsum))",
)
_NVIDIA = (
    _rule(
        "simt _ffma _dfma universalfma cublaslt::simt",
        False,
        True,
        "fused multiply-add of single threads",
        r"(?:^|[^a-z])(?:simt|[fd]fma)(?![a-z])|opclasssimt|universalfma",
    ),
    *_NEVER,
    _rule("nvjet", True, True, "cuBLAS on Hopper and Blackwell", r"(?:^|[^a-z])nvjet_"),
    _rule("tcgen05 utcmma utchmma utcqmma", True, True, "Blackwell's instructions"),
    _rule(
        "tensorop",
        True,
        True,
        "CUTLASS's classes of operators: dense, bs block-scaled, sp sparse",
        r"_(?:bs|sp|bsp|bssp)?tensorop(?![a-z])|opclass\w{0,24}tensorop",
    ),
    _rule(
        "hmma imma dmma qmma bmma gmma umma",
        True,
        True,
        "names of the instructions",
        r"(?:^|[^a-z]|[hqibdws](?=gmma))(?:[hqib]?gmma|wgmma|[hidqb]mma|umma)(?![a-z])",
    ),
    _rule(
        "wmma mma_sync mma.sync sm70_8x8x4 sm75_16x8 sm80_16x8 sm89_16x8 sm120_16x8",
        True,
        True,
        "instructions as CUTLASS and CUDA call them",
    ),
    _rule(
        "884 1688 168 8816 8832 1616",
        True,
        True,
        "shapes of the instructions: m8n8k4, m16n8k8, m16n8k16 …",
        r"(?:^|[^a-z0-9])(?:[hscidbz](?:884|1684|1688|16816|16832|16864|168128|168256|8816|8832|161616)(?![0-9])"
        r"|(?:884|1684|1688|16816|16832|8816)(?=gemm|fprop|dgrad|wgrad|cudnn))",
    ),
    _rule("xmma", True, True, "xmma with its instruction", r"tensor\d+x\d+x\d+|warpgroupsize|sparse|16816|1688"),
    _rule(
        "flash_fwd flash_bwd flashattnfwd flashattnbwd fmha sdpa flash_fprop flash_bprop",
        True,
        True,
        "flash attention",
        r"flash_(?:fwd|bwd|fprop|bprop)|flashattn(?:fwd|bwd)|fmha_(?:v2|cutlass[fb]_(?:bf16|f16)\w*_sm[789])"
        r"|(?:fmha|sdpa)_sm(?:[89]\d|1\d\d)|sm(?:[89]\d|1\d\d)_(?:flash|fmha|sdpa)|fmhakernel"
        r"|sm(?:90|1\d\d)fmha\w{0,40}kernel|fmhasm1\d\d[af]?kernel",
    ),
    _rule(
        "deep_gemm fp8_gemm marlin batchprefillwith bmm_ gemm_",
        True,
        True,
        "DeepGEMM, Marlin, FlashInfer's prefill, TensorRT-LLM's generated products",
        r"(?:^|\W)b?(?:mm|gemm)_\w+_t\d+x\d+x\d+\w*_sm1\d\d[af]|deep_gemm::\w*gemm|sm\d+_fp8_gemm|marlin::marlin|batchprefillwith\w*kernel",
    ),
    _rule(
        "gemm scudnn",
        False,
        True,
        "cuBLAS and cuDNN by single threads",
        r"(?:kepler|maxwell|pascal|volta|turing|ampere|hopper)_(?:[sdczh]gemm|gcgemm|scudnn|dcudnn)|_scudnn_"
        r"|convolve_sgemm|gemmsn_|gemmk1_|sgemm_largek|gemm_kernel2x2|magma_sgemm",
    ),
    _rule(
        "dgrad_engine dgrad_alg wgrad_alg dgrad2d wgrad2d eigencontraction grouped_direct",
        False,
        True,
        "old engines of cuDNN; Eigen",
    ),
    _OTHERS,
)
_AMD = (
    *_NEVER[:-1],
    _rule("mfma wmma xdlops _xdl xdl_", True, True, "names of the instructions; Composable Kernel"),
    _rule("cijk_", True, True, "Tensile with a matrix instruction", r"_mi\d+x\d+x\d+"),
    _rule("gemm flatmm", True, True, "CK Tile's products", r"ck_tile.{0,60}?(?:gemm|flatmm)\w{0,40}kernel"),
    _rule("gemm_ fmoe_", True, True, "AITER's products in assembly", r"aiter(?:::|\d+)(?:[a-z]\w{0,5}gemm|fmoe)_"),
    _rule("igemm_", True, True, "MIOpen's implicit products", r"igemm_(?:fwd|bwd|wrw)_gtcx"),
    _rule("fmha", True, True, "attention of Composable Kernel", r"fmha\w*kernel|fmha_(?:fwd|bwd)"),
    _rule("gemm_dl grouped_conv_fwd_dl _dl_ gcnasmconv", False, True, "products by single threads"),
    _NEVER[-1],
    _OTHERS,
)
#: Vendor, in lower case → its rules, of which the first that fits counts. Captures without a vendor are of NVIDIA's.
TENSOR_CORE_RULES = {"nvidia": _NVIDIA, "": _NVIDIA, "amd": _AMD}


def tensor_core_rule(name: str, vendor: str) -> TensorCoreRule | None:
    """The first rule that knows a kernel, or None."""
    name = name[:_MAX_NAME].lower()
    for rule in TENSOR_CORE_RULES.get(vendor.lower(), ()):
        if any(map(name.__contains__, rule.tokens)) and (rule.pattern is None or rule.pattern.search(name)):
            return rule
    return None


def uses_tensor_cores(name: str, vendor: str) -> bool | None:
    """Whether a kernel of this name computes on tensor cores; None where its name does not show it."""
    rule = tensor_core_rule(name, vendor)
    return rule.uses if rule else None


_TENSORFLOW = regex(
    r"_?(?:Mkl|Fused|Quantized|Batch|Xla|Native|OneDnn)*(?:MatMul|Dot|Conv(?:[123]D|Generic)?|DepthwiseConv2dNative)"
    r"(?:Backprop(?:Input|Filter))?(?:With\w+|And\w+)?(?:V\d)?|Cud?nnRNN\w*|_?FusedConv\w*"
)
_XLA = regex(
    r"dot|dot[_-]general|convolution|conv_general_dilated|cublas[_-].*|cudnn[_-](?:conv|fmha).*|triton_gemm.*"
    r"|(?:\w*_)?gemm_fusion(?:_dot)?\w*|ragged[_-]dot(?:_general)?|dot_product_attention|scaled[_-]dot"
)
_EINSUM = ("Einsum", "XlaEinsum", "_FusedEinsum")
#: Types that describe a call, and not what is computed in it.
_CALLS = regex(
    r"custom[_-]call|pure_callback|fusion|\w*call|p?jit|while|scan|cond(?:itional)?|kernel|Unknown|Unattributed.*"
    r"|XlaModule|XlaLaunch|_?XlaRun|_?XlaCompile\w*|(?:Stateful)?PartitionedCall|\w*Einsum|triton\w*|\w*attention|"
)
_KNOWN = regex(r"_?[A-Z]\w*|(?:loop|input|wrapped|transpose)_\w+|[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")


@functools.lru_cache(1 << 12)
def multiplies(op_type: str, equation: str = "") -> bool | None:
    """Whether ops of a type multiply matrices or convolve, so that tensor cores could do it; None: unknown.

    equation: an Einsum's; of two operands it is a product.
    """
    if op_type in _EINSUM:
        return equation.partition("->")[0].count(",") == 1 if equation.count("->") == 1 else None
    if _TENSORFLOW.fullmatch(op_type) or _XLA.fullmatch(op_type):
        return True
    return False if _KNOWN.fullmatch(op_type) and not _CALLS.fullmatch(op_type) else None
