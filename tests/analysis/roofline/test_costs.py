"""FLOPs and bytes of PyTorch's operators by their shapes, against numbers worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.roofline.calls import Call, Cost, other, product

HALF, BF16, FLOAT = "c10::Half", "c10::BFloat16", "float"


def cost(name: str, shapes: list[Any], types: list[str] | str = FLOAT, values: list[str] | None = None) -> Cost | None:
    """types: one for all tensors, or one an argument."""
    kinds = types if isinstance(types, list) else [types if shape else "Scalar" for shape in shapes]
    call = Call(f"aten::{name}", json.dumps(shapes), json.dumps(kinds), json.dumps(values or []))
    return product(call) or other(call)


def test_a_product_of_shapes_that_do_not_fit_is_not_known() -> None:
    assert cost("mm", [[2, 3], [4, 4]]) == Cost("matmul", None, None)
    assert cost("mm", [[], []]) == Cost("matmul", None, None)


#: Images 2 × 3 × 8 × 8 by 4 × 3 × 3 × 3: with padding 1 as large, 4 features.
X, W, Y = [2, 3, 8, 8], [4, 3, 3, 3], [2, 4, 8, 8]
CONV = 2 * (2 * 4 * 64) * 3 * 9


def test_a_convolution_without_its_stride_is_not_known() -> None:
    assert cost("conv2d", [X, W, [4], [], [], [], []]) == Cost("convolution", None, None)


@pytest.mark.parametrize(
    ("name", "shapes", "expected"),
    [
        # 7 an element; input, scale and shift are read.
        ("native_layer_norm", [[4, 8], [], [8], [8], []], Cost("normalization", 7 * 32, 4 * (32 + 16 + 32))),
        ("native_layer_norm_backward", [[4, 8], [4, 8], []], Cost("normalization", 13 * 32, 4 * (64 + 32))),
        ("cudnn_batch_norm", [[2, 3, 4], [3], [3], [3], [3]], Cost("normalization", 7 * 24, 4 * (24 + 12 + 24))),
        ("cudnn_batch_norm_backward", [[2, 3, 4], [2, 3, 4], [3]], Cost("normalization", 13 * 24, 4 * (48 + 3 + 24))),
        ("_softmax", [[4, 8], [], []], Cost("softmax", 5 * 32, 4 * 64)),
        ("_softmax_backward_data", [[4, 8], [4, 8], []], Cost("softmax", 4 * 32, 4 * 96)),
        # Broadcast: 4 × 8 elements are written.
        ("add", [[4, 1], [1, 8], []], Cost("elementwise", 32, 4 * (4 + 8 + 32))),
        ("mul_", [[4, 8], [8]], Cost("elementwise", 32, 4 * (32 + 8 + 32))),
        ("relu", [[4, 8]], Cost("elementwise", 32, 4 * 64)),
        ("gt", [[4, 8], []], Cost("elementwise", 32, 4 * 32 + 32)),
        ("copy_", [[4, 8], [4, 8], []], Cost("copy", 0, 4 * 64)),
        ("fill_", [[4, 8], []], Cost("copy", 0, 4 * 32)),
        ("cat", [[[4, 8], [2, 8]], []], Cost("copy", 0, 2 * 4 * 48)),
        ("sum", [[4, 8], []], Cost("reduction", 32, 4 * 32)),
    ],
)
def test_what_goes_through_elements(name: str, shapes: list[Any], expected: Cost) -> None:
    assert cost(name, shapes) == expected


def test_pooling() -> None:
    """Windows of 2 × 2 at every other place: 16 outputs of 4; each has an index of 8 bytes."""
    values = ["", "[2, 2]", "[2, 2]", "[0, 0]"]
    assert cost("max_pool2d_with_indices", [[1, 1, 8, 8], [], [], []], FLOAT, values) == Cost(
        "pooling", 64, 4 * 64 + 16 * (4 + 8)
    )
    assert cost("avg_pool2d", [[1, 1, 8, 8], [], [], []], FLOAT, values) == Cost("pooling", 64, 4 * 64 + 4 * 16)
    assert cost("max_pool2d_with_indices_backward", [[1, 1, 4, 4], [1, 1, 8, 8]]) == Cost(
        "pooling", 16, 4 * (16 + 64) + 8 * 16
    )
    assert cost("_adaptive_avg_pool2d", [[1, 2, 8, 8], []]) == Cost("pooling", 128, 4 * 128)


def test_embeddings() -> None:
    """Six rows of 16 are read of a table of 1,000, and written."""
    types = [FLOAT, "long int"]
    assert cost("embedding", [[1000, 16], [2, 3]], types) == Cost("embedding", 0, 8 * 6 + 2 * 4 * 96)
    assert cost("index_select", [[1000, 16], [], [6]], [FLOAT, "Scalar", "long int"], ["", "0", ""]) == Cost(
        "embedding", 0, 8 * 6 + 2 * 4 * 96
    )
    backward = ["", "", "1000"]
    assert cost("embedding_dense_backward", [[2, 3, 16], [2, 3], []], [*types, "Scalar"], backward) == Cost(
        "embedding", 96, 4 * 96 + 8 * 6 + 4 * 16000
    )


@pytest.mark.parametrize("text", ["", "[", "{}", "[[-1]]", "[[1e400]]", '["x"]', "[" * 5000, "[[281474976710656]]"])
def test_what_is_no_shape_is_not_known(text: str) -> None:
    for name in ("aten::mm", "aten::conv2d", "aten::add", "aten::embedding", "aten::_softmax", "aten::cat"):
        call = Call(name, text, text, text)
        found = product(call) or other(call)
        assert found is None or found.flops in (None, 0.0), name


def test_sizes_that_no_memory_holds_are_numbers_all_the_same() -> None:
    """A file may say anything: 16 dimensions of 2⁴⁷, and more than 16, which are none."""
    large = [(1 << 47)] * 16
    for name in ("aten::mm", "aten::add", "aten::_softmax", "aten::native_layer_norm", "aten::linear"):
        for sizes in (large, [*large, 1]):
            text = json.dumps([sizes] * 3)
            call = Call(name, text, '["float", "float", "float"]', "")
            found = product(call) or other(call)
            assert found is not None, name


def test_what_no_model_knows_has_no_cost() -> None:
    assert cost("sort", [[8]]) is None
    assert cost("empty", [[]]) is None


def test_the_type_of_the_first_tensor_that_computes_is_the_precision() -> None:
    call = Call("aten::embedding", "[[4, 4], [2]]", '["long int", "c10::BFloat16"]', "")
    assert (call.precision, call.element) == ("bf16", 8)


def test_products() -> None:
    """mm, of half the bytes; matmul of four dimensions, broadcast; linear: 10 rows of 3 by a weight of 4 × 3."""
    assert cost("mm", [[2, 3], [3, 4]], HALF) == Cost("matmul", 48, 52)
    assert cost("matmul", [[7, 5, 2, 3], [3, 4]]) == Cost("matmul", 1680, 4 * (210 + 12 + 280))
    assert cost("matmul", [[7, 1, 2, 3], [5, 3, 4]]) == Cost("matmul", 1680, 4 * (42 + 60 + 280))
    assert cost("linear", [[5, 2, 3], [4, 3], [4]]) == Cost("matmul", 240, 4 * (30 + 12 + 4 + 40))


def test_convolutions() -> None:
    """With a bias; in 3 groups, where each feature of 6 is of one of 3; both gradients, and one."""
    same = ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]"]
    found = cost("conv2d", [X, W, [4], [], [], [], []], FLOAT, [*same, "1"])
    assert found == Cost("convolution", CONV, 4 * (384 + 108 + 4 + 512))
    found = cost("conv2d", [X, [6, 1, 3, 3], [], [], [], [], []], FLOAT, ["", "", "", "1", "1", "1", "3"])
    assert found == Cost("convolution", 2 * 768 * 9, 4 * (384 + 54 + 768))
    for wanted, gradients, written in (("True", 2, 384 + 108), ("False", 1, 108)):
        found = cost("convolution_backward", [Y, X, W, *[[]] * 8], FLOAT, [*[""] * 10, f"[{wanted}, True, False]"])
        assert found == Cost("convolution", gradients * CONV, 4 * (512 + 384 + 108 + written))


def test_attention_of_as_many_queries_as_keys() -> None:
    """Causal, 4 by 4: 10 of 16 pairs."""
    found = cost("_scaled_dot_product_flash_attention", [[1, 1, 4, 8]] * 3 + [[], []], BF16, ["", "", "", "0.", "True"])
    assert found == Cost("attention", 2 * 10 * 16, 2 * 4 * 32)
