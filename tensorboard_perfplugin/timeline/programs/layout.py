"""A shape of an XLA program, or a part of it → how XLA writes it, with its layout, and its bytes without padding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...patterns import regex
from ...wire import Span
from .reader import _LAYOUT, _MAX_PARTS, _MAX_RANK, _TUPLE, _TYPE, _TYPES, Instruction, Reader
from .syntax import Parts, Shapes

# Shapes of an XLA program, with the tiles of their layouts → what each array takes in memory, and its padding.
#
# After XLA's tiled layouts: dimensions from the most major to the most minor one; a tile covers the last of them,
# each
# rounded up to the tile's, and stands for as many dimensions, which further tiles cover in turn. `*` joins a
# dimension
# with the next one.

#: ShapeProto.dimensions; LayoutProto: order, tiles, bits of an element, multiple of elements at the end; TileProto.
_DIMENSIONS, _ORDER, _TILES, _BITS, _TAIL, _TILE_DIMENSIONS = 3, 1, 6, 7, 16, 1
_JOINED = -(1 << 63)
#: Tiles in tiles; a dimension, or all elements, of more is none; bits of an element.
_MAX_TILES, _LARGEST, _MOST_BITS = 8, 1 << 48, 1024
_MAX_DEPTH = 8
_NAN = float("nan")
_ELEMENT_BITS = regex(r"[a-z]+(\d+)")
#: Bits of elements whose names hold no number.
_OTHERS = {"pred": 8, "token": 0, "tuple": 0}


class Array(NamedTuple):
    """One array. dimensions, padded: as the program has them, and rounded up to the tiles. bytes: of the elements;
    allocated: with padding; nan where unknown. in_tiles: whether its layout has tiles.
    """

    element: str
    dimensions: tuple[int, ...]
    padded: tuple[int, ...]
    bytes: float
    allocated: float
    in_tiles: bool = False

    @property
    def padding(self) -> float:
        return self.allocated - self.bytes

    @property
    def sizes(self) -> str:
        """What the tiles round up, as `1000×3 → 1000×128`; empty where they round up nothing."""
        if self.padded == self.dimensions:
            return ""
        return " → ".join("×".join(map(str, sizes)) for sizes in (self.dimensions, self.padded))


class Tiles:
    """Of one program; equal shapes are read once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._arrays: dict[bytes, tuple[Array, ...]] = {}

    def arrays(self, one: Instruction) -> tuple[Array, ...]:
        """Of its result: the array, or the parts of a tuple."""
        begin, end = one.shape
        key = self._reader.data[begin:end]
        if key not in self._arrays:
            self._arrays[key] = tuple(self._flat(one.shape))
        return self._arrays[key]

    def allocated(self, one: Instruction) -> float:
        return sum(array.allocated for array in self.arrays(one))

    def _flat(self, span: Span) -> Iterator[Array]:
        waiting, count = [(span, 0)], 0
        while waiting and count < _MAX_PARTS:
            at, depth = waiting.pop()
            parts = Parts(self._reader, at)
            within = list(parts.spans(_TUPLE))[:_MAX_PARTS]
            if within and depth < _MAX_DEPTH:
                waiting += [(each, depth + 1) for each in reversed(within)]
            elif not within:
                count += 1
                yield array(parts)


def array(parts: Parts) -> Array:
    """Of the fields of a ShapeProto that is no tuple of others."""
    element, layout = _TYPES.get(parts.number(_TYPE), ""), parts.one(_LAYOUT)
    dimensions = tuple(parts.numbers(_DIMENSIONS)[: _MAX_RANK + 1])
    bits = min(layout.number(_BITS), _MOST_BITS) or _bits_of(element)
    if len(dimensions) > _MAX_RANK:
        return Array(element, (), (), _NAN, _NAN)
    size = _size(math.prod(dimensions), bits) if all(0 <= one <= _LARGEST for one in dimensions) else _NAN
    tiles = [tile.numbers(_TILE_DIMENSIONS)[: _MAX_RANK + 1] for tile in layout.every(_TILES)]
    if not tiles or math.isnan(size):
        return Array(element, dimensions, dimensions, size, size)
    order = layout.numbers(_ORDER)[: _MAX_RANK + 1]
    if sorted(order) != list(range(len(dimensions))) or len(tiles) > _MAX_TILES or not all(map(_is_sound, tiles)):
        return Array(element, dimensions, dimensions, size, _NAN, True)
    elements = _tiled([dimensions[i] for i in reversed(order)], tiles)
    tail = min(max(layout.number(_TAIL, 1), 1), _LARGEST)
    allocated = _size(-(-elements // tail) * tail, bits)
    return Array(element, dimensions, _rounded(dimensions, order, tiles[0]), size, allocated, True)


def _bits_of(element: str) -> int:
    match = _ELEMENT_BITS.match(element)
    return int(match[1]) if match else _OTHERS.get(element, -1)


def _size(elements: int, bits: int) -> float:
    return float(-(-elements * bits // 8)) if bits >= 0 and elements <= _LARGEST else _NAN


def _is_sound(tile: Sequence[int]) -> bool:
    sizes = [size for size in tile if size != _JOINED]
    return bool(tile) and tile[-1] != _JOINED and len(tile) <= _MAX_RANK and all(0 < s <= _LARGEST for s in sizes)


def _tiled(sizes: list[int], tiles: Sequence[Sequence[int]]) -> int:
    """Elements that dimensions, the most major first, take in tiles."""
    for tile in tiles:
        sizes = [1] * (len(tile) - len(sizes)) + sizes
        first = len(sizes) - len(tile)
        covered, joined = [], 1
        for size, by in zip(sizes[first:], tile, strict=True):
            joined *= size
            if by != _JOINED:
                covered.append((joined, by))
                joined = 1
        sizes = [*sizes[:first], *(-(-size // by) for size, by in covered), *(by for _, by in covered)]
    return math.prod(sizes)


def _rounded(dimensions: Sequence[int], order: Sequence[int], tile: Sequence[int]) -> tuple[int, ...]:
    """Each dimension up to the first tile's; those that are joined as they are."""
    padded = list(dimensions)
    back = list(reversed(tile))
    for at, by, above in zip(order, back, [*back[1:], 0], strict=False):
        if _JOINED in (by, above):
            break
        padded[at] = -(-padded[at] // by) * by
    return tuple(padded)


#: Letters of a shape; tuples may be long.
_LONGEST_LAYOUT = 400


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
    text = text if len(text) <= _LONGEST_LAYOUT else text[:_LONGEST_LAYOUT] + "…"
    one = array(Parts(reader, shape))
    known = one.element not in ("tuple", "token") and one.bytes == one.bytes
    return Written(text, int(one.bytes) if known else None, (one.element, one.dimensions), one.sizes)
