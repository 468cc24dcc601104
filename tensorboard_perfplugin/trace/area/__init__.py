"""An area of the trace: sums, flame graph, gaps, and two areas compared."""

from .clip import area_tracks
from .compare import ComparePart, compare, compare_tables, compared_with
from .summary import AreaPart, area, area_numbers, area_tables

__all__ = [
    "AreaPart",
    "ComparePart",
    "area",
    "area_numbers",
    "area_tables",
    "area_tracks",
    "compare",
    "compare_tables",
    "compared_with",
]
