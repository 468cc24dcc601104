"""Loops over columns, compiled where they were compiled and numpy elsewhere, with identical results."""

from .loops import (
    COMPILED,
    Nesting,
    Numbered,
    caused,
    first_of_key,
    first_of_key_at,
    inherit,
    mark,
    nearest,
    nest,
    numbered,
    share,
    spread,
)
from .vectorised import climb, depth_and_reach

__all__ = [
    "COMPILED",
    "Nesting",
    "Numbered",
    "caused",
    "climb",
    "depth_and_reach",
    "first_of_key",
    "first_of_key_at",
    "inherit",
    "mark",
    "nearest",
    "nest",
    "numbered",
    "share",
    "spread",
]
