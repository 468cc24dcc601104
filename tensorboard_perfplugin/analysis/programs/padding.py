"""An instruction of an XLA program → how much of the bytes that it reads and writes is padding of tiles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from ...timeline.programs import Array, Instruction, Moved, Program, Tiles
from ..ops import Product

#: Operands that are looked at, and arrays that are named.
_MOST_OPERANDS, _MOST_NAMED = 256, 3


class ArrayPadding(NamedTuple):
    """Of one execution. bytes: padding that it reads and writes; share: ÷ all bytes that it reads and writes. sizes:
    what tiles round up, as `f32 1000×3 → 1000×128`, the array with most padding first.
    """

    bytes: float
    share: float
    sizes: str


NO_PADDING = ArrayPadding(0.0, 0.0, "")


class Padding(NamedTuple):
    """Of all executions of an instruction; None where it is not known, or nothing can be padded.

    bytes: padding of tiles that it reads and writes, share: ÷ all bytes that it reads and writes; flops: of a TPU's
    matrix unit with padding, flop_share: ÷ all that the unit does for it. sizes: what is rounded up.
    """

    bytes: float | None = None
    share: float | None = None
    flops: float | None = None
    flop_share: float | None = None
    sizes: str = ""

    def plus(self, other: Padding) -> Padding:
        """Of several instructions, which have no shares and sizes together."""
        return Padding(_sum(self.bytes, other.bytes), None, _sum(self.flops, other.flops))


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else one + other


def padding_of(arrays: ArrayPadding | None, product: Product | None, executions: int) -> Padding:
    sizes = [_product(product)] if product else []
    if arrays and arrays.sizes:
        sizes.append(arrays.sizes)
    return Padding(
        bytes=arrays.bytes * executions if arrays else None,
        share=arrays.share if arrays else None,
        flops=product.padding_flops * executions if product else None,
        flop_share=product.padding_share if product else None,
        sizes=", ".join(sizes),
    )


def _product(one: Product) -> str:
    """Rows, what is summed over, columns."""
    return "product " + " → ".join("×".join(map(str, of)) for of in ((one.rows, one.summed, one.columns), one.padded))


class PaddedArrays:
    """Of one program."""

    def __init__(self, program: Program) -> None:
        self._tiles = Tiles(program)
        self._elements, self._allocated = Moved(program), Moved(program, tiles=self._tiles)

    def of(self, one: Instruction, around: Mapping[int, Instruction]) -> ArrayPadding | None:
        """None where its arrays are in no tiles, or of a size that is not known."""
        given = [around[i] for i in dict.fromkeys(one.operands[:_MOST_OPERANDS]) if i in around]
        arrays = [array for each in (one, *given) for array in self._tiles.arrays(each)]
        if not any(array.in_tiles for array in arrays):
            return None
        if not any(array.padding for array in arrays):
            return NO_PADDING
        elements, allocated = self._elements.of(one, around), self._allocated.of(one, around)
        if not math.isfinite(elements) or not math.isfinite(allocated):
            return None
        padding = max(allocated - elements, 0.0)
        return ArrayPadding(padding, padding / allocated if allocated else 0.0, _sizes(arrays) if padding else "")


def _sizes(arrays: list[Array]) -> str:
    most = sorted(arrays, key=lambda array: -array.padding if math.isfinite(array.padding) else 0.0)
    named = dict.fromkeys(f"{array.element} {array.sizes}" for array in most if array.sizes)
    return ", ".join(list(named)[:_MOST_NAMED])
