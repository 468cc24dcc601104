"""Two runs → what changed from one to the other, and what of a step's time accounts for it."""

from .by_op import Part, Parts, parts_by_op
from .by_path import Node
from .compared import Change, Compared, compared
from .conditions import Condition, conditions, largest_peak, launches, memory_peak
from .noise import ONE_RUN, OUTSIDE, Difference, difference
from .side import CaptureSide, HostSide, capture_side, host_side

__all__ = [
    "ONE_RUN",
    "OUTSIDE",
    "CaptureSide",
    "Change",
    "Compared",
    "Condition",
    "Difference",
    "HostSide",
    "Node",
    "Part",
    "Parts",
    "capture_side",
    "compared",
    "conditions",
    "difference",
    "host_side",
    "largest_peak",
    "launches",
    "memory_peak",
    "parts_by_op",
]
