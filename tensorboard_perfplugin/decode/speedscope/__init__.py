"""Files of speedscope, as py-spy, pyinstrument and austin's converter write them: call stacks over time → `Capture`."""

from .reader import MAX_SLICES, read
from .stacks import MAX_DEPTH, Slices

__all__ = ["MAX_DEPTH", "MAX_SLICES", "Slices", "read"]
