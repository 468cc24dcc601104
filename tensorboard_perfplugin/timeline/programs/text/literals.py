"""A LiteralProto → the text of a constant: `2.5`, `{ { 1, 2 }, { 3, 4 } }`, `{...}` beyond ten elements, as XLA."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .parts import Parts

_MOST = 10
_SHAPE, _ELEMENT, _DIMENSIONS, _LAYOUT, _ORDER = 1, 2, 3, 5, 1
_PRED = 1


class Small(NamedTuple):
    """A floating-point type of at most a byte.

    special: its largest exponent means `infinity` (and NaN), or `nan` if the mantissa is full, or nothing, and then NaN
    is the negative `zero`, or is `never`.
    """

    exponent: int
    mantissa: int
    bias: int
    special: str = "infinity"


#: Of each PrimitiveType that literals hold as bytes, where (LiteralProto), and how struct reads one.
_BYTES = {2: (15, "b"), 3: (17, "<h"), 6: (3, "B"), 7: (16, "<H"), 10: (11, "<e"), 16: (13, "<H")}
_BYTES |= {kind: (kind, "B") for kind in (30, 26, 21, 31, 27, 22)}
#: Of integers of less than a byte: how many, and whether one of them is a sign.
_BITS = {30: (1, True), 26: (2, True), 21: (4, True), 31: (1, False), 27: (2, False), 22: (4, False)}
#: As varints, and whether one may have a sign.
_VARINTS = {1: (2, False), 4: (4, True), 5: (5, True), 8: (6, False), 9: (7, False)}
_FLOATS = {11: (8, "<f"), 12: (9, "<d"), 15: (12, "<ff"), 18: (18, "<dd")}
_SMALL = {
    19: (19, Small(5, 2, 15)),
    20: (20, Small(4, 3, 7, "nan")),
    23: (23, Small(4, 3, 11, "zero")),
    24: (24, Small(5, 2, 16, "zero")),
    25: (25, Small(4, 3, 8, "zero")),
    28: (28, Small(4, 3, 7)),
    29: (29, Small(3, 4, 3)),
    32: (32, Small(2, 1, 1, "never")),
}
#: A power of 2: f8e8m0fnu.
_SCALE = 33
#: Digits after which a float of so many bytes is the same when read again.
_DIGITS = {4: (6, 9), 8: (15, 17)}


def literal(parts: Parts) -> str:
    shape = parts.one(_SHAPE)
    sizes = shape.numbers(_DIMENSIONS)
    element = shape.number(_ELEMENT)
    count = math.prod(sizes) if min(sizes, default=0) >= 0 and len(sizes) <= _MOST else _MOST + 1
    if count > _MOST:
        return "{...}"
    if not count:
        return _empty(sizes)
    texts = _texts(parts, element, count, bool(sizes))
    if texts is None or len(texts) != count:
        return "{...}"
    return _nested(_logical(texts, sizes, shape.one(_LAYOUT).numbers(_ORDER)), sizes)


def _empty(sizes: Sequence[int]) -> str:
    """An array without elements, as far as it has rows."""
    rows = math.prod(sizes[:-1])
    if len(sizes) == 1 or rows > _MOST:
        return "{}" if rows <= _MOST else "{...}"
    return _nested(["{}"] * rows, sizes[:-1]) if rows else "{  }"


def _texts(parts: Parts, element: int, count: int, array: bool) -> list[str] | None:
    """In the order of memory."""
    if element in _VARINTS:
        number, signed = _VARINTS[element]
        values = parts.numbers(number)[:count]
        if element == _PRED and not array:
            return ["true" if value else "false" for value in values]
        return [str(value if signed else value & (1 << 64) - 1) for value in values]
    if element == _SCALE:
        return [_scale(byte) for byte in parts.raw(_SCALE)[:count]]
    if element in _SMALL:
        number, kind = _SMALL[element]
        return [_small(byte, kind) for byte in parts.raw(number)[:count]]
    if element in _BYTES:
        return _packed(parts, element, count)
    if element in _FLOATS:
        number, code = _FLOATS[element]
        size = struct.calcsize(code)
        raw = parts.raw(number)[: size * count]
        return [
            _floats(*one, size=size // len(one)) for one in struct.iter_unpack(code, raw[: len(raw) // size * size])
        ]
    return None


def _packed(parts: Parts, element: int, count: int) -> list[str]:
    number, code = _BYTES[element]
    size = struct.calcsize(code)
    raw = parts.raw(number)[: size * count]
    values = [one for (one,) in struct.iter_unpack(code, raw[: len(raw) // size * size])]
    special: dict[int, Callable[[float], str]] = {10: lambda value: _digits(value, 5), 16: _bfloat}
    if element in _BITS:
        bits, signed = _BITS[element]
        values = [(value & (1 << bits) - 1) - (signed and value >> (bits - 1) & 1) * (1 << bits) for value in values]
    return [special.get(element, str)(value) for value in values]


def _bfloat(bits: float) -> str:
    return _digits(struct.unpack("<f", struct.pack("<I", int(bits) << 16))[0], 4)


def _small(byte: int, kind: Small) -> str:
    sign = "-" if byte >> (kind.exponent + kind.mantissa) & 1 else ""
    full = (1 << kind.exponent) - 1, (1 << kind.mantissa) - 1
    exponent, mantissa = byte >> kind.mantissa & full[0], byte & full[1]
    if kind.special == "infinity" and exponent == full[0]:
        return sign + ("nan" if mantissa else "inf")
    if (kind.special == "nan" and (exponent, mantissa) == full) or (kind.special == "zero" and byte == 0x80):
        return sign + "nan"
    value = math.ldexp(mantissa + bool(exponent) * (full[1] + 1), max(exponent, 1) - kind.bias - kind.mantissa)
    return sign + _digits(value, math.ceil(1 + (kind.mantissa + 1) * math.log10(2)))


def _scale(byte: int) -> str:
    return "nan" if byte == 0xFF else _digits(math.ldexp(1.0, byte - 127), 2)


def _floats(*values: float, size: int) -> str:
    texts = [_float(value, size) for value in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _float(value: float, size: int) -> str:
    few, many = _DIGITS[size]
    short = _digits(value, few)
    code = "<f" if size == 4 else "<d"
    return (
        short if value != value or struct.pack(code, float(short)) == struct.pack(code, value) else _digits(value, many)
    )


def _digits(value: float, digits: int) -> str:
    return f"{value:.{digits}g}" if value == value else "nan" if math.copysign(1, value) > 0 else "-nan"


def _logical(texts: list[str], sizes: Sequence[int], order: Sequence[int]) -> list[str]:
    """From the order of memory, whose fastest dimension comes first in `order`, to that of the indices."""
    if sorted(order) != list(range(len(sizes))):
        return texts
    strides = dict.fromkeys(order, 1)
    step = 1
    for dimension in order:
        strides[dimension] = step
        step *= sizes[dimension]
    places = [0]
    for dimension, size in enumerate(sizes):
        places = [place + i * strides[dimension] for place in places for i in range(size)]
    return [texts[place] for place in places]


def _nested(texts: list[str], sizes: Sequence[int]) -> str:
    """Braces of a row stand close where it has one element, or is all."""
    if not sizes:
        return texts[0]
    for axis in range(len(sizes) - 1, -1, -1):
        size, row = sizes[axis], axis == len(sizes) - 1
        groups = [texts[i : i + size] for i in range(0, len(texts), size)] if size else [[]]
        close = row and (size <= 1 or not axis) and not texts[0].startswith("{")
        texts = [("{%s}" if close else "{ %s }") % ", ".join(group) for group in groups]
    return texts[0]
