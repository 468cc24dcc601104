"""A function of a text → the same, which remembers texts: the hosts of a run have most of their names in common."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: A large program has so many distinct names; 3 MB of short ones with what is made of them.
_TEXTS = 1 << 13
#: Longer texts are made anew: a file's names may have any length.
_LONGEST = 300


def kept_by_text(make: Callable[[str], T]) -> Callable[[str], T]:
    """Decorates a function of a text alone, whose value nobody changes."""
    kept = functools.lru_cache(_TEXTS)(make)

    @functools.wraps(make)
    def of(text: str) -> T:
        return kept(text) if len(text) <= _LONGEST else make(text)

    return of
