"""A call of PyTorch's that multiplies matrices, convolves or attends → its FLOPs and bytes, by shapes alone.

A multiply-add is two; bytes are each tensor that it reads or writes, once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container

from .call import Call, Cost, Sizes, count

#: Op → places of the two matrices, and of what is added to their product.
_PRODUCTS = {
    "aten::mm": (0, 1, None),
    "aten::bmm": (0, 1, None),
    "aten::matmul": (0, 1, None),
    "aten::mv": (0, 1, None),
    "aten::dot": (0, 1, None),
    "aten::_int_mm": (0, 1, None),
    "aten::_scaled_mm": (0, 1, None),
    "aten::addmm": (1, 2, 0),
    "aten::addmm_": (1, 2, 0),
    "aten::_addmm_activation": (1, 2, 0),
    "aten::addmv": (1, 2, 0),
    "aten::baddbmm": (1, 2, 0),
    "aten::baddbmm_": (1, 2, 0),
    "aten::addbmm": (1, 2, 0),
}
_LINEAR = ("aten::linear", "aten::mkldnn_linear")
#: Op → places of stride, padding, dilation, whether it is transposed, output padding.
_CONVOLUTIONS: dict[str, tuple[int, int, int, int | None, int | None]] = {
    "aten::convolution": (3, 4, 5, 6, 7),
    "aten::_convolution": (3, 4, 5, 6, 7),
    "aten::convolution_overrideable": (3, 4, 5, 6, 7),
    "aten::conv1d": (3, 4, 5, None, None),
    "aten::conv2d": (3, 4, 5, None, None),
    "aten::conv3d": (3, 4, 5, None, None),
    "aten::cudnn_convolution": (3, 2, 4, None, None),
    "aten::miopen_convolution": (4, 3, 5, None, None),
    "aten::miopen_depthwise_convolution": (4, 3, 5, None, None),
    "aten::mkldnn_convolution": (4, 3, 5, None, None),
}
#: Op → places of the gradient of the output, of the input, the weight, whether it is transposed, and of which of the
#: gradients of input and weight are wanted.
_BACKWARD: dict[str, tuple[int, int, int, int | None, int | None]] = {
    "aten::convolution_backward": (0, 1, 2, 7, 10),
    "aten::convolution_backward_overrideable": (0, 1, 2, 6, 9),
    "aten::cudnn_convolution_backward": (1, 0, 2, None, None),
    "aten::miopen_convolution_backward": (1, 0, 2, None, None),
    "aten::mkldnn_convolution_backward": (1, 0, 2, None, None),
}
#: Op → place of the query, of whether it is causal; whether heads come before positions.
_ATTENTION = {
    "aten::_scaled_dot_product_flash_attention": (0, 4, True),
    "aten::_scaled_dot_product_flash_attention_for_cpu": (0, 4, True),
    "aten::_scaled_dot_product_efficient_attention": (0, 6, True),
    "aten::_scaled_dot_product_cudnn_attention": (0, 6, True),
    "aten::_scaled_dot_product_fused_attention_overrideable": (0, 5, True),
    "aten::_flash_attention_forward": (0, 8, False),
    "flash_attn::_flash_attn_forward": (0, 5, False),
}
_ATTENTION_BACKWARD = {
    "aten::_scaled_dot_product_flash_attention_backward": (1, 11, True),
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward": (1, 7, True),
    "aten::_scaled_dot_product_efficient_attention_backward": (1, 11, True),
    "aten::_scaled_dot_product_cudnn_attention_backward": (1, 14, True),
    "aten::_flash_attention_backward": (1, 11, False),
    "flash_attn::_flash_attn_backward": (1, 11, False),
}


def product(call: Call) -> Cost | None:
    """None of what is none of these; a cost of unknown amounts where shapes do not show it."""
    for names, model in _MODELS:
        if call.name in names:
            return model(call)
    return None


def _matrices(call: Call) -> Cost:
    left, right, added = _PRODUCTS[call.name]
    a, b = call.shape(left), call.shape(right)
    out = _multiplied(a, b) if a and b else None
    if out is None or not a:
        return Cost("matmul", None, None)
    # What is added is read once as it is; addbmm sums over its batch.
    out = out[1:] if call.name == "aten::addbmm" else out
    batch = a[0] if call.name == "aten::addbmm" else 1
    moved = call.moved(left, right) + count(out) * call.size(left)
    moved += call.moved(added) if added is not None else 0.0
    return Cost("matmul", 2.0 * count(out) * a[-1] * batch, moved)


def _multiplied(a: Sizes, b: Sizes) -> tuple[int, ...] | None:
    """The shape of a product, with batches broadcast as `matmul` does."""
    summed = b[-2] if len(b) > 1 else b[0]
    if a[-1] != summed:
        return None
    batches = _broadcast(a[:-2], b[:-2])
    if batches is None:
        return None
    return (*batches, *(a[-2:-1] if len(a) > 1 else ()), *(b[-1:] if len(b) > 1 else ()))


def _broadcast(a: Sizes, b: Sizes) -> tuple[int, ...] | None:
    longest = max(len(a), len(b))
    pairs = zip((1,) * (longest - len(a)) + tuple(a), (1,) * (longest - len(b)) + tuple(b), strict=True)
    found = [max(x, y) if 1 in (x, y) or x == y else -1 for x, y in pairs]
    return None if -1 in found else tuple(found)


def _linear(call: Call) -> Cost:
    x, weight = call.shape(0), call.shape(1)
    if not x or not weight or x[-1] != weight[-1]:
        return Cost("matmul", None, None)
    out = count(x[:-1]) * (weight[0] if len(weight) > 1 else 1)
    return Cost("matmul", 2.0 * out * x[-1], call.moved(0, 1, 2) + out * call.size(0))


def _convolution(call: Call) -> Cost:
    stride, padding, dilation, transposed, more = _CONVOLUTIONS[call.name]
    given, weight = call.shape(0), call.shape(1)
    if not given or not weight or len(given) != len(weight) or len(given) < 3:
        return Cost("convolution", None, None)
    steps, pads, apart = (_each(call.numbers(i), len(given) - 2) for i in (stride, padding, dilation))
    if not steps or not pads or not apart or min(*steps, *apart) < 1:
        return Cost("convolution", None, None)
    spread = transposed is not None and call.flag(transposed) is True
    added = _each(call.numbers(more), len(given) - 2) if spread and more is not None else []
    out = [
        (n - 1) * s - 2 * p + d * (k - 1) + 1 + e if spread else (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d, e in zip(
            given[2:], weight[2:], steps, pads, apart, added or [0] * (len(given) - 2), strict=True
        )
    ]
    # Of groups of a transposed convolution the features of all follow from the input's alone.
    groups = (call.numbers(8) or [1])[0] if spread else 1
    features = weight[1] * groups if spread else weight[0]
    result = (given[0], features, *(max(n, 0) for n in out))
    flops = _products(result, given, weight, spread)
    return Cost("convolution", flops, call.moved(0, 1, 2) + count(result) * call.size(0))


def _products(out: Sizes, given: Sizes, weight: Sizes, transposed: bool) -> float:
    """2 × outputs × features of a group × places of the window; transposed with input and output swapped."""
    return 2.0 * count(given if transposed else out) * weight[1] * math.prod(weight[2:])


def _each(numbers: list[int], dimensions: int) -> list[int]:
    """One number for all dimensions, or one each."""
    return numbers * dimensions if len(numbers) == 1 else numbers if len(numbers) == dimensions else []


def _convolution_backward(call: Call) -> Cost:
    gradient, given, kernel, transposed, wanted = _BACKWARD[call.name]
    out, x, weight = (call.shape(i) for i in (gradient, given, kernel))
    if not out or not x or not weight or len(weight) < 3:
        return Cost("convolution", None, None)
    mask = call.flags(wanted) if wanted is not None else []
    parts = mask[:2] if len(mask) == 3 else [True, True]
    swapped = transposed is not None and call.flag(transposed) is True
    flops = sum(parts) * _products(out, x, weight, swapped)
    written = sum(call.moved(i) for i, want in zip((given, kernel), parts, strict=True) if want)
    return Cost("convolution", flops, call.moved(gradient, given, kernel) + written)


def _attention(call: Call) -> Cost:
    return _attends(call, *_ATTENTION[call.name], (1, 1), 1)


def _attention_backward(call: Call) -> Cost:
    """Scores are computed once more: five products, three over the size of a key and two over that of a value."""
    return _attends(call, *_ATTENTION_BACKWARD[call.name], (3, 2), 2)


def _attends(call: Call, query: int, causal: int, heads_first: bool, products: tuple[int, int], written: int) -> Cost:
    q, k, v = (call.shape(query + i) for i in range(3))
    if not q or not k or not v or not len(q) == len(k) == len(v) == 4:
        return Cost("attention", None, None)
    length, heads = (2, 1) if heads_first else (1, 2)
    pairs = q[0] * q[heads] * float(q[length]) * k[length]
    if call.flag(causal):
        # Of a square only the lower half is computed.
        pairs = q[0] * q[heads] * _below(q[length], k[length])
    flops = 2.0 * pairs * (products[0] * q[3] + products[1] * v[3])
    moved = call.moved(query, query + 1, query + 2)
    out = count(q[:3]) * v[3] * call.size(query)
    # Backward reads the output and its gradient, and writes the gradients of what it reads.
    return Cost("attention", flops, moved + out if written == 1 else 2 * moved + 2 * out)


def _below(rows: int, columns: int) -> float:
    """Pairs of a query and a key that is not after it, the first query being at the first key."""
    whole = min(rows, columns)
    return whole * (whole + 1) / 2 + (rows - whole) * float(columns)


_MODELS: tuple[tuple[Container[str], Callable[[Call], Cost]], ...] = (
    (_PRODUCTS, _matrices),
    (_LINEAR, _linear),
    (_CONVOLUTIONS, _convolution),
    (_BACKWARD, _convolution_backward),
    (_ATTENTION, _attention),
    (_ATTENTION_BACKWARD, _attention_backward),
)
