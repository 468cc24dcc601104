"""Memory snapshots: segments and blocks of a caching allocator, failed allocations, what each allocation is for."""

from ..memory import CATEGORIES
from .division import Divided, Totals
from .facts import MOMENTS, PEAK, Snapshot, snapshot_of
from .failed import Failure
from .levels import Levels

__all__ = [
    "CATEGORIES",
    "MOMENTS",
    "PEAK",
    "Divided",
    "Failure",
    "Levels",
    "Snapshot",
    "Totals",
    "snapshot_of",
]
