"""What an opcode needs beside its operands → XLA's text of it: `dimensions={1}`, `window={size=3x3}`, …"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

from .parts import Parts
from .shapes import Shapes, commas
from .shardings import groups, replica_groups
from .words import quoted

Texts = Iterator[str]

_PRECISIONS = ("default", "high", "highest")
_ALGORITHMS = (
    *("unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32"),
    *("dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32"),
    *("dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9"),
)
_TRANSPOSES = ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
_FFTS = ("FFT", "IFFT", "RFFT", "IRFFT")
_DISTRIBUTIONS = ("rng_invalid", "rng_uniform", "rng_normal")
_RANDOM = ("rng_default", "rng_three_fry", "rng_philox")
_SCHEDULES = ("SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST")
_VERSIONS = (
    *("API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING"),
    *("API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"),
)
_PADDINGS = ("PADDING_INVALID", "PADDING_VALID", "PADDING_SAME")


def attributes(opcode: str, parts: Parts, shapes: Shapes) -> Texts:
    """In XLA's order; those that are as usual are left out, as XLA leaves them out."""
    for write in _WRITERS.get(opcode, ()):
        yield from write(parts)
    if opcode in _ACCURATE:
        yield from result_accuracy(parts)
    for write_shapes in _WITH_SHAPES.get(opcode, ()):
        yield from write_shapes(parts, shapes)


def _of(words: Sequence[str], number: int) -> str:
    return words[number] if 0 <= number < len(words) else str(number)


def _list(name: str, number: int, always: bool = True) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        numbers = parts.numbers(number)
        if numbers or always:
            yield f"{name}={{{commas(numbers)}}}"

    return write


def _flag(name: str, number: int) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if parts.number(number):
            yield f"{name}=true"

    return write


def _number(name: str, number: int, usual: int | None = None) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if (value := parts.number(number)) != usual:
            yield f"{name}={value}"

    return write


def _word(name: str, number: int, words: Sequence[str], usual: int | None = None) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if (value := parts.number(number)) != usual:
            yield f"{name}={_of(words, value)}"

    return write


def _quoted(name: str, number: int, always: bool = False) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if (text := parts.text(number)) or always:
            yield f"{name}={quoted(text)}"

    return write


def _within(number: int, *writers: Callable[[Parts], Texts]) -> Callable[[Parts], Texts]:
    """Of a message in the message, where there is one."""

    def write(parts: Parts) -> Texts:
        if number in parts:
            for writer in writers:
                yield from writer(parts.one(number))

    return write


def _groups(parts: Parts) -> Texts:
    yield f"replica_groups={replica_groups(parts)}"


def _pairs(parts: Parts) -> Texts:
    yield f"source_target_pairs={groups([one.number(1), one.number(2)] for one in parts.every(52))}"


def _compare(parts: Parts) -> Texts:
    yield f"direction={parts.text(63)}"
    if (kind := parts.text(72)) == "TOTALORDER":
        yield f"type={kind}"


def _slice(parts: Parts) -> Texts:
    ends = [(one.number(1), one.number(2), one.number(3, 1)) for one in parts.every(17)]
    strided = any(stride != 1 for *_, stride in ends)
    texts = (f"[{begin}:{end}:{stride}]" if strided else f"[{begin}:{end}]" for begin, end, stride in ends)
    yield f"slice={{{', '.join(texts)}}}"


def _pad(parts: Parts) -> Texts:
    sides = [(one.number(1), one.number(2), one.number(3)) for one in parts.one(21).every(1)]
    between = any(interior for *_, interior in sides)
    yield "padding=" + "x".join("_".join(map(str, side if between else side[:2])) for side in sides)


def _window(parts: Parts) -> Texts:
    """Of each dimension: size, stride, padding, the two dilations, whether it is turned."""
    each = [tuple(one.number(i, 0 if i in (3, 4, 7) else 1) for i in range(1, 8)) for one in parts.one(15).every(1)]
    if not each:
        return

    def side(name: str, texts: list[str], usual: str) -> list[str]:
        return [f"{name}={'x'.join(texts)}"] if any(text != usual for text in texts) else []

    texts = [f"size={'x'.join(str(one[0]) for one in each)}"]
    texts += side("stride", [str(one[1]) for one in each], "1")
    texts += side("pad", [f"{one[2]}_{one[3]}" for one in each], "0_0")
    texts += side("lhs_dilate", [str(one[5]) for one in each], "1")
    texts += side("rhs_dilate", [str(one[4]) for one in each], "1")
    texts += side("rhs_reversal", [str(one[6]) for one in each], "0")
    yield f"window={{{' '.join(texts)}}}"


def _labels(parts: Parts) -> Texts:
    if 16 not in parts:
        return
    numbers = parts.one(16)

    def side(first: tuple[int, str], second: tuple[int, str], spatial: int) -> str:
        at = {numbers.number(number): letter for number, letter in (first, second)}
        at |= {place: str(i) for i, place in enumerate(numbers.numbers(spatial))}
        return "".join(letter for _, letter in sorted(at.items()))

    image, kernel, out = side((7, "b"), (8, "f"), 11), side((3, "i"), (4, "o"), 6), side((9, "b"), (10, "f"), 12)
    yield f"dim_labels={image}_{kernel}->{out}"


def _precision(parts: Parts) -> Texts:
    precision = parts.one(51)
    if any(operands := precision.numbers(1)):
        yield f"operand_precision={{{','.join(_of(_PRECISIONS, one) for one in operands)}}}"
    if algorithm := precision.number(2):
        yield f"algorithm={_of(_ALGORITHMS, algorithm)}"


def _aliases(parts: Parts) -> Texts:
    each = [(one.numbers(1), one.number(2), one.numbers(3)) for one in parts.every(74)]
    if each:
        texts = (
            f"{{{', '.join(map(str, out))}}}: ({operand}, {{{', '.join(map(str, at))}}})" for out, operand, at in each
        )
        yield f"output_to_operand_aliasing={{{', '.join(texts)}}}"


def _epsilon(parts: Parts) -> Texts:
    bits = parts.fixed(24)
    yield f"epsilon={struct.unpack('<f', struct.pack('<I', bits))[0]:.6g}"


def _replication(parts: Parts) -> Texts:
    if 61 in parts:
        yield f"parameter_replication={{{','.join('true' if one else 'false' for one in parts.one(61).numbers(1))}}}"


def _prefetch(parts: Parts) -> Texts:
    if 80 in parts:
        yield f"cross_program_prefetch_index={parts.number(80)}"


def _kind(parts: Parts) -> Texts:
    if kind := parts.text(11):
        yield f"kind={kind}"


def _outfeed(parts: Parts, shapes: Shapes) -> Texts:
    for span in parts.spans(29):
        yield f"outfeed_shape={shapes.text(span)}"
    yield from _quoted("outfeed_config", 22)(parts)


def _constraints(parts: Parts, shapes: Shapes) -> Texts:
    if parts.number(56):
        yield f"operand_layout_constraints={{{', '.join(shapes.text(span) for span in parts.spans(57))}}}"
    yield from _flag("custom_call_has_side_effect", 65)(parts)
    yield from _aliases(parts)
    yield from _word("schedule", 76, _SCHEDULES, 0)(parts)
    if parts.number(77) > 1:
        yield f"api_version={_of(_VERSIONS, parts.number(77))}"


def result_accuracy(parts: Parts) -> Texts:
    """How exact an elementwise function must be, where that is not as usual."""
    if 91 not in parts:
        return
    accuracy = parts.one(91)
    if accuracy.number(1):
        yield "result_accuracy={mode=highest}"
    elif 2 in accuracy:
        tolerance = accuracy.one(2)
        atol, rtol = (struct.unpack("<d", struct.pack("<Q", tolerance.fixed(i)))[0] for i in (1, 2))
        yield f"result_accuracy={{tolerance={{atol={atol:.6g},rtol={rtol:.6g},ulps={tolerance.number(3)}}}}}"


_DIMENSIONS = _list("dimensions", 14)
_CHANNEL = _number("channel_id", 26, 0)
_GLOBAL = _flag("use_global_device_ids", 71)
_CONSTRAIN = _flag("constrain_layout", 56)
_COLLECTIVE = (_CHANNEL, _groups, _CONSTRAIN)
_NORM = (_epsilon, _number("feature_index", 25))
_TRANSFER = (_CHANNEL, _flag("is_host_transfer", 47))
_GROUPED = (_number("feature_group_count", 50, 1), _number("batch_group_count", 58, 1))
_DOT = (
    _list("lhs_batch_dims", 3, always=False),
    _list("lhs_contracting_dims", 1, always=False),
    _list("rhs_batch_dims", 4, always=False),
    _list("rhs_contracting_dims", 2, always=False),
)
_GATHER = (
    _list("offset_dims", 1),
    _list("collapsed_slice_dims", 2),
    _list("start_index_map", 3),
    _list("operand_batching_dims", 5, always=False),
    _list("start_indices_batching_dims", 6, always=False),
    _number("index_vector_dim", 4),
)
_SCATTER = (
    _list("update_window_dims", 1),
    _list("inserted_window_dims", 2),
    _list("scatter_dims_to_operand_dims", 3),
    _list("input_batching_dims", 5, always=False),
    _list("scatter_indices_batching_dims", 6, always=False),
    _number("index_vector_dim", 4),
)
_WRITERS: dict[str, tuple[Callable[[Parts], Texts], ...]] = {
    "parameter": (_replication,),
    "get-tuple-element": (_number("index", 13),),
    "compare": (_compare,),
    "slice": (_slice,),
    "dynamic-slice": (_list("dynamic_slice_sizes", 20),),
    "pad": (_pad,),
    "iota": (lambda parts: iter([f"iota_dimension={commas(parts.numbers(14)[:1])}"]),),
    "sort": (_DIMENSIONS, _flag("is_stable", 60)),
    "reduce-precision": (_number("exponent_bits", 18), _number("mantissa_bits", 19)),
    "reduce-window": (_window,),
    "select-and-scatter": (_window,),
    "convolution": (_window, _labels, *_GROUPED, _precision),
    "dot": (_within(30, *_DOT), _precision),
    "ragged-dot": (
        _within(90, _within(1, *_DOT), _list("lhs_ragged_dims", 2), _list("rhs_group_dims", 3, always=False)),
        _precision,
    ),
    "gather": (_within(33, *_GATHER), _list("slice_sizes", 34), _flag("indices_are_sorted", 67)),
    "scatter": (_within(48, *_SCATTER), _flag("indices_are_sorted", 67), _flag("unique_indices", 69)),
    "rng": (_word("distribution", 23, _DISTRIBUTIONS),),
    "rng-bit-generator": (_word("algorithm", 70, _RANDOM),),
    "rng-get-and-update-state": (_number("delta", 66),),
    "fft": (_word("fft_type", 31, _FFTS), _list("fft_length", 32)),
    "triangular-solve": (
        _within(
            59,
            _flag("left_side", 1),
            _flag("lower", 2),
            _flag("unit_diagonal", 3),
            _word("transpose_a", 4, _TRANSPOSES, 0),
        ),
    ),
    "cholesky": (_within(62, _flag("lower", 1)),),
    "topk": (_number("k", 81), lambda parts: iter([f"largest={'true' if parts.number(85) else 'false'}"])),
    "copy-start": (_prefetch,),
    "infeed": (_quoted("infeed_config", 27),),
    "fusion": (_kind, _aliases),
    "custom-call": (
        *(_window, _labels, *_GROUPED, _precision),
        *(_word("padding_type", 75, _PADDINGS, 0), _quoted("custom_call_target", 28, always=True)),
    ),
    "collective-permute": (_CHANNEL, _pairs),
    "all-to-all": (*_COLLECTIVE, _list("dimensions", 14, always=False)),
    "all-gather": (*_COLLECTIVE, _DIMENSIONS, _GLOBAL),
    "all-reduce": (*_COLLECTIVE, _GLOBAL),
    "reduce-scatter": (*_COLLECTIVE, _GLOBAL, _DIMENSIONS),
    "collective-broadcast": _COLLECTIVE,
    "ragged-all-to-all": _COLLECTIVE,
}
_WRITERS |= {f"{name}-start": _WRITERS[name] for name in ("all-gather", "all-reduce", "collective-permute")}
_WRITERS |= dict.fromkeys(("batch-norm-training", "batch-norm-inference", "batch-norm-grad"), _NORM)
_WRITERS |= dict.fromkeys(("send", "send-done", "recv", "recv-done"), _TRANSFER)
_WRITERS |= dict.fromkeys(
    ("broadcast", "concatenate", "map", "reduce", "reverse", "transpose", "get-dimension-size", "set-dimension-size"),
    (_DIMENSIONS,),
)
_WITH_SHAPES = {"outfeed": (_outfeed,), "custom-call": (_constraints,)}
_ACCURATE = frozenset(
    (
        *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "tanh", "tan", "sine", "cosine"),
        *("sqrt", "rsqrt", "cbrt", "erf"),
    )
)
