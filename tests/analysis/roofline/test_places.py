"""Each operator of PyTorch's by the names of its arguments, as its declaration has them, against numbers by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.roofline.calls import Call, Cost, other, product

FLOAT, HALF = "float", "c10::Half"


def cost(declared: str, **given: Any) -> Cost | None:
    """declared: the operator and its arguments. given: of a tensor its sizes, as (sizes, type) where it is no float; of
    all else the text that is recorded.
    """
    name, *arguments = declared.split()
    assert set(given) <= set(arguments), declared
    each = [given.get(argument, "") for argument in arguments]
    tensors = [one if isinstance(one, tuple) else (one, FLOAT) if isinstance(one, list) else None for one in each]
    call = Call(
        name if "::" in name else f"aten::{name}",
        json.dumps([tensor[0] if tensor else [] for tensor in tensors]),
        json.dumps([tensor[1] if tensor else "Scalar" for tensor in tensors]),
        json.dumps([one if isinstance(one, str) else "" for one in each]),
    )
    return product(call) or other(call)


@pytest.mark.parametrize(
    ("declared", "given", "flops", "moved"),
    [
        ("mm self mat2", {"self": [2, 3], "mat2": [3, 4]}, 48, 6 + 12 + 8),
        ("_int_mm self mat2", {"self": [2, 3], "mat2": [3, 4]}, 48, 6 + 12 + 8),
        ("_scaled_mm self mat2 scale_a scale_b", {"self": [2, 3], "mat2": [3, 4], "scale_a": [1]}, 48, 6 + 12 + 8),
        ("bmm self mat2", {"self": [5, 2, 3], "mat2": [5, 3, 4]}, 240, 30 + 60 + 40),
        ("matmul self other", {"self": [5, 2, 3], "other": [3, 4]}, 240, 30 + 12 + 40),
        ("mv self vec", {"self": [2, 3], "vec": [3]}, 12, 6 + 3 + 2),
        ("dot self tensor", {"self": [3], "tensor": ([3], HALF)}, 6, 3 + 3 / 2 + 1),
        *(
            (f"{name} self mat1 mat2 beta alpha", {"self": [4], "mat1": [2, 3], "mat2": [3, 4]}, 48, 4 + 6 + 12 + 8)
            for name in ("addmm", "addmm_", "_addmm_activation")
        ),
        ("addmv self mat vec beta alpha", {"self": [2], "mat": [2, 3], "vec": [3]}, 12, 2 + 6 + 3 + 2),
        *(
            (
                f"{name} self batch1 batch2 beta alpha",
                {"self": [4], "batch1": [5, 2, 3], "batch2": [5, 3, 4]},
                240,
                4 + 30 + 60 + out,
            )
            for name, out in (("baddbmm", 40), ("baddbmm_", 40), ("addbmm", 8))
        ),
    ],
)
def test_products(declared: str, given: dict[str, Any], flops: float, moved: float) -> None:
    """2 × 3 by 3 × 4 are 24 multiply-adds."""
    assert cost(declared, **given) == Cost("matmul", flops, 4 * moved)


STEPS = "stride padding dilation transposed output_padding groups"
CONVOLUTION = f"input weight bias {STEPS}"
LIBRARY = "self weight bias padding stride dilation groups"


@pytest.mark.parametrize(
    ("declared", "dimensions"),
    [
        (f"convolution {CONVOLUTION}", 2),
        (f"_convolution {CONVOLUTION} benchmark deterministic cudnn_enabled allow_tf32", 2),
        (f"convolution_overrideable {CONVOLUTION}", 2),
        ("conv1d input weight bias stride padding dilation groups", 1),
        ("conv2d input weight bias stride padding dilation groups", 2),
        ("conv3d input weight bias stride padding dilation groups", 3),
        ("cudnn_convolution self weight padding stride dilation groups benchmark deterministic allow_tf32", 2),
        (f"miopen_convolution {LIBRARY} benchmark deterministic", 2),
        (f"miopen_depthwise_convolution {LIBRARY} benchmark deterministic", 2),
        (f"mkldnn_convolution {LIBRARY}", 2),
    ],
)
def test_convolutions(declared: str, dimensions: int) -> None:
    """9 places, padded by 3 on both sides, a window of 3 that reaches over 9: 7 outputs, of which every other is 4."""
    x, weight = [2, 3, *[9] * dimensions], [4, 3, *[3] * dimensions]
    given: dict[str, Any] = {declared.split()[1]: x, "weight": weight, "stride": "2", "padding": "3", "dilation": "4"}
    outputs = 2 * 4 * 4**dimensions
    flops, moved = 2 * outputs * 3 * 3**dimensions, 2 * 3 * 9**dimensions + 12 * 3**dimensions + outputs
    assert cost(declared, **given) == Cost("convolution", flops, 4 * moved)


@pytest.mark.parametrize("name", ["convolution", "_convolution", "convolution_overrideable"])
def test_transposed_convolutions(name: str) -> None:
    """4 places 3 apart less a padding of 1 on both sides, 2 more for the window of 2 that reaches over 3, and 2 as is
    asked for: 12. Each of 3 groups has 5 features.
    """
    sizes: dict[str, Any] = {"input": [2, 3, 4, 4], "weight": [3, 5, 2, 2], "transposed": "True", "groups": "3"}
    steps = {"stride": "[3, 3]", "padding": "[1, 1]", "dilation": "[2, 2]", "output_padding": "[2, 2]"}
    found = cost(f"{name} {CONVOLUTION}", **sizes, **steps)
    assert found == Cost("convolution", 2 * 96 * 5 * 4, 4 * (96 + 60 + 2 * 15 * 144))


X, W, Y = [2, 3, 8, 8], [4, 5, 3, 3], [2, 4, 8, 8]
OLD = "self grad_output weight padding stride dilation groups benchmark deterministic"


@pytest.mark.parametrize(
    "declared",
    [
        f"convolution_backward grad_output input weight bias_sizes {STEPS} output_mask",
        f"convolution_backward_overrideable grad_output input weight {STEPS} output_mask",
        f"cudnn_convolution_backward {OLD} allow_tf32",
        f"miopen_convolution_backward {OLD}",
        "mkldnn_convolution_backward self grad_output weight padding stride dilation groups",
    ],
)
@pytest.mark.parametrize("transposed", [False, True])
def test_gradients_of_convolutions(declared: str, transposed: bool) -> None:
    """Every place of the output, of a transposed one of the input, meets the window of 5 features; of the gradients
    only the weight's is wanted where that can be said.
    """
    given: dict[str, Any] = {"input" if " input " in declared else "self": X, "grad_output": Y, "weight": W}
    if "output_mask" in declared:
        given |= {"output_mask": "[False, True, False]", "transposed": str(transposed)}
        swapped, parts, written = transposed, 1, 180
    else:
        swapped, parts, written = False, 2, 180 + 384
    places = 384 if swapped else 512
    flops, moved = parts * 2 * places * 5 * 9, 512 + 384 + 180 + written
    assert cost(declared, **given) == Cost("convolution", flops, 4 * moved)


QKV = "query key value"
LENGTHS = "cum_seq_q cum_seq_k max_q max_k dropout_p is_causal"
PHILOX = "logsumexp philox_seed philox_offset"


@pytest.mark.parametrize(
    "declared",
    [
        f"_scaled_dot_product_flash_attention {QKV} dropout_p is_causal return_debug_mask",
        f"_scaled_dot_product_flash_attention_for_cpu {QKV} dropout_p is_causal",
        f"_scaled_dot_product_efficient_attention {QKV} attn_bias compute_log_sumexp dropout_p is_causal",
        f"_scaled_dot_product_cudnn_attention {QKV} attn_bias compute_log_sumexp dropout_p is_causal",
        f"_scaled_dot_product_fused_attention_overrideable {QKV} attn_bias dropout_p is_causal",
        f"_flash_attention_forward {QKV} {LENGTHS}",
        f"flash_attn::_flash_attn_forward {QKV} dropout_p scale is_causal",
        f"_scaled_dot_product_flash_attention_backward grad_out {QKV} out logsumexp {LENGTHS}",
        f"_scaled_dot_product_flash_attention_for_cpu_backward grad_out {QKV} out logsumexp dropout_p is_causal",
        f"_scaled_dot_product_efficient_attention_backward grad_out {QKV} attn_bias out {PHILOX} dropout_p m is_causal",
        f"_scaled_dot_product_cudnn_attention_backward grad_out {QKV} out {PHILOX} attn_bias {LENGTHS}",
        f"_flash_attention_backward grad_out {QKV} out logsumexp {LENGTHS}",
        f"flash_attn::_flash_attn_backward grad_out {QKV} out lse dq dk dv dropout_p scale is_causal",
    ],
)
@pytest.mark.parametrize(("causal", "pairs"), [("False", 20), ("True", 10)])
def test_attention(declared: str, causal: str, pairs: int) -> None:
    """2 batches, 3 heads, 4 queries, 5 keys, sizes 6 and 7; forward two products, backward five."""
    heads_first = "_scaled_dot" in declared
    q, k, v = ([2, 3, n, size] if heads_first else [2, n, 3, size] for n, size in ((4, 6), (5, 6), (5, 7)))
    out = [*q[:3], 7]
    given: dict[str, Any] = {"query": q, "key": k, "value": v, "is_causal": causal}
    found = cost(declared, **given | ({"grad_out": out, "out": out} if "grad_out" in declared else {}))
    read = 2 * 3 * (4 * 6 + 5 * 6 + 5 * 7 + 4 * 7)
    if "grad_out" in declared:
        # Read and written: query, key and value, each with its gradient, the output and its gradient.
        assert found == Cost("attention", 2 * 6 * pairs * (3 * 6 + 2 * 7), 4 * 2 * read)
    else:
        assert found == Cost("attention", 2 * 6 * pairs * (6 + 7), 4 * read)


@pytest.mark.parametrize(
    "declared",
    [
        "native_layer_norm_backward grad_out input normalized_shape mean rstd",
        "native_batch_norm_backward grad_out input weight running_mean",
        "native_group_norm_backward grad_out input mean rstd weight",
        "_fused_rms_norm_backward grad_out input normalized_shape rstd weight",
        "cudnn_batch_norm_backward input grad_out weight running_mean",
        "miopen_batch_norm_backward input grad_out weight running_mean",
    ],
)
def test_the_gradient_of_what_is_normalized_has_its_type(declared: str) -> None:
    """32 of 4 bytes and 32 of 2 bytes are read, 32 of 2 are written."""
    found = cost(declared, grad_out=[4, 8], input=([4, 8], HALF))
    assert found == Cost("normalization", 13 * 32, 32 * (4 + 2 + 2))


@pytest.mark.parametrize(("name", "index"), [("max_pool2d_with_indices", 8), ("avg_pool2d", 0)])
def test_pooling(name: str, index: int) -> None:
    """8 places, padded by 1 on both sides, have 8 windows of 3, of which every other is 4."""
    found = cost(
        f"{name} self kernel_size stride padding dilation", self=[1, 1, 8, 8], kernel_size="3", stride="2", padding="1"
    )
    assert found == Cost("pooling", 16 * 9, 4 * 64 + 16 * (4 + index))


def test_sizes_and_numbers_below_2_to_the_48th_and_sixteen_dimensions_are_some() -> None:
    for size, known in (((1 << 48) - 1, True), (1 << 48, False)):
        call = Call("aten::mm", f"[[{size}]]", '["float"]', f'["{size}"]')
        assert (call.shape(0), call.numbers(0)) == (((size,), [size]) if known else (None, []))
    deep = [Call("aten::relu", json.dumps([[1] * n]), '["float"]', "").shape(0) for n in (16, 17)]
    assert deep == [(1,) * 16, None]


#: Type, bytes of an element, precision.
TYPES = (
    *(("float", 4, "fp32"), ("double", 8, "fp64"), ("c10::Half", 2, "fp16"), ("c10::BFloat16", 2, "bf16")),
    *((f"c10::Float8_{name}", 1, "fp8") for name in ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz")),
    *(("c10::complex<float>", 8, "fp32"), ("c10::complex<double>", 16, "fp64")),
    *(("signed char", 1, "int8"), ("unsigned char", 1, "int8"), ("bool", 1, ""), ("short", 2, "")),
    *(("short int", 2, ""), ("int", 4, ""), ("long", 8, ""), ("long int", 8, "")),
)


def test_types() -> None:
    for type_, size, precision in TYPES:
        call = Call("aten::relu", "[[8]]", json.dumps([type_]), "")
        assert (call.element, call.size(0), call.moved(0), call.precision) == (size, size, 8 * size, precision), type_
