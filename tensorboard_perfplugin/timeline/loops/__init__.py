"""Loops over columns, compiled where they were compiled and numpy elsewhere, with identical results."""

from .loops import COMPILED, Nesting, first_of_key, inherit, nearest, nest, share, spread
from .vectorised import climb, depth_and_reach

__all__ = [
    "COMPILED",
    "Nesting",
    "climb",
    "depth_and_reach",
    "first_of_key",
    "inherit",
    "nearest",
    "nest",
    "share",
    "spread",
]
