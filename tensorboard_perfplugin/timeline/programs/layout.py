"""A shape of an XLA program, or a part of it → how XLA writes it, with its layout, and its bytes without padding."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ...wire import Span
from .reader import _LAYOUT, _MAX_RANK, _TUPLE, _TYPE, _TYPES, Reader
from .text import Parts, Shapes

#: ShapeProto.dimensions; LayoutProto.element_size_in_bits.
_DIMENSIONS, _BITS = 3, 7
#: Letters of a shape; tuples may be long.
_LONGEST = 400
_ELEMENT_BITS = re.compile(r"[a-z]+(\d+)")
#: A dimension, or all elements, of more is none.
_LARGEST, _MOST_BITS = 1 << 48, 1024


class Written(NamedTuple):
    """text: `f32[8,128]{1,0:T(8,128)}`. logical_bytes: of its elements alone; None of a tuple, and where unknown.

    array: element type and dimensions, by which frameworks tell shapes apart.
    """

    text: str
    logical_bytes: int | None
    array: tuple[str, tuple[int, ...]]


UNWRITTEN = Written("", None, ("", ()))


def written(reader: Reader, shapes: Shapes, shape: Span, part: tuple[int, ...]) -> Written:
    """Of the part of a tuple that indices lead to."""
    for place in part:
        parts = list(reader.spans(*shape, _TUPLE))
        if not 0 <= place < len(parts):
            return UNWRITTEN
        shape = parts[place]
    text = shapes.text(shape)
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    fields = Parts(reader, shape)
    kind = _TYPES.get(fields.number(_TYPE), "")
    dimensions = fields.numbers(_DIMENSIONS)
    if kind == "tuple" or len(dimensions) > _MAX_RANK:
        return Written(text, None, (kind, ()))
    bits = min(fields.one(_LAYOUT).number(_BITS), _MOST_BITS)
    return Written(text, _bytes(kind, dimensions, bits), (kind, tuple(dimensions)))


def _bytes(kind: str, dimensions: list[int], bits: int) -> int | None:
    match = _ELEMENT_BITS.match(kind)
    bits = bits or (int(match[1]) if match else {"pred": 8}.get(kind, 0))
    if bits <= 0 or min(dimensions, default=0) < 0 or max(dimensions, default=0) > _LARGEST:
        return None
    elements = math.prod(dimensions)
    return -(-elements * bits // 8) if elements <= _LARGEST else None
