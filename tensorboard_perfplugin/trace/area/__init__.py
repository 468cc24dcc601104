"""An area of the trace: sums, flame graph, gaps, and two areas compared."""

from .clip import area_tracks
from .compare import ComparePart, Sums, compare, compared_with
from .flame import TREE_ROWS_MAX, TreePart
from .gaps import GAPS_MAX, SCOPES, GapsPart
from .summary import AREA_NAMES_MAX, AreaPart, NameRow, area, area_of_derived

__all__ = [
    "AREA_NAMES_MAX",
    "GAPS_MAX",
    "SCOPES",
    "TREE_ROWS_MAX",
    "AreaPart",
    "ComparePart",
    "GapsPart",
    "NameRow",
    "Sums",
    "TreePart",
    "area",
    "area_of_derived",
    "area_tracks",
    "compare",
    "compared_with",
]
