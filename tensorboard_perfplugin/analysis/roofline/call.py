"""What PyTorch's profiler records of a call (record_shapes=True) → sizes, types and values of its arguments."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

#: So much of a text is read; lists of tensors may be long.
_LONGEST = 20_000
#: Larger sizes are none.
_LARGEST = 1 << 48
#: Products of so many sizes are numbers that a float holds; PyTorch's tensors have 64 at most.
_MOST_DIMENSIONS = 16
#: So much of shapes is shown.
_SHOWN = 200
#: As the profiler spells types → bytes, and the precision that arithmetic on them has.
_TYPES = {
    "float": (4, "fp32"),
    "double": (8, "fp64"),
    "c10::Half": (2, "fp16"),
    "c10::BFloat16": (2, "bf16"),
    "c10::Float8_e4m3fn": (1, "fp8"),
    "c10::Float8_e5m2": (1, "fp8"),
    "c10::Float8_e4m3fnuz": (1, "fp8"),
    "c10::Float8_e5m2fnuz": (1, "fp8"),
    "c10::complex<float>": (8, "fp32"),
    "c10::complex<double>": (16, "fp64"),
    "signed char": (1, "int8"),
    "unsigned char": (1, "int8"),
    "bool": (1, ""),
    "short": (2, ""),
    "short int": (2, ""),
    "int": (4, ""),
    "long": (8, ""),
    "long int": (8, ""),
}
Sizes = Sequence[int]


class Cost(NamedTuple):
    """Of one call; None unknown. what: the kind of op."""

    what: str
    flops: float | None
    bytes: float | None


class Call:
    """Arguments by place; shapes are those of tensors, None elsewhere."""

    def __init__(self, name: str, shapes: str, types: str, concrete: str) -> None:
        self.name = name
        self._shapes, self._types, self._concrete = shapes, types, concrete

    @property
    def text(self) -> str:
        """Its shapes, as they are shown."""
        return self._shapes[:_SHOWN]

    @cached_property
    def shapes(self) -> list[tuple[int, ...] | None]:
        found = [_shape(each) for each in _list(self._shapes)]
        # A scalar argument has the shape [] as a tensor without dimensions has: its type tells them apart.
        kinds = [*self.types, *[""] * (len(found) - len(self.types))]
        return [
            None if shape == () and kind not in _TYPES else shape for shape, kind in zip(found, kinds, strict=False)
        ]

    @cached_property
    def types(self) -> list[str]:
        return [each if isinstance(each, str) else "" for each in _list(self._types)]

    @cached_property
    def lists(self) -> list[list[tuple[int, ...]]]:
        """Of each argument that is a list of tensors their shapes."""
        return [_shapes(each) for each in _list(self._shapes)]

    @cached_property
    def values(self) -> list[str]:
        return [each if isinstance(each, str) else "" for each in _list(self._concrete)]

    def shape(self, place: int) -> tuple[int, ...] | None:
        return self.shapes[place] if place < len(self.shapes) else None

    def size(self, place: int) -> int:
        """Bytes of an element; of what is not known those of the first tensor whose type is."""
        kind = self.types[place] if place < len(self.types) else ""
        return _TYPES[kind][0] if kind in _TYPES else self.element

    @cached_property
    def element(self) -> int:
        return next((_TYPES[kind][0] for kind in self.types if kind in _TYPES), 4)

    @cached_property
    def precision(self) -> str:
        """Of the first argument whose type computes; empty where none does."""
        return next((_TYPES[kind][1] for kind in self.types if _TYPES.get(kind, (0, ""))[1]), "")

    def numbers(self, place: int) -> list[int]:
        """A list of integers, or one, that an argument is: `[1, 1]`; none where it is not recorded."""
        found = _parsed(self.values[place]) if place < len(self.values) else None
        found = found if isinstance(found, list) else [found]
        return [n for n in found if isinstance(n, int) and not isinstance(n, bool) and abs(n) < _LARGEST]

    def flag(self, place: int) -> bool | None:
        text = self.values[place] if place < len(self.values) else ""
        return {"True": True, "False": False}.get(text)

    def flags(self, place: int) -> list[bool]:
        text = self.values[place] if place < len(self.values) else ""
        return [word == "True" for word in text.strip("[]").split(", ") if word in ("True", "False")]

    def moved(self, *places: int) -> float:
        """Bytes of some tensors."""
        return sum(count(self.shape(i)) * self.size(i) for i in places)

    @cached_property
    def given(self) -> float:
        """Bytes of all tensors that it is given."""
        return self.moved(*range(len(self.shapes)))


def count(shape: Sizes | None) -> float:
    return float(math.prod(shape)) if shape is not None else 0.0


def _list(text: str) -> list[Any]:
    found = _parsed(text)
    return found if isinstance(found, list) else []


def _parsed(text: str) -> Any:
    try:
        return json.loads(text[:_LONGEST]) if text else None
    except (ValueError, RecursionError):
        return None


def _shape(found: Any) -> tuple[int, ...] | None:
    if not isinstance(found, list) or len(found) > _MOST_DIMENSIONS:
        return None
    if not all(isinstance(n, int) and 0 <= n < _LARGEST for n in found):
        return None
    return tuple(found)


def _shapes(found: Any) -> list[tuple[int, ...]]:
    return [shape for each in found if (shape := _shape(each))] if isinstance(found, list) else []
