"""A timeline and a choice of steps, or of a stretch of time → the timeline of that part alone."""

from .cut import cut_to
from .selection import Selection

__all__ = ["Selection", "cut_to"]
