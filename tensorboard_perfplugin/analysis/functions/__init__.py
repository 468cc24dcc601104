"""Profiles of Python functions: what each took, who called it, what it waits for, and how hosts differ."""

from .icicle import Icicle, icicle
from .model import Functions, Merged, Sums, functions_of, is_of_functions, merged
from .ranks import Ranks, Slow, ranks, slow_host
from .waits import Part, Wait, is_library, largest_caller, largest_of, own_caller, waits_of

__all__ = [
    "Functions",
    "Icicle",
    "Merged",
    "Part",
    "Ranks",
    "Slow",
    "Sums",
    "Wait",
    "functions_of",
    "icicle",
    "is_library",
    "is_of_functions",
    "largest_caller",
    "largest_of",
    "merged",
    "own_caller",
    "ranks",
    "slow_host",
    "waits_of",
]
