"""What a person chooses of a run, steps or a stretch of time → what that is of each host."""

from .choice import Range
from .resolve import HostRange, Resolved, host_range, resolve

__all__ = ["HostRange", "Range", "Resolved", "host_range", "resolve"]
