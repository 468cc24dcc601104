"""A ShapeProto → XLA's text of it: `f32[16,<=32]{1,0:T(8,128)S(1)}`, `(f32[], token[])`."""

from __future__ import annotations

from collections.abc import Iterable

from ....wire import Message, Span
from ..reader import _TYPES
from .parts import Parts

#: ShapeProto; LayoutProto; TileProto and SplitConfigProto.
_ELEMENT, _DIMENSIONS, _TUPLE, _LAYOUT, _DYNAMIC = 2, 3, 4, 5, 6
_ORDER, _TILES, _BITS, _SPACE, _LEVELS, _PHYSICAL = 1, 6, 7, 8, 9, 10
_INDEX, _POINTER, _PREFIX, _TAIL, _SPLITS = 11, 12, 15, 16, 17
_TILE_DIMENSIONS = _SPLIT_DIMENSION = 1
_SPLIT_INDICES = 2
_TUPLES, _BUFFER = 13, 34
#: Tuples in tuples, and shapes in layouts.
_MAX_DEPTH = 12
#: A tile's dimension that is joined with the next one, and a size that nothing bounds.
_LEAST = -(1 << 63)
_LEVEL = "DCSH"


def joined(items: Iterable[str]) -> str:
    """With a comma and, before every fifth, its index, as XLA writes operands and parts of tuples."""
    return ", ".join(f"/*index={i}*/{text}" if i and not i % 5 else text for i, text in enumerate(items))


def commas(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


class Shapes:
    """Of one program; equal bytes are read once."""

    def __init__(self, reader: Message) -> None:
        self._reader = reader
        self._texts: dict[tuple[bytes, bool], str] = {}

    def text(self, span: Span, layout: bool = True) -> str:
        key = self._reader.data[span[0] : span[1]], layout
        if key not in self._texts:
            self._texts[key] = self._text(span, layout, 0)
        return self._texts[key]

    def _text(self, span: Span, layout: bool, depth: int) -> str:
        if depth > _MAX_DEPTH:
            return "..."
        parts = Parts(self._reader, span)
        element = parts.number(_ELEMENT)
        if element in (_TUPLES, _BUFFER):
            within = joined(self._text(one, layout, depth + 1) for one in parts.spans(_TUPLE))
            return f"({within})" if element == _TUPLES else f"b({within})"
        sizes = parts.numbers(_DIMENSIONS)
        dynamic = parts.numbers(_DYNAMIC)
        dimensions = ",".join(_size(size, i < len(dynamic) and bool(dynamic[i])) for i, size in enumerate(sizes))
        text = f"{_TYPES.get(element) or 'invalid'}[{dimensions}]"
        if not layout or _LAYOUT not in parts:
            return text
        written = self._layout(parts.one(_LAYOUT), depth)
        return text if not sizes and written == "{}" else text + written

    def _layout(self, parts: Parts, depth: int) -> str:
        facts = "".join(self._facts(parts, depth))
        return "{" + commas(parts.numbers(_ORDER)) + (f":{facts}" if facts else "") + "}"

    def _facts(self, parts: Parts, depth: int) -> Iterable[str]:
        if any(levels := parts.numbers(_LEVELS)):
            yield f"D({','.join(_LEVEL[level] if 0 <= level < len(_LEVEL) else '?' for level in levels)})"
        if tiles := list(parts.every(_TILES)):
            yield "T" + "".join(f"({_tile(tile)})" for tile in tiles)
        if (tail := parts.number(_TAIL, 1)) > 1:
            yield f"L({tail})"
        for number, sign in ((_INDEX, "#"), (_POINTER, "*")):
            if kind := parts.number(number):
                yield f"{sign}({_TYPES.get(kind) or kind})"
        for number, sign in ((_BITS, "E"), (_SPACE, "S")):
            if value := parts.number(number):
                yield f"{sign}({value})"
        if splits := list(parts.every(_SPLITS)):
            yield "SC" + "".join(
                f"({one.number(_SPLIT_DIMENSION)}:{commas(one.numbers(_SPLIT_INDICES))})" for one in splits
            )
        if physical := list(parts.spans(_PHYSICAL)):
            yield f"P({self._text(physical[-1], True, depth + 1)})"
        if prefix := parts.number(_PREFIX):
            yield f"M({prefix})"


def _size(size: int, dynamic: bool) -> str:
    if size == _LEAST or (dynamic and size < 0):
        return "?"
    return f"<={size}" if dynamic else str(size)


def _tile(tile: Parts) -> str:
    return ",".join("*" if size == _LEAST else str(size) for size in tile.numbers(_TILE_DIMENSIONS))
