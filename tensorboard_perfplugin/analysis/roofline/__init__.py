"""Rooflines: what each op, step and capture reached of what its devices could compute and move."""

from .executed import CAPTURE, LIBRARY, PROGRAM, SHAPES, Label
from .points import Point, Roofline, Whole, average, is_start, is_wait, merged, roofline
from .reached import Reached, below, bound_by, limits, reached
from .roofs import COMPUTE, MEMORIES, NAMES, Given, Roofs

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
    "below",
    "bound_by",
    "is_start",
    "is_wait",
    "limits",
    "merged",
    "reached",
    "roofline",
]
