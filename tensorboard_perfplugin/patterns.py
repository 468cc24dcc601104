"""Regular expressions that are compiled when they are first used.

A page uses few of the some five hundred that its modules hold; to compile them all took a third of a first answer.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class LazyPattern:
    """Stands for `re.Pattern`, and takes what it is asked for from that."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        # Kept, so that each method is looked up once.
        found = self.__dict__[name] = getattr(re.compile(self.pattern, self._flags), name)
        return found


def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but that a wrong expression fails when it is first used."""
    return cast("re.Pattern[AnyStr]", LazyPattern(text, flags))
