"""A call of PyTorch's that goes through its elements → its FLOPs and bytes, by shapes alone.

An element of the result is one FLOP for each operation of arithmetic that its formula has, functions such as `exp`
included; docs/roofline.md lists them. Bytes are each tensor that it reads or writes, once.
"""

from __future__ import annotations

from .call import Call, Cost, Sizes, count

#: x - mean, squares and sums, times the inverse deviation, scale and shift.
_NORM, _NORM_BACKWARD = 7, 13
#: Largest, difference, exp, sum, quotient; backward product, sum, difference, product.
_SOFTMAX, _SOFTMAX_BACKWARD = 5, 4
#: They normalize their first argument.
_NORMS = (
    "aten::native_layer_norm",
    "aten::native_batch_norm",
    "aten::_native_batch_norm_legit",
    "aten::cudnn_batch_norm",
    "aten::miopen_batch_norm",
    "aten::native_group_norm",
    "aten::_fused_rms_norm",
)
#: Op → place of what is normalized.
_NORMS_BACKWARD = {
    "aten::native_layer_norm_backward": 1,
    "aten::native_batch_norm_backward": 1,
    "aten::cudnn_batch_norm_backward": 0,
    "aten::miopen_batch_norm_backward": 0,
    "aten::native_group_norm_backward": 1,
    "aten::_fused_rms_norm_backward": 1,
}
_SOFTMAXES = ("aten::_softmax", "aten::_log_softmax")
_SOFTMAXES_BACKWARD = ("aten::_softmax_backward_data", "aten::_log_softmax_backward_data")
#: Without the `_` of those in place.
_ELEMENTWISE = frozenset(
    f"aten::{name}"
    for name in (
        *("add", "sub", "rsub", "mul", "div", "pow", "neg", "abs", "sqrt", "rsqrt", "exp", "log", "sin", "cos"),
        *("tanh", "sigmoid", "relu", "gelu", "silu", "elu", "leaky_relu", "hardtanh", "hardswish", "softplus", "erf"),
        *("maximum", "minimum", "clamp", "clamp_min", "clamp_max", "reciprocal", "square", "sign", "floor", "ceil"),
        *("addcmul", "addcdiv", "lerp", "where", "masked_fill", "logical_and", "logical_or", "logical_not"),
        *("bitwise_and", "bitwise_or", "bitwise_not", "fmod", "remainder", "threshold_backward", "gelu_backward"),
        *("silu_backward", "sigmoid_backward", "tanh_backward", "elu_backward", "hardtanh_backward"),
        *("leaky_relu_backward", "hardswish_backward", "native_dropout_backward", "round", "isnan"),
    )
)
_COMPARES = frozenset(f"aten::{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge"))
_DROPOUT = ("aten::native_dropout",)
#: Reads its first argument and writes it again as the second, or the reverse: no arithmetic.
_COPY = ("aten::copy_",)
_FILL = ("aten::fill_", "aten::zero_")
_JOIN = ("aten::cat", "aten::stack")
_REDUCTIONS = frozenset(
    f"aten::{name}"
    for name in ("sum", "mean", "max", "min", "amax", "amin", "argmax", "argmin", "prod", "var", "std", "norm")
)
_LOOK_UP = ("aten::embedding", "aten::index_select")
#: Window pooling: places of window, stride, padding.
_POOLS = {"aten::max_pool2d_with_indices": (1, 2, 3), "aten::avg_pool2d": (1, 2, 3)}
_POOLS_BACKWARD = ("aten::max_pool2d_with_indices_backward", "aten::avg_pool2d_backward")
_ADAPTIVE = ("aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d_backward")
_INDEX = 8


def other(call: Call) -> Cost | None:
    """None of what is none of these."""
    name = call.name
    if name in _NORMS:
        return _norm(call, 0, _NORM)
    if name in _NORMS_BACKWARD:
        return _norm(call, _NORMS_BACKWARD[name], _NORM_BACKWARD)
    if name in _SOFTMAXES:
        return _per_element(call, "softmax", _SOFTMAX, 0)
    if name in _SOFTMAXES_BACKWARD:
        return _per_element(call, "softmax", _SOFTMAX_BACKWARD, 0, 1)
    if name.rstrip("_") in _ELEMENTWISE or name.rstrip("_") in _COMPARES:
        return _elementwise(call)
    if name in _DROPOUT:
        x = count(call.shape(0))
        return Cost("elementwise", 2 * x, 2 * call.moved(0) + x)
    return _moves(call) or _pool(call)


def _norm(call: Call, x: int, flops: int) -> Cost:
    if call.shape(x) is None:
        return Cost("normalization", None, None)
    n = count(call.shape(x))
    return Cost("normalization", flops * n, call.given + n * call.size(x))


def _per_element(call: Call, what: str, flops: int, *read: int) -> Cost:
    if call.shape(0) is None:
        return Cost(what, None, None)
    n = count(call.shape(0))
    return Cost(what, flops * n, call.moved(*read) + n * call.size(0))


def _elementwise(call: Call) -> Cost:
    shapes = [shape for shape in call.shapes if shape is not None]
    out = _result(shapes)
    if out is None:
        return Cost("elementwise", None, None)
    # In place the result is the first; of comparisons it is one byte.
    element = 1 if call.name.rstrip("_") in _COMPARES else call.element
    written = count(shapes[0] if call.name.endswith("_") else out) * element
    return Cost("elementwise", count(out), call.given + written)


def _result(shapes: list[tuple[int, ...]]) -> Sizes | None:
    """Of shapes that are broadcast against each other."""
    if not shapes:
        return None
    longest = max(map(len, shapes))
    columns = zip(*((1,) * (longest - len(shape)) + shape for shape in shapes), strict=True)
    return [0 if 0 in column else max(column) for column in columns]


def _moves(call: Call) -> Cost | None:
    """What only moves elements, or adds them up."""
    name = call.name
    if name in _COPY:
        return Cost("copy", 0.0, call.moved(0, 1))
    if name in _FILL:
        return Cost("copy", 0.0, call.moved(0))
    if name in _JOIN:
        moved = sum(map(count, call.lists[0])) * call.element if call.lists and call.lists[0] else None
        return Cost("copy", 0.0, None if moved is None else 2 * moved)
    if name in _REDUCTIONS:
        return Cost("reduction", count(call.shape(0)), call.moved(0)) if call.shape(0) is not None else None
    if name in _LOOK_UP:
        return _look_up(call)
    if name == "aten::embedding_dense_backward" and call.shape(0) is not None:
        n, rows = count(call.shape(0)), call.numbers(2)
        width = (call.shape(0) or (1,))[-1]
        table = rows[0] * width * call.size(0) if rows and rows[0] > 0 else n * call.size(0)
        return Cost("embedding", n, call.moved(0, 1) + table)
    return None


def _look_up(call: Call) -> Cost:
    """Of the table only the rows that are read count."""
    table, index = call.shape(0), call.shape(1 if call.name == "aten::embedding" else 2)
    place = 1 if call.name == "aten::embedding" else 2
    dim = [0] if call.name == "aten::embedding" else call.numbers(1)
    if not table or index is None or dim[:1] != [0]:
        return Cost("embedding", 0.0, None)
    read = count(index) * count(table[1:]) * call.size(0)
    return Cost("embedding", 0.0, 2 * read + call.moved(place))


def _pool(call: Call) -> Cost | None:
    name, x = call.name, call.shape(0)
    if name in _POOLS and x and len(x) >= 3:
        window, stride, padding = (_pair(call.numbers(i)) for i in _POOLS[name])
        if not window or min(*window, *(stride or [1])) < 1:
            return Cost("pooling", None, None)
        out = count(x[:-2])
        for n, k, s, p in zip(x[-2:], window, stride or window, padding or [0, 0], strict=True):
            out *= max((n + 2 * p - k) // s + 1, 0)
        each = _INDEX if "indices" in name else 0
        return Cost("pooling", out * window[0] * window[1], call.moved(0) + out * (call.size(0) + each))
    if name in _POOLS_BACKWARD and x and call.shape(1):
        index = _INDEX * count(x) if "indices" in name else 0.0
        return Cost("pooling", count(x), call.moved(0, 1) + index)
    if name in _ADAPTIVE and x:
        large = max(count(x), count(call.shape(1))) if "backward" in name else count(x)
        return Cost("pooling", large, call.moved(0, 1) if "backward" in name else call.moved(0))
    return None


def _pair(numbers: list[int]) -> list[int]:
    return numbers * 2 if len(numbers) == 1 else numbers if len(numbers) == 2 else []
