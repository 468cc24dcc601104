"""A capture of PyTorch's with shapes → which calls did the work of its kernels, and what these calls cost."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Container, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...tables import I32, I64, StatKind, grouped
from ...timeline.nesting import enclosing, enclosing_of
from ...timeline.ops.ops import are_calls, device_calls_of, ops_of
from ...timeline.timeline import Timeline, derived

# What PyTorch's profiler records of a call (record_shapes=True) → sizes, types and values of its arguments.

#: So much of a text is read; lists of tensors may be long.
_LONGEST = 20_000
#: Larger sizes are none.
_LARGEST = 1 << 48
#: Products of so many sizes are numbers that a float holds; PyTorch's tensors have 64 at most.
_MAX_DIMENSIONS = 16
#: So much of shapes is shown.
_SHOWN = 200
#: As the profiler spells types → bytes, and the precision that arithmetic on them has.
_TYPES = {
    "float": (4, "fp32"),
    "double": (8, "fp64"),
    "c10::Half": (2, "fp16"),
    "c10::BFloat16": (2, "bf16"),
    "c10::Float8_e4m3fn": (1, "fp8"),
    "c10::Float8_e5m2": (1, "fp8"),
    "c10::Float8_e4m3fnuz": (1, "fp8"),
    "c10::Float8_e5m2fnuz": (1, "fp8"),
    "c10::complex<float>": (8, "fp32"),
    "c10::complex<double>": (16, "fp64"),
    "signed char": (1, "int8"),
    "unsigned char": (1, "int8"),
    "bool": (1, ""),
    "short": (2, ""),
    "short int": (2, ""),
    "int": (4, ""),
    "long": (8, ""),
    "long int": (8, ""),
}
Sizes = Sequence[int]


class Cost(NamedTuple):
    """Of one call; None unknown. what: the kind of op."""

    what: str
    flops: float | None
    bytes: float | None


class Call:
    """Arguments by place; shapes are those of tensors, None elsewhere."""

    def __init__(self, name: str, shapes: str, types: str, concrete: str) -> None:
        self.name = name
        self._shapes, self._types, self._concrete = shapes, types, concrete

    @property
    def text(self) -> str:
        """Its shapes, as they are shown."""
        return self._shapes[:_SHOWN]

    @cached_property
    def shapes(self) -> list[tuple[int, ...] | None]:
        found = [_shape(each) for each in _list(self._shapes)]
        # A scalar argument has the shape [] as a tensor without dimensions has: its type tells them apart.
        kinds = [*self.types, *[""] * (len(found) - len(self.types))]
        return [
            None if shape == () and kind not in _TYPES else shape for shape, kind in zip(found, kinds, strict=False)
        ]

    @cached_property
    def types(self) -> list[str]:
        return [each if isinstance(each, str) else "" for each in _list(self._types)]

    @cached_property
    def lists(self) -> list[list[tuple[int, ...]]]:
        """Of each argument that is a list of tensors their shapes."""
        return [_shapes(each) for each in _list(self._shapes)]

    @cached_property
    def values(self) -> list[str]:
        return [each if isinstance(each, str) else "" for each in _list(self._concrete)]

    def shape(self, place: int) -> tuple[int, ...] | None:
        return self.shapes[place] if place < len(self.shapes) else None

    def size(self, place: int) -> int:
        """Bytes of an element; of what is not known those of the first tensor whose type is."""
        kind = self.types[place] if place < len(self.types) else ""
        return _TYPES[kind][0] if kind in _TYPES else self.element

    @cached_property
    def element(self) -> int:
        return next((_TYPES[kind][0] for kind in self.types if kind in _TYPES), 4)

    @cached_property
    def precision(self) -> str:
        """Of the first argument whose type computes; empty where none does."""
        return next((_TYPES[kind][1] for kind in self.types if _TYPES.get(kind, (0, ""))[1]), "")

    def numbers(self, place: int) -> list[int]:
        """A list of integers, or one, that an argument is: `[1, 1]`; none where it is not recorded."""
        found = _parsed(self.values[place]) if place < len(self.values) else None
        found = found if isinstance(found, list) else [found]
        return [n for n in found if isinstance(n, int) and not isinstance(n, bool) and abs(n) < _LARGEST]

    def flag(self, place: int) -> bool | None:
        text = self.values[place] if place < len(self.values) else ""
        return {"True": True, "False": False}.get(text)

    def flags(self, place: int) -> list[bool]:
        text = self.values[place] if place < len(self.values) else ""
        return [word == "True" for word in text.strip("[]").split(", ") if word in ("True", "False")]

    def moved(self, *places: int) -> float:
        """Bytes of some tensors."""
        return sum(count(self.shape(i)) * self.size(i) for i in places)

    @cached_property
    def input_bytes(self) -> float:
        """Bytes of all tensors that it is given."""
        return self.moved(*range(len(self.shapes)))


def count(shape: Sizes | None) -> float:
    return float(math.prod(shape)) if shape is not None else 0.0


def _list(text: str) -> list[Any]:
    found = _parsed(text)
    return found if isinstance(found, list) else []


def _parsed(text: str) -> Any:
    try:
        return json.loads(text[:_LONGEST]) if text else None
    except (ValueError, RecursionError):
        return None


def _shape(found: Any) -> tuple[int, ...] | None:
    if not isinstance(found, list) or len(found) > _MAX_DIMENSIONS:
        return None
    if not all(isinstance(n, int) and 0 <= n < _LARGEST for n in found):
        return None
    return tuple(found)


def _shapes(found: Any) -> list[tuple[int, ...]]:
    return [shape for each in found if (shape := _shape(each))] if isinstance(found, list) else []


# A call of PyTorch's that goes through its elements → its FLOPs and bytes, by shapes alone.
#
# An element of the result is one FLOP for each operation of arithmetic that its formula has, functions such as `exp`
# included; docs/roofline.md lists them. Bytes are each tensor that it reads or writes, once.

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
    """Cost of a normalization, softmax, elementwise op and so on; None of any other call."""
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
    return Cost("normalization", flops * n, call.input_bytes + n * call.size(x))


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
    return Cost("elementwise", count(out), call.input_bytes + written)


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


# A call of PyTorch's that multiplies matrices, convolves or attends → its FLOPs and bytes, by shapes alone.
#
# A multiply-add is two; bytes are each tensor that it reads or writes, once.

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
    """Cost of a product; None of any other call. Its amounts are unknown where shapes do not show them."""
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


_KEYS = (("Input Dims", "Input dims"), ("Input type",), ("Concrete Inputs",))
#: Distinct calls (name, shapes, types, values) that are looked at; of more the most frequent.
_MAX_DISTINCT = 20_000
#: What a call that holds one of these too is no execution of: its work is distinguished.
_HEAVY = ("matmul", "convolution", "attention", "normalization", "softmax", "pooling", "embedding")


class Holders(NamedTuple):
    """calls: distinct, with what each costs, None unknown. which: by event of the capture the place of its call, -1 of
    what is none, or only holds others that are.
    """

    calls: tuple[Call, ...]
    costs: tuple[Cost, ...]
    which: I32


@derived
def holders_of(timeline: Timeline) -> Holders:
    """The calls to which work counts: the innermost ones of which a model of their costs is known."""
    rows = ops_of(timeline).host.rows
    rows = rows[are_calls(timeline, rows)] if any(map(timeline.has_stat, _KEYS[0])) else rows[:0]
    which = np.full(len(timeline.capture.events), -1, np.int32)
    if not len(rows):
        return Holders((), (), which)
    distinct, place = _distinct(timeline, rows)
    calls: list[Call] = []
    costs: list[Cost] = []
    table = np.full(len(distinct) + 1, -1, np.int32)
    for i, call in distinct.items():
        cost = product(call) or other(call)
        if cost is not None:
            table[i] = len(calls)
            calls.append(call)
            costs.append(cost)
    which[rows] = table[place]
    return Holders(tuple(calls), tuple(costs), _innermost(timeline, which, costs))


def _distinct(timeline: Timeline, rows: I64) -> tuple[dict[int, Call], I64]:
    """By number the distinct calls, and the number of each row; those that are left out have the last one."""
    strings = timeline.capture.strings
    columns = [timeline.capture.events.name[rows].astype(np.int64), *(_text(timeline, keys, rows) for keys in _KEYS)]
    place, first = grouped(*columns)
    number = np.full(len(first), min(len(first), _MAX_DISTINCT))
    often = np.argsort(-np.bincount(place), kind="stable")[:_MAX_DISTINCT]
    number[often] = np.arange(len(often))
    found = {n: Call(*(strings[int(c[first[i]])] for c in columns)) for n, i in enumerate(often.tolist())}
    return found, number[place]


def _text(timeline: Timeline, keys: tuple[str, ...], rows: I64) -> I64:
    """String ids of a stat, 0 (the empty text) where there is none."""
    text = np.zeros(len(rows), np.int64)
    for key in filter(timeline.has_stat, keys):
        value, kind = timeline.stat_of(key, rows)
        text = np.where((kind == StatKind.TEXT) & (text == 0), value, text)
    return text


def _innermost(timeline: Timeline, which: I32, costs: list[Cost]) -> I32:
    """Without calls that hold others: a heavy one those that are heavy, a light one any."""
    heavy = np.array([cost.what in _HEAVY for cost in costs] + [False], bool)[which]
    for inner, outer in ((heavy, heavy), (which >= 0, (which >= 0) & ~heavy)):
        around = enclosing_of(timeline, outer, np.flatnonzero(inner))
        which[around[around >= 0]] = -1
    return which


def holder_of_kernels(timeline: Timeline) -> I32:
    """By event of `Ops.device` the row of the call to which its work counts, -1 where none is known."""
    called = device_calls_of(timeline)
    return _around(timeline, called)


def holder_of_calls(timeline: Timeline) -> I32:
    """By event of `Ops.host` the row of the call to which its own time counts: itself, or one around it."""
    return _around(timeline, ops_of(timeline).host.rows.astype(np.int32))


def _around(timeline: Timeline, rows: I32) -> I32:
    """Of host events, -1 none."""
    is_holder = holders_of(timeline).which >= 0
    outer = np.append(enclosing(timeline, is_holder), np.int32(-1))
    return np.where(np.append(is_holder, False)[rows], rows, outer[rows]).astype(np.int32)
