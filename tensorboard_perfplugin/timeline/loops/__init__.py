"""Loops over columns, compiled where they were compiled and numpy elsewhere, with identical results."""

from .loops import (
    COMPILED,
    Between,
    Nesting,
    Numbered,
    caused,
    coverage,
    extent,
    first_of_key,
    first_of_key_at,
    gaps,
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
    "Between",
    "Nesting",
    "Numbered",
    "caused",
    "climb",
    "coverage",
    "depth_and_reach",
    "extent",
    "first_of_key",
    "first_of_key_at",
    "gaps",
    "inherit",
    "mark",
    "nearest",
    "nest",
    "numbered",
    "share",
    "spread",
]
