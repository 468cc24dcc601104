"""FLOPs and bytes of PyTorch's operators by their shapes, against numbers worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.roofline.call import Call, Cost
from tensorboard_perfplugin.analysis.roofline.others import other
from tensorboard_perfplugin.analysis.roofline.products import product

HALF, BF16, FLOAT = "c10::Half", "c10::BFloat16", "float"


def cost(name: str, shapes: list[Any], types: list[str] | str = FLOAT, values: list[str] | None = None) -> Cost | None:
    """types: one for all tensors, or one an argument."""
    kinds = types if isinstance(types, list) else [types if shape else "Scalar" for shape in shapes]
    call = Call(f"aten::{name}", json.dumps(shapes), json.dumps(kinds), json.dumps(values or []))
    return product(call) or other(call)


@pytest.mark.parametrize(
    ("name", "shapes", "types", "flops", "moved"),
    [
        # 2·2·3·4, and 6 + 12 + 8 elements of 4 bytes.
        ("mm", [[2, 3], [3, 4]], FLOAT, 48, 104),
        ("mm", [[2, 3], [3, 4]], HALF, 48, 52),
        # The bias is read as it is: 4 elements more.
        ("addmm", [[4], [2, 3], [3, 4]], FLOAT, 48, 120),
        ("bmm", [[5, 2, 3], [5, 3, 4]], FLOAT, 240, 520),
        ("baddbmm", [[5, 2, 4], [5, 2, 3], [5, 3, 4]], FLOAT, 240, 680),
        ("matmul", [[7, 5, 2, 3], [3, 4]], FLOAT, 1680, 4 * (210 + 12 + 280)),
        ("matmul", [[7, 1, 2, 3], [5, 3, 4]], FLOAT, 1680, 4 * (42 + 60 + 280)),
        ("mv", [[2, 3], [3]], FLOAT, 12, 4 * (6 + 3 + 2)),
        ("dot", [[3], [3]], FLOAT, 6, 4 * (3 + 3 + 1)),
        # 10 rows of 3 by a weight of 4 × 3.
        ("linear", [[5, 2, 3], [4, 3], [4]], FLOAT, 240, 4 * (30 + 12 + 4 + 40)),
        # A batch of 5 products is summed: one matrix of 8 is added and one written.
        ("addbmm", [[2, 4], [5, 2, 3], [5, 3, 4]], FLOAT, 240, 4 * (8 + 30 + 60 + 8)),
    ],
)
def test_products(name: str, shapes: list[Any], types: str, flops: float, moved: float) -> None:
    assert cost(name, shapes, types) == Cost("matmul", flops, moved)


def test_a_product_of_shapes_that_do_not_fit_is_not_known() -> None:
    assert cost("mm", [[2, 3], [4, 4]]) == Cost("matmul", None, None)
    assert cost("mm", [[], []]) == Cost("matmul", None, None)


#: Images 2 × 3 × 8 × 8 by 4 × 3 × 3 × 3: with padding 1 as large, 4 features.
X, W, Y = [2, 3, 8, 8], [4, 3, 3, 3], [2, 4, 8, 8]
CONV = 2 * (2 * 4 * 64) * 3 * 9


@pytest.mark.parametrize(
    ("name", "shapes", "values", "flops", "moved"),
    [
        (
            "conv2d",
            [X, W, [4], [], [], [], []],
            ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"],
            CONV,
            384 + 108 + 4 + 512,
        ),
        (
            "cudnn_convolution",
            [X, W, [], [], [], []],
            ["", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"],
            CONV,
            384 + 108 + 512,
        ),
        # Every other place, no padding: 3 × 3 outputs.
        (
            "convolution",
            [X, W, [], [], [], [], [], [], []],
            ["", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "1"],
            2 * (2 * 4 * 9) * 27,
            384 + 108 + 72,
        ),
        # Transposed, twice as large: each input meets the window of 5 features.
        (
            "convolution",
            [[2, 3, 8, 8], [3, 5, 2, 2], [], [], [], [], [], [], []],
            ["", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "True", "[0, 0]", "1"],
            2 * 384 * 5 * 4,
            384 + 60 + 2 * 5 * 256,
        ),
        # In 3 groups each feature of 6 is of one of 3.
        (
            "conv2d",
            [X, [6, 1, 3, 3], [], [], [], [], []],
            ["", "", "", "1", "1", "1", "3"],
            2 * 768 * 9,
            384 + 54 + 768,
        ),
        # Both gradients: the gradient, the input and the weight are read, two of them written.
        (
            "convolution_backward",
            [Y, X, W, *[[]] * 8],
            [*[""] * 10, "[True, True, False]"],
            2 * CONV,
            512 + 384 + 108 + 384 + 108,
        ),
        (
            "convolution_backward",
            [Y, X, W, *[[]] * 8],
            [*[""] * 10, "[False, True, False]"],
            CONV,
            512 + 384 + 108 + 108,
        ),
        ("cudnn_convolution_backward", [X, Y, W], [], 2 * CONV, 512 + 384 + 108 + 384 + 108),
    ],
)
def test_convolutions(name: str, shapes: list[Any], values: list[str], flops: float, moved: float) -> None:
    assert cost(name, shapes, FLOAT, values) == Cost("convolution", flops, 4 * moved)


def test_a_convolution_without_its_stride_is_not_known() -> None:
    assert cost("conv2d", [X, W, [4], [], [], [], []]) == Cost("convolution", None, None)


@pytest.mark.parametrize(
    ("name", "shapes", "values", "flops", "moved"),
    [
        # 2 batches, 3 heads, 4 queries, 5 keys, sizes 6 and 7: scores and weighted sums.
        (
            "_scaled_dot_product_flash_attention",
            [[2, 3, 4, 6], [2, 3, 5, 6], [2, 3, 5, 7]],
            [],
            2 * 6 * 20 * 13,
            2 * (144 + 180 + 210 + 168),
        ),
        # Causal, 4 by 4: 10 of 16 pairs.
        (
            "_scaled_dot_product_flash_attention",
            [[1, 1, 4, 8]] * 3 + [[], []],
            ["", "", "", "0.", "True"],
            2 * 10 * 16,
            2 * 4 * 32,
        ),
        ("_flash_attention_forward", [[1, 4, 2, 8]] * 3, [], 2 * 2 * 16 * 16, 2 * 4 * 64),
        # Five products; query, key, value, output and its gradient are read, three gradients written.
        (
            "_scaled_dot_product_flash_attention_backward",
            [[1, 2, 4, 8]] * 5,
            [],
            2 * 2 * 16 * 40,
            2 * (6 * 64 + 2 * 64),
        ),
    ],
)
def test_attention(name: str, shapes: list[Any], values: list[str], flops: float, moved: float) -> None:
    assert cost(name, shapes, BF16, values) == Cost("attention", flops, moved)


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
