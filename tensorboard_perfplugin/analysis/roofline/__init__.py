"""Rooflines: what each op, step and capture reached of what its devices could compute and move."""

from ..devices import COMPUTE
from .executed import CAPTURE, LIBRARY, PROGRAM, SHAPES, Label
from .points import Point, Roofline, Whole, average, merged, roofline
from .reached import Reached, bound_by, limits, reached
from .roofs import MEMORIES, NAMES, Given, Roofs

__all__ = [
    "CAPTURE",
    "COMPUTE",
    "LIBRARY",
    "MEMORIES",
    "NAMES",
    "PROGRAM",
    "SHAPES",
    "Given",
    "Label",
    "Point",
    "Reached",
    "Roofline",
    "Roofs",
    "Whole",
    "average",
    "bound_by",
    "limits",
    "merged",
    "reached",
    "roofline",
]
