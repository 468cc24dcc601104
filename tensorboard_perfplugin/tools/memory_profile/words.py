"""Sizes, types and rows of memory → the words of an answer."""

from __future__ import annotations

import numpy as np

from ...tables import Scalar
from ...tables.capture import I64
from .events import F64, UNKNOWN, Bools

#: TensorFlow's DataType by number; 100 more is a reference to one.
_NAMES = """
float double int32 uint8 int16 int8 string complex64 int64 bool qint8 quint8 qint32 bfloat16 qint16 quint16 uint16
complex128 half resource variant uint32 uint64 float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz
float8_e5m2fnuz int4 uint4 int2 uint2
"""
_TYPES = ("", *_NAMES.split())
_REFERENCE = 100
PS_PER_MS = 1e9
FREED, KEPT = "allocated before the capture, freed in it", "allocated before the capture, not freed in it"
STACK, LOST = "stack, reserved by the runtime", "not explained by the events"
#: Kinds of rows at the peak: allocations, what was there before, what the runtime reserved, what contradicts.
OP, BEFORE, RESERVED, UNEXPLAINED = "op", "before", "stack", "unexplained"
#: From here on three digits are one of the next unit.
_ROUNDS_TO_1 = 0.9995


def size(number: float) -> str:
    """Three significant digits in powers of 1024, as memory comes."""
    for unit, one in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        value = abs(number) / one
        if value >= _ROUNDS_TO_1:
            return f"{number / one:,.0f} {unit}" if value >= 999.5 else f"{number / one:.3g} {unit}"
    return f"{number:,.0f} bytes"


def type_name(number: int) -> str:
    """TensorFlow's name of a data type; empty where it is none, its number where it has no name here."""
    base, suffix = (number - _REFERENCE, "_ref") if number > _REFERENCE else (number, "")
    if 0 <= base < len(_TYPES):
        return _TYPES[base] + suffix if _TYPES[base] else ""
    return str(number)


def told(numbers: I64) -> list[Scalar]:
    """Numbers, None where they are not told."""
    return [None if n == UNKNOWN else n for n in numbers.tolist()]


def fractions(numbers: F64) -> list[Scalar]:
    """Numbers, None where they are not told."""
    return [None if np.isnan(n) else n for n in numbers.tolist()]


def addresses(bits: I64, has: Bools) -> list[Scalar]:
    return [f"0x{n & (1 << 64) - 1:x}" if known else "" for n, known in zip(bits.tolist(), has.tolist(), strict=True)]
