"""Two runs → what changed from one to the other, and what of a step's time accounts for it."""

from .by_op import Part, Parts, parts_by_op
from .by_path import Node
from .compared import Change, Compared, compared
from .conditions import Condition, conditions, largest_peak, launches, memory_peak
from .counts import COUNTS
from .moved import CallKey, Moved, StageKey
from .noise import ONE_RUN, OUTSIDE, Difference, Verdict, difference
from .rows import Both, HostTime, collective_rows, counted, host_rows, memory_rows, stage_rows
from .side import CaptureSide, HostSide, capture_side, host_side

__all__ = [
    "COUNTS",
    "ONE_RUN",
    "OUTSIDE",
    "Both",
    "CallKey",
    "CaptureSide",
    "Change",
    "Compared",
    "Condition",
    "Difference",
    "HostSide",
    "HostTime",
    "Moved",
    "Node",
    "Part",
    "Parts",
    "StageKey",
    "Verdict",
    "capture_side",
    "collective_rows",
    "compared",
    "conditions",
    "counted",
    "difference",
    "host_rows",
    "host_side",
    "largest_peak",
    "launches",
    "memory_peak",
    "memory_rows",
    "parts_by_op",
    "stage_rows",
]
