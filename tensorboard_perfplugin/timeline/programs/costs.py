"""An XLA program → what one execution of each of its instructions costs, by the shapes alone."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...patterns import regex
from .reader import Computation, Instruction, Program, Shape

if TYPE_CHECKING:
    from .layout import Tiles

# An XLA instruction and the shapes around it → its floating-point operations in one execution.
#
# Counted as XLA's cost analysis counts them, so that they mean the same as those that a TPU's captures give: a
# multiply-add is two; element by element one for each element of the result, of any type; functions like `exp` or
# `sqrt`
# none; a convolution's products with padding none. What is not known is nan.

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
_IN_BATCH, _IN_FEATURE, _IN_SPATIAL, _KERNEL_IN, _KERNEL_OUT, _OUT_SPATIAL = 7, 8, 11, 3, 4, 12
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


def is_depthwise(program: Program, one: Instruction, around: Mapping[int, Instruction]) -> bool:
    """Whether a convolution takes each channel by itself: it has as many groups as its input has features, or, as the
    gradient of its kernel, as that has images.
    """
    if one.opcode != "convolution" and one.target not in _CONVOLUTIONS:
        return False
    operands = [program.shape(around[i]) for i in one.operands[:2] if i in around]
    if len(operands) < 2:
        return False
    result = program.shape(one)
    shapes = (*operands, result.parts[0] if result.parts else result)
    given, kernel, _ = _CONVOLUTIONS.get(one.target, (0, 1, -1))
    numbers = program.lists(*one.convolution)

    def size(shape: Shape, field: int) -> float:
        return _product(shape, numbers.get(field, [0])[-1:])

    by_image = one.batch_groups > 1 and size(shapes[given], _IN_BATCH) == one.batch_groups
    return by_image or (size(shapes[kernel], _KERNEL_IN) == 1 and size(shapes[given], _IN_FEATURE) > 1)


def _pairs(window: Mapping[int, Sequence[int]], given: int, out: int) -> float:
    """Pairs of an output and a place of the window that meet an element of the input, along one dimension."""

    def setting(field: int, default: int) -> int:
        return window.get(field, [0])[-1] or default

    size, stride, padding = setting(_SIZE, 1), setting(_STRIDE, 1), setting(_PADDING, 0)
    apart, spread = setting(_WINDOW_DILATION, 1), setting(_BASE_DILATION, 1)
    if min(size, out, given) < 0:
        return _NAN
    if float(size) * out > _MAX_PAIRS or max(map(abs, (given, stride, padding, apart, spread))) >= 1 << 30:
        return float(size) * out
    at = np.arange(out)[:, None] * stride + np.arange(size) * apart - padding
    return float(np.count_nonzero((at >= 0) & (at <= (given - 1) * spread) & (at % spread == 0)))


# An XLA instruction and the shapes around it → the bytes that one execution reads and writes.
#
# All operands and results, once each; of a fusion its parameters and its result, since what is between stays in
# registers. Only the part counts that a slice or gather takes, or an update writes. Unknown is nan.

_FREE_BYTES = (
    *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "optimization-barrier"),
    *("partition-id", "replica-id", "domain", "get-dimension-size", "add-dependency"),
)
_TAKES = ("slice", "dynamic-slice", "gather")
_UPDATE = "dynamic-update-slice"
_BITS = regex(r"[a-z]+(\d+)")
_SPECIAL = {"pred": 8, "token": 0, "tuple": 0}
#: Memory space of the host, which copies to and from it name.
HOST_SPACE = 5
#: Operands of what takes a part.
_MAX_OPERANDS = 64
#: Steps from a fusion's result back to what it is a view of.
_MAX_STEPS = 100
Around = Mapping[int, Instruction]


class Moved:
    """Of one program. skipped: the number of a memory that does not count. tiles: with the padding of their layouts."""

    def __init__(self, program: Program, skipped: int | None = None, tiles: Tiles | None = None) -> None:
        self._program, self._skipped, self._tiles = program, skipped, tiles
        self._sizes: dict[int, float] = {}
        self._fusions: dict[int, float] = {}

    def bytes_of(self, one: Instruction, around: Around) -> float:
        """Bytes of one execution."""
        code = one.opcode
        if code in _FREE_BYTES or code.endswith("-done"):
            return 0.0
        if code == "fusion":
            return self._fusion(one.called[0]) if one.called else _NAN
        if code == "custom-call" and not is_library_call(one.target):
            return _NAN
        if any(i not in around for i in one.operands):
            return _NAN
        sizes = [self._size(around[i]) for i in one.operands]
        result = self._size(one)
        if code in _TAKES:
            return 2 * result + sum(sizes[1:])
        if code == _UPDATE:
            return 2 * sum(sizes[1:2]) + sum(sizes[2:])
        if code == "scatter":
            place = len(sizes) // 2
            return 3 * sum(sizes[place + 1 :]) + sum(sizes[place : place + 1])
        if code == "custom-call":
            return sum(sizes) + result - self._workspace(one)
        # The result of what is started holds its operands, too.
        started = code.endswith("-start") and bool(self._program.shape(one).parts)
        return sum(sizes) + (max(result - sum(sizes), 0.0) if started else result)

    def _size(self, one: Instruction) -> float:
        """Of its result. The program keeps its shapes, so that they may be distinguished by where they are."""
        if self._tiles is not None:
            return self._tiles.allocated(one)
        shape = self._program.shape(one)
        if id(shape) not in self._sizes:
            self._sizes[id(shape)] = size(shape, self._skipped)
        return self._sizes[id(shape)]

    def _workspace(self, one: Instruction) -> float:
        parts = self._program.shape(one).parts
        if len(parts) > 1 and parts[-1].element in ("u8", "s8") and len(parts[-1].dimensions) == 1:
            return size(parts[-1], self._skipped)
        return 0.0

    def _fusion(self, number: int) -> float:
        if number not in self._fusions:
            computation = self._program.computations.get(number)
            known = computation is not None and computation.root is not None
            self._fusions[number] = self._ends(computation) if computation and known else _NAN
        return self._fusions[number]

    def _ends(self, computation: Computation) -> float:
        """What a fusion reads of its parameters and writes of its result."""
        inner = computation.instructions
        users: dict[int, list[int]] = {}
        for key, instruction in inner.items():
            for operand in set(instruction.operands):
                users.setdefault(operand, []).append(key)
        parameters = [key for key, one in inner.items() if one.opcode == "parameter"]
        return sum(self._read(key, inner, users) for key in parameters) + self._written(computation)

    def _read(self, parameter: int, inner: Around, users: Mapping[int, list[int]]) -> float:
        """How much of a parameter is read: only what slices take of it, nothing of what an update leaves as it is.

        What uses it as its first operand is gone to, so each instruction is once.
        """
        whole, part = self._size(inner[parameter]), 0.0
        waiting = [(parameter, user) for user in users.get(parameter, ())]
        while waiting:
            of, key = waiting.pop()
            user = inner[key]
            alone = len(user.operands) <= _MAX_OPERANDS and user.operands.count(of) == 1 and user.operands[0] == of
            if not alone:
                return whole
            if user.opcode == "bitcast":
                waiting += [(key, next_user) for next_user in users.get(key, ())]
            elif user.opcode in _TAKES:
                part += self._size(user)
            elif user.opcode != _UPDATE:
                return whole
        return min(part, whole) if part == part else whole

    def _written(self, computation: Computation) -> float:
        root, inner = computation.root, computation.instructions
        if root is None:
            return _NAN
        results = [inner.get(i) for i in root.operands] if root.opcode == "tuple" else [root]
        return sum(self._result(one, inner) for one in results)

    def _result(self, one: Instruction | None, inner: Around) -> float:
        """Of an update what it changes."""
        for _ in range(_MAX_STEPS):
            if one is None or one.opcode != "bitcast" or not one.operands:
                break
            one = inner.get(one.operands[0])
        if one is None:
            return _NAN
        update = inner.get(one.operands[1]) if one.opcode == _UPDATE and len(one.operands) > 1 else None
        return self._size(update or one)


def size(shape: Shape, skipped: int | None = None) -> float:
    """Bytes of an array or of all parts of a tuple."""
    if shape.parts:
        return sum(size(part, skipped) for part in shape.parts)
    if skipped is not None and shape.space == skipped:
        return 0.0
    match = _BITS.match(shape.element)
    bits = int(match[1]) if match else _SPECIAL.get(shape.element, -1)
    if bits < 0 or min(shape.dimensions, default=0) < 0:
        return _NAN
    return bits / 8 * math.prod(map(float, shape.dimensions))


#: What runs other computations, whose instructions are events of their own.
_ONCE = ("call", "async-start")
_OFTEN = ("while", "conditional")


class Cost(NamedTuple):
    """Of one execution; nan where it is not known. hbm_bytes: all bytes but those of the host's memory."""

    flops: float
    bytes: float
    hbm_bytes: float


UNKNOWN = Cost(_NAN, _NAN, _NAN)
NOTHING = Cost(0.0, 0.0, 0.0)


class ProgramCosts:
    """Costs of instructions of one program. seen: names of those that are events of their own."""

    def __init__(self, program: Program, seen: Set[str]) -> None:
        self._program, self._seen = program, seen
        self._flops: dict[int, float] = {}
        self._every, self._device = Moved(program), Moved(program, HOST_SPACE)
        self._called: dict[tuple[int, ...], Cost] = {}

    def cost(self, name: str) -> Cost:
        """Nothing is known where the program was too large to be read."""
        one = self._program.find(name)
        cost = self._cost(one, self._program.around(name)) if one else UNKNOWN
        return cost if self._program.budget.left > 0 else UNKNOWN

    def parts(self, name: str) -> list[tuple[Instruction, float]]:
        """What a fusion runs in one execution, with the FLOPs of each, nan where unknown; of all else nothing."""
        one = self._program.find(name)
        computation = self._program.computations.get(one.called[0]) if one and one.called else None
        if one is None or one.opcode != "fusion" or computation is None or self._program.budget.left <= 0:
            return []
        around = computation.instructions
        return [(part, self._one(part, around)) for part in computation.work]

    def _cost(self, one: Instruction, around: dict[int, Instruction]) -> Cost:
        if one.opcode in (*_ONCE, *_OFTEN):
            if one.called not in self._called:
                self._called[one.called] = self._of_called(one)
            return self._called[one.called]
        every = self._every.bytes_of(one, around)
        device = self._device.bytes_of(one, around) if HOST_SPACE in self._program.spaces else every
        return Cost(self._one(one, around), every, device)

    def _of_called(self, one: Instruction) -> Cost:
        """Nothing where what it runs is distinguished. Else its sum, once; of a loop it is not known how often."""
        called = [self._program.computations.get(number) for number in one.called]
        computations = [computation for computation in called if computation is not None]
        inner = [i for computation in computations for i in computation.instructions.values()]
        if any(i.name in self._seen for i in inner):
            return NOTHING
        if one.opcode in _OFTEN or len(computations) != 1:
            return UNKNOWN
        around = computations[0].instructions
        nested = [i for i in inner if i.opcode in (*_ONCE, *_OFTEN)]
        if nested:
            return UNKNOWN
        costs = [self._cost(i, around) for i in inner]
        return Cost(*(sum(column) for column in zip(*costs, strict=True))) if costs else UNKNOWN

    def _one(self, one: Instruction, around: dict[int, Instruction]) -> float:
        for number in one.called:
            self._sum(number)
        operands = [self._program.shape(around[i]) if i in around else None for i in one.operands]
        return flops(self._program, one, operands, self._flops)

    def _sum(self, wanted: int) -> None:
        """The FLOPs of a computation, and before it those of all that it calls; nan of one that calls itself."""
        waiting, begun = [wanted], set[int]()
        while waiting:
            number = waiting[-1]
            computation = self._program.computations.get(number)
            if number in self._flops or computation is None:
                waiting.pop()
                self._flops.setdefault(number, _NAN)
                continue
            first = self._missing(computation)
            if number not in begun and first:
                begun.add(number)
                cyclic = [called for called in first if called in begun]
                self._flops |= dict.fromkeys(cyclic, _NAN)
                waiting += [called for called in first if called not in begun]
                continue
            waiting.pop()
            self._flops[number] = self._total(computation)

    def _missing(self, computation: Computation) -> list[int]:
        called = dict.fromkeys(number for one in computation.instructions.values() for number in one.called)
        return [number for number in called if number not in self._flops]

    def _total(self, computation: Computation) -> float:
        around = computation.instructions
        total = 0.0
        for one in around.values():
            operands = [self._program.shape(around[i]) if i in around else None for i in one.operands]
            total += flops(self._program, one, operands, self._flops)
        return total


# An XLA instruction → its category, as XLA's own profiles call it.
#
# A TPU's capture gives the category of each instruction; those of other devices' programs are named here in the same
# words: `loop fusion`, `data formatting`, `non-fusion elementwise`, `convolution base-dilated`, else the opcode.

_FUSIONS = {"kLoop": "loop fusion", "kInput": "input fusion", "kOutput": "output fusion", "kCustom": "custom fusion"}
#: What gives each element of its operand another place, or none.
_FORMATTING = ("transpose", "copy", "reshape", "dynamic-reshape")
_PER_ELEMENT_CATEGORY = ("bitcast-convert", "map")
#: WindowDimension: dilation of the window, of the base.
_WINDOW_DILATION_CATEGORY, _BASE_DILATION_CATEGORY = 5, 6


def category(program: Program, one: Instruction) -> str:
    if one.opcode == "fusion":
        return _FUSIONS.get(one.kind, "fusion")
    if one.opcode in _FORMATTING:
        return "data formatting"
    if one.opcode in ELEMENTWISE or one.opcode in (*FUNCTIONS, *_PER_ELEMENT_CATEGORY):
        return "non-fusion elementwise"
    if one.opcode == "convolution":
        windows = program.windows(one)
        base, window = (
            any(w.get(field, [1])[-1] > 1 for w in windows)
            for field in (_BASE_DILATION_CATEGORY, _WINDOW_DILATION_CATEGORY)
        )
        return f"convolution{' base-dilated' * base}{' window-dilated' * window}"
    return one.opcode
