"""A shape of an XLA program, or a part of it → how XLA writes it, with its layout, and its bytes without padding."""

from __future__ import annotations

from typing import NamedTuple

from ...wire import Span
from .reader import _TUPLE, Reader
from .text.parts import Parts
from .text.shapes import Shapes
from .tiles import array

#: Letters of a shape; tuples may be long.
_LONGEST = 400


class Written(NamedTuple):
    """text: `f32[8,128]{1,0:T(8,128)}`. logical_bytes: of its elements alone; None of a tuple, and where unknown.

    array: element type and dimensions, by which frameworks tell shapes apart. padded: what its tiles round up, as
    `1000×3 → 1000×128`; empty where they round up nothing.
    """

    text: str
    logical_bytes: int | None
    array: tuple[str, tuple[int, ...]]
    padded: str = ""


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
    one = array(Parts(reader, shape))
    known = one.element not in ("tuple", "token") and one.bytes == one.bytes
    return Written(text, int(one.bytes) if known else None, (one.element, one.dimensions), one.sizes)
