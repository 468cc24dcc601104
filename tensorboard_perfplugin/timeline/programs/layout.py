"""A shape of an XLA program, or a part of it → how XLA writes it, with its layout, and its bytes without padding."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ...wire import Span, signed
from .reader import _DIMENSIONS, _LAYOUT, _MAX_RANK, _TUPLE, _TYPE, _TYPES, Reader

#: LayoutProto: order of dimensions, tiles, bits of an element, memory; TileProto.
_MINOR_TO_MAJOR, _TILES, _BITS, _SPACE, _TILE = 1, 6, 7, 8, 1
#: ShapeProto.is_dynamic_dimension.
_DYNAMIC = 6
#: Parts of a tuple that are written, tiles of a layout; beyond stands an ellipsis, or nothing.
_SHOWN_PARTS, _SHOWN_TILES = 8, 8
_ELEMENT_BITS = re.compile(r"[a-z]+(\d+)")
#: A dimension of more is not one: products stay finite.
_LARGEST = 1 << 48


class Written(NamedTuple):
    """text: `f32[8,128]{1,0:T(8,128)}`. logical_bytes: of its elements alone; None of a tuple, and where unknown.

    array: element type and dimensions, by which frameworks tell shapes apart.
    """

    text: str
    logical_bytes: int | None
    array: tuple[str, tuple[int, ...]]


def written(reader: Reader, shape: Span, index: tuple[int, ...]) -> Written:
    """Of the part of a tuple that an index leads to."""
    for place in index:
        parts = list(reader.spans(*shape, _TUPLE))
        if not 0 <= place < len(parts):
            return Written("", None, ("", ()))
        shape = parts[place]
    return _written(reader, shape)


def _written(reader: Reader, shape: Span) -> Written:
    element, dimensions, dynamic, layout = 0, list[int](), list[int](), (0, 0)
    parts = []
    for number, value, high in reader.fields(*shape):
        if number == _TYPE and high < 0:
            element = value
        elif number == _DIMENSIONS:
            dimensions += [signed(value)] if high < 0 else reader.numbers(value, high)
        elif number == _DYNAMIC:
            dynamic += [value] if high < 0 else reader.numbers(value, high)
        elif number == _LAYOUT and high >= 0:
            layout = (value, high)
        elif number == _TUPLE and high >= 0:
            parts.append((value, high))
    kind = _TYPES.get(element, "")
    if kind == "tuple":
        texts = [_array(reader, part) for part in parts[:_SHOWN_PARTS]]
        more = [f"… {len(parts) - _SHOWN_PARTS} more"] if len(parts) > _SHOWN_PARTS else []
        return Written(f"({', '.join(texts + more)})", None, ("tuple", ()))
    dimensions, array = dimensions[:_MAX_RANK], (kind, tuple(dimensions[:_MAX_RANK]))
    marks = [bool(one) for one in dynamic[: len(dimensions)]] + [False] * (len(dimensions) - len(dynamic))
    sizes = ",".join(f"<={size}" if mark else str(size) for size, mark in zip(dimensions, marks, strict=True))
    ordered, bits = _layout(reader, layout)
    return Written(f"{kind}[{sizes}]{ordered}", _bytes(kind, dimensions, bits), array)


def _array(reader: Reader, span: Span) -> str:
    """Of a part of a tuple; tuples in it are not written out."""
    nested = next(reader.spans(*span, _TUPLE), None)
    return "(…)" if nested else _written(reader, span).text


def _layout(reader: Reader, span: Span) -> tuple[str, int]:
    """`{1,0:T(8,128)}` and the bits of an element, 0 where the layout does not say."""
    order: list[int] = []
    tiles = ""
    numbers = {_BITS: 0, _SPACE: 0}
    count = 0
    for number, value, high in reader.fields(*span):
        if number == _MINOR_TO_MAJOR:
            order += [signed(value)] if high < 0 else reader.numbers(value, high)
        elif number == _TILES and high >= 0 and count < _SHOWN_TILES:
            count += 1
            sizes = reader.lists(value, high).get(_TILE, [])[:_MAX_RANK]
            tiles += f"({','.join(str(size) for size in sizes)})"
        elif number in numbers and high < 0:
            numbers[number] = value
    more = f"T{tiles}" if tiles else ""
    more += f"E({numbers[_BITS]})" if numbers[_BITS] else ""
    more += f"S({numbers[_SPACE]})" if numbers[_SPACE] else ""
    text = ",".join(str(one) for one in order[:_MAX_RANK])
    inner = f"{text}:{more}" if more else text
    return f"{{{inner}}}" if inner else "", min(numbers[_BITS], 1024)


def _bytes(kind: str, dimensions: list[int], bits: int) -> int | None:
    match = _ELEMENT_BITS.match(kind)
    bits = bits or (int(match[1]) if match else {"pred": 8}.get(kind, 0))
    if not bits or min(dimensions, default=0) < 0 or max(dimensions, default=0) > _LARGEST:
        return None
    elements = math.prod(dimensions)
    return -(-elements * bits // 8) if elements <= _LARGEST else None
