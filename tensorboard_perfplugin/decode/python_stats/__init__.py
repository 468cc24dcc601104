"""What cProfile, profile and pstats dump: sums of calls and times by Python function, and who called it → `Capture`."""

from .reader import read

__all__ = ["read"]
