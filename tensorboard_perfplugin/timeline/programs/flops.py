"""An XLA instruction and the shapes around it → its floating-point operations in one execution.

Counted as XLA's cost analysis counts them, so that they mean the same as those that a TPU's captures give: a
multiply-add is two; element by element one for each element of the result, of any type; functions like `exp` or `sqrt`
none; a convolution's products with padding none. What is not known is nan.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np

from .program import Program
from .reader import Instruction, Shape

_NAN = float("nan")
ELEMENTWISE = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "negate", "abs", "sign"),
        *("and", "or", "xor", "not", "compare", "select", "clamp", "convert", "stochastic-convert", "is-finite"),
        *("floor", "ceil", "round-nearest-afz", "round-nearest-even", "reduce-precision", "real", "imag", "complex"),
        *("shift-left", "shift-right-arithmetic", "shift-right-logical", "popcnt", "count-leading-zeros"),
    )
)
#: Of single elements, for which it counts nothing.
FUNCTIONS = (
    *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "tanh", "tan", "sine", "cosine"),
    *("sqrt", "rsqrt", "cbrt", "power", "atan2", "erf", "acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh"),
)
_FREE = frozenset(
    (
        *FUNCTIONS,
        *("rng", "rng-bit-generator", "rng-get-and-update-state", "iota", "broadcast", "reshape", "dynamic-reshape"),
        *("bitcast", "bitcast-convert", "copy", "copy-start", "transpose", "slice", "dynamic-slice", "reverse", "pad"),
        *("dynamic-update-slice", "concatenate", "gather", "tuple", "get-tuple-element", "parameter", "constant"),
        *("partition-id", "replica-id", "infeed", "outfeed", "send", "recv", "all-gather", "all-gather-start"),
        *("all-to-all", "ragged-all-to-all", "collective-permute", "collective-permute-start", "after-all", "domain"),
        *("collective-broadcast", "optimization-barrier", "get-dimension-size", "set-dimension-size", "add-dependency"),
    )
)
_DONE = "-done"
#: What runs a computation once for each element of its result.
_PER_ELEMENT = ("map", "all-reduce", "all-reduce-start", "reduce-scatter")
#: DotDimensionNumbers.lhs_contracting_dimensions.
_CONTRACTED = 1
#: WindowDimension.
_SIZE, _STRIDE, _PADDING, _WINDOW_DILATION, _BASE_DILATION = 1, 2, 3, 5, 6
#: ConvolutionDimensionNumbers.
_IN_BATCH, _IN_SPATIAL, _KERNEL_IN, _KERNEL_OUT, _OUT_SPATIAL = 7, 11, 3, 4, 12
#: Pairs of outputs and places of a window that are looked at one by one; beyond, none counts as padding.
_MAX_PAIRS = 1 << 20
_MAX_CONFIG = 1 << 16
#: Places in (operands …, result) of a convolution's input, kernel and output, by what the library's call computes.
_CONVOLUTIONS = {
    "__cudnn$convForward": (0, 1, -1),
    "__cudnn$convForwardGraph": (0, 1, -1),
    "__cudnn$convBiasActivationForward": (0, 1, -1),
    "__cudnn$convBackwardInput": (-1, 1, 0),
    "__cudnn$convBackwardFilter": (0, -1, 1),
    "__onednn$convolution": (0, 1, -1),
}
_GEMMS = ("__cublas$gemm", "__cublas$lt$matmul", "__onednn$matmul", "__cublas$lt$groupedMatmul")


def is_library_call(target: str) -> bool:
    """Whether it is a matrix product or convolution whose shapes are enough."""
    return target in _CONVOLUTIONS or target.startswith(_GEMMS)


def flops(program: Program, one: Instruction, operands: Sequence[Shape | None], called: Mapping[int, float]) -> float:
    """Of one execution. operands: their shapes, None unknown; called: what the computations that it calls cost."""
    result = program.shape(one)
    code = one.opcode
    if code in ELEMENTWISE:
        return elements(result)
    if code in _FREE or code.endswith(_DONE):
        return 0.0
    if code in ("fusion", "call"):
        return sum(called.get(number, _NAN) for number in one.called) if one.called else _NAN
    if code in _PER_ELEMENT:
        return _per_element(program, one, called)
    shapes = [shape for shape in operands if shape is not None]
    if len(shapes) < len(operands) or not shapes:
        return _NAN
    if code in ("dot", "ragged-dot"):
        return 2 * elements(result) * _product(shapes[0], program.lists(*one.dot).get(_CONTRACTED, []))
    if code == "convolution":
        return _convolution(program, one, shapes[0], shapes[-1], result)
    if code == "custom-call":
        return _library_call(program, one, shapes, result)
    return _with_reducer(program, one, shapes, result, called.get(one.called[-1], _NAN) if one.called else _NAN)


def elements(shape: Shape) -> float:
    """Of a tuple those of its first part; nan where a dimension is unknown."""
    shape = shape.parts[0] if shape.parts else shape
    return _product(shape, range(len(shape.dimensions)))


def _product(shape: Shape, dimensions: Sequence[int]) -> float:
    sizes = [float(shape.dimensions[i]) if 0 <= i < len(shape.dimensions) else _NAN for i in dimensions]
    return math.prod(size if size >= 0 else _NAN for size in sizes)


def _per_element(program: Program, one: Instruction, called: Mapping[int, float]) -> float:
    shape = program.shape(one)
    return sum(map(elements, shape.parts or (shape,))) * (called.get(one.called[0], _NAN) if one.called else _NAN)


def _with_reducer(program: Program, one: Instruction, shapes: Sequence[Shape], result: Shape, reducer: float) -> float:
    """What reduces, sorts or solves."""
    given = elements(shapes[0])
    if one.opcode == "reduce":
        return max(given - elements(result), 0.0) * reducer
    if one.opcode in ("reduce-window", "select-and-scatter"):
        place = math.prod(float(w.get(_SIZE, [1])[-1]) for w in program.windows(one))
        many = elements(result if one.opcode == "reduce-window" else shapes[1 % len(shapes)])
        return many * max(place - 1, 0.0) * reducer
    if one.opcode == "scatter":
        return elements(shapes[-1]) * (len(shapes) // 2) * reducer
    if one.opcode == "sort":
        return given * math.ceil(math.log2(given)) if 1 < given < math.inf else 0.0 * given
    if one.opcode == "triangular-solve":
        return elements(shapes[-1]) * float(shapes[0].dimensions[-1] if shapes[0].dimensions else 1)
    if one.opcode == "cholesky":
        return given * float(shapes[0].dimensions[-1] if shapes[0].dimensions else 1) / 3
    if one.opcode == "fft":
        size = math.prod(float(length) for length in one.lengths)
        return 5 * given * math.log2(size) if 1 <= size < math.inf else _NAN
    return _NAN


def _library_call(program: Program, one: Instruction, shapes: Sequence[Shape], result: Shape) -> float:
    if one.target in _CONVOLUTIONS:
        out = result.parts[0] if result.parts else result
        given = [*shapes[:2], *[_UNKNOWN] * (2 - len(shapes)), out]
        return _convolution(program, one, *(given[place] for place in _CONVOLUTIONS[one.target]))
    if one.target.startswith(_GEMMS) and len(shapes) > 1:
        return 2 * elements(result) * _contracted(program, one, shapes[0], shapes[1], result)
    return _NAN


_UNKNOWN = Shape("", (-1,))


def _contracted(program: Program, one: Instruction, left: Shape, right: Shape, result: Shape) -> float:
    """Size of what a matrix product sums over: as its configuration states, else as the sizes do."""
    numbers = program.lists(*one.dot).get(_CONTRACTED) or _configured(program, one)
    if numbers:
        return _product(left, numbers)
    out = result.parts[0] if result.parts else result
    batch = _product(out, range(len(out.dimensions) - 2))
    many = elements(out) * batch
    size = math.sqrt(elements(left) * elements(right) / many) if many > 0 else _NAN
    return size if size.is_integer() else _NAN


def _configured(program: Program, one: Instruction) -> list[int]:
    """`lhs_contracting_dimensions` of a backend's configuration, which is JSON."""
    begin, end = one.config
    try:
        config = json.loads(program.data[begin : min(end, begin + _MAX_CONFIG)])
        config = config.get("gemm_backend_config", config)
        return [int(i) for i in config["dot_dimension_numbers"]["lhs_contracting_dimensions"]]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return []


def _convolution(program: Program, one: Instruction, given: Shape, kernel: Shape, out: Shape) -> float:
    """2 × products that are not with padding, of an image and a pair of features × images × features."""
    numbers = program.lists(*one.convolution)

    def size(shape: Shape, field: int, place: int = 0) -> int:
        axes = numbers.get(field, [0])
        axis = axes[place] if place < len(axes) else -1
        return shape.dimensions[axis] if 0 <= axis < len(shape.dimensions) else -1

    windows = program.windows(one)
    pairs = [_pairs(w, size(given, _IN_SPATIAL, i), size(out, _OUT_SPATIAL, i)) for i, w in enumerate(windows)]
    others = [size(given, _IN_BATCH), size(kernel, _KERNEL_IN), size(kernel, _KERNEL_OUT)]
    if min([*others, one.batch_groups]) < 0 or not one.batch_groups:
        return _NAN
    return 2.0 * math.prod(pairs) * math.prod(map(float, others)) / one.batch_groups


def _pairs(window: Mapping[int, Sequence[int]], given: int, out: int) -> float:
    """Pairs of an output and a place of the window that meet an element of the input, along one dimension."""

    def of(field: int, default: int) -> int:
        return window.get(field, [0])[-1] or default

    size, stride, padding = of(_SIZE, 1), of(_STRIDE, 1), of(_PADDING, 0)
    apart, spread = of(_WINDOW_DILATION, 1), of(_BASE_DILATION, 1)
    if min(size, out, given) < 0:
        return _NAN
    if float(size) * out > _MAX_PAIRS or max(map(abs, (given, stride, padding, apart, spread))) >= 1 << 30:
        return float(size) * out
    at = np.arange(out)[:, None] * stride + np.arange(size) * apart - padding
    return float(np.count_nonzero((at >= 0) & (at <= (given - 1) * spread) & (at % spread == 0)))
